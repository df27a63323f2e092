// A map whose values are also found by the words that they go by. It knows nothing of what they are.

export class Shelf<Value> extends Map<string, Value> {
  readonly #words: (one: Value) => string[];
  /** Made when it is first asked for: most programs never look back at what they defined. */
  #under: Map<string, Set<string>> | null = null;

  constructor(words: (one: Value) => string[]) {
    super();
    this.#words = words;
  }

  override set(key: string, one: Value): this {
    if (this.#under) {
      this.#forget(key);
      for (const word of this.#words(one)) this.#note(this.#under, word, key);
    }
    return super.set(key, one);
  }

  override delete(key: string): boolean {
    if (this.#under) this.#forget(key);
    return super.delete(key);
  }

  /** Those that go by this word, as they are now: they may be replaced and taken away meanwhile. */
  under(word: string): [string, Value][] {
    if (!this.#under) {
      this.#under = new Map();
      for (const [key, one] of this) for (const its of this.#words(one)) this.#note(this.#under, its, key);
    }
    return [...(this.#under.get(word) ?? [])].map((key) => [key, this.get(key)!]);
  }

  #note(under: Map<string, Set<string>>, word: string, key: string): void {
    const keys = under.get(word);
    if (keys) keys.add(key);
    else under.set(word, new Set([key]));
  }

  #forget(key: string): void {
    const old = this.get(key);
    if (old === undefined) return;
    for (const word of this.#words(old)) this.#under!.get(word)?.delete(key);
  }
}
