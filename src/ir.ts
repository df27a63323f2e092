// The vocabulary: what one file does to transactions, as plain JSON. Not syntax, not frameworks, not analysis.

/** Where, in UTF-16 code units of the unit's own file; `end` is one past the last. Keep it to the words to underline. */
export interface Span {
  start: number;
  end: number;
}

/**
 * A name is a namespace and a dotted path: `sql:public.transfer`, `python:shop.orders.place`, `ruby:Shop::Order#save`,
 * `jvm:com.acme.OrderService.place` (Java and Kotlin share theirs).
 * SQL names are folded and quoted as quote_ident() would: `sql:public."Order"`; an unqualified one has one part.
 * `()` after a part means "what this routine returns, or an instance of this class": `python:shop.get_order().save`;
 * `[]` means one of a collection: `python:shop.Order().lines[].save`.
 */
export type Name = `${Namespace}:${string}`;
export type Namespace = 'sql' | 'python' | 'ruby' | 'jvm';

export type Language = 'sql' | 'python' | 'ruby' | 'java' | 'kotlin' | 'settings'; // manifests, configuration files, change logs: everything that is read as data
/** Where a parameter says nothing of its class, and who calls does. */
export const UNTYPED: ReadonlySet<Language> = new Set(['python', 'ruby']);

/** A path is as sure as its weakest step. */
export type Certainty = 'certain' | 'likely' | 'possible';

/** What entering a scope does when a transaction is already open on that connection. */
export type WhenNested =
  | 'savepoint' // Django atomic(), Rails requires_new, Spring NESTED, pgx tx.Begin
  | 'join' // Rails transaction, atomic(savepoint=False), Spring REQUIRED
  | 'separate' // Spring REQUIRES_NEW: another connection
  | 'refuse'; // atomic(durable=True)

export type Verb = 'insert' | 'update' | 'delete' | 'merge' | 'truncate' | 'copy' | 'ddl';
export type LockStrength = 'key share' | 'share' | 'no key update' | 'update';
/** How many rows one statement touches. */
export type Rows = 'none' | 'one' | 'many' | 'unknown';

/** A step that only some versions of a package take: `{ package: 'gem:activerecord', range: '>=7.1' }`. */
export interface Since {
  package: string;
  range: string;
}

interface Base {
  at: Span;
  /** The connection or database alias; nesting counts per connection. Absent: the default one. */
  on?: string;
  /** The parameter that names the connection: it is this one where no caller says which. */
  onBy?: string;
  /** The parameter that is the connection: where a caller hands over one that has a name, it is that. */
  link?: string;
  since?: Since;
  /** Absent: certain. */
  certainty?: Certainty;
}

// ---- flat control ----------------------------------------------------------------------------------------------

export interface Begin extends Base {
  kind: 'begin';
  /** The driver begins one by itself before a statement, where none is open. */
  implied?: true;
}
export interface Commit extends Base {
  kind: 'commit';
  /** AND CHAIN opens a new transaction at once. */
  chain?: boolean;
  /** PREPARE TRANSACTION: the transaction leaves this session and lives on. */
  prepares?: boolean;
}
export interface Rollback extends Base {
  kind: 'rollback';
  chain?: boolean;
}
export interface Savepoint extends Base {
  kind: 'savepoint';
  /** Folded; null when it is computed. For an API that returns a handle, the variable that holds it. */
  name: string | null;
  /** Its handle goes nowhere else: only this routine can release it. */
  alone?: true;
  /** As a scope's: where that turns nesting off, asking for it is refused. */
  setting?: Scope['setting'];
  /** The driver begins a transaction for it where none is open. */
  begins?: true;
}
export interface Release extends Base {
  kind: 'release';
  name: string | null;
}
export interface RollbackTo extends Base {
  kind: 'rollback to';
  name: string | null;
}

// ---- what matters inside ---------------------------------------------------------------------------------------

/** A relation of a query and its columns that are compared with one value: one row, where they hold a key of it. */
export interface Picked {
  relation: Name;
  columns: string[];
  /** Those compared with a column of another relation in this list. */
  joined?: { column: string; with: number; named?: true }[];
  /** Those compared with a list of so many values. */
  among?: { column: string; count: number; named?: true }[];
  /** Where its keys are not known, the columns' names say that they are one. */
  named?: true;
  /** Of what a database lists of itself, as the columns of one table: hardly more than a few rows. */
  few?: true;
}

