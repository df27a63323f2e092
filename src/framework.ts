// The shape of a framework's table: what its calls mean, as data. Not how any language is parsed.
import type { Change, LockStrength, Loop, Rows, Scope, Since, Verb, Wait, WhenNested } from './ir.ts';

/** An argument by position, by keyword, or both where a call may use either. */
export type Argument = number | string | { position: number; keyword: string };

/** Of text that is put together: what stands there, or what an argument says; as a name, in its quotes. */
export type Part = string | { position?: number; keyword: string; usual?: string; quoted?: true };

export interface ScopeMeaning {
  opens: Scope['opens'];
  whenNested: WhenNested;
  label?: string;
  /** What to write where it is repeated, as a sentence. */
  instead?: string;
  releases?: Scope['releases'];
  lazy?: boolean;
  restarts?: Scope['restarts'];
  onMiss?: boolean;
  insertsFirst?: true;
  /** What objects were set to before is written before it begins, and what they are meanwhile at its end: no call says so, but one of this method does that. */
  flushes?: string;
  joinable?: false;
  beginsNone?: true;
  joinsAny?: true;
  /** The argument that makes the call join the transaction around it. */
  joinsWith?: string;
  setting?: Scope['setting'];
  /** It nests where settings of one of these say so, and none says otherwise. */
  nestedBy?: string[];
  /** The call only makes a handle; this method of it opens the scope: asyncpg's `start`. */
  startedBy?: string;
  /** The call opens it wherever it stands, and its result ends it: `t = session.begin_nested()`, later `t.commit()`. */
  begun?: true;
}

export interface WriteMeaning {
  /** `save` inserts a fresh object and updates one that was read; either, when that is unknown. */
  verb: Verb | 'save';
  rows: Rows;
  onConflict?: 'update' | 'nothing';
  /** It goes through this method of the model, which a class may override. */
  through?: string;
  /** The keyword that tells the method to insert: an insert gives it, a `save` asks for it. */
  insertsBy?: string;
  /** Its keywords are the columns that it updates, and it updates no others. */
  setsKeywords?: true;
  /** The argument that names the column that it updates. */
  sets?: Argument;
  /** The keyword that lists the columns to update, where there is a row in any case. */
  updatesBy?: string;
  /** What its model's callbacks call the object. */
  tellsOf?: string;
  /** The groups of the model's callbacks that do not run. */
  without?: string[];
  /** The model's callbacks do not run: bulk operations. */
  withoutCallbacks?: boolean;
  /** It is no row of what is called: of which table, another object says. */
  ofOther?: true;
}

/**
 * What a word in the body of a class says of it. Of others' rows: it has `many` of them or `one`, or `belongs` to one, or is asked for
 * them as a `query`, or saves them `with its own`. Of its methods: whose they are (`delegation`), which wait in a queue (`later`), which are `chained` with
 * one of a feature, which are its values' (`enum`) or its rows' (`scope`). What it keeps: `option`, `shared`. What runs around what it does. Which
 * database it is in. That it is a state machine, of each kind. `none`: nothing that matters.
 */
export type Declares =
  | 'many' | 'one' | 'belongs' | 'query' | 'with its own' | 'scope' | 'enum' | 'delegation' | 'later' | 'chained' | 'option' | 'shared'
  | 'validation' | 'callback by name' | 'around actions' | 'not around actions' | 'commands' | 'step' | 'around command'
  | 'connection' | 'usual connection' | 'outside transaction' | 'states' | 'events' | 'transition' | 'none'; // biome-ignore format: one list

