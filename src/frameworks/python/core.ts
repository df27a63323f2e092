// Python's own library and its common helpers: retries, threads, waits. They open nothing.
import { framework, type Meaning } from '../../framework.ts';

const wait = (kind: Meaning['wait'], names: string[]): Record<string, Meaning> =>
  Object.fromEntries(names.map((name) => [name, { wait: kind }]));
const VERBS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'request'];
const STRIPE = ['Charge', 'Customer', 'PaymentIntent', 'Refund', 'Subscription'];
const retry: Meaning = { loops: 'retry' };
const elsewhere: Meaning = { elsewhere: true };
const ends: Meaning = { raises: 'SystemExit' };
const commit: Meaning = {
  flat: 'commit',
  when: [
    { argument: 0, then: { flat: undefined } },
    { argument: 'message', then: { flat: undefined } },
  ],
};

export default framework({
  name: 'python',
  language: 'python',
  packages: [],
  needles: ['SAVEPOINT', 'savepoint', 'EXCEPTION', 'FOR UPDATE', 'for update', 'CREATE FUNCTION', 'CREATE OR REPLACE'],
  apis: {
    ...wait('sleep', ['time.sleep', 'asyncio.sleep', 'gevent.sleep', 'eventlet.sleep', 'trio.sleep']),
    ...wait('network', VERBS.flatMap((verb) => [`requests.${verb}`, `httpx.${verb}`])),
    ...wait('network', ['urllib.request.urlopen', 'urllib2.urlopen', 'django.core.mail.send_mail', 'django.core.mail.send_mass_mail']),
    ...wait('process', ['subprocess.run', 'subprocess.call', 'subprocess.check_call', 'subprocess.check_output', 'os.system']),
    ...wait('network', ['django.core.mail.mail_admins', 'django.core.mail.mail_managers', 'ftplib.FTP', 'socket.create_connection', 'httpx.stream']),
    ...wait('network', STRIPE.flatMap((name) => ['create', 'retrieve', 'modify'].map((verb) => `stripe.${name}.${verb}`))),
    ...wait('process', ['os.popen', 'subprocess.getoutput', 'subprocess.getstatusoutput']),
    'builtins.input': { wait: 'user' },
    ...Object.fromEntries(['sys.exit', 'os._exit', 'os.abort', 'builtins.exit', 'builtins.quit'].map((name) => [name, ends])),
    'smtplib.SMTP': { wait: 'network', returns: 'smtplib.SMTP' },
    'smtplib.SMTP_SSL': { wait: 'network', returns: 'smtplib.SMTP' },
    'subprocess.Popen': { returns: 'subprocess.Popen' },
    'django.core.mail.EmailMessage': { returns: 'django.core.mail.EmailMessage' },
    'django.core.mail.EmailMultiAlternatives': { returns: 'django.core.mail.EmailMessage' },
    'requests.Session': { returns: 'requests.Session' },
    'requests.session': { returns: 'requests.Session' },
    'aiohttp.ClientSession': { returns: 'requests.Session' },
    'httpx.Client': { returns: 'requests.Session' },
    'httpx.AsyncClient': { returns: 'requests.Session' },
    'textwrap.dedent': { returns: 'text 0' },
    'inspect.cleandoc': { returns: 'text 0' },
    'contextlib.suppress': { swallows: true },
    ...Object.fromEntries(['read_sql', 'read_sql_query', 'read_sql_table'].map((name) => [`pandas.${name}`, { read: { rows: 'many' } }])),
    'contextlib.closing': { enters: 0 },
    'contextlib.aclosing': { enters: 0 },
    'tenacity.retry': retry,
    'tenacity.Retrying': retry,
    'tenacity.AsyncRetrying': retry,
    'backoff.on_exception': retry,
    'backoff.on_predicate': retry,
    'retrying.retry': retry,
    'retry.retry': retry,
    'threading.Thread': elsewhere,
    'threading.Timer': elsewhere,
    'multiprocessing.Process': elsewhere,
    'concurrent.futures.ThreadPoolExecutor': { returns: 'concurrent.futures.Executor' },
    'concurrent.futures.ProcessPoolExecutor': { returns: 'concurrent.futures.Executor' },
    'asgiref.sync.sync_to_async': { returns: 'callable 0' },
    'asgiref.sync.async_to_sync': { returns: 'callable 0' },
    'channels.db.database_sync_to_async': { returns: 'callable 0' },
    'functools.partial': { returns: 'callable 0' },
    'contextlib.contextmanager': { returns: 'callable 0' },
    'contextlib.asynccontextmanager': { returns: 'callable 0' },
    'asyncio.to_thread': { runs: 0 },
  },
  // SQL in a string is SQL, whoever runs it; and nothing else is ended so by anybody of whom nobody says what it is, without a message.
  methods: { commit, execute: { sql: 0 }, executemany: { sql: 0, loops: 'items' }, exec_driver_sql: { sql: 0 }, execute_sql: { sql: 0 } },
  types: {
    'requests.Session': wait('network', VERBS),
    'smtplib.SMTP': wait('network', ['sendmail', 'send_message', 'login', 'starttls']),
    'subprocess.Popen': wait('process', ['wait', 'communicate']),
    'django.core.mail.EmailMessage': wait('network', ['send']),
    'concurrent.futures.Executor': { submit: elsewhere, map: { elsewhere: true, loops: 'items' } },
  },
}); // biome-ignore format: tables
