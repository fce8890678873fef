// @ts-check
// Hands statements to the frame that sends them, in their order, and again after a failure.
import { element } from '../shell/dom.js';

const AGAIN = 15_000; // milliseconds until what was not taken is sent again
const MOST = 50; // statements at a time

/**
 * @param {import('./statements.js').Launch} launch
 * @param {(failure: string) => void} told  what came of it each time, "" for no failure
 */
export function createSender({ endpoint, auth }, told) {
  /** @type {object[]} */
  const waiting = [];
  let ready = false;
  let underWay = 0; // statements
  let count = 0;
  let again = 0;
  const frame = element('iframe', { src: new URL('../lrs.html', import.meta.url).href, hidden: true,
    title: 'Sends what you do to the learning platform' });
  addEventListener('message', heard);
  document.body.append(frame);

  /** @param {MessageEvent} message */
  function heard({ data, source, origin }) {
    if (source !== frame.contentWindow || origin !== location.origin || data?.lrs !== 1) return;
    if (data.ready) {
      ready = true;
      return next();
    }
    if (data.id !== count) return;
    if (data.failure === '') waiting.splice(0, underWay);
    underWay = 0;
    told(data.failure);
    if (data.failure === '') return next();
    clearTimeout(again);
    again = window.setTimeout(next, AGAIN);
  }

  function next() {
    if (!ready || underWay > 0 || waiting.length === 0) return;
    const statements = waiting.slice(0, MOST);
    underWay = statements.length;
    frame.contentWindow?.postMessage({ lrs: 1, id: ++count, endpoint, auth, statements }, location.origin);
  }

  return {
    /** @param {object[]} statements */
    send(statements) {
      waiting.push(...statements);
      next();
    },
    waiting: () => waiting.length,
  };
}
