// Makes one text of another, as editors, merges and attackers do; it knows no language.

/** A number from 0 up to, and without, `below`; the same ones for the same seed. */
export type Random = (below: number) => number;

export function randomOf(seed: number): Random {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (((t ^ (t >>> 14)) >>> 0) % 0x7fffffff) % Math.max(1, below);
  };
}

const JUNK = [
  '\0', '\r', '\r\n', '\n', '\t', '\uFEFF', '\u2028', '\ud800', '\\', "'", '"', '`', '$$', '$a$', '/*', '*/', '--', '#', '//', '"""',
  '<<~A\n', '%w(', '(', ')', '[', ']', '{', '}', '#{', '${', '{{', '}}', '<%', '%>', ';', ',', '.', ':', '::', '=>', '->', '=', '<', '>', '@',
  '&', '|', '*', '**', '!', '?', '0', '-1', '99999999999999999999', '1e309', '__proto__', 'constructor', 'é', '𝒳', '日本',
]; // biome-ignore format: a list of scraps

const LONGEST = 20_000;

/** `words` are what other texts of this kind are made of; `other` is such a text. */
export function mutated(text: string, other: string, words: string[], random: Random): string {
  let out = text;
  for (let left = 1 + random(4); left > 0; left--) out = once(out, other, words, random);
  return out.length > LONGEST ? out.slice(0, LONGEST) : out;
}

function once(text: string, other: string, words: string[], random: Random): string {
  const at = random(text.length + 1);
  const end = Math.min(text.length, at + 1 + random(random(4) === 0 ? text.length : 30));
  const put = (between: string, to = at) => text.slice(0, at) + between + text.slice(to);
  switch (random(12)) {
    case 0:
      return put('', end);
    case 1:
      return put(JUNK[random(JUNK.length)]!);
    case 2:
      return put(JUNK[random(JUNK.length)]!, end);
    case 3:
      return put(` ${words[random(words.length)]} `);
    case 4: {
      // A whole word becomes another.
      const from = /\w*$/.exec(text.slice(Math.max(0, at - 40), at))![0].length;
      const to = /^\w*/.exec(text.slice(at, at + 40))![0].length;
      return text.slice(0, at - from) + words[random(words.length)] + text.slice(at + to);
    }
    case 5:
      return put(text.slice(at, end).repeat(2 + random(random(20) === 0 ? 200 : 3)), end);
    case 6: {
      const from = random(other.length + 1);
      return put(other.slice(from, from + 1 + random(400)));
    }
    case 7:
      return text.slice(0, at) + other.slice(random(other.length + 1));
    case 8:
      return text.slice(0, at);
    case 9: {
      // Lines change places.
      const lines = text.split('\n');
      const [a, b] = [random(lines.length), random(lines.length)];
      [lines[a], lines[b]] = [lines[b]!, lines[a]!];
      return lines.join('\n');
    }
    case 10: {
      const [open, close] = PAIRS[random(PAIRS.length)]!;
      const times = 1 + random(random(20) === 0 ? 300 : 3);
      return put(open.repeat(times) + text.slice(at, end) + close.repeat(times), end);
    }
    default:
      return random(8) === 0
        ? text.replaceAll('\n', '\r\n')
        : put(String.fromCharCode(random(random(4) === 0 ? 65536 : 128)), at + 1);
  }
}

const PAIRS = [
  ['(', ')'], ['[', ']'], ['{', '}'], ['BEGIN ', ' END;'], ['CASE WHEN a THEN ', ' END'], ['(SELECT ', ')'], ["f'{", "}'"], ['"#{', '}"'],
  ['do\n', '\nend\n'], ['if x:\n ', '\n'], ['/*', '*/'], ['$a$', '$a$'], ['<a>', '</a>'], ['x(', ')'], ['BEGIN ', ' EXCEPTION WHEN OTHERS THEN NULL; END;'],
] as const; // biome-ignore format: a list of pairs
