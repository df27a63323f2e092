// Tables that the service of a platform writes, a row in each of its transactions. Not what projects write there themselves.
import type { Name } from '../ir.ts';

/** Supabase's: who signs up, signs in or changes is one, in a transaction of his own. */
export const writtenOneByOne: ReadonlySet<Name> = new Set<Name>([
  'sql:auth.users',
  'sql:auth.identities',
  'sql:auth.sessions',
  'sql:auth.mfa_factors',
]);
