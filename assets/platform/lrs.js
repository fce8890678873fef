// @ts-check
// Sends xAPI statements to a learning record store, for the page around this one. The page itself may connect only to its own host; this
// one may connect to others and does nothing else.
import { post } from './post.js';

/**
 * @param {MessageEvent} message
 */
async function hear({ data, origin, source }) {
  if (source !== parent || origin !== location.origin || data?.lrs !== 1) return;
  parent.postMessage({ lrs: 1, id: data.id, answer: await post(data) }, location.origin);
}

if (parent !== window) {
  addEventListener('message', hear);
  parent.postMessage({ lrs: 1, ready: true }, location.origin);
}
