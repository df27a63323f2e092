// Whether what a relation asks for is one row: it says one value of a key, and by how that is written it is no list of them. It asks no database.
import { isKeyByName } from '../../sql/queries/predicate.ts';
import { child, type Syntax } from '../../syntax.ts';
import type { Body } from '../names/file.ts';
import { chained } from '../names/meaning.ts';
import { argumentsOf, textOf } from '../syntax.ts';

/** `Order.where(id: id).order(:at)` */
export function picksOne({ file }: Body, receiver: Syntax): boolean {
  let at: Syntax | undefined = receiver;
  for (let i = 0; at?.type === 'call' && i < 20; i++) {
    const method = textOf(file, child(at, 'method') ?? at);
    const { keywords } = argumentsOf(file, at);
    const asks = chained.picks.has(method) ? [...keywords] : [];
    if (asks.some(([name, { value }]) => isKeyByName(name, 'sql:') && ONE.test(textOf(file, value))))
      return true;
    if (!chained.passes.has(method)) return false;
    at = child(at, 'receiver');
  }
  return false;
}

/** `id`, `order.id`, `params[:order_id]`, `7`: `ids` may be many. */
const ONE = /^\d+$|(?:^|[._@:["'])(?:\w+_)?(?:id|uuid|guid)(?:["']?\])?$/;
