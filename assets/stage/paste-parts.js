// @ts-check

/** Bytes of a part: read in a few milliseconds; a multiple of 3, for base64. */
const PART = 3 << 16;

/** How files begin that are no text: a zip, such as numpy's npz, numpy's npy, and what gzip has packed. */
const BINARY = [[0x50, 0x4b, 0x03, 0x04], [0x93, 0x4e, 0x55, 0x4d], [0x1f, 0x8b]];

/** @param {Uint8Array} bytes */
const isBinary = (bytes) => BINARY.some((begins) => begins.every((byte, i) => bytes[i] === byte));

/** @param {Uint8Array} bytes */
function base64(bytes) {
  const AT_ONCE = 0x8000; // more arguments than that are too many for some browsers
  let text = '';
  for (let i = 0; i < bytes.length; i += AT_ONCE) text += String.fromCharCode(...bytes.subarray(i, i + AT_ONCE));
  return btoa(text);
}

/**
 * Hands a file to the scene part by part, so that the page stays alive. The text
 * keeps a byte order mark, so that the file's sum stays right. Files that are no text go in base64.
 * @param {Blob} blob
 * @param {string} from  an origin, "" for the visitor
 * @param {(args: {part: string, base64: boolean, first: boolean, last: boolean, from: string}) => Promise<any>} paste
 * @param {(share: number) => void} progress
 * @returns {Promise<any>} the scene's description of the
 * data
 */
export async function sendParts(blob, from, paste, progress) {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const binary = isBinary(new Uint8Array(await blob.slice(0, 4).arrayBuffer()));
  let answer;
  for (let start = 0; start === 0 || start < blob.size; start += PART) {
    const last = start + PART >= blob.size;
    const bytes = await blob.slice(start, start + PART).arrayBuffer();
    const part = binary ? base64(new Uint8Array(bytes)) : decoder.decode(bytes, { stream: !last });
    answer = await paste({ part, base64: binary, first: start === 0, last, from });
    progress(Math.min(1, (start + PART) / blob.size));
  }
  return answer;
}
