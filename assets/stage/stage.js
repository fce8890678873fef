// @ts-check
// Runs the document around the scene's canvas, in an iframe of the page. It loads the program, keeps the visitor's
// events from Ebiten, gives the canvas keyboard and screen reader access, and puts `stage` on the window for the page.
// All other messages to the page are {stage: kind, document: its time of origin, ...}.
import { ALONE, drawnFlat, inside } from '../platform/files.js';
import { BY_SECOND, createPictures } from './picture.js';
import { createRecorder } from './recorder.js';
import { WORK_DONE, answerOf, callProgram, checked, gather } from './program-call.js';
import { load, LoadError } from './stage-load.js';

/**
 * The object that the Go program puts on the global object (wasm/bridge).
 * @typedef {object} Program
 * @property {() => void} start
 * @property {(verb: string, args: string) => string} call
 * @property {(verb: string, args: string) => string} begin
 * @property {() => string} outcome  of the last begin or beginFile
 * @property {(ms: number) => number | Failure} work
 * @property {(kind: string, panel: string, page: string, width: string, method: string, take: Take) => string} beginFile
 * @property {(panel: string, take: Take) => string} drawClip  continues drawing: the share done, or the file
 * @property {(kind: string, x: number, y: number, touch: boolean) => boolean | Failure} pointer
 * @property {() => string | Failure} cursor
 * @property {() => string | Failure} probe
 * @property {() => number | Failure} held  bytes, after garbage collection
 * @property {(factor: number) => void | Failure} zoom
 *
 * @typedef {(bytes: Uint8Array<ArrayBuffer>) => void} Take
 * @typedef {{error: string}} Failure
 * @typedef {{id: string, label: string, value: string, x: number, y: number}} Handle
 */

const SITE = new URL('../..', import.meta.url);
/** The prefix of links in files. */
const PAGE = inside?.page ?? SITE.href;
const WORK_SLICE = 8; // in milliseconds of pending work before events get their turn
const REFRESH_EVERY = 250; // in milliseconds between updates of labels and handles while playing
const PROGRESS_EVERY = 150; // in milliseconds between progress messages
const TOLD_AFTER = 150; // in milliseconds that a verb pauses before the visitor sees a message
const RELOAD_AFTER = 1500; // in milliseconds that the page has to answer a reload request
const PROBED_FRAMES = 240;
const LONG_LOAD = 1500; // in milliseconds: for a longer load, testing for a quarter of a second whether a program can draw is worthwhile
const MOST_TEXT = 1 << 24; // maximum number of characters in a verb's arguments; a large state has several hundred thousand

/** @type {Program} */
let program;
/** Creates picture files; starts with the first. */
const pictures = createPictures();
const recorder = createRecorder(() => canvas);
/** Whether the second program draws, without WebGL. */
const FLAT = inside ? drawnFlat() : new URLSearchParams(window.location.search).has('canvas');
/** The program's memory, which never shrinks. @type {WebAssembly.Memory | undefined} */
let memory;

// ---- messages

/** @param {Record<string, any>} message */
function post(message) {
  // Without a page around it, the document sends nothing.
  if (window.parent === window) return;
  // Only the page that has written this document surrounds it, and that page may have no origin.
  window.parent.postMessage({ ...message, document: performance.timeOrigin }, inside ? '*' : window.location.origin);
}

/** The first error, or "". */
let failed = '';

/** Whether the page is about to reload this document, so that the program's errors no longer matter. */
let leaving = false;

/**
 * Shows an error in this document and in the page. It ignores the errors that follow from it.
 * @param {string} text
 * @param {boolean} [notCompiled]  the server has no program yet
 */
function fail(text, notCompiled = false) {
  if (failed || leaving) return;
  failed = text;
  const problem = byId('problem');
  byId('problem-text').textContent = text;
  problem.hidden = false;
  post({ stage: 'error', text, notCompiled });
}

/**
 * Asks the page to reload this document with its current state.
 * @param {string} why
 */
function requestReload(why) {
  post({ stage: 'reload', why });
  setTimeout(reload, window.parent === window ? 0 : RELOAD_AFTER);
}

/** Reloads this document. Only the page can reload a document that it has written. */
function reload() {
  if (inside) post({ stage: 'reload', why: 'asked' });
  else window.location.reload();
}

