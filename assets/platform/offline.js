// @ts-check
import { element } from '../shell/dom.js';

const SETTLED = 2000; // in milliseconds after the page is complete, so that the visitor's own requests come first

/** Reports whether a page of another site embeds this one. */
function elsewhere() {
  try {
    return window.top === null || window.top.location.origin !== window.location.origin;
  } catch {
    return true; // the parent's address is not accessible, so the parent belongs to another site
  }
}

/**
 * Reports whether the site can store itself for offline use. It cannot without a secure connection, in a sandbox, inside
 * a page of another site, or as a package of a learning platform, which has its own files.
 */
const canKeep = () => !new URLSearchParams(window.location.search).has('scorm') &&
  window.isSecureContext && window.origin !== 'null' && /^https?:$/.test(window.location.protocol) &&
  'serviceWorker' in navigator && !elsewhere();

async function keepSite() {
  const workers = navigator.serviceWorker;
  let first = !workers.controller; // whether no older version runs, which this one could replace
  const registration = await workers.register(new URL('../../sw.js', import.meta.url), { updateViaCache: 'none' });
  const announce = () => {
    const { waiting } = registration;
    if (waiting && workers.controller) offer(() => waiting.postMessage('take over'));
  };
  announce();
  registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', announce));
  workers.addEventListener('controllerchange', () => {
    if (wanted) window.location.reload();
    else if (!first) offer(() => window.location.reload()); // another tab requested the new version
    first = false;
  });
}

/** Whether the visitor has requested the new version. */
let wanted = false;

/**
 * Announces a new version and shows it when the visitor asks for it.
 * @param {() => void} show
 */
function offer(show) {
  document.querySelector('.new-version')?.remove();
  const reload = element('button', {
    type: 'button', class: 'action', onclick: () => {
      wanted = true;
      show();
    },
  }, 'Reload');
  const later = element('button', { type: 'button', class: 'action', onclick: () => notice.remove() }, 'Later');
  const notice = element('aside', { class: 'new-version', role: 'status' }, element('p', {}, 'A new version is available.'), reload, later);
  document.body.append(notice);
}

/** Stores the site when the page is complete and the browser is idle. */
function soon() {
  const begin = () => {
    // The browser may refuse to store anything; the page works without it.
    keepSite().catch((error) => console.info(`This site cannot be stored for offline use: ${error.message}`));
  };
  setTimeout(() => ('requestIdleCallback' in window ? requestIdleCallback(begin, { timeout: SETTLED }) : begin()), SETTLED);
}

if (canKeep()) {
  if (document.readyState === 'complete') soon();
  else window.addEventListener('load', soon, { once: true });
}
