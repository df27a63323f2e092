// The shape of a framework's table: what its calls mean, as data. Not how any language is parsed.
import type { LockStrength, Loop, Rows, Scope, Since, Verb, Wait, WhenNested } from './ir.ts';

/** An argument by position, by keyword, or both where a call may use either. */
export type Argument = number | string | { position: number; keyword: string };

export interface ScopeMeaning {
  opens: 'transaction' | 'subtransaction';
  whenNested: WhenNested;
  label?: string;
  releases?: Scope['releases'];
  lazy?: boolean;
  onMiss?: boolean;
  joinable?: false;
}

/** What one call, decorator, context manager or block does. Fields that are absent say nothing. */
export interface Meaning {
  /** Surrounds the block, the `with` body, the decorated routine or the callback. */
  scope?: ScopeMeaning;
  /** Flat control: the call itself is the statement. */
  flat?: 'begin' | 'commit' | 'rollback' | 'savepoint' | 'release' | 'rollback to';
  /** The argument that names the savepoint, the handle or the connection. */
  name?: Argument;
  on?: Argument;
  /** Touches the table of the receiver's model. */
  write?: { verb: Verb; rows: Rows; onConflict?: 'update' | 'nothing'; withoutCallbacks?: boolean };
  read?: { rows: Rows };
  rowLock?: { strength: LockStrength; skipLocked?: boolean };
  wait?: Wait['for'];
  /** The argument that holds SQL text. */
  sql?: Argument;
  /** Runs its callback or block once for each item. */
  loops?: Loop['over'];
  /** Its callback runs elsewhere: after commit, in a job, in another thread. */
  elsewhere?: boolean;
  /** Further meanings inside, in order: update_or_create opens two scopes. */
  inside?: Meaning[];
  /** One of these happens: `save` inserts or updates. */
  oneOf?: Meaning[];
  /** The type of the result, so that a chain of calls can be followed. `self`: the receiver's; `item`: one of it. */
  returns?: string;
  /** Options change the meaning: `savepoint=False` joins. The first that holds is merged over the rest. */
  when?: Variation[];
  since?: Since;
}

export interface Variation {
  argument: Argument;
  /** The literal as written in that language; absent: the argument is present at all. */
  is?: string;
  then: Meaning;
}

export interface Framework {
  name: string;
  language: 'python' | 'ruby' | 'jvm';
  /** Packages that bring it, as manifests name them: `pypi:django`. */
  packages: string[];
  /** A file that uses it to open, lock or set anything has one of these words; for the screen. */
  needles: string[];
  /** By full name, resolved through imports: certain. */
  apis?: Record<string, Meaning>;
  /** Methods by class; they hold for all that descend from it. */
  types?: Record<string, Record<string, Meaning>>;
  /** Methods by name alone, where the receiver's type cannot be known: likely, so only telling names belong here. */
  methods?: Record<string, Meaning>;
  /** Who starts what: decorators, base classes and annotations that make a routine an entry. */
  entries?: Record<string, 'request' | 'job' | 'migration' | 'test' | 'command'>;
}

export const framework = (table: Framework): Framework => table;
