// @ts-check
// Where the files of the site come from: a host, or the page itself if it is a single file (internal/site/single).

/**
 * The files of the site in a single-file page: internal/site/single/inside.js.
 * @typedef {object} Inside
 * @property {(name: string) => Promise<Response>} get  a file by its name in the site
 * @property {string} stage  the document of stage.html
 * @property {string} page  the address of the page for links in files, "" if it has none
 */

/** The page's window: the stage of a single-file page is a document that the page has written. */
const page = /** @type {any} */ (globalThis.location?.href === 'about:srcdoc' ? globalThis.parent : globalThis);

/** Undefined in a page on a host. @type {Inside | undefined} */
export const inside = page.paretoplayInside;

/** Why a single-file page makes no picture files and no comparisons: its scripts are inline, which a worker's cannot be. */
export const ALONE = inside ? 'only when a server hosts the page' : '';

/** Whether the page around the stage requests the second program: the stage of a single file has no address that could. */
export const drawnFlat = () => 'canvas' in page.document.documentElement.dataset;

/**
 * Asks for a file of the site.
 * @param {string | URL} address
 * @param {RequestInit} [options]  for a host
 * @returns {Promise<Response>}
 */
export function get(address, options) {
  if (!inside) return fetch(address, options);
  const name = new URL(address, 'inside:///').pathname.slice(1);
  return inside.get(decodeURIComponent(name));
}
