// What calls ask of the body in which they stand. Bodies themselves are made in the room after this one.
import type { Setting, Step } from '../../../ir.ts';
import type { Captured, Class, Constants, Sight, World } from '../names/scope.ts';
import type { Typed } from '../names/typed.ts';
import type { Call, Lambda, Node, TypeBody, TypeRef } from '../syntax/syntax.ts';

/** What is known of what a lambda is given. */
export interface Handed {
  /** It was read. */
  loaded?: boolean;
  /** What it is. */
  made?: Node | undefined;
  /** It is a piece of a list, of so many. */
  pieces?: Node;
}

export interface Body {
  /** Emits the steps of an expression or a statement and tells its type. */
  run(node: Node, out: Step[], handle?: string): Typed | null;
  /** A lambda's steps, its parameters being of these types. */
  lambda(node: Lambda, given: (Typed | null)[], receiver?: Typed | null, handed?: Handed): Step[];
  /** What the lambda gave, or the method that was named, which ran last. */
  gave: Typed | null;
  /** The methods of an anonymous class that is handed over. */
  anonymous(body: TypeBody, given: (Typed | null)[]): Step[];
  type(ref: TypeRef): Typed | null;
  constants(node: Node): Node | null;
  /** The same of what no object of the class can set. */
  unchanging(node: Node): Node | null;
  sight: Sight;
  world: World;
  asks: { tells(node: Node): void; nests(): void };
  /** A string that is read: connection URLs are settings. */
  onText(node: Node, constants: Constants): void;
  /** A call that may set something: `setProperty("autosave", "always")`. */
  onCall(node: Call, constants: Constants): void;
  /** What a call was seen to set. */
  onSetting(setting: Setting): void;
  /** A class inside a body. */
  onType(body: TypeBody, owner: Class | null, sees?: Captured): void;
}
