// Starts and stops real PostgreSQL servers of four major versions; knows nothing of what is asked of them.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

export const VERSIONS = [15, 16, 17, 18] as const;
export type Version = (typeof VERSIONS)[number];

const DEBIAN = (version: Version) => `/usr/lib/postgresql/${version}/bin`;
const LOCK = join(import.meta.dirname, 'binaries/package-lock.json');
const run = promisify(execFile);

export interface Server {
  version: Version;
  /** The folder of its socket: there is no TCP port, so nothing can clash. */
  socket: string;
  data: string;
  connect(database?: string): Promise<pg.Client>;
  stop(): Promise<void>;
}

/** Settings of a server that writes each statement that comes into one file, which others may read. */
export const LOGGED = {
  log_statement: 'all',
  logging_collector: 'on',
  log_directory: 'log',
  log_filename: 'all.log',
  log_file_mode: '0644',
  log_line_prefix: '',
};
export const logOf = ({ data }: Server) => join(data, 'log', LOGGED.log_filename);

/** Starts a server on a new, empty cluster; settings are added to the ones of a server that nobody relies on. */
export async function start(version: Version, settings: Record<string, string> = {}): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), `subxact-${version}-`));
  await giveAway(folder);
  const data = join(folder, 'data');
  const bin = await binaries(version);
  await asServer(
    `${bin}/initdb`,
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'],
    folder,
  );
  return launch(version, bin, folder, data, settings);
}

/** A hot standby of a server: a copy of its files, which follows it from then on. */
export async function standbyOf(primary: Server, settings: Record<string, string> = {}): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), `subxact-${primary.version}-standby-`));
  const data = join(folder, 'data');
  const client = await primary.connect();
  await client.query(`SELECT pg_backup_start('standby', true)`);
  await cp(primary.data, data, { recursive: true, filter: (path) => !/postmaster\.(pid|opts)$/.test(path) });
  const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(false)');
  await client.end();
  await writeFile(join(data, 'backup_label'), rows[0].labelfile);
  await writeFile(join(data, 'standby.signal'), '');
  await chmod(data, 0o700);
  await giveAway(folder);
  const bin = await binaries(primary.version);
  const upstream = `host=${primary.socket} user=postgres`;
  return launch(primary.version, bin, folder, data, { primary_conninfo: upstream, ...settings });
}

/** What a server writes each time that it is asked too early: it would push the cause out of what is kept of its log. */
const REFUSED =
  /^.*(?:not yet accepting connections|has not been yet reached|not yet ready for hot standby|To enable hot standby).*\n/gm;

async function launch(
  version: Version,
  bin: string,
  folder: string,
  data: string,
  settings: Record<string, string>,
): Promise<Server> {
  const all = {
    listen_addresses: '',
    unix_socket_directories: folder,
    fsync: 'off',
    full_page_writes: 'off',
    autovacuum: 'off', // it would take transaction IDs, which are counted
    jit: 'off',
    max_prepared_transactions: '10',
    shared_buffers: '32MB',
    wal_keep_size: '256MB', // a standby that is slow to start still finds what it has to read
    ...settings,
  };
  const options = Object.entries(all).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const [command, args] = unprivileged(`${bin}/postgres`, ['-D', data, ...options]);
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (text) => {
    log = (log + String(text).replace(REFUSED, '')).slice(-20_000);
  });
  const clients = new Set<pg.Client>();
  const server: Server = {
    version,
    socket: folder,
    data,
    async connect(database = 'postgres') {
      const client = new pg.Client({ host: folder, user: 'postgres', database });
      client.on('error', () => {}); // a server that stops breaks its connections; that is no news
      await client.connect();
      clients.add(client);
      return client;
    },
    async stop() {
      await Promise.all([...clients].map((client) => client.end().catch(() => {})));
      if (child.exitCode === null) {
        const gone = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGQUIT');
        await gone;
      }
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  try {
    await ready(server, child);
  } catch (error) {
    await server.stop();
    throw new Error(`PostgreSQL ${version} did not start: ${(error as Error).message}\n${log}`);
  }
  return server;
}

async function ready(server: Server, child: ChildProcess): Promise<void> {
  for (let waited = 0; ; waited += 50) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    try {
      const client = await server.connect();
      await client.end();
      return;
    } catch (error) {
      if (waited > 90_000) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

// ---- an unprivileged user, which servers insist on -----------------------------------------------------------------

const isRoot = userInfo().uid === 0;
const NOBODY = 65534;

/** `setpriv` also makes the server end with the process that started it, however that one ends. */
function unprivileged(command: string, args: string[]): [string, string[]] {
  const drop = isRoot ? [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : [];
  return ['setpriv', [...drop, '--pdeathsig=QUIT', command, ...args]];
}

async function asServer(command: string, args: string[], cwd: string): Promise<void> {
  const [program, all] = unprivileged(command, args);
  await run(program, all, { cwd });
}

async function giveAway(folder: string): Promise<void> {
  if (isRoot) await run('chown', ['-R', `${NOBODY}:${NOBODY}`, folder]);
}

// ---- where the programs come from ------------------------------------------------------------------------------

/** 15 is Debian's; the others come from npm, into a folder that every run and every work tree of this user shares. */
async function binaries(version: Version): Promise<string> {
  if (existsSync(`${DEBIAN(version)}/postgres`)) return DEBIAN(version);
  if (version === 15)
    throw new Error(
      `PostgreSQL 15 is missing: apt-get install postgresql-15 puts it into ${DEBIAN(version)}`,
    );
  return join(await fetched(), `node_modules/postgresql-${version}/native/bin`);
}

let fetching: Promise<string> | undefined;
function fetched(): Promise<string> {
  fetching ??= fetchOnce();
  return fetching;
}

async function fetchOnce(): Promise<string> {
  const lock = await readFile(LOCK);
  const version = createHash('sha256').update(lock).digest('hex').slice(0, 12);
  const folder = join(tmpdir(), `subxact-postgresql-${userInfo().uid}-${version}`);
  if (existsSync(folder)) return folder;
  // Another run may do the same at this moment: each fills a folder of its own, and the first rename wins.
  const mine = await mkdtemp(`${folder}.`);
  await chmod(mine, 0o755);
  for (const file of ['package.json', 'package-lock.json'])
    await cp(join(dirname(LOCK), file), join(mine, file));
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: mine });
  for (const major of VERSIONS.filter((each) => each > 15))
    await restoreLinks(join(mine, `node_modules/postgresql-${major}`));
  await rename(mine, folder).catch(() => rm(mine, { recursive: true, force: true }));
  return folder;
}

/** npm packs no symbolic links; the package lists them in a file. */
async function restoreLinks(folder: string): Promise<void> {
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of links) {
    await mkdir(dirname(join(folder, target)), { recursive: true });
    await symlink(source.slice(source.lastIndexOf('/') + 1), join(folder, target)).catch(() => {});
  }
}
