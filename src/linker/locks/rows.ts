// Whether two statements speak of the same rows, by what picks them. Not which relation: that is known to be one.
import type { Certainty, ForeignKey, RowLock, Write } from '../../ir.ts';

/**
 * `certain` by a constant, `likely` by a variable, by a child's reference to its parent, or because a worker changes
 * the job that it took with SKIP LOCKED; `possible` when nothing tells; null when they differ. In another turn of a
 * loop a variable holds another row. What an UPDATE sets was another value before: where that picks its rows, it names
 * the parent that they leave, and the one that is locked is the one that they come to.
 */
export function sameRows(
  a: RowLock | Write,
  b: RowLock | Write,
  when: 'same turn' | 'another turn',
  key: ForeignKey | null = null,
): Certainty | null {
  const mine = a.keys ?? NO_KEYS;
  const other = b.keys ?? NO_KEYS;
  const sure = when === 'same turn' ? 'likely' : 'possible';
  if (a.kind === 'write' && a.relation !== b.relation) {
    if (mine.length === 0 || other.length === 0) return 'possible';
    const changed = a.verb === 'update' ? a.columns : undefined;
    const leaves = (key: string) =>
      changed?.includes(columnOf(key)) === true && !value(key).startsWith(IN_ROW);
    if (refers(mine, other, leaves)) return when === 'same turn' ? null : 'possible';
    const names = (one: string) => !leaves(one) && (!isConstant(one) || isOf(one, key));
    return refers(mine, other, names) ? sure : 'possible';
  }
  if (isAll(a) || isAll(b)) return 'certain';
  if (differ(mine, other)) return null;
  let [constant, variable] = [false, false];
  for (const key of mine)
    if (key.includes('=') && other.includes(key)) {
      if (isConstant(key)) constant = true;
      else variable = true;
    }
  variable ||= isOneRecord(mine, other) && (asksItself(mine, other) || !asksOthers(mine, other));
  // `state = 1` says little where each of them names its row by a variable beside it.
  if (constant && !(mine.some(isVariable) && other.some(isVariable))) return 'certain';
  const taken =
    a.kind === 'row lock' &&
    a.skipLocked &&
    !asksOthers(mine, other) &&
    !(isById(mine) && !isById(other) && other.some((key) => key.includes('=')));
  return variable || taken ? sure : 'possible';
}

/** Who locks them one by one, in a loop, holds none yet of those to come. */
const isAll = (step: RowLock | Write): boolean =>
  step.kind === 'row lock' && step.all === true && (step.keys ?? NO_KEYS).length === 0;

/**
 * Whether its rows are the same in each turn of the loops of its routine: all that picks them is, or, of a row that is
 * referred to, something. With SKIP LOCKED each turn takes others.
 */
export function picksAlways(step: RowLock | Write, refers: boolean): boolean {
  if (!step.same || (step.kind === 'row lock' && step.skipLocked)) return false;
  return refers || step.keys!.every((key) => !key.includes('=') || step.same!.includes(key));
}

/**
 * Of a table that refers to itself: the row that is referred to is hardly the one that is written, but where the new
 * row says of its parent what picks this one.
 */
export function sameParent(
  child: RowLock | Write,
  parent: RowLock | Write,
  { columns = NO_KEYS }: ForeignKey,
  when: 'same turn' | 'another turn',
): Certainty {
  const isNew = child.kind === 'write' && child.verb === 'insert';
  if (!isNew || when === 'another turn') return 'possible';
  const isOf = (key: string) => columns.includes(columnOf(key));
  const picks = (parent.keys ?? NO_KEYS).filter((key) => key.includes('=') && !isOf(key));
  return refers(child.keys ?? NO_KEYS, picks, isOf) ? 'likely' : 'possible';
}

/** Begins the value of what a row holds once it is written. */
export const IN_ROW = 'the new ';

/** A constant of another column is as well a row of another kind; a place may be any column. */
const isOf = (one: string, key: ForeignKey | null): boolean =>
  !key?.columns || /^\d/.test(one) || key.columns.includes(columnOf(one).replace(IN_ROW, ''));

