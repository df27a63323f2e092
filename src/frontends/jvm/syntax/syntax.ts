// What Java and Kotlin have in common, as a small tree: readers make it, one lowering reads it. It resolves no name.
import type { Source } from '../../source.ts';

interface Placed {
  start: number;
  end: number;
}

export interface TypeRef {
  /** As written, without type arguments: `Order`, `Outer.Inner`, `com.acme.Order`. */
  name: string;
  arguments: TypeRef[];
  /** Kotlin's `(A) -> B`. */
  isFunction?: boolean;
  /** `A.() -> B`: it is called on one. */
  ofReceiver?: true;
}

/** `R extends CrudRepository`: what is known of an `R`. */
export interface TypeParameter {
  name: string;
  bound?: TypeRef;
}

export interface Annotation extends Placed {
  name: string;
  arguments: Argument[];
}

export interface Argument {
  name?: string;
  value: Node;
}

export interface Parameter {
  name: string;
  type?: TypeRef;
  /** What Kotlin gives it where the caller gives nothing, if that is `true`, `false` or `null`. */
  usual?: boolean | null;
  /** What Kotlin runs for it where the caller gives nothing. */
  otherwise?: Node;
}

export type Node =
  | Name | Member | Call | Text | Literal | Lambda | Reference | Concat | Assign | Cast | Several
  | Sequence | Choice | Repeat | Try | Leave | Local | TypeBody; // biome-ignore format: expressions, then statements

/** `this` and `super` are names too. */
export interface Name extends Placed {
  kind: 'name';
  text: string;
}
export interface Member extends Placed {
  kind: 'member';
  object: Node;
  name: string;
  /** Where the name stands. */
  at: Placed;
}
export interface Call extends Placed {
  kind: 'call';
  object: Node | null;
  name: string;
  /** The words to underline. */
  at: Placed;
  arguments: Argument[];
  /** `new Name(…)`: the type, and the members of an anonymous class. */
  creates?: TypeRef;
  body?: TypeBody;
  typeArguments?: TypeRef[];
}
/** A string; a template's holes are text of their own length that is no SQL name. */
export interface Text extends Placed {
  kind: 'text';
  source: Source;
  /** Expressions inside the template. */
  holes: Node[];
}
export interface Literal extends Placed {
  kind: 'literal';
  text: string;
}
export interface Lambda extends Placed {
  kind: 'lambda';
  parameters: Parameter[];
  body: Node;
  /** Kotlin: what leaves it is called so, the name of whom it is handed to where it has none. */
  label?: string;
  /** Kotlin's `fun`: a `return` without a label leaves it, and not who hands it over. */
  isFunction?: true;
}
/** `this::place`, `Order::new`. */
export interface Reference extends Placed {
  kind: 'reference';
  object: Node | null;
  name: string;
  at: Placed;
}
export interface Concat extends Placed {
  kind: 'concat';
  parts: Node[];
}
export interface Assign extends Placed {
  kind: 'assign';
  target: Node;
  value: Node;
}
export interface Cast extends Placed {
  kind: 'cast';
  type: TypeRef;
  value: Node;
}
/** Any other expression: its operands in order. */
export interface Several extends Placed {
  kind: 'several';
  items: Node[];
}

export interface Sequence extends Placed {
  kind: 'sequence';
  items: Node[];
  /** Where `break` leads to the end of the switch. */
  isSwitchArm?: boolean;
}
/** if, switch, when, `?:`. */
export interface Choice extends Placed {
  kind: 'choice';
  /** Conditions and subject: they run first. */
  tests: Node[];
  arms: Node[];
  exhaustive: boolean;
  /** `a ?: b`: its value is what was asked for, or else the arm's. */
  isElse?: true;
}
export interface Repeat extends Placed {
  kind: 'repeat';
  how: 'each' | 'count' | 'while';
  label?: string;
  /** Runs once before: an initialiser, what is iterated over. */
  first: Node[];
  /** Runs every turn: condition, update. */
  every: Node[];
  /** `for (Order order : orders)`. */
  variable?: Parameter;
  /** Kotlin's `for ((key, value) in …)`. */
  parts?: string[];
  body: Node;
}
export interface Try extends Placed {
  kind: 'try';
  resources: Node[];
  body: Node;
  handlers: { at: Placed; catches: string[]; name: string; body: Node }[];
  finally?: Node;
}
export interface Leave extends Placed {
  kind: 'leave';
  how: 'return' | 'break' | 'continue' | 'raise';
  label?: string;
  value?: Node;
}
export interface Local extends Placed {
  kind: 'local';
  name: string;
  type?: TypeRef;
  value?: Node;
}

export interface TypeBody extends Placed {
  kind: 'type';
  name: string;
  /** Where the name stands. */
  at: Placed;
  is: 'class' | 'interface' | 'enum' | 'annotation' | 'object';
  isRecord?: boolean;
  abstract: boolean;
  annotations: Annotation[];
  bases: TypeRef[];
  /** Kotlin: what the companion descends from, and what it gives that. */
  companionBases?: TypeRef[];
  companionArguments?: Argument[];
  /** Arguments of the superclass's constructor. */
  baseArguments: Argument[];
  typeParameters: TypeParameter[];
  fields: Field[];
  methods: Method[];
  /** Initialiser blocks: they run for each object. */
  initialisers: Node[];
  /** Those that run once, when the class is used first. */
  statics: Node[];
  types: TypeBody[];
  /** Of an enum: its constants, and what each is made with. */
  entries?: { name: string; given: Argument[] }[];
}

export interface Field extends Placed {
  name: string;
  type?: TypeRef;
  value?: Node;
  annotations: Annotation[];
  static: boolean;
}

export interface Method extends Placed {
  name: string;
  at: Placed;
  isConstructor: boolean;
  /** Kotlin: what reading or setting a property does. */
  isAccessor?: boolean;
  annotations: Annotation[];
  parameters: (Parameter & { annotations: Annotation[] })[];
  typeParameters: TypeParameter[];
  returns?: TypeRef;
  /** Kotlin: `fun String.slug()`. */
  receiver?: TypeRef;
  private: boolean;
  static: boolean;
  abstract: boolean;
  body?: Node;
}

export interface Import {
  /** With dots; without the last `*`. */
  path: string;
  wildcard: boolean;
  alias?: string;
  static: boolean;
}

export interface SourceFile {
  package: string;
  imports: Import[];
  types: TypeBody[];
  /** Kotlin's top level. */
  functions: Method[];
  fields: Field[];
  /** Those of a script. */
  statements: Node[];
  typeAliases: { name: string; type: TypeRef }[];
}