export interface Read extends Base {
  kind: 'read';
  /** A relation (`sql:…`) or a model class, which the linker maps to its relation. */
  relation: Name | null;
  rows: Rows;
}
export interface Write extends Base {
  kind: 'write';
  verb: Verb;
  relation: Name | null;
  rows: Rows;
  /** The number of rows, where it is known and they are many. */
  times?: number;
  /** There may be fewer. */
  atMost?: true;
  /** Columns that an UPDATE sets; absent when unknown. */
  columns?: string[];
  /** Those alone: what was set to the object before, this does not save. */
  exactly?: true;
  /** What an UPDATE puts into them, as `keys` say it. */
  puts?: string[];
  /** Columns that an UPDATE sets to DEFAULT, which is computed anew. */
  resets?: string[];
  /** Columns to which an INSERT gives values, by name or by place, so that no default is computed; absent when unknown. */
  gives?: (string | number)[] | 'all';
  /** ON CONFLICT DO UPDATE locks the row it hits, DO NOTHING does not. */
  onConflict?: 'update' | 'nothing';
  /** What a MERGE may do; absent when unknown. */
  does?: ('insert' | 'update' | 'delete')[];
  /** An INSERT that could take ON CONFLICT at its end: its last word. */
  last?: Span;
  /** It is one row where each of these is; `rows` says what is known without their keys. */
  picked?: Picked[];
  /**
   * What picks the rows: the identifiers and `column=literal` pairs of its predicate, a cursor, a row variable. Of an
   * INSERT that lists no columns, `0=literal` by place. The row for which a trigger runs is FIRED_ROW.
   */
  keys?: string[];
  /** In a loop: those of them that mean the same in each turn, as constants and what the routine was given do. */
  same?: string[];
  /** What settings of the project's own are when it runs, as far as that is known. */
  settings?: Record<string, string>;
  /** Triggers that are switched off when it runs: their names, `user` for all of them, `all` with those of foreign keys, `rules`; of a model's callbacks those of a `group`. */
  without?: string[];
  /** It is one definition to event triggers: its command tag, as `create table`. */
  tag?: string;
  /** UPDATE ONLY, DELETE FROM ONLY: not the rows of tables below this one. */
  only?: true;
  /** TRUNCATE … CASCADE: of all that refer to the relation too. */
  cascades?: true;
  /** It goes past the model, whose callbacks and signals do not run: `update_all`, `bulk_create`. */
  withoutCallbacks?: boolean;
  /** What the model's callbacks are told of it, by their parameters; `order.quiet`: of the object that one is. */
  tells?: Record<string, Given>;
}
export interface RowLock extends Base {
  kind: 'row lock';
  strength: LockStrength;
  relation: Name | null;
  /** Where nobody knows that: the one that it likely is, by what a variable is called. */
  like?: Name;
  rows: Rows;
  skipLocked?: boolean;
  /** Nothing picks among the rows of the relation: where no `keys` say that they come one by one, all are locked. */
  all?: true;
  picked?: Picked[];
  /** As in Write, with the variables that the locked row is read into. */
  keys?: string[];
  same?: string[];
}
export interface Wait extends Base {
  kind: 'wait';
  for: 'sleep' | 'network' | 'process' | 'thread' | 'user' | 'lock';
}
/** A conversion that can fail: what an EXCEPTION block for casts guards. */
export interface Cast extends Base {
  kind: 'cast';
  to: string;
  /** The type of what is converted, where it is known and no text. */
  was?: string;
  /** The function that reads a text by a pattern, which no input function does. */
  by?: string;
}
export interface Call extends Base {
  kind: 'call';
  callee: Name;
  /** How many arguments, for overloads; absent when unknown. Beside `given`: those without a name. */
  args?: number;
  /** What is known of arguments, by place or name; the names are all there. */
  given?: Record<string, Given>;
  /** Types of arguments as far as known, for overloads; of a function how the name of its type may end: `*Supplier|*Callable`. */
  types?: (string | null)[];
  /** Arguments that are a variable or a literal, by place or name, `self` for the object that is asked: what `keys` of the callee mean by its parameters. Empty where nobody knows. */
  hands?: Record<string, string>;
  /** The variable that takes what it gives. */
  into?: string;
  /** It runs the SQL that its caller gave for this parameter: `execute(sql)`. */
  runs?: string;
  /** It calls the routine whose name its caller gave for this parameter. */
  named?: string;
  /** An argument is NULL: a function that is strict does not run. */
  null?: true;
  /** It need not run: behind AND and OR, or where a WHERE clause leaves no row. */
  perhaps?: true;
  /** Of `super`: the class of the object that goes on to it. Only the linker says so. */
  as?: Name;
  /** What the object was made with, an object of this class: `Importer(rows, dry=True).run()`. */
  made?: { of: Name } & Pick<Call, 'args' | 'given'>;
  /** In a loop it asks the same each time: of the very object that it stands in for what takes nothing, or of what the routine was given. */
  own?: true;
  /** It is asked of an object that is made for it, `Importer.new(row).run`: nothing that it keeps is there the next time. */
  fresh?: true;
  /** All arguments are constants: of an immutable function the planner computes it, once for all rows. */
  constant?: true;
  /** A WHERE clause picks a row by what it gives: it is computed once, but for each row where it is volatile. */
  compared?: true;
  /** The block, lambda or decorated function handed over: runs where the callee yields. */
  block?: Step[];
  /** It is written above the routine, whose body is the block. */
  decorates?: true;
  /** Nobody calls anything, an attribute is read, of an object whose class is of another file: where that is a property, it runs. */
  reads?: true;
  /** Where nobody knows whose it is: the routine that it likely is, by what variables are called; the first of these that there is. */
  like?: Name[];
  /** It runs elsewhere: another thread, a job queue, after commit. Not in this transaction. */
  elsewhere?: boolean;
  /** It stands in a block because it was handed over by its name: whoever runs the block says what it is given. */
  pointed?: true;
  /** By its name it keeps the block: a routine that is not seen to run it does not. */
  later?: true;
  /** What a framework means by it, tried in order when the repository defines no such routine. */
  meanings?: MeantBy[];
}
/**
 * An argument that is a literal, or is there (`something`), or is the same each time (`constant`, perhaps null) or in each
 * turn of the loops around the call (`unchanged`), or is `there` and true, or `is` an object of this class, `likely` and no more where a name told, `Order[]` for a list of them, or is the caller's own parameter, or a collection that is written out, perhaps with its texts, or a number as such, here or where one of these names stands, or one of no more than that, or this text,
 * or a text that is SQL, if a routine has this name, and then does what that does, or the connection that is called so.
 */
