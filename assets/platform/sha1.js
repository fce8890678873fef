// @ts-check
// Computes SHA-1 (FIPS 180-4), which browsers offer only over a secure connection. Needs no document, so node can test
// it.

const utf8 = new TextEncoder();
const BEGIN = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
const ADDED = [0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6];

/** @param {number} x @param {number} n */
const rotate = (x, n) => x << n | x >>> (32 - n);

/**
 * Returns the hash of a text's UTF-8 bytes as 40 hexadecimal digits.
 * @param {string} text
 */
export function sha1(text) {
  const bytes = utf8.encode(text);
  const words = new Uint32Array(((bytes.length + 8 >> 6) + 1) * 16);
  [...bytes, 0x80].forEach((octet, i) => { words[i >> 2] |= octet << (24 - 8 * (i & 3)); });
  words[words.length - 1] = 8 * bytes.length;
  let sum = BEGIN;
  const w = new Uint32Array(80);
  for (let block = 0; block < words.length; block += 16) {
    w.set(words.subarray(block, block + 16));
    for (let i = 16; i < 80; i++) w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    let [a, b, c, d, e] = sum;
    for (let i = 0; i < 80; i++) {
      const part = Math.floor(i / 20);
      const mixed = part === 0 ? b & c | ~b & d : part === 2 ? b & c | b & d | c & d : b ^ c ^ d;
      [a, b, c, d, e] = [rotate(a, 5) + mixed + e + ADDED[part] + w[i] | 0, a, rotate(b, 30), c, d];
    }
    sum = [a, b, c, d, e].map((part, i) => part + sum[i] | 0);
  }
  return sum.map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('');
}
