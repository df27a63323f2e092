// What annotations mean and what they put around a method, of whoever they are. What an annotation of the project's own is made of stands in composed.ts.
import type { Step } from '../../../ir.ts';
import { type Found, steps as meant, type Site, saying, vary, word } from '../calls/meaning.ts';
import { callsItself } from '../calls/twins.ts';
import { isNear } from '../names/foreign.ts';
import { apis, varies } from '../names/known.ts';
import { type Class, constantsOf, type World } from '../names/scope.ts';
import type { Annotation, Method } from '../syntax/syntax.ts';

export interface Annotations {
  meanings(annotations: Annotation[], owner: Class | null): Found[];
  /** These steps in what the annotations say. */
  surround(found: Found[], inner: Step[], owner: Class | null, isAbstract?: boolean): Step[];
  siteOf(found: Found, owner: Class | null, body: Step[]): Site;
  /** Whether it makes a method one that hears events. */
  isListening(one: Found, owner: Class | null): boolean;
  /** Methods that are called on the object itself and whose annotations need a proxy. */
  proxied(described: Class, inherited: Found[]): Class['proxied'];
}

export function createAnnotations(world: World): Annotations {
  const own = world.file.package.split('.').slice(0, 2).join('.');
  return { meanings, surround, siteOf, isListening, proxied };

  function meanings(annotations: Annotation[], owner: Class | null): Found[] {
    const out: Found[] = [];
    for (const annotation of annotations) {
      const full = world.names.typeNamed(annotation.name, owner?.around ?? []);
      if (!full) continue;
      const meaning = apis.get(full);
      if (meaning) out.push({ annotation, full, meaning });
      else if (isOurs(full)) out.push({ annotation, full, meaning: null });
    }
    return saying(out);
  }

  /** Annotations of other libraries are told in the tables or mean nothing here. */
  function isOurs(full: string): boolean {
    return !full.includes('.') || isNear(full, own, world.isForeign) || world.classes.has(full);
  }

  function surround(found: Found[], inner: Step[], owner: Class | null, isAbstract = false): Step[] {
    let body = inner;
    for (const one of [...found].reverse()) {
      const site = siteOf(one, owner, body);
      // On a method without a body it is said of those that implement it.
      if (isAbstract && body.length === 0 && one.meaning?.proxied) continue;
      if (one.meaning) {
        const varied = { ...vary(one.meaning, site), when: undefined };
        // An annotation's SQL stands on a method without a body.
        body =
          varied.sql !== undefined ? [...meant(varied, { ...site, body: [] }), ...body] : meant(varied, site);
      } else if (body.length > 0) {
        const told = one.annotation.arguments.find(({ value }) => varies(word(value) ?? ''));
        const suffix = told?.name ? `(${told.name}=${word(told.value)})` : '';
        body = [{ kind: 'call', callee: `jvm:${one.full}${suffix}`, at: site.at, block: body }];
      }
    }
    return body;
  }

  function siteOf({ annotation, full }: Found, owner: Class | null, body: Step[]): Site {
    const { start, end } = annotation;
    return {
      at: { start, end },
      label: `@${annotation.name.replace(/.*\./, '')}`,
      callee: `jvm:${full}`,
      arguments: annotation.arguments,
      types: annotation.arguments.map(() => null),
      receiver: null,
      body,
      constants: constantsOf(owner, world),
    };
  }

  function proxied(described: Class, inherited: Found[]): Class['proxied'] {
    const out: Class['proxied'] = new Map();
    for (const method of described.body.methods) {
      if (method.private || method.static || !method.body) continue;
      const own = meanings(method.annotations, described);
      const all = [...own, ...(applies(method, own) ? inherited : [])];
      if (all.length > 0 && all.every(({ meaning }) => meaning === null || meaning.proxied))
        out.set(method.name, [...(out.get(method.name) ?? []), method.parameters.length]);
    }
    if (out.size === 0) return out;
    const itself = callsItself(world.text, described.body, new Set(out.keys()));
    return new Map([...out].filter(([name]) => itself.has(name)));
  }

  function isListening(one: Found, owner: Class | null): boolean {
    return one.meaning !== null && vary(one.meaning, siteOf(one, owner, [])).listens === true;
  }
}

/** What stands at the class holds for its public methods, unless they say it themselves. */
export function applies(method: Method, own: Found[]): boolean {
  return (
    !method.private &&
    !method.static &&
    !method.isConstructor &&
    !method.abstract &&
    !own.some(({ meaning }) => meaning?.scope)
  );
}
