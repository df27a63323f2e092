// One session on a real server that counts what each statement cost; it judges nothing.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type pg from 'pg';
import type { Statement } from './script.ts';
import type { Server } from './servers.ts';

/** What the server was seen to do by the end of one statement. */
export interface Seen extends Statement {
  /** SQLSTATE, when it was refused. */
  error: string | null;
  /** First column of the last row. */
  value: string | null;
  /**
   * Subtransactions that took a transaction ID, released and rolled back ones alike, from the beginning of the
   * statement's transaction to the end of the statement; where it ran several transactions, the most that one had.
   */
  subtransactions: number;
  /** Whether other sessions' snapshots are overflowed by it. */
  overflowed: boolean;
  /** Multixacts made since the transaction began. */
  multixacts: number;
  /** Transaction IDs locked by the session while the transaction is open: one, and one for each open subtransaction that has one. */
  locks: number;
}

interface Counters {
  /** The next transaction ID and the next multixact. */
  xid: number;
  multi: number;
  lsn: string;
  overflowed: boolean | null;
  locks: number;
}

/** Sends one statement; both ways of talking to a server do this. */
export interface Channel {
  pid: number;
  send(statement: string): Promise<{ error: string | null; value: string | null }>;
  /** A transaction block is open: `T`, it has failed: `E`, or none is: `I`. */
  status(): Promise<string>;
  close(): Promise<void>;
}

/** Runs the statements one after the other. No other session may take transaction IDs meanwhile. */
export async function runScript(observer: Observer, channel: Channel, script: Statement[]): Promise<Seen[]> {
  const seen: Seen[] = [];
  let began = await observer.count(channel.pid);
  let open = false;
  for (const statement of script) {
    if (!open || /\band\s+chain$/i.test(seen.at(-1)?.text ?? '')) began = await observer.count(channel.pid);
    const { error, value } = await channel.send(statement.text);
    open = (await channel.status()) !== 'I';
    const now = await observer.count(channel.pid);
    let subtransactions = Math.max(0, now.xid - began.xid - observer.taken(began.xid) - 1);
    let overflowed = now.overflowed ?? false;
    if (open && observer.version < 16 && subtransactions > 64)
      overflowed = await observer.snapshotOverflows();
    if (!open && !/^(rollback|abort)\b/i.test(statement.text) && subtransactions > 0 && !error) {
      const ended = await observer.transactionsSince(began);
      subtransactions = Math.max(...ended.map((each) => each.subtransactions));
      overflowed = ended.some((each) => each.committed > 64);
    }
    const multixacts = now.multi - began.multi;
    seen.push({ ...statement, error, value, subtransactions, overflowed, multixacts, locks: now.locks });
  }
  return seen;
}

/** A second session that reads the server's counters; where it must take a transaction ID itself, it keeps account. */
export class Observer {
  readonly version: number;
  private readonly client: pg.Client;
  private readonly own = new Set<number>();

  constructor(server: Server, client: pg.Client) {
    this.version = server.version;
    this.client = client;
  }

  async count(pid: number): Promise<Counters> {
    const overflowed =
      this.version < 16
        ? 'false'
        : `(SELECT bool_or(s.subxact_overflowed)
              FROM pg_stat_get_backend_idset() AS b, LATERAL pg_stat_get_backend_subxact(b) AS s
             WHERE pg_stat_get_backend_pid(b) = ${pid})`;
    const { rows } = await this.client.query(`
      SELECT age('3'::xid) + 3 AS xid, mxid_age('1'::xid) AS multi, pg_current_wal_insert_lsn() AS lsn,
             ${overflowed} AS overflowed,
             (SELECT count(*)::int FROM pg_locks WHERE locktype = 'transactionid' AND pid = ${pid}) AS locks`);
    return rows[0];
  }

  /** How many transaction IDs it took from this one on. */
  taken(xid: number): number {
    return [...this.own].filter((each) => each >= xid).length;
  }

  /** Without a function to ask (15): what a snapshot says. A session is seen in it once a later transaction has ended. */
  async snapshotOverflows(): Promise<boolean> {
    const later = await this.client.query('SELECT pg_current_xact_id()::text AS xid');
    this.own.add(Number(later.rows[0].xid));
    await this.client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    const { rows } = await this.client.query(
      `SELECT pg_read_file('pg_snapshots/' || pg_export_snapshot()) AS file`,
    );
    await this.client.query('COMMIT');
    return /^sof:1$/m.test(rows[0].file);
  }

