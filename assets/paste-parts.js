// @ts-check

/** Bytes of a part: read in a few milliseconds. */
const PART = 128 << 10;

/**
 * Hands a file to the scene part by part, so that the page stays alive. The text
 * keeps a byte order mark, so that the file's sum stays right.
 * @param {Blob} blob
 * @param {string} from  an origin, "" for the visitor
 * @param {(args: {part: string, first: boolean, last: boolean, from: string}) => Promise<any>} paste
 * @param {(share: number) => void} progress
 * @returns {Promise<any>} the scene's description of the
 * data
 */
export async function sendParts(blob, from, paste, progress) {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let answer;
  for (let start = 0; start === 0 || start < blob.size; start += PART) {
    const last = start + PART >= blob.size;
    const bytes = await blob.slice(start, start + PART).arrayBuffer();
    answer = await paste({ part: decoder.decode(bytes, { stream: !last }), first: start === 0, last, from });
    progress(Math.min(1, (start + PART) / blob.size));
  }
  return answer;
}
