// What PostgreSQL's own parser says of a statement, in the words of our steps, so that the two can be compared.
import { parseSync } from 'libpg-query';
import { plain } from '../src/frontends/source.ts';
import { lowerStatement, type SqlScope } from '../src/frontends/sql/statement.ts';
import { givesRows, isAggregate, isBuiltin } from '../src/frontends/sql/text/builtins.ts';
import { statements } from '../src/frontends/sql/text/split.ts';
import { emptyUnit, inside, type Step, type Unit } from '../src/ir.ts';

export interface Facts {
  calls: string[];
  writes: string[];
  reads: string[];
  locks: string[];
  flow: string[];
  /** Triggers, foreign keys, views, parents. */
  objects: string[];
}

const noFacts = (): Facts => ({ calls: [], writes: [], reads: [], locks: [], flow: [], objects: [] });

type Node = Record<string, unknown>;

const quote = (part: string) => (/^[a-z_][a-z0-9_$]*$/.test(part) ? part : `"${part.replaceAll('"', '""')}"`);
const strings = (list: unknown) =>
  ((list ?? []) as { String?: { sval?: string } }[]).map((item) => quote(item.String?.sval ?? ''));
const relation = (node: Node | undefined) =>
  [node?.schemaname, node?.relname]
    .filter(Boolean)
    .map((part) => quote(part as string))
    .join('.');

/** The oracle's facts; null when it does not accept the text as one statement. */
export function expected(text: string): Facts | null | 'several' {
  let parsed: Node;
  try {
    parsed = parseSync(text) as unknown as Node;
  } catch {
    return null;
  }
  const list = (parsed.stmts ?? []) as { stmt: Node }[];
  if (list.length !== 1) return 'several';
  const facts = noFacts();
  visit(list[0]!.stmt, facts, new Set());
  return tidy(facts);
}

function visit(node: unknown, facts: Facts, ctes: Set<string>): void {
  if (Array.isArray(node)) {
    for (const item of node) visit(item, facts, ctes);
    return;
  }
  if (node === null || typeof node !== 'object') return;
  for (const [kind, value] of Object.entries(node as Node)) {
    if (value === null || typeof value !== 'object') continue;
    const handler = HANDLERS[kind];
    const n = value as Node;
    const inner = withNames(n, facts, ctes);
    if (handler === 'skip') continue;
    if (typeof handler === 'function' && handler(n, facts, inner) === 'stop') continue;
    visit(value, facts, inner);
  }
}

/** Each expression of a WITH sees those before it, and all of them where it is RECURSIVE. */
function withNames(n: Node, facts: Facts, ctes: Set<string>): Set<string> {
  const clause = n.withClause as { ctes: { CommonTableExpr: Node }[]; recursive?: boolean } | undefined;
  if (!clause) return ctes;
  delete n.withClause;
  const all = clause.ctes.map((item) => quote(item.CommonTableExpr.ctename as string));
  const seen = new Set(clause.recursive ? [...ctes, ...all] : ctes);
  clause.ctes.forEach((item, i) => {
    // The planner leaves out what only reads and is not named.
    const others = JSON.stringify([n, clause.ctes.slice(i + 1)]);
    const reads = 'SelectStmt' in (item.CommonTableExpr.ctequery as Node);
    if (reads && !others.includes(`"relname":${JSON.stringify(item.CommonTableExpr.ctename)}`)) return;
    visit(item.CommonTableExpr.ctequery, facts, new Set(seen));
    seen.add(all[i]!);
  });
  return seen;
}

const STRENGTH: Record<string, string> = {
  LCS_FORUPDATE: 'update',
  LCS_FORNOKEYUPDATE: 'no key update',
  LCS_FORSHARE: 'share',
  LCS_FORKEYSHARE: 'key share',
};

const write = (verb: string) => (n: Node, facts: Facts, ctes: Set<string>) => {
  if (verb !== 'nothing') facts.writes.push(`${verb} ${relation(n.relation as Node)}`);
  // The target is no read; the rest of the statement is looked at.
  const { relation: _target, ...rest } = n;
  visit(rest, facts, ctes);
  return 'stop' as const;
};

