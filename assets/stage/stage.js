// @ts-check
// The document around the scene's canvas, in an iframe of the page. It loads
// the program, keeps Ebiten's hands off the visitor's events, gives the canvas a
// keyboard and a screen reader's view, and puts `stage` on the window for the
// page. Everything else it tells the page by messages {stage: kind, document: its time of origin, ...}.
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
 * @property {() => string} outcome  of what begin or beginFile began last
 * @property {(ms: number) => number | Failure} work
 * @property {(kind: string, panel: string, page: string, width: string, method: string, take: Take) => string} beginFile
 * @property {(panel: string, take: Take) => string} drawClip  draws on: the share that is done, or the file
 * @property {(kind: string, x: number, y: number, touch: boolean) => boolean | Failure} pointer
 * @property {() => string | Failure} cursor
 * @property {() => string | Failure} probe
 * @property {() => number | Failure} held  bytes, once its garbage is collected
 * @property {(factor: number) => void | Failure} zoom
 *
 * @typedef {(bytes: Uint8Array<ArrayBuffer>) => void} Take
 * @typedef {{error: string}} Failure
 * @typedef {{id: string, label: string, value: string, x: number, y: number}} Handle
 */

const SITE = new URL('../..', import.meta.url);
/** What links in files begin with. */
const PAGE = inside?.page ?? SITE.href;
const WORK_SLICE = 8; // ms of pending work before events have their turn
const REFRESH_EVERY = 250; // ms between updates of labels and handles while playing
const PROGRESS_EVERY = 50; // ms between progress messages
const TOLD_AFTER = 150; // ms that a verb rests before the visitor is told
const RELOAD_AFTER = 1500; // ms that the page has to answer a request to reload
const PROBED_FRAMES = 240;
const LONG_LOAD = 1500; // ms after which a program is worth the quarter of a second that tells whether it can draw
const MOST_TEXT = 1 << 24; // characters of a verb's arguments; a large state has some hundred thousand

/** @type {Program} */
let program;
/** What makes files of pictures, begun by the first. */
const pictures = createPictures();
const recorder = createRecorder(() => canvas);
/** Whether the second program draws, without WebGL. */
const FLAT = inside ? drawnFlat() : new URLSearchParams(window.location.search).has('canvas');
/** The program's memory, which never shrinks. @type {WebAssembly.Memory | undefined} */
let memory;

// ---- messages

/** @param {Record<string, any>} message */
function post(message) {
  // Without a page around it, the document talks to nobody.
  if (window.parent === window) return;
  // The page that has written this document is the only one around it, and may have no origin to name.
  window.parent.postMessage({ ...message, document: performance.timeOrigin }, inside ? '*' : window.location.origin);
}

/** The first error; "" for none. */
let failed = '';

/** Whether the page is about to load this document anew: what the program does meanwhile is no failure. */
let leaving = false;

/**
 * Shows an error, here and in the page. Errors that follow from it are not
 * reported.
 * @param {string} text
 * @param {boolean} [notCompiled]  the server has no program, as yet
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
 * Asks the page to reload this document with the state it holds.
 * @param {string} why
 */
function requestReload(why) {
  post({ stage: 'reload', why });
  setTimeout(reload, window.parent === window ? 0 : RELOAD_AFTER);
}

/** Loads this document anew. One that a page has written is written anew by that page alone. */
function reload() {
  if (inside) post({ stage: 'reload', why: 'asked' });
  else window.location.reload();
}

/** There is no WebGL: the page loads this document anew for the program that needs none. */
function leave() {
  leaving = true;
  if (window.parent === window) window.location.replace('?canvas');
  else post({ stage: 'without WebGL' });
}

/** @param {string} id */
function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`stage.html has no element ${id}`);
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
  if (text.length > MOST_TEXT) throw new Error(`${verb}: what was given takes ${text.length} characters; at most ${MOST_TEXT} are read`);
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

/** The verb that rests in the middle of its preparations, if one does: the next waits for it. @type {Promise<void> | undefined} */
let resting;

/** The last value of a held control, by the control's name: those before it need not be prepared. @type {Map<string, object>} */
const lastHeld = new Map();

/**
 * Waits until what has begun has ended.
 * @param {import('./program-call.js').Answer} answer  of the beginning
 * @param {string} why  what the visitor is told when that takes long
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
 * Applies a verb in parts, without what it leaves to do.
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
  return ended(answer, 'These settings are large: data and runs are being prepared.');
}

/** The panel that is lit up, "" for none. */
let lit = '';