/** Asks the page to reload this document for the program that needs no WebGL. */
function leave() {
  leaving = true;
  if (window.parent === window) window.location.replace('?canvas');
  else post({ stage: 'without WebGL' });
}

/** @param {string} id */
function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`stage.html has no element #${id}`);
  return found;
}

// ---- verbs

/**
 * @param {string} verb
 * @param {object} args
 * @returns {string}  JSON for the program
 */
function textOf(verb, args) {
  const text = JSON.stringify(args);
  if (text.length > MOST_TEXT) throw new Error(`${verb}: the arguments have ${text.length} characters; at most ${MOST_TEXT} are allowed`);
  return text;
}

/**
 * @param {string} verb
 * @param {object} [args]
 * @returns {any}
 */
function callNow(verb, args = {}) {
  const result = callProgram(program, verb, textOf(verb, args));
  if (verb === 'theme') followTheme(args);
  return result;
}

/** @param {{name?: string}} args  of the verb theme */
function followTheme({ name }) {
  document.body.classList.toggle('dark', name === 'dark');
}

/** The verb that pauses in the middle of its preparations. The next verb waits for it. @type {Promise<void> | undefined} */
let resting;

/** The last value of each held control, by the control's name; earlier values need not be prepared. @type {Map<string, object>} */
const lastHeld = new Map();

/**
 * Waits until a pausing verb has ended.
 * @param {import('./program-call.js').Answer} answer  of the beginning
 * @param {string} why  the message to the visitor if it takes long
 */
async function ended(answer, why) {
  if (!answer.rests) return answer.result;
  byId('preparing').textContent = why;
  let end = () => {};
  resting = new Promise((resolve) => { end = () => resolve(); });
  const begun = performance.now();
  try {
    while (answer.rests) {
      await slice();
      if (performance.now() - begun > TOLD_AFTER) byId('preparing').hidden = false;
      answer = answerOf(program.outcome());
    }
    return answer.result;
  } finally {
    byId('preparing').hidden = true;
    resting = undefined;
    end();
  }
}

/**
 * Applies a verb in parts, without its pending work.
 * @param {string} verb
 * @param {Record<string, any>} args
 */
async function callInParts(verb, args) {
  const held = verb === 'set' && args.hold === true;
  if (held) lastHeld.set(args.name, args);
  while (resting) {
    await resting;
    if (held && lastHeld.get(args.name) !== args) return null;
  }
  const answer = answerOf(program.begin(verb, textOf(verb, args)));
  if (verb === 'theme') followTheme(args);
  return ended(answer, 'These settings are demanding: preparing data and runs …');
}

/** The highlighted panel, or "". */
let lit = '';

/** Positions the frame of the highlighted panel. */
function placeLight() {
  const frame = byId('lit');
  const at = lit === '' ? null : callNow('place', { panel: lit });
  frame.hidden = at === null;
  if (at === null) return;
  frame.dataset.panel = lit;
  const AROUND = 3; // pixels
  const { x, y, width, height } = at;
  Object.assign(frame.style, { left: `${x * shown.zoom - AROUND}px`, top: `${y * shown.zoom - AROUND}px`,
    width: `${width * shown.zoom + 2 * AROUND}px`, height: `${height * shown.zoom + 2 * AROUND}px` });
}

/** How the panels are shown. At a larger zoom, the canvas has fewer pixels per panel. */
let shown = { alone: false, zoom: 1 };

/** The callers that wait until no work is pending. @type {{resolve: () => void, reject: (error: Error) => void}[]} */
const waiting = [];
/** The callers that wait for the next slice of work. @type {typeof waiting} */
const sliced = [];
const turn = new MessageChannel();
let turning = false;

/** Works in slices between the browser's events, because hidden tabs get events but no frames. */
turn.port1.onmessage = () => {
  turning = false;
  try {
    const left = checked(program.work(WORK_SLICE));
    if (left !== WORK_DONE) takeTurn();
    for (const { resolve } of sliced.splice(0)) resolve();
    if (left >= 0) return;
    for (const { resolve } of waiting.splice(0)) resolve();
  } catch (error) {
    for (const { reject } of [...sliced.splice(0), ...waiting.splice(0)]) reject(/** @type {Error} */ (error));
  }
};

