// Which tables a finding is about: those that its cause and the steps of its way write, read, lock or fire on.
import { inside, type Name, type Span, type Step, type Unit } from '../../ir.ts';
import { type Finding, kept, type Model, type Place } from '../../rule.ts';

/** Answers by place: what stands there, and for a scope what it writes and locks itself. Units are indexed when asked for. */
export function relationsOf({ units }: Model): (finding: Finding) => Name[] {
  const files = new Map<string, Unit[]>();
  const tables = new Map<string, Name | null>();
  const others = new Map<Name, Name>();
  const start = () => {
    for (const unit of units) {
      const known = files.get(unit.file);
      if (known) known.push(unit);
      else files.set(unit.file, [unit]);
      for (const { from, to } of unit.aliases) others.set(from, to);
      for (const { name, relation } of unit.types) if (relation) know(tables, name, relation);
    }
  };
  const at = ({ file, at: span }: Place): Name[] => {
    if (files.size === 0) start();
    const key = keyOf(span);
    return (files.get(file) ?? []).flatMap((unit) => [...(indexOf(unit).get(key) ?? [])]);
  };
  return (finding) => {
    const names = [finding, ...finding.trace].flatMap(at);
    return [
      ...new Set(names.map((name) => tables.get(name) ?? tables.get(others.get(name) ?? '') ?? name)),
    ].sort();
  };
}

/** By the class's name, and by what that is from another source root; null where such a name means two tables. */
function know(tables: Map<string, Name | null>, name: Name, relation: Name): void {
  const [language, ...path] = name.split(/[:.]/);
  for (let i = 0; i === 0 || i < path.length - 1; i++) {
    const said = `${language}:${path.slice(i).join('.')}`;
    const known = tables.get(said);
    tables.set(said, known === undefined || known === relation ? relation : null);
  }
}

type Index = Map<string, Set<Name>>;

const indexOf = kept(({ routines, triggers }: Unit): Index => {
  const index: Index = new Map();
  const note = (at: Span, relation: Name | null) => {
    if (relation === null) return;
    const key = keyOf(at);
    index.set(key, (index.get(key) ?? new Set()).add(relation));
  };
  for (const { body } of routines) walk(body, note);
  for (const { at, relation, body } of triggers) {
    note(at, relation);
    walk(body, note);
  }
  return index;
});

const keyOf = ({ start, end }: Span) => `${start} ${end}`;

/** Each relation stands at its step and at the scopes around it. It does not recurse: nesting may be deep. */
function walk(steps: Step[], found: (at: Span, relation: Name | null) => void): void {
  const waiting: { step: Step; scopes: Span[] }[] = steps.map((step) => ({ step, scopes: [] }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { step } = next;
    if (step.kind === 'write' || step.kind === 'row lock') {
      for (const at of [step.at, ...next.scopes]) found(at, step.relation);
    } else if (step.kind === 'read') found(step.at, step.relation);
    const around = step.kind === 'scope' ? [...next.scopes, step.at].slice(-8) : next.scopes;
    for (const list of inside(step)) for (const one of list) waiting.push({ step: one, scopes: around });
  }
}
