// Which routines reach each other. Not what they do.

/** Strongly connected components, callees first, of all or of `some`; without recursion of our own. */
export function components(edges: number[][], some?: Uint8Array): number[][] {
  const order = new Int32Array(edges.length).fill(-1);
  const low = new Int32Array(edges.length);
  const onStack = new Uint8Array(edges.length);
  const stack: number[] = [];
  const out: number[][] = [];
  let next = 0;
  for (let root = 0; root < edges.length; root++) {
    if (order[root] !== -1 || (some && !some[root])) continue;
    const work: { node: number; edge: number }[] = [{ node: root, edge: 0 }];
    order[root] = low[root] = next++;
    stack.push(root);
    onStack[root] = 1;
    while (work.length > 0) {
      const top = work.at(-1)!;
      const { node } = top;
      const to = edges[node]![top.edge++];
      if (to !== undefined) {
        if (some && !some[to]) continue;
        if (order[to] === -1) {
          order[to] = low[to] = next++;
          stack.push(to);
          onStack[to] = 1;
          work.push({ node: to, edge: 0 });
        } else if (onStack[to]) low[node] = Math.min(low[node]!, order[to]!);
        continue;
      }
      work.pop();
      const above = work.at(-1);
      if (above) low[above.node] = Math.min(low[above.node]!, low[node]!);
      if (low[node] !== order[node]) continue;
      const component: number[] = [];
      for (let member = -1; member !== node; ) {
        member = stack.pop()!;
        onStack[member] = 0;
        component.push(member);
      }
      out.push(component);
    }
  }
  return out;
}
