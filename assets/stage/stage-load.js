// @ts-check
import { get } from '../platform/files.js';
import { ADDRESS, SiteError, siteOf, watchSite } from './programs.js';

/** @typedef {import('./programs.js').Site} Site */
/** @typedef {import('./programs.js').Further} Further */

/** Carries an error in words for the visitor. */
export class LoadError extends Error {
  /** Whether the server has no program but may compile one on request. */
  notCompiled = false;
}

/**
 * Waits until the program is compiled.
 * @param {Further} further
 * @returns {Promise<Site & {wasm: string}>}
 */
async function compiled(further) {
  /** @type {(Site & {wasm: string})|undefined} */
  let found;
  try {
    await watchSite((all) => {
      const site = siteOf(all, further);
      if (site.error) throw Object.assign(new LoadError(`The program could not be compiled: ${site.error}`), { notCompiled: true });
      if (site.wasm && !site.compiling) found = { ...site, wasm: site.wasm };
      return found !== undefined;
    });
  } catch (error) {
    throw error instanceof SiteError ? unanswered(error.status, ADDRESS) : error;
  }
  return /** @type {Site & {wasm: string}} */ (found);
}

/**
 * @param {URL} url
 * @param {RequestInit} [options]
 * @param {Promise<Response>} [begun]  the answer, if requested earlier
 */
async function fetched(url, options, begun) {
  let answer;
  try {
    answer = await (begun ?? get(url, options));
  } catch {
    throw unanswered(0, url);
  }
  if (!answer.ok) throw unanswered(answer.status, url);
  return answer;
}

/**
 * @param {number} status  of the answer, 0 if there was none
 * @param {URL} url
 */
const unanswered = (status, url) => new LoadError(status === 0
  ? 'The program could not be loaded: the server did not answer. Check the connection and reload.'
  : `The program could not be loaded: the server answered ${status} for ${url.pathname}.`);

/**
 * Opens the body of the program, uncompressed. A host that negotiates compresses the plain file, best with brotli. For
 * other hosts, this unpacks the gzipped file, which is a third of the size.
 * @param {Site & {wasm: string}} site
 * @param {URL} root
 * @param {Promise<Response>} [begun]  the answer for the plain file, if requested earlier
 * @param {AbortSignal} [signal]
 */
async function openProgram(site, root, begun, signal) {
  let answer = await fetched(new URL(site.wasm, root), { signal }, begun);
  if (site.wasmGzip && !answer.headers.has('content-encoding') && 'DecompressionStream' in globalThis) {
    await answer.body?.cancel();
    answer = await fetched(new URL(site.wasmGzip, root), { signal });
    // Some hosts declare a .gz file as encoded, so the browser has already unpacked it.
    if (!answer.headers.has('content-encoding')) return bodyOf(answer).pipeThrough(new DecompressionStream('gzip'));
  }
  return bodyOf(answer);
}

/** @param {Response} answer */
function bodyOf(answer) {
  if (!answer.body) throw new LoadError('The program could not be loaded: the answer is empty.');
  return answer.body;
}

/**
 * Loads the program and compiles it while it arrives.
 * @param {URL} root                                        of the site
 * @param {(done: number, total: number) => void} progress  in uncompressed bytes
 * @param {Further} [further]                                another program than the first
 * @param {{site: Site & {wasm: string}, answer: Promise<Response>}} [begun]  the program's site, and the answer for it
 * @param {AbortSignal} [signal]                             ends the load
 */
export async function compile(root, progress, further = false, begun = undefined, signal = undefined) {
  const site = begun?.site ?? await compiled(further);
  const total = site.wasmBytes ?? 0;
  let done = 0;
  const counted = (await openProgram(site, root, begun?.answer, signal)).pipeThrough(new TransformStream({
    transform(chunk, controller) {
      done += chunk.byteLength;
      progress(done, total);
      controller.enqueue(chunk);
    },
  }));
  // Replaces the host's content type.
  const answer = new Response(counted, { headers: { 'Content-Type': 'application/wasm' } });
  try {
    return await WebAssembly.compileStreaming(answer);
  } catch (error) {
    throw unstartable(error);
  }
}

/** @param {unknown} error */
const unstartable = (error) => new LoadError(`The program could not be started: ${/** @type {Error} */ (error).message}`);

/**
 * Loads the program, which the page may already be loading (program-start.js). If that load failed for any reason, the
 * stage tries again and reports the error.
 * @param {URL} root
 * @param {WebAssembly.Imports} imports
 * @param {boolean} picture                                 the program that draws without WebGL
 * @param {(done: number, total: number) => void} progress
 */
export async function load(root, imports, picture, progress) {
  const module = (await begun(picture, progress)?.catch(() => undefined)) ?? (await compile(root, progress, picture));
  try {
    return await WebAssembly.instantiate(module, imports);
  } catch (error) {
    throw unstartable(error);
  }
}

/**
 * Returns the program that the page around the stage has started to load.
 * @param {boolean} picture
 * @param {(done: number, total: number) => void} progress
 * @returns {Promise<WebAssembly.Module> | undefined}
 */
function begun(picture, progress) {
  try {
    return /** @type {any} */ (window.parent).takeProgram?.(picture, progress);
  } catch {
    return undefined; // a page of another site embeds this document
  }
}
