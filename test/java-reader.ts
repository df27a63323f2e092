// Reads tree-sitter-java's nodes into the tree that Java and Kotlin share: what our parser is compared with. No part of the program.
import type {
  Annotation, Argument, Field, Import, Method, Node, Parameter, SourceFile, Text, TypeBody, TypeParameter, TypeRef,
} from '../src/frontends/jvm/syntax/syntax.ts'; // biome-ignore format: one list
import {
  all,
  concat,
  emptyFile,
  emptyType,
  first,
  place,
  quoted,
  several,
} from '../src/frontends/jvm/syntax/tree.ts';
import { child, type Syntax } from '../src/frontends/syntax.ts';

/** Nodes whose inside says nothing about transactions. */
export const LEAVES = [
  'line_comment', 'block_comment', 'string_literal', 'character_literal', 'integral_type', 'floating_point_type',
  'dimensions', 'scoped_identifier', 'scoped_type_identifier', 'throws', 'type_bound', 'permits', 'wildcard',
  'asterisk', 'module_declaration', 'import_declaration', 'package_declaration', 'identifier', 'type_identifier', 'this', 'super',
  'true', 'false', 'null_literal', 'decimal_integer_literal', 'decimal_floating_point_literal', 'void_type', 'boolean_type',
  'break_statement', 'continue_statement',
]; // biome-ignore format: one list

const TYPES = [
  'class_declaration', 'interface_declaration', 'enum_declaration', 'record_declaration', 'annotation_type_declaration',
]; // biome-ignore format: one list

