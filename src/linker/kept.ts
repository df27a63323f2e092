// What is found once for each object and kept as long as the object lives. Not what is found.

/** An editor asks of the same units and bodies after every change of another one. */
export function kept<Key extends object, Value>(find: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { value: Value }>();
  return (key) => {
    let one = known.get(key);
    if (!one) {
      one = { value: find(key) };
      known.set(key, one);
    }
    return one.value;
  };
}
