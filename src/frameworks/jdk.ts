// Java's own library and its common clients: threads, waiting, and Kotlin's coroutines. Not JDBC.
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
const sends = (names: string): Record<string, Meaning> =>
  Object.fromEntries(names.split(' ').map((name) => [name, network]));
const S3 = sends(
  'putObject getObject getObjectAsBytes headObject deleteObject deleteObjects copyObject listObjectsV2',
);
const SQS = sends('sendMessage sendMessageBatch receiveMessage deleteMessage');
const connection = sends('connect getInputStream getResponseCode');

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
    'okhttp3.OkHttpClient': { newCall: { returns: 'okhttp3.Call' } },
    'org.apache.http.client.HttpClient': { execute: network },
    'org.apache.http.impl.client.CloseableHttpClient': { execute: network },
    'org.apache.hc.client5.http.classic.HttpClient': { execute: network },
    'org.apache.hc.client5.http.impl.classic.CloseableHttpClient': { execute: network },
    'java.net.URL': { openStream: network },
    'java.net.URLConnection': connection,
    'java.net.HttpURLConnection': connection,
    'java.lang.ProcessBuilder': { start: { returns: 'java.lang.Process' } },
    'jakarta.mail.Transport': { send: network },
    'javax.mail.Transport': { send: network },
    'software.amazon.awssdk.services.s3.S3Client': S3,
    'software.amazon.awssdk.services.sqs.SqsClient': SQS,
    'com.amazonaws.services.s3.AmazonS3': S3,
    'com.amazonaws.services.sqs.AmazonSQS': SQS,
  },
});
