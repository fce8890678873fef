// @ts-check
// How a document or a worker calls the program that it runs.

/** Of program.work: nothing is left, in the background either. */
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

/** @typedef {{result: any, rests?: boolean}} Answer to a verb: it has a result, or rests in the middle */

/**
 * @param {string} text  JSON of the program
 * @returns {Answer}
 */
export function answerOf(text) {
  const { error, ...answer } = JSON.parse(text);
  if (error !== undefined) throw new Error(error);
  return answer;
}

/**
 * Applies a verb, without what it leaves to do.
 * @param {import('./stage.js').Program} program
 * @param {string} verb
 * @param {string} args  JSON
 * @returns {any}
 */
export function callProgram(program, verb, args) {
  return answerOf(program.call(verb, args)).result;
}
