// @ts-check
// Where the files of the site come from: a host, or the page itself where that is one file (internal/site/single).

/**
 * What a page that is one file has of the site: internal/site/single/inside.js.
 * @typedef {object} Inside
 * @property {(name: string) => Promise<Response>} get  a file by its name in the site
 * @property {string} stage  the document of stage.html
 * @property {string} page  the address of the page for links in files, "" where it opens nothing elsewhere
 */

/** The window of the page: the stage of one file is a document that the page has written. */
const page = /** @type {any} */ (globalThis.location?.href === 'about:srcdoc' ? globalThis.parent : globalThis);

/** Undefined in a page that a host has. @type {Inside | undefined} */
export const inside = page.paretoplayInside;

/** Why a page that is one file makes no files of pictures and no comparisons: its scripts stand in it, and a worker's cannot. */
export const ALONE = inside ? 'only in the page on a host' : '';

/** Whether the page around the stage has the second program draw: the stage of one file has no address that could say so. */
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
