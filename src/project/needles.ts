// Says whether bytes contain any of some words, exactly as written: Wu and Manber's search with blocks of two bytes.

/** With no words every file passes. Words have two bytes at least. */
export function createSearch(words: string[]): (bytes: Uint8Array) => boolean {
  if (words.length === 0) return () => true;
  const needles = words.map((word) => Buffer.from(word, 'utf8'));
  const shortest = Math.min(...needles.map((needle) => needle.length));
  if (shortest < 2) throw new Error(`a needle is too short: ${words.find((word) => word.length < 2)}`);
  // How far the window may move when it ends in this pair; 0: a needle may begin at the window's start.
  const shift = new Uint8Array(65536).fill(Math.min(255, shortest - 1));
  const endingIn = new Map<number, Buffer[]>();
  for (const needle of needles) {
    for (let end = 1; end < shortest; end++) {
      const pair = (needle[end - 1]! << 8) | needle[end]!;
      shift[pair] = Math.min(shift[pair]!, shortest - 1 - end);
    }
    const pair = (needle[shortest - 2]! << 8) | needle[shortest - 1]!;
    endingIn.set(pair, [...(endingIn.get(pair) ?? []), needle]);
  }
  const matches = (bytes: Uint8Array, start: number, needle: Buffer) => {
    if (start + needle.length > bytes.length) return false;
    for (let i = 0; i < needle.length; i++) if (bytes[start + i] !== needle[i]) return false;
    return true;
  };
  return (bytes) => {
    let end = shortest - 1;
    while (end < bytes.length) {
      const pair = (bytes[end - 1]! << 8) | bytes[end]!;
      const move = shift[pair]!;
      if (move > 0) end += move;
      else {
        const start = end - shortest + 1;
        for (const needle of endingIn.get(pair)!) if (matches(bytes, start, needle)) return true;
        end++;
      }
    }
    return false;
  };
}
