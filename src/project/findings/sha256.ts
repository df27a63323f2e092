// SHA-256 of short texts. Node's own is faster, but to load it takes longer than all that a small run hashes.

/** The fractional parts of roots of the first primes, as FIPS 180-4 has them. */
function fractions(count: number, root: number): number[] {
  const out: number[] = [];
  for (let n = 2; out.length < count; n++) {
    let prime = true;
    for (let k = 2; k * k <= n && prime; k++) prime = n % k !== 0;
    if (prime) out.push(((n ** (1 / root) % 1) * 2 ** 32) | 0);
  }
  return out;
}

const turned = (x: number, by: number) => (x >>> by) | (x << (32 - by));

let rounds: Int32Array | undefined;

/** In hexadecimal. */
export function sha256(text: string): string {
  rounds ??= Int32Array.from(fractions(64, 3));
  const bytes = Buffer.from(text);
  // A one, zeros, and the length in bits: a whole number of blocks.
  const padded = Buffer.alloc((((bytes.length + 8) >> 6) + 1) << 6);
  bytes.copy(padded);
  padded[bytes.length] = 0x80;
  padded.writeUInt32BE(Math.floor(bytes.length / 2 ** 29), padded.length - 8);
  padded.writeUInt32BE((bytes.length << 3) >>> 0, padded.length - 4);
  const state = Int32Array.from(fractions(8, 2));
  const words = new Int32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i++) words[i] = padded.readInt32BE(block + 4 * i);
    for (let i = 16; i < 64; i++) {
      const [x, y] = [words[i - 15]!, words[i - 2]!];
      const low = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
      const high = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
      words[i] = words[i - 16]! + low + words[i - 7]! + high;
    }
    mix(state, words, rounds);
  }
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

function mix(state: Int32Array, words: Int32Array, constants: Int32Array): void {
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number, number, number, number, number, number, number, number,
  ]; // biome-ignore format: eight of them
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g);
    const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + constants[i]! + words[i]!) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  const added = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i++) state[i] = state[i]! + added[i]!;
}
