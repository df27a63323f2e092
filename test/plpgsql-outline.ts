// Two outlines of a PL/pgSQL function, ours and libpg_query's, as lines to compare: blocks, handlers, loops, branches, statements, expressions.
import { parsePlPgSQLSync } from 'libpg-query';
import { parse } from '../src/frontends/plpgsql/parse.ts';
import type { ChoiceNode, LoopNode, Range, Statement } from '../src/frontends/plpgsql/tree.ts';
import { type Token, tokens } from '../src/frontends/sql/text/lexer.ts';

export interface Definition {
  /** The whole CREATE FUNCTION, CREATE PROCEDURE or DO statement. */
  statement: string;
  /** The body, unescaped. */
  body: string;
  line: number;
}

/** The PL/pgSQL definitions of a file; a splitter of the test's own, so that it doubts the product's. */
export function definitions(file: string): Definition[] {
  const text = file
    .replace(/^copy\b[^;]*\bfrom\s+stdin[^;]*;[^\n]*\n[\s\S]*?^\\\.$/gim, blank)
    .replace(/@extschema(?::\w+)?@/g, (macro) => `e${'_'.repeat(macro.length - 1)}`);
  const out: Definition[] = [];
  let from = 0;
  const all = tokens(text).filter((token) => token.kind !== 'meta');
  for (let i = 0; i < all.length; i++) {
    if (all[i]!.text !== ';' || all[i]!.kind !== 'punctuation') continue;
    const one = definition(text, all.slice(from, i));
    if (one) out.push(one);
    from = i + 1;
  }
  return out;
}

const blank = (text: string) => text.replace(/[^\n]/g, ' ');

function definition(text: string, statement: Token[]): Definition | null {
  const word = (i: number) => (statement[i]?.kind === 'word' ? statement[i]!.text : '');
  const does = word(0) === 'do';
  let k = 1;
  if (word(k) === 'or') k += 2;
  const creates = word(0) === 'create' && (word(k) === 'function' || word(k) === 'procedure');
  if (!does && !creates) return null;
  const language = statement.findIndex((token) => token.kind === 'word' && token.text === 'language');
  const named = (statement[language + 1]?.text ?? '').replaceAll("'", '').toLowerCase();
  if (language < 0 ? !does : named !== 'plpgsql') return null;
  const isText = (i: number) => statement[i]?.inner !== undefined && statement[i]!.kind !== 'unterminated';
  const body =
    statement[
      statement.findIndex((_, i) => isText(i) && (does ? word(i - 1) !== 'language' : word(i - 1) === 'as'))
    ];
  if (!body?.inner || statement[statement.indexOf(body) + 1]?.text === ',') return null;
  const raw = text.slice(body.inner.start, body.inner.end);
  if (body.kind === 'string' && !body.text.startsWith("'")) return null; // E'…': the product's own tests look at those
  const start = statement[0]!.start;
  return {
    statement: text.slice(start, statement[statement.length - 1]!.end),
    body: body.kind === 'string' ? raw.replaceAll("''", "'") : raw,
    line: text.slice(0, start).split('\n').length,
  };
}

// ---- theirs ----------------------------------------------------------------------------------------------------

type Json = Record<string, unknown>;
type Node = Record<string, Json>;

const PLAIN: Record<string, string> = {
  return_next: 'return next', return_query: 'return query', dynexecute: 'execute', getdiag: 'get', execsql: 'sql',
}; // biome-ignore format: a table

/** Throws where libpg_query rejects the definition. */
export function theirs(statement: string): string[] {
  const result = parsePlPgSQLSync(statement) as { plpgsql_funcs?: Node[] };
  const out: string[] = [];
  for (const one of result.plpgsql_funcs ?? []) {
    const action = (one.PLpgSQL_function as Json | undefined)?.action as Node | undefined;
    if (action) block(unwrap(action.PLpgSQL_stmt_block!), 0, out);
  }
  return out;
}

/** PostgreSQL puts a block around that returns at the end; it has no line. */
function unwrap(node: Json): Json {
  const inner = (node.body as Node[] | undefined)?.[0]?.PLpgSQL_stmt_block;
  return node.lineno === undefined && inner ? inner : node;
}

const list = (node: unknown): Node[] => (node as Node[] | undefined) ?? [];
const indent = (depth: number) => '  '.repeat(depth);
const expression = (node: unknown): string =>
  node === undefined ? '' : squeeze(((node as Node).PLpgSQL_expr?.query as string | undefined) ?? '');

/** Tokens with one blank between, so that comments and line ends do not matter. */
export function squeeze(text: string): string {
  return tokens(text, 0, text.length, false)
    .map((token) => text.slice(token.start, token.end))
    .join(' ');
}

function block(node: Json, depth: number, out: string[]): void {
  out.push(`${indent(depth)}${node.lineno} block ${node.label ?? ''}`.trimEnd());
  body(node.body, depth + 1, out);
  const exceptions = (node.exceptions as Node | undefined)?.PLpgSQL_exception_block;
  for (const one of list(exceptions?.exc_list)) {
    const handler = one.PLpgSQL_exception!;
    const names = list(handler.conditions).map((c) => c.PLpgSQL_condition!.condname);
    out.push(`${indent(depth)}handler ${[...new Set(names)].join(' or ')}`);
    body(handler.action, depth + 1, out);
  }
}

