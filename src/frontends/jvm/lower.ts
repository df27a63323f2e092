// Turns one Java or Kotlin file into a unit: its types, their methods, what they do. It knows no framework by name.
import type { Meaning } from '../../framework.ts';
import { emptyUnit, type Name, type Routine, type Step, type Unit } from '../../ir.ts';
import { textHash } from '../texthash.ts';
import type { Hooks } from './bodies/body.ts';
import { givesIn, returning } from './bodies/gives.ts';
import { lowerMethod, lowerNodes } from './bodies/methods.ts';
import { listening } from './calls/events.ts';
import { givenBy, heldBy } from './calls/handed.ts';
import { type Found, steps as meant } from './calls/meaning.ts';
import { hasTwin, isBeside, pastProxy } from './calls/twins.ts';
import { applies, createAnnotations } from './conventions/annotations.ts';
import { provided } from './conventions/beans.ts';
import { composed, declares, inheritable } from './conventions/composed.ts';
import { finderMethods, relationOf, repositoryMethods, routineMethods } from './conventions/entities.ts';
import { askedFor, callSetting, maySet, textSettings } from './conventions/settings.ts';
import { accessors } from './names/accessors.ts';
import { toldAs } from './names/collections.ts';
import { foreignTo } from './names/foreign.ts';
import { callsAnother, getterOf, initial, isLazy } from './names/initial.ts';
import { entries, flushes, implemented, managed, shares, tracks, types } from './names/known.ts';
import { createNames } from './names/names.ts';
import { said } from './names/parameters.ts';
import { roleOf, writtenFor } from './names/role.ts';
import {
  annotatedAs,
  type Class,
  type Constants,
  constantsOf,
  declaredOf,
  describeClass,
  group,
  isAnnotated,
  isOpen,
  noteAccessors,
  type World,
} from './names/scope.ts';
import type { Typed } from './names/typed.ts';
import type { Field, Method, Node, SourceFile, TypeBody } from './syntax/syntax.ts';
import { createsIn } from './texts/creates.ts';
import { listsOf, listsOfFile, writesOut } from './texts/elsewhere.ts';
import { createdIn, entriesOf, mayCreate, tablesNamed, textsOf } from './texts/texts.ts';