export type Given =
  | boolean | null | 'literal' | 'something' | 'constant' | 'unchanged' | 'unknown' | { parameter: string; unchanged?: true; there?: true; is?: Name; likely?: true } | { there: true; unchanged?: true } | { is: Name; likely?: true; there?: true; unchanged?: true } | { items: number; atMost?: true; texts?: string[] } | { of: Name[] } | { text: string } | { sql: Name } | { on: string }; // biome-ignore format: one list
/** `steps` hold when the receiver's type descends from `receiver`, or the callee is another name of `is`; without either, always. */
export interface MeantBy {
  receiver?: Name;
  is?: Name;
  /** What is one of these is not meant. */
  unless?: Name[];
  /** The object is taken for one of this class, where nobody knows whose it is. */
  of?: Name;
  /** Nothing happens where all classes of the object are known and none has an attribute of this name. */
  attribute?: string;
  steps: Step[];
}
/** Runs the block that the caller handed over: `yield`, `block.call`, the callback parameter. */
export interface Yield extends Base {
  kind: 'yield';
  /**
   * The parameter that it calls, and its place unless callers give it by its name alone; `rest`: that one and all behind it.
   * `only`: a block that stands behind a call is none. Absent: whatever was handed over.
   */
  parameter?: { name: string; place?: number; rest?: true; only?: true };
  /** What it calls it with, as a call says it: of a routine that was handed over by its name it is what that is given. */
  given?: Record<string, Given>;
  args?: number;
}

// ---- structure -------------------------------------------------------------------------------------------------

export interface Handler {
  at: Span;
  /** Condition names, SQLSTATEs or exception classes as written; `others` catches all. */
  catches: string[];
  body: Step[];
  /** Nothing stands in it but NULL and RAISE alone: no assignment, no message, nothing that is no step. */
  bare?: true;
  /** Besides, it sets settings back, which an error that it raises does by itself. */
  restores?: true;
  /** All that it catches is raised before the statement is sent that fails. */
  early?: true;
  /** It does one thing or another by the name of the constraint that was violated, or by the message. */
  asksWhich?: true;
}
/**
 * Opens a transaction, or a subtransaction, around its body. A PL/pgSQL block with EXCEPTION is one whose handlers
 * run in the parent. Of a `connection` it says that the body has one of its own: nothing is open on it yet, and
 * nothing of what is open around is.
 */
