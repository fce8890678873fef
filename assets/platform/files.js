// @ts-check
// Fetches the site's files from a host, or from the page itself if it is a single file (internal/site/single).

/**
 * The files of the site in a single-file page; internal/site/single/inside.js provides it.
 * @typedef {object} Inside
 * @property {(name: string) => Promise<Response>} get  a file by its name in the site
 * @property {string} stage  the document of stage.html
 * @property {string} page  the address of the page for links in files, "" if it has none
 */

/** The page's window. The stage of a single-file page is a document that the page has written. */
const page = /** @type {any} */ (globalThis.location?.href === 'about:srcdoc' ? globalThis.parent : globalThis);

/** The files within a single-file page; undefined in a page on a host. @type {Inside | undefined} */
export const inside = page.paretoplayInside;

/** Why a single-file page offers no picture files and no comparisons: it could not start their worker, since its scripts are inline. */
export const ALONE = inside ? 'only when a server hosts the page' : '';

/** Reports whether the page around the stage requests the second program. The stage of a single-file page has no address to say so. */
export const drawnFlat = () => 'canvas' in page.document.documentElement.dataset;

/**
 * Fetches a file of the site.
 * @param {string | URL} address
 * @param {RequestInit} [options]  for a host
 * @returns {Promise<Response>}
 */
export function get(address, options) {
  if (!inside) return fetch(address, options);
  const name = new URL(address, 'inside:///').pathname.slice(1);
  return inside.get(decodeURIComponent(name));
}
