// Other names that a PL/Python body gives plpy and its functions, put back to the usual ones. Not what those do.
import type { Token } from './host.ts';

/** `import plpy as p`, `p = plpy`, `from plpy import execute as run`, `run = plpy.execute`. */
export function unrenamed(all: Token[]): Token[] {
  const names = namesIn(all);
  if (names.size === 0) return all;
  return all.flatMap((token, i) => {
    const usual = token.kind === 'word' ? names.get(token.text) : undefined;
    if (usual === undefined || all[i - 1]?.text === '.') return [token];
    const next = all[i + 1]?.text;
    if (usual === '') return next === '.' ? [{ ...token, text: 'plpy' }] : [token];
    if (next !== '(') return [token];
    const rest = { ...token, first: false };
    return [
      { ...token, text: 'plpy' },
      { ...rest, kind: 'mark', text: '.' },
      { ...rest, text: usual },
    ];
  });
}

/** By the other name, the function of plpy; nothing for plpy itself. */
function namesIn(all: Token[]): Map<string, string> {
  const names = new Map<string, string>();
  for (let i = 0; i < all.length; i++) {
    if (all[i]!.text !== 'plpy' || all[i]!.kind !== 'word') continue;
    const [before, start] = [all[i - 1]?.text, all[i - 2]];
    if (before === 'import' && all[i + 1]?.text === 'as') names.set(all[i + 2]?.text ?? '', '');
    else if (before === 'from' && all[i + 1]?.text === 'import') imported(all, i + 2, names);
    else if (before === '=' && start?.kind === 'word' && start.first) {
      if (ends(all, i + 1)) names.set(start.text, '');
      else if (all[i + 1]!.text === '.' && all[i + 2]?.kind === 'word' && ends(all, i + 3))
        names.set(start.text, all[i + 2]!.text);
    }
  }
  return names;
}

function imported(all: Token[], from: number, names: Map<string, string>): void {
  for (let i = from; i < all.length && (i === from || !all[i]!.first); i++) {
    if (all[i]!.kind !== 'word') continue;
    const as = all[i + 1]?.text === 'as';
    names.set(all[as ? i + 2 : i]?.text ?? '', all[i]!.text);
    if (as) i += 2;
  }
}

const ends = (all: Token[], i: number) => all[i] === undefined || all[i]!.first || all[i]!.text === ';';
