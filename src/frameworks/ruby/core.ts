// What Ruby itself and its common libraries do with a block: loops, waits, threads. No database.
import { framework, type Meaning } from '../../framework.ts';

const items: Meaning = { loops: 'items' };
const network: Meaning = { wait: 'network' };
const elsewhere: Meaning = { elsewhere: true };
/** Of HTTP, on a library's own constant and on the client that it makes; making one sends nothing. */
const VERBS = 'get post put patch delete head options';
const all = (names: string, meaning: Meaning): Record<string, Meaning> =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, meaning]));

const verbs = (of: string, names: string): Record<string, Meaning> =>
  Object.fromEntries(names.split(' ').map((name) => [`${of}${name}`, network]));

export default framework({
  name: 'ruby',
  language: 'ruby',
  packages: [],
  needles: [],
  // Memoist, Memery, MemoWise, dry-core.
  memoizes: ['memoize', 'memo_wise'],
  // They have a `transaction` of their own.
  others:
    `Sentry NewRelic Raven Appsignal AppSignal Datadog Skylight ElasticAPM Braintree Redis PStore YAML Mongoid Mongo Neo4j ActiveGraph OpenTelemetry ScoutApm Honeybadger Instana Bugsnag Rollbar DDTrace Elastic`.split(
      /\s+/,
    ),
  // The gem config.
  lasting: ['Settings.*'],
  configured: ['I18n.available_locales'],
  elsewhere: ['Mongoid::Document', 'MongoMapper::Document', 'ActiveGraph::Node'],
  types: {
    Faraday: verbs('#', `${VERBS} run_request`),
    Excon: verbs('#', `${VERBS} request`),
    'Aws::S3::Client': verbs(
      '#',
      'put_object get_object delete_object delete_objects head_object copy_object list_objects_v2',
    ),
    'Aws::SQS::Client': verbs('#', 'send_message send_message_batch receive_message delete_message'),
    'Aws::SNS::Client': verbs('#', 'publish'),
    'Aws::SES::Client': verbs('#', 'send_email send_raw_email'),
    'Aws::SESV2::Client': verbs('#', 'send_email'),
    'Aws::Lambda::Client': verbs('#', 'invoke'),
    'Aws::KMS::Client': verbs('#', 'encrypt decrypt generate_data_key'),
    'Aws::SecretsManager::Client': verbs('#', 'get_secret_value'),
    'Typhoeus::Request': verbs('#', 'run'),
    'Typhoeus::Hydra': verbs('#', 'run'),
    'RestClient::Resource': verbs('#', 'get post put patch delete head options'),
    'HTTP::Client': verbs('#', VERBS),
    'Net::SMTP': verbs('#', 'start send_message sendmail'),
    // What it says is so while its block runs.
    'ActiveSupport::CurrentAttributes': { '.set': {}, '#set': {} },
    // A class that takes the module in asks by itself.
    HTTParty: verbs('.', VERBS),
    'Net::HTTP': verbs('#', `${VERBS} request request_get request_post request_head send_request start`),
  },
  /** `X.*` is every call on the constant X. */
  apis: {
    ...all(
      'HTTParty.* RestClient.* RestClient::Request.execute Typhoeus.* HTTP.* HTTPX.* URI.open Net::SMTP.start',
      network,
    ),
    ...verbs('Faraday.', VERBS),
    ...verbs('Excon.', VERBS),
    ...verbs('Net::HTTP.', `${VERBS} get_print get_response post_form start`),
    ...verbs('Curl.', 'get post put delete'),
    ...Object.fromEntries(
      `Charge Customer PaymentIntent PaymentMethod SetupIntent Refund Subscription Invoice InvoiceItem Price Product Account
      Transfer Payout Checkout::Session BillingPortal::Session Coupon Event`
        .split(/\s+/)
        .flatMap((name) =>
          Object.entries(verbs(`Stripe::${name}.`, 'create retrieve update list delete search')),
        ),
    ),
    ...all(
      `Thread.new Thread.start Thread.fork Concurrent::Future.execute Concurrent::Promise.execute Concurrent::Promises.future
      Concurrent::ScheduledTask.execute Concurrent::Delay.new
      AfterCommitEverywhere.after_commit Parallel.each Parallel.map Process.fork`,
      elsewhere,
    ),
    ...all('Open3.capture2 Open3.capture2e Open3.capture3 Open3.popen3 Process.wait Kernel.system', {
      wait: 'process',
    }),
    ...all('STDIN.gets $stdin.gets Readline.readline', { wait: 'user' }),
    'Kernel.sleep': { wait: 'sleep' },
    ...all('Kernel.exit Kernel.exit! Kernel.abort Process.exit Process.exit! Process.abort', {
      raises: 'SystemExit',
    }),
    'Retriable.retriable': { loops: 'retry' },
    'Array.new': items,
    ...all('CSV.parse SmarterCSV.process Dir.glob Find.find', items),
  },
  // Of dry-initializer.
  declares: { option: 'option param' },
  methods: {
    ...all(
      `each each_pair each_key each_value each_with_index each_with_object each_entry each_cons reverse_each cycle
      with_index with_object to_h to_set
      map flat_map collect collect_concat filter_map map! collect! each_index each_line each_char each_byte each_row
      select reject filter select! reject! filter! delete_if keep_if partition group_by sort_by sort_by! min_by max_by sum
      index_by index_with inject reduce zip detect any? all? none? one? find_index uniq tally_by
      transform_values transform_keys transform_values! take_while drop_while foreach find count grep
      grep_v combination permutation scan gsub gsub!`,
      items,
    ),
    each_slice: { loops: 'items', chunk: { of: 0 } },
    in_groups_of: { loops: 'items', chunk: { of: 0 } },
    times: { loops: 'range' },
    upto: { loops: 'range' },
    downto: { loops: 'range' },
    retriable: { loops: 'retry' },
    with_retries: { loops: 'retry' },
    deliver_now: network,
    'deliver_now!': network,
  },
});
