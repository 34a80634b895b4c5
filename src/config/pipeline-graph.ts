// The graph that `requires` makes: cycles, order, sinks. Pure.

export type GraphNode = { name: string; requires: readonly string[] };

/** The names of a cycle, the first repeated at the end, or undefined when there is none. Unknown names are ignored. */
export function findCycle(nodes: readonly GraphNode[]): string[] | undefined {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const finished = new Set<string>();
  const path: string[] = [];
  const visit = (name: string): string[] | undefined => {
    const node = byName.get(name);
    if (node === undefined || finished.has(name)) return undefined;
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    path.push(name);
    for (const required of node.requires) {
      const cycle = visit(required);
      if (cycle !== undefined) return cycle;
    }
    path.pop();
    finished.add(name);
    return undefined;
  };
  for (const node of nodes) {
    const cycle = visit(node.name);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

/** Every node after all that it requires; ties in the given order. The graph must have no cycle. */
export function sortByRequirement<Node extends GraphNode>(nodes: readonly Node[]): Node[] {
  const sorted: Node[] = [];
  const done = new Set<string>();
  let left = [...nodes];
  while (left.length > 0) {
    const next = left.find((node) => node.requires.every((name) => done.has(name)));
    if (next === undefined) throw new Error("sortByRequirement was given a cycle or an unknown name");
    sorted.push(next);
    done.add(next.name);
    left = left.filter((node) => node !== next);
  }
  return sorted;
}

/** The names that nothing else requires. */
export function findSinks(nodes: readonly GraphNode[]): string[] {
  const required = new Set(nodes.flatMap((node) => node.requires));
  return nodes.map((node) => node.name).filter((name) => !required.has(name));
}
