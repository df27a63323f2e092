// Whether an object has its row: what its methods ask by `self.pk`, and which callers know. It lowers nothing itself.
import type { Branch, Given } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { methodOf } from '../classes/classes.ts';
import { namesItself } from '../classes/keys.ts';
import { assigned } from '../conditions/once.ts';
import { keyword } from '../names/arguments.ts';
import { assignmentsOf, functionAround, isConstantName } from '../names/assignments.ts';
import { type ClassInfo, kept, type Place, type Type, textOf } from '../names/scope.ts';
import { resolve } from '../names/values.ts';

/** What stands for it among the parameters of a method; an object that is not known to have a row says nothing. */
const SAVED = 'self.pk';
/** The same of what save() gives the object: who makes it may have given it that already. */
const FILLED = 'self.fields';
/** The key of an object that has it before it has a row: nobody says more of that. */
const KEYED = 'self.key';
const KEYS = ['pk', 'id', '_state.adding'];
type Is = NonNullable<Branch['when']>['is'];
const asks = (c: Place, is: Is, parameter = SAVED): NonNullable<Branch['when']> => {
  if (c.keeps) {
    c.keeps.flags = true;
    c.keeps.saved ??= new Map();
    c.keeps.saved.set(parameter, undefined);
  }
  return asOf({ parameter, is });
};

/** Who keeps an object mostly read it: that it is new, somebody must say. */
const asOf = ({ unsure: _, ...when }: NonNullable<Branch['when']>): NonNullable<Branch['when']> =>
  /^self\.(?:pk|fields|key)$/.test(when.parameter) && isMissing(when.is) ? { ...when, unsure: true } : when;
const isMissing = (is: Is): boolean => is === 'null' || is === 'false';

const OPPOSITE = { true: 'false', false: 'true', null: 'not null', 'not null': 'null' } as const;

/** The first arm runs where it would not have. */
export const opposite = (when: NonNullable<Branch['when']>): NonNullable<Branch['when']> =>
  asOf({ ...when, is: OPPOSITE[when.is] });