/** The planner's word for an EXISTS whose columns it throws away. */
function isSimple(select: Node): boolean {
  if (select.havingClause) return false;
  const called = JSON.stringify(select.targetList ?? '').matchAll(/"sval":"(\w+)"\}\}\]/g);
  return ![...called].some(([, name]) => isAggregate(name!) || givesRows(name!));
}

/** Whether FOR UPDATE finds rows there: a relation, or a query over one; a common table expression or a function has none. */
function hasRows(from: unknown, ctes: Set<string>, of?: string[]): boolean {
  const isMeant = ({ alias, relname }: Node) =>
    !of || of.includes(((alias as Node | undefined)?.aliasname ?? relname) as string);
  return ((from ?? []) as Record<string, Node>[]).some(({ RangeVar, RangeSubselect, JoinExpr }) => {
    if (RangeVar) return isMeant(RangeVar) && !ctes.has(relation(RangeVar));
    // Its own alias cannot be locked: PostgreSQL refuses that.
    if (JoinExpr) return hasRows([JoinExpr.larg, JoinExpr.rarg], ctes, of);
    if (RangeSubselect && !isMeant(RangeSubselect)) return false;
    const select = (RangeSubselect?.subquery as { SelectStmt?: Node } | undefined)?.SelectStmt;
    return select !== undefined && hasRows(select.fromClause, ctes);
  });
}

const HANDLERS: Record<string, 'skip' | ((n: Node, facts: Facts, ctes: Set<string>) => 'stop' | undefined)> =
  {
    FuncCall(n, facts) {
      const parts = strings(n.funcname);
      if (parts[0] !== 'pg_catalog' && (parts.length > 1 || !isBuiltin(parts[0]!)))
        facts.calls.push(parts.join('.'));
      return undefined;
    },
    CallStmt(n, facts, ctes) {
      visit({ FuncCall: n.funccall }, facts, ctes);
      return 'stop';
    },
    SelectStmt(n, _facts, ctes) {
      const clauses = (n.lockingClause ?? []) as { LockingClause: { lockedRels?: { RangeVar: Node }[] } }[];
      n.lockingClause = clauses.filter(({ LockingClause: { lockedRels } }) =>
        hasRows(
          n.fromClause,
          ctes,
          lockedRels?.map(({ RangeVar }) => RangeVar.relname as string),
        ),
      );
      return undefined;
    },
    SubLink(n) {
      const select = (n.subselect as { SelectStmt?: Node } | undefined)?.SelectStmt;
      if (n.subLinkType === 'EXISTS_SUBLINK' && select?.op === 'SETOP_NONE' && isSimple(select))
        for (const clause of ['targetList', 'groupClause', 'sortClause']) delete select[clause];
      return undefined;
    },
    RangeVar(n, facts, ctes) {
      const name = relation(n);
      if (!ctes.has(name)) facts.reads.push(name);
      return undefined;
    },
    InsertStmt: write('insert'),
    UpdateStmt: write('update'),
    DeleteStmt: write('delete'),
    MergeStmt(n, facts, ctes) {
      const actions = n.mergeWhenClauses as { MergeWhenClause: Node }[];
      const nothing = actions.every((item) => item.MergeWhenClause.commandType === 'CMD_NOTHING');
      return write(nothing ? 'nothing' : 'merge')(n, facts, ctes);
    },
    CopyStmt(n, facts, ctes) {
      if (!n.is_from) {
        if (n.relation) facts.reads.push(relation(n.relation as Node));
        return undefined;
      }
      return write('copy')(n, facts, ctes);
    },
    TruncateStmt(n, facts) {
      for (const item of n.relations as { RangeVar: Node }[])
        facts.writes.push(`truncate ${relation(item.RangeVar)}`);
      return 'stop';
    },
    LockingClause(n, facts) {
      facts.locks.push(
        `${STRENGTH[n.strength as string]}${n.waitPolicy === 'LockWaitSkip' ? ' skip locked' : ''}`,
      );
      return 'stop';
    },
    TransactionStmt(n, facts) {
      const kind = (n.kind as string).replace('TRANS_STMT_', '').toLowerCase();
      const name = n.savepoint_name ? ` ${quote(n.savepoint_name as string)}` : '';
      if (!kind.endsWith('_prepared')) facts.flow.push(`${kind}${name}${n.chain ? ' chain' : ''}`);
      return undefined;
    },
    IntoClause(n, facts, ctes) {
      facts.writes.push(`ddl ${relation(n.rel as Node)}`);
      const { rel: _rel, viewQuery: _again, ...rest } = n;
      visit(rest, facts, ctes);
      return 'stop';
    },
    ExplainStmt(n) {
      const options = (n.options ?? []) as { DefElem: Node }[];
      const analyze = options.find((item) => /^analy[sz]e$/.test(item.DefElem.defname as string))?.DefElem;
      if (!analyze) return 'stop';
      const arg = JSON.stringify(analyze.arg ?? '');
      return /"(?:off|false)"|"ival":0|"Integer":\{\}|"boolval":false/.test(arg) ? 'stop' : undefined;
    },
  };

