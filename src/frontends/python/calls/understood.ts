// What is known of one call, decorator or context manager before its steps are made. How it is found out, calls.ts says.
import type { Meaning } from '../../../framework.ts';
import type { Branch, Certainty, Name, Span, Yield } from '../../../ir.ts';
import type { Syntax } from '../../syntax.ts';
import type { Type } from '../names/scope.ts';

export interface Understood {
  at: Span;
  node: Syntax;
  meaning?: Meaning;
  certainty?: Certainty;
  /** Whose method it is. */
  receiver?: Type;
  /** What the linker looks for first; a meaning then holds only when it finds nothing. */
  callee?: Name;
  /** Meanings for receivers that only the linker can tell. */
  meant?: { receiver?: Name; of?: Name; is?: Name; meaning: Meaning; certainty?: Certainty; whose?: Type }[];
  /** Those whose statement of this name begins a transaction. */
  begins?: string[];
  /** It calls what the caller handed over. */
  yields?: Pick<Yield, 'parameter'>;
  /** `partial` gave it arguments that do not stand here. */
  bound?: true;
  /** A condition decides whether it is entered: what the parameter must be, or must not be to enter the `other`. */
  maybe?: Pick<Branch, 'when'> & { other: boolean };
}