const OWN_ROW = /\b(?:get|filter)\(\s*(?:pk|id)\s*=\s*self\.(?:pk|id)\b/;
/** `is_new = self.pk is None` */
const NEW =
  /^(?:self\._state\.adding|self\.(?:pk|id) (?:is|==) None|not (?:self\.(?:pk|id)|bool\(self\.(?:pk|id)\)))$/;
const ASKED = new RegExp(`${OWN_ROW.source}|= *(?:${NEW.source.slice(1, -1)})`);

/** Most classes never look for their own row, nor keep whether they have one. */
const asksInside = kept(({ file }, cls: ClassInfo) => ASKED.test(textOf(file, cls.node)));

/** `if self.pk:`, `if self._state.adding:`, and `if old:` after `old = Order.objects.filter(pk=self.pk).first()`. */
export function asksForRow(c: Place, node: Syntax, is: Is): Branch['when'] | undefined {
  if (!c.cls) return undefined;
  const text = textOf(c.file, node);
  if (node.type === 'identifier') {
    if (!asksInside(c, c.cls)) return undefined;
    const values = assignmentsOf(c, node, text).map((one) => child(one, 'right'));
    const told = values.map((one) => NEW.test(textOf(c.file, withoutForced(c, one))));
    if (told.length > 0 && told.every(Boolean) && !KEYS.some((key) => isSet(c, node, `self.${key}`)))
      return asks(c, is === 'true' ? 'null' : 'not null');
    const isRow = (one: Syntax | undefined) => one?.type === 'none' || OWN_ROW.test(textOf(c.file, one));
    return values.length > 0 && values.every(isRow) && values.some((one) => one?.type !== 'none')
      ? asks(c, is)
      : undefined;
  }
  if (isGivenOnce(c, node, text)) return { ...asks(c, is, FILLED), ...unlessGiven(c, text, is) };
  const [, key, adding] = /^self\.(?:(pk|id)|(_state\.adding))$/.exec(text) ?? [];
  if ((!key && !adding) || isSet(c, node, text)) return undefined;
  // It is there before there is a row.
  if (key && namesItself(c, c.cls)) return asOf({ parameter: KEYED, is });
  return asks(c, key ? is : is === 'true' ? 'null' : 'not null');
}

/** `self.slug`, `getattr(self, "code", None)`, `getattr(self, self.code_field)`, and what gives the attribute a value. */
const ATTRIBUTE = /^(?:self\.(\w+)|getattr\(self, (self\.\w+|"\w+"|'\w+')(?:, None)?\))$/;
const EMPTY = /^(?:None|False|0|""|''|\[\]|\{\}|self\.\w+)$/;

/** Who makes the object may give it that: `Order.objects.create(number=1)`. */
function unlessGiven(c: Place, text: string, is: Is): Pick<NonNullable<Branch['when']>, 'also'> {
  const name = ATTRIBUTE.exec(text)?.[1];
  if (!name || !c.keeps?.saved || !isMissing(is)) return {};
  const parameter = `self.${name}`;
  c.keeps.saved.set(parameter, null);
  return { also: { parameter, is } };
}

/** What save() gives the object itself where it is missing: `if not self.slug: … self.slug = slugify(self.title)`. A row that was read has it. */
function isGivenOnce(c: Place, node: Syntax, text: string): boolean {
  const [, name, key] = ATTRIBUTE.exec(text) ?? [];
  const around = name || key ? functionAround(node) : null;
  if (!around || !/^a?save$/.test(textOf(c.file, child(around, 'name')))) return false;
  const gives = name
    ? new RegExp(`\\bself\\.${name} = (.+)`, 'g')
    : new RegExp(`\\bsetattr\\(self, ${key!.replace('.', '\\.')}, (.+)\\)`, 'g');
  return whereMissing(c, node, around).some((part) =>
    [part, ...ownMethods(c, part)].some((text) =>
      [...text.matchAll(gives)].some(([, value]) => !EMPTY.test(value!.trim())),
    ),
  );
}

/** The texts of the methods that are called there: `self.assign_code()`. */
const ownMethods = (c: Place, part: string): string[] =>
  c.cls
    ? [...part.matchAll(/\bself\.(\w+)\(/g)].map(([, name]) =>
        textOf(c.file, methodOf(c, c.cls!.node, name!)),
      )
    : [];

/** The text that runs where an `if` found nothing: its first arm, or the others and, where the first one leaves, the rest. */
function whereMissing(c: Place, node: Syntax, around: Syntax): string[] {
  let asks: Syntax = node;
  let missing = false;
  for (let at = node.parent; at && at !== around && at.type !== 'if_statement'; at = at.parent) {
    if (at.type === 'not_operator' || / is None$| == None$/.test(textOf(c.file, at))) missing = !missing;
    asks = at;
  }
  const branch = asks.parent;
  if (branch?.type !== 'if_statement' || child(branch, 'condition') !== asks) return [];
  const first = child(branch, 'consequence');
  if (missing) return [textOf(c.file, first)];
  const others = branch.children
    .filter((one) => one.field === 'alternative')
    .map((one) => textOf(c.file, one));
  const leaves = /^(return|raise)_statement$/.test(first?.children.at(-1)?.type ?? '');
  return leaves ? [...others, c.file.text.slice(branch.end, around.end)] : others;
}

/** `not self.pk or forced`, where `forced = options.pop("forced", False)`: few callers say so, and none of those that save a row. */
function withoutForced(c: Place, value: Syntax | undefined): Syntax | undefined {
  const [first, second] = ['left', 'right'].map((side) => value && child(value, side));
  if (value?.type !== 'boolean_operator' || textOf(c.file, child(value, 'operator')) !== 'or') return value;
  if (second?.type !== 'identifier') return value;
  const given = assignmentsOf(c, second, textOf(c.file, second)).map((one) => child(one, 'right'));
  const isUsuallyFalse = (one: Syntax | undefined) =>
    /\.(?:pop|get)\([^(),]+, False\)$/.test(textOf(c.file, one));
  return given.length > 0 && given.every(isUsuallyFalse) ? first : value;
}

/** What `self.save()` saves, and `super().save()` inside of it, is the object that the caller has. */
const isOwnRow = (c: Place, node: Syntax | undefined): boolean =>
  c.cls !== undefined &&
  /^(?:super\(.*\)|self)\.a?save$/.test(textOf(c.file, node)) &&
  !KEYS.some((key) => isSet(c, node!, `self.${key}`));

export const insertsUnlessSaved = (c: Place, node: Syntax): Pick<Branch, 'when'> =>
  isOwnRow(c, child(node, 'function')) ? { when: asks(c, 'null') } : {};

/** A list that is written out, here or wherever the variable gets its value, or what is made of one. */
export function lists(c: Place, node: Syntax | undefined): boolean {
  if (!node) return false;
  if (/^(list|tuple|set|list_comprehension|set_comprehension)$/.test(node.type)) return true;
  if (node.type === 'call')
    return /^(list|tuple|set|sorted|frozenset)$/.test(textOf(c.file, child(node, 'function')));
  if (node.type === 'binary_operator') return lists(c, child(node, 'left')) || lists(c, child(node, 'right'));
  if (node.type === 'attribute') return isConstantName(textOf(c.file, child(node, 'attribute')));
  if (node.type !== 'identifier') return false;
  const name = textOf(c.file, node);
  const all = assignmentsOf(c, node, name);
  return all.length > 0 ? all.every((one) => lists(c, child(one, 'right'))) : isConstantName(name);
}

/** What the callee is told: that the object has its row, or what the caller of this method says of it. */
export function rowGiven(
  c: Place,
  node: Syntax,
  receiver: Type | undefined,
): Record<string, Given> | undefined {
  // What names the columns to update would fail where there is no row.
  const all = (is: Given) => ({ [SAVED]: is, [FILLED]: is });
  if (node.type === 'call' && lists(c, keyword(c, node, 'update_fields'))) return all(true);
  if (isOwnRow(c, child(node, 'function')))
    return Object.fromEntries(
      [SAVED, FILLED].map((one) => [one, { parameter: asks(c, 'true', one).parameter }]),
    );
  return receiver?.fresh === undefined ? undefined : all(receiver.fresh ? null : true);
}

/** What a call makes is new, unless it says the key; what it is given by a dictionary that is not seen may be anything. */
export function newGiven(c: Place, node: Syntax): Record<string, Given> {
  const list = node.type === 'call' ? (child(node, 'arguments')?.children ?? []) : [];
  const isWhole = list.every(
    (one) =>
      one.type !== 'dictionary_splat' && (!isDefaults(c, one) || child(one, 'value')?.type === 'dictionary'),
  );
  const out: Record<string, Given> = { [SAVED]: null, ...(isWhole && { [FILLED]: null }) };
  for (const [name, value] of list.flatMap((one) => fieldsIn(c, one))) {
    if (value?.type === 'none') continue;
    if (/^(pk|id)$/.test(name)) delete out[SAVED];
    out[`self.${name}`] = true;
  }
  return out;
}

const isDefaults = (c: Place, one: Syntax): boolean =>
  /^(?:create_)?defaults$/.test(textOf(c.file, child(one, 'name')));

/** `title="a"`, and of `defaults={"title": "a"}` what is in it. */
function fieldsIn(c: Place, one: Syntax): [string, Syntax | undefined][] {
  if (one.type !== 'keyword_argument') return [];
  const value = child(one, 'value');
  if (!isDefaults(c, one)) return [[textOf(c.file, child(one, 'name')), value]];
  const pairs = value?.type === 'dictionary' ? value.children : [];
  return pairs.map((pair) => [textOf(c.file, child(pair, 'key')).slice(1, -1), child(pair, 'value')]);
}

/** What this function makes anew, or takes the key from, may have no row, though its type says so. */
export function asSeen(c: Place, object: Syntax | undefined, type: Type): Type {
  if (type.fresh !== false || !object) return type;
  const text = textOf(c.file, object);
  const keys = KEYS.map((key) => `${text}.${key}`);
  const names = object.type === 'attribute' ? [text, ...keys] : keys;
  if (!names.some((name) => isSet(c, object, name))) return type;
  return { ...type, fresh: isCopied(c, object, keys) ? true : undefined };
}

/** `order.pk = None` before it is saved: a row is made anew. */
function isCopied(c: Place, object: Syntax, keys: string[]): boolean {
  const lines = c.file.text.slice(functionAround(object)?.start ?? object.start, object.start).split('\n');
  return keys.some((key) => lines.some((line) => line.trim() === `${key} = None`));
}

/** `order.pk` of an order that was read, or found or made: it has one. */
export function isKeyOfRow(c: Place, node: Syntax): boolean {
  if (node.type !== 'attribute' || !/^(pk|id)$/.test(textOf(c.file, child(node, 'attribute')))) return false;
  const object = child(node, 'object');
  const type = resolve(c, object)?.type;
  return type !== undefined && asSeen(c, object, type).fresh === false;
}

function isSet(c: Place, node: Syntax, name: string): boolean {
  const around = functionAround(node);
  return around !== null && assigned(c.file.text.slice(around.start, around.end), name);
}