function takeTurn() {
  if (turning) return;
  turning = true;
  turn.port2.postMessage(0);
}

/** @param {typeof waiting} among @returns {Promise<void>} */
function told(among) {
  return new Promise((resolve, reject) => {
    among.push({ resolve, reject });
    takeTurn();
  });
}

const settled = () => told(waiting);
const slice = () => told(sliced);

const stage = {
  /**
   * Applies a verb and completes its pending work.
   * @param {string} verb
   * @param {object} [args]
   */
  async call(verb, args = {}) {
    // After the program has ended, this throws the reason.
    if (failed) throw new Error(failed);
    if (leaving) return new Promise(() => {}); // the next document will answer
    const result = await callInParts(verb, args);
    await settled();
    return result;
  },
  callNow,
  /** The page's function to call after each frame. @type {(() => void) | undefined} */
  framed: undefined,
  /** Returns a promise that settles when the pausing verb has ended; undefined if no verb pauses. */
  resting: () => resting,
  state: () => callNow('state'),
  /**
   * @param {string} kind
   * @param {import('../shell/types.js').Taking} how
   * @param {import('./link.js').Brought} [brought]  the visitor's last file
   * @param {(text: string) => void} [progress]  gets the work under way, in words
   */
  async exportFile(kind, how, brought = undefined, progress = () => {}) {
    if (kind === 'webm') return recorder.record(callNow, progress);
    if (BY_SECOND.has(kind)) {
      if (ALONE) throw new Error(ALONE);
      const data = callNow('data');
      return pictures.file({ hash: callNow('hash'), theme: document.body.classList.contains('dark') ? 'dark' : 'light',
        data: data?.held && brought?.sha256 === data.sha256 ? brought : undefined, measured: callNow('measured'), kind, how,
        page: PAGE }, progress);
    }
    if (kind === 'log' && !callNow('state', { brief: true }).recording?.done) {
      progress('Recording the run…');
      await stage.call('record');
    }
    while (resting) await resting;
    const { take, file } = gather();
    return file(await ended(answerOf(program.beginFile(kind, how.panel, PAGE, how.width, how.method, take)),
      'The runs are long: writing the file …'));
  },
  /** Cancels the file in progress. */
  cancelExport() {
    pictures.cancel();
    recorder.cancel();
  },
  /**
   * Sets the panels' zoom, and whether only the front panel is shown.
   * @param {{alone: boolean, zoom: number}} how
   */
  show(how) {
    shown = { ...how };
    checked(program.zoom(shown.zoom));
    sendLayout();
    scheduleRefresh();
  },
  /**
   * Highlights a panel if it is on the canvas.
   * @param {string} panel  "" for none
   */
  light(panel) {
    lit = panel;
    placeLight();
  },
  /** Returns the program's memory in bytes, for tests. */
  held: () => checked(program.held()),
  /** Returns counts and main-thread times, for tests and measurements. */
  probe: () => ({ ...JSON.parse(checked(program.probe())), frameMillis: [...frameMillis], memory: memory?.buffer.byteLength }),
};

// ---- main-thread time of a frame, including Ebiten's part

/** @type {number[]} */
const frameMillis = [];
let drew = false;
const nextFrame = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = (callback) => nextFrame((time) => {
  compareResolution();
  drew = false;
  const start = performance.now();
  callback(time);
  if (!drew) return;
  frameMillis.push(performance.now() - start);
  if (frameMillis.length > PROBED_FRAMES) frameMillis.shift();
  // The page hears of it before the browser paints, so that its counter shows the iteration of the picture.
  if (stage.framed) stage.framed();
  else post({ stage: 'event', kind: 'frame' });
});

// ---- events of the program

/** @type {{paretoplayEvent?: (kind: string, json: string) => void}} */ (globalThis).paretoplayEvent = (kind, json) => {
  const detail = JSON.parse(json);
  switch (kind) {
    case 'fault':
      if (FLAT || hasWebGL()) fail(`The program has a bug: ${detail.text}.`);
      else leave();
      return;
    case 'frame':
      drew = true;
      scheduleRefresh();
      return;
    case 'ready':
      document.body.classList.add('drawn');
      queueMicrotask(refresh); // callers that wait for the first frame find its handles; the program is busy until then
      break;
  }
  scheduleRefresh();
  post({ stage: 'event', kind, detail });
};