/** What one call, decorator, context manager or block does. Fields that are absent say nothing. */
export interface Meaning {
  /** What it gives does not grow with the data: a loop over that is no loop over many. */
  few?: true;
  /** Its result is a connection of its own, or has one: what is open on another is not open on it. */
  connects?: true | undefined;
  /** The arguments one of which names who manages its transactions, and what the one is called that is meant without. */
  managedBy?: { arguments: Argument[]; usual: string };
  /** The arguments one of which is the database that it speaks to; without one it is that of the block around. */
  database?: Argument[];
  /** An annotation: of several objects of one type it is the one that is meant where no name is said. */
  preferred?: true;
  /** Whether the scope nests is said where the object is made that this is called on; what such objects are called, and what decides then. */
  nestedBy?: { of: string; setting: Scope['setting'] };
  /** Surrounds the block, the `with` body, the decorated routine or the callback. */
  scope?: ScopeMeaning | undefined;
  /** What it opens around that one. */
  outer?: ScopeMeaning;
  /** What surrounds each call in its block on the very object that it is called on, which has no part in it. */
  outside?: (ScopeMeaning & { label: string }) | undefined;
  /** Flat control: the call itself is the statement. */
  flat?: 'begin' | 'commit' | 'rollback' | 'savepoint' | 'release' | 'rollback to' | undefined;
  /** A savepoint: the driver begins a transaction for it where none is open. */
  begins?: true;
  /** It ends a transaction and no savepoint. A block opens a savepoint where another stands around it: both are known by these words. */
  unlessInner?: string[];
  /** A savepoint: the setting that may refuse it. */
  allowedBy?: Scope['setting'];
  /** Up to the call that ends it, told by what this one gave, it is such a scope. */
  spans?: ScopeMeaning;
  /** It ends such a scope of its connection, whichever stands around. */
  endsSpan?: true;
  /** Its result alone releases it again, handed to these. */
  endedBy?: string[];
  /** The argument that names the savepoint, the handle or the connection. */
  name?: Argument;
  on?: Argument;
  /** Touches the table of the receiver's model. */
  write?: WriteMeaning;
  read?: { rows: Rows };
  rowLock?: { strength: LockStrength; skipLocked?: boolean };
  /** Of a query that would lock its rows it sends another statement, which does not. */
  unlocked?: true;
  /** The argument that lists which rows it locks of those that are joined; `self` for its own. */
  locksOf?: Argument;
  /** An annotation that says one of these: what the others beside it lock skips rows that others have locked. */
  skips?: string[];
  wait?: Wait['for'];
  /** Nothing comes back from it: it raises this, for which hardly anybody has a handler. */
  raises?: string;
  /** The argument whose type is the model, where the receiver is none: `persist(order)`, `find(Order.class, …)`. */
  of?: Argument;
  /** The model is what its receiver gives: a query's. */
  ofItems?: true;
  /** The argument that is a table, by a constant that is called as the table is, in capitals: `insertInto(ORDER_LINE)`. */
  table?: Argument;
  /** The argument that holds SQL text. */
  sql?: Argument;
  /** The argument that is the URL of the database which its result speaks to. */
  address?: Argument;
  /** Its result is SQL text, put together of these; `drops` is what takes away again what that creates. Where it `executes`, it is run. */
  text?: { creates: Part[]; drops?: Part[] };
  /** Of what such a result stands for it runs what takes it away; what the text creates is there, whoever runs it when. */
  only?: 'drops' | 'creates';
  /** The argument that holds text which names classes instead of tables: JPQL. */
  query?: Argument;
  /** An annotation: what it says happens where this name of its is asked for; a call asks for it. */
  called?: Argument;
  /** The argument that is the full name of what a mapper's file has: `session.insert("shop.OrderMapper.add", order)`. */
  mapped?: Argument;
  /** The argument that names the function of the database that it calls. */
  routine?: Argument;
  /** It runs the routine that such a name ends with, in which this argument stands for `*`. */
  runsNamed?: { of: Argument; as: string };
  /** The argument that is a piece of SQL which stands in a query that is made elsewhere. */
  piece?: Argument;
  /** The argument that names the function of the database of which its result is a call, where it stands in a query. */
  expression?: Argument;
  /** The argument that says what is executed later on what this is called on: a function's name, a table's. */
  names?: Argument;
  /** It runs nothing else than text: where that cannot be read, anything may run. */
  textOnly?: true;
  /** Who is handed what this is called on begins nothing: a savepoint in the text tells that a transaction is open. */
  opened?: true;
  /** That text runs only when the result is executed; `executes` is that call, without text of its own. */
  prepares?: true;
  executes?: true;
  /** Runs its callback or block once for each item. */
  loops?: Loop['over'] | undefined;
  /** That loop is likely, and no more. */
  perhaps?: true;
  /** The name under which a call says how many turns that has. */
  turns?: string;
  /** It says so, of what has this name: `chunk(500, manager)`. */
  counts?: { of: Argument; name: string };
  /** What is open around all turns of that loop. */
  around?: ScopeMeaning;
  /** Where this argument is a list, all of it is done once for each item: `create([{…}, {…}])`. */
  forEach?: number;
  /** It gives that so many of them at once: the argument that says how many, and how many they are without it. */
  chunk?: { of: Argument; usual?: number };
  /** An annotation: what the method returns is handed to others by a name, and is called so. */
  provides?: string;
  /** The argument that whoever listens to its type is called with; an annotation: the method listens to what it takes. */
  publishes?: Argument;
  listens?: true | undefined;
  /** What its receiver is afterwards: `template.setPropagationBehavior(NESTED)`. */
  becomes?: string;
  /** The types of its callback's parameters; `this` before one: the callback's receiver; `item`: one of what it is called on; `of`: the class that `of` names. */
  gives?: string[];
  /** An annotation that says nothing where one of these stands beside it. */
  unless?: string[];
  /** An annotation that works through a proxy: a call of the object on itself goes past it. */
  proxied?: true;
  /** Its result says whether a transaction is open: a truth, or the transaction or null. */
  tellsOpen?: true;
  /** Its callback runs elsewhere: after commit, in a job, in another thread. */
  elsewhere?: boolean;
  /** So does the call that it is asked of: `OrderMailer.told(order).deliver_later` makes the mail when it is sent. */
  defers?: boolean;
  /** What a configuration says of such a call: a routine of this name's owner, where one `configures` it. */
  configured?: string;
  /** One of these methods of the receiver is called, or of the argument that `of` names: a serializer's save() calls its create() or update(). */
  calls?: string[];
  /** They are given this argument too, where it is a word: a transition's state. */
  hands?: number;
  /** The argument whose callable runs here and now; absent: any block or lambda handed over. */
  runs?: Argument;
  /** Whoever enters its result enters this argument: `contextlib.closing`. */
  enters?: number;
  /** Others go over this argument when the caller is done: what a generator does it does then. */
  streams?: Argument;
  /** Errors end here: `contextlib.suppress`; a name: of a scope, the error that asks for its rollback, and goes no further. */
  swallows?: true | string;
  /** It ends as if that error stood at the end of its block. */
  undone?: true;
  /** The scope whose callback was given what this is called on, in Python the one around it, will be rolled back, whatever follows. */
  dooms?: true | 'perhaps' | undefined;
  /** The argument that names the related model, for the type of the attribute that the call makes. */
  related?: Argument;
  /** What it gives has rows of that model, or of what the query is that the argument holds; as rows of several columns, or the first of each. */
  selects?: 'rows' | 'first';
  /** It gives no more than it is handed there: `browse(ids)`. */
  asMany?: Argument;
  /** Of such a relation: with this argument, by its last word, what refers to a row is deleted with it, `single`: one with each. */
  goesAlong?: { argument: Argument; is: string; single?: true };
  /** It may write, and what there is decides: a row that is there already, a relation whose table nobody names. */
  mayWrite?: true | undefined;
  /** What it says of the writing of what it is called on: `insert(…).on_conflict_do_nothing()`. */
  alters?: Pick<WriteMeaning, 'onConflict'>;
  /** What rows must have: keywords, and comparisons with `==`. With one value of a key it is one row at most. */
  picks?: true;
  /** The argument that says how many rows it gives at most. */
  limits?: Argument;
  /** What it gives has rows of another query beside those that were asked for. */
  widens?: true;
  /** Further meanings inside, in order: update_or_create opens two scopes. */
  inside?: Meaning[] | undefined;
  /** One of these inside, in Python and Ruby: update_or_create inserts the row or updates it. */
  either?: Meaning[];
  /** The type of the result, so that a chain of calls can be followed. `self`: the receiver's; `item`: one of it; `item of item`: what that is a row of; `items`: a list of those; `of`: the class that `of` names; `class X`: X; `labelled`: the class that the second argument names in the module that ends as the first does; `made by x`: one of the class that the receiver's attribute x is. */
  returns?: string;
  /** Options change the meaning: `savepoint=False` joins. The first that holds is merged over the rest. */
  when?: Variation[];
  /** Where the call sees a variable of this type, this is merged over the rest: the first of them. */
  beside?: { type: string; then: Meaning }[];
  /** Of a method known by its name alone: nothing else is called so, whether the file imports the framework or not. */
  anywhere?: true;
  /** The same of a call that has this keyword. */
  anywhereBy?: string;
  /** It chooses a connection, and is called so in place of a name: the same one for all variables that it is asked for. */
  alias?: string;
  /** Of a method known by its name alone: objects have it, a class by itself has not. */
  ofObject?: true;
  since?: Since;
}

