// @ts-check
// Calls the program of a document or a worker.

/** The result of program.work when no work is left, not even in the background. */
export const WORK_DONE = -1;

/**
 * @template T
 * @param {T | {error: string}} answer
 * @returns {T}
 */
export function checked(answer) {
  if (answer && typeof answer === 'object' && 'error' in answer) throw new Error(answer.error);
  return /** @type {T} */ (answer);
}

/** @typedef {{result: any, rests?: boolean}} Answer to a verb: it has a result, or pauses in the middle */

/**
 * @param {string} text  JSON of the program
 * @returns {Answer}
 */
export function answerOf(text) {
  const { error, ...answer } = JSON.parse(text);
  if (error !== undefined) throw new Error(error);
  return answer;
}

/** @typedef {{name: string, type: string, blob: Blob}} Made a file */

/** Collects the bytes of a file, which the program returns in pieces. */
export function gather() {
  /** @type {Blob[]} */
  const pieces = [];
  return {
    /** @param {Uint8Array<ArrayBuffer>} bytes  stored outside the scripts' memory */
    take: (bytes) => { pieces.push(new Blob([bytes])); },
    /** @param {{name: string, type: string}} file @returns {Made} */
    file: ({ name, type }) => ({ name, type, blob: new Blob(pieces, { type }) }),
  };
}

/**
 * Applies a verb without its pending work.
 * @param {import('./stage.js').Program} program
 * @param {string} verb
 * @param {string} args  JSON
 * @returns {any}
 */
export function callProgram(program, verb, args) {
  return answerOf(program.call(verb, args)).result;
}
