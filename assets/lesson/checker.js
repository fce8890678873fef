// @ts-check
// Reads and checks lessons in a worker, started for the first one, with a separate program.

/**
 * @typedef {{line: number, text: string}} Fault  of a lesson; line 0 if it has no line
 * @typedef {{lesson: import('../shell/types.js').Lesson | null, faults: Fault[]}} Answer
 */

/** The maximum time to read a lesson, in ms; the page's lessons take some hundredths of a second. */
const PATIENCE = 20_000;

/**
 * @param {(share: number) => void} [loading]  from 0 to 1, while the program is loaded
 * @param {number} [patience]  ms
 */
export function createChecker(loading = () => {}, patience = PATIENCE) {
  /** @type {Worker | undefined} */
  let worker;
  /** The program, compiled. @type {WebAssembly.Module | undefined} */
  let compiled;
  /** @type {Map<number, {limited: boolean, resolve: (answer: Answer) => void, reject: (error: Error) => void}>} */
  const waiting = new Map();
  let asked = 0;

  /** Ends a request that takes too long. @type {ReturnType<typeof setTimeout> | undefined} */
  let limit;

  /** @param {string} why */
  function end(why) {
    clearTimeout(limit);
    worker?.terminate();
    worker = undefined;
    for (const { reject } of waiting.values()) reject(new Error(why));
    waiting.clear();
  }

  /** @param {MessageEvent} message */
  function heard({ data: { id, answer, error, module, loaded, ended, begun } }) {
    if (loaded !== undefined) return loading(loaded);
    if (module) {
      compiled = module;
      return;
    }
    if (ended) return end(ended);
    if (begun !== undefined) {
      const long = `Reading took more than ${patience / 1000} seconds and was cancelled.`;
      if (waiting.get(begun)?.limited) limit = setTimeout(() => end(long), patience);
      return;
    }
    clearTimeout(limit);
    const one = waiting.get(id);
    waiting.delete(id);
    if (error !== undefined) one?.reject(new Error(error));
    else one?.resolve(answer);
  }

  /**
   * @param {string} verb
   * @param {string[]} args
   * @param {boolean} limited  in time
   * @returns {Promise<Answer>}
   */
  function ask(verb, args, limited) {
    if (!worker) {
      worker = new Worker(new URL('checker-worker.js', import.meta.url), { type: 'module' });
      worker.onmessage = heard;
      worker.onerror = (e) => {
        e.preventDefault();
        end(`The lesson checker could not be started${e.message ? `: ${e.message}` : ''}.`);
      };
    }
    const id = ++asked;
    worker.postMessage({ id, module: compiled, verb, args });
    return new Promise((resolve, reject) => waiting.set(id, { limited, resolve, reject }));
  }

  return {
    /**
     * Reads a lesson. Returns it in the page's form, or its first fault.
     * @param {string} name @param {string} text
     */
    compile: (name, text) => ask('compile', [name, text], true),
    /** Follows every step of the lesson read last. */
    check: () => ask('check', [], false),
    /** Stops the current work. */
    stop: () => end('stopped'),
  };
}
