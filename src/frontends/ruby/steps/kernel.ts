// Ruby's own calls: what those without a receiver do, and which names nobody looks for. Not what a framework means.
import type { Step } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { turnsOfLoop } from '../counts/lengths.ts';
import { addRoutine, type Body, methodName, newBody } from '../names/file.ts';
import { asRoutine, contained, OF_BLOCK } from '../names/jumps.ts';
import { type Arguments, parts, spanOf, textOf, word } from '../syntax.ts';
import { blockSteps } from './blocks.ts';
import { lower, raised, turning } from './body.ts';

const words = (text: string) => new Set(text.split(/\s+/));

/** Ruby's and Rails' own, of any receiver: no routine of the program is meant, or none that matters. */
export const CORE =
  words(`puts print p pp require require_relative load attr_reader attr_writer attr_accessor freeze format sprintf
  respond_to? is_a? kind_of? instance_of? instance_variable_get instance_variable_set nil? block_given? caller binding
  include? key? has_key? dig merge merge! fetch push pop shift unshift concat append prepend join split gsub gsub! sub sub! tr
  match match? start_with? end_with? strip round ceil floor abs divmod to_s to_i to_f to_sym to_a to_h to_json as_json
  try_convert first last min max sum size length count empty? any? sort uniq compact flatten slice except zip values_at
  store delete replace insert index index! strftime advance change beginning_of_day end_of_day ago since from_now in_time_zone
  equal? eql? == != <=> params render redirect_to head respond_to permit t l translate localize debug info warn error fatal
  warn logger squish truncate pluralize titleize humanize parameterize underscore camelize constantize safe_constantize
  html_safe content_tag link_to image_tag assert assert_equal assert_nil expect eq be allow receive have_received and_return
  define_method instance_method method const_get const_set class_variable_get freeze present? blank? presence in? deep_merge
  deep_dup symbolize_keys stringify_keys with_indifferent_access reverse_merge extract! assert_response get post put patch
  connection class itself lambda proc is_expected to not_to to_not be_nil be_empty`);

/** Calls without a receiver that are Ruby's. */
export function own(body: Body, name: string, at: Syntax, args: Arguments, out: Step[]): boolean {
  const span = spanOf(at);
  if (KERNEL.has(name) && hasOwn(body, name)) return false;
  switch (name) {
    case 'raise':
    case 'fail': {
      const raises = raised(body, args.positional[0]);
      out.push({
        kind: 'exit',
        how: 'raise',
        at: span,
        ...(raises ? { raises } : { again: args.positional.length === 0 }),
      });
      return true;
    }
    case 'sleep':
      out.push({ kind: 'wait', for: 'sleep', at: span });
      return true;
    case 'system':
      // Without a command it is an attribute.
      if (args.positional.length === 0) return false;
      out.push({ kind: 'wait', for: 'process', at: span });
      return true;
    case 'gets':
      out.push({ kind: 'wait', for: 'user', at: span });
      return true;
    case 'exit':
    case 'exit!':
    case 'abort':
      out.push({ kind: 'exit', how: 'raise', at: span });
      return true;
    case 'throw': {
      // Who catches it may be who called; of a tag that is computed, the nearest here.
      const label = body.catching.findLast((one) => one === tagOf(body, args.positional[0])) ?? null;
      if (label !== null) out.push({ kind: 'exit', how: 'break', label, leaves: 'loop', at: span });
      else out.push({ kind: 'exit', how: 'raise', at: span });
      return true;
    }
    case 'loop': {
      const turn = blockSteps(body, args, name, null, undefined);
      if (turn && turn.length > 0) {
        const counted = (args.block && turnsOfLoop(body, args.block)) ?? { times: null };
        const over = args.block ? turning(body, args.block) : 'unknown';
        out.push({ kind: 'loop', over, ...counted, at: span, body: turn });
      }
      return turn !== null;
    }
    case 'catch': {
      const given = args.positional[0] ?? parts(args.block && child(args.block, 'parameters'))[0];
      const label = tagOf(body, given);
      body.catching.push(label);
      const inner = blockSteps(body, args, name, null, undefined);
      body.catching.pop();
      if (inner && inner.length > 0)
        out.push({ kind: 'block', at: span, label, body: contained(inner, span, OF_BLOCK) });
      return true;
    }
    case 'define_method':
    case 'define_singleton_method': {
      // In a method's body: what it makes runs where that is called.
      const made = word(body.file, args.positional[0]);
      if (!args.block || !body.method || made === null) return !args.block;
      const [own, singleton] = [body.owner, body.singleton];
      const inner = newBody(body.file, own, singleton, made);
      for (const [known, local] of body.locals) inner.locals.set(known, local);
      const steps = asRoutine(lower(inner, child(args.block, 'body')));
      const called = methodName(own, made, singleton);
      addRoutine(body.file, { name: called, at: span, entry: 'called', startsIn: 'caller', body: steps });
      return true;
    }
    case 'lambda':
    case 'proc':
      return true; // a value: it runs where it is called
    default:
      return CORE.has(name) && !args.block && !hasOwn(body, name) && !(OF_OTHERS.has(name) && !isTest(body));
  }
}

const tagOf = ({ file }: Body, tag: Syntax | undefined) => `catch ${tag ? textOf(file, tag) : ''}`;

/** Without a receiver these are none of Ruby's own: a class above has them, or a module. */
export const OF_OTHERS =
  words(`get post put patch fetch push pop shift store delete replace insert append prepend concat index
  merge merge!`);
export const isTest = ({ file }: Body) => file.unit.role === 'test';

/** Those that a class may well have a method of its own for. */
const KERNEL = words('fail sleep system gets exit exit! abort throw loop catch');
const hasOwn = ({ owner }: Body, name: string) => owner.methods.some((one) => one.name === name);