export interface Scope extends Base {
  kind: 'scope';
  opens: 'transaction' | 'subtransaction' | 'connection';
  whenNested: WhenNested;
  /** How people call it: `EXCEPTION block`, `transaction.atomic()`, `plpy.execute()`. */
  label: string;
  /** What its framework has to write where it is repeated. */
  instead?: string;
  /** Which connection `on` is, the program computes: it may be the default one. */
  computed?: true;
  /** The server itself opens it, around one statement and where none is open. */
  implied?: true;
  /** What the server sees at the end; a leak is a level that stays. Absent: released both ways. */
  releases?: 'always' | 'on success' | 'never';
  /** The savepoint is sent only when a first statement runs inside. */
  lazy?: boolean;
  /** From this version on it takes the place of a transaction around it in which nothing was sent before. */
  restarts?: Since;
  /** It is opened only when a row is missing (get_or_create). */
  onMiss?: boolean;
  /** It inserts first and looks for the row when that fails. */
  insertsFirst?: true;
  /** That row is the same in every turn of the loops of the routine, or wherever: it is missing once. */
  same?: 'in loops' | 'always';
  /** It is the same wherever the caller gives constants for these parameters. */
  sameFor?: string[];
  /** False: what would join it opens a savepoint instead (Rails `joinable: false`, Sequel `auto_savepoint`). */
  joinable?: false;
  /** It joins even what only savepoints are opened in. */
  joinsAny?: true;
  /** Where no transaction is open it begins none, and its body runs as if it stood there alone. */
  beginsNone?: true;
  /**
   * It opens a savepoint only where a setting `nested transactions open savepoints` of this tool is on, or where none
   * says otherwise and `assumed` is true; else nesting does `otherwise`, or what it is called for happens elsewhere.
   */
  setting?: { of: string; assumed: boolean; otherwise: WhenNested | 'elsewhere' };
  /** It joins unless such a setting of one of these, objects that are made elsewhere, says that it nests. */
  nestedBy?: string[];
  /** Who manages it, by name: where a program has several, each has connections of its own. */
  manager?: string;
  /** That is the one which is meant where nobody says a name, unless the program prefers another. */
  usual?: true;
  /** It runs where this routine gives that; where that tells that no transaction is open, it joins. */
  asked?: { of: Name; is: boolean };
  name?: string;
  /** The class that it is asked of: it is on the connection of that. */
  whose?: Name;
  handlers?: Handler[];
  /** From EXCEPTION to the last word before END: what a rewrite takes away. */
  section?: Span;
  /** One statement is all that stands before that. */
  single?: true;
  /** What to write, and where, so that it joins the transaction around it instead of nesting. */
  joins?: { at: Span; text: string };
  body: Step[];
}
/** try/except without a subtransaction of its own. */
export interface Attempt extends Base {
  kind: 'attempt';
  body: Step[];
  handlers: Handler[];
  finally?: Step[];
}
/** Its `certainty` is that of turns after the first. */
export interface Loop extends Base {
  kind: 'loop';
  /**
   * `rows`: a loop statement over a result. `query`: the executor, once for each row of one statement. `columns`: it too,
   * once for each column of the row that one call gives.
   */
  over: 'rows' | 'query' | 'columns' | 'items' | 'range' | 'retry' | 'unknown';
  /** Known number of turns, else null. */
  times: number | null;
  /** There may be fewer: the rows that a LIMIT or a WHERE leaves. */
  atMost?: true;
  /** Each turn takes so many of them at once; null where nobody knows how many. */
  chunk?: number | null;
  /** It is no loop where each of these is one row. */
  picked?: Picked[];
  /** The parameter whose items it runs over, or up to which it counts, and how many turns it has more than that. */
  each?: string;
  more?: number;
  /** So many turns where a caller gives nothing for that; that there are no more where nobody is seen to call is likely, and sure where somebody says how many. */
  usually?: number;
  /** The function whose rows it goes over: where that gives none but its value it is no loop. */
  gives?: Name;
  /** What holds its items: the first of these that is among the `lists` of any file. Of `columns`: the function that gives the row. */
  of?: Name[];
  /** It is an attribute of the object itself: a class that descends from this one may write out another. */
  ofSelf?: true;
  label?: string;
  body: Step[];
}
export interface Branch extends Base {
  kind: 'branch';
  arms: Step[][];
  /** One of the arms always runs. */
  exhaustive: boolean;
  /**
   * The first arm runs where this parameter is so, the others where it is not; `only`: the first asks for more besides;
   * `among`: whether it is one of these texts; `unsure`: it is merely possible until a caller says so; `also`: that must be so too.
   */
  when?: When & { also?: When };
  /** The first arm runs once in so many turns of the loop around: `IF i % 100 = 0`; less often, where it asks for more than that. */
  every?: number;
  orMore?: true;
  /** The parameter that says in how many, and how many more than that. */
  each?: string;
  more?: number;
  /** The first arm runs only where something in the loop around has failed, and was caught. */
  failed?: true;
}
export type Sign = '=' | '<>' | '<' | '<=' | '>' | '>=';
export interface When {
  parameter: string;
  is: 'true' | 'false' | 'null' | 'not null';
  among?: string[];
  /** Whether NULL is one of them too; without this nobody knows what follows from NULL. */
  orNull?: boolean;
  /** Those are patterns of LIKE. */
  like?: true;
  /** Whether one of these texts is in it; `whole`: whether they are all that is in it. */
  has?: string[];
  whole?: true;
  /** Whether it compares so with that number: `> 1`. */
  than?: { sign: Sign; number: number };
  /** Whether it is an object of one of these classes: of the repository's own, or of those that the language has. */
  of?: Name[];
  only?: true;
  unsure?: true;
}
/** A labelled block without a subtransaction, that EXIT can leave. */
export interface Block extends Base {
  kind: 'block';
  label?: string;
  /**
   * It runs only while its result is missing and leaves it behind: `if order.done: return`, `@total ||= …`. `by key`: in a
   * container that callers ask by a key, which may be the same in each turn of theirs. `in loop`: only in that turn of the
   * loop around whose item it names: `if role.name == "owner":`; `in loops`: only in one of all turns of those that are around
   * in the routine. `ever`: of that there is one for the whole program.
   */
  once?: true | 'by key' | 'in loop' | 'in loops' | 'ever';
  /** Only where it inserts a row of this, of which a query found none. */
  makes?: Name;
  /** The parameters that tell which row: where callers give constants, it runs once. */
  sameFor?: string[];
  /** Of several callables that a call hands over: the argument that this one is, by its name or its place. */
  handed?: string | number;
  /** Nothing is done in it, but whoever opened what is around it is told to roll that back when it ends. */
  dooms?: true;
  body: Step[];
}
export interface Exit extends Base {
  kind: 'exit';
  how: 'return' | 'break' | 'continue' | 'raise';
  label?: string;
  /** Its label is of no block inside the nearest loop, or its block is handed to a callee: it leaves the loop around, or all that are around in the routine. */
  leaves?: 'loop' | 'loops';
  /** Its block is handed to a callee, and who hands it goes on from there: `continue` or `return` in a `with`. */
  out?: true;
  /** RAISE without arguments: the same error again. */
  again?: boolean;
  /** What is raised, if known: a condition name, SQLSTATE or exception class. */
  raises?: string;
  /** No handler that is around in its routine is for this error. */
  past?: true;
}
/** Something runs that could not be read: dynamic SQL, an unsupported construct. It may do anything. */
export interface Opaque extends Base {
  kind: 'opaque';
  why: string;
}

export type Step =
  | Begin | Commit | Rollback | Savepoint | Release | RollbackTo
  | Read | Write | RowLock | Wait | Cast | Call | Yield
  | Scope | Attempt | Loop | Branch | Block | Exit | Opaque; // biome-ignore format: one family a line

// ---- what a file declares --------------------------------------------------------------------------------------

