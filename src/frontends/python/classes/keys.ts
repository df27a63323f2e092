// Which attributes of a model together name one of its rows: `unique=True`, `unique_together`, UniqueConstraint. It reads no migration.
import { child, type Syntax } from '../../syntax.ts';
import { keyword } from '../names/arguments.ts';
import { canonical, tableRule } from '../names/knowledge.ts';
import { type ClassInfo, type File, kept, type Place, textOf } from '../names/scope.ts';
import { constantText, resolve } from '../names/values.ts';
import { members } from './classes.ts';

const SAYS = /\bunique|\bprimary_key\b|OneToOneField|UniqueConstraint/;
const saysAny = kept((_, file: File) => SAYS.test(file.text));
const IS_KEY = /\b(?:unique|primary_key)\s*=\s*True\b/;

/** None at all, where the class says all that its table has. */
export function allKeys(c: Place, info: ClassInfo): string[][] | undefined {
  const keys = keysOf(c, info);
  if (keys.length > 0) return keys;
  const says = textOf(c.file, info.node);
  const isWhole =
    info.bases.length > 0 && info.bases.every((base) => tableRule(canonical(base)) !== undefined);
  return isWhole && !SAYS.test(says) && !MAY_SAY.test(says) ? [] : undefined;
}

/** What stands there may be made elsewhere. */
const MAY_SAY = /\b(?:constraints|indexes|__table_args__)\b/;

export function keysOf(c: Place, { node }: ClassInfo): string[][] {
  // What is imported under another name stands in the file, and not in the class.
  if (!saysAny(c, c.file)) return [];
  return members(node).flatMap((one) => {
    if (one.type === 'class_definition')
      return textOf(c.file, child(one, 'name')) === 'Meta'
        ? members(one).flatMap((inner) => together(c, inner))
        : [];
    const { name, value } = given(c, one);
    if (!name || !value) return [];
    if (name === '__table_args__') return constraints(c, value);
    if (value.type !== 'call') return [];
    return isCalled(c, value, 'OneToOneField') || IS_KEY.test(textOf(c.file, value)) ? [[name]] : [];
  });
}

/** Its objects have their key before they have a row: `id = UUIDField(primary_key=True, default=uuid4)`, here or above. */
export const namesItself = kept((c, info: ClassInfo): boolean => {
  const all = new Set([info]);
  for (const { bases, node } of all) {
    if (bases.some((base) => /uuid|ulid/i.test(base))) return true;
    const its = members(node).map((one) => given(c, one).value);
    const key = its.find((value) => value?.type === 'call' && IS_PRIMARY.test(textOf(c.file, value)));
    if (key) return !MADE_BY_DATABASE.test(textOf(c.file, child(key, 'function')));
    for (const base of bases) {
      const above = c.file.classes.get(base);
      if (above) all.add(above);
    }
  }
  return false;
});
const IS_PRIMARY = /\bprimary_key\s*=\s*True\b/;
const MADE_BY_DATABASE = /(?:Auto|Serial|Identity)\w*$/;

function given(c: Pick<Place, 'file'>, statement: Syntax): { name?: string; value?: Syntax } {
  const assignment = statement.type === 'expression_statement' ? statement.children[0] : undefined;
  if (assignment?.type !== 'assignment') return {};
  return { name: textOf(c.file, child(assignment, 'left')), value: child(assignment, 'right') };
}

/** `unique_together = ("tag", "year")`, or several such, and `constraints = […]` */
function together(c: Place, statement: Syntax): string[][] {
  const { name, value } = given(c, statement);
  if (!value) return [];
  if (name === 'constraints') return constraints(c, value);
  if (name !== 'unique_together') return [];
  const own = texts(c, value);
  return own ? [own] : value.children.map((one) => texts(c, one)).filter((one) => one !== undefined);
}

/** Those that hold for some rows alone name none of them. */
const constraints = (c: Place, list: Syntax): string[][] =>
  list.children.flatMap((one) => {
    if (one.type !== 'call' || !isCalled(c, one, 'UniqueConstraint')) return [];
    if (keyword(c, one, 'condition') || keyword(c, one, 'deferrable')) return [];
    const fields = keyword(c, one, 'fields');
    const its = fields ? texts(c, fields) : placed(c, one);
    return its ? [its] : [];
  });

/** Under whatever name it was imported. */
function isCalled(c: Place, call: Syntax, name: string): boolean {
  const callee = child(call, 'function');
  return (resolve(c, callee)?.path ?? textOf(c.file, callee)).endsWith(name);
}

function placed(c: Place, call: Syntax): string[] | undefined {
  const all = child(call, 'arguments')?.children.filter(({ type }) => type === 'string') ?? [];
  return all.length > 0 ? all.flatMap((one) => constantText(c, one) ?? []) : undefined;
}

/** A list of nothing but texts. */
function texts(c: Place, list: Syntax): string[] | undefined {
  if (!/^(?:tuple|list|set)$/.test(list.type)) return undefined;
  const all = list.children.filter(({ type }) => type !== 'comment').map((one) => constantText(c, one));
  return all.length > 0 && all.every((one) => one !== undefined) ? all : undefined;
}
