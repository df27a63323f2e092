// Kotlin of a Debian source package: our trees and units are those of tree-sitter-kotlin's nodes, file by file, but for its known faults.
import { expect, test } from 'vitest';
import { lowerFile } from '../../src/frontends/jvm/lower.ts';
import { parse } from '../../src/frontends/kotlin/syntax/parse.ts';
import { kotlinFiles } from '../corpus.ts';
import { difference, theirs } from '../kotlin-oracle.ts';
import { compareFiles } from '../parser-oracle.ts';

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
  const { same, wrong } = compareFiles(kotlinFiles(), difference, FAULTS, (file, isSame) => {
    if (parse(file.text).broken) return 'is broken for us';
    if (!isSame) return '';
    const [ours, right] = [parse(file.text).file, theirs(file.text)!].map((one) =>
      JSON.stringify(lowerFile(file.name, file.text, 'kotlin', one)),
    );
    return ours === right ? '' : 'is another unit';
  });
  const read = Object.values(READ).flat();
  expect(wrong.filter((one) => !read.some((name) => one.includes(`${name} «`)))).toEqual([]);
  expect(same).toBeGreaterThan(100);
}, 600_000);
