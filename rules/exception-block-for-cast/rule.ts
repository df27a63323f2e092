// A block that only catches a failing cast: nearly free, but dear per row, and needless from 16.
import { type Cast, ofEach, rule } from '../../src/rule.ts';
import { castGuard } from '../guards.ts';
import { isTooOften } from '../repeated.ts';
import { about, routineName, weigh } from '../say.ts';

export default rule({
  id: 'exception-block-for-cast',
  severity: 'note',
  summary:
    'A block that only catches a failing cast, where pg_input_is_valid() can be asked from PostgreSQL 16',
  check: ofEach((model, one) => {
    const old = model.postgres.version !== null && model.postgres.version < 16;
    const guard = castGuard(model, one);
    if (!guard) return [];
    const { cast, types } = guard;
    const often = one.visits.find((visit) => isTooOften(one, visit));
    const by = often?.context.repeatedBy;
    const times = by === 'loop' ? ', in every turn of a loop' : by ? ', for every row' : '';
    return [
      {
        ...about(one),
        rule: 'exception-block-for-cast',
        severity: often ? weigh('warning', often) : ('note' as const),
        message:
          `The ${one.label} in ${routineName(one.routine, model)} only guards ${cast.by ? `${cast.by}()` : `${types.length > 1 ? 'casts' : 'a cast'} to ${listed(types)}`}${times}. ` +
          'It takes no transaction ID, but two to three times the CPU time of the same code without it, and far more where values fail.',
        remedy: remedyFor(cast, types, old),
        trace: (often ?? one.visits[0])?.witness ?? [],
      },
    ];
  }),
});

const listed = (types: string[]) => types.join(', ').replace(/, ([^,]*)$/, ' and $1');

function remedyFor({ to: type, by, was }: Cast, types: string[], old: boolean): string {
  if (by)
    return `Nothing tells beforehand whether ${by}() will fail: keep its result in a column, so that it runs once for each text, or store texts that a cast to ${type} accepts, which pg_input_is_valid() can test (PostgreSQL 16 and later).`;
  if (was)
    return `Compare the ${was} with what ${type} can hold before the cast: pg_input_is_valid() tells that of texts alone.`;
  if (types.length === 1 && NAMES.includes(type))
    return `Ask to_${type}(value): it gives NULL where there is none, and needs no block.`;
  const hard = types.filter((one) => !SOFT.includes(one.replace(/(?:\(.*\))?(?:\[\])?$/, '')));
  const unless =
    hard.length > 0
      ? `, if the input function of ${listed(hard)} was made for it: else it raises the error all the same`
      : '';
  if (types.length > 1 || unless !== '')
    return `Ask pg_input_is_valid(value, ${types.length > 1 ? 'type' : `'${type}'`}) before ${types.length > 1 ? 'each' : 'the'} cast (PostgreSQL 16 and later)${unless}.`;
  return old
    ? `From PostgreSQL 16 on, pg_input_is_valid(value, '${type}') needs no block; until then keep it where most values are valid: a regular expression is slower on those.`
    : `Ask pg_input_is_valid(value, '${type}') before the cast (PostgreSQL 16 and later).`;
}

/** Whose texts are the names of what is there. */
const NAMES = ['regclass', 'regproc', 'regtype', 'regrole', 'regnamespace', 'regoper', 'regcollation'];

/** Types of PostgreSQL's own that tell of a text beforehand, and so do arrays of them: test/postgres asks servers of each. */
export const SOFT =
  `smallint, integer, bigint, numeric, real, double precision, boolean, date, time, time with time zone, timestamp, timestamp with time zone,
   interval, uuid, json, jsonb, jsonpath, xml, bytea, bit varying, varbit, inet, cidr, macaddr, macaddr8, money, oid, xid, cid, xid8, tid,
   pg_lsn, pg_snapshot, regclass, regproc, regrole, regnamespace, regoper, regconfig, regdictionary, regcollation, tsquery, tsvector,
   point, box, circle, line, lseg, path, polygon, int4range, int8range, numrange, daterange, tsrange, tstzrange, int4multirange,
   int8multirange, nummultirange, datemultirange, tsmultirange, tstzmultirange`.split(/,\s+/);
