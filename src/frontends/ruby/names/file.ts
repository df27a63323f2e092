// What is known while one Ruby file is read: its unit, its classes, the variables of a body. It lowers nothing itself.
import type { Alias, Name, Routine, Step, TypeDeclaration, Unit } from '../../../ir.ts';
import { createPlacing } from '../../placing.ts';
import type { Syntax } from '../../syntax.ts';
import { type Arguments, type Text, textOf } from '../syntax.ts';

export interface RubyFile extends Text {
  unit: Unit;
  owners: Map<string, Owner>;
  /** Aliases already given to the unit. */
  aliased: Set<string>;
  /** Constants with a literal, by the name of their owner and their own: `Shop::SQL`. */
  constants: Map<string, Syntax>;
  /** SQL that calls hand over, by where it begins: routines that nobody wrote. */
  handed: Map<number, Name>;
  /** What waits until the variables of all classes are known. */
  waiting?: (() => void)[] | undefined;
  /** What calls hand over, as far as that is said. */
  told?: Set<string>;
  /** It has a word that tells whether a transaction is open: looked for when a condition is asked first. */
  tellsOpen?: boolean;
  /** Where words stand by which a test opens something, once an example is met. */
  opening?: number[];
  /** Those constants that something makes longer, once somebody asks. */
  grown?: Set<string>;
  /** Which variables their methods give one value, by where the method begins and their name: asked once. */
  staying: Map<string, boolean>;
}

/** A class or module. */
export interface Owner {
  /** `Shop::Order`; empty for the top of the file. */
  name: string;
  kind: 'class' | 'module' | 'file';
  /** Names of the classes around and itself, the innermost first: where constants are looked up. */
  nesting: string[];
  superclass: string | null;
  declaration: TypeDeclaration;
  ivars: Map<string, Type>;
  /** `extend ActiveSupport::Concern`, or an `included` hook that extends ClassMethods. */
  concern: boolean;
  role: 'model' | 'controller' | 'job' | 'migration' | 'test' | 'mailer' | null;
  methods: Method[];
  callbacks: ControllerCallback[];
  privates: Set<string>;
  /** Methods that keep what they gave first; of the class itself as `self.usual`. */
  memoized?: Set<string>;
  /** Instance variables that one lambda, method or symbol alone is given to. */
  held?: Map<string, Syntax>;
  /** Which attribute has what an object is made with, by name and place: of a Struct, of `option`. */
  options?: Record<string, string[]>;
  /** Instance variables that its methods give a value. */
  assigned?: Set<string>;
  /** `attr_reader :order`. */
  attributes: Set<string>;
  /** `attr_writer :order`, `attr_accessor :order`. */
  writers: Set<string>;
  outsideTransaction: boolean;
  /** `primary_abstract_class`. */
  primary?: boolean;
}

/** A call in a body, in its parts. */
/** A call as it is looked at by those who may know what it means. */
export interface Asked {
  node: Syntax;
  name: string;
  at: Syntax;
  receiver: Syntax | undefined;
  type: Type | null;
  args: Arguments;
  block: Step[] | null;
}

/** A call in the body of a class that declares something: `has_many :lines`. */
export interface Macro {
  file: RubyFile;
  owner: Owner;
  node: Syntax;
  name: string;
  /** In `class << self`. */
  singleton: boolean;
  args: Arguments;
}

export interface Method {
  owner: Owner;
  name: string;
  singleton: boolean;
  node: Syntax;
  at: Syntax;
  private: boolean;
}

export interface ControllerCallback {
  around: boolean;
  method: string | null;
  block: Syntax | null;
  only: string[] | null;
  except: string[] | null;
  at: Syntax;
}

/** `class`: the class itself; `one`: an instance; `many`: a relation of instances; `some`: what an attribute gives. */
export interface Type {
  name: Name;
  kind: 'class' | 'one' | 'many' | 'some' | 'builtin';
  /** It was made here and has no row yet. */
  fresh?: boolean;
}

export const BUILTIN: Type = { name: 'ruby:Object', kind: 'builtin' };

export interface Known {
  type?: Type | null;
  /** A string, hash or lambda that the variable holds. */
  value?: Syntax;
  /** It is a list of so many items, or fewer: one of those that are written out around. */
  items?: number;
  /** It is one of these hashes that are written out. */
  tables?: Syntax[];
  /** One of these texts, another in each turn of the loop that gives it. */
  among?: Syntax[];
  /** It is one of what this constant of another file lists. */
  from?: Syntax;
  /** It is one of what this gives. */
  of?: Syntax;
  /** The method was given it, and no assignment came since. */
  given?: true;
  /** Whether its method leaves it as it is: asked once. */
  kept?: boolean;
}

