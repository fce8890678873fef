// @ts-check
// Which programs the site has, as its site.json says. Whoever waits for one subscribes here: a document asks for that file in
// this place alone, and one answer serves all who wait.
import { get } from '../platform/files.js';

/**
 * site.json, as far as the page needs it.
 * @typedef {object} Site
 * @property {string} [wasm]       file name, relative to the site
 * @property {number} [wasmBytes]  its uncompressed size
 * @property {string} [wasmGzip]   the same file gzipped, for hosts that do not negotiate
 * @property {boolean} compiling
 * @property {string} [error]
 * @property {Site} [picture]      the same of the program that makes pictures without WebGL
 * @property {Site} [workshop]     and of the one that reads and checks lessons
 */

/** @typedef {boolean | 'workshop'} Further a program beside the first: true for the one that makes pictures without WebGL */

const SITE = new URL('../..', import.meta.url);
const EVERY = 400; // milliseconds between looks

/** The file could not be read. */
export class SiteError extends Error {
  /**
   * @param {string} text
   * @param {number} status  of the server's answer, 0 if there was none
   */
  constructor(text, status) {
    super(text);
    this.status = status;
  }
}

/** The address of the file. */
export const ADDRESS = new URL('site.json', SITE);

/**
 * Returns what the file says of a program.
 * @param {Site} all
 * @param {Further} further
 * @returns {Site}
 */
export function siteOf(all, further) {
  if (!further) return all;
  return { error: all.error, ...(all[further === true ? 'picture' : further] ?? { compiling: true }) };
}

/**
 * @typedef {object} Watcher
 * @property {(site: Site) => boolean} heard
 * @property {() => void} resolve
 * @property {(error: unknown) => void} reject
 */

/** @type {Set<Watcher>} */
const watchers = new Set();
let reading = false;
/** Ends the pause between two looks. */
let wake = () => {};

/**
 * Tells a listener what the file says: at once, then again and again until the listener has heard enough. It fails when the
 * file cannot be read, or when the listener throws.
 * @param {(site: Site) => boolean} heard  returns whether it has heard enough
 * @returns {Promise<void>}
 */
export function watchSite(heard) {
  return new Promise((resolve, reject) => {
    watchers.add({ heard, resolve, reject });
    if (reading) wake();
    else readOn();
  });
}

/** Reads the file for as long as somebody listens. */
async function readOn() {
  reading = true;
  while (watchers.size > 0) {
    const round = [...watchers]; // who comes later may know of changes after this look
    /** @type {Site|undefined} */
    let site;
    /** @type {unknown} */
    let fault;
    try {
      site = await read();
    } catch (error) {
      fault = error;
    }
    for (const watcher of round) tell(watcher, site, fault);
    if ([...watchers].some((watcher) => !round.includes(watcher)) || watchers.size === 0) continue;
    await new Promise((resolve) => {
      wake = () => resolve(undefined);
      setTimeout(resolve, EVERY);
    });
  }
  reading = false;
}

/**
 * @param {Watcher} watcher
 * @param {Site|undefined} site
 * @param {unknown} fault  why there is no site
 */
function tell(watcher, site, fault) {
  try {
    if (!site) throw fault;
    if (!watcher.heard(site)) return;
    watcher.resolve();
  } catch (error) {
    watcher.reject(error);
  }
  watchers.delete(watcher);
}

/** @returns {Promise<Site>} */
async function read() {
  let answer;
  try {
    answer = await get(ADDRESS, { cache: 'no-cache' });
  } catch (error) {
    throw new SiteError(/** @type {Error} */ (error).message, 0);
  }
  if (!answer.ok) throw new SiteError(`the server answered ${answer.status}`, answer.status);
  return answer.json();
}

/**
 * Asks the server to compile again what it could not compile.
 * @returns {Promise<boolean>}  whether it will
 */
export async function compileAgain() {
  try {
    return (await get(new URL('?again', ADDRESS), { cache: 'no-store' })).ok;
  } catch {
    return false; // the page says that the server did not answer
  }
}
