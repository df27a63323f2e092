// Which methods an object calls on itself, past its proxy: by the text of its class. It knows no annotation.

/** Only what the class calls without a receiver needs a twin; the declaration counts once. */
export function callsItself(
  text: string,
  { start, end }: { start: number; end: number },
  names: Set<string>,
): Set<string> {
  const said = text.slice(start, end);
  const times = new Map<string, number>();
  for (const [, name] of said.matchAll(/(?<![.\w$])(?:this\s*\.\s*)?([\w$]+)\s*\(/g))
    times.set(name!, (times.get(name!) ?? 0) + 1);
  for (const [, name] of said.matchAll(/this\s*::\s*([\w$]+)/g))
    times.set(name!, (times.get(name!) ?? 0) + 1);
  return new Set([...names].filter((name) => (times.get(name) ?? 0) >= 2));
}