/** Puts the frame of what is lit up in its place. */
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

/** How the panels are shown: the canvas has fewer of their pixels where these are larger. */
let shown = { alone: false, zoom: 1 };

/** The waiters for the end of pending work. @type {{resolve: () => void, reject: (error: Error) => void}[]} */
const waiting = [];
/** The waiters for the next slice of work. @type {typeof waiting} */
const sliced = [];
const turn = new MessageChannel();
let turning = false;

/** Works in slices between the browser's events; hidden tabs have no frames but do have these. */
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
   * Applies a verb; settles when it is applied, pending work included.
   * @param {string} verb
   * @param {object} [args]
   */
  async call(verb, args = {}) {
    // If the program has ended, the reason.
    if (failed) throw new Error(failed);
    if (leaving) return new Promise(() => {}); // the document after this one answers
    const result = await callInParts(verb, args);
    await settled();
    return result;
  },
  callNow,
  /** Settles when the verb that rests in the middle of its preparations has ended; undefined while none does. */
  resting: () => resting,
  state: () => callNow('state'),
  /**
   * @param {string} kind
   * @param {import('../shell/types.js').Taking} how
   * @param {import('./link.js').Brought} [brought]  the visitor's last file
   * @param {(text: string) => void} [progress]  what is under way, in words
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
      'The runs are long: the file is being written.'));
  },
  /** Gives up the file that is being made. */
  cancelExport() {
    pictures.cancel();
    recorder.cancel();
  },
  /**
   * Sets the panels' zoom, and whether the one in front is alone.
   * @param {{alone: boolean, zoom: number}} how
   */
  show(how) {
    shown = { ...how };
    checked(program.zoom(shown.zoom));
    sendLayout();
    scheduleRefresh();
  },
  /**
   * Frames a panel, if the canvas has room for it.
   * @param {string} panel  "" for none
   */
  light(panel) {
    lit = panel;
    placeLight();
  },
  /** How many bytes the program holds, for tests. */
  held: () => checked(program.held()),
  /** Counts and main-thread times, for tests and measurements. */
  probe: () => ({ ...JSON.parse(checked(program.probe())), frameMillis: [...frameMillis], memory: memory?.buffer.byteLength }),
};

// ---- main-thread time of a frame, Ebiten's part included

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
});

// ---- events of the program

/** @type {{paretoplayEvent?: (kind: string, json: string) => void}} */ (globalThis).paretoplayEvent = (kind, json) => {
  const detail = JSON.parse(json);
  switch (kind) {
    case 'fault':
      if (FLAT || hasWebGL()) fail(`This is a fault of the program: ${detail.text}.`);
      else leave();
      return;
    case 'frame':
      drew = true;
      break;
    case 'ready':
      document.body.classList.add('drawn');
      queueMicrotask(refresh); // who waits for the first frame finds its handles; the program is busy until then
      break;
  }
  scheduleRefresh();
  post({ stage: 'event', kind, detail });
};

let refreshing = 0;

function scheduleRefresh() {
  if (!refreshing) refreshing = window.setTimeout(refresh, REFRESH_EVERY);
}

/** Brings labels and handles up to date. */
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
  if (!canvas) throw new Error('The program made no canvas.');
  canvas.tabIndex = 0;
  canvas.setAttribute('role', 'img');
  canvas.style.removeProperty('outline');
  // It is tiny until the program draws: a buffer that WebGL has would be made anew.
  canvas.width = Math.floor(document.body.clientWidth * ratio);
  canvas.height = Math.floor(document.body.clientHeight * ratio);
}

/** @param {Event} event */
const onCanvas = (event) => canvas !== undefined && event.target === canvas;

// ---- the visitor's touches, of which the page hears whatever becomes of them

const TOLD_EVERY = 200; // ms
let touchedAt = -Infinity;

/** @param {Event} event */
function touched(event) {
  // Browsers send moves of their own where what is under a pointer at rest changes.
  if (event instanceof PointerEvent && event.type === 'pointermove' && event.movementX === 0 && event.movementY === 0) return;
  if (performance.now() - touchedAt < TOLD_EVERY) return;
  touchedAt = performance.now();
  post({ stage: 'touched' });
}

for (const type of ['pointerdown', 'pointermove', 'touchstart', 'wheel', 'keydown']) {
  window.addEventListener(type, touched, { capture: true, passive: true });
}