export interface Routine {
  name: Name;
  /** The name where it is declared; for a script the first character. */
  at: Span;
  kind: 'function' | 'procedure' | 'method' | 'anonymous' | 'script';
  /** The language of the body where it differs from the file's: `plpgsql`, `plpython3u`, `sql`. */
  language?: string;
  /** Who starts it. `called`: only other routines, as far as this file knows. */
  entry: 'called' | 'script' | 'request' | 'migration' | 'job' | 'test' | 'command';
  /** It runs when its name is read, and not when it is called. */
  property?: true;
  /** What is open when it starts. `caller`: whatever the caller has; `unknown` counts as maybe. */
  startsIn: 'caller' | 'transaction' | 'autocommit' | 'unknown';
  /** Of a request: the connections on which it says that no transaction is to be around it; the default one is `''`. */
  apart?: string[];
  /** A script whose statements are sent as one query: nobody can keep them from being a transaction. */
  asOne?: true;
  parameters?: {
    required: number;
    total: number | null;
    types?: (string | null)[];
    names?: (string | null)[];
  };
  /** Parameters that decide branches, tell a row or are handed on, with what they are where the caller says nothing. */
  flags?: {
    name: string;
    position?: number;
    value?: Given;
    /** What it is where the caller says it, whatever that is. */
    otherwise?: Given;
    /** It is all arguments from that position on. */
    rest?: true;
    /** The parameter of who makes the object, which keeps it: what `made` of a call says of that, or what a method hands on by this one's name. */
    made?: string;
    /** It names a connection, where the usual one has this name: whatever else a caller says is another one. */
    connection?: string;
    /** Of `unchanged`: which; of `rows`: the tables. */
    columns?: string[];
    /** No caller gives it: it is what of the trigger that runs the routine, in the words of Trigger. */
    fired?:
      | 'verb' | 'timing' | 'each' | 'relation' | 'schema' | 'name' | 'event' | 'tag' | 'argument' | 'arguments' | 'unchanged' | 'rows'; // biome-ignore format: one list
  }[];
  /** It is called as if it were a method of what has this type, by its last word, or of anything: whoever stands beside it calls it so. */
  extends?: string;
  /** The type it returns, for `()` in names. */
  returns?: Name;
  /** What it returns is of the type that it is asked of, which may descend from `returns`, `-> Self`, or is what that gives. */
  returnsOwn?: true;
  /** It is rows of that type, of which the type itself is asked too. */
  returnsSeveral?: true;
  /** It returns an object of one of these, or one of these classes itself: as by `case`. */
  returnsOneOf?: { type: Name; itself?: true }[];
  /** It returns something of a library or of the language: nothing of the repository is called on that. */
  returnsForeign?: true;
  /** Where unqualified SQL names are looked up, when it or its script sets search_path. */
  searchPath?: string[];
  /** An event trigger's: it asks whether what is defined is temporary. */
  asksTemporary?: true;
  /** Its schema is the first of a search path that is only known when it runs. */
  unplaced?: true;
  /** Nobody wrote it: a framework gives it to the type. Where nothing calls it, nothing runs it. */
  implied?: true;
  /** Nobody calls it by its name: it is written above what it surrounds, or a configuration puts it around that. */
  surrounds?: 'annotation' | 'advice';
  /** It is only declared: whoever implements it may do anything, if nobody here does. */
  declared?: true;
  /** What it tells where it gives true, or something: whether a transaction is open, or that none is. It tells the other otherwise. */
  tells?: 'open' | 'none';
  /** What an ancestor says `around` methods holds for it: it says nothing itself. */
  inherits?: true;
  /** SQL functions: as declared. Absent: the default, which is unsafe and volatile. */
  parallel?: 'safe' | 'restricted' | 'unsafe';
  volatility?: 'immutable' | 'stable' | 'volatile';
  /** It is a trigger's; `outermost`: it does nothing where a trigger stands around it. */
  triggered?: 'any' | 'outermost';
  /** Of a trigger's: it does nothing where a setting is not so. */
  setting?: Asking;
  /** Trigger functions: the columns of NEW that it sets, where it says all of them. */
  sets?: string[];
  /** SQL functions: where an argument is NULL, it does not run. */
  strict?: true;
  /** SQL functions: it gives rows and not one value. */
  givesRows?: true;
  /** SQL functions: how many columns the row has that it gives, or the type that says so. */
  columns?: number | Name;
  /** Routines that its body creates, under names that it computes. */
  makes?: Name[];
  /** Hash of the definition's text, so that copies of one function can be told from different ones. */
  text?: string;
  /**
   * It keeps the block that it is given, hands it to what runs elsewhere, or does nothing with it: the block does not run in the call.
   * False: it runs it, as often as it does, and does nothing else with it, whatever it is called.
   */
  keepsBlock?: boolean;
  body: Step[];
}

/** A setting of the project's own that is one of these values, or none of them. */
export interface Asking {
  setting: string;
  is: 'one' | 'none';
  among: string[];
}

