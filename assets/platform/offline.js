// @ts-check
import { element } from '../shell/dom.js';

const SETTLED = 2000; // ms after the page is complete: what the visitor waits for comes first

/** Whether a page of another site shows this one. */
function elsewhere() {
  try {
    return window.top === null || window.top.location.origin !== window.location.origin;
  } catch {
    return true; // it may not be looked at, so it is another site's
  }
}

/**
 * Whether the site can keep itself for offline use: not without a secure connection,
 * in a sandbox, inside a page of another site, which does not mention it, or as a package
 * of a learning platform, whose files are its own.
 */
const canKeep = () => !new URLSearchParams(window.location.search).has('scorm') &&
  window.isSecureContext && window.origin !== 'null' && /^https?:$/.test(window.location.protocol) &&
  'serviceWorker' in navigator && !elsewhere();

async function keepSite() {
  const workers = navigator.serviceWorker;
  let first = !workers.controller; // nothing older is shown that this one could replace
  const registration = await workers.register(new URL('../../sw.js', import.meta.url), { updateViaCache: 'none' });
  const announce = () => {
    const { waiting } = registration;
    if (waiting && workers.controller) offer(() => waiting.postMessage('take over'));
  };
  announce();
  registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', announce));
  workers.addEventListener('controllerchange', () => {
    if (wanted) window.location.reload();
    else if (!first) offer(() => window.location.reload()); // it was asked for in another tab
    first = false;
  });
}

/** Whether the visitor has asked for the new version. */
let wanted = false;

/**
 * Announces a new version, which is shown at the visitor's request.
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
  const notice = element('aside', { class: 'new-version', role: 'status' }, element('p', {}, 'A new version is there.'), reload, later);
  document.body.append(notice);
}

/** Begins when the page is complete and the browser has nothing else to do. */
function soon() {
  const begin = () => {
    // A browser may refuse to keep anything; the page does not depend on
    // it.
    keepSite().catch((error) => console.info(`This site cannot be kept for later: ${error.message}`));
  };
  setTimeout(() => ('requestIdleCallback' in window ? requestIdleCallback(begin, { timeout: SETTLED }) : begin()), SETTLED);
}

if (canKeep()) {
  if (document.readyState === 'complete') soon();
  else window.addEventListener('load', soon, { once: true });
}
