// How code is put elsewhere so that it means the same: in another order, file, folder or routine. Text in, text out; it compares nothing.
import { dirname, posix } from 'node:path';
import { type Language, languageOf, lines } from './rewrite.ts';
import type { Files } from './told.ts';

/** A definition with the comments and annotations above it, or what stands between definitions. */
interface Piece {
  name: string | null;
  /** Where its head stands in its lines. */
  head: number;
  lines: string[];
}

const HEAD: { [language in Language]: RegExp } = {
  py: /^ *(?:async )?(?:def|class) (\w+)/,
  rb: /^ *(?:def|class|module) ((?:self\.)?[\w:]+[?!=]?)/,
  java: /^ *(?:(?:public|protected|private|static|final|abstract|synchronized) )*(?:(?:class|interface|enum|record) (\w+)|(?!return\b|new\b|throw\b|else\b)(?:<[^>]+> )?\w[\w.]*(?:<[^(]*>)?(?:\[\])? (\w+)\()/,
  kt: /^ *(?:(?:public|protected|private|internal|override|open|abstract|suspend|data|sealed|enum|inline) )*(?:(?:class|interface|object) (\w+)|fun (?:<[^>]+> )?(?:\w+\.)?(\w+)\()/,
};
const ABOVE = { py: /^ *[@#]/, rb: /^ *#/, java: /^ *(?:@|\/\/)/, kt: /^ *(?:@|\/\/)/ };
const CLOSES = { py: /^ *[)\]}]/, rb: /^ *(?:end|rescue|ensure|else)\b/, java: /^ *[)}]/, kt: /^ *[)}]/ };
const padOf = (line: string) => /^ */.exec(line)![0].length;

/** The definitions that stand `pad` deep, in order, with all that is none. Whatever is indented more belongs to what it follows. */
function pieces(text: string, language: Language, pad: number): Piece[] {
  const out: Piece[] = [{ name: null, head: 0, lines: [] }];
  let above: string[] = [];
  for (const { line, inText, deep } of lines(text, language)) {
    const last = out.at(-1)!;
    // Braces are what bodies stand in.
    const within = inText || (deep && (language === 'py' || language === 'rb'));
    const stands = !within && line.trim() !== '' && padOf(line) === pad;
    const match = stands ? HEAD[language].exec(line) : null;
    if (match) {
      out.push({ name: match[1] ?? match[2]!, head: above.length, lines: [...above, line] });
      above = [];
    } else if (stands && ABOVE[language].test(line)) above.push(line);
    else if (
      last.name &&
      (within || line.trim() === '' || padOf(line) > pad || (stands && CLOSES[language].test(line)))
    )
      last.lines.push(...above.splice(0), line);
    else if (last.name === null) last.lines.push(...above.splice(0), line);
    else out.push({ name: null, head: 0, lines: [...above.splice(0), line] });
  }
  out.at(-1)!.lines.push(...above);
  return out;
}

const textOf = (all: Piece[]) => all.flatMap((piece) => piece.lines).join('\n');
const DEPTHS = [0, 2, 4, 8];
const isDistinct = (names: (string | null)[]) => new Set(names).size === names.length;

/** Definitions of one class or file the other way round, where none asks for one before it. */
export function reversed(text: string, language: Language): string {
  // What Python and Ruby define runs: classes and what is decorated may need what stands above.
  const isFree = ({ name, head, lines }: Piece) =>
    name !== null && (language === 'java' || language === 'kt' || (head === 0 && /\bdef /.test(lines[0]!)));
  return DEPTHS.reduce((now, pad) => {
    const all = pieces(now.replace(/\n*$/, '\n\n'), language, pad);
    const out: Piece[] = [];
    for (let i = 0; i < all.length; ) {
      let end = i;
      while (end < all.length && isFree(all[end]!)) end++;
      const run = all.slice(i, Math.max(end, i + 1));
      out.push(...(isDistinct(run.map(({ name }) => name)) ? run.reverse() : run));
      i += run.length;
    }
    return textOf(out);
  }, text);
}

