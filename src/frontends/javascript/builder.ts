// What node-pg-migrate's own calls create and drop, as the SQL that it makes of them: functions and triggers. No other call is read.
import type { Piece, Token } from './tokens.ts';

/** An argument, as far as it is written out. */
type Value =
  | { is: 'text'; says: string; pieces: Piece[] }
  | { is: 'list'; items: Value[] }
  | { is: 'object'; entries: Map<string, Value> }
  | { is: 'other'; says: string };

const CALLS: Record<string, (args: Value[], at: Place) => Piece[] | null> = {
  createFunction: ([name, parameters, options, body], at) =>
    createFunction(name, parameters, options, body, at),
  createTrigger,
  dropFunction: ([name, parameters], at) =>
    nameOf(name) === null ? null : [at(`DROP FUNCTION ${nameOf(name)}(${typesOf(parameters) ?? ''});`)],
  dropTrigger: ([table, name], at) =>
    nameOf(table) === null || nameOf(name) === null
      ? null
      : [at(`DROP TRIGGER ${nameOf(name)} ON ${nameOf(table)};`)],
};

/** Text that nobody wrote, told where the call stands. */
type Place = (text: string) => Piece;

/** `pgm.createFunction(…)` and its like, each as SQL. */
export function described(tokens: Token[]): Piece[][] {
  const out: Piece[][] = [];
  for (let i = 2; i < tokens.length - 1; i++) {
    const { kind, says, start, end } = tokens[i]!;
    if (kind !== 'word' || !Object.hasOwn(CALLS, says) || tokens[i - 1]!.says !== '.') continue;
    if (tokens[i + 1]!.says !== '(') continue;
    const [list, behind] = valueAt(tokens, i + 1);
    const made = list.is === 'list' ? CALLS[says]!(list.items, (text) => ({ text, start, end })) : null;
    if (made) out.push(made);
    i = behind - 1;
  }
  return out;
}

function createFunction(
  name: Value | undefined,
  parameters: Value | undefined,
  options: Value | undefined,
  body: Value | undefined,
  at: Place,
): Piece[] | null {
  const [called, types] = [nameOf(name), typesOf(parameters)];
  const [language, returns] = [entry(options, 'language'), entry(options, 'returns') ?? 'void'];
  if (called === null || types === null || !language || body?.is !== 'text') return null;
  const head = `CREATE OR REPLACE FUNCTION ${called}(${types}) RETURNS ${returns} LANGUAGE ${language} AS $pgm$`;
  return [at(head), ...body.pieces, at('$pgm$;')];
}

function createTrigger([table, name, options, body]: Value[], at: Place): Piece[] | null {
  const [on, called] = [nameOf(table), nameOf(name)];
  const calls = entry(options, 'function') ?? (body ? called : null);
  const verbs = entry(options, 'operation', ' OR ');
  if (on === null || called === null || !calls || !verbs) return null;
  const level = /row/i.test(entry(options, 'level') ?? '') ? 'ROW' : 'STATEMENT';
  const condition = entry(options, 'condition');
  const made = body ? (createFunction(name, undefined, withReturns(options), body, at) ?? []) : [];
  const when = entry(options, 'when') ?? 'BEFORE';
  const constraint = entry(options, 'constraint') === 'true';
  const deferred = entry(options, 'deferred') === 'true' ? ' DEFERRABLE INITIALLY DEFERRED' : '';
  const text = [
    `CREATE ${constraint ? 'CONSTRAINT ' : ''}TRIGGER ${called} ${when} ${verbs} ON ${on}${deferred} FOR EACH ${level}`,
    ...(condition ? [`WHEN (${condition})`] : []),
    `EXECUTE FUNCTION ${calls}();`,
  ].join(' ');
  return [...made, at(text)];
}

