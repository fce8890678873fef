// @ts-check
// Sends xAPI statements to a learning record store, on behalf of the page around this one. That page may connect only to
// its own host. This one may connect to others, and does nothing else.
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