let refreshing = 0;

function scheduleRefresh() {
  if (!refreshing) refreshing = window.setTimeout(refresh, REFRESH_EVERY);
}

/** Updates labels and handles. */
function refresh() {
  clearTimeout(refreshing);
  refreshing = 0;
  if (failed || leaving) return;
  if (resting) {
    scheduleRefresh();
    return;
  }
  /** @type {{id: string, title: string, text: string}[]} */
  const panels = callNow('describe');
  const [front] = callNow('shown');
  const label = [...panels.filter(({ id }) => id === front), ...panels.filter(({ id }) => id !== front)]
    .map(({ title, text }) => `${title}: ${text}`).join(' ');
  if (canvas && canvas.getAttribute('aria-label') !== label) canvas.setAttribute('aria-label', label);
  updateHandles(callNow('handles'));
  placeLight();
}

// ---- the canvas

/** @type {HTMLCanvasElement | undefined} */
let canvas;

/** Adopts the canvas that the program appends to the body. */
function adoptCanvas() {
  canvas = document.querySelector('canvas') ?? undefined;
  if (!canvas) throw new Error('The program created no canvas.');
  canvas.tabIndex = 0;
  canvas.setAttribute('role', 'img');
  canvas.style.removeProperty('outline');
  // The canvas is tiny until the program draws; a WebGL buffer would have to be recreated.
  canvas.width = Math.floor(document.body.clientWidth * ratio);
  canvas.height = Math.floor(document.body.clientHeight * ratio);
}

/** @param {Event} event */
const onCanvas = (event) => canvas !== undefined && event.target === canvas;

// ---- the visitor's touches, which all go to the page as well

const TOLD_EVERY = 200; // in milliseconds
let touchedAt = -Infinity;

/** @param {Event} event */
function touched(event) {
  // Browsers send a move when the element under a resting pointer changes.
  if (event instanceof PointerEvent && event.type === 'pointermove' && event.movementX === 0 && event.movementY === 0) return;
  if (performance.now() - touchedAt < TOLD_EVERY) return;
  touchedAt = performance.now();
  post({ stage: 'touched' });
}

for (const type of ['pointerdown', 'pointermove', 'touchstart', 'wheel', 'keydown']) {
  window.addEventListener(type, touched, { capture: true, passive: true });
}

// Ebiten would take the focus, every key, the wheel and all touches. This listener runs first and hides them from
// Ebiten. The browser's own actions, such as scrolling and moving the focus, still happen.
const EBITEN_LISTENS = [
  'keydown', 'keyup', 'mousedown', 'mouseup', 'mousemove', 'wheel', 'touchstart', 'touchmove', 'touchend', 'contextmenu',
  'dragover', 'drop',
];

/** Whether the program has claimed the current touch. */
let claimed = false;

for (const type of EBITEN_LISTENS) {
  window.addEventListener(type, (event) => {
    event.stopImmediatePropagation();
    if (type === 'keydown') pressKey(/** @type {KeyboardEvent} */ (event));
    // Only a claimed touch stays here; any other scrolls the page.
    if ((type === 'touchstart' || type === 'touchmove') && claimed && event.cancelable) event.preventDefault();
  }, { capture: true, passive: type === 'wheel' });
}

// Ebiten would reload this document, and the page would notice too late.
window.addEventListener('webglcontextlost', (event) => {
  event.stopImmediatePropagation();
  requestReload('context lost');
}, { capture: true });

/**
 * @param {string} kind
 * @param {PointerEvent} event
 */
function point(kind, event) {
  if (!canvas || !program || failed || leaving) return false;
  const box = canvas.getBoundingClientRect();
  let mine = false;
  try {
    const [x, y] = [(event.clientX - box.left) / shown.zoom, (event.clientY - box.top) / shown.zoom];
    mine = checked(program.pointer(kind, x, y, event.pointerType !== 'mouse'));
    canvas.style.cursor = checked(program.cursor());
  } catch (error) {
    refused(/** @type {Error} */ (error));
  }
  // A click or a drag may have left pending work.
  if (kind !== 'move' || claimed) settled().then(scheduleRefresh, refused);
  return mine;
}

