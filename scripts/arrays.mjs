// Loops over arrays, and patterns that take arrays apart, as indices: for the bundles, where types say what is an array.
// V8 runs most of a short run before it has optimised anything, and there each turn of an iterator is a call and an object.
import ts from 'typescript';

/** From a file to its text without iterators; null for one that these roots do not import. */
export function withoutIterators(roots) {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const program = ts.createProgram(roots, ts.parseJsonConfigFileContent(config, ts.sys, '.').options);
  const checker = program.getTypeChecker();
  const done = new Map();
  return (file) => {
    const source = program.getSourceFile(file.replaceAll('\\', '/'));
    if (!done.has(file)) done.set(file, source ? rewritten(source, checker) : null);
    return done.get(file);
  };
}

function rewritten(source, checker) {
  const edits = [];
  let names = 0;
  const fresh = () => `$${names++}`;
  const put = (from, to, text) => edits.push({ from, to, text });
  const isArray = (type) =>
    type?.isUnion()
      ? type.types.every(isArray)
      : type !== undefined && (checker.isArrayType(type) || checker.isTupleType(type));

  visit(source);
  return applied(source.text, edits);

  function visit(node) {
    if (ts.isForOfStatement(node) && !node.awaitModifier && loop(node)) return;
    if (ts.isVariableDeclaration(node) && node.initializer && taken(node)) return;
    ts.forEachChild(node, visit);
  }

  /** `for (const x of list) body` */
  function loop({ initializer, expression, statement }) {
    const type = checker.getTypeAtLocation(expression);
    if (!ts.isVariableDeclarationList(initializer) || !isArray(type)) return false;
    const { name } = initializer.declarations[0];
    if (ts.isArrayBindingPattern(name) && !(isArray(type.getNumberIndexType()) && isPlain(name)))
      return false;
    const [list, i] = [fresh(), fresh()];
    const word = initializer.flags & ts.NodeFlags.Const ? 'const' : 'let';
    put(initializer.getStart(), expression.getStart(), `let ${list} = `);
    put(expression.end, expression.end, `, ${i} = 0; ${i} < ${list}.length; ${i}++`);
    put(statement.getStart(), statement.getStart(), `{ ${word} ${declared(name, `${list}[${i}]`)}; `);
    put(statement.end, statement.end, ' }');
    visit(expression);
    visit(statement);
    return true;
  }

  /** `const [a, b] = list` */
  function taken({ name, initializer }) {
    if (!ts.isArrayBindingPattern(name) || !isPlain(name)) return false;
    if (!isArray(checker.getTypeAtLocation(initializer))) return false;
    const whole = fresh();
    put(name.getStart(), name.end, whole);
    put(initializer.end, initializer.end, elements(name, whole));
    visit(initializer);
    return true;
  }

  function declared(name, value) {
    if (!ts.isArrayBindingPattern(name)) return `${name.getText()} = ${value}`;
    const whole = fresh();
    return `${whole} = ${value}${elements(name, whole)}`;
  }
}

/** Names, objects' patterns and gaps; the rest is rare. */
const isPlain = (pattern) =>
  pattern.elements.every(
    (one) => ts.isOmittedExpression(one) || !(one.dotDotDotToken || ts.isArrayBindingPattern(one.name)),
  );

/** `, a = whole[0], b = whole[1]` */
function elements(pattern, whole) {
  const each = pattern.elements.map((one, i) => {
    if (ts.isOmittedExpression(one)) return '';
    const value = `${whole}[${i}]`;
    const given = one.initializer
      ? `${value} === undefined ? ${one.initializer.getText()} : ${value}`
      : value;
    return `, ${one.name.getText()} = ${given}`;
  });
  return each.join('');
}

function applied(text, edits) {
  const out = [];
  let at = 0;
  for (const edit of edits.sort((a, b) => a.from - b.from || a.to - b.to)) {
    out.push(text.slice(at, edit.from), edit.text);
    at = edit.to;
  }
  return [...out, text.slice(at)].join('');
}
