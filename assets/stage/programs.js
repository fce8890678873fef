// @ts-check
// Reads the site's site.json, which describes the programs. All code that waits for a program subscribes here, so that a
// document requests the file only here and one answer serves every subscriber.
import { get } from '../platform/files.js';

/**
 * The parts of site.json that the page needs.
 * @typedef {object} Site
 * @property {string} [wasm]       file name, relative to the site
 * @property {number} [wasmBytes]  its uncompressed size
 * @property {string} [wasmGzip]   the same file gzipped, for hosts that do not negotiate
 * @property {boolean} compiling
 * @property {string} [error]
 * @property {Site} [picture]      the same for the program that makes pictures without WebGL
 * @property {Site} [workshop]     the same for the program that reads and checks lessons
 */

/** @typedef {boolean | 'workshop'} Further another program than the first: true for the one that makes pictures without WebGL */

const SITE = new URL('../..', import.meta.url);
const EVERY = 400; // milliseconds between requests

/** Says that the file could not be read. */
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

/** The address of site.json. */
export const ADDRESS = new URL('site.json', SITE);

/**
 * Returns the part of site.json about a program.
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
/** Ends the pause between two requests. */
let wake = () => {};

/**
 * Passes the content of the file to a listener, at once and then repeatedly, until the listener returns true. It rejects
 * if the file cannot be read or if the listener throws.
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

/** Reads the file as long as there are listeners. */
async function readOn() {
  reading = true;
  while (watchers.size > 0) {
    const round = [...watchers]; // later listeners may know of changes after this request
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
 * Asks the server to retry a failed compilation.
 * @returns {Promise<boolean>}  whether it will
 */
export async function compileAgain() {
  try {
    return (await get(new URL('?again', ADDRESS), { cache: 'no-store' })).ok;
  } catch {
    return false; // the page then says that the server did not answer
  }
}
