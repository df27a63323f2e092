// What somebody else made and handed over, where that decides whether it nests: by what names giver and receiver know it. It lowers nothing.
import type { Name, Setting, Span } from '../../../ir.ts';
import { nesting } from '../names/known.ts';
import type { Class, Sight, World } from '../names/scope.ts';
import type { Typed } from '../names/typed.ts';
import type { Argument, Call, Method, Node, Parameter } from '../syntax/syntax.ts';
import { onlyOne } from './only.ts';

/** The names that an object has where it is made, if it is given to the field or parameter that this expression names. */
export function handedAs(node: Node | null, { owner, locals }: Sight, { path }: World): string[] | undefined {
  const isOwn = node?.kind === 'member' && node.object.kind === 'name' && node.object.text === 'this';
  const name = node?.kind === 'name' ? node.text : isOwn ? node.name : null;
  if (name === null) return undefined;
  const local = isOwn ? undefined : locals.get(name);
  const { handed } = local ?? owner?.fields.get(name) ?? {};
  if (!handed) return undefined;
  const said = handed.annotations.find((one) => /(^|\.)(Qualifier|Named|Resource)$/.test(one.name));
  const value = said?.arguments.find(
    (one) => !one.name || one.name === 'value' || one.name === 'name',
  )?.value;
  const bean = value?.kind === 'text' ? value.source.text : handed.name;
  if (local || !owner) return [bean];
  return [bean, `${owner.full}.${name}`, ...taken(handed, owner), ...(said ? [] : [onlyOne(path)])];
}

const LOMBOK = /(^|\.)(RequiredArgs|AllArgs)Constructor$/;

/** The parameter of a constructor that a field is given: by its place, and in Kotlin by its name. */
function taken(handed: Pick<Parameter, 'name'>, { full, body }: Class): string[] {
  const written = body.methods.filter(({ isConstructor }) => isConstructor);
  // Lombok and records take fields in their order.
  const all =
    written.length > 0
      ? written.map(({ parameters }) => parameters)
      : body.isRecord || body.annotations.some(({ name }) => LOMBOK.test(name))
        ? [body.fields.filter((field) => !field.static && !field.value)]
        : [];
  return all.flatMap((list) => {
    const place = list.findIndex((one) => one === handed || one.name === handed.name);
    return place < 0 ? [] : [`${full}(${place})`, `${full}(${handed.name})`];
  });
}

/** What is asked of it by `work.nested()`, of Kotlin's accessor by `work.nested`. */
export function givenBy({ at, isAccessor }: Method, name: Name, gives?: Typed | null): Setting[] {
  const path = name.slice(4);
  const property = path.replace(/\.get([A-Z])(?=\w*$)/, (_, first: string) => `.${first.toLowerCase()}`);
  return gives ? told(gives, isAccessor ? property : `${path}()`, at) : [];
}

/** The same of its fields, `work.nested`, and of the class itself, which may have been seen to tell itself. */
export const heldBy = ({ full, body, fields, bases }: Class): Setting[] => [
  ...bases.flatMap((base) => told(base, full, body.at)),
  ...body.fields.flatMap(({ name, start, end }) => {
    const type = fields.get(name)?.type;
    return type ? told(type, `${full}.${name}`, { start, end }) : [];
  }),
];

function told(type: Typed, name: string, at: Span): Setting[] {
  const said = nesting(type.name);
  return said?.nests ? [setting(said, name, at)] : [];
}

const setting = ({ of, nests }: { of: string; nests: boolean }, name: string, at: Span): Setting => ({
  at, key: 'propagationBehavior', value: String(nests), effect: 'nested transactions open savepoints', of: `${of} ${name}`,
}); // biome-ignore format: short

/** `new Worker(nested)`: what the object that is made is given, and whether that nests. */
export function handedOn(node: Call, types: (Typed | null)[], made: Typed): Setting[] {
  return node.arguments.flatMap(({ name }: Argument, place): Setting[] => {
    const said = types[place] ? nesting(types[place].name) : null;
    if (!said) return [];
    return [setting(said, `${made.name}(${name ?? place})`, node.at)];
  });
}
