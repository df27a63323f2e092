// Whether a function is a generator: it yields itself, and not what is defined in it. What that means is said elsewhere.
import { child, type Syntax } from '../../syntax.ts';

const OTHERS = /^(?:function_definition|class_definition|lambda)$/;

export function isGenerator(definition: Syntax): boolean {
  const body = child(definition, 'body');
  const stack = body ? [body] : [];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.type === 'yield') return true;
    for (const one of node.children) if (!OTHERS.test(one.type)) stack.push(one);
  }
  return false;
}
