// One script of the modules that esbuild splits a program into, each a part that runs when it is first asked for. What no file of a
// run needs is neither brought in nor run then, and what several languages need stands once.
import ts from 'typescript';

/** Modules by name, as the body of a function that has `require` and `bring` (none of them has a name that begins with $ and a letter); the entry's runs at once. */
export function oneScript(modules, entry) {
  const parts = [...modules].map(([name, text]) => [name, partOf(text)]);
  const needs = new Map(parts.map(([name, part]) => [name, part.needs]));
  const atOnce = new Set([entry]);
  for (const name of atOnce) for (const other of needs.get(name)) atOnce.add(other);
  const written = parts.map(([name, { text }]) => {
    const run = `function(){${text}}`;
    // V8 compiles a function within brackets without a first look over it.
    return `"${name}":${atOnce.has(name) ? `(${run})` : run}`;
  });
  return (
    `var $parts={${written.join(',\n')}},$made={},$part=name=>$made[name]??=$parts[name](),` +
    `$later=async name=>$part(name);$part("${entry}")`
  );
}

/** A module as the body of a function that returns what it exports: no variable that is exported is assigned again. */
function partOf(text) {
  const needs = [];
  const pieces = [];
  const given = [];
  for (const node of ts.createSourceFile('', text, ts.ScriptTarget.Latest).statements) {
    if (ts.isImportDeclaration(node)) pieces.unshift(taken(node, needs));
    else if (ts.isExportDeclaration(node))
      given.push(pairs(node.exportClause.elements, 'name', 'propertyName'));
    else pieces.push(text.slice(node.pos, node.end));
  }
  const body = pieces
    .join('')
    .replaceAll(/\bimport\("\.\/([^"]+)\.mjs"\)/g, 'bring("./$1.mjs")')
    .replaceAll(/\bimport\("\.\/([^"]+)"\)/g, '$$later("$1")');
  return { needs, text: `${body};return{${given}}` };
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
