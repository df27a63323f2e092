// What rules see: a linked program, asked and never changed. Not how it is made.
import type {
  Call, Certainty, Language, Name, Routine, RowLock, Savepoint, Scope, Setting, Span, Step, Trigger, Unit, Wait, Write,
} from '../ir.ts'; // biome-ignore format: one list

export interface Place {
  file: string;
  at: Span;
}

/** One step of a trace, outermost first: `place_orders() loops`, `the row trigger audit fires on shop_order`. */
export interface Frame extends Place {
  says: string;
  /** This frame is what repeats the cause: the loop, the query, the row trigger. */
  repeats?: boolean;
  /** What runs here because of a statement: a trigger, a default, a model's callback. */
  fires?: Pick<Trigger, 'via' | 'timing' | 'deferred'>;
}

export interface Context {
  inTransaction: 'yes' | 'no' | 'unknown';
  /** What repeats it since the transaction began. */
  repeatedBy: 'loop' | 'chunks' | 'row trigger' | 'query rows' | null;
  /** Known number of turns, else null. */
  times: number | null;
  /** Open subtransactions around it. */
  depth: number;
}

/** One way to come here: a context with its shortest witness. */
export interface Visit {
  context: Context;
  witness: Frame[];
  certainty: Certainty;
  entry: Routine['entry'] | 'unknown';
  role: Unit['role'];
  /** How what this way opens ends; where nobody was followed to its end, as on the other ways. */
  ends: Subtransaction['ends'];
  /** What is handed over on this way leaves nothing inside that writes or locks a row: `dry_run=True`, a block that only reads. */
  idle?: true;
}

/** Bottom up, through callees and triggers. */
export interface Effects {
  /** Whether something inside writes or locks a row; without that a subtransaction costs no transaction ID. */
  writes: 'yes' | 'no' | 'unknown';
  /** Nothing inside does, but it is never released: whether anything behind it does, on one of the ways that lead there. */
  behind?: 'yes' | 'unknown';
  /** Subtransactions that count towards the 64, once through; Infinity when unbounded. */
  counts: number;
  locks: { step: RowLock; file: string }[];
  waits: { step: Wait; file: string }[];
  /** Something inside could not be read. */
  opaque: boolean;
}

/** After an edit it is the same object as long as all that is said of it is the same, but for places. */
export interface Subtransaction extends Place {
  /** `EXCEPTION block`, `SAVEPOINT a`, `transaction.atomic()`. */
  label: string;
  routine: Name;
  origin: Scope | Savepoint;
  /** The worst first; empty when nothing reaches it. */
  visits: Visit[];
  /** How many call sites lead here, directly or not. */
  callers: number;
  effects: Effects;
  ends: 'released' | 'rolled back' | 'left open' | 'unknown';
  /** Each turn of the loop ends that of the turn before: at most the last one is left open. */
  onlyLast?: true;
  /** The place where it is left open, for the error path that misses the release. */
  leak?: Frame;
  /** Another way releases it. */
  partly?: true;
}

/** One stretch from begin to end, as one entry runs it. */
export interface Transaction extends Place {
  routine: Name;
  /** Subtransactions that count, in the worst way through; Infinity when unbounded. */
  counts: number;
  /** Those that count in every way through to its end, where nothing fails that does not say so: who raises does not get there. */
  least: number;
  /** The 65th, or the reason that there is no bound. */
  overflow?: { at: Frame; witness: Frame[]; unbounded: boolean };
  waits: { step: Wait; witness: Frame[]; subtransaction: Subtransaction; certainty: Certainty }[];
  certainty: Certainty;
  entry: Routine['entry'] | 'unknown';
  role: Unit['role'];
}

/** A row lock and the change of that row in different subtransactions. */
export interface LockConflict {
  /** `because`: what locks the row, where the statement does not say so. */
  lock: Place & { step: RowLock | Write; says: string; because?: string };
  change: Place & { step: Write | RowLock; says: string };
  /** What changed the row between two locks of one strength: the new version carries the first as FOR KEY SHARE. */
  between?: string;
  relation: Name;
  repeated: boolean;
  witness: Frame[];
  certainty: Certainty;
  role: Unit['role'];
}

/** COMMIT or ROLLBACK reached while a subtransaction is open. */
export interface Termination extends Place {
  says: string;
  inside: Subtransaction;
  /** It stands in a handler, which runs after an error alone. */
  afterError: boolean;
  /** A function cannot end a transaction at all. */
  inFunction: boolean;
  /** WHEN OTHERS swallows the error and the rows are lost. */
  silent: boolean;
  witness: Frame[];
  certainty: Certainty;
}

export interface PlacedSetting extends Setting {
  file: string;
  role: Unit['role'];
}

export interface Resolution {
  /**
   * By namespace: calls that found their routine, that a framework explained; of what nobody here declares (a library),
   * of what stands in a file that was passed over; and those that found nothing.
   */
  calls: Record<
    string,
    { resolved: number; explained: number; outside: number; passed: number; unresolved: number }
  >;
  /** Unresolved names that occur most. */
  unresolved: { name: Name; times: number }[];
}

/** What is kept of a link, so that a small change after it need not be linked. */
export interface Concern {
  /** By file and number, those that lead to a subtransaction or change what is open, and all that those lead to. */
  routines: Record<string, number[]>;
  /** The last parts of names by which those are reached that lead there, or that are another routine for other arguments. */
  words: string[];
  /** A write or a read may run one of those. */
  fires: boolean;
}

/** A routine, and what it does. */
export interface KnownRoutine extends Place {
  routine: Routine;
  effects: Effects;
}

export interface Model {
  /** As they were linked: what types, settings and keys of other files say is in them. */
  units: Unit[];
  subtransactions: Subtransaction[];
  transactions: Transaction[];
  lockConflicts: LockConflict[];
  terminations: Termination[];
  settings: PlacedSetting[];
  /** The server's major version as configured or found, else null. */
  postgres: { version: number | null; from: string };
  resolution: Resolution;
  /**
   * What a file names that is another one, and PostgreSQL nowhere, so that application code was left out: all of it, that
   * in these languages, or that of the program below this folder.
   */
  otherDatabases: { value: string; file: string; languages?: Language[]; below?: string }[];
  /** What a later run asks, so that it need not link a small change. */
  concern: Concern;
  /** Routines by name, those that are live: a replaced definition is not among them. */
  routine(name: Name): KnownRoutine | undefined;
  /** Those that a call may go to, by whatever name it calls them; empty where nobody here has written any. */
  called(call: Call): KnownRoutine[];
  /** The relation that a step means, under one name by whatever name it goes there. */
  relation(step: Step): string | null;
}