function tidy(facts: Facts): Facts {
  for (const list of Object.values(facts) as string[][]) {
    const sorted = [...new Set(list)].sort();
    list.splice(0, list.length, ...sorted);
  }
  return facts;
}

/** Our facts of the same statement. */
export function came(text: string): Facts {
  const declare = emptyUnit('x.sql', 'sql');
  const scope: SqlScope = { declare, searchPath: null, prepared: new Map() };
  const facts = noFacts();
  for (const piece of statements(text, { psql: false }))
    if (piece.kind === 'statement') collect(lowerStatement(plain(text), piece.tokens, scope), facts);
  for (const prepared of scope.prepared!.values()) collect(prepared, facts);
  declared(declare, facts);
  return tidy(facts);
}

function declared(declare: Pick<Unit, 'triggers'>, facts: Facts): void {
  for (const trigger of declare.triggers)
    if (trigger.via === 'view' && /read|truncate/.test(trigger.verbs[0]!)) collect(trigger.body, facts);
}

function collect(steps: Step[], facts: Facts): void {
  for (const step of steps) {
    if (step.kind === 'call' && !step.callee.startsWith('sql:operator('))
      facts.calls.push(step.callee.slice(4));
    else if (step.kind === 'write' && step.relation)
      facts.writes.push(`${step.verb} ${step.relation.slice(4)}`);
    else if (step.kind === 'read') facts.reads.push(step.relation?.slice(4) ?? '?');
    else if (step.kind === 'row lock')
      facts.locks.push(`${step.strength}${step.skipLocked ? ' skip locked' : ''}`);
    else if (step.kind === 'begin') facts.flow.push('begin');
    else if (step.kind === 'commit')
      facts.flow.push(step.prepares ? 'prepare' : `commit${step.chain ? ' chain' : ''}`);
    else if (step.kind === 'rollback') facts.flow.push(`rollback${step.chain ? ' chain' : ''}`);
    else if (step.kind === 'savepoint' || step.kind === 'release')
      facts.flow.push(`${step.kind} ${step.name}`);
    else if (step.kind === 'rollback to') facts.flow.push(`rollback_to ${step.name}`);
    for (const list of inside(step)) collect(list, facts);
  }
}

// ---- definitions -----------------------------------------------------------------------------------------------

/** What the oracle says that a definition declares, in the words of `declaredBy`. */
export function expectedObjects(text: string): string[] | null {
  let list: { stmt: Record<string, Node> }[];
  try {
    list = (parseSync(text) as unknown as { stmts: { stmt: Record<string, Node> }[] }).stmts ?? [];
  } catch {
    return null;
  }
  const out: string[] = [];
  for (const { stmt } of list) for (const [kind, n] of Object.entries(stmt)) DEFINITIONS[kind]?.(n, out);
  return out.sort();
}

