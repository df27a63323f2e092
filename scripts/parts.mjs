// Two scripts of the modules that esbuild splits a program into, each a part that runs when it is first asked for. What no file of a
// run needs is neither brought in nor run then, and what several languages need stands once.
import ts from 'typescript';

/**
 * Modules by name, as the bodies of two functions that have `require` and `bring`: the first has what the entries need, of which it
 * runs the one that its `module` names; the other, which it brings from `file`, has what no other needs than the module `apart`.
 * No name that is exported begins with $ and a letter.
 */
export function twoScripts(modules, entries, apart, file) {
  const parts = new Map([...modules].map(([name, text]) => [name, partOf(text)]));
  const reached = (from, next) => {
    const all = new Set(from);
    for (const name of all) for (const other of next(parts.get(name))) all.add(other);
    return all;
  };
  const atOnce = reached(entries.slice(0, 1), ({ needs }) => needs);
  const first = reached(entries, ({ needs, asks }) => [...needs, ...asks.filter((name) => name !== apart)]);
  const written = (names) => `{${names.map((name) => `"${name}":${made(name)}`).join(',\n')}}`;
  const made = (name) => {
    const run = `function(){${parts.get(name).text}}`;
    // V8 compiles a function within brackets without a first look over it.
    return atOnce.has(name) ? `(${run})` : run;
  };
  return [
    `var $parts=${written([...first])},$made={},$part=name=>$made[name]??=$parts[name](),$later=async name=>` +
      `{if(!$parts[name])Object.assign($parts,bring("./${file}")($part,$later));return $part(name)};` +
      `$part(module.entry??"${entries[0]}")`,
    `module.exports=($part,$later)=>(${written([...parts.keys()].filter((name) => !first.has(name)))})`,
  ];
}

/** A module as the body of a function that returns what it exports: no variable that is exported is assigned again. */
function partOf(text) {
  const [needs, asks] = [[], []];
  const pieces = [];
  const given = [];
  for (const node of ts.createSourceFile('', text, ts.ScriptTarget.Latest).statements) {
    if (ts.isImportDeclaration(node)) pieces.unshift(taken(node, needs));
    else if (ts.isExportDeclaration(node))
      given.push(pairs(node.exportClause.elements, 'name', 'propertyName'));
    else pieces.push(text.slice(node.pos, node.end));
  }
  const body = pieces.join('').replaceAll(/\bimport\("\.\/([^"]+)"\)/g, (_, name) => {
    asks.push(name);
    return `$later("${name}")`;
  });
  return { needs, asks, text: `${body};return{${given}}` };
}

function taken({ importClause, moduleSpecifier: { text } }, needs) {
  const own = text.startsWith('./') ? text.slice(2) : undefined;
  if (own) needs.push(own);
  const value = own ? `$part("${own}")` : `require("${text}")`;
  if (!importClause) return `${value};`;
  const { name, namedBindings: bound } = importClause;
  return `var ${name?.text ?? bound.name?.text ?? `{${pairs(bound.elements, 'propertyName', 'name')}}`}=${value};`;
}

const pairs = (elements, left, right) =>
  elements
    .map((one) => `${(one[left] ?? one[right] ?? one.name).text}:${(one[right] ?? one[left]).text}`)
    .join(',');