const isBlank = ({ lines }: Piece) => lines.every((line) => line.trim() === '');
const mentions = (text: string, name: string) => new RegExp(`\\b${name}\\b`).test(text);

/** Each class and function that a file has at its top in a file of its own; of Python the first half. */
export function split(files: Files): Files {
  return Object.fromEntries(
    Object.entries(files).flatMap(([file, text]): [string, string][] => {
      const language = languageOf(file);
      if (!language) return [[file, text]];
      const [head, ...rest] = pieces(text, language, 0);
      const all = rest.filter((piece) => !isBlank(piece));
      if (all.length < 2 || all.some(({ name }) => !name) || !isDistinct(all.map(({ name }) => name)))
        return [[file, text]];
      if (language === 'py') return inHalves(file, text, head!, all, files);
      if (language === 'kt' && /^private /m.test(text)) return [[file, text]];
      const own = all.map(({ name }) =>
        posix.join(dirname(file), `${name!.replace(/\W+/g, '_')}.${language}`),
      );
      if (!own.includes(file)) own[0] = file;
      return all.map((piece, i): [string, string] => [own[i]!, textOf([head!, piece])]);
    }),
  );
}

function inHalves(file: string, text: string, head: Piece, all: Piece[], files: Files): [string, string][] {
  const middle = Math.floor(all.length / 2);
  const [first, second] = [all.slice(0, middle), all.slice(middle)];
  const names = first.map(({ name }) => name!);
  const other = file.replace(/\.py$/, '_first.py');
  // What the first half asks for must not stand in the second.
  if (second.some(({ name }) => mentions(textOf(first), name!)) || !text.includes('import '))
    return [[file, text]];
  if (other in files || /(?:^|\/)(?:models|__init__|\d\w*)\.py$/.test(file)) return [[file, text]];
  const imports = head.lines.filter(
    (line) => line.trim() !== '' && !/^(?:from|import|#) ?|^ |^\)/.test(line),
  );
  if (imports.length > 0) return [[file, text]];
  const asked = `from ${other.replace(/\.py$/, '').replaceAll('/', '.')} import ${names.join(', ')}`;
  return [
    [other, textOf([head, ...first])],
    [file, [...head.lines, asked, '', ...second.flatMap(({ lines }) => lines)].join('\n')],
  ];
}

/** All below another folder. */
/** SQL files that define and do nothing else, the second half of each in a file beside it. */
export const inTwo = (files: Files): Files =>
  Object.fromEntries(
    Object.entries(files).flatMap(([file, text]): [string, string][] => {
      // A name with a number is a version's.
      const each = /^\D*\.sql$/.test(file) ? text.split(/^(?=CREATE )/m) : [];
      if (each.length < 2 || !each.every((one) => DEFINITION.test(one))) return [[file, text]];
      const middle = Math.ceil(each.length / 2);
      return [
        [file, each.slice(0, middle).join('')],
        [file.replace(/(?=\.sql$)/, '_second'), each.slice(middle).join('')],
      ];
    }),
  );
const DEFINITION =
  /^(?:\s*(?:--.*)?\n)*(?:CREATE (?:TABLE|SEQUENCE|FUNCTION|TRIGGER|DOMAIN|VIEW)\b(?:[^;$]|\$\w*\$[\s\S]*\$\w*\$)*;\s*(?:--.*\s*)*)?$/;

const BELOW = 'backend/';
export const below = (files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([file, text]) => [`${BELOW}${file}`, text]));

const escaped = (text: string) => text.replaceAll('.', '\\.');
const moduleOf = (file: string) => file.replace(/\.py$/, '').replaceAll('/', '.');