/** Runs code when a relation is written or read: triggers, and all that acts like one. */
export interface Trigger {
  name: string;
  at: Span;
  relation: Name;
  /** `read` for views and policies. */
  verbs: (Verb | 'read')[];
  each: 'row' | 'statement';
  timing: 'before' | 'after' | 'instead';
  via:
    | 'trigger' | 'check constraint' | 'default' | 'generated column' | 'policy' | 'index' | 'rule' | 'view'
    | 'domain' | 'partition key' | 'event trigger' | 'foreign key' | 'model callback'; // biome-ignore format: one list
  /** UPDATE OF, and what a generated column is made of: fires only when one of these is set. */
  columns?: string[];
  /** Of a model's callbacks: what they run for besides the statement, and a write may go without. */
  group?: string;
  /** It has a WHEN condition, so it may not fire. */
  conditional?: boolean;
  /** Its WHEN condition holds for no statement of a trigger. */
  outermost?: true;
  /** Its WHEN condition holds only where a setting is so. */
  setting?: Asking;
  /** Its WHEN condition holds for no UPDATE that leaves all of these as they were. */
  changes?: string[];
  /** What fires it now leaves these as they were. */
  unchanged?: string[];
  /** What it calls the rows of the statement: REFERENCING NEW TABLE AS new_rows. */
  transitions?: string[];
  /** What fires it now has so many of them. */
  rows?: number;
  /** What it hands to its function, in its order, as far as that is written out; `allArgs`: there is no more. */
  args?: string[];
  allArgs?: true;
  /** Of an event trigger: when it runs, and the command tags of WHEN TAG; without these any. */
  event?: 'ddl_command_start' | 'ddl_command_end' | 'sql_drop';
  tags?: string[];
  deferred?: boolean;
  disabled?: boolean;
  /** Somebody outside writes the table, a row in each transaction, unless the project makes the table itself. */
  oneByOne?: true;
  /** It runs beside the statement and not within its transaction: Django's signals of save(). */
  beside?: true;
  /** Of a class: it runs for objects of that one, and of none below it. */
  exact?: true;
  /** Of a class: not for objects of these, or of what descends from them. */
  but?: Name[];
  /** Its function is told with which object a deletion began, and may leave alone what goes along with it. */
  asksOrigin?: true;
  /** It follows from how two tables belong together: where nothing writes so, nothing runs it. */
  implied?: true;
  /** A Call of the function, or the steps of the expression. */
  body: Step[];
}

export interface Relation {
  name: Name;
  at: Span;
  kind: 'table' | 'view' | 'materialized view' | 'foreign table' | 'temporary table' | 'domain';
  /** PARTITION OF, INHERITS: its checks come from these too, and a partition's row triggers. */
  parents?: Name[];
  /** INHERITS: of a parent it has the expressions of columns and checks, and no trigger, index, rule or policy. */
  inherits?: true;
  /** `LIKE a INCLUDING ALL`: what it has of others without being under them, and whether their keys too. */
  copies?: { of: Name; brings: Trigger['via'][]; keys?: true }[];
  /** Its columns and their types, where the declaration lists them all. */
  columns?: Record<string, string>;
  /** PRIMARY KEY, UNIQUE and unique indexes: what names one row. */
  keys?: Key[];
  /** Those of its keys that are DEFERRABLE, which ON CONFLICT does not take. */
  deferrable?: string[];
  /** It has an exclusion constraint, whose errors are not those of a key. */
  excludes?: true;
  /** `user_catalog_table`: PostgreSQL refuses ON CONFLICT there. */
  catalog?: true;
}

export interface Key {
  name: string;
  columns: string[];
}

export interface ForeignKey {
  at: Span;
  /** As PostgreSQL would call it where nobody did. */
  name?: string;
  child: Name;
  parent: Name;
  columns?: string[];
  /** It is checked at COMMIT: its lock comes outside of every subtransaction, behind all that the transaction changes. */
  deferred?: true;
}

/** A class or interface of an application language, and the table it stands for. */
export interface TypeDeclaration {
  name: Name;
  at: Span;
  bases: Name[];
  /** The table, if the class says or its framework's rule gives one. */
  relation?: Name;
  /** What that name begins with, where the module's folder gave it: a file of that folder may say something else. */
  prefix?: string;
  /** Other spellings that a file elsewhere may give it, the most telling first; one that is created somewhere is meant. */
  otherRelations?: Name[];
  /** Of its bases those whose methods come before its own, the first one first; their `super` goes on to it. */
  prepends?: Name[];
  /** It has several bases, and of a method that two of them have the first one's runs, also where that is a library's. */
  inOrder?: true;
  /** The language lets other files add to it: declarations of one name are one type. */
  reopened?: boolean;
  /** The types of its attributes, as far as annotated or constructed. */
  fields?: Record<string, Name>;
  /** Those of them that are rows of that type, of which the type itself is asked too: a scope, an association of many. */
  several?: string[];
  /** Whoever deletes an object of these deletes those that refer to it, of this one, as a framework does: their callbacks run. `single`: one with each. */
  goesWith?: { type: Name; single?: true }[];
  /** Attributes that together name one row of it, as far as it says so itself; empty: it has no key but the one that is made for each row. */
  keys?: string[][];
  /** All that it has under a name, where somebody may ask whether it has something. */
  attributes?: string[];
  /** Names under which objects of other classes have something by what this one says. */
  lends?: string[];
  /** An interface or abstract class: calls go to those that implement it. */
  abstract?: boolean;
  /** Whoever has the methods that it leaves is one of it, and need not say so. */
  structural?: true;
  /** By their names: what these methods of it say of whoever calls them in the body of a class, as a type that such a class then has above it. */
  macros?: Record<string, Name>;
  /** What its body calls that may be one of these. */
  says?: string[];
  /** Methods that a class leaves to those that descend from it: the names of these alone. */
  leaves?: string[];
  /** What it calls on itself, and neither has nor gets from above, whoever descends from it has. */
  expects?: true;
  /** Routines whose `yield` is a method of whoever inherits from this, by the method's name; `*` for all. */
  around?: Record<string, Name>;
  /** Which of those that others declare are not around its methods: by the method's name the last words of them, `*` for all. */
  unwraps?: Record<string, string[]>;
  /** Whose database its name says that it is written for: of its siblings PostgreSQL's is meant. */
  dialect?: 'postgresql' | 'other';
  /** A framework makes its objects, and puts around their methods what is configured. */
  managed?: true;
  /** What variables of it are called besides its own name: `line_item`, `line_items`. */
  called?: string[];
  /** Its methods that requests run, and those of what descends from it: where no transaction is to be around them, as a routine's own `apart`. */
  apart?: string[];
  /** Its objects, and those of what descends from it, are on a connection of this name and not on the default one. */
  connection?: string;
  /**
   * Attributes that another class has through this one: `lines[]` of an order, each of which is this; `[]`: what goes over
   * that goes over these. `alone`: what that
   * descends from has it too, and none has it to which two classes give it.
   */
  gives?: { to: Name; field: string; alone?: true }[];
  /** By the method, `new` where it makes an object: the attributes that keep what is given for a parameter, by its name or place. */
  keeps?: Record<string, Record<string, string[]>>;
  /** Methods of the class that hand all that they are given on to `new`. */
  passes?: string[];
}