const EVENTS: [number, string][] = [
  [4, 'insert'],
  [16, 'update'],
  [8, 'delete'],
  [32, 'truncate'],
];

const DEFINITIONS: Record<string, (n: Node, out: string[]) => void> = {
  CreateTrigStmt(n, out) {
    const events = EVENTS.filter(([bit]) => (n.events as number) & bit).map(([, verb]) => verb);
    const timing = (n.timing as number) & 2 ? 'before' : (n.timing as number) & 64 ? 'instead' : 'after';
    const name = quote(n.trigname as string);
    const f = strings(n.funcname).join('.');
    out.push(
      `${n.row ? 'row' : 'statement'} ${name} on ${relation(n.relation as Node)} ${timing} ${events.sort()} runs ${f}${n.initdeferred ? ' deferred' : ''}${n.whenClause ? ' when' : ''}${n.columns ? ` of ${strings(n.columns).sort()}` : ''}`,
    );
  },
  CreateFunctionStmt(n, out) {
    const all = ((n.parameters ?? []) as { FunctionParameter: Node }[]).map((item) => item.FunctionParameter);
    const own = all.filter(
      (p) => p.mode !== 'FUNC_PARAM_TABLE' && (n.is_procedure || p.mode !== 'FUNC_PARAM_OUT'),
    );
    const variadic = own.some((p) => p.mode === 'FUNC_PARAM_VARIADIC');
    const required = own.filter((p) => !p.defexpr && p.mode !== 'FUNC_PARAM_VARIADIC').length;
    const options = ((n.options ?? []) as { DefElem: Node }[]).map((item) => item.DefElem);
    const language = options.find((o) => o.defname === 'language')?.arg as
      | { String?: { sval: string } }
      | undefined;
    const names = own.map((p) => (p.name ? quote(p.name as string) : '-'));
    out.push(
      `${n.is_procedure ? 'procedure' : 'function'} ${strings(n.funcname).join('.')} ${required}/${variadic ? 'many' : own.length} (${names}) in ${language?.String?.sval.toLowerCase() ?? 'sql'}`,
    );
  },
  CreateStmt: (n, out) => table(n, out),
  CreateForeignTableStmt: (n, out) => table((n.base ?? n.baseStmt ?? {}) as Node, out),
  // One that fires on replicas alone does not fire here. It is of no table.
  AlterEventTrigStmt: (n, out) =>
    out.push(
      `${/[DR]/.test(n.tgenabled as string) ? 'disable' : 'enable'} trigger ${quote(n.trigname as string)} on *`,
    ),
  AlterTableStmt(n, out) {
    const name = relation(n.relation as Node);
    for (const { AlterTableCmd: c } of n.cmds as { AlterTableCmd: Node }[]) {
      const def = c.def as Record<string, Node> | undefined;
      if (c.subtype === 'AT_AddConstraint') foreignKey(def!.Constraint!, name, out);
      else if (c.subtype === 'AT_AddColumn') column(def!.ColumnDef!, name, out);
      else if (/^AT_(Enable|Disable).*Trig/.test(c.subtype as string))
        out.push(
          `${/Enable/.test(c.subtype as string) ? 'enable' : 'disable'} trigger ${c.name ? quote(c.name as string) : /All$/.test(c.subtype as string) ? 'all' : 'user'} on ${name}`,
        );
      else if (c.subtype === 'AT_AddInherit') out.push(`${name} under ${relation(def!.RangeVar)}`);
      else if (c.subtype === 'AT_AttachPartition' && n.objtype === 'OBJECT_TABLE')
        out.push(`${relation((def!.PartitionCmd as Node).name as Node)} under ${name}`);
    }
  },
};

function table(n: Node, out: string[]): void {
  const name = relation(n.relation as Node);
  for (const parent of (n.inhRelations ?? []) as { RangeVar: Node }[])
    out.push(`${name} under ${relation(parent.RangeVar)}`);
  for (const element of (n.tableElts ?? []) as Record<string, Node>[]) {
    if (element.Constraint) foreignKey(element.Constraint, name, out);
    if (element.ColumnDef) column(element.ColumnDef, name, out);
  }
}

