// What the PL/pgSQL parser gives: statements with token positions. Not what they mean.

/** Indexes of tokens; `to` is one past the last. */
export interface Range {
  from: number;
  to: number;
}

export interface Declaration {
  /** As `identifier` prints it. */
  name: string;
  /** The type's tokens; empty for cursors and aliases. */
  type: Range;
  constant: boolean;
  initial?: Range;
  cursor?: { parameters: string[]; query: Range };
}

export interface HandlerNode {
  /** The word WHEN, and one past its last condition. */
  at: Range;
  conditions: string[];
  body: Statement[];
}

export interface BlockNode {
  kind: 'block';
  /** The word BEGIN. */
  at: number;
  label?: string;
  declarations: Declaration[];
  body: Statement[];
  /** The word EXCEPTION with its handlers; `to` is the END after them, absent in half-typed text. */
  exception?: { at: number; to?: number; handlers: HandlerNode[] };
}

export interface LoopNode {
  kind: 'loop';
  /** The word LOOP, WHILE, FOR or FOREACH. */
  at: number;
  label?: string;
  over:
    | { what: 'nothing' }
    | { what: 'condition'; condition: Range }
    | { what: 'range'; low: Range; high: Range; by?: Range; reverse: boolean }
    | { what: 'query'; query: Range }
    | { what: 'execute'; query: Range }
    | { what: 'cursor'; name: string; args: Range }
    | { what: 'array'; array: Range };
  targets: Range;
  body: Statement[];
}

/** IF, and CASE as a statement; an arm without a condition is the ELSE. */
export interface ChoiceNode {
  kind: 'if' | 'case';
  at: number;
  /** What CASE compares; empty for IF. */
  on: Range;
  arms: { at: number; condition?: Range; body: Statement[] }[];
}

export type Verb =
  | 'assign' | 'exit' | 'continue' | 'return' | 'return next' | 'return query' | 'raise' | 'assert' | 'perform' | 'execute'
  | 'open' | 'fetch' | 'move' | 'close' | 'get' | 'call' | 'do' | 'commit' | 'rollback' | 'null' | 'sql'; // biome-ignore format: one list

/** A statement without statements inside; its range ends before the semicolon. */
export interface PlainNode extends Range {
  kind: 'plain';
  verb: Verb;
  at: number;
}

export type Statement = BlockNode | LoopNode | ChoiceNode | PlainNode;
