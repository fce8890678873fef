// @ts-check

/** Bytes per part, read in a few milliseconds; a multiple of 3, for base64. */
const PART = 3 << 16;

/**
 * The part of a file to read: the name of an array or member, or the number of a run, from 1; and the names or numbers of columns.
 * @typedef {{part?: string, columns?: string[]}} Choice
 */

/** The first bytes of binary files: zip, such as numpy's npz; numpy's npy; gzip; HDF5; pickle; the old spreadsheet format; W&B. */
const BINARY = [[0x50, 0x4b, 0x03, 0x04], [0x93, 0x4e, 0x55, 0x4d], [0x1f, 0x8b], [0x89, 0x48, 0x44, 0x46], [0x80, 0x02], [0x80, 0x03],
  [0x80, 0x04], [0x80, 0x05], [0xd0, 0xcf, 0x11, 0xe0], [0x3a, 0x57, 0x26, 0x42]];

/**
 * Reports whether a file is binary, from its first eight bytes. TensorBoard files start with a length in eight bytes,
 * most of them 0.
 * @param {Uint8Array} bytes
 */
const isBinary = (bytes) => BINARY.some((begins) => begins.every((byte, i) => bytes[i] === byte)) ||
  bytes.length === 8 && bytes.subarray(3).every((byte) => byte === 0);

/** @param {Uint8Array} bytes */
function base64(bytes) {
  const AT_ONCE = 0x8000; // some browsers reject more arguments
  let text = '';
  for (let i = 0; i < bytes.length; i += AT_ONCE) text += String.fromCharCode(...bytes.subarray(i, i + AT_ONCE));
  return btoa(text);
}

/**
 * Sends a file to the scene in parts, so that the page stays responsive. Text keeps its byte order mark, which the
 * file's hash includes. Binary files are sent in base64.
 * @param {Blob} blob
 * @param {string} from  an origin, "" for the visitor
 * @param {(args: {part: string, base64: boolean, first: boolean, last: boolean, from: string, choose: Choice}) => Promise<any>} paste
 * @param {(share: number) => void} progress
 * @param {Choice} [choose]  chooses a part of a file with several
 * @returns {Promise<any>} the scene's description of the data
 */
export async function sendParts(blob, from, paste, progress, choose = {}) {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const binary = isBinary(new Uint8Array(await blob.slice(0, 8).arrayBuffer()));
  let answer;
  for (let start = 0; start === 0 || start < blob.size; start += PART) {
    const last = start + PART >= blob.size;
    const bytes = await blob.slice(start, start + PART).arrayBuffer();
    const part = binary ? base64(new Uint8Array(bytes)) : decoder.decode(bytes, { stream: !last });
    answer = await paste({ part, base64: binary, first: start === 0, last, from, choose });
    progress(Math.min(1, (start + PART) / blob.size));
  }
  return answer;
}
