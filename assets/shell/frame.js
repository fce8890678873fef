// @ts-check
// The buttons and links of the page's frame, which index.html has.
import { byId, intend } from './dom.js';

/** What each of them wants. */
const WANTS = { share: 'page:share', export: 'page:export', 'export-below': 'page:export', help: 'page:help', pin: 'pin' };

/**
 * @param {import('./types.js').Model} model
 * @param {HTMLIFrameElement} iframe
 * @param {ReturnType<typeof import('./address.js').createAddress>} address
 */
export function createFrame(model, iframe, address) {
  for (const [id, verb] of Object.entries(WANTS)) byId(id).addEventListener('click', () => intend(byId(id), verb));

  byId('to-gallery').addEventListener('click', (e) => {
    if (e.button !== 0 || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return; // it is a link to a page of its own
    e.preventDefault();
    intend(byId('to-gallery'), 'page:contents');
  });
  byId('skip').addEventListener('click', (e) => {
    e.preventDefault(); // a hash is a link here
    (model.contents ? byId('gallery') : iframe).focus();
  });

  /** Has the link of an embedded page lead to the whole one. */
  function linkWhole() {
    const url = new URL(address.href());
    url.searchParams.delete('embed');
    url.searchParams.delete('theme'); // of the page around this one
    /** @type {HTMLAnchorElement} */ (byId('open-full')).href = url.href;
  }
  // Whichever way it is followed, the link leads to what is shown then.
  for (const type of ['pointerdown', 'focus', 'click']) byId('open-full').addEventListener(type, linkWhole);
}
