// A block that only catches a failing cast: nearly free, but dear per row, and needless from 16.
import { rule } from '../../src/rule.ts';
import { castGuard } from '../guards.ts';
import { about, routineName, weigh, where } from '../say.ts';

export default rule({
  id: 'exception-block-for-cast',
  severity: 'note',
  summary:
    'A block that only catches a failing cast, where pg_input_is_valid() can be asked from PostgreSQL 16',
  check(model) {
    const old = model.postgres.version !== null && model.postgres.version < 16;
    return model.subtransactions.flatMap((one) => {
      const type = castGuard(model, one);
      if (!type) return [];
      const often = one.visits[0]?.context.repeatedBy;
      const times = often === 'loop' ? ', in every turn of a loop' : often ? ', for every row' : '';
      return [
        {
          ...about(one),
          rule: 'exception-block-for-cast',
          severity: often ? weigh('warning', where(model, one)) : ('note' as const),
          message:
            `The ${one.label} in ${routineName(one.routine)} only guards a cast to ${type}${times}. ` +
            'It takes no transaction ID, but two to three times the CPU time of the cast without it, and far more for each value that fails.',
          remedy: old
            ? `From PostgreSQL 16 on, pg_input_is_valid(value, '${type}') needs no block; until then keep it where most values are valid: a regular expression is slower on those.`
            : `Ask pg_input_is_valid(value, '${type}') before the cast (PostgreSQL 16 and later).`,
        },
      ];
    });
  },
});