function body(nodes: unknown, depth: number, out: string[]): void {
  for (const one of list(nodes)) {
    const [name, node] = Object.entries(one)[0]!;
    statement(name.replace('PLpgSQL_stmt_', ''), node, depth, out);
  }
}

function statement(kind: string, node: Json, depth: number, out: string[]): void {
  const at = `${indent(depth)}${node.lineno}`;
  const loop = (what: string) => {
    out.push(`${at} loop ${what}${node.label ? ` <<${node.label}>>` : ''}`);
    body(node.body, depth + 1, out);
  };
  if (kind === 'return' && node.lineno === undefined) return; // added at the end by PostgreSQL
  if (kind === 'block') block(node, depth, out);
  else if (kind === 'loop') loop('nothing');
  else if (kind === 'while') loop(`condition ${expression(node.cond)}`);
  else if (kind === 'fori')
    loop(
      `range${node.reverse ? ' reverse' : ''} ${expression(node.lower)} .. ${expression(node.upper)} ${expression(node.step)}`.trimEnd(),
    );
  else if (kind === 'fors') loop(`query ${expression(node.query)}`);
  else if (kind === 'dynfors') loop('execute');
  else if (kind === 'forc') loop('cursor');
  else if (kind === 'foreach_a') loop(`array ${expression(node.expr)}`);
  else if (kind === 'if') {
    out.push(`${at} if ${expression(node.cond)}`);
    body(node.then_body, depth + 1, out);
    for (const one of list(node.elsif_list)) {
      const arm = one.PLpgSQL_if_elsif!;
      out.push(`${indent(depth)}${arm.lineno} elsif ${expression(arm.cond)}`);
      body(arm.stmts, depth + 1, out);
    }
    if (node.else_body) body(node.else_body, depth + 1, out);
  } else if (kind === 'case') {
    out.push(`${at} case ${expression(node.t_expr)}`.trimEnd());
    for (const one of list(node.case_when_list)) {
      const arm = one.PLpgSQL_case_when!;
      out.push(`${indent(depth)}${arm.lineno} when`);
      body(arm.stmts, depth + 1, out);
    }
    body(node.else_stmts, depth + 1, out);
  } else out.push(`${at} ${plainText(kind, node)}`);
}

function plainText(kind: string, node: Json): string {
  if (kind === 'exit') return node.is_exit ? 'exit' : 'continue';
  if (kind === 'fetch') return node.is_move ? 'move' : 'fetch';
  if (kind === 'call') return expression(node.expr).toLowerCase().startsWith('call') ? 'call' : 'do';
  return PLAIN[kind] ?? kind;
}

// ---- ours ------------------------------------------------------------------------------------------------------

export function ours(text: string): string[] {
  const { tokens: all, statements } = parse(text);
  const out: string[] = [];
  const line = lines(text);
  const textOf = (range: Range) =>
    range.to > range.from ? squeeze(text.slice(all[range.from]!.start, all[range.to - 1]!.end)) : '';
  const walk = (nodes: Statement[], depth: number) => {
    for (const node of nodes) {
      const at = `${indent(depth)}${line(all[node.at]!.start)}`;
      if (node.kind === 'block') {
        out.push(`${at} block ${node.label ?? ''}`.trimEnd());
        walk(node.body, depth + 1);
        for (const handler of node.exception?.handlers ?? []) {
          out.push(`${indent(depth)}handler ${[...new Set(handler.conditions)].join(' or ')}`);
          walk(handler.body, depth + 1);
        }
      } else if (node.kind === 'loop') {
        out.push(`${at} loop ${header(node, textOf)}${node.label ? ` <<${node.label}>>` : ''}`);
        walk(node.body, depth + 1);
      } else if (node.kind === 'plain') {
        if (node.verb !== 'null') out.push(`${at} ${node.verb}`);
      } else arms(node, at, depth);
    }
  };
  const arms = (node: ChoiceNode, at: string, depth: number) => {
    if (node.kind === 'case') out.push(`${at} case ${textOf(node.on)}`.trimEnd());
    for (const [k, arm] of node.arms.entries()) {
      const place = `${indent(depth)}${line(all[arm.at]!.start)}`;
      if (node.kind === 'if' && arm.condition)
        out.push(`${place} ${k === 0 ? 'if' : 'elsif'} ${textOf(arm.condition)}`);
      else if (arm.condition) out.push(`${place} when`);
      walk(arm.body, depth + 1);
    }
  };
  walk(statements, 0);
  return out;
}

function header(node: LoopNode, textOf: (range: Range) => string): string {
  const over = node.over;
  if (over.what === 'condition') return `condition ${textOf(over.condition)}`;
  if (over.what === 'query') return `query ${textOf(over.query)}`;
  if (over.what === 'array') return `array ${textOf(over.array)}`;
  if (over.what !== 'range') return over.what;
  const by = over.by ? textOf(over.by) : '';
  return `range${over.reverse ? ' reverse' : ''} ${textOf(over.low)} .. ${textOf(over.high)} ${by}`.trimEnd();
}

function lines(text: string): (offset: number) => number {
  const ends: number[] = [];
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) ends.push(i);
  return (offset) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}
