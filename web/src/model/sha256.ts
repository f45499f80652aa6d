// SHA-256 (FIPS 180-4) of a text: browsers offer it only to pages that came over https.
const fraction = (root: number) => Math.floor((root - Math.floor(root)) * 2 ** 32);

const PRIMES: number[] = [];
for (let n = 2; PRIMES.length < 64; n++) if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUND = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));

function padded(bytes: Uint8Array): DataView {
  const blocks = ((bytes.length + 8) >> 6) + 1;
  const all = new Uint8Array(blocks * 64);
  all.set(bytes);
  all[bytes.length] = 0x80;
  const view = new DataView(all.buffer);
  view.setUint32(all.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(all.length - 4, bytes.length << 3);
  return view;
}

export function sha256(text: string): string {
  const data = padded(new TextEncoder().encode(text));
  const hash = Int32Array.from(START);
  const w = new Int32Array(64);
  const rotated = (x: number, by: number) => (x >>> by) | (x << (32 - by));
  for (let at = 0; at < data.byteLength; at += 64) {
    for (let k = 0; k < 64; k++) {
      if (k < 16) {
        w[k] = data.getInt32(at + 4 * k);
        continue;
      }
      const [a, b] = [w[k - 15], w[k - 2]];
      w[k] = w[k - 16] + w[k - 7] + (rotated(a, 7) ^ rotated(a, 18) ^ (a >>> 3)) + (rotated(b, 17) ^ rotated(b, 19) ^ (b >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let k = 0; k < 64; k++) {
      const one = (h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[k] + w[k]) | 0;
      const two = ((rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
    }
    [a, b, c, d, e, f, g, h].forEach((part, k) => (hash[k] += part));
  }
  return [...hash].map((part) => (part >>> 0).toString(16).padStart(8, "0")).join("");
}