const NO_KEYS: string[] = [];
const columnOf = (key: string) => key.slice(0, key.indexOf('='));
const value = (key: string) => key.slice(key.indexOf('=') + 1);

/** `id=7`, `state='new'`, and not `id=account.id` or `id=?`. */
export function isConstant(key: string): boolean {
  const at = key.indexOf('=') + 1;
  if (at === 0) return false;
  let first = key.charCodeAt(at);
  if (first === PLUS || first === MINUS) first = key.charCodeAt(at + 1);
  else if (first === QUOTE) return true;
  return (
    (first >= ZERO && first <= NINE) ||
    (first === T && key.endsWith('=true')) ||
    (first === F && key.endsWith('=false'))
  );
}
const [PLUS, MINUS, QUOTE, ZERO, NINE, T, F] = [43, 45, 39, 48, 57, 116, 102];

const isVariable = (key: string) => key.includes('=') && !isConstant(key);

/** `'shop_'||key=name`: the column holds something else than what is named. */
const isJoined = (key: string) => columnOf(key).includes('||');

const isById = (keys: string[]) => keys.some((key) => key.startsWith('id='));

/** A column of the child, one of these, holds the value that picks the parent. */
const refers = (child: string[], parent: string[], these: (key: string) => boolean): boolean =>
  child.some((key) => {
    const its = value(key);
    if (its === '?' || isJoined(key) || !these(key)) return false;
    return parent.some((other) => value(other) === its && !isJoined(other));
  });

/** `id = r.id` of a row that `r` holds since, whatever told it; not where `r` told it. */
const asksItself = (a: string[], b: string[]): boolean =>
  a.some(
    (row) =>
      !row.includes('=') &&
      b.some((key) => key === `${columnOf(key)}=${row}.${columnOf(key)}`) &&
      !a.some((key) => key.includes('=') && (value(key) === row || value(key).startsWith(`${row}.`))),
  );

/** One column, two variables: `id = r.payer`, `id = r.payee`, of one record though they are. */
const asksOthers = (a: string[], b: string[]): boolean =>
  a.some((key) => {
    const column = key.slice(0, key.indexOf('=') + 1);
    const others = isVariable(key)
      ? b.filter((other) => other.startsWith(column) && isVariable(other))
      : NO_KEYS;
    return others.length > 0 && !others.includes(key);
  });

/** A variable that holds a row of both, and whose row neither picks by another column. */
const isOneRecord = (a: string[], b: string[]): boolean =>
  a.some(
    (key) => !key.includes('=') && b.includes(key) && !asksByOthers(a, b, key) && !asksByOthers(b, a, key),
  );

/** One variable, two columns: `id = n`, `parent = n`; nor is a row by whose `id` another column picks the one that it holds. */
function asksByOthers(a: string[], b: string[], variable: string): boolean {
  if (b.some((key) => holds(key, variable)))
    return a.some((key) => holds(key, variable)) && !b.some((key) => holds(key, variable) && a.includes(key));
  // What is of one run of a routine says so behind its name: `r of 1`.
  const own = variable.lastIndexOf(' of ');
  const id = own < 0 ? `${variable}.id` : `${variable.slice(0, own)}.id${variable.slice(own)}`;
  return b.some((key) => holds(key, id)) && !b.includes(`id=${id}`);
}

const holds = (key: string, its: string): boolean =>
  key.length > its.length && key.endsWith(its) && key.indexOf('=') === key.length - its.length - 1;

/** One column, two constants; one of a list is among them. */
function differ(a: string[], b: string[]): boolean {
  for (const key of a) {
    if (!isConstant(key)) continue;
    const column = key.slice(0, key.indexOf('=') + 1);
    const isOf = (other: string) => other.startsWith(column) && isConstant(other);
    const [mine, its] = [a.filter(isOf), b.filter(isOf)];
    if (its.length > 0 && !its.some((other) => mine.includes(other))) return true;
  }
  return false;
}
