// Which functions of the languages' own libraries, and of those that streams and tests are written with, run their block here and now. None of them knows a database.
import type { Step } from '../../../ir.ts';
import { handedAway } from '../../later.ts';
import type { Call, Node } from '../syntax/syntax.ts';

/** They run their callback at most once, here and now, with the receiver. */
export const WITH_RECEIVER = new Set([
  'let', 'also', 'use', 'takeIf', 'takeUnless', 'ifPresent', 'ifPresentOrElse', 'map', 'flatMap', 'filter', 'doOnNext', 'flatMapMany', 'thenCompose',
]); // biome-ignore format: one list
/** Kotlin has these on everything. */
export const SCOPE = new Set(['let', 'also', 'apply', 'use', 'takeIf', 'takeUnless']);
export const AS_RECEIVER = new Set(['apply', 'run', 'with']);
/** A property of the receiver: `{ paid = true }`. */
export const SETS = /[{;\n]\s*[a-z]\w*\s*[+-]?=(?!=)/;
export const AT_ONCE = new Set([
  'orElseGet', 'orElseThrow', 'computeIfAbsent', 'computeIfPresent', 'compute', 'getOrPut', 'getOrElse', 'runCatching',
  'synchronized', 'withLock', 'withContext', 'coroutineScope', 'runBlocking', 'measureTimeMillis', 'measureTime', 'lazy',
  'defer', 'fromCallable', 'fromSupplier', 'or', 'ifEmpty', 'generateSequence', 'requireNotNull', 'checkNotNull', 'onErrorResume',
  'assertThrows', 'assertThatThrownBy', 'assertFailsWith', 'shouldThrow', 'assertDoesNotThrow', 'assertThatCode', 'record', 'recordCallable', 'supplyIf',
]); // biome-ignore format: one list

/** What Kotlin's flows are told to do is done by the scope that collects them. */
const LAUNCHES = new Set(['launchIn', 'stateIn', 'shareIn']);

/** `flow.onEach { … }.launchIn(scope)`: all that the chain says is done there. */
export function launched({ name, at }: Call, out: Step[], from: number): void {
  if (!LAUNCHES.has(name) || out.length === from) return;
  out.push(...handedAway({ at, callee: `jvm:?.${name}` }, out.splice(from)).slice(1));
}

/** What hands the chain before it to a method: `mono.as(operator::transactional)`. */
const PIPES = new Set(['as', 'transform', 'transformDeferred']);
export const pipes = ({ name, object, arguments: given }: Call): boolean =>
  PIPES.has(name) && object !== null && given.length === 1 && given[0]!.value.kind === 'reference';

/** The chain's steps run in what that method opens. */
export function around(out: Step[], from: number, steps: Step[]): void {
  const [only] = steps;
  if (only?.kind === 'scope' && steps.length === 1 && only.body.length === 0) only.body = out.splice(from);
  out.push(...steps);
}

/** `orders.parallelStream().filter(…)`: most of its turns are another thread's, which has no transaction. */
export function isParallel(node: Node | null): boolean {
  for (let at = node; at?.kind === 'call'; at = at.object)
    if (at.name === 'parallelStream' || at.name === 'parallel') return true;
  return false;
}
