// Kotlin of a Debian source package: our trees and units are those of tree-sitter-kotlin's nodes, file by file, but for its known faults.
import { expect, test } from 'vitest';
import { lowerFile } from '../../src/frontends/jvm/lower.ts';
import { parse } from '../../src/frontends/kotlin/syntax/parse.ts';
import { kotlinFiles } from '../corpus.ts';
import { difference, theirs } from '../kotlin-oracle.ts';

/** Where the oracle departs from Kotlin, by the text at the difference. */
const FAULTS: [string, RegExp][] = [
  ['`f<A>(b)` and `f<A> { }` are comparisons', /^«[^»]*<[^»]*» .*theirs \{"kind":"concat"/],
  ['annotations in lines before a declaration are an expression', /\.start: ours is \d+, theirs \d+$/],
  ['`dynamic` is no type', /ours is \{"name":"dynamic","arguments":\[\]\}, theirs undefined$/],
];

/** And where only reading the file tells. */
const READ: Record<string, string[]> = {
  'what a loop does in the next line is not its own': [
    'ChannelSinkBenchmark.kt', 'Channels.common.kt', 'ChannelSendReceiveStressTest.kt', 'LockFreeLinkedListLongStressTest.kt',
    'kotlinx-coroutines-reactive/src/Convert.kt', 'kotlinx-coroutines-reactor/src/Convert.kt', 'RxConvert.kt', 'JavaFxDispatcher.kt',
  ],
  'an annotation is a statement, and what follows it another one': [
    'JobSupport.kt', 'ArrayBroadcastChannel.kt', 'Undispatched.kt', 'src/EventLoop.kt', 'LockFreeTaskQueue.kt', 'core-js/src/Window.kt',
    'SwingDispatcher.kt',
  ],
  'a class behind annotations is lost': ['ThreadLocal.common.kt', 'src/internal/LockFreeLinkedList.kt'],
  '`by a { … }` has a lambda': ['ChannelCoroutine.kt', 'TestChannelKind.kt'],
  '`for (i in (0..n))` counts': ['asmUtils.kt'],
  '`Array<A?>(n) { }` is a comparison': ['test/Threads.kt'],
  '`return !a || b` is `(return !a) || b`': ['HandlerDispatcher.kt'],
}; // biome-ignore format: lists

test('kotlinx-coroutines', () => {
  const count = { same: 0, rejected: 0, broken: 0, faults: new Map<string, number>() };
  const wrong: string[] = [];
  for (const { name: file, text } of kotlinFiles()) {
    const found = difference(text);
    if (parse(text).broken) count.broken++;
    if (found === null) count.rejected++;
    else if (found === '') {
      count.same++;
      const units = [parse(text).file, theirs(text)!].map((one) => lowerFile(file, text, 'kotlin', one));
      if (JSON.stringify(units[0]) !== JSON.stringify(units[1])) wrong.push(`${file} is another unit`);
    } else {
      const read = Object.keys(READ).find((fault) => READ[fault]!.some((name) => file.endsWith(name)));
      const fault = FAULTS.find(([, at]) => at.test(found))?.[0] ?? read;
      if (fault) count.faults.set(fault, (count.faults.get(fault) ?? 0) + 1);
      else wrong.push(`${file} ${found}`);
    }
  }
  console.log(
    `${count.same} files have the same tree; the oracle does not read ${count.rejected}, we not ${count.broken}`,
    Object.fromEntries(count.faults),
  );
  expect(wrong).toEqual([]);
  expect(count.broken).toBe(0);
  expect(count.same).toBeGreaterThan(100);
}, 600_000);
