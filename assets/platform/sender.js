// @ts-check
// Passes statements to the frame that sends them, and returns the store's answers.
import { element } from '../shell/dom.js';

const PATIENCE = 45_000; // in milliseconds to wait for the frame, which waits less long for the store

/** @typedef {import('./post.js').Answer} Answer */

/**
 * @param {import('./statements.js').Launch} launch
 * @returns {(statements: object[]) => Promise<Answer>} which settles in any case
 */
export function createSender({ endpoint, auth }) {
  const frame = element('iframe', { src: new URL('../lrs.html', import.meta.url).href, hidden: true,
    title: 'Sends your work to the learning platform' });
  /** @type {(value: undefined) => void} */
  let nowReady;
  const ready = new Promise((resolve) => { nowReady = resolve; });
  let count = 0;
  /** @type {Map<number, (answer: Answer) => void>} */
  const asked = new Map();
  addEventListener('message', ({ data, source, origin }) => {
    if (source !== frame.contentWindow || origin !== location.origin || data?.lrs !== 1) return;
    if (data.ready) nowReady(undefined);
    asked.get(data.id)?.(data.answer);
  });
  document.body.append(frame);

  return (statements) => new Promise((resolve) => {
    const id = ++count;
    const settle = (/** @type {Answer} */ answer) => {
      clearTimeout(late);
      asked.delete(id);
      resolve(answer);
    };
    const late = setTimeout(() => settle({ status: 0, words: 'the frame of this page that sends requests does not answer', said: '',
      retryAfter: '' }), PATIENCE);
    asked.set(id, settle);
    ready.then(() => frame.contentWindow?.postMessage({ lrs: 1, id, endpoint, auth, statements }, location.origin));
  });
}
