// Reads Kotlin's syntax nodes into the tree that Java and Kotlin share; resolves nothing.
import type {
  Annotation, Argument, Call, Field, Import, Method, Node, Parameter, SourceFile, TypeBody, TypeParameter, TypeRef,
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
import { OPERATORS } from '../src/frontends/kotlin/syntax/expressions.ts';
import { child, type Syntax } from '../src/frontends/syntax.ts';

/** Nodes whose inside says nothing about transactions. */
export const LEAVES = [
  'line_comment', 'block_comment', 'character_literal', 'number_literal', 'qualified_identifier', 'visibility_modifier',
  'file_annotation', 'type_constraints', 'shebang', 'import', 'package_header', 'identifier', 'string_content', 'escape_sequence',
  'member_modifier', 'function_modifier', 'inheritance_modifier', 'property_modifier', 'class_modifier', 'this_expression',
]; // biome-ignore format: one list

const TYPES = ['class_declaration', 'object_declaration', 'companion_object'];
const NOT_AN_EXPRESSION = new Set([
  'line_comment', 'block_comment', 'modifiers', 'type_arguments', 'user_type', 'nullable_type', 'parenthesized_type',
  'function_type', 'label', 'annotation', 'visibility_modifier', 'variable_declaration', 'multi_variable_declaration',
]); // biome-ignore format: one list
const isType = ({ type }: Syntax) => /^(user|nullable|function|parenthesized|non_nullable)_type$/.test(type);
const isExpression = ({ type }: Syntax) => !NOT_AN_EXPRESSION.has(type);

export function readKotlin(root: Syntax, text: string): SourceFile {
  const say = (node: Syntax) => text.slice(node.start, node.end);
  const file = emptyFile();
  top(root);
  return file;

  function top(parent: Syntax): void {
    for (const node of parent.children) {
      if (node.type === 'package_header') {
        file.package = say(node).replace(/^package\s+|[\s`;]+/g, '');
      } else if (node.type === 'import') file.imports.push(readImport(say(node)));
      else if (TYPES.includes(node.type)) file.types.push(readType(node));
      else if (node.type === 'function_declaration') file.functions.push(readFunction(node));
      else if (node.type === 'property_declaration') {
        file.fields.push(...readProperty(node, true));
        file.functions.push(...propertyMethods(node));
        if (first(node, 'multi_variable_declaration')) file.statements.push(read(initialValue(node), node));
      } else if (node.type === 'type_alias') readAlias(node);
      else if (node.type === 'ERROR') top(node);
      else if (isExpression(node) && !LEAVES.includes(node.type) && text[node.start] !== '@')
        file.statements.push(expression(node));
    }
  }

  function readAlias(node: Syntax): void {
    const name = first(node, 'identifier');
    const type = node.children.find(isType);
    if (name && type) file.typeAliases.push({ name: say(name), type: readTypeRef(type) });
  }

  // ---- types and members

  function readType(node: Syntax): TypeBody {
    const at = child(node, 'name') ?? first(node, 'identifier');
    const head = text.slice(node.start, at?.start ?? node.start);
    const modifiers = first(node, 'modifiers');
    const said = modifiers ? say(modifiers) : '';
    const supers = specifiers(node);
    const [above] = constructed(supers);
    const type: TypeBody = {
      ...emptyType(
        node,
        at ? place(at) : { start: node.start, end: node.start + 9 },
        supers.flatMap(readBase),
      ),
      name: at ? plain(at) : 'Companion',
      is:
        node.type !== 'class_declaration' ? 'object'
        : /\binterface\b/.test(head) ? 'interface'
        : /\bannotation\b/.test(said) ? 'annotation'
        : /\benum\b/.test(head) ? 'enum'
        : 'class', // biome-ignore format: a table
      abstract: /\binterface\b/.test(head) || /\b(abstract|sealed)\b/.test(said),
      annotations: annotations(modifiers),
      baseArguments: above?.arguments ?? [],
      typeParameters: typeParameters(node),
    };
    primaryConstructor(node, type);
    type.initialisers.push(...delegates(supers), ...(above ? [above] : []));
    const body = first(node, 'class_body', 'enum_class_body');
    if (body) members(body, type);
    return type;
  }

  function specifiers(node: Syntax): Syntax[] {
    const list = first(node, 'delegation_specifiers')?.children ?? [];
    return list.flatMap((one) => (one.type === 'delegation_specifier' ? one.children : [one]));
  }

  /** The call of the constructor above. */
  function constructed(supers: Syntax[]): Call[] {
    const node = supers.find(({ type }) => type === 'constructor_invocation');
    const type = node?.children.find(isType);
    if (!node || !type) return [];
    const creates = readTypeRef(type);
    const at = first(type, 'identifier') ?? type;
    return [
      {
        kind: 'call', ...place(node), object: null, name: creates.name, at: place(at), arguments: readArguments(node), creates,
      },
    ]; // biome-ignore format: short
  }

  /** `A by b`: what makes the `b`. */
  function delegates(supers: Syntax[]): Node[] {
    return (
      supers
        .filter(({ type }) => type === 'explicit_delegation')
        .flatMap((one) => one.children.filter((inner) => !isType(inner) && isExpression(inner)))
        // The grammar takes the class's body for a lambda.
        .map((one) => expression(one.children.at(-1)?.type === 'annotated_lambda' ? one.children[0]! : one))
    );
  }

  function readBase(node: Syntax): TypeRef[] {
    const type = isType(node) ? node : node.children.find(isType);
    return type ? [readTypeRef(type)] : [];
  }

  function primaryConstructor(node: Syntax, type: TypeBody): void {
    const list = first(node, 'primary_constructor');
    const parameters = list && first(list, 'class_parameters');
    const own: Method['parameters'] = [];
    for (const one of parameters ? all(parameters, 'class_parameter') : []) {
      const identifier = first(one, 'identifier');
      const declared = one.children.find(isType);
      const said = {
        name: identifier ? plain(identifier) : '',
        type: declared && typeOf(declared, first(one, 'modifiers')),
        annotations: annotations(first(one, 'modifiers')),
      };
      type.fields.push({ ...place(one), ...said, static: false });
      const value =
        identifier && one.children.findLast((inner) => inner !== identifier && isExpression(inner));
      own.push(value ? { ...said, ...usual(value) } : said);
    }
    if (!parameters) return;
    type.methods.push({
      ...place(parameters), name: type.name, at: { start: parameters.start, end: parameters.start + 1 },
      isConstructor: true, annotations: [], parameters: own, typeParameters: [], private: false, static: false, abstract: false,
    }); // biome-ignore format: mostly empty
  }

  function members(body: Syntax, type: TypeBody): void {
    for (const node of body.children) {
      switch (node.type) {
        case 'property_declaration':
          type.fields.push(...readProperty(node, type.is === 'object'));
          type.methods.push(...propertyMethods(node));
          if (first(node, 'multi_variable_declaration'))
            type.initialisers.push(read(initialValue(node), node));
          break;
        case 'function_declaration':
        case 'secondary_constructor':
          type.methods.push(readFunction(node, type));
          break;
        case 'anonymous_initializer':
          type.initialisers.push(...expressions(node));
          break;
        case 'companion_object':
          companion(node, type);
          break;
        case 'enum_entry': {
          const given = readArguments(node);
          type.statics.push(...given.map(({ value }) => value));
          type.entries = [...(type.entries ?? []), { name: say(first(node, 'identifier')!), given }];
          const own = first(node, 'class_body');
          if (own) members(own, type);
          break;
        }
        case 'ERROR':
          members(node, type);
          break;
        default:
          if (TYPES.includes(node.type)) type.types.push(readType(node));
      }
    }
  }

  /** Its members are called by the class's name. */
  function companion(node: Syntax, type: TypeBody): void {
    const { fields, methods, types, bases, baseArguments, initialisers } = readType(node);
    type.fields.push(...fields.map((field) => ({ ...field, static: true })));
    type.methods.push(...methods.map((method) => ({ ...method, static: true })));
    type.types.push(...types);
    type.statics.push(...initialisers);
    type.companionBases = bases;
    type.companionArguments = baseArguments;
  }

  function readProperty(node: Syntax, isStatic: boolean): Field[] {
    const variable = first(node, 'variable_declaration');
    const name = variable && first(variable, 'identifier');
    if (!variable || !name) return [];
    const type = variable.children.find(isType);
    const delegate = first(node, 'property_delegate');
    const value = delegate ? delegate.children[0] : initialValue(node);
    return [
      {
        ...place(variable),
        name: plain(name),
        type: type && readTypeRef(type),
        value: value && expression(value),
        annotations: annotations(first(node, 'modifiers')),
        static: isStatic,
      },
    ];
  }

  /** What stands behind `=`: the last child that is an expression. */
  function initialValue(node: Syntax): Syntax | undefined {
    return node.children.findLast(
      (one) => isExpression(one) && !/^(getter|setter|property_delegate|type_parameters)$/.test(one.type),
    );
  }

  /** `var total: Int get() = … set(value) { … }` are methods. */
  function propertyMethods(node: Syntax): Method[] {
    const variable = first(node, 'variable_declaration');
    const name = variable && first(variable, 'identifier');
    if (!name) return [];
    const called = plain(name);
    const of = node.children.findLast((one) => isType(one) && one.end <= variable.start);
    const declared = variable.children.find(isType);
    const type = declared && readTypeRef(declared);
    return all(node, 'getter', 'setter').flatMap((accessor) => {
      const body = first(accessor, 'function_body');
      if (!body) return [];
      const said = first(accessor, 'modifiers', 'visibility_modifier');
      const isGetter = accessor.type === 'getter';
      const given = accessor.children.flatMap((one) =>
        one.type === 'identifier' ? [one] : /parameter/.test(one.type) ? all(one, 'identifier') : [],
      )[0];
      return {
        ...place(accessor), name: `${isGetter ? 'get' : 'set'}${called.charAt(0).toUpperCase()}${called.slice(1)}`,
        at: place(name), isConstructor: false, isAccessor: true, annotations: annotations(said),
        parameters: isGetter || !given ? [] : [{ name: plain(given), type, annotations: [] }], typeParameters: [],
        returns: isGetter ? type : undefined, receiver: of && readTypeRef(of), private: said ? /private/.test(say(said)) : false,
        static: false, abstract: false, body: functionBody(body),
      }; // biome-ignore format: mostly empty
    });
  }

  function readFunction(node: Syntax, owner?: TypeBody): Method {
    const modifiers = first(node, 'modifiers');
    const said = modifiers ? say(modifiers) : '';
    const name = child(node, 'name');
    const list = first(node, 'function_value_parameters');
    const body = first(node, 'function_body', 'block');
    const receiver = node.children.findLast(
      (one) => isType(one) && list !== undefined && one.end <= list.start,
    );
    const returns = node.children.find((one) => isType(one) && list !== undefined && one.start >= list.end);
    const extension = extensionName(node, name, receiver);
    const delegation = first(node, 'constructor_delegation_call');
    return {
      ...place(node),
      name: extension?.name ?? (name ? plain(name) : (owner?.name ?? '')),
      at: extension?.at ?? place(name ?? node),
      isConstructor: node.type === 'secondary_constructor',
      annotations: annotations(modifiers),
      parameters: list ? readParameters(list) : [],
      typeParameters: typeParameters(node),
      returns: returns && readTypeRef(returns),
      receiver: extension ? extension.receiver : receiver && readTypeRef(receiver),
      private: /\bprivate\b/.test(said),
      static: false,
      abstract: !body && (owner?.is === 'interface' || /\babstract\b/.test(said)),
      body: delegation ? afterAnother(node, delegation, body) : body && functionBody(body),
    };
  }

  /** `constructor(a: A) : this(a, b) { … }` */
  function afterAnother(node: Syntax, delegation: Syntax, body: Syntax | undefined): Node {
    const { start, end } = delegation;
    const name = /^\w+/.exec(say(delegation))![0];
    const at = { start, end: start + name.length };
    const call: Call = {
      kind: 'call',
      start,
      end,
      object: null,
      name,
      at,
      arguments: readArguments(delegation),
    };
    return { kind: 'sequence', start, end: node.end, items: [call, ...(body ? [functionBody(body)] : [])] };
  }

  /** The grammar reads `fun String.slug()` as a type `String.slug` and an empty name. */
  function extensionName(node: Syntax, name: Syntax | undefined, receiver: Syntax | undefined) {
    if ((name && name.end > name.start) || !receiver || node.type !== 'function_declaration') return null;
    const last = receiver.children.at(-1);
    if (last?.type !== 'identifier') return null;
    const written = say({ ...receiver, end: last.start }).replace(/<[\s\S]*$|[.\s?]+$/g, '');
    return {
      name: plain(last),
      at: place(last),
      receiver: written ? { name: written, arguments: [] } : undefined,
    };
  }

  function functionBody(node: Syntax): Node {
    if (node.type === 'block') return block(node);
    const inner = node.children.filter(isExpression);
    return inner[0]?.type === 'block' ? block(inner[0]) : several(node, inner.map(expression));
  }

  function readParameters(list: Syntax): Method['parameters'] {
    const out: Method['parameters'] = [];
    let waiting: Annotation[] = [];
    let words: Syntax | undefined;
    for (const one of list.children) {
      if (one.type === 'parameter_modifiers' || one.type === 'modifiers') {
        words = one;
        waiting = annotations(one);
      }
      const before = out.at(-1);
      // A default stands behind its parameter.
      if (before && one.type !== 'parameter' && isExpression(one) && !/modifiers/.test(one.type))
        Object.assign(before, usual(one));
      if (one.type !== 'parameter') continue;
      const name = first(one, 'identifier');
      const type = one.children.find(isType);
      out.push({ name: name ? plain(name) : '', type: type && typeOf(type, words), annotations: waiting });
      waiting = [];
      words = undefined;
    }
    return out;
  }

  /** `vararg` makes a list of it. */
  function typeOf(type: Syntax, modifiers: Syntax | undefined): TypeRef {
    const made = readTypeRef(type);
    return modifiers && /\bvararg\b/.test(say(modifiers)) ? { name: '[]', arguments: [made] } : made;
  }

  function usual(value: Syntax): Pick<Parameter, 'usual' | 'otherwise'> {
    const said = say(value);
    return /^(true|false|null)$/.test(said)
      ? { usual: said === 'null' ? null : said === 'true' }
      : { otherwise: expression(value) };
  }

  function annotations(modifiers: Syntax | undefined): Annotation[] {
    return modifiers ? all(modifiers, 'annotation').flatMap(annotation) : [];
  }

  function annotation(node: Syntax): Annotation[] {
    return node.children.flatMap((one) => {
      const isCall = one.type === 'constructor_invocation';
      const type = isCall ? one.children.find(isType) : isType(one) ? one : undefined;
      if (!type) return [];
      const given = isCall ? readArguments(one) : [];
      return [{ start: node.start, end: type.end, name: readTypeRef(type).name, arguments: given }];
    });
  }

  function typeParameters(node: Syntax): TypeParameter[] {
    const list = first(node, 'type_parameters');
    return (list ? all(list, 'type_parameter') : []).map((one) => {
      const name = first(one, 'identifier');
      const bound = one.children.find(isType);
      return { name: name ? say(name) : '', bound: bound && readTypeRef(bound) };
    });
  }

  function readTypeRef(node: Syntax): TypeRef {
    if (node.type === 'function_type') {
      const given = node.children.findIndex(({ type }) => type === 'function_type_parameters');
      const ofReceiver = node.children.slice(0, given).some(isType);
      const taken = all(node.children[given]!, 'parameter').flatMap(
        ({ children }) => children.find(isType) ?? [],
      );
      const direct = node.children[given]!.children.filter(isType);
      const types = [
        ...node.children.filter((one, at) => at < given && isType(one)),
        ...[...taken, ...direct].sort((a, b) => a.start - b.start),
        ...node.children.slice(given + 1).filter(isType),
      ];
      const type: TypeRef = { name: 'kotlin.Function', arguments: types.map(readTypeRef), isFunction: true };
      return ofReceiver ? { ...type, ofReceiver: true } : type;
    }
    if (node.type === 'nullable_type' || node.type === 'parenthesized_type') {
      const inner = node.children.find(isType);
      return inner ? readTypeRef(inner) : { name: '', arguments: [] };
    }
    const name = all(node, 'identifier').map(plain).join('.');
    return { name, arguments: typeArguments(first(node, 'type_arguments')) };
  }

  function typeArguments(list: Syntax | undefined): TypeRef[] {
    return (list?.children ?? []).flatMap((one) => {
      const type = isType(one) ? one : one.children.find(isType);
      return type ? [readTypeRef(type)] : [];
    });
  }

  function plain(node: Syntax): string {
    return say(node).replaceAll('`', '');
  }

  // ---- expressions

  function expressions(node: Syntax): Node[] {
    return node.children.filter(isExpression).map(expression);
  }

  function read(node: Syntax | undefined, instead: Syntax): Node {
    return node ? expression(node) : several(instead, []);
  }

  function block(node: Syntax): Node {
    return { kind: 'sequence', ...place(node), items: expressions(node) };
  }

  function expression(node: Syntax): Node {
    switch (node.type) {
      case 'identifier':
        return identifier(node);
      case 'this_expression':
      case 'super_expression':
        return { kind: 'name', ...place(node), text: node.type.slice(0, node.type.indexOf('_')) };
      case 'navigation_expression':
        return navigation(node);
      case 'call_expression':
        return call(node);
      case 'string_literal':
      case 'multiline_string_literal':
        return string(node);
      case 'binary_expression':
        return operators(node);
      case 'unary_expression': {
        const operator = child(node, 'operator')!;
        const argument = child(node, 'argument');
        if (!argument) return several(node, expressions(node));
        if (operator.start < argument.start) return several(node, expressions(node));
        return say(operator) === '!!' ? expression(argument) : several(node, [expression(argument)]);
      }
      case 'parenthesized_expression': {
        const inside = expressions(node);
        return inside.length === 1 ? inside[0]! : several(node, inside);
      }
      case 'as_expression': {
        const value = node.children.find(isExpression);
        const type = node.children.findLast(isType);
        if (!value || !type) return several(node, expressions(node));
        return { kind: 'cast', ...place(node), type: readTypeRef(type), value: expression(value) };
      }
      case 'lambda_literal':
        return lambda(node);
      case 'annotated_lambda': {
        const label = first(node, 'label');
        const inner = read(first(node, 'lambda_literal'), node);
        return inner.kind === 'lambda' && label ? { ...inner, label: say(label).replace(/@$/, '') } : inner;
      }
      case 'anonymous_function':
        return anonymousFunction(node);
      case 'callable_reference':
        return reference(node);
      case 'object_literal':
        return object(node);
      case 'index_expression':
        return index(node);
      case 'infix_expression':
        return pair(node);
      default:
        return statement(node);
    }
  }

  /** What stands behind `?:` may not run, nor what leaves behind `&&` and `||`. */
  function operators(node: Syntax): Node {
    if (!mayStop(node)) return concat(node, expression, (left) => left.type === node.type && !mayStop(left));
    const [left, right] = node.children.filter(
      (one) => one.field !== 'operator' && !one.type.endsWith('comment'),
    );
    return {
      kind: 'choice',
      ...place(node),
      tests: [expression(left!)],
      arms: [expression(right!)],
      exhaustive: false,
      ...(operator(node) === '?:' && { isElse: true }),
    };
  }

  function operator(node: Syntax): string {
    return say(child(node, 'operator')!);
  }

  function mayStop(node: Syntax): boolean {
    const said = operator(node);
    return said === '?:' || (/^(&&|\|\|)$/.test(said) && expression(node.children.at(-1)!).kind === 'leave');
  }

  /** `"autosave" to "always"`, but no call that is an operator. */
  function pair(node: Syntax): Node {
    const [key, name, value] = node.children;
    if (!key || !value || !name || OPERATORS.has(say(name))) return several(node, expressions(node));
    return {
      kind: 'call',
      ...place(node),
      object: expression(key),
      name: say(name),
      at: place(name),
      arguments: [{ value: expression(value) }],
    };
  }

  /** The grammar takes `break` and `continue` for names. */
  function identifier(node: Syntax): Node {
    const said = plain(node);
    return said === 'break' || said === 'continue'
      ? { kind: 'leave', ...place(node), how: said }
      : { kind: 'name', ...place(node), text: said };
  }

  function navigation(node: Syntax): Node {
    const parts = node.children.filter(isExpression);
    const [object] = parts;
    const name = parts.at(-1);
    if (!object || !name || object === name) return several(node, expressions(node));
    const base = { ...place(node), object: expression(object), name: plain(name), at: place(name) };
    // `A::f`
    if (/::\s*$/.test(text.slice(node.start, name.start)) && base.name !== 'class')
      return { kind: 'reference', ...base };
    return {
      kind: 'member',
      ...place(node),
      object: expression(object),
      name: plain(name),
      at: place(name),
    };
  }

  interface Link {
    node: Syntax;
    /** `.name`, or null for a call by name or of a value. */
    member: Syntax | null;
    given: Syntax[];
    types?: Syntax;
  }

  /** `a.b(c) { … }.d()`: a chain is read from the inside out. */
  function call(node: Syntax): Node {
    const links: Link[] = [];
    let inner: Syntax | undefined = node;
    while (inner?.type === 'call_expression') {
      const link: Link = { node: inner, member: null, given: [] };
      let callee: Syntax | undefined = inner;
      // Arguments in brackets and the lambda behind them are two calls for the grammar.
      for (let more = true; more && callee?.type === 'call_expression'; ) {
        const given = callee.children.filter((one) => /^(value_arguments|annotated_lambda)$/.test(one.type));
        link.given.unshift(...given);
        link.types ??= first(callee, 'type_arguments');
        more = given.length > 0 && given.every((one) => one.type === 'annotated_lambda');
        callee = callee.children[0];
      }
      links.push(link);
      if (callee?.type === 'navigation_expression') {
        link.member = callee;
        callee = callee.children.find(isExpression);
      } else if (callee?.type === 'identifier') return chain(links.reverse(), callee, true);
      inner = callee;
    }
    return chain(links.reverse(), inner, false);
  }

  function chain(links: Link[], base: Syntax | undefined, isNamed: boolean): Node {
    let object: Node | null = base && !isNamed ? expression(base) : null;
    for (const [position, { node, member, given, types }] of links.entries()) {
      const list = given.flatMap((one): Argument[] =>
        one.type === 'value_arguments' ? readArguments(one) : [{ value: expression(one) }],
      );
      const names = member?.children.filter((one) => one.type === 'identifier');
      const named = names?.at(-1) ?? (isNamed && position === 0 ? base : undefined);
      for (const { value } of list) if (value.kind === 'lambda' && named) value.label ??= plain(named);
      object = {
        kind: 'call',
        ...place(node),
        object,
        // What an expression gives is called: `factory()()`.
        name: named ? plain(named) : 'invoke',
        at: named ? place(named) : { start: node.start, end: node.start + 1 },
        arguments: list,
        typeArguments: types && typeArguments(types),
      };
    }
    return object!;
  }

  function readArguments(node: Syntax): Argument[] {
    const list = node.type === 'value_arguments' ? node : first(node, 'value_arguments');
    return (list ? all(list, 'value_argument') : []).map((one) => {
      const inner = one.children.filter(isExpression);
      const [name, value] = inner;
      const isNamed =
        value && name?.type === 'identifier' && /^\s*=(?!=)/.test(text.slice(name.end, value.start));
      const last = inner.at(-1);
      // `*list`
      const given = last?.type === 'spread_expression' ? last.children.find(isExpression) : last;
      if (isNamed) return { name: plain(name), value: read(given, one) };
      return { value: read(given, one) };
    });
  }

  function string(node: Syntax): Node {
    const marks = node.type === 'string_literal' ? 1 : 3;
    const start = node.start + marks;
    const end = Math.max(start, node.end - marks);
    const holes = all(node, 'interpolation');
    const cut = [...holes.map(place), ...dollars(start, end, holes)].sort((a, b) => a.start - b.start);
    const source = quoted(text, start, end, cut, marks === 1);
    const inside = cut.flatMap((one): Node[] => {
      const hole = holes.find(({ start }) => start === one.start);
      if (hole) return expressions(hole);
      return [{ kind: 'name', start: one.start + 1, end: one.end, text: text.slice(one.start + 1, one.end) }];
    });
    return { kind: 'text', ...place(node), source, holes: inside };
  }

  /** The grammar takes `$name` for text. */
  function dollars(start: number, end: number, holes: Syntax[]) {
    const out: { start: number; end: number }[] = [];
    for (const match of text.slice(start, end).matchAll(/\$(?:[\p{L}_][\p{L}\w]*|`[^`\n]+`)/gu)) {
      const at = start + match.index;
      if (text[at - 1] !== '\\' && !holes.some((hole) => at >= hole.start && at < hole.end))
        out.push({ start: at, end: at + match[0].length });
    }
    return out;
  }

  function lambda(node: Syntax): Node {
    const list = first(node, 'lambda_parameters');
    const parameters = (list?.children ?? []).flatMap((one): Parameter[] =>
      (one.type === 'multi_variable_declaration' ? all(one, 'variable_declaration') : [one]).flatMap(
        (variable) => {
          const name = first(variable, 'identifier');
          const type = variable.children.find(isType);
          return name ? [{ name: plain(name), type: type && readTypeRef(type) }] : [];
        },
      ),
    );
    const items = node.children.filter((one) => one !== list && isExpression(one)).map(expression);
    return {
      kind: 'lambda',
      ...place(node),
      parameters: list ? parameters : [{ name: 'it' }],
      body: { kind: 'sequence', ...place(node), items },
    };
  }

  function anonymousFunction(node: Syntax): Node {
    const list = first(node, 'function_value_parameters');
    const body = first(node, 'function_body', 'block');
    return {
      kind: 'lambda',
      ...place(node),
      parameters: list ? readParameters(list) : [],
      body: body ? functionBody(body) : several(node, []),
      isFunction: true,
    };
  }

  function reference(node: Syntax): Node {
    const parts = node.children.filter((one) => isExpression(one) || isType(one));
    const name = parts.at(-1);
    const object = parts.length > 1 ? parts[0]! : null;
    if (!name) return several(node, []);
    const of: Node | null =
      object && isType(object)
        ? { kind: 'name', ...place(object), text: readTypeRef(object).name }
        : object && expression(object);
    return { kind: 'reference', ...place(node), object: of, name: plain(name), at: place(name) };
  }

  /** `object : Runnable { … }` is handed over like an anonymous class. */
  function object(node: Syntax): Node {
    const supers = specifiers(node);
    const bases = supers.flatMap(readBase);
    const creates = bases[0] ?? { name: '', arguments: [] };
    const at = { start: node.start, end: node.start + 6 };
    const body = emptyType(node, at, bases);
    const above = constructed(supers).flatMap((one) => one.arguments.map(({ value }) => value));
    body.initialisers.push(...delegates(supers), ...above);
    const own = first(node, 'class_body');
    if (own) members(own, body);
    return {
      kind: 'call',
      ...place(node),
      object: null,
      name: creates.name,
      at,
      creates,
      body,
      arguments: [],
    };
  }

  /** `props["autosave"]` is `props.get("autosave")`. */
  function index(node: Syntax): Node {
    const [object, ...keys] = node.children.filter(isExpression);
    if (!object) return several(node, []);
    return {
      kind: 'call',
      ...place(node),
      object: expression(object),
      name: 'get',
      at: { start: object.end, end: Math.min(object.end + 1, node.end) },
      arguments: keys.map((key) => ({ value: expression(key) })),
    };
  }

  // ---- statements

  function statement(node: Syntax): Node {
    switch (node.type) {
      case 'block':
      case 'control_structure_body':
        return block(node);
      case 'property_declaration':
        return local(node);
      case 'assignment':
        return assignment(node);
      case 'if_expression':
        return conditional(node);
      case 'when_expression':
        return when(node);
      case 'for_statement':
      case 'while_statement':
      case 'do_while_statement':
        return loop(node);
      case 'try_expression':
        return attempt(node);
      case 'return_expression':
      case 'throw_expression': {
        const label = child(node, 'label');
        const value = node.children.find((one) => one !== label && isExpression(one));
        const how = node.type === 'throw_expression' ? 'raise' : 'return';
        const to = label && say(label).replace(/^@/, '');
        return { kind: 'leave', ...place(node), how, label: to, value: value && expression(value) };
      }
      case 'labeled_expression':
        return labelled(node);
      case 'function_declaration': {
        const { name, parameters, body } = readFunction(node);
        const value: Node = {
          kind: 'lambda', ...place(node), parameters, body: body ?? several(node, []), label: name, isFunction: true,
        }; // biome-ignore format: short
        return { kind: 'local', ...place(node), name, value };
      }
      default:
        if (TYPES.includes(node.type)) return readType(node);
        return node.children.length > 0
          ? several(node, expressions(node))
          : { kind: 'literal', ...place(node), text: say(node) };
    }
  }

  function local(node: Syntax): Node {
    const [field] = readProperty(node, false);
    if (!field) return read(initialValue(node), node);
    const { name, type, value, start, end } = field;
    return { kind: 'local', start, end, name, type, value };
  }

  function assignment(node: Syntax): Node {
    const target = child(node, 'left');
    const value = child(node, 'right');
    if (!target || !value) return several(node, expressions(node));
    const to = expression(target);
    const given = expression(value);
    // `props["autosave"] = "always"`
    if (to.kind === 'call' && target.type === 'index_expression')
      return { ...to, name: 'set', arguments: [...to.arguments, { value: given }] };
    return { kind: 'assign', ...place(node), target: to, value: given };
  }

  /** `if … else if … else` is one choice with many arms. */
  function conditional(node: Syntax): Node {
    const tests: Node[] = [];
    const arms: Node[] = [];
    let exhaustive = false;
    for (let next: Syntax | undefined = node; next?.type === 'if_expression'; ) {
      const condition = child(next, 'condition');
      if (condition) tests.push(expression(condition));
      const branches: Syntax[] = next.children.filter((one) => one !== condition && isExpression(one));
      const [then, otherwise] = branches;
      if (then) arms.push(expression(then));
      exhaustive = otherwise !== undefined;
      if (otherwise && otherwise.type !== 'if_expression') arms.push(expression(otherwise));
      next = otherwise;
    }
    return { kind: 'choice', ...place(node), tests, arms, exhaustive };
  }

  function when(node: Syntax): Node {
    const subject = first(node, 'when_subject');
    const entries = all(node, 'when_entry');
    const isElse = (entry: Syntax) => !entry.children.some((one) => one.field === 'condition');
    const body = (entry: Syntax) =>
      entry.children.filter((one) => one.field !== 'condition' && isExpression(one));
    return {
      kind: 'choice',
      ...place(node),
      tests: [...(subject ? [subjectOf(subject)] : []), ...entries.flatMap(conditions)],
      exhaustive: entries.some(isElse),
      // The grammar's entry ends where the next one begins.
      arms: entries.map((entry) => {
        const inside = body(entry);
        return several({ ...entry, end: inside.at(-1)?.end ?? entry.end }, inside.map(expression));
      }),
    };
  }

  /** `(val it = …)` */
  function subjectOf(node: Syntax): Node {
    const variable = first(node, 'variable_declaration');
    const value = expressions(node).at(-1)!;
    const name = variable && first(variable, 'identifier');
    if (!name) return value;
    const type = variable.children.find(isType);
    return {
      kind: 'local',
      start: node.children[0]!.start,
      end: value.end,
      name: plain(name),
      type: type && readTypeRef(type),
      value,
    };
  }

  function conditions(entry: Syntax): Node[] {
    return entry.children.flatMap((one) =>
      one.field !== 'condition' ? []
      : one.type === 'type_test' ? []
      : one.type === 'range_test' ? expressions(one)
      : isExpression(one) ? [expression(one)]
      : [],
    ); // biome-ignore format: a table
  }

  function loop(node: Syntax): Node {
    const label = first(node, 'label');
    const condition = child(node, 'condition');
    const inner = node.children.filter((one) => one !== condition && isExpression(one));
    const base = {
      kind: 'repeat' as const,
      start: label ? label.end + text.slice(label.end).search(/\S/) : node.start,
      end: node.end,
      label: label && say(label).replace(/@$/, ''),
    };
    if (node.type !== 'for_statement') {
      const every = condition ? [expression(condition)] : [];
      return { ...base, how: 'while', first: [], every, body: read(inner.at(-1), node) };
    }
    const variable = first(node, 'variable_declaration');
    const name = variable && first(variable, 'identifier');
    const type = variable?.children.find(isType);
    const several_ = first(node, 'multi_variable_declaration');
    const parts =
      several_ && all(several_, 'variable_declaration').map((one) => plain(first(one, 'identifier')!));
    const [over, body] = inner;
    const range = over && /^(\d+)\s*(\.\.<?|until)\s*(\d+)$/.exec(say(over));
    return {
      ...base,
      how: over?.type === 'range_expression' || range ? 'count' : 'each',
      first: over ? [expression(over)] : [],
      every: [],
      variable: name && { name: plain(name), type: type && readTypeRef(type) },
      parts,
      body: read(body, node),
    };
  }

  function labelled(node: Syntax): Node {
    const said = /^(break|continue|return)@\s*(\w+)$/.exec(say(node));
    if (said) {
      const how = said[1] as 'break' | 'continue' | 'return';
      return { kind: 'leave', ...place(node), how, label: said[2] };
    }
    const label = first(node, 'label');
    const inner = expressions(node)[0] ?? several(node, []);
    if ((inner.kind === 'repeat' || inner.kind === 'lambda') && label)
      inner.label = say(label).replace(/@$/, '');
    return inner;
  }

  function attempt(node: Syntax): Node {
    const last = first(node, 'finally_block');
    return {
      kind: 'try',
      ...place(node),
      resources: [],
      body: read(first(node, 'block'), node),
      handlers: all(node, 'catch_block').map((clause) => {
        const type = clause.children.find(isType);
        const name = first(clause, 'identifier');
        return {
          at: { start: clause.start, end: clause.start + 5 },
          catches: type ? [readTypeRef(type).name] : [],
          name: name ? plain(name) : '',
          body: read(first(clause, 'block'), clause),
        };
      }),
      finally: last && several(last, expressions(last)),
    };
  }
}

function readImport(said: string): Import {
  const match = /^import\s+([\w\p{L}.`]+?)(\.\*)?(?:\s+as\s+(`?[\w\p{L}]+`?))?\s*;?$/u.exec(said.trim());
  return {
    path: match?.[1]?.replaceAll('`', '') ?? '',
    wildcard: Boolean(match?.[2]),
    alias: match?.[3]?.replaceAll('`', ''),
    static: false,
  };
}
