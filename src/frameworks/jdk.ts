// Java's own library: threads, waiting, and Kotlin's coroutines. Not JDBC.
import { framework, type Meaning } from '../framework.ts';

const elsewhere: Meaning = { elsewhere: true };
const executor = {
  execute: elsewhere, submit: elsewhere, schedule: elsewhere, scheduleAtFixedRate: elsewhere, scheduleWithFixedDelay: elsewhere,
  submitCompletable: elsewhere, invokeAll: elsewhere,
}; // biome-ignore format: one list
const later = { returns: 'self', elsewhere: true } as const;
const future = {
  runAsync: { elsewhere: true, returns: 'java.util.concurrent.CompletableFuture' },
  supplyAsync: { elsewhere: true, returns: 'java.util.concurrent.CompletableFuture' },
  thenApply: later, thenAccept: later, thenRun: later, thenCompose: later, thenCombine: later, whenComplete: later, handle: later,
  exceptionally: later, thenApplyAsync: later, thenAcceptAsync: later, thenRunAsync: later, whenCompleteAsync: later,
}; // biome-ignore format: one list
const network: Meaning = { wait: 'network' };

export default framework({
  name: 'jdk',
  language: 'jvm',
  packages: [],
  needles: [],
  apis: {
    'java.lang.Thread': elsewhere,
    'kotlin.concurrent.thread': elsewhere,
    'kotlinx.coroutines.launch': elsewhere,
    'kotlinx.coroutines.async': elsewhere,
    'kotlinx.coroutines.delay': { wait: 'sleep' },
  },
  types: {
    'java.lang.Thread': {
      sleep: { wait: 'sleep' },
      startVirtualThread: elsewhere,
      ofVirtual: { returns: 'java.lang.Thread' },
      start: elsewhere,
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
    'java.lang.Process': { waitFor: { wait: 'process' } },
    'java.net.http.HttpClient': { send: network },
    'okhttp3.Call': { execute: network },
    'java.net.URL': { openStream: network },
  },
});
