// What one program did, from what was seen of it: its transactions, and what each of them opened. It judges nothing.

/** One thing seen on a connection. */
export interface Event {
  do:
    | 'begin' // a scope of the framework begins the transaction that comes next
    | 'BEGIN' | 'COMMIT' | 'ROLLBACK' | 'SAVEPOINT' | 'RELEASE' | 'ROLLBACK TO'
    | 'statement' // outside of a transaction
    | 'BLOCK' // a PL/pgSQL block with EXCEPTION has written
    | 'look'; // what the server says of the connection before the next event
  /** Lines of the program, `app/one.py:12`, innermost first. */
  at: string[];
  pid: number;
  name?: string;
  slots?: number;
  overflowed?: boolean;
  locks?: number;
  multi?: number;
} // biome-ignore format: one family a line

export interface Ran {
  id: number;
  events: Event[];
  /** Lines that were executed. */
  lines: string[];
  error: string | null;
}

export interface Opened {
  /** Where, innermost first. */
  stack: string[];
  /** Savepoints open around it. */
  depth: number;
}

export interface Happened {
  /** The line that began it. */
  at: string;
  /** No scope began it, but a statement: what follows need not stand in one place. */
  byItself: boolean;
  savepoints: Opened[];
  /** Most slots taken at once; 65 stands for all that overflow. */
  peak: number;
  /** Levels with a transaction ID, open before it ended. */
  levels: number;
  multixacts: number;
  /** Savepoints open then, be there an ID or not. */
  open: number;
  /** The lines that opened those, outermost first. */
  left: string[];
  /** Most of one line that were open at once, whatever ended them. */
  piled: number;
  committed: boolean;
  /** One was rolled back to and stayed, until one around it was released or rolled back to. */
  stayed: boolean;
  /** A statement by itself, while a transaction of another connection is open. */
  beside: boolean;
}

/** What a second session asks about the first one, by its process. */
export const PROBE = `
  SELECT s.subxact_count, s.subxact_overflowed,
         (SELECT count(*)::int FROM pg_locks WHERE locktype = 'transactionid' AND pid = PID),
         mxid_age('1'::xid)
    FROM pg_stat_get_backend_idset() AS b, LATERAL pg_stat_get_backend_subxact(b) AS s
   WHERE pg_stat_get_backend_pid(b) = PID`;

/**
 * `opener` tells the line that made what another one enters. What a wrapper begins is told by the line that hands it what runs
 * inside.
 */
export function transactions(
  ran: Ran,
  opener = (line: string) => line,
  isWrapper = (_: string) => false,
): Happened[] {
  const found: Happened[] = [];
  const open = new Set<number>();
  const events = ran.events.map((event) => {
    if (event.do === 'begin' || event.do === 'BEGIN') open.add(event.pid);
    else if (/^(COMMIT|ROLLBACK|statement)$/.test(event.do)) open.delete(event.pid);
    return { ...event, at: event.at.map(opener), beside: open.size > 0 };
  });
  const handed = (at: string[]) => at.find((line) => !isWrapper(line)) ?? at[0] ?? '';
  for (const pid of new Set(events.map((event) => event.pid)))
    found.push(
      ...ofConnection(
        events.filter((event) => event.pid === pid),
        handed,
      ),
    );
  return found;
}

const nothing = (at = ''): Happened => ({
  at, byItself: false, savepoints: [], peak: 0, levels: 0, multixacts: 0, open: 0, left: [], piled: 0, committed: false, stayed: false, beside: false,
}); // biome-ignore format: one line

function ofConnection(events: (Event & { beside: boolean })[], handed: (at: string[]) => string): Happened[] {
  const found: Happened[] = [];
  let open: Happened | null = null;
  let alone: Happened | null = null;
  let names: string[] = [];
  const lines: string[] = [];
  const back = new Set<string>();
  let began: string | null = null;
  let multi = 0;
  for (const [i, event] of events.entries()) {
    const next = events[i + 1];
    switch (event.do) {
      case 'begin':
        began = handed(event.at);
        break;
      case 'BEGIN':
        open = { ...nothing(began ?? handed(event.at)), byItself: began === null };
        names = [];
        back.clear();
        break;
      case 'look':
        if (open) {
          open.peak = Math.max(open.peak, event.overflowed ? 65 : event.slots!);
          open.multixacts += event.multi! - multi;
          if (next?.do === 'COMMIT' || next?.do === 'ROLLBACK') open.levels = Math.max(0, event.locks! - 1);
        }
        multi = event.multi!;
        break;
      case 'COMMIT':
      case 'ROLLBACK':
        if (open) open.left = lines.slice(0, names.length);
        if (open && event.do === 'COMMIT') Object.assign(open, { open: names.length, committed: true });
        if (open) found.push(open);
        open = began = null;
        break;
      case 'SAVEPOINT':
        open?.savepoints.push({ stack: event.at, depth: names.length });
        lines[names.length] = event.at[0] ?? '';
        names.push(event.name!);
        back.delete(event.name!);
        if (open) {
          const alike = lines.slice(0, names.length).filter((line) => line === event.at[0]);
          open.piled = Math.max(open.piled, alike.length);
        }
        break;
      case 'RELEASE':
      case 'ROLLBACK TO': {
        const at = names.lastIndexOf(event.name!);
        if (open && names.slice(at + 1).some((name) => back.has(name))) open.stayed = true;
        names = names.slice(0, event.do === 'RELEASE' ? at : at + 1);
        if (event.do === 'ROLLBACK TO') back.add(event.name!);
        break;
      }
      case 'statement':
        alone = { ...nothing(event.at[0]), beside: event.beside };
        break;
      case 'BLOCK':
        if (open || !alone) break;
        if (alone.peak === 0) found.push(alone);
        alone.peak = Math.min(65, alone.peak + 1);
        break;
    }
  }
  return open ? [...found, open] : found;
}