/**
 * Restores the old state after the scene has rejected a move; the page says why.
 * @param {Error} error
 */
function refused(error) {
  post({ stage: 'event', kind: 'notice', detail: { text: error.message } });
}

window.addEventListener('pointerdown', (event) => {
  if (!onCanvas(event) || !event.isPrimary || event.button !== 0) return;
  claimed = point('down', event);
  // Pointer capture makes a drag that ends outside still end here.
  if (canvas && claimed) canvas.setPointerCapture(event.pointerId);
}, { capture: true });

window.addEventListener('pointermove', (event) => {
  if (onCanvas(event) && event.isPrimary) point('move', event);
}, { capture: true });

window.addEventListener('pointerup', (event) => {
  if (!onCanvas(event) || !event.isPrimary || event.button !== 0) return;
  point('up', event);
  claimed = false;
}, { capture: true });

window.addEventListener('pointercancel', (event) => {
  if (!onCanvas(event) || !event.isPrimary) return;
  point('cancel', event);
  claimed = false;
}, { capture: true });

document.documentElement.addEventListener('pointerleave', (event) => {
  if (event.isPrimary && !claimed) point('leave', event);
});

// ---- keys

/** @type {Record<string, [number, number] | undefined>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const FASTER = 10;
/** Keys that the page uses and that must not also scroll. */
const PAGE_KEYS = new Set([' ', 'ArrowLeft', 'ArrowRight', 'Home', 'End']);

/** @param {KeyboardEvent} event */
function pressKey(event) {
  const { key, code, shiftKey, ctrlKey, altKey, metaKey, repeat } = event;
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'z') event.preventDefault(); // here the page undoes a change
  else if (ctrlKey || altKey || metaKey || key === 'Tab' || /^F\d+$/.test(key) || event.isComposing) return;
  if (event.target === byId('problem-reload')) return;
  const id = event.target instanceof HTMLElement ? event.target.dataset.handle : undefined;
  if (id !== undefined && pressHandle(id, event)) {
    event.preventDefault();
    return;
  }
  if (PAGE_KEYS.has(key)) event.preventDefault();
  post({ stage: 'key', key, code, shiftKey, ctrlKey, altKey, metaKey, repeat });
}

// ---- handles: each has an invisible button for the keyboard and screen readers. Tab reaches one of them. Arrow keys
// move to the others, or move the held one.

/** @type {Map<string, HTMLButtonElement>} */
const proxies = new Map();
/** The handle that Tab reaches, or "". */
let reached = '';
/** The handle that arrow keys move, or "". */
let held = '';

/**
 * @param {string} id  of the focused handle
 * @param {KeyboardEvent} event
 * @returns {boolean}  whether the handle uses the key
 */
function pressHandle(id, { key, shiftKey, repeat }) {
  const arrow = ARROWS[key];
  if (key === 'Enter' || key === ' ') {
    if (!repeat) hold(held === id ? '' : id);
  } else if (key === 'Escape' && held === id) {
    hold('');
  } else if (arrow && held === id) {
    const times = shiftKey ? FASTER : 1;
    stage.call('nudge', { id, dx: arrow[0] * times, dy: arrow[1] * times, hold: true }).then(refresh, refused);
  } else if (arrow) {
    const all = /** @type {HTMLButtonElement[]} */ ([...byId('handles').children]);
    const forward = key === 'ArrowRight' || key === 'ArrowDown';
    all[all.findIndex((proxy) => proxy.dataset.handle === id) + (forward ? 1 : -1)]?.focus();
  } else {
    return false;
  }
  return true;
}

/** @param {string} id  "" for none */
function hold(id) {
  if (held !== '' && id !== held) stage.call('release', {}).then(refresh, refused); // a goal for the moved point is judged now
  held = id;
  for (const [of, proxy] of proxies) proxy.setAttribute('aria-pressed', String(of === id));
}

/** @param {string} id */
function reach(id) {
  reached = id;
  for (const [of, proxy] of proxies) proxy.tabIndex = of === id ? 0 : -1;
}