/** One body that is being lowered. */
export interface Body {
  file: RubyFile;
  owner: Owner;
  /** `self` is the class. */
  singleton: boolean;
  method: string | null;
  /** In what `instance_exec` runs, the object that it is asked of; null where nobody knows it. */
  self?: Type | null;
  locals: Map<string, Known>;
  /** The `&block` parameter. */
  blockName: string | null;
  /** What takes the options that have no parameter of their own: `**options`, `**`, `...`, `options = {}`. */
  rest: string | null;
  /** Those of them that a call in it is given. */
  restAsked: Set<string>;
  /** What is saved with a record that was made here, by the variable that holds it. */
  carried: Map<string, Step[]>;
  /** The variables of which its method asks that by themselves; found when it is wanted. */
  saves?: Set<string>;
  /** The tags of the `catch` blocks around. */
  catching: string[];
  /** For the lambdas of this body that are called in it. */
  place: ReturnType<typeof createPlacing>;
  /** Objects that the SQL inside creates go to the unit only where they stay: in `up` and `change`. */
  keepsObjects: boolean;
}

export function newBody(file: RubyFile, owner: Owner, singleton: boolean, method: string | null): Body {
  return {
    file,
    owner,
    singleton,
    method,
    locals: new Map(),
    blockName: null,
    rest: null,
    restAsked: new Set(),
    carried: new Map(),
    catching: [],
    place: createPlacing(),
    keepsObjects: true,
  };
}

/** Top-level constants of Ruby and Rails, which nobody nests. */
const WELL_KNOWN =
  /^(ActiveRecord|ActiveJob|ActiveSupport|ActionController|ActionMailer|ActiveModel|ApplicationRecord|ApplicationController|ApplicationJob|ApplicationMailer|Rails|Sequel|ROM|Sidekiq|GoodJob|Time|Date|DateTime|File|Dir|IO|Hash|Array|String|Symbol|Integer|Float|Kernel|Object|Class|Module|Struct|Set|JSON|YAML|CSV|Net|URI|Thread|Process|Math|Logger|ENV|Pathname|StandardError|ArgumentError|RuntimeError|PG|DB|RailsEventStore|RubyEventStore|BigDecimal|Random|SecureRandom|Digest|Base64|Open3|HTTParty|Faraday|RestClient|HTTPX|Typhoeus|Excon|Concurrent|Mutex|Queue|Benchmark|Timeout|Sentry|NewRelic|Redis|I18n|GC|ObjectSpace|Proc|Regexp|Range|Enumerator|Comparable|Enumerable|Data|Ractor|Fiber)$/;

/** The name of a constant as it is written here: of this file, or the innermost with aliases to the outer ones. */
export function constantName(file: RubyFile, node: Syntax, owner: Owner): Name {
  return resolveConstant(file, textOf(file, node).replace(/\s+/g, ''), owner);
}

export function resolveConstant(file: RubyFile, written: string, owner: Owner): Name {
  if (written.startsWith('::')) return `ruby:${written.slice(2)}`;
  if (WELL_KNOWN.test(written.split('::', 1)[0]!)) return `ruby:${written}`;
  // `Spree::Order` inside `module Spree` is that one.
  const outermost = owner.nesting.at(-1)?.split('::', 1)[0];
  if (outermost !== undefined && written.startsWith(`${outermost}::`)) return `ruby:${written}`;
  const candidates = [...owner.nesting.map((around) => `${around}::${written}`), written];
  for (const one of candidates) if (file.owners.has(one)) return `ruby:${one}`;
  const innermost = candidates[0]!;
  if (!file.aliased.has(innermost)) {
    file.aliased.add(innermost);
    const from: Name = `ruby:${innermost}`;
    file.unit.aliases.push(...candidates.slice(1).map((to): Alias => ({ from, to: `ruby:${to}` })));
  }
  return `ruby:${innermost}`;
}

export const selfType = (body: Body): Type | null =>
  body.self !== undefined
    ? body.self
    : body.owner.kind === 'file'
      ? null
      : { name: `ruby:${body.owner.name}`, kind: body.singleton ? 'class' : 'one' };

/** `ruby:Shop::Order#save`, `ruby:Shop::Order.create`. */
export function methodName(owner: Owner, name: string, singleton: boolean): Name {
  return owner.kind === 'file' ? `ruby:${name}` : `ruby:${owner.name}${singleton ? '.' : '#'}${name}`;
}

export function addRoutine(
  file: RubyFile,
  routine: Omit<Routine, 'kind'> & { kind?: Routine['kind'] },
): void {
  file.unit.routines.push({ kind: 'method', ...routine });
}
