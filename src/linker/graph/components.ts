// Which routines reach each other. Not what they do.

/**
 * Strongly connected components, callees first: those that can be reached from a routine and were not told before.
 * Without recursion of our own.
 */
export function components(
  size: number,
  edges: (index: number) => readonly number[],
  counts: (index: number) => boolean,
): (root: number) => number[][] {
  const order = new Int32Array(size).fill(-1);
  const low = new Int32Array(size);
  const onStack = new Uint8Array(size);
  const stack: number[] = [];
  /** The way to where we are: routines, and which of their edges comes next. */
  const way = new Int32Array(size);
  const edge = new Int32Array(size);
  let next = 0;
  let depth = 0;
  const enter = (node: number) => {
    order[node] = low[node] = next++;
    stack.push(node);
    onStack[node] = 1;
    way[depth++] = node;
  };
  return (root) => {
    const out: number[][] = [];
    if (order[root] === -1) enter(root);
    while (depth > 0) {
      const node = way[depth - 1]!;
      const to = edges(node)[edge[node]!++];
      if (to !== undefined) {
        if (!counts(to)) continue;
        if (order[to] === -1) enter(to);
        else if (onStack[to]) low[node] = Math.min(low[node]!, order[to]!);
        continue;
      }
      depth--;
      if (depth > 0) {
        const above = way[depth - 1]!;
        low[above] = Math.min(low[above]!, low[node]!);
      }
      if (low[node] !== order[node]) continue;
      const component: number[] = [];
      for (let member = -1; member !== node; ) {
        member = stack.pop()!;
        onStack[member] = 0;
        component.push(member);
      }
      out.push(component);
    }
    return out;
  };
}
