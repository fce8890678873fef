// @ts-check
// The buttons and links of the page's frame in index.html.
import { byId, intend } from './dom.js';

/** Their intentions. */
const WANTS = { share: 'page:share', export: 'page:export', 'export-below': 'page:export', help: 'page:help', pin: 'pin' };

/**
 * @param {import('./types.js').Model} model
 * @param {HTMLIFrameElement} iframe
 * @param {ReturnType<typeof import('./address.js').createAddress>} address
 */
export function createFrame(model, iframe, address) {
  for (const [id, verb] of Object.entries(WANTS)) byId(id).addEventListener('click', () => intend(byId(id), verb));

  byId('to-gallery').addEventListener('click', (e) => {
    if (e.button !== 0 || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return; // then it is an ordinary link, for example to a new tab
    e.preventDefault();
    intend(byId('to-gallery'), 'page:contents');
  });
  byId('skip').addEventListener('click', (e) => {
    e.preventDefault(); // here the link is a hash
    (model.contents ? byId('gallery') : iframe).focus();
  });

  /** Makes the link of an embedded page lead to the whole page, in its current state. */
  function linkWhole() {
    const url = new URL(address.href());
    url.searchParams.delete('embed');
    url.searchParams.delete('theme'); // the embedding page's
    /** @type {HTMLAnchorElement} */ (byId('open-full')).href = url.href;
  }
  // Whichever way it is followed, the link leads to the state at that moment.
  for (const type of ['pointerdown', 'focus', 'click']) byId('open-full').addEventListener(type, linkWhole);
}
