// A parsed document whose every key and value knows where it stands, so that a wrong one can be named by its line.

export interface TreeNode {
  at: number;
  value: string | number | boolean | null | TreeNode[] | Map<string, Entry>;
}

export interface Entry {
  /** Where the key stands. */
  at: number;
  node: TreeNode;
}

/** The document is not what its format allows; `at` is an offset. */
export class DocumentError extends Error {
  at: number;
  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

export const isTable = (node: TreeNode | undefined): node is TreeNode & { value: Map<string, Entry> } =>
  node?.value instanceof Map;

/** The value without its places. */
export function plainValue({ value }: TreeNode): unknown {
  if (Array.isArray(value)) return value.map(plainValue);
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, { node }]) => [key, plainValue(node)]));
  return value;
}