/** Methods: the full name of the class, and the method; `*` is any part of a name, `..` any packages. */
export interface Place {
  type: string;
  method: string;
  /** The class has the method itself, and not what it descends from. */
  own?: true;
}
/** What a configuration puts around the methods of classes in other files. */
export interface Weave extends Place {
  /** They fit these as well, and none of those. */
  also?: Place[];
  unless?: Place[];
  /** What it says of a method of this name: a routine whose `yield` is the method. The closest pattern counts. */
  ways: { method: string; by?: Name }[];
}

/** `from` means `to`: a re-export, an import that others import again, a synonym. */
export interface Alias {
  from: Name;
  to: Name;
}

/** What a script changes of earlier definitions. Order within a file is by `at`. */
export interface Change {
  at: Span;
  does:
    | 'drop routine' | 'drop trigger' | 'drop relation' | 'drop constraint' | 'drop column' | 'drop index' | 'drop schema'
    | 'defer constraint' | 'hasten constraint' | 'detach partition'
    | 'enable trigger' | 'disable trigger' | 'enable policies' | 'disable policies'
    | 'rename relation' | 'rename routine' | 'rename trigger' | 'rename schema'
    | 'mark parallel'; // biome-ignore format: one list
  name: Name | string;
  relation?: Name;
  to?: Name;
  /** What ALTER FUNCTION says of the routine from now on. */
  parallel?: Routine['parallel'];
  /** The parameters of the routine that is meant, and their types as far as the name alone tells them. */
  args?: number;
  types?: (string | null)[];
  /** As a routine's. */
  unplaced?: true;
}

/** A setting that changes what statements do, without a call site. */
export interface Setting {
  at: Span;
  /** As people write it: `autosave`, `ON_ERROR_ROLLBACK`, `ATOMIC_REQUESTS`. */
  key: string;
  value: string;
  effect:
    | 'savepoint per statement' // in a transaction, and it writes as the statement does
    | 'savepoint per failing statement'
    | 'requests run in a transaction'
    | 'nested transactions open savepoints'
    | 'autocommit is off'
    | 'manages transactions' // key: its name; value: preferred, where it is meant when nobody says a name
    | 'uses database' // value: postgresql, mysql, sqlite, oracle, sqlserver … unknown
    | 'postgres version'
    | 'is said by another' // value: the name that has it, of a variable or a key
    | 'is said here'; // key: such a name
  /** Whose setting it is: pgjdbc, psql, psqlodbc, django. */
  of: string;
  /** It speaks only of programs in these languages; a build's, only of those in its folder and below. */
  languages?: Language[];
  /** Whether those savepoints are released. */
  releases?: boolean;
  certainty?: Certainty;
  /** Its own, where the rest of the file has another one: a job that deploys among those that test. */
  role?: Unit['role'];
  /** So many subtransactions it opens in one transaction, where all that runs under it can be seen. */
  most?: number;
  /** What each value would do that another file may say. */
  means?: Record<string, Setting['effect']>;
  /** It is one of a list of all databases of the program. */
  listed?: true;
  /** It is all that is seen of programs that no front end reads. */
  alone?: true;
  /** The folder of that program. */
  below?: string;
  on?: string;
}

export interface Package {
  /** `pypi:django`, `gem:activerecord`, `maven:org.postgresql:postgresql`, `npm:pg`. */
  name: string;
  version: string;
  /** From a lock file; else a range from a manifest. */
  exact: boolean;
}

export interface Problem {
  at?: Span;
  message: string;
  /** Part of the file could not be read, so findings may be missing. */
  partial: boolean;
}

/** A word about another file. Those that `runs` form one series, in this order; one that is mentioned may mention more. */
export interface Mention {
  /** A path in the repository; one that ends in `/` means all below it, by name. */
  file: string;
  runs?: true | 'here'; // in the series of who mentions it, behind that
  /** How the scripts in it start; only those of the series that this tool names, where it names one. */
  startsIn?: Routine['startsIn'];
  tool?: string;
  /** Other mentions say this where they mean what is below `file`. */
  as?: string;
  /** Whoever runs it sets in which schema its unqualified names are made. */
  unplaced?: true;
  /** It is run on another database, unless its own words say PostgreSQL. */
  dialect?: 'other';
}

