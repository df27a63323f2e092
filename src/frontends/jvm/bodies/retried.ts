// Which loops turn again only where a turn failed: `while (!done) { try { …; done = true; } catch … }`. How often they do that nobody counts.
import type { Sight } from '../names/scope.ts';
import type { Node, Repeat } from '../syntax/syntax.ts';
import { settings } from '../texts/retold.ts';
import { retries } from '../texts/turns.ts';
import { awaited, givenBy, isEnd, isOf, surely } from './flags.ts';
import { conjuncts } from './said.ts';

export const triesAgain = (loop: Repeat, text: string, sight: Sight): boolean =>
  retries(loop) || endsUnlessItFails(loop, text, sight);

/** Each turn that comes to its end sets what the loop waits for; only what handles a failure, or stands before, sets it back. */
function endsUnlessItFails(loop: Repeat, text: string, { locals }: Sight): boolean {
  const [test] = loop.how === 'while' ? loop.every : [];
  const all = [...surely(loop.body, text)];
  const failed = all.flatMap((one) => (one.kind === 'try' ? one.handlers.map(({ body }) => body) : []));
  return (test ? conjuncts(test, text) : []).some((said) => {
    const one = awaited(said);
    if (!one || !locals.has(one.name)) return false;
    const end = all.find((by) => isOf(by, one.name, text) && isEnd(givenBy(by, text), one));
    if (!end || (one.says === 'something' && !MAKES.test(givenBy(end, text)))) return false;
    if (/\bcontinue\b/.test(text.slice(loop.body.start, end.start))) return false;
    return settings(one.name, loop.body, text).every(
      ({ at, value }) => at <= end.start || isEnd(value, one) || failed.some((body) => isIn(at, body)),
    );
  });
}

const isIn = (at: number, { start, end }: Node): boolean => start <= at && at < end;

/** What is looked for may not be there; what is made is, or it fails. */
const MAKES =
  /^(?:new\s|(?:[\w.]+\.)?(?!(?:poll|next|find|get|read|take|fetch|lookup|query|select|peek|search|load|claim|lock|try|dequeue|pick|pop|first|current)\w*\()\w+\()/;
