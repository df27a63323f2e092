// How application code is rewritten so that it means the same: text in, text out, for each language. It compares nothing.

type Rewrite = (text: string) => string;
export type Language = 'py' | 'rb' | 'java' | 'kt';
export const LANGUAGES: Language[] = ['py', 'rb', 'java', 'kt'];
export const languageOf = (file: string): Language | null =>
  LANGUAGES.find((one) => file.endsWith(`.${one}`)) ?? null;
const each = (of: (language: Language) => Rewrite): { [language in Language]: Rewrite } =>
  Object.fromEntries(LANGUAGES.map((one) => [one, of(one)])) as { [language in Language]: Rewrite };
const ended = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

/** Whether a line stands within text of several lines, by what opens and closes such. */
export function* lines(
  text: string,
  language: Language,
): Generator<{ line: string; inText: boolean; deep: boolean }> {
  let heredoc: string | null = null;
  let quoted: string | null = null;
  let depth = 0;
  for (const line of text.split('\n')) {
    const inText = heredoc !== null || quoted !== null;
    yield { line, inText, deep: depth > 0 };
    if (language === 'rb') {
      if (heredoc) heredoc = line.trim() === heredoc ? null : heredoc;
      else heredoc = /<<[~-]["'`]?([A-Z_]+)/.exec(line)?.[1] ?? null;
    } else for (const [mark] of line.matchAll(/"""|'''/g)) quoted = quoted === mark ? null : (quoted ?? mark);
    if (!inText && heredoc === null)
      for (const [mark] of line.replace(/(["'])(?:\\.|(?!\1).)*\1|#.*|\/\/.*/g, '').matchAll(/[([{)\]}]/g))
        depth += '([{'.includes(mark) ? 1 : -1;
  }
}

const COMMENT = { py: '# unrelated: atomic() savepoint', rb: '# unrelated: requires_new: true', java: '// unrelated: setSavepoint()', kt: '// unrelated: setSavepoint()' }; // biome-ignore format: a table
const STATEMENT = {
  py: /^ *(?:def|class|if|for|while|with|return|import|from|try|async|raise|@)/,
  rb: /^ *(?:def|class|module|if|unless|return|begin|private|include)\b/,
  java: /^ *(?:@\w|public|private|protected|import|return|for|if|try|class)\b/,
  kt: /^ *(?:@\w|override|private|import|return|for|if|try|class|fun|val)\b/,
};

/** A comment alone on a line before each statement that surely begins one. */
export const commented = each((language) => (text) => {
  const out: string[] = [];
  let last = '';
  for (const { line, inText, deep } of lines(text, language)) {
    // A fixture's own word means the next line, and a decorator's too.
    const free =
      !inText && !(deep && (language === 'py' || language === 'rb')) && !/[\\,=(.]$/.test(last.trimEnd());
    if (free && STATEMENT[language].test(line)) out.push(`${/^ */.exec(line)![0]}${COMMENT[language]}`, '');
    out.push(line);
    last = line;
  }
  return out.join('\n');
});

const FUNCTION = {
  py: '\n\ndef unrelated_helper(one, two=None):\n    return one\n',
  rb: '\ndef unrelated_helper(one, two = nil)\n  one\nend\n',
  java: '\nfinal class UnrelatedHelper { static int unrelated(int one) { return one; } }\n',
  kt: '\nfun unrelatedHelper(one: Int): Int = one\n',
};
const CLASS = {
  py: '\n\nclass UnrelatedThing:\n    kept = 3\n\n    def unrelated_method(self, one):\n        for each in one:\n            self.kept = each\n',
  rb: '\nclass UnrelatedThing\n  KEPT = 3\n\n  def unrelated_method(one)\n    one.each { |each| @kept = each }\n  end\nend\n',
  java: '\nclass UnrelatedThing {\n  private int kept = 3;\n  void unrelatedMethod(java.util.List<Integer> one) { for (int each : one) { this.kept = each; } }\n}\n',
  kt: '\nclass UnrelatedThing {\n  private var kept = 3\n  fun unrelatedMethod(one: List<Int>) { for (each in one) { kept = each } }\n}\n',
};
export const withFunction = each((language) => (text) => ended(text) + FUNCTION[language]);
export const withClass = each((language) => (text) => ended(text) + CLASS[language]);

/** After what must come first. */
const IMPORTS = {
  py: (text: string) => {
    const at = /^(?:from|import) (?!__future__)/m.exec(text)?.index;
    return at === undefined
      ? text
      : `${text.slice(0, at)}import unrelated_module\nfrom unrelated_package import unrelated_name as another\n${text.slice(at)}`;
  },
  rb: (text: string) =>
    /^# frozen|^# encoding|^=begin/.test(text) ? text : `require "unrelated_module"\n${text}`,
  java: (text: string) => text.replace(/^import /m, 'import org.unrelated.Unrelated;\nimport '),
  kt: (text: string) => text.replace(/^import /m, 'import org.unrelated.Unrelated\nimport '),
};
export const withImport = each((language) => IMPORTS[language]);

/** `from a import b` becomes `from a import b as b_of_a`, where no text has the name. */
const other = (name: string) => (name === name.toUpperCase() ? `${name}_RENAMED` : `${name}_renamed`);
export const RENAMED = /(?:\w+ as )?(\w+)_renamed\b/gi;
export const renamedImports = {
  py: (text: string) => {
    let out = text;
    for (const [whole, module, list] of text.matchAll(/^from ([\w.]+) import ([\w, ]+)$/gm)) {
      if (module === '__future__') continue;
      const names = list!.split(',').map((one) => one.trim());
      if (names.some((one) => / as /.test(one))) continue;
      const kept = names.filter((name) => !renamable(text, name));
      const gone = names.filter((name) => !kept.includes(name));
      if (gone.length === 0) continue;
      const rest = [...kept, ...gone.map((name) => `${name} as ${other(name)}`)].join(', ');
      out = out.replace(whole, `from ${module} import ${rest.replace(/\b(\w+) as/g, '\u0001$1 as')}`);
      for (const name of gone) out = out.replace(new RegExp(`(?<![.\\w\u0001])${name}\\b`, 'g'), other(name));
      out = out.replaceAll('\u0001', '');
    }
    return out;
  },
  kt: (text: string) => {
    let out = text;
    for (const [whole, name] of text.matchAll(/^import [\w.]+\.(\w+)$/gm)) {
      // An extension stands behind a dot, where a member may be called the same.
      if (new RegExp(`\\.${name}\\b`).test(text.replace(/^import .*$/gm, ''))) continue;
      if (!renamable(text, name!, /^import .*$/gm)) continue;
      out = out
        .replace(new RegExp(`(?<![.\\w$])${name}\\b`, 'g'), other(name!))
        .replace(whole, `${whole} as ${other(name!)}`);
    }
    return out;
  },
};

const TEXTS = /"""[\s\S]*?"""|(['"])(?:\\.|(?!\1).)*\1|<<[~-]?([A-Z]+)[\s\S]*?\n *\2\b|#.*|\/\/.*/g;

/** A name that stands for nothing else in the file: no key of an argument, no part of a text, not bound again. */
function renamable(text: string, name: string, but: RegExp = /^from .*$/gm): boolean {
  const rest = text.replace(but, '');
  const texts = rest.match(TEXTS) ?? [];
  if (texts.some((one) => new RegExp(`\\b${name}\\b`).test(one))) return false;
  return !new RegExp(`\\b${name}\\s*(?:=|:)(?!=)|\\b(?:def|class|fun|val|var|as) ${name}\\b`).test(rest);
}

const aboveEach = (mark: string, first: string) => (text: string) => {
  const out: string[] = [];
  let last = '';
  for (const { line, inText, deep } of lines(text, 'py')) {
    if (!inText && !deep && !/^ *@/.test(last)) {
      const def = /^( *)(?:async )?def /.exec(line);
      if (def) out.push(`${def[1]}@${mark}`);
    }
    if (line.trim() !== '') last = line;
    out.push(line);
  }
  return out.join('\n').replace(/^(?=(?:from|import) (?!__future__))/m, `${first}\n`);
};
/** Above each function and method that has none yet: what is known to do nothing. */
export const decorated = {
  py: aboveEach('typing.no_type_check', 'import typing'),
  java: (text: string) =>
    text.replace(
      /^( +)(?=(?:public|protected|private) [^=;{]*\([^;{]*\) *(?:throws [\w, .]+)?\{)/gm,
      '$1@SuppressWarnings("unrelated") ',
    ),
  kt: (text: string) =>
    text.replace(
      /^( *)(?=(?:override |suspend |private |public |internal |open )*fun )/gm,
      '$1@Suppress("unrelated") ',
    ),
};

/** The same by a library that nobody knows. */
export const decoratedByOther = { py: aboveEach('unrelated.traced', 'import unrelated') };

const DEFINES = {
  py: /\bdef (\w+)|^ +(\w+) = (?!models\.)|\bfor (\w+) in\b|\bas (\w+):/gm,
  rb: /\bdef (?:self\.)?(\w+)|^ +(\w+) = |\|(\w+)\|/gm,
  java: /\b(?:void|var|int|long|String|List<\w+>) (\w+)(?= =|\()|\bfor \(\w+ (\w+) :/gm,
  kt: /\bfun ([a-z]\w*)|\bva[lr] (\w+)|\bfor \((\w+) in\b/gm,
};

/** Every function, method and variable that the files name themselves, but for those that mean something by their name. */
export function otherNames(
  files: Record<string, string>,
  means: (name: string) => boolean,
): Record<string, string> {
  const all = Object.entries(files);
  const names = new Set(
    all.flatMap(([file, text]) => {
      const language = languageOf(file);
      return language
        ? [...text.matchAll(DEFINES[language])].flatMap((one) => one.slice(1).filter(Boolean))
        : [];
    }),
  );
  const said = all
    .map(([file, text]) => (languageOf(file) ? (text.match(TEXTS) ?? []).join(' ') : text))
    .join(' ');
  const chosen = [...names].filter(
    (name) => name !== '_' && !means(name!) && !new RegExp(`\\b${name}\\b`).test(said),
  );
  if (chosen.length === 0) return files;
  const pattern = new RegExp(`(?<!\\w)(?:${chosen.join('|')})\\b`, 'g');
  return Object.fromEntries(
    all.map(([file, text]) => [file, languageOf(file) ? text.replace(pattern, other) : text]),
  );
}
