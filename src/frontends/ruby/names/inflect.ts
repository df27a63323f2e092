// Rails' rules for table names: `LineItem` is `line_items`. Not a dictionary of English.

/** ActiveSupport's irregular words, singular and plural. */
const IRREGULAR: [string, string][] = [
  ['person', 'people'],
  ['man', 'men'],
  ['child', 'children'],
  ['sex', 'sexes'],
  ['move', 'moves'],
  ['zombie', 'zombies'],
];
const UNCOUNTABLE = /(?:^|_)(equipment|information|rice|money|species|series|fish|sheep|jeans|police)$/;

/** ActiveSupport's, the first that fits. */
const PLURAL: [RegExp, string][] = [
  [/(quiz)$/, '$1zes'],
  [/^(oxen)$/, '$1'],
  [/^(ox)$/, '$1en'],
  [/^(m|l)ice$/, '$1ice'],
  [/^(m|l)ouse$/, '$1ice'],
  [/(matr|vert|ind)(?:ix|ex)$/, '$1ices'],
  [/(x|ch|ss|sh)$/, '$1es'],
  [/([^aeiouy]|qu)y$/, '$1ies'],
  [/(hive)$/, '$1s'],
  [/(?:([^f])fe|([lr])f)$/, '$1$2ves'],
  [/sis$/, 'ses'],
  [/([ti])a$/, '$1a'],
  [/([ti])um$/, '$1a'],
  [/(buffal|tomat)o$/, '$1oes'],
  [/(bu)s$/, '$1ses'],
  [/(alias|status)$/, '$1es'],
  [/(octop|vir)us$/, '$1i'],
  [/^(ax|test)is$/, '$1es'],
  [/s$/, 's'],
  [/$/, 's'],
];

const SINGULAR: [RegExp, string][] = [
  [/(database)s$/, '$1'],
  [/(quiz)zes$/, '$1'],
  [/(matr)ices$/, '$1ix'],
  [/(vert|ind)ices$/, '$1ex'],
  [/^(ox)en/, '$1'],
  [/(alias|status)(es)?$/, '$1'],
  [/^(a)x[ie]s$/, '$1xis'],
  [/(cris|test)(is|es)$/, '$1is'],
  [/(shoe)s$/, '$1'],
  [/(o)es$/, '$1'],
  [/(bus)(es)?$/, '$1'],
  [/^(m|l)ice$/, '$1ouse'],
  [/(x|ch|ss|sh)es$/, '$1'],
  [/(m)ovies$/, '$1ovie'],
  [/(s)eries$/, '$1eries'],
  [/([^aeiouy]|qu)ies$/, '$1y'],
  [/([lr])ves$/, '$1f'],
  [/(tive)s$/, '$1'],
  [/(hive)s$/, '$1'],
  [/([^f])ves$/, '$1fe'],
  [/((a)naly|(b)a|(d)iagno|(p)arenthe|(p)rogno|(s)ynop|(t)he)(sis|ses)$/, '$1sis'],
  [/([ti])a$/, '$1um'],
  [/(n)ews$/, '$1ews'],
  [/(ss)$/, '$1'],
  [/s$/, ''],
];

function inflect(word: string, rules: [RegExp, string][], from: 0 | 1): string {
  if (UNCOUNTABLE.test(word)) return word;
  for (const pair of IRREGULAR) {
    const start = word.lastIndexOf('_') + 1;
    const last = word.slice(start);
    if (last === pair[1 - from]) return word;
    if (last === pair[from]) return word.slice(0, start) + pair[1 - from];
  }
  for (const [pattern, replacement] of rules)
    if (pattern.test(word)) return word.replace(pattern, replacement);
  return word;
}

/** `line_item` is `line_items`. */
export const pluralize = (word: string): string => inflect(word, PLURAL, 0);
export const isPlural = (word: string): boolean => singularize(word) !== word && pluralize(word) === word;
export const singularize = (word: string): string => inflect(word, SINGULAR, 1);

/** `LineItem` is `line_item`, `HTTPRequest` is `http_request`. */
export const underscore = (name: string): string =>
  name
    .replace(/([A-Z\d]+)([A-Z][a-z])/g, '$1_$2')
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();

/** `line_items` is `LineItem`. */
export const camelize = (word: string): string =>
  word.replace(/(?:^|_|(\/))([a-z\d])/g, (_, slash, letter) => (slash ? '::' : '') + letter.toUpperCase());

export const classify = (table: string): string => camelize(singularize(table));
