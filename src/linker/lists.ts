// A list for each key of a map. Not what is kept in it.

/** One more of this key. */
export function add<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
