// Clients of services that Python programs call in transactions, as far as they say by their classes what goes over the network. They open nothing.
import { framework, type Meaning } from '../../framework.ts';

const sent: Meaning = { wait: 'network' };
const itself: Meaning = { returns: 'self' };
const all = (names: string, its: Meaning): Record<string, Meaning> =>
  Object.fromEntries(names.split(' ').map((name) => [name, its]));
const made = (type: string): Meaning => ({ returns: type });

const BOTO = 'boto3.client';
const RESULT = 'celery.result.AsyncResult';
const MODEL = 'openai.OpenAI';
const BLOB = 'google.cloud.storage.Client';

export default framework({
  name: 'python_clients',
  language: 'python',
  packages: [],
  needles: [],
  apis: {
    [BOTO]: made(BOTO),
    'boto3.resource': made(BOTO),
    'boto3.Session': made('boto3.Session'),
    'boto3.session.Session': made('boto3.Session'),
    'celery.result.AsyncResult': made(RESULT),
    'elasticsearch.Elasticsearch': made('elasticsearch.Elasticsearch'),
    [BLOB]: made(BLOB),
    'http.client.HTTPConnection': made('http.client.HTTPConnection'),
    'http.client.HTTPSConnection': made('http.client.HTTPConnection'),
    'openai.AsyncOpenAI': made(MODEL),
    'openai.AzureOpenAI': made(MODEL),
    [MODEL]: made(MODEL),
    'anthropic.Anthropic': made(MODEL),
    'anthropic.AsyncAnthropic': made(MODEL),
    'paramiko.SSHClient': made('paramiko.SSHClient'),
    'slack_sdk.WebClient': made('slack_sdk.WebClient'),
    'stripe.checkout.Session.create': sent,
    'twilio.rest.Client': made('twilio.rest.Client'),
    'urllib3.PoolManager': made('urllib3.PoolManager'),
  },
  types: {
    [BOTO]: {
      ...all('Bucket Object Queue Table Topic get_queue_by_name', itself),
      ...all('put_object get_object delete_object upload_file upload_fileobj download_file download_fileobj', sent),
      ...all('send_message publish send_email invoke put_item get_item update_item', sent),
    },
    'boto3.Session': all('client resource', made(BOTO)),
    [RESULT]: all('get wait join', sent),
    'elasticsearch.Elasticsearch': all('index update delete search', sent),
    [BLOB]: {
      ...all('bucket get_bucket blob', itself),
      ...all('upload_from_string upload_from_file upload_from_filename download_as_bytes download_to_filename', sent),
    },
    'http.client.HTTPConnection': all('request getresponse', sent),
    [MODEL]: {
      ...all('audio beta chat completions embeddings images messages moderations responses transcriptions', itself),
      ...all('create generate parse stream', sent),
    },
    'paramiko.SSHClient': all('connect exec_command', sent),
    'slack_sdk.WebClient': all('chat_postMessage files_upload files_upload_v2', sent),
    'twilio.rest.Client': { ...all('calls messages', itself), create: sent },
    'urllib3.PoolManager': { request: sent },
  },
}); // biome-ignore format: tables