/** Each module whose name means nothing, one after the other, with a new name and with those who import it. */
export function renamedModules(files: Files): Files {
  let out = files;
  for (const file of Object.keys(files)) {
    const stem = /(\w+)\.py$/.exec(file)?.[1];
    if (!stem || /(?:^|\/)(?:models|migrations|settings|tests?|\d)/.test(file) || stem.startsWith('__'))
      continue;
    const module = moduleOf(file);
    const folder = module.slice(0, -stem.length - 1);
    const others = Object.values(out).filter(
      (text) => text.includes(module) || (folder && text.includes(folder)) || /from \./.test(text),
    );
    const FROM = new RegExp(`^( *from )${escaped(module)}(?= import )`, 'gm');
    const OF = new RegExp(`^( *from ${escaped(folder)} import )${stem}$`, 'gm');
    const rest = others.map((text) => text.replace(FROM, '').replace(OF, ''));
    // Named in another way, it would have to be changed there as well.
    if (
      rest.some(
        (text) =>
          mentions(text, `${stem}`) && new RegExp(`["'./]${stem}\\b|import .*\\b${stem}\\b`).test(text),
      )
    )
      continue;
    out = Object.fromEntries(
      Object.entries(out).map(([other, text]) => [
        other === file ? file.replace(/\.py$/, '_moved.py') : other,
        text.replace(FROM, `$1${module}_moved`).replace(OF, `$1${stem}_moved as ${stem}`),
      ]),
    );
  }
  return out;
}

/** Each class of the JVM in a package below its own, where those who name it import it, and it them. */
export function repackaged(files: Files): Files {
  let out = files;
  for (const [file, text] of Object.entries(files)) {
    const language = languageOf(file);
    if (language !== 'java' && language !== 'kt') continue;
    const own = /^package ([\w.]+)/m.exec(text)?.[1];
    const top = pieces(text, language, 0).flatMap(({ name }) => name ?? []);
    if (!own || top.length === 0 || /^private /m.test(text)) continue;
    const end = language === 'java' ? ';' : '';
    const to = `${own}.moved`;
    const siblings = Object.entries(out).filter(([other]) => other !== file && languageOf(other));
    // What names it in full, or by a word in a text, would have to be changed there as well.
    if (
      Object.entries(out).some(
        ([other, each]) => other !== file && top.some((name) => each.includes(`${own}.${name}`)),
      )
    )
      continue;
    const moved = text.replace(/^package .*$/m, `package ${to}${end}\n\nimport ${own}.*${end}`);
    out = Object.fromEntries([
      ...siblings.map(([other, each]): [string, string] => {
        if (!new RegExp(`^package ${escaped(own)};?$`, 'm').test(each)) return [other, each];
        const asked = top
          .filter((name) => mentions(each, name))
          .map((name) => `import ${to}.${name}${other.endsWith('.java') ? ';' : ''}`);
        return [
          other,
          asked.length === 0 ? each : each.replace(/^package .*$/m, `$&\n\n${asked.join('\n')}`),
        ];
      }),
      ...Object.entries(out).filter(([other]) => !languageOf(other)),
      [posix.join(dirname(file), 'moved', posix.basename(file)), moved],
    ]);
  }
  return out;
}