export interface Unit {
  file: string;
  language: Language;
  /** Whose SQL it is; an `other` file is left alone. */
  dialect: 'postgresql' | 'other' | 'unknown';
  /** What the file is for, as far as its text or name tells; configuration may override. */
  role: 'product' | 'test' | 'migration' | 'example';
  /** Its place among files that run in an order: the last definition in a series wins. */
  series?: {
    name: string;
    position: string;
    /** The positions that it follows, where files name their predecessors; else positions are compared. */
    after?: string[];
    /** It makes all that is there at its position: of what stood before it nothing is left. */
    whole?: true;
  };
  /** What it says of other files: a plan, a master change log, a script's configuration. In the order they run. */
  mentions?: Mention[];
  routines: Routine[];
  triggers: Trigger[];
  relations: Relation[];
  foreignKeys: ForeignKey[];
  types: TypeDeclaration[];
  weaves?: Weave[];
  /** Classes that are written elsewhere, of which a framework makes objects since this file says so. */
  makes?: Name[];
  aliases: Alias[];
  /** Functions, and classes for their methods, that requests run, where it says of them what a routine's `apart` says of one; by the connection, empty for the default one. */
  apart?: { of: Name; on: string }[];
  /** What is handed over for a parameter, by its name or place, of a method of that class: an object of this class, or the class itself. */
  hands?: { to: Name; method: string; parameter: string; is: Name; itself?: true }[];
  /**
   * Collections that are written out, by the name of what holds them, with the most items that they have; types of rows, with
   * their columns; enums, with their labels. `added`: that many more than another file says; `usually`: what
   * stands outside may say another number.
   */
  lists?: { name: Name; items: number; added?: true; usually?: true }[];
  /** What the names of tables begin with that models below this module stand for, instead of the usual. */
  prefixes?: { below: Name; usual: string; says: string }[];
  changes: Change[];
  settings: Setting[];
  packages: Package[];
  problems: Problem[];
  /** Its text is wrong, as while somebody types: some of what it says may be lost. */
  broken?: true;
}

export function emptyUnit(file: string, language: Language): Unit {
  return {
    file,
    language,
    dialect: 'unknown',
    role: 'product',
    routines: [],
    triggers: [],
    relations: [],
    foreignKeys: [],
    types: [],
    aliases: [],
    changes: [],
    settings: [],
    packages: [],
    problems: [],
  };
}

/** So many subtransactions of one transaction does a session show to others; of more each must ask pg_subtrans. */
export const PLACES = 64;

/** In `keys`: the row for which a trigger runs, as the statement leaves it, and before its columns: `$fired.id`. */
export const FIRED_ROW = '$fired';

/** In `each`, before the names of the tables: as many as the statement has rows that fired the trigger, if it calls those so. */
export const FIRED_ROWS = 'rows of ';

/** In `keys`: what the routine gives is the row, or tells it. */
export const RESULT = '$result';

/** In `keys`, before its place: what the routine gives the block that it was handed; in `hands`, the block's parameter for it. */
export const YIELDED = '$yielded';

const NONE: Step[][] = [];

/** The routines that texts among its arguments may be, or may be the names of. */
export function textsOf({ given, callee }: Call): readonly Name[] {
  if (!given) return NO_TEXTS;
  const out: Name[] = [];
  for (const key in given) {
    const one = given[key];
    const name = isText(one) ? one.sql : namedBy(one, callee);
    if (name !== undefined) out.push(name);
  }
  return out;
}

/** A text that is handed to a function of the server may be the name of another, perhaps with the types of its parameters. */
export const namedBy = (given: Given | undefined, callee: Name): Name | undefined =>
  typeof given === 'object' &&
  given !== null &&
  'text' in given &&
  given.text !== '' &&
  callee.startsWith('sql:')
    ? `sql:${given.text.replace(/\(.*/, '')}`
    : undefined;

/** Behind a method's name: what a framework has there for a class whose own method stands in front of it. */
export const OF_FRAMEWORK = '~model';

export const isHandedOn = (given: Given | undefined): given is Extract<Given, { parameter: string }> =>
  typeof given === 'object' && given !== null && 'parameter' in given;

/** Where nobody says more of it. */
export const isThere = (given: Given | undefined): given is Extract<Given, { there: true }> =>
  typeof given === 'object' && given !== null && 'there' in given && !('parameter' in given);

export const isObject = (given: Given | undefined): given is Extract<Given, { is: Name }> =>
  typeof given === 'object' && given !== null && 'is' in given && !('parameter' in given);

export const isText = (given: Given | undefined): given is { sql: Name } =>
  typeof given === 'object' && given !== null && 'sql' in given;

export const isConnection = (given: Given | undefined): given is { on: string } =>
  typeof given === 'object' && given !== null && 'on' in given;

const NO_TEXTS: Name[] = [];

/** The lists of steps that stand directly inside one. */
export function inside(step: Step): Step[][] {
  switch (step.kind) {
    case 'scope':
      return [step.body, ...(step.handlers ?? []).map((handler) => handler.body)];
    case 'attempt':
      return [
        step.body,
        ...step.handlers.map((handler) => handler.body),
        ...(step.finally ? [step.finally] : []),
      ];
    case 'loop':
    case 'block':
      return [step.body];
    case 'branch':
      return step.arms;
    case 'call':
      if (!step.meanings) return step.block ? [step.block] : NONE;
      return [...(step.block ? [step.block] : []), ...step.meanings.map((meaning) => meaning.steps)];
    default:
      return NONE;
  }
}