export function lowerFile(path: string, text: string, language: 'java' | 'kotlin', file: SourceFile): Unit {
  const unit = emptyUnit(path, language);
  unit.role = roleOf(path);
  const world: World = {
    text,
    path,
    file,
    isForeign: foreignTo(file.package),
    names: createNames(file, path),
    isKotlin: language === 'kotlin',
    functions: group(file.functions),
    constants: new Map(),
    classes: new Map(),
    accessors: new Set(),
    builds: /StringBu(?:ilder|ffer)/.test(text),
    reads: text.includes('.sql"'),
    separates: !file.imports.some(({ path }) => shares(path)),
    tracks: file.imports.some(({ path }) => tracks(path)),
    handed: new Map(),
    lists: (one) => writesOut(unit, [one]),
    creates: createsIn(unit),
    gives: givesIn(text, () => world),
  };
  for (const { name, type, value } of file.fields)
    world.constants.set(name, { type: type ? world.names.type(type, []) : null, value });
  noteAccessors(world, file.functions);
  const prefix = file.package ? `${file.package}.` : '';
  const speaksOfJdbc = text.includes('jdbc:postgresql');
  const hasAddresses = /autosave|jdbc:/.test(text);
  const sets = maySet(text);
  const creates = mayCreate(text);
  const annotations = createAnnotations(world);
  const { meanings, surround, isListening, proxied } = annotations;
  const hooks: Hooks = {
    onText: inText,
    onCall: (node, constants) => {
      const setting = sets && callSetting(node, constants, text);
      if (setting) unit.settings.push(setting);
      for (const one of askedFor(node)) asked.add(one);
      if (/^format(ted)?$/.test(node.name)) inText(node, constants);
    },
    onSetting: (setting) => unit.settings.push(setting),
    onType: (body, owner, locals) => {
      // What a lambda declares is met wherever that runs, and in the methods of what it declares.
      if (met.has(body)) return;
      met.add(body);
      lowerType(Object.assign(describe(body, nameOf(body, owner), owner), { captured: locals }));
    },
  };
  const unnamed = new Map<TypeBody, string>();
  const lowered = new Set<Class>();
  const met = new Set<TypeBody>();
  /** Texts that somebody asks for: they set nothing. */
  const asked = new Set<Node>();
  const tops = file.types.map((body) => describe(body, prefix + body.name, null));
  const fields = readFirst(file.fields, null, prefix, world.functions);
  for (const top of tops) lowerType(top);
  for (const method of file.functions)
    unit.routines.push(routine(method, `jvm:${prefix}${method.name}`, null));
  if (file.functions.length > 0) {
    unit.aliases.push({ from: `jvm:${prefix}${facade(path)}`, to: `jvm:${file.package}` });
  }
  writesOut(unit, listsOfFile(prefix, world));
  unit.routines.push(...textsOf(prefix, file.fields, constantsOf(null, world)));
  const first = lowerNodes(initial(fields, file.statements), null, world, hooks);
  if (first.length > 0)
    unit.routines.push({
      name: `jvm:${prefix}${facade(path)}.<clinit>`, at: { start: 0, end: Math.min(1, text.length) }, kind: 'script',
      entry: unit.role === 'test' ? 'test' : 'script', startsIn: 'autocommit', body: first,
    }); // biome-ignore format: short
  unit.routines.push(...world.handed.values());
  const scope = world.names.scope();
  for (const each of scope?.packages ?? [])
    unit.aliases.push({ from: `jvm:${scope!.name}.*`, to: `jvm:${each}.*` });
  return unit;

  /** A piece of text is met by itself and in what it is a part of. */
  function inText(node: Node, constants: Constants): void {
    if (creates) createdIn(node, constants, world);
    for (const one of sets ? textSettings(node, constants, speaksOfJdbc) : []) {
      if (asked.has(node) && one.effect !== 'uses database') continue;
      if (!unit.settings.some(({ at, key }) => at.start === one.at.start && key === one.key))
        unit.settings.push(one);
    }
  }

  /** Classes without a name are counted, as compilers do: a place in the text would change with every line above. */
  function nameOf(body: TypeBody, owner: Class | null): string {
    const around = owner ? `${owner.full}.` : prefix;
    if (body.name) return around + body.name;
    const known = unnamed.get(body);
    if (known) return known;
    const name = `${around}${owner?.full.replace(/.*\./, '') ?? ''}$${unnamed.size + 1}`;
    unnamed.set(body, name);
    return name;
  }

  function describe(body: TypeBody, full: string, outer: Class | null): Class {
    const described = describeClass(world, body, full, outer);
    for (const inner of body.types) describe(inner, `${full}.${inner.name}`, described);
    return described;
  }

  function lowerType(described: Class): void {
    // Of two that share a name, which only broken text has, one counts; each in each would double with every nesting.
    if (lowered.has(described)) return;
    lowered.add(described);
    const { body, full, fields, bases } = described;
    const before = unit.routines.length;
    const name: Name = `jvm:${full}`;
    const inherited = meanings(body.annotations, described);
    described.proxied = proxied(described, inherited);
    if (hasAddresses) annotationTexts(described);
    const known = [...fields].flatMap(([field, { type }]) => {
      const told = type && (types.has(type.name) ? type.name : toldAs(type));
      return told && !told.includes('?') ? [[field, `jvm:${told}` as Name] as const] : [];
    });
    const relation = { ...relationOf(described, world, constantsOf(described, world)), ...writtenFor(full) };
    unit.types.push({
      name,
      at: body.at,
      bases: [...bases.map((base) => base.name), ...annotatedAs(described, flushes, world)]
        .filter((base) => !/^java\.lang\./.test(base))
        .map((base): Name => `jvm:${base}`),
      ...(known.length > 0 && { fields: Object.fromEntries(known) }),
      ...(body.abstract && { abstract: true }),
      ...(isAnnotated(described, managed, world) && { managed: true }),
      ...relation,
      ...inheritable(unit, described, inherited, annotations),
    });
    unit.aliases.push(...tablesNamed(described));
    writesOut(unit, listsOf(described, world));
    unit.routines.push(...inherited.flatMap((one) => declares(one, described, annotations, world)));
    if (body.is === 'annotation') unit.routines.push(...composed(described, inherited, annotations));
    const given = constantsOf(described, world);
    const nobodyWrote = accessors(described, world);
    unit.routines.push(
      ...textsOf(`${full}.`, [...body.fields, ...entriesOf(body)], given),
      ...repositoryMethods(described, world, given),
      ...finderMethods(described, world, given),
      ...routineMethods(described, given),
      ...nobodyWrote.routines,
    );
    unit.types.push(...nobodyWrote.types);
    const written = new Set(unit.routines.slice(before).map((one) => one.name));
    // Constructors first: they say what a field is made of.
    const ordered = [...body.methods].sort((a, b) => Number(b.isConstructor) - Number(a.isConstructor));
    const first = initialise(
      described,
      ordered.some((method) => method.isConstructor),
    );
    for (const method of ordered) {
      const own: Name = method.isConstructor ? name : `${name}.${method.name}`;
      if (method.abstract && written.has(own)) {
        proxy(method, own, described, inherited);
        continue;
      }
      const made = methodOf(method, own, described, inherited);
      if (first && method.isConstructor && !callsAnother(method))
        made.body = [{ kind: 'call', callee: first, at: method.at, args: 0 }, ...made.body];
    }
    unit.settings.push(...heldBy(described));
    for (const inner of body.types) lowerType(world.classes.get(`${full}.${inner.name}`)!);
  }

  /** `@TestPropertySource(properties = "spring.datasource.url=…")`, `@Value("${url:jdbc:…}")`, `@DataSourceDefinition(url = …)`. */
  function annotationTexts(described: Class): void {
    const { fields, methods } = described.body;
    const parameters = methods.flatMap((one) => one.parameters);
    const all = [
      described.body.annotations,
      ...[...fields, ...methods, ...parameters].map((one) => one.annotations),
    ].flat();
    // A parameter of Kotlin's constructor is a field too.
    const values = [...new Set(all)].flatMap((one) => one.arguments.map(({ value }) => value));
    if (values.length > 0) lowerNodes(values, described, world, hooks);
  }

  /** What runs when an object is made: most classes need no constructor; where there are some, each calls it. */
  function initialise(described: Class, hasConstructor: boolean): Name | null {
    const { body, full } = described;
    const { fields, statics, initialisers } = body;
    const run = (name: Name, steps: Step[]) =>
      unit.routines.push({
        name, at: body.at, kind: 'method', entry: 'called', startsIn: 'caller', body: steps,
      }); // biome-ignore format: short
    const now = readFirst(fields, described, `${full}.`, described.methods);
    const ofClass = now.filter((field) => field.static);
    const once = lowerNodes(initial(ofClass, statics), described, world, hooks);
    if (once.length > 0) run(`jvm:${full}.<clinit>`, once);
    const ofObject = now.filter((field) => !field.static);
    const each = lowerNodes(initial(ofObject, initialisers), described, world, hooks);
    if (!hasConstructor && body.is !== 'interface' && body.is !== 'annotation') run(`jvm:${full}`, each);
    if (!hasConstructor || each.length === 0) return null;
    run(`jvm:${full}.<init>`, each);
    return `jvm:${full}.<init>`;
  }

  /** What is made by lazy is a getter's; gives the other fields. */
  function readFirst(
    fields: Field[],
    owner: Class | null,
    prefix: string,
    methods: Map<string, Method[]>,
  ): Field[] {
    if (!world.isKotlin) return fields;
    for (const field of fields.filter(isLazy)) {
      const body = lowerNodes(initial([field], []), owner, world, hooks);
      if (body.length === 0) continue;
      const getter = getterOf(field);
      methods.set(getter.name, [getter]);
      noteAccessors(world, [getter]);
      unit.routines.push({
        name: `jvm:${prefix}${getter.name}`, at: getter.at, kind: 'method', entry: 'called', startsIn: 'caller', body,
      }); // biome-ignore format: short
    }
    return fields.filter((field) => !isLazy(field));
  }

  /** A framework implements it, in what its annotation says or the interface's. */
  function proxy(method: Method, name: Name, described: Class, inherited: Found[]): void {
    const made = unit.routines.find((one) => one.name === name);
    const scoped = ({ meaning }: Found) => meaning?.scope !== undefined;
    const own = meanings(method.annotations, described).filter(scoped);
    const around = own.length > 0 ? own : inherited.filter(scoped);
    if (made && made.body.length > 0) made.body = surround(around, made.body, described);
  }

  function methodOf(method: Method, name: Name, described: Class, inherited: Found[]): Routine {
    const own = meanings(method.annotations, described);
    const isElement = described.body.is === 'annotation';
    const surrounding = [...own, ...(applies(method, own) && !isElement ? inherited : [])];
    const made = routine(method, name, described);
    const isOutside =
      surrounding.length > 0 && !method.private && !isBeside(method, surrounding, described, text);
    unit.routines.push(made);
    listens(method, own, described);
    const around = described.bases
      .map((base) => implemented.get(`${base.name}.${method.name}`))
      .find(Boolean);
    if (around && method.body) made.body = called(around, name, method, made.body);
    // An annotation of the project's own may say something else than one above does.
    const says = [...own, ...inherited].some(({ meaning }) => meaning !== null);
    if (described.bases.length > 0 && !says && applies(method, own)) made.inherits = true;
    // What the object calls on itself is one of all that are called so, annotated or not.
    if (hasTwin(described, method)) {
      unit.routines.push({ ...made, name: `${name}'`, entry: 'called' });
      made.body = pastProxy(made, method);
    }
    if (!isOutside) return made;
    made.body = surround(surrounding, made.body, described, method.abstract);
    return made;
  }

  function listens(method: Method, found: Found[], described: Class): void {
    for (const one of found) {
      if (!isListening(one, described)) continue;
      const { types, routines } = listening(one.annotation, method, described, world);
      unit.types.push(...types);
      unit.routines.push(...routines);
    }
  }

  /** The framework calls it, and in what. */
  function called(around: Meaning, callee: Name, { name, at, parameters }: Method, body: Step[]): Step[] {
    const types = parameters.map(() => null);
    return meant(around, {
      at, label: `${name}()`, callee, arguments: [], types, receiver: null, body, constants: () => null,
    }); // biome-ignore format: short
  }

  function routine(method: Method, name: Name, owner: Class | null): Routine {
    const returns = declaredOf(method, owner, world);
    const entry = entryOf(method, owner);
    const { body, gives, tells } = lowerMethod(method, owner, world, hooks);
    const bean = gives ?? returns;
    const isDeclared = isOpen(method, owner, world);
    if (bean)
      unit.settings.push(...provided(method, bean, meanings(method.annotations, owner), owner, world));
    unit.settings.push(...givenBy(method, name, gives));
    return {
      name,
      at: method.at,
      kind: owner ? 'method' : 'function',
      entry,
      startsIn: entry === 'called' || entry === 'test' ? 'caller' : 'autocommit',
      ...said(method, owner, world),
      ...returning(returns ?? expressed(method, gives)),
      text: textHash(text, method.start, method.end),
      ...(isDeclared && { declared: true as const }),
      ...(!isDeclared && isForNothing(method) && { keepsBlock: true as const }),
      ...(tells && { tells }),
      body,
    };
  }

  /** It says no word of what it is handed: a block among that does not run. */
  function isForNothing({ body, parameters }: Method): boolean {
    if (!body || parameters.length === 0) return false;
    const said = text.slice(body.start, body.end);
    return !parameters.some(({ name }) => said.includes(name));
  }

  function entryOf(method: Method, owner: Class | null): Routine['entry'] {
    if (meanings(method.annotations, owner).some((one) => isListening(one, owner))) return 'called';
    for (const annotation of method.annotations) {
      const full = world.names.typeNamed(annotation.name, owner?.around ?? []);
      const found = full ? entries.get(full) : undefined;
      if (found) return found;
    }
    for (const base of owner?.bases ?? []) {
      const found = entries.get(`${base.name}.${method.name}`);
      if (found) return found;
    }
    if (method.name === 'main' && (method.static || !owner)) return 'command';
    return 'called';
  }
}

/** `fun dsl() = DSL.using(configuration)`: what it was seen to give stands for the type that it does not say. */
function expressed({ body, returns }: Method, gives: Typed | null | undefined): Typed | null {
  const isExpression = !returns && body !== undefined && body.kind !== 'sequence';
  return isExpression && gives && !gives.only && !gives.perhaps && !/[?^]/.test(gives.name) ? gives : null;
}

/** The class that a file's functions are in. */
const facade = (path: string) => path.slice(path.lastIndexOf('/') + 1).replace(/\.kts?$/, 'Kt');
