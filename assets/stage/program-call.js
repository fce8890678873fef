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

/**
 * Applies a verb, without what it leaves to do.
 * @param {import('./stage.js').Program} program
 * @param {string} verb
 * @param {string} args  JSON
 * @returns {any}
 */
export function callProgram(program, verb, args) {
  const { error, result } = JSON.parse(program.call(verb, args));
  if (error !== undefined) throw new Error(error);
  return result;
}