function column(n: Node, name: string, out: string[]): void {
  for (const item of (n.constraints ?? []) as { Constraint: Node }[])
    foreignKey({ ...item.Constraint, fk_attrs: [{ String: { sval: n.colname } }] }, name, out);
}

function foreignKey(n: Node, child: string, out: string[]): void {
  if (n.contype === 'CONSTR_FOREIGN')
    out.push(`foreign key ${child} (${strings(n.fk_attrs)}) to ${relation(n.pktable as Node)}`);
}

/** The same of what we declare. */
export function declaredBy(text: string): string[] {
  const declare = emptyUnit('x.sql', 'sql');
  for (const piece of statements(text, { psql: false }))
    if (piece.kind === 'statement') lowerStatement(plain(text), piece.tokens, { declare, searchPath: null });
  const bare = (name: string) => name.replace(/^sql:/, '');
  const out: string[] = [];
  const first = declare.routines[0];
  // What the body of a function would define when it runs, the oracle does not see.
  if (
    first &&
    first.kind !== 'anonymous' &&
    declare.routines.length + declare.triggers.length + declare.relations.length > 1
  ) {
    declare.routines = [first];
    declare.triggers = declare.relations = declare.foreignKeys = declare.changes = [];
  }
  for (const t of declare.triggers)
    if (t.via === 'trigger') {
      const called = t.body.at(-1) as { callee: string };
      out.push(
        `${t.each} ${t.name} on ${bare(t.relation)} ${t.timing} ${[...t.verbs].sort()} runs ${bare(called.callee)}${t.deferred ? ' deferred' : ''}${t.conditional ? ' when' : ''}${t.columns ? ` of ${[...t.columns].sort()}` : ''}`,
      );
    }
  for (const r of declare.routines)
    if (r.parameters)
      out.push(
        `${r.kind} ${bare(r.name)} ${r.parameters!.required}/${r.parameters!.total ?? 'many'} (${r.parameters!.names!.map((n) => n ?? '-')}) in ${r.language}`,
      );
  for (const key of declare.foreignKeys)
    out.push(`foreign key ${bare(key.child)} (${key.columns}) to ${bare(key.parent)}`);
  for (const r of declare.relations)
    for (const parent of r.parents ?? [])
      if (!parent.includes('"domain ')) out.push(`${bare(r.name)} under ${bare(parent)}`);
  for (const c of declare.changes)
    if (/able trigger$/.test(c.does)) out.push(`${c.does} ${c.name} on ${bare(c.relation!)}`);
  return out.sort();
}

/** Statements whose steps the oracle can judge; definitions are judged elsewhere. */
export const JUDGED =
  /^(?:select|with|values|table|insert|update|delete|merge|begin|start|commit|end|rollback|abort|savepoint|release|prepare|call|declare|explain|copy|truncate|create\s+(?:or\s+replace\s+)?(?:(?:global|local|temp|temporary|recursive|materialized|unlogged)\s+)*view|create\s+materialized\s+view|\()/i;

export function compare(text: string): { judged: boolean; differences: string[] } {
  const wanted = expected(text);
  if (wanted === null || wanted === 'several')
    return { judged: false, differences: wanted === 'several' ? ['more than one statement'] : [] };
  const got = came(text);
  const differences: string[] = [];
  for (const key of ['calls', 'writes', 'reads', 'locks', 'flow'] as const) {
    const a = key === 'flow' ? wanted.flow.map((x) => x.replace('start', 'begin')) : wanted[key];
    const b = key === 'writes' ? got[key].filter((x) => !x.startsWith('ddl') || a.includes(x)) : got[key];
    if (a.join() !== b.join()) differences.push(`${key}: PostgreSQL [${a.join(', ')}], we [${b.join(', ')}]`);
  }
  return { judged: true, differences };
}