export interface Variation {
  argument: Argument;
  /** It is what this entry of the argument is, which is a dictionary. */
  entry?: string;
  /** The argument is a function of the file whose text has one of these. */
  does?: string[];
  /** What the argument is stands elsewhere: no dictionary, and no function of the file. */
  unread?: true;
  /** The literal as written in that language, `type X`, `block without parameters`, `block that calls x`; absent: the argument is present at all. */
  is?: string;
  then: Meaning;
}

/** Where it is set to `is`, calls do this besides; or, set to anything but `unless`, it turns such a setting of this one off. */
export type Configured =
  | { is: string; calls: Record<string, Meaning> }
  | { turnsOff: string[]; unless: string };

/** How a part of a query is computed. */
export type Computes = 'one' | 'columns' | 'values' | 'first' | 'all' | 'table' | 'compared';

export interface Framework {
  name: string;
  language: 'python' | 'ruby' | 'jvm';
  /** Packages that bring it, as manifests name them: `pypi:django`. */
  packages: string[];
  /** Projects call folders so as well, beside the package that they import: of such only what stands beside a file is the project's. */
  folders?: string[];
  /** A file that uses it to open, lock or set anything has one of these; for the screen. With `|` where a word begins or ends. */
  needles: string[];
  /** Those of them by which a file declares what others use, or begins a transaction: a test with no other word opens no subtransaction. */
  declaring?: string[];
  /** By full name, resolved through imports: certain. */
  apis?: Record<string, Meaning>;
  /** Methods by class; they hold for all that descend from it. */
  types?: Record<string, Record<string, Meaning>>;
  /** Connections, sessions, databases: what opens a scope on one is told wherever something of the project gives one. */
  handles?: string[];
  /** Those of these types that projects extend: a class of theirs has the methods too. */
  extended?: string[];
  /** Types that a generator makes, by how their names end: what each of their methods means, but for `with…`, which gives another of them. */
  generated?: Record<string, Meaning>;
  /** Of what a generator makes for each table, by how the type is called, the table's name in front of the ending: what it is. */
  rows?: { within: string; ending: string; are: string };
  /** What a generator makes for the functions of a database: a class for each, which this is above, whose first argument is the name; and the one that has a method for each. */
  routines?: { above: string; all: string[] };
  /** Methods by name alone, where the receiver's type cannot be known: likely, so only telling names belong here. */
  methods?: Record<string, Meaning>;
  /** How many items such an object has, by the name under which a call says it. */
  counted?: Record<string, string>;
  /** Those of these types that do what they say only where they are executed. */
  statements?: string[];
  /** Objects that have, as attributes, what the program's modules of settings say. */
  settings?: string[];
  /** Models of the framework that a setting of this name replaces. */
  replaced?: Record<string, string>;
  /** By which methods such classes save a row of the model that their `Meta` names, where `commit` does not say otherwise, and how they call it. */
  saves?: Record<string, { by: string[]; row: string }>;
  /**
   * Classes that are `below` one of these and serve requests, as they are called: their methods that call that method of what the class has as `by`,
   * and are handed it where a project writes them; without a name they are handed it alone. A class that says no more than its model is
   * given a class of that name, which saves it.
   */
  serves?: { by: string; below: string[]; of: Record<string, Record<string, string>>; otherwise?: string };
  /** What a view's row is: a class that is called so, or a base of it, and has the first of these, has a row of that model under those names. */
  views?: { called: string; by: string[]; has: string[] };
  /**
   * Calls that give a class, as its decorator or as the second argument, the model that it serves: what its methods'
   * parameters of these names are, and those of the functions that it lists.
   */
  registers?: {
    decorator: string;
    call: string;
    parameters: Record<string, { path?: string }>;
    /** Methods that the framework has where a project has none, in a transaction: which method of which of those parameters they call. */
    does: Record<string, { of: string; method: string }>;
    lists: string;
  };
  /** Methods of a base class that the framework runs in a transaction of its own, where a project overrides them. */
  within?: Record<string, string[]>;
  /**
   * A call of such a class with this argument makes a list of its objects, of which methods mean that, or another class that its `Meta` names so:
   * what such a list has as the one that stands for all, and what has the fields of a class by their names. `maker`: the method of a view that may give the argument.
   */
  lists?: Record<
    string,
    {
      argument: string;
      is: string;
      by: string;
      methods: Record<string, Meaning>;
      each: string;
      fields: string;
      maker: string;
    }
  >;
  /** Decorators, by how they are called, of routines around which no request's transaction is; and the argument that says on which connection. */
  keepsApart?: Record<string, Argument>;
  /** Other paths to the same thing: `django.db.models.query.QuerySet` is `django.db.models.QuerySet`. */
  same?: Record<string, string>;
  /** What is called on these is a function of the database of that name: `func.lower(…)`. */
  functions?: string[];
  /** Classes whose objects stand for a call of a function of the database, and the attribute in which a class below says which. */
  expressions?: Record<string, string>;
  /**
   * Parts of a query, as they are called: what is called in their arguments, the server calls for each row. `first`, `all`: those are
   * SQL where they are text; `columns`: it has rows where it names a column; `one`: it is asked for one, or makes one; `table`: it says whose rows;
   * `compared`: whoever makes parts of queries is asked for one.
   */
  computes?: Partial<Record<Computes, string>>;
  /** How attributes end that say which database a connection speaks to, by its name: `connection.vendor`. */
  vendors?: string[];
  /** Settings that are on in tests alone, by their names: where one is on, what is handed to a queue runs at once. */
  inTests?: string[];
  /** What says the same for as long as the program runs, by how it is written; `X.*`: whatever X is asked, and what that is. */
  lasting?: string[];
  /** Calls, as a parameter's default or in its annotation, that say which function gives it; a generator is around the routine as well. */
  providers?: string[];
  /** Calls in the body of a class by which a method keeps what it gave first. */
  memoizes?: string[];
  /** Collections that a program's configuration writes out; that they are long is possible, and no more: `I18n.available_locales`. */
  configured?: string[];
  /** The type of what speaks to another database, and of all that it gives: nothing that is asked of it is seen by PostgreSQL. */
  another?: string;
  /** What speaks to databases on connections of its own: in a file that imports this too, its transactions are not those of this table. */
  apart?: string;
  /** What imports tell that a container's sources give the connection of the transaction that is open. */
  sharing?: string[];
  /** The type of objects on which nothing happens, whatever they are declared as, and the annotations of fields that hold one. */
  mocks?: { is: string; annotations: string[] };
  /** Constants of libraries whose methods have names of these tables and another meaning: `Sentry.transaction`. */
  others?: string[];
  /** Types whose classes have such methods, and their rows in no relational database. */
  elsewhere?: string[];
  /** Packages whose objects speak to a database: what no table tells of them may write. */
  speaks?: string[];
  /** What people call the object that is the database, of which types it is, or who asks it on itself, and what its brackets and these methods give: the rows of a table; `of` is what asks a model, or a row of it, for that object. */
  database?: { called: string[]; types: string[]; rows: string; by: string[]; of?: string };
  /** Calls whose block is a migration: those in it that say how it goes either way, as which object, and the one that says that no transaction is around. */
  migrations?: Record<string, { ways: string[]; self: string; apart: string }>;
  /** What a migration calls what runs only when it is taken back: a routine, or the block that it hands to what it is given, `dir.down { … }`. */
  reverts?: string[];
  /** Calls of migrations that run the file of a version, `pay_v02.sql`, and in which folder beside theirs that is; those that drop what it made. */
  versions?: { runs: Record<string, string>; drops: Record<string, Change['does']>; numbered: string };
  /** What all of its models descend from. */
  models?: string;
  /** What methods of a record mean that begin so and end with an association's name, of one or of many. */
  associates?: Record<string, { does: string; of: 'one' | 'many' }>;
  /** Calls that give the text which they are given first. */
  texts?: string[];
  /** Errors that it raises itself, before it sends the statement that fails. */
  early?: string[];
  /** Columns of models that the framework brings, of which one value is one row at most. */
  keys?: Record<string, string[]>;
  /** What a model's class has as an attribute of this name, by what it is: `Order.query.filter(…)`. */
  queries?: Record<string, string>;
  /** What the types above descend from, where that matters. */
  bases?: Record<string, string[]>;
  /**
   * Receivers known by their name alone: `{ conn: 'psycopg.Connection' }`, likely. A plain name holds only in files that
   * import the framework; a dotted one (`db.session`) holds everywhere.
   */
  receivers?: Record<string, string>;
  /** Names that projects give what another file of theirs makes or annotates: `SessionLocal` is a factory of sessions, likely. */
  nicknames?: Record<string, string>;
  /** Types whose classes stand for tables, or what gives such a class: where a class names its table, and what it is called otherwise. */
  tables?: Record<
    string,
    { attribute: string; otherwise: 'app and class' | 'snake case' | 'lower case' | 'none' }
  >;
  /** Callbacks that run when a model is written; `tells`: the parameter that says whether the row is new, `object`: the one that is what is written; `origin`: the one with which a deletion began; `of`: whose objects they are for where no class is named; `related`: it is sent where a relation is changed, which is named, in a transaction. */
  signals?: Record<
    string,
    {
      verbs: Verb[];
      timing: 'before' | 'after';
      tells?: string;
      object?: string;
      origin?: string;
      of?: string;
      related?: true;
    }
  >;
  /** Words in the body of a class of Ruby, by what they declare. */
  declares?: Partial<Record<Declares, string>>;
  /** What of a model's life begins with `before_`, `after_` or `around_` in such words, by the writes with which it comes; `late`: behind them it comes when the transaction has ended. `group`: a write may leave it out by that name. */
  callbacks?: Record<string, { verbs: Verb[]; late?: true; group?: true }>;
  /** What a class is whose base is called so at its end; of a class with any base its own name says as much where `own` is there. The first that fits. */
  called?: Record<string, { is: 'request' | 'job' | 'mailer' | 'test' | 'model'; own?: true }>;
  /** Calls in the body of a class that make it such a class, where they have one of these keywords. */
  marks?: Record<string, { by: string[]; is: string }>;
  /** Assignments of a configuration, by how what is set is called at its end. */
  configures?: Record<string, Configured>;
  /** What a program's configuration calls the address of its database, wherever it is given. */
  addresses?: string[];
  /** Who starts what: decorators, base classes and annotations that make a routine an entry. */
  entries?: Record<string, 'request' | 'job' | 'migration' | 'test' | 'command'>;
  /** Decorators that leave a call in a queue, in place of what they stand over, and the method of it that runs it at once. */
  queues?: Record<string, string>;
  /** Classes that programs derive theirs from, by what gives them: a call, `sqlalchemy.orm.declarative_base()`, or an object's attribute, `flask_sqlalchemy.SQLAlchemy().Model`. */
  classes?: Record<string, string>;
  /** Calls that stand where the class above is named, by their last word, and what the class then descends from: `class Order < Sequel::Model(:orders)`. */
  makes?: Record<string, string>;
  /** Classes right below these have their callbacks as methods of such names: `def after_save`. */
  hooked?: string[];
  /** The method of such a base class that is run, where it is not the language's usual one: `run` of a job of Que's. */
  runs?: Record<string, string>;
  /** Words that a class or a file of Ruby hands a block which answers requests: `post "/orders" do`. */
  routes?: string[];
  /** How the names of classes begin of which those below have no rows, whatever they are called. */
  rowless?: string[];
  /** Types of which a caller may hand over a special one, and what that is then: a transaction on jOOQ's inner context nests. */
  special?: Record<string, string>;
  /** Types of which a project may provide the object that a framework makes otherwise, and what is said of that one: it holds no more. */
  instead?: Record<string, string>;
  /** Of statements that a chain of calls builds: what says that a column is `equal` to a value, `within` the arguments of which; with one of `either` that need not hold. What `skips` rows that others have locked: a method, or one with its last argument. */
  comparing?: { equal: string[]; within: string[]; either: string[]; skips?: string[] };
  /** Types of which each object manages transactions on connections of its own. */
  managers?: string[];
  /** What an object of this type is to whom a caller handed it: what is open on it is the caller's. */
  handed?: Record<string, string>;
  /** Annotations of classes whose objects the framework makes. */
  managed?: string[];
  /** Annotations of interfaces that a tool implements, and which only compute. */
  pure?: string[];
  /** Annotations of classes that are kept in a table, and those that may say its name. */
  entities?: string[];
  tableNames?: string[];
  /** Of those annotations, or of types that classes extend, the ones whose objects, once read, are written when something of them was set. */
  flushed?: string[];
  /** Arguments within such a class that say what objects of another one have by it: `backref="customer"`. */
  lends?: string[];
  /** Bases of classes whose objects stand for rows, so that who sets one of their attributes writes; and what the companion of such a class descends from: it finds and makes them, in the table that it is given. */
  tracked?: string[];
  finders?: string[];
  /** What a repository of an entity extends, whose first argument that is. */
  repositories?: string[];
  /** What surrounds a method that implements this one of the framework's, which calls it. */
  implemented?: Record<string, Meaning>;
}

export const framework = (table: Framework): Framework => table;