const BODY = '_apart';
const BODY_OF: {
  [language in Language]: (head: string, name: string, args: string, body: string[]) => string[] | null;
} = {
  py(head, name, args, body) {
    if (/\byield\b|\blocals\(|\b__class__\b/.test(body.join('\n'))) return null;
    const pad = ' '.repeat(padOf(head));
    const names = argumentsOf(args, /^\*{0,2}\w+/);
    const isMethod = names[0] === 'self' || names[0] === 'cls';
    if (pad !== '' && !isMethod) return null;
    const asked = `${isMethod ? `${names[0]}.` : ''}${name}${BODY}(${names.slice(isMethod ? 1 : 0).join(', ')})`;
    const own = args.replace(/ *= *[^,]+(?=,|$)/g, '');
    if (/[([{]/.test(own)) return null;
    return [
      head,
      `${pad}    return ${head.includes('async ') ? 'await ' : ''}${asked}`,
      '',
      ...(names[0] === 'cls' ? [`${pad}@classmethod`] : []),
      head.replace(`${name}(${args})`, `${name}${BODY}(${own})`),
      ...body,
    ];
  },
  rb(head, name, args, body) {
    if (
      /\byield\b|\bsuper\b|\bblock_given|__method__|^ *(?:rescue|ensure)/m.test(body.join('\n')) ||
      /[=*&:]/.test(args)
    )
      return null;
    const pad = ' '.repeat(padOf(head));
    const apart = name.replace(/(?=[?!=]?$)/, BODY);
    if (/=$/.test(name)) return null;
    return [
      head,
      `${pad}  ${apart}${args ? `(${args})` : ''}`,
      `${pad}end`,
      '',
      head.replace(name, apart),
      ...body,
    ];
  },
  java(head, name, args, body) {
    if (/\bsuper\b/.test(body.join('\n')) || !/^ /.test(head)) return null;
    const pad = ' '.repeat(padOf(head));
    const names = argumentsOf(args, /\w+$/);
    const gives = !/\bvoid\b/.test(head);
    const own = head
      .replace(/\b(?:public|protected) /, 'private ')
      .replace(`${name}(${args})`, `${name}${BODY}(${args.replace(/@\w+(?:\([^)]*\))? /g, '')})`);
    return [
      head,
      `${pad}  ${gives ? 'return ' : ''}${name}${BODY}(${names.join(', ')});`,
      `${pad}}`,
      '',
      own,
      ...body,
    ];
  },
  kt(head, name, args, body) {
    if (/\bsuper\b/.test(body.join('\n')) || /\binline |\bfun (?:<|\w+\.)/.test(head)) return null;
    const pad = ' '.repeat(padOf(head));
    const names = argumentsOf(args, /^\w+/);
    const gives = /\) *:/.test(head);
    const own = head
      .replace(/\b(?:override|open|public|protected) /g, '')
      .replace(`${name}(${args})`, `${name}${BODY}(${args.replace(/ *= *[^,]+(?=,|$)/g, '')})`);
    return [
      head,
      `${pad}  ${gives ? 'return ' : ''}${name}${BODY}(${names.join(', ')})`,
      `${pad}}`,
      '',
      `${pad}${own.trim().replace(/^(?:private )?/, 'private ')}`,
      ...body,
    ];
  },
};

/** Commas inside of a type's brackets are none of the list. */
const argumentsOf = (args: string, name: RegExp) =>
  args
    .replace(/<[^<>]*(?:<[^<>]*>[^<>]*)*>|\[[^\]]*\]/g, '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && one !== '*' && one !== '/')
    .map((one) => name.exec(one)?.[0] ?? one);

const DEF: { [language in Language]: RegExp } = {
  py: /^ *(?:async )?def (\w+)\(([^()]*)\)(?: *->[^:]*)?:(?: *#.*)?$/,
  rb: /^ *def ((?:self\.)?\w+[?!]?)(?:\(([^()]*)\))?(?: *#.*)?$/,
  java: /^ +(?:(?:public|protected|private|static|final) )*(?!return\b|new\b)(?:<[^>]+> )?\w[\w.]*(?:<[^(]*>)?(?:\[\])? (\w+)\(([^()]*)\)(?: throws [\w, .]+)? \{(?: *\/\/.*)?$/,
  kt: /^ *(?:(?:public|private|internal|override|open|suspend) )*fun (\w+)\(([^()]*)\)(?: *: *[\w<>?, .]+)? \{(?: *\/\/.*)?$/,
};

/** What a routine does stands in a routine of its own, that it calls. */
export function extracted(text: string, language: Language): string {
  return DEPTHS.reduce((now, pad) => {
    const all = pieces(now, language, pad);
    return textOf(
      all.map((piece) => {
        const head = piece.lines[piece.head]!;
        const match = piece.name ? DEF[language].exec(head) : null;
        const name = match?.[1]?.replace(/^self\./, '');
        if (
          !name ||
          name.includes(BODY) ||
          piece.lines
            .slice(0, piece.head)
            .some((line) => /^ *@.*(?:setter|property|overload|static)/.test(line))
        )
          return piece;
        const apart = BODY_OF[language](head, name, match![2] ?? '', piece.lines.slice(piece.head + 1));
        return apart ? { ...piece, lines: [...piece.lines.slice(0, piece.head), ...apart] } : piece;
      }),
    );
  }, text);
}
