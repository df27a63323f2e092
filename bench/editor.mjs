// Measures the language server as an editor feels it: first index, cached index, keystroke to warning, memory, idle CPU.
// usage: node bench/editor.mjs [FILES]      makes its workspace in the temporary folder; fetches nothing
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const FILES = Number(process.argv[2] ?? 4000);
const KEYSTROKES = 100;
/** Between a warning and the next key: shorter than any hand, longer than what the server takes for a burst. */
const PAUSE = 50;
/** Two statements and a word about them: most letters of a name or a comment change no meaning, the last ones do. */
const TYPED = `    PERFORM log_7(i); -- the seventh one too
    UPDATE log SET seen = seen + 1 WHERE id = i;
`;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), 'subxact-editor-'));
const workspace = join(folder, 'workspace');
const big = makeWorkspace();

try {
  const cold = await session(false);
  const warm = await session(true);
  console.log(`node ${process.version}, ${FILES} files, a document of ${big.text.split('\n').length} lines`);
  console.log(`first index         ${cold.index} ms   (bar 3000)`);
  console.log(`index from cache    ${warm.index} ms   (bar 1000)`);
  for (const [what, times] of [
    ['as somebody types', warm.typed],
    ['meaning unchanged', warm.moved],
    ['meaning changed each time', warm.changed],
  ])
    console.log(
      `keystroke, ${what}: median ${times.median} ms, 95 % ${times.high} ms   (bar 50, 150), ${times.cpu} ms of processor time`,
    );
  console.log(`memory              ${warm.memory} MB   (bar 300)`);
  console.log(`CPU in 5 idle s     ${warm.idle} ms`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** A Python application of many files around SQL functions, and one long file to type in. */
function makeWorkspace() {
  for (const part of ['db', 'app', '.git']) mkdirSync(join(workspace, part), { recursive: true });
  const functions = Array.from(
    { length: 220 },
    (_, i) => `CREATE FUNCTION log_${i}(p_id int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  BEGIN
    INSERT INTO log VALUES (p_id, ${i});
  EXCEPTION WHEN unique_violation THEN
    NULL;
  END;
END $$;
`,
  );
  const loop = `CREATE FUNCTION all_of_it() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  FOR i IN 1..1000 LOOP
    PERFORM log_1(i);
  END LOOP;
END $$;
`;
  const text = functions.join('\n') + loop;
  writeFileSync(join(workspace, 'db/big.sql'), text);
  for (let i = 0; i < FILES - 1; i++)
    writeFileSync(join(workspace, 'app', `module_${i}.py`), pythonModule(i));
  return { uri: pathToFileURL(join(workspace, 'db/big.sql')).href, text };
}

function pythonModule(i) {
  const steps = Array.from(
    { length: 12 },
    (_, k) => `
def step_${k}(order, amount):
    """One step of many."""
    total = order.total + amount * ${k}
    if total > ${i}:
        return helper_${k}(total)
    for line in order.lines:
        total += line.amount
    return total


def helper_${k}(value):
    return value + ${k}
`,
  ).join('');
  if (i % 10 !== 0) return steps;
  return `from django.db import transaction
${steps}
@transaction.atomic
def place(orders):
    for order in orders:
        with transaction.atomic():
            order.save()
`;
}

async function session(measure) {
  const env = { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') };
  const command = [join(root, 'bin/subxact.js'), 'lsp', '--stdio'];
  const server = spawn(process.execPath, command, { stdio: ['pipe', 'pipe', 'inherit'], env });
  const client = speak(server);
  const rootUri = pathToFileURL(workspace).href;
  const started = performance.now();
  const workspaceFolders = [{ uri: rootUri, name: 'workspace' }];
  await client.request('initialize', { processId: null, rootUri, workspaceFolders, capabilities: {} });
  client.notify('initialized', {});
  await client.until(() => client.state === 'ready');
  const out = { index: Math.round(performance.now() - started) };
  if (measure) await measureTyping(client, server.pid, out);
  await client.request('shutdown');
  client.notify('exit');
  await new Promise((done) => server.on('exit', done));
  return out;
}

async function measureTyping(client, pid, out) {
  client.notify('textDocument/didOpen', {
    textDocument: { uri: big.uri, languageId: 'sql', version: 1, text: big.text },
  });
  await client.until(() => client.diagnostics.has(big.uri));
  const [before, after] = big.text.split(/(?<=PERFORM log_1\(i\);\n)/);
  out.typed = await type(client, pid, (i) => before + TYPED.slice(0, 1 + (i % TYPED.length)) + after);
  out.moved = await type(client, pid, (i) => `${'-'.repeat(2 + (i % 40))}\n${big.text}`);
  out.changed = await type(client, pid, (i) =>
    big.text.replace('PERFORM log_1(i)', `PERFORM log_${i + 2}(i)`),
  );
  out.memory = Math.round(
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024,
  );
  const used = cpu(pid);
  await new Promise((wake) => setTimeout(wake, 5000));
  out.idle = (cpu(pid) - used) * 10;
}

/** Ticks of 10 ms that the process has used. */
function cpu(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

async function type(client, pid, edited) {
  const times = [];
  const used = cpu(pid);
  for (let i = 0; i < KEYSTROKES; i++) {
    const told = client.told;
    const before = performance.now();
    client.notify('textDocument/didChange', {
      textDocument: { uri: big.uri, version: 2 + i },
      contentChanges: [{ text: edited(i) }],
    });
    await client.until(() => client.told > told);
    times.push(performance.now() - before);
    await new Promise((wake) => setTimeout(wake, PAUSE));
  }
  times.sort((a, b) => a - b);
  return {
    cpu: Math.round(((cpu(pid) - used) * 10) / KEYSTROKES),
    median: Math.round(times[times.length >> 1]),
    high: Math.round(times[Math.floor(times.length * 0.95)]),
  };
}

function speak(server) {
  let buffer = Buffer.alloc(0);
  let id = 0;
  const answers = new Map();
  const waiting = new Set();
  function write(message) {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }
  const client = {
    state: '',
    /** How often the server said that it is done. */
    told: 0,
    diagnostics: new Map(),
    notify: (method, params) => write({ method, params }),
    request(method, params) {
      write({ id: ++id, method, params });
      return new Promise((done) => answers.set(id, done));
    },
    until: (hold) => new Promise((done) => (hold() ? done() : waiting.add({ hold, done }))),
  };
  function take(message) {
    if (message.method === 'textDocument/publishDiagnostics')
      client.diagnostics.set(message.params.uri, message.params.diagnostics);
    else if (message.method === 'subxact/status') {
      client.state = message.params.state;
      client.told++;
    } else if (message.id !== undefined && !message.method) answers.get(message.id)?.(message.result);
  }
  server.stdout.on('data', (chunk) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (;;) {
      const head = buffer.indexOf('\r\n\r\n');
      if (head < 0) break;
      const length = Number(/Content-Length: (\d+)/i.exec(buffer.toString('latin1', 0, head))[1]);
      if (buffer.length < head + 4 + length) break;
      take(JSON.parse(buffer.toString('utf8', head + 4, head + 4 + length)));
      buffer = buffer.subarray(head + 4 + length);
    }
    for (const one of [...waiting])
      if (one.hold()) {
        waiting.delete(one);
        one.done();
      }
  });
  return client;
}
