// Clients of other services, over HTTP, gRPC and queues: which of their calls wait for an answer. Not what the answer is.
import { framework, type Meaning } from '../../framework.ts';

const network: Meaning = { wait: 'network' };
const same: Meaning = { returns: 'self' };
const all = (names: string, meaning: Meaning): Record<string, Meaning> =>
  Object.fromEntries(names.split(' ').map((name) => [name, meaning]));
const apis = (path: string, names: string, meaning: Meaning): Record<string, Meaning> =>
  Object.fromEntries(names.split(' ').map((name) => [`${path}.${name}`, meaning]));

const VERBS = 'get post put patch delete head options method';
const TOLD = 'uri header headers accept contentType cookie cookies attribute attributes acceptCharset body bodyValue retrieve onStatus queryParam'; // biome-ignore format: one list
/** What is made of an answer that has not come. */
const LATER = 'map flatMap filter timeout retry retryWhen log cache doOnNext doOnError doOnSuccess doFinally onErrorResume onErrorReturn onErrorMap switchIfEmpty defaultIfEmpty collectList then thenReturn subscribeOn publishOn bodyToMono bodyToFlux toEntity toBodilessEntity exchangeToMono exchangeToFlux'; // biome-ignore format: one list
const REACTIVE = 'org.springframework.web.reactive.function.client';
const SPRING = 'org.springframework.web.client.RestClient';
const ANSWER = `${SPRING}.answer`;
const SENT = 'org.springframework.kafka.core.KafkaTemplate.sent';
const sending: Record<string, Meaning> = all('send sendDefault', { returns: SENT });
const S3 =
  'putObject getObject getObjectAsBytes headObject deleteObject deleteObjects copyObject listObjectsV2';
const SQS = 'sendMessage sendMessageBatch receiveMessage deleteMessage';
const REST = 'exchange getForObject getForEntity postForObject postForEntity patchForObject put delete execute postForLocation'; // biome-ignore format: one list
const executes = all('execute', network);
const connection = all('connect getInputStream getResponseCode getContent', network);
const jersey = all(`target path queryParam resolveTemplate request ${TOLD} property register`, same);
const asked = { ...jersey, ...all('get post put delete head options method invoke', network) };

export default framework({
  name: 'clients',
  language: 'jvm',
  packages: [],
  needles: [],
  apis: {
    ...apis(REACTIVE, 'awaitBody awaitBodyOrNull awaitExchange awaitBodilessEntity awaitEntity', network),
    ...apis('io.ktor.client.request', 'get post put patch delete head options request', network),
    'org.springframework.cloud.openfeign.FeignClient': network,
    'org.eclipse.microprofile.rest.client.inject.RegisterRestClient': network,
    'io.micronaut.http.client.annotation.Client': network,
    ...apis(
      'org.springframework.web.service.annotation',
      'GetExchange PostExchange PutExchange PatchExchange DeleteExchange HttpExchange',
      network,
    ),
  },
  generated: { BlockingStub: network, BlockingV2Stub: network },
  types: {
    [`${REACTIVE}.WebClient`]: {
      ...all(`create ${VERBS} ${TOLD} ${LATER}`, same),
      ...all('block blockOptional blockFirst blockLast awaitBody awaitBodyOrNull awaitSingle awaitSingleOrNull awaitBodilessEntity', network),
    }, // biome-ignore format: one list
    [SPRING]: { ...all(`create ${VERBS} ${TOLD}`, same), exchange: network, retrieve: { returns: ANSWER } },
    [ANSWER]: { onStatus: same, ...all('body toEntity toBodilessEntity', network) },
    'org.springframework.web.client.RestTemplate': all(REST, network),
    'org.springframework.web.client.RestOperations': all(REST, network),
    'org.springframework.mail.MailSender': { send: network },
    'org.springframework.mail.javamail.JavaMailSender': { send: network },
    'org.springframework.kafka.core.KafkaTemplate': sending,
    'org.springframework.kafka.core.KafkaOperations': sending,
    [SENT]: {
      ...all('whenComplete thenApply thenAccept exceptionally toCompletableFuture', same),
      ...all('get join', network),
    },
    'org.springframework.amqp.rabbit.core.RabbitTemplate': all(
      'sendAndReceive convertSendAndReceive convertSendAndReceiveAsType receive receiveAndConvert',
      network,
    ),
    'org.springframework.jms.core.JmsTemplate': all(
      'sendAndReceive receive receiveAndConvert receiveSelected',
      network,
    ),
    'okhttp3.Call': executes,
    'okhttp3.OkHttpClient': { newCall: { returns: 'okhttp3.Call' } },
    'retrofit2.Call': all('execute await awaitResponse', network),
    'io.ktor.client.HttpClient': all('get post put patch delete head options request', network),
    'org.apache.http.client.HttpClient': executes,
    'org.apache.http.impl.client.CloseableHttpClient': executes,
    'org.apache.hc.client5.http.classic.HttpClient': executes,
    'org.apache.hc.client5.http.impl.classic.CloseableHttpClient': executes,
    'java.net.http.HttpClient': { send: network, newHttpClient: { returns: 'java.net.http.HttpClient' } },
    'java.net.URL': {
      ...all('openStream readText readBytes getContent', network),
      openConnection: { returns: 'java.net.URLConnection' },
    },
    'java.net.URLConnection': connection,
    'java.net.HttpURLConnection': connection,
    'javax.net.ssl.HttpsURLConnection': connection,
    'jakarta.ws.rs.client.Client': asked,
    'javax.ws.rs.client.Client': asked,
    'jakarta.ws.rs.client.WebTarget': asked,
    'javax.ws.rs.client.WebTarget': asked,
    'jakarta.mail.Transport': { send: network },
    'javax.mail.Transport': { send: network },
    'software.amazon.awssdk.services.s3.S3Client': all(S3, network),
    'software.amazon.awssdk.services.sqs.SqsClient': all(SQS, network),
    'com.amazonaws.services.s3.AmazonS3': all(S3, network),
    'com.amazonaws.services.sqs.AmazonSQS': all(SQS, network),
  },
});
