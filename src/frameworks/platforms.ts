// What the service of a platform writes, a row in each of its transactions, what says one row of it, and what its functions open. Not what projects write there themselves.
import type { Name, Scope, Span, Step } from '../ir.ts';

/** Supabase's: who signs up, signs in or changes is one, in a transaction of his own. */
export const writtenOneByOne: ReadonlySet<Name> = new Set<Name>([
  'sql:auth.users',
  'sql:auth.identities',
  'sql:auth.sessions',
  'sql:auth.mfa_factors',
]);

/** Supabase's: what says one user besides `id`. Of those who sign in elsewhere several may have one address. */
export const keysOfPlatforms: ReadonlyMap<Name, readonly string[]> = new Map([
  ['sql:auth.users', ['email', 'phone']],
]);

/** Supabase's: a block around the message that it inserts, and another one around the call of that. */
export const opensBlocks: ReadonlyMap<string, (at: Span) => Step[]> = new Map([
  ['realtime.send', (at) => [sends(at, 'realtime.send()')]],
  ['realtime.send_binary', (at) => [sends(at, 'realtime.send_binary()')]],
  [
    'realtime.broadcast_changes',
    (at) => [block(at, 'realtime.broadcast_changes()', [sends(at, 'realtime.send()')])],
  ],
]);

const sends = (at: Span, of: string): Scope =>
  block(at, of, [{ kind: 'write', verb: 'insert', at, relation: 'sql:realtime.messages', rows: 'one' }]);

const block = (at: Span, of: string, body: Step[]): Scope => ({
  kind: 'scope', opens: 'subtransaction', whenNested: 'savepoint', label: `EXCEPTION block of ${of}`, at, body, certainty: 'likely',
  instead: 'Send one message for the whole statement, in a trigger FOR EACH STATEMENT with a transition table.',
}); // biome-ignore format: a row
