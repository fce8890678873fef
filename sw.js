// @ts-check
// Serves the site offline after a first visit. A built site is a fixed set of files, and all of them are cached: the
// cache answers first, and a new version waits until the visitor accepts it. A site served from its source changes all
// the time: there the network answers first, and its last answers replace it when it fails.

/**
 * The built site; null under serve.
 * @typedef {object} Built
 * @property {string} version   changes with every file
 * @property {string} page      a text that only this version of the page contains
 * @property {string[]} kept     files, relative to the site
 * @property {string[]} spared   files cached only when used, where data are expensive; the programs too
 * @property {string[]} programs  the page's program, then the one that draws pictures without WebGL
 * @property {string} later       the program that reads lessons, cached once it is used; "" if there is none
 * @property {string} gzip        the suffix of a gzipped program's name, for hosts that do not negotiate
 */

/** @type {Built | null} */
const BUILT = /* built */ null;

const worker = /** @type {any} */ (self);
/** Sites in other folders of the host have caches beside this one. */
const OURS = `paretoplay ${worker.registration.scope} `;
const CACHE = OURS + version(BUILT);

/** @param {Built | null} built */
function version(built) {
  return built ? built.version : 'served';
}

/** @param {string} name */
const at = (name) => new URL(name, worker.registration.scope).href;

worker.addEventListener('install', (/** @type {any} */ e) => e.waitUntil(keepAll()));
worker.addEventListener('activate', (/** @type {any} */ e) => e.waitUntil(takeOver()));
worker.addEventListener('message', (/** @type {MessageEvent} */ e) => {
  if (e.data === 'take over') worker.skipWaiting();
});
worker.addEventListener('fetch', (/** @type {any} */ e) => {
  const url = new URL(e.request.url);
  if (e.request.method !== 'GET' || !url.href.startsWith(worker.registration.scope)) return;
  if (url.href === at('watched')) return; // the log of a training run is never cached
  url.hash = '';
  if (url.href.split('?')[0] === at('index.html')) url.pathname = new URL(at('./')).pathname;
  const name = url.href.split('?')[0];
  e.respondWith(BUILT ? keptFirst(BUILT, name, e.request) : networkFirst(name, e.request));
});

/** Caches every file of this version or none. If it fails, the previous version stays in charge. */
async function keepAll() {
  if (!BUILT) return worker.skipWaiting();
  const cache = await caches.open(CACHE);
  const page = await fetched(at('./'), { cache: 'no-cache' });
  // During an update, a host may still serve the previous page.
  if (!(await page.clone().text()).includes(BUILT.page)) throw new Error('the page has another version');
  await cache.put(at('./'), plain(page));
  await Promise.all(BUILT.kept.map((name) => keep(cache, name)));
  if (worker.navigator.connection?.saveData) return;
  for (const name of BUILT.programs) await keepProgram(BUILT, cache, name);
  await Promise.all(BUILT.spared.map((name) => keep(cache, name)));
}

/**
 * @param {Cache} cache
 * @param {string} name
 */
async function keep(cache, name) {
  if (hashed(name) && (await copied(cache, at(name)))) return;
  await cache.put(at(name), plain(await fetched(at(name), { cache: hashed(name) ? 'default' : 'no-cache' })));
}

/**
 * Caches a program, uncompressed. A host that does not negotiate has it gzipped under another name.
 * @param {Built} built
 * @param {Cache} cache
 * @param {string} name
 */
async function keepProgram(built, cache, name) {
  const url = at(name);
  if (await copied(cache, url)) return;
  let answer = await fetched(url);
  let body = answer.body;
  if (!answer.headers.has('content-encoding')) {
    await body?.cancel();
    answer = await fetched(at(name + built.gzip));
    // Some hosts declare a .gz file as encoded, so the browser has already unpacked it.
    body = answer.headers.has('content-encoding') ? answer.body : answer.body?.pipeThrough(new DecompressionStream('gzip')) ?? null;
  }
  // The header says that the body was unpacked, like the header of a host that negotiates.
  await cache.put(url, new Response(body, { headers: { 'Content-Type': 'application/wasm', 'Content-Encoding': 'gzip' } }));
}

/**
 * Copies a file from an earlier version’s cache, and reports whether it was there.
 * @param {Cache} cache
 * @param {string} url
 */
async function copied(cache, url) {
  const found = await caches.match(url);
  if (found) await cache.put(url, found);
  return Boolean(found);
}

/** Reports whether a file's name changes with its contents. @param {string} name */
const hashed = (name) => /-[0-9a-f]{12}[./]/.test(name);

async function takeOver() {
  for (const name of await caches.keys()) if (name.startsWith(OURS) && name !== CACHE) await caches.delete(name);
  await worker.clients.claim();
}

/**
 * @param {Built} built
 * @param {string} url  without what follows "?"
 * @param {Request} request
 */
async function keptFirst(built, url, request) {
  const cache = await caches.open(CACHE);
  const found = await cache.match(url);
  if (found) return found;
  const program = [...built.programs, built.later].find((name) => name && url === at(name));
  if (program) {
    await keepProgram(built, cache, program);
    return /** @type {Promise<Response>} */ (cache.match(url));
  }
  const answer = await fetch(request);
  if (answer.ok) await cache.put(url, plain(answer.clone()));
  return answer;
}

/**
 * @param {string} url  without what follows "?"
 * @param {Request} request
 */
async function networkFirst(url, request) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request);
    if (answer.ok) await remember(cache, url, answer.clone());
    return answer;
  } catch (error) {
    const found = await cache.match(url);
    if (found) return found;
    throw error;
  }
}

/**
 * Caches an answer, but only the newest version of each program.
 * @param {Cache} cache
 * @param {string} url
 * @param {Response} answer
 */
async function remember(cache, url, answer) {
  if (url.endsWith('.wasm')) {
    const kind = url.replace(/-[^/-]*$/, '-');
    for (const { url: other } of await cache.keys()) if (other.startsWith(kind) && other !== url) await cache.delete(other);
  }
  await cache.put(url, plain(answer));
}

/**
 * @param {string} url
 * @param {RequestInit} [options]
 */
async function fetched(url, options) {
  const answer = await fetch(url, options);
  if (!answer.ok) throw new Error(`${url}: the server answered ${answer.status}`);
  return answer;
}

/**
 * Returns an answer that may open a page, which a redirected answer may not.
 * @param {Response} answer
 */
const plain = (answer) => (answer.redirected ? new Response(answer.body, { headers: answer.headers }) : answer);
