// Which routine of a database a call means: by name, schema, search path, arguments and where it stands. Not those of application languages.
import type { Call, Name } from '../../ir.ts';
import { isThere } from '../definitions/definitions.ts';
import { createSuccession, type Linked, type Program } from '../definitions/program.ts';
import { addSeen, type Seen, seenFrom } from '../definitions/seen.ts';
import { canonical, lastPart, schemaOf } from '../definitions/sqlname.ts';
import { kept } from '../kept.ts';
import { createColumnTypes } from './columns.ts';
import { prefer } from './nearest.ts';
import { accepts, byTypes, countOf } from './overloads.ts';

/** Some of them are there for a while only. */
const passes = kept((all: readonly Linked[]) => all.some(({ until }) => until !== undefined));

const NO_ROUTINES: Linked[] = [];

export function createSqlRoutines(
  program: Program,
  relation: (name: Name | null, from: Linked) => string | null,
): (call: Call, from: Linked) => Linked[] {
  const sqlByLast = new Map<string, Seen>();
  const sqlBySchema = new Map<string, Seen>();
  const narrowed = new Map<string, Linked[]>();
  const columnType = createColumnTypes(program, relation);
  const comesLater = createSuccession(program);

  for (const linked of program.linked) {
    if (!linked.routine || !linked.name.startsWith('sql:')) continue;
    const short = canonical(linked.name);
    addSeen(sqlByLast, lastPart(short), linked);
    const schema = schemaOf(short);
    if (schema !== null) addSeen(sqlBySchema, `${schema} ${lastPart(short)}`, linked);
  }

  function narrow(all: readonly Linked[], schema: string | null, call: Call, from: Linked): Linked[] {
    let found = all.filter(({ routine }) => accepts(routine!.parameters, call));
    found = thereThen(found, call, from);
    if (found.length > 1 && isPublic(call)) found = inPublic(found);
    else if (schema === null && found.length > 1) found = inPath(found, from, call);
    return found.length > 1 ? byTypes(found, call, (type) => columnType(type, from)) : found;
  }

  /** Of what one file defines several times, the definition that holds when the call runs. */
  function thereThen(found: Linked[], call: Call, from: Linked): Linked[] {
    if (!found.some(({ until }) => until !== undefined)) return found;
    const there = found.filter((one) => isThere(one, call, from));
    const straight = from.routine?.kind === 'script' || from.routine?.kind === 'anonymous';
    const passing = there.filter(({ until }) => until !== undefined);
    if (straight && passing.length > 0) return passing;
    const lasting = there.filter(({ until }) => until === undefined);
    return lasting.length > 0 ? lasting : passing.slice(-1);
  }

  /** What somebody names with this schema is nobody else's where it has one of that name. */
  function inPublic(found: Linked[]): Linked[] {
    const its = found.filter(({ name }) => schemaOf(canonical(name)) === null);
    return its.length > 0 ? its : found;
  }

  /** An unqualified name is looked up along the search path, then in `public`. */
  function inPath(found: Linked[], from: Linked, call: Call): Linked[] {
    const path = [...(from.routine?.searchPath ?? []), null];
    for (const schema of path) {
      const here = found.filter(
        ({ name }) => schemaOf(canonical(name)) === (schema === 'public' ? null : schema),
      );
      if (here.length > 0) return here;
    }
    const home = schemaOf(canonical(from.name));
    const near = found.filter(({ name }) => home !== null && schemaOf(canonical(name)) === home);
    return near.length > 0 && call.args !== undefined ? near : found;
  }

  /** A script that runs before one of them is made meets an older one of its name, which is gone now. */
  const made = (found: Linked[], call: Call, from: Linked): Linked[] =>
    found.some((one) => comesLater(one, call, from))
      ? found.filter((one) => !comesLater(one, call, from))
      : found;

  return (call, from) => {
    const name = canonical(call.callee);
    const schema = schemaOf(name);
    const last = lastPart(name);
    const seen = schema === null ? sqlByLast.get(last) : sqlBySchema.get(`${schema} ${last}`);
    const all = seen && seenFrom(seen, from.file);
    if (!all || all.length === 0) return NO_ROUTINES;
    if (all.length === 1 || passes(all))
      return prefer(made(narrow(all, schema, call, from), call, from), from);
    // Of very many of one name the same are meant by every such call.
    const { types, given } = call;
    const args = countOf(call);
    const named = given && Object.keys(given);
    const home = schemaOf(canonical(from.name));
    const id = JSON.stringify([
      isPublic(call) ? call.callee : name,
      args,
      types,
      named,
      from.routine?.searchPath,
      home,
    ]);
    let found = narrowed.get(id);
    if (!found) {
      found = narrow(all, schema, call, from);
      narrowed.set(id, found);
    }
    return prefer(made(found, call, from), from);
  };
}

const isPublic = ({ callee }: Call): boolean => callee.startsWith('sql:public.');
