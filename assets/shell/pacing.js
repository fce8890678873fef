// @ts-check Limits calls: how many at a time, in which order, how often. Needs no document, so node can test it.

/**
 * Allows at most `most` calls at a time and rejects others.
 * @template T
 * @param {number} most
 * @returns {(action: () => Promise<T>) => Promise<T>}
 */
export function limited(most) {
  let under = 0;
  return async (action) => {
    if (under >= most) throw new Error(`more than ${most} requests are waiting for an answer`);
    under++;
    try {
      return await action();
    } finally {
      under--;
    }
  };
}

/**
 * Runs one call at a time, in the order of requests.
 * @returns {<T>(action: () => Promise<T>) => Promise<T>}
 */
export function inTurn() {
  /** @type {Promise<any>} */
  let last = Promise.resolve();
  return (action) => {
    const turn = last.then(action);
    last = turn.catch(() => {}); // the caller still receives the error
    return turn;
  };
}

/**
 * Lets at most one call through per interval, and always lets the last one through.
 * @param {() => void} action
 * @param {() => number} interval  milliseconds
 */
export function throttled(action, interval) {
  let last = -Infinity;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  return () => {
    if (timer !== undefined) return;
    const wait = last + interval() - performance.now();
    const run = () => {
      timer = undefined;
      last = performance.now();
      action();
    };
    if (wait <= 0) run();
    else timer = setTimeout(run, wait);
  };
}

const READOUT_EVERY = 125; // milliseconds: at most eight times a second
const READOUT_ROW = 8; // in milliseconds per row: a browser lays out a long table in the time of a frame

/**
 * Returns how often the table of runs is updated while they play.
 * @param {number} rows
 * @returns {number} milliseconds
 */
export const readoutInterval = (rows) => Math.max(READOUT_EVERY, rows * READOUT_ROW);