// Ebiten would take the focus, every key, the wheel and all touches. It must
// hear nothing: this listener is the first of all. The browser's own actions,
// such as scrolling and moving the focus, go on.
const EBITEN_LISTENS = [
  'keydown', 'keyup', 'mousedown', 'mouseup', 'mousemove', 'wheel', 'touchstart', 'touchmove', 'touchend', 'contextmenu',
  'dragover', 'drop',
];

/** Whether the program has claimed the finger that is down. */
let claimed = false;

for (const type of EBITEN_LISTENS) {
  window.addEventListener(type, (event) => {
    event.stopImmediatePropagation();
    if (type === 'keydown') pressKey(/** @type {KeyboardEvent} */ (event));
    // Only a claimed finger stays here; any other scrolls the page.
    if ((type === 'touchstart' || type === 'touchmove') && claimed && event.cancelable) event.preventDefault();
  }, { capture: true, passive: type === 'wheel' });
}

// Ebiten would reload this document, and the page would hear of it too late.
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
  // A click or a drag may have left work to do.
  if (kind !== 'move' || claimed) settled().then(scheduleRefresh, refused);
  return mine;
}

/**
 * A move that the scene refuses: the old state stands, and the page says why.
 * @param {Error} error
 */
function refused(error) {
  post({ stage: 'event', kind: 'notice', detail: { text: error.message } });
}

window.addEventListener('pointerdown', (event) => {
  if (!onCanvas(event) || !event.isPrimary || event.button !== 0) return;
  claimed = point('down', event);
  // A drag that is released outside still ends here.
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
/** Keys of the page whose own action, scrolling, must not happen as well. */
const PAGE_KEYS = new Set([' ', 'ArrowLeft', 'ArrowRight', 'Home', 'End']);

/** @param {KeyboardEvent} event */
function pressKey(event) {
  const { key, code, shiftKey, ctrlKey, altKey, metaKey, repeat } = event;
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'z') event.preventDefault(); // the page takes changes back
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

// ---- handles: one invisible button each, for the keyboard and screen readers. Tab reaches one of them;
// arrow keys go from there to the others, or move the one that is held.

/** @type {Map<string, HTMLButtonElement>} */
const proxies = new Map();
/** The handle that Tab reaches, "" for none. */
let reached = '';
/** The handle that arrow keys move, "" for none. */
let held = '';

/**
 * @param {string} id  of the handle with the focus
 * @param {KeyboardEvent} event
 * @returns {boolean}  whether the key is the handle's
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
  if (held !== '' && id !== held) stage.call('release', {}).then(refresh, refused); // a goal that it was moved to is judged now
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
    // Moving an element in the document would take its focus.
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
  if (failed || leaving || width === 0 || height === 0) return; // zero: the iframe is not shown
  callNow('layout', { width: width / shown.zoom, height: height / shown.zoom, touch: coarse.matches, alone: shown.alone });
  post({ stage: 'event', kind: 'layout' });
}

/** The device pixel ratio that the program has read, or the last for which a reload was asked. */
let ratio = window.devicePixelRatio;

/**
 * Ebiten reads the device pixel ratio once: another one takes a new document. Every frame looks, because no
 * event is sure to tell an iframe: a query for the resolution may keep silent, and a resize come before the ratio.
 */
function compareResolution() {
  if (window.devicePixelRatio === ratio) return;
  ratio = window.devicePixelRatio;
  requestReload('pixel ratio');
}

/** Compares in every frame, as Ebiten's frames do: the other program has frames only while it draws. */
function watchResolution() {
  nextFrame(() => {
    compareResolution();
    watchResolution();
  });
}

// ---- start

/**
 * Whether the browser can draw what Ebiten asks for. Asking takes a quarter of a second, so only a failure does, or a
 * load that takes long.
 */
const hasWebGL = () => document.createElement('canvas').getContext('webgl2') !== null;

async function run() {
  byId('problem-reload').addEventListener('click', reload);
  if (!('WebAssembly' in globalThis)) throw new LoadError('This browser cannot run the program: it lacks WebAssembly.');
  const Go = /** @type {any} */ (globalThis).Go;
  if (!Go) throw new LoadError('The program could not be loaded: its loader is missing.');
  const go = new Go();
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
  if (!program) throw new LoadError('The program ended before it began.');
  adoptCanvas();
  sendLayout();
  new ResizeObserver(() => {
    sendLayout();
    scheduleRefresh();
  }).observe(document.body);
  coarse.addEventListener('change', sendLayout);
  if (FLAT) watchResolution();
  Object.assign(window, { stage });
  // The page hears that it may call before it hears of the first frame.
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