/** @param {Handle[]} handles */
function updateHandles(handles) {
  const root = byId('handles');
  const gone = new Set(proxies.keys());
  let before = /** @type {Element | null} */ (null);
  for (const { id, label, value, x, y } of handles) {
    gone.delete(id);
    let proxy = proxies.get(id);
    if (!proxy) {
      proxy = document.createElement('button');
      proxy.type = 'button';
      proxy.dataset.handle = id;
      proxy.setAttribute('aria-pressed', 'false');
      proxy.addEventListener('focus', () => reach(id));
      proxy.addEventListener('blur', () => hold(''));
      proxies.set(id, proxy);
    }
    const text = value ? `${label}, ${value}` : label;
    if (proxy.getAttribute('aria-label') !== text) proxy.setAttribute('aria-label', text);
    proxy.style.transform = `translate(${x * shown.zoom}px, ${y * shown.zoom}px)`;
    // Moving an element within the document would take its focus away.
    const next = before ? before.nextElementSibling : root.firstElementChild;
    if (next !== proxy) root.insertBefore(proxy, next);
    before = proxy;
  }
  for (const id of gone) {
    proxies.get(id)?.remove();
    proxies.delete(id);
  }
  reach(proxies.has(reached) ? reached : handles[0]?.id ?? '');
}

// ---- size and resolution

const coarse = window.matchMedia('(pointer: coarse)');

function sendLayout() {
  const { clientWidth: width, clientHeight: height } = document.body;
  if (failed || leaving || width === 0 || height === 0) return; // zero if the iframe is hidden
  callNow('layout', { width: width / shown.zoom, height: height / shown.zoom, touch: coarse.matches, alone: shown.alone });
  post({ stage: 'event', kind: 'layout' });
}

/** The device pixel ratio that the program has read, or the one at the last reload request. */
let ratio = window.devicePixelRatio;

/**
 * Requests a reload if the device pixel ratio has changed, because Ebiten reads it only once. Every frame checks it,
 * because no event reliably reaches an iframe. A query for the resolution may stay silent, and a resize may come before
 * the ratio changes.
 */
function compareResolution() {
  if (window.devicePixelRatio === ratio) return;
  ratio = window.devicePixelRatio;
  requestReload('pixel ratio');
}

/** Checks the ratio in every frame. Ebiten's frames would do that too, but the other program has frames only while it draws. */
function watchResolution() {
  nextFrame(() => {
    compareResolution();
    watchResolution();
  });
}

// ---- start

/**
 * Reports whether the browser supports what Ebiten needs. The test takes a quarter of a second, so it runs only after a
 * failure or during a long load.
 */
const hasWebGL = () => document.createElement('canvas').getContext('webgl2') !== null;

async function run() {
  byId('problem-reload').addEventListener('click', reload);
  if (!('WebAssembly' in globalThis)) throw new LoadError('This browser cannot run the program: it lacks WebAssembly.');
  const Go = /** @type {any} */ (globalThis).Go;
  if (!Go) throw new LoadError('The program could not be loaded: its loader is missing.');
  const go = new Go();
  // Collecting garbage would delay the first frame, after which the program sets this back.
  go.env = { GOGC: '400' };
  let told = 0;
  const long = window.setTimeout(() => { if (!FLAT && !hasWebGL()) leave(); }, LONG_LOAD);
  const instance = await load(SITE, go.importObject, FLAT, (done, total) => {
    const now = performance.now();
    if (now - told < PROGRESS_EVERY && done < total) return;
    told = now;
    post({ stage: 'progress', done, total });
  });
  clearTimeout(long);
  if (leaving) return;
  memory = /** @type {WebAssembly.Memory} */ (instance.exports.mem);
  ratio = window.devicePixelRatio;
  const exited = go.run(instance);
  program = /** @type {any} */ (globalThis).paretoplay;
  if (!program) throw new LoadError('The program stopped while starting.');
  adoptCanvas();
  sendLayout();
  new ResizeObserver(() => {
    sendLayout();
    scheduleRefresh();
  }).observe(document.body);
  coarse.addEventListener('change', sendLayout);
  if (FLAT) watchResolution();
  Object.assign(window, { stage });
  // The page first learns that it may call, then that the first frame is on screen.
  post({ stage: 'ready' });
  program.start();
  refresh();
  await exited;
  throw new LoadError('The program has stopped.');
}

run().catch((error) => {
  if (error instanceof LoadError) fail(error.message, error.notCompiled);
  else fail(`The program has stopped: ${error.message}.`);
});