  /** The write-ahead log names the subtransactions of each transaction that ended. */
  async transactionsSince(began: Counters): Promise<{ subtransactions: number; committed: number }[]> {
    const { rows } = await this.client.query<{ xid: string; type: string; description: string }>(
      `SELECT xid::text, record_type AS type, description
         FROM pg_get_wal_records_info($1::pg_lsn, pg_current_wal_flush_lsn())
        WHERE resource_manager = 'Transaction' ORDER BY start_lsn`,
      [began.lsn],
    );
    const ended: { subtransactions: number; committed: number }[] = [];
    let top = began.xid;
    let last = top;
    let aborted = 0;
    for (const { xid, type, description } of rows) {
      if (!/^(COMMIT|ABORT|PREPARE)/.test(type) || this.own.has(Number(xid))) continue;
      const children = /subxacts: ([\d ]+)/.exec(description)?.[1]?.trim().split(' ').map(Number) ?? [];
      last = Math.max(last, Number(xid), ...children);
      if (Number(xid) !== top) aborted += 1 + children.length;
      else {
        ended.push({ subtransactions: aborted + children.length, committed: children.length });
        aborted = 0;
        top = last = last + 1;
      }
    }
    return ended;
  }
}

/** Statements through a driver, each by itself: what an application does. */
export async function viaDriver(client: pg.Client): Promise<Channel> {
  let status = 'I';
  const connection = (client as unknown as { connection: NodeJS.EventEmitter }).connection;
  connection.on('readyForQuery', (message: { status: string }) => {
    status = message.status;
  });
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  return {
    pid: rows[0].pid,
    async send(statement) {
      try {
        const result = await client.query({ text: statement, rowMode: 'array' });
        const last = [result].flat().at(-1);
        const value = last?.rows.at(-1)?.[0];
        return { error: null, value: value === undefined || value === null ? null : String(value) };
      } catch (error) {
        return { error: (error as pg.DatabaseError).code ?? String(error), value: null };
      }
    },
    status: async () => status,
    close: () => client.end(),
  };
}

/** Statements and backslash commands through psql, which sends savepoints of its own when told so. */
export async function viaPsql(server: Server, database: string): Promise<Channel> {
  const psql = spawn('psql', ['-X', '-q', '-A', '-t', '-h', server.socket, '-U', 'postgres', '-d', database]);
  psql.stderr.resume();
  const ask = asker(psql);
  const pid = Number((await ask('SELECT pg_backend_pid();')).lines.at(-1));
  const watcher = await server.connect(database);
  return {
    pid,
    async send(statement) {
      const { state, lines } = await ask(/^\\|\\(?:g\w*|\.)$/.test(statement) ? statement : `${statement};`);
      return { error: state === '00000' ? null : state, value: lines.at(-1) ?? null };
    },
    async status() {
      const { rows } = await watcher.query('SELECT state FROM pg_stat_activity WHERE pid = $1', [pid]);
      return rows[0].state === 'idle' ? 'I' : 'T';
    },
    async close() {
      psql.stdin.end();
      await new Promise((resolve) => psql.once('exit', resolve));
      await watcher.end();
    },
  };
}

function asker(psql: ChildProcessWithoutNullStreams) {
  let text = '';
  let arrived = () => {};
  let ended: (error: Error) => void = () => {};
  psql.once('exit', () => ended(new Error('psql ended')));
  psql.stdout.on('data', (chunk) => {
    text += chunk;
    arrived();
  });
  return async (input: string): Promise<{ state: string; lines: string[] }> => {
    text = '';
    psql.stdin.write(`${input}\n\\echo == :SQLSTATE\n`);
    for (;;) {
      const end = /^== (.*)$/m.exec(text);
      if (end) return { state: end[1]!, lines: text.slice(0, end.index).split('\n').filter(Boolean) };
      await new Promise<void>((resolve, reject) => {
        arrived = resolve;
        ended = reject;
      });
    }
  };
}
