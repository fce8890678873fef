// @ts-check
// Runs the second program, which creates picture files. It starts for the first such file and stays for the next.

/**
 * @typedef {object} Order
 * @property {string} hash  the link to the state
 * @property {string} theme
 * @property {import('./link.js').Brought | undefined} data  the visitor's, if they are shown
 * @property {string | null} measured  the measured times, if the scene measures any
 * @property {string} kind
 * @property {import('../shell/types.js').Taking} how
 * @property {string} page  the address of the page, for a link in the file
 *
 * @typedef {import('./program-call.js').Made} Made
 */

/** Kinds of files that the second program creates. */
export const BY_SECOND = new Set([
  'png', 'svg', 'pdf', 'gif', 'go', 'python', 'try', 'try-png', 'try-svg', 'try-pdf', 'try-csv', 'compare',
]);

/** Creates files one after the other. */
export function createPictures() {
  /** @type {Worker | undefined} */
  let worker;
  let before = Promise.resolve();
  /** @type {((why: string) => void) | undefined} */
  let giveUp;

  /** @param {Order} order @param {(text: string) => void} progress @returns {Promise<Made>} */
  function ask(order, progress) {
    return new Promise((resolve, reject) => {
      const asked = worker ??= new Worker(new URL('picture-worker.js', import.meta.url), { type: 'module' });
      /** @param {string} why */
      const broken = (why) => {
        giveUp = undefined;
        asked.terminate(); // the next file starts a new worker
        worker = undefined;
        reject(new Error(why));
      };
      giveUp = broken;
      asked.onerror = (e) => {
        e.preventDefault();
        const detail = e.message ? `: ${e.message}` : '';
        broken(`The program for pictures could not start${detail}. Check the connection and try again.`);
      };
      asked.onmessage = ({ data: { progress: text, file, error, ended } }) => {
        if (text !== undefined) progress(text);
        else if (ended) broken(error);
        else {
          giveUp = undefined;
          if (error !== undefined) reject(new Error(error));
          else resolve(file);
        }
      };
      asked.postMessage(order);
    });
  }

  return {
    /** @param {Order} order @param {(text: string) => void} progress @returns {Promise<Made>} */
    file(order, progress) {
      const made = before.then(() => ask(order, progress));
      before = made.then(() => {}, () => {});
      return made;
    },
    /** Cancels the file in progress. */
    cancel: () => giveUp?.('stopped'),
  };
}
