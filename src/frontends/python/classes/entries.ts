// Who starts a routine: requests, jobs, commands, tests; by its decorators, its class and its name. It lowers nothing.
import type { Routine } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { canonical, entry, registering, runsWithin } from '../names/knowledge.ts';
import { type ClassInfo, type Place, textOf } from '../names/scope.ts';
import { constantText, resolve } from '../names/values.ts';

type Entry = Routine['entry'];

const HTTP =
  /^(get|post|put|patch|delete|head|options|dispatch|form_valid|perform_\w+|create|update|partial_update|destroy|list|retrieve|mutate|perform_mutation)$/;

/** What a decorator is, called or not. */
export function pathOf(place: Place, node: Syntax): string | undefined {
  const value = resolve(place, node.type === 'call' ? child(node, 'function') : node);
  return value?.path && canonical(value.path);
}

/** How a decorator is called where it is from, whatever it is imported as: `cached_property`. */
export function calledAs(place: Place, mark: Syntax): string {
  const written = textOf(place.file, mark.type === 'call' ? (child(mark, 'function') ?? mark) : mark);
  return (pathOf(place, mark) ?? written).split('.').at(-1)!;
}

/** `@total.setter`: what is assigned runs it, or what is deleted, and nobody calls it by its name. */
export const accessor = (place: Place, marks: Syntax[]): string | undefined => {
  for (const mark of marks) {
    const [, its] = /^[\w.]+\.(setter|deleter)$/.exec(textOf(place.file, mark)) ?? [];
    if (its) return its;
  }
  return undefined;
};

export function entryOf(
  place: Place,
  file: { role: 'product' | 'test' | 'migration' | 'example'; isCommand: boolean },
  node: Syntax,
  marks: Syntax[],
  name: string,
): Entry {
  if (
    file.role === 'test' &&
    (/^test|^setUp|^tearDown|_test$/.test(name) ||
      /^Test|Tests?$|TestCase$/.test(place.cls?.path.split('.').at(-1) ?? ''))
  )
    return 'test';
  for (const mark of marks) {
    const path = pathOf(place, mark);
    const by = path && entry(path);
    if (by) return by;
    const text = textOf(place.file, mark.type === 'call' ? child(mark, 'function')! : mark);
    if (/\.(route|get|post|put|patch|delete|websocket|api_route)$/.test(text) && mark.type === 'call')
      return 'request';
    if (/(^|\.)(task|periodic_task|cron|job|actor|shared_task)$/.test(text)) return 'job';
  }
  const own = place.cls && classEntry(place, place.cls);
  if (own === 'command') return name === 'handle' || name === 'handle_noargs' ? 'command' : 'called';
  if (own === 'job') return name === 'run' ? 'job' : 'called';
  if (own === 'request') return HTTP.test(name) || isListed(place, name) ? 'request' : 'called';
  if (own) return own === 'test' ? 'test' : 'called';
  if (place.cls) return file.isCommand && name === 'handle' ? 'command' : 'called';
  const first = child(node, 'parameters')?.children[0];
  return first &&
    IS_HANDED.test(textOf(place.file, first)) &&
    place.file.imported.has('django') &&
    !name.startsWith('_') &&
    !marks.some((mark) => LISTENS.test(textOf(place.file, mark)))
    ? 'request'
    : 'called';
}

/** `actions = ["close"]` of a class that is registered. */
const isListed = (place: Place, name: string): boolean =>
  (child(place.cls!.node, 'body')?.children ?? []).some(({ children: [one] }) => {
    const called = one?.type === 'assignment' ? textOf(place.file, child(one, 'left')) : '';
    if (!registering.some(({ lists }) => lists === called)) return false;
    return child(one!, 'right')?.children.some((each) => constantText(place, each) === name) === true;
  });

/** A view is always handed one: `request=None` is no parameter of it. */
const IS_HANDED = /^request\b(?!\s*(?::[^=]*)?=)/;

/** Whose request that is, the sender of a signal says: it may be that of a task. */
const LISTENS = /^(?:\w+\.)*(?:receiver\(|connect\b)/;

/** Whether a framework runs it in a transaction of its own: `save_model` of Django's admin. A base that is called like one is one, where a request is handed over. */
export function isWithin(place: Place, node: Syntax, name: string): boolean {
  const owners = runsWithin(name);
  if (!owners || !place.cls) return false;
  const asks = /^request\b/.test(textOf(place.file, child(node, 'parameters')?.children[1] ?? node));
  const seen = new Set<string>();
  const queue = [...place.cls.bases];
  for (let base = queue.pop(); base !== undefined; base = queue.pop()) {
    if (seen.has(base)) continue;
    seen.add(base);
    if (owners.includes(canonical(base))) return true;
    const info = place.file.classes.get(base);
    if (info) queue.push(...info.bases);
    else if (asks && owners.some((one) => lastWord(one) === lastWord(base))) return true;
  }
  return false;
}

const lastWord = (path: string) => /[A-Z][a-z]*$/.exec(path)?.[0] ?? path;

/** What a class is for, by its ancestors, or by the last word of its bases' names. */
function classEntry(place: Place, cls: ClassInfo): Entry | undefined {
  const seen = new Set<string>();
  const queue = [...cls.bases];
  for (let base = queue.pop(); base !== undefined; base = queue.pop()) {
    if (seen.has(base)) continue;
    seen.add(base);
    const known = entry(base);
    if (known) return known;
    const info = place.file.classes.get(base);
    if (info) queue.push(...info.bases);
    else if (/(View|ViewSet|APIView|Mutation)$/.test(base)) return 'request';
    else if (/Test(Case)?(Base|Mixin)?$/.test(base)) return 'test';
    else if (/Command$/.test(base)) return 'command';
  }
  return undefined;
}
