// Java's own library: threads, waiting, and Kotlin's coroutines. Not JDBC, nor what goes over the network.
import { framework, type Meaning } from '../../framework.ts';

const elsewhere: Meaning = { elsewhere: true };
const thread: Meaning = { wait: 'thread' };
const executor = {
  execute: elsewhere, submit: elsewhere, schedule: elsewhere, scheduleAtFixedRate: elsewhere, scheduleWithFixedDelay: elsewhere,
  submitCompletable: elsewhere, invokeAll: elsewhere,
}; // biome-ignore format: one list
const later = { returns: 'self', elsewhere: true } as const;
const future = {
  runAsync: { elsewhere: true, returns: 'java.util.concurrent.CompletableFuture' },
  supplyAsync: { elsewhere: true, returns: 'java.util.concurrent.CompletableFuture' },
  thenApply: later, thenAccept: later, thenRun: later, thenCompose: later, thenCombine: later, whenComplete: later, handle: later,
  get: thread, join: thread, exceptionally: later, thenApplyAsync: later, thenAcceptAsync: later, thenRunAsync: later, whenCompleteAsync: later,
}; // biome-ignore format: one list
const PROCESS = 'java.lang.Process';
const told = Object.fromEntries(
  ['inheritIO', 'command', 'directory', 'redirectErrorStream', 'redirectOutput', 'redirectError', 'redirectInput'].map(
    (name) => [name, { returns: 'self' } satisfies Meaning],
  ),
); // biome-ignore format: one list

export default framework({
  name: 'jdk',
  language: 'jvm',
  packages: [],
  needles: [],
  pure: ['org.mapstruct.Mapper'],
  apis: {
    'java.lang.Thread': elsewhere,
    'kotlin.concurrent.thread': elsewhere,
    'kotlinx.coroutines.launch': elsewhere,
    'kotlinx.coroutines.async': elsewhere,
    'kotlinx.coroutines.delay': { wait: 'sleep' },
    'java.lang.System.exit': { raises: 'exit' },
    'kotlin.system.exitProcess': { raises: 'exit' },
  },
  types: {
    'java.lang.Thread': {
      sleep: { wait: 'sleep' },
      startVirtualThread: elsewhere,
      ofVirtual: { returns: 'java.lang.Thread' },
      start: elsewhere,
      join: thread,
    },
    'java.util.concurrent.TimeUnit': { sleep: { wait: 'sleep' } },
    'java.util.concurrent.Executor': executor,
    'java.util.concurrent.ExecutorService': executor,
    'java.util.concurrent.ScheduledExecutorService': executor,
    'java.util.concurrent.ThreadPoolExecutor': executor,
    'com.google.common.util.concurrent.ListeningExecutorService': executor,
    'com.google.common.util.concurrent.ListeningScheduledExecutorService': executor,
    'com.google.common.util.concurrent.Futures': {
      addCallback: elsewhere,
      transform: elsewhere,
      transformAsync: elsewhere,
    },
    'java.util.concurrent.CompletableFuture': future,
    'java.util.concurrent.CompletionStage': future,
    [PROCESS]: { waitFor: { wait: 'process' } },
    'java.lang.ProcessBuilder': { ...told, start: { returns: PROCESS } },
    'java.lang.Runtime': { getRuntime: { returns: 'java.lang.Runtime' }, exec: { returns: PROCESS } },
    'java.util.concurrent.Future': { get: { ...thread, returns: 'item' } },
    'java.util.concurrent.CountDownLatch': { await: thread },
    'java.util.concurrent.CyclicBarrier': { await: thread },
  },
});