export function readJava(root: Syntax, text: string): SourceFile {
  const say = (node: Syntax) => text.slice(node.start, node.end);
  const file = emptyFile();
  for (const node of root.children) {
    if (node.type === 'package_declaration') {
      file.package =
        /^(?:@[^;]*\s)?package\s+([\w.\s]+?)\s*;?$/.exec(say(node))?.[1]?.replace(/\s+/g, '') ?? '';
    } else if (node.type === 'import_declaration') file.imports.push(readImport(say(node)));
    else if (TYPES.includes(node.type)) file.types.push(readType(node));
    else if (node.type === 'ERROR') for (const inner of all(node, ...TYPES)) file.types.push(readType(inner));
  }
  return file;

  // ---- types and members

  function readType(node: Syntax): TypeBody {
    const at = child(node, 'name') ?? node;
    const is =
      node.type === 'interface_declaration' ? 'interface'
      : node.type === 'enum_declaration' ? 'enum'
      : node.type === 'annotation_type_declaration' ? 'annotation'
      : 'class'; // biome-ignore format: a table
    const modifiers = first(node, 'modifiers');
    const interfaces = child(node, 'interfaces') ?? first(node, 'extends_interfaces');
    const bases = [
      ...(child(node, 'superclass')?.children ?? []),
      ...(interfaces?.children.flatMap((list) => list.children) ?? []),
    ];
    const type: TypeBody = {
      ...emptyType(node, place(at), bases.filter(isType).map(readTypeRef)),
      name: name(node),
      is,
      isRecord: node.type === 'record_declaration',
      abstract: is === 'interface' || words(modifiers).includes('abstract'),
      annotations: annotations(modifiers),
      typeParameters: typeParameters(node),
    };
    const record = child(node, 'parameters');
    if (record)
      for (const parameter of readParameters(record))
        type.fields.push({ ...parameter, start: node.start, end: node.start, static: false });
    const body = child(node, 'body');
    if (body) members(body, type);
    return type;
  }

  function members(body: Syntax, type: TypeBody): void {
    for (const node of body.children) {
      switch (node.type) {
        case 'field_declaration':
        case 'constant_declaration':
          type.fields.push(...readFields(node, type.is === 'interface'));
          break;
        case 'method_declaration':
        case 'constructor_declaration':
        case 'compact_constructor_declaration':
        case 'annotation_type_element_declaration':
          type.methods.push(readMethod(node, type));
          break;
        case 'block':
          type.initialisers.push(expression(node));
          break;
        case 'static_initializer':
          type.statics.push(...node.children.map(expression));
          break;
        case 'enum_body_declarations':
        case 'ERROR':
          members(node, type);
          break;
        case 'enum_constant': {
          const given = child(node, 'arguments');
          const made = given ? readArguments(given) : [];
          type.statics.push(...made.map(({ value }) => value));
          type.entries = [...(type.entries ?? []), { name: say(child(node, 'name')!), given: made }];
          const own = child(node, 'body');
          if (own) members(own, type);
          break;
        }
        default:
          if (TYPES.includes(node.type)) type.types.push(readType(node));
      }
    }
  }

  function readFields(node: Syntax, inInterface: boolean): Field[] {
    const modifiers = first(node, 'modifiers');
    const type = child(node, 'type');
    return all(node, 'variable_declarator').map((declarator) => {
      const value = child(declarator, 'value');
      return {
        ...place(declarator),
        name: name(declarator),
        type: type && readTypeRef(type),
        value: value && expression(value),
        annotations: annotations(modifiers),
        static: inInterface || words(modifiers).includes('static'),
      };
    });
  }

  function readMethod(node: Syntax, owner: TypeBody): Method {
    const modifiers = first(node, 'modifiers');
    const said = words(modifiers);
    const body = child(node, 'body');
    const parameters = child(node, 'parameters');
    const type = child(node, 'type');
    return {
      ...place(node),
      name: name(node),
      at: place(child(node, 'name') ?? node),
      isConstructor: node.type.includes('constructor'),
      annotations: annotations(modifiers),
      parameters: parameters ? readParameters(parameters) : [],
      typeParameters: typeParameters(node),
      returns: type && readTypeRef(type),
      private: said.includes('private'),
      static: said.includes('static'),
      abstract: !body && (said.includes('abstract') || owner.is === 'interface'),
      body: body && expression(body),
    };
  }

  function readParameters(node: Syntax): (Parameter & { annotations: Annotation[] })[] {
    return all(node, 'formal_parameter', 'spread_parameter').map((one) => {
      const type = child(one, 'type') ?? one.children.find(isType);
      const read = type && readTypeRef(type);
      return {
        name: name(first(one, 'variable_declarator') ?? one),
        type: read && one.type === 'spread_parameter' ? { name: '[]', arguments: [read] } : read,
        annotations: annotations(first(one, 'modifiers')),
      };
    });
  }

  function name(node: Syntax): string {
    const found = child(node, 'name');
    return found ? say(found) : '';
  }

  /** The keywords are unnamed tokens: the text around the annotations. */
  function words(modifiers: Syntax | undefined): string {
    if (!modifiers) return '';
    let out = '';
    let from = modifiers.start;
    for (const inner of modifiers.children) {
      out += text.slice(from, inner.start);
      from = inner.end;
    }
    return out + text.slice(from, modifiers.end);
  }

  function annotations(modifiers: Syntax | undefined): Annotation[] {
    return modifiers ? all(modifiers, 'annotation', 'marker_annotation').map(annotation) : [];
  }

  function annotation(node: Syntax): Annotation {
    const given = child(node, 'arguments');
    return {
      start: node.start,
      end: child(node, 'name')?.end ?? node.end,
      name: name(node),
      arguments: (given?.children ?? []).filter(notComment).map((one) => {
        if (one.type !== 'element_value_pair') return { value: annotationValue(one) };
        const key = child(one, 'key');
        const value = child(one, 'value');
        return { name: key && say(key), value: value ? annotationValue(value) : literal(one) };
      }),
    };
  }

  function annotationValue(node: Syntax): Node {
    if (node.type === 'annotation' || node.type === 'marker_annotation') {
      const { name, arguments: given, start, end } = annotation(node);
      return { kind: 'call', object: null, name, at: { start, end }, start, end, arguments: given };
    }
    if (node.type === 'element_value_array_initializer')
      return several(node, node.children.filter(notComment).map(annotationValue));
    return expression(node);
  }

  function typeParameters(node: Syntax): TypeParameter[] {
    return (first(node, 'type_parameters')?.children ?? []).map((one) => {
      const found = first(one, 'type_identifier', 'identifier');
      const bound = first(one, 'type_bound');
      const above = bound && /^extends\s+(?:@[\w.]+\s+)*([\w.]+)/.exec(say(bound))?.[1];
      return { name: found ? say(found) : '', bound: above ? { name: above, arguments: [] } : undefined };
    });
  }

  function readTypeRef(node: Syntax): TypeRef {
    switch (node.type) {
      case 'array_type': {
        const element = child(node, 'element');
        return { name: '[]', arguments: element ? [readTypeRef(element)] : [] };
      }
      case 'generic_type': {
        const [raw, given] = node.children;
        const types = (given?.children ?? []).filter(isType).map(readTypeRef);
        return { name: raw ? typeName(raw) : '', arguments: types };
      }
      case 'wildcard': {
        const bound = /^\?\s*(?:extends|super)\s+(?:@[\w.]+\s+)*([\w.]+)/.exec(say(node));
        return { name: bound?.[1] ?? '?', arguments: [] };
      }
      case 'annotated_type': {
        const inner = node.children.find(isType);
        return inner ? readTypeRef(inner) : { name: '', arguments: [] };
      }
      default:
        return { name: typeName(node), arguments: [] };
    }
  }

  function typeName(node: Syntax): string {
    const said = say(node);
    return said.includes('.') ? said.replace(/<[^<>]*>|@[\w.]+\s|\s+/g, '') : said;
  }

  // ---- expressions

  function list(node: Syntax): Node[] {
    return node.children.filter(notComment).map(expression);
  }

  function literal(node: Syntax): Node {
    return { kind: 'literal', ...place(node), text: say(node) };
  }

  function read(node: Syntax | undefined, instead: Syntax): Node {
    return node ? expression(node) : several(instead, []);
  }

  function expression(node: Syntax): Node {
    switch (node.type) {
      case 'identifier':
      case 'this':
      case 'super':
        return { kind: 'name', ...place(node), text: say(node) };
      case 'type_identifier':
      case 'scoped_type_identifier':
      case 'generic_type':
        return { kind: 'name', ...place(node), text: readTypeRef(node).name };
      case 'scoped_identifier':
      case 'field_access':
        return member(node);
      case 'method_invocation':
        return invocation(node);
      case 'object_creation_expression':
        return creation(node);
      case 'explicit_constructor_invocation':
        return construction(node);
      case 'string_literal':
        return string(node);
      case 'parenthesized_expression':
      case 'expression_statement':
      case 'yield_statement': {
        const inside = list(node);
        return inside.length === 1 ? inside[0]! : several(node, inside);
      }
      case 'binary_expression':
        return concat(node, expression);
      case 'ternary_expression':
        return choice(
          node,
          [child(node, 'condition')],
          [child(node, 'consequence'), child(node, 'alternative')],
          true,
        );
      case 'lambda_expression':
        return lambda(node);
      case 'method_reference':
        return reference(node);
      case 'assignment_expression': {
        const [target, value] = [child(node, 'left'), child(node, 'right')];
        if (!target || !value) return several(node, list(node));
        return { kind: 'assign', ...place(node), target: expression(target), value: expression(value) };
      }
      case 'cast_expression': {
        const [type, value] = [child(node, 'type'), child(node, 'value')];
        if (!type || !value) return several(node, list(node));
        return { kind: 'cast', ...place(node), type: readTypeRef(type), value: expression(value) };
      }
      default:
        return statement(node);
    }
  }

  function member(node: Syntax): Node {
    const path = say(node);
    if (/^[\w$]+(\.[\w$]+)+$/.test(path)) return dotted(path, node.start);
    const object = child(node, 'object');
    const field = child(node, 'field');
    if (!object || !field) return several(node, list(node));
    return {
      kind: 'member',
      ...place(node),
      object: expression(object),
      name: say(field),
      at: place(field),
    };
  }

  function dotted(path: string, start: number): Node {
    const names = path.split('.');
    let end = start + names[0]!.length;
    let node: Node = { kind: 'name', start, end, text: names[0]! };
    for (const name of names.slice(1)) {
      const at = { start: end + 1, end: end + 1 + name.length };
      end = at.end;
      node = { kind: 'member', start, end, object: node, name, at };
    }
    return node;
  }

  /** `a.b().c().d()`: from the inside out. */
  function invocation(node: Syntax): Node {
    const links: Syntax[] = [];
    let inner: Syntax | undefined = node;
    for (; inner?.type === 'method_invocation'; inner = child(inner, 'object')) links.push(inner);
    let object: Node | null = inner ? expression(inner) : null;
    for (const link of links.reverse()) {
      const name = child(link, 'name');
      const given = child(link, 'arguments');
      const types = child(link, 'type_arguments');
      // `Outer.super.f()`
      if (object && link.children.some((one) => one.type === 'super' && !one.field))
        object = { kind: 'name', ...place(link), text: 'super' };
      object = {
        kind: 'call',
        ...place(link),
        object,
        name: name ? say(name) : '',
        at: place(name ?? link),
        arguments: given ? readArguments(given) : [],
        typeArguments: types?.children.map(readTypeRef),
      };
    }
    return object!;
  }

  function readArguments(node: Syntax): Argument[] {
    return node.children.filter(notComment).map((one) => ({ value: expression(one) }));
  }

  function creation(node: Syntax): Node {
    const type = child(node, 'type');
    const given = child(node, 'arguments');
    const own = first(node, 'class_body');
    const creates = type ? readTypeRef(type) : { name: '', arguments: [] };
    const body = own && anonymous(own, creates);
    if (own && body) members(own, body);
    return {
      kind: 'call',
      ...place(node),
      object: null,
      name: creates.name,
      at: place(type ?? node),
      creates,
      body,
      arguments: given ? readArguments(given) : [],
    };
  }

  function anonymous(node: Syntax, base: TypeRef): TypeBody {
    return emptyType(node, { start: node.start, end: node.start + 1 }, [base]);
  }

  /** `this(…)` and `super(…)`. */
  function construction(node: Syntax): Node {
    const target = child(node, 'constructor');
    const given = child(node, 'arguments');
    return {
      kind: 'call',
      ...place(node),
      object: null,
      name: target ? say(target) : 'this',
      at: place(target ?? node),
      arguments: given ? readArguments(given) : [],
    };
  }

  function string(node: Syntax): Text {
    const marks = text.startsWith('"""', node.start) ? 3 : 1;
    const end = Math.max(node.start + marks, node.end - marks);
    return { kind: 'text', ...place(node), source: quoted(text, node.start + marks, end), holes: [] };
  }

  function lambda(node: Syntax): Node {
    const parameters = child(node, 'parameters');
    const named =
      parameters?.type === 'identifier' ? [{ name: say(parameters) }]
      : parameters?.type === 'inferred_parameters' ? parameters.children.map((one) => ({ name: say(one) }))
      : parameters ? readParameters(parameters)
      : []; // biome-ignore format: a table
    return { kind: 'lambda', ...place(node), parameters: named, body: read(child(node, 'body'), node) };
  }

  function reference(node: Syntax): Node {
    const [object] = node.children;
    const last = node.children.at(-1);
    const isNew = !last || last === object;
    return {
      kind: 'reference',
      ...place(node),
      object: object ? expression(object) : null,
      name: isNew ? 'new' : say(last),
      at: place(isNew ? node : last),
    };
  }

  // ---- statements

  function statement(node: Syntax): Node {
    switch (node.type) {
      case 'local_variable_declaration':
        return several(
          node,
          readFields(node, false).map(({ name, type, value, start, end }) => ({
            kind: 'local',
            start,
            end,
            name,
            value,
            type: type?.name === 'var' ? undefined : type,
          })),
        );
      case 'empty':
        return several(node, []);
      case 'block':
      case 'constructor_body':
        return { kind: 'sequence', ...place(node), items: list(node) };
      case 'labeled_statement':
        return labelled(node);
      case 'if_statement':
        return conditional(node);
      case 'switch_expression':
        return switching(node);
      case 'for_statement':
      case 'enhanced_for_statement':
      case 'while_statement':
      case 'do_statement':
        return loop(node);
      case 'try_statement':
      case 'try_with_resources_statement':
        return attempt(node);
      case 'return_statement':
      case 'throw_statement': {
        const how = node.type === 'throw_statement' ? 'raise' : 'return';
        return { kind: 'leave', ...place(node), how, value: list(node)[0] };
      }
      case 'break_statement':
      case 'continue_statement': {
        const how = node.type === 'break_statement' ? 'break' : 'continue';
        const label = /^\w+\s+(\w+)/.exec(say(node))?.[1];
        return { kind: 'leave', ...place(node), how, label };
      }
      default:
        if (TYPES.includes(node.type)) return readType(node);
        return node.children.length > 0 ? several(node, list(node)) : literal(node);
    }
  }

  function choice(
    node: Syntax,
    tests: (Syntax | undefined)[],
    arms: (Syntax | undefined)[],
    exhaustive: boolean,
  ): Node {
    const present = (nodes: (Syntax | undefined)[]) => nodes.flatMap((one) => (one ? [expression(one)] : []));
    return { kind: 'choice', ...place(node), tests: present(tests), arms: present(arms), exhaustive };
  }

  /** `if … else if … else` is one choice with many arms. */
  function conditional(node: Syntax): Node {
    const tests: (Syntax | undefined)[] = [];
    const arms: (Syntax | undefined)[] = [];
    let next: Syntax | undefined = node;
    for (; next?.type === 'if_statement'; next = child(next, 'alternative')) {
      tests.push(child(next, 'condition'));
      // `if (a) ;`: the grammar gives an empty statement no node.
      arms.push(child(next, 'consequence') ?? { ...next, type: 'empty', children: [] });
    }
    if (next) arms.push(next);
    return choice(node, tests, arms, next !== undefined);
  }

  function switching(node: Syntax): Node {
    const arms = child(node, 'body')?.children.filter(notComment) ?? [];
    const subject = child(node, 'condition');
    const isDefault = (arm: Syntax) => all(arm, 'switch_label').some((one) => /\bdefault\b/.test(say(one)));
    return {
      kind: 'choice',
      ...place(node),
      tests: subject ? [expression(subject)] : [],
      exhaustive: arms.some(isDefault),
      arms: arms.map((arm) => ({
        kind: 'sequence',
        ...place(arm),
        isSwitchArm: true,
        items: arm.children.filter((one) => one.type !== 'switch_label' && notComment(one)).map(expression),
      })),
    };
  }

  function labelled(node: Syntax): Node {
    const [label, body] = node.children.filter(notComment);
    if (!label || !body) return several(node, []);
    const inner = expression(body);
    if (inner.kind === 'repeat') inner.label = say(label);
    return inner;
  }

  function loop(node: Syntax): Node {
    const many = (field: string) => node.children.filter((one) => one.field === field).map(expression);
    const body = read(child(node, 'body'), node);
    const base = { kind: 'repeat' as const, ...place(node), body };
    if (node.type === 'enhanced_for_statement') {
      const type = child(node, 'type');
      const declared = type && say(type) !== 'var' ? readTypeRef(type) : undefined;
      const variable = { name: name(node), type: declared };
      return { ...base, how: 'each', first: many('value'), every: [], variable };
    }
    if (node.type === 'for_statement')
      return {
        ...base,
        how: 'count',
        first: many('init'),
        every: [...many('condition'), ...many('update')],
      };
    return { ...base, how: 'while', first: [], every: many('condition') };
  }

  function attempt(node: Syntax): Node {
    const last = first(node, 'finally_clause');
    return {
      kind: 'try',
      ...place(node),
      resources: (child(node, 'resources')?.children ?? []).filter(notComment).map(resource),
      body: read(child(node, 'body'), node),
      handlers: all(node, 'catch_clause').map((clause) => {
        const parameter = first(clause, 'catch_formal_parameter');
        const types = parameter && first(parameter, 'catch_type');
        return {
          at: { start: clause.start, end: clause.start + 5 },
          catches: (types?.children ?? []).map(typeName),
          name: parameter ? name(parameter) : '',
          body: read(child(clause, 'body'), clause),
        };
      }),
      finally: last && several(last, list(last)),
    };
  }

  function resource(node: Syntax): Node {
    const type = child(node, 'type');
    const value = child(node, 'value');
    if (!value) return several(node, list(node));
    const declared = type && say(type) !== 'var' ? readTypeRef(type) : undefined;
    return { kind: 'local', ...place(node), name: name(node), type: declared, value: expression(value) };
  }
}

const notComment = (node: Syntax) => node.type !== 'line_comment' && node.type !== 'block_comment';
const isType = (node: Syntax) =>
  /^(generic_type|array_type|annotated_type|(scoped_)?type_identifier|(integral|floating_point|boolean|void)_type|wildcard)$/.test(
    node.type,
  );

function readImport(said: string): Import {
  const plain = said.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '').replace(/\s+/g, ' ');
  const match = /^import (static )?([^*;]+?) ?(\. ?\*)? ?;?$/.exec(plain.trim());
  return {
    path: match?.[2]?.replaceAll(' ', '') ?? '',
    wildcard: Boolean(match?.[3]),
    static: Boolean(match?.[1]),
  };
}
