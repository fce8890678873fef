// @ts-check
// Connects the buttons and links of the page's frame in index.html.
import { byId, intend } from './dom.js';

/** Maps the buttons to their intentions. */
const WANTS = { share: 'page:share', export: 'page:export', 'export-below': 'page:export', help: 'page:help', pin: 'pin' };

/**
 * @param {import('./types.js').Model} model
 * @param {HTMLIFrameElement} iframe
 * @param {ReturnType<typeof import('./address.js').createAddress>} address
 */
export function createFrame(model, iframe, address) {
  for (const [id, verb] of Object.entries(WANTS)) byId(id).addEventListener('click', () => intend(byId(id), verb));

  byId('to-gallery').addEventListener('click', (e) => {
    if (e.button !== 0 || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return; // an ordinary link then
    e.preventDefault();
    intend(byId('to-gallery'), 'page:contents');
  });
  byId('skip').addEventListener('click', (e) => {
    e.preventDefault(); // without this, the browser would follow a hash
    (model.contents ? byId('gallery') : iframe).focus();
  });

  /** Points an embedded page's link to the whole page in its current state. */
  function linkWhole() {
    const url = new URL(address.href());
    url.searchParams.delete('embed');
    url.searchParams.delete('theme'); // this parameter belongs to the embedding page
    /** @type {HTMLAnchorElement} */ (byId('open-full')).href = url.href;
  }
  // Updates the link before every way of following it, so that it opens the state at that moment.
  for (const type of ['pointerdown', 'focus', 'click']) byId('open-full').addEventListener(type, linkWhole);
}