/** A trigger's own function returns `trigger`, whatever is said. */
function withReturns(options: Value | undefined): Value {
  const entries = new Map(options?.is === 'object' ? options.entries : []);
  entries.set('returns', { is: 'text', says: 'trigger', pieces: [] });
  return { is: 'object', entries };
}

// ---- arguments

/** `"orders"`, `{ schema: "shop", name: "orders" }`, quoted as the tool quotes them where that says more. */
function nameOf(value: Value | undefined): string | null {
  if (value?.is === 'text') return quoted(value.says);
  const [schema, name] = [entry(value, 'schema'), entry(value, 'name')];
  if (value?.is !== 'object' || !name) return null;
  return schema ? `${quoted(schema)}.${quoted(name)}` : quoted(name);
}

const quoted = (name: string) => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`);

/** `["int", { name: "id", type: "int" }]`; null where they are not written out. */
function typesOf(value: Value | undefined): string | null {
  if (!value) return '';
  if (value.is !== 'list') return null;
  const all = value.items.map((one) =>
    one.is === 'text'
      ? one.says
      : [entry(one, 'mode'), entry(one, 'name'), entry(one, 'type')].filter(Boolean).join(' '),
  );
  return all.every((one) => one !== '') ? all.join(', ') : null;
}

/** What an option says; of a list its items. */
function entry(value: Value | undefined, key: string, between = ', '): string | undefined {
  const its = value?.is === 'object' ? value.entries.get(key) : undefined;
  if (its?.is === 'text' || its?.is === 'other') return its.says || undefined;
  if (its?.is !== 'list' || !its.items.every((one) => one.is === 'text')) return undefined;
  return its.items.map((one) => (one.is === 'text' ? one.says : '')).join(between);
}

const NOTHING: Value = { is: 'other', says: '' };

/** Nobody nests an option so deep. */
const DEEPEST = 20;

/** The value that begins with this token, and the index behind it. */
function valueAt(tokens: Token[], from: number, level = 0): [Value, number] {
  const first = tokens[from];
  if (!first) return [NOTHING, from];
  const { depth } = first;
  const isAlone = (end: number) => !tokens[end] || /^[,)\]}]$/.test(tokens[end].says);
  if (first.pieces && isAlone(from + 1))
    return [{ is: 'text', says: first.says, pieces: first.pieces }, from + 1];
  if (level > DEEPEST) return [NOTHING, endOf(tokens, from)];
  if (/^[([]$/.test(first.says) && first.kind === 'sign') {
    const items: Value[] = [];
    let at = from + 1;
    while (at < tokens.length && tokens[at]!.depth > depth) {
      const [value, end] = valueAt(tokens, at, level + 1);
      items.push(value);
      at = tokens[end]?.says === ',' ? end + 1 : Math.max(end, at + 1);
    }
    if (first.says === '(' || isAlone(at + 1)) return [{ is: 'list', items }, at + 1];
  } else if (first.says === '{') {
    const entries = new Map<string, Value>();
    let at = from + 1;
    while (at < tokens.length && tokens[at]!.depth > depth) {
      const key = tokens[at]!;
      if (tokens[at + 1]?.says !== ':' || key.depth !== depth + 1) {
        at++;
        continue;
      }
      const [value, end] = valueAt(tokens, at + 2, level + 1);
      entries.set(key.says, value);
      at = Math.max(end, at + 3);
    }
    if (isAlone(at + 1)) return [{ is: 'object', entries }, at + 1];
  }
  const end = endOf(tokens, from);
  const says = end === from + 1 && first.kind === 'word' ? first.says : '';
  return [{ is: 'other', says }, end];
}

/** The index of the comma or the bracket behind what begins here. */
function endOf(tokens: Token[], from: number): number {
  const { depth } = tokens[from]!;
  const ends = ({ says, depth: now }: Token) => now < depth || (now === depth && /^[,)\]}]$/.test(says));
  let at = from;
  while (at < tokens.length && !ends(tokens[at]!)) at++;
  return at;
}
