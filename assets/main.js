// @ts-check
import { byId, intend, setText } from './dom.js';
import { dataOf, inTurn, isVisitors, keepsKey, keyIntention, movesRuns, presetHolds, readoutInterval, stateFromHash, throttled, withSharp } from './logic.js';
import { createControls } from './controls.js';
import { createExport, createShare } from './dialogs.js';
import { createHelp } from './help.js';
import { createIntroduction, createPresets, createSceneList } from './header.js';
import { createLink } from './link.js';
import { createLoading, createPreview } from './loading.js';
import { createNotices } from './notices.js';
import { createDescriptions, createTabs } from './panels.js';
import { createPaste, sendParts } from './paste.js';
import { Playground, answerMessages } from './playground.js';
import { createReadout } from './readout.js';
import { createTheme } from './theme.js';
import { createTimeAxis, createTransport } from './transport.js';

/** @typedef {import('./types.js').Model} Model */
/** @typedef {import('./types.js').State} State */

const COMPILE_POLL = 400; // milliseconds between looks at site.json
const WORDS_EVERY = 1000;
const HASH_EVERY = 1000;
const VISITOR = ''; // who asks, beside the origins of other pages
const OPENS = new Set(['open', 'load']); // verbs whose outcome is the same whatever is shown
const REPLAY_AT_ONCE = 3000; // milliseconds: a replay that takes longer goes on before the visitor's eyes

const iframe = /** @type {HTMLIFrameElement} */ (byId('stage'));
const dialogOf = (/** @type {string} */ id) => /** @type {HTMLDialogElement} */ (byId(id));

/** @type {Model} */
const model = {
  scenes: [], scene: undefined, params: [], state: stateFromHash([], location.hash), panels: [], readout: { columns: [], rows: [] }, live: false, preset: '',
};

const sceneList = createSceneList(byId('scene-list'));
const presets = createPresets(byId('presets'));
const introduction = createIntroduction(byId('introduction'));
const controls = createControls(byId('controls'));
const tabs = createTabs(byId('tabs'));
const transport = createTransport(byId('transport'));
const timeAxis = createTimeAxis(byId('time-axis'));
const descriptions = createDescriptions(byId('descriptions'));
const readout = createReadout(byId('readout'));
const loading = createLoading(byId('loading'));
const preview = createPreview(/** @type {HTMLPictureElement} */ (byId('preview')));
const notices = createNotices(byId('notices'));
const help = createHelp(dialogOf('help-dialog'));
const exportDialog = createExport(dialogOf('export-dialog'), (kind, panel) => exportFile(kind, panel, VISITOR));
const share = createShare(dialogOf('share-dialog'));
const paste = createPaste(byId('own-data'), dialogOf('paste-dialog'), (blob, progress) => showData(blob, VISITOR, progress));
const theme = createTheme(byId('theme-choice'), (name, reducedMotion) => {
  preview.show(name);
  if (model.live) link.callNow('theme', { name, reducedMotion });
});

/** Settles when the scene answers and holds the state it should; anew after a reload. */
let live = deferred();
/** Settles with the first live frame; anew when what has failed is tried again. */
let firstFrame = deferred();
let broken = false;
const link = createLink(iframe, { ready: begin, progress: loading.progress, error: failed, event: heard, reload, key: pressed });

const playground = playgroundOf(VISITOR);
/** @type {any} */ (window).playground = playground;
answerMessages((origin) => (origin === window.origin && origin !== 'null' ? playground : playgroundOf(origin)));

link.start();
preview.show(theme.name());
addEventListener('intend', (e) => act(/** @type {CustomEvent} */ (e).detail, /** @type {HTMLElement} */ (e.target)));
addEventListener('keydown', typed);
addEventListener('hashchange', linkPasted);
addEventListener('resize', () => timeAxis.update(model));
byId('share').addEventListener('click', () => share.copy(address(), byId('share')));
byId('export').addEventListener('click', () => exportDialog.open(model));
byId('help').addEventListener('click', help.open);
arrange();
loadScenes().catch((error) => failed(`The list of scenes could not be read: ${error.message}`));
watch();

// ---- arrival

async function loadScenes() {
  const response = await fetch('scenes.json');
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  model.scenes = await response.json();
  if (model.live) return draw();
  model.state = stateFromHash(model.scenes, location.hash);
  const scene = model.scenes.find(({ id }) => id === model.state.scene);
  model.params = (scene?.params ?? []).map((d) => ({ ...d, value: model.state.params[d.name] }));
  model.panels = scene?.panels ?? [];
  if (scene !== model.scenes[0]) preview.remove(); // it shows the first scene
  draw();
}

function watch() {
  watchCompiler().catch((error) => notices.error(`What the server says of the program could not be read: ${error.message}`));
}

/** Says that the program is being compiled, for as long as it is. */
async function watchCompiler() {
  for (;;) {
    const response = await fetch('site.json', { cache: 'no-store' });
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    const site = await response.json();
    if (site.error) return failed(`The program could not be compiled: ${site.error}`, true);
    if (!site.compiling || model.live) return;
    loading.compiling();
    await new Promise((resolve) => setTimeout(resolve, COMPILE_POLL));
  }
}

/** Counts the lives of the scene, so that what one leaves undone does not disturb the next. */
let lives = 0;

/** The scene answers: for the first time, or again after it was reloaded. */
async function begin() {
  const life = ++lives;
  loading.starting();
  if (iframe.classList.contains('failed')) live = deferred(); // it has reloaded itself
  startAgain();
  reading = inTurn(); // what was read is lost
  painted = false;
  const again = model.state.status !== 'loading'; // it has said before what it shows
  const fromLink = location.hash.length > 1;
  try {
    await link.call('theme', { name: theme.name(), reducedMotion: theme.reducedMotion() });
    if (again) {
      const { playing } = model.state;
      await replayed(link.call('load', { state: model.state }), life);
      if (playing) await replayed(link.call('play'), life);
      await restoreData();
    } else if (fromLink) {
      await replayed(link.call('load', { state: location.hash }), life);
    }
    model.live = true;
    refresh();
    if (painted) drawn();
    if (!again && !fromLink) await arrive();
    live.resolve();
  } catch (error) {
    if (life === lives) failed(/** @type {Error} */ (error).message);
  }
}

/**
 * Waits for a replay as long as that is short. A longer one goes on, and can be stopped.
 * @param {Promise<void>} done
 * @param {number} life  of the scene that replays
 */
async function replayed(done, life) {
  const later = done.then(refresh);
  later.catch((error) => {
    if (life === lives) failed(error.message);
  });
  await Promise.race([done, new Promise((resolve) => setTimeout(resolve, REPLAY_AT_ONCE))]);
}

/** The default state starts by itself; who wants no motion sees the finished runs. */
async function arrive() {
  if (!model.scene) model.scenes = link.callNow('scenes');
  if (!hasRuns()) return;
  if (theme.reducedMotion()) await link.call('step', { n: model.state.budget });
  else await link.call('play');
  refresh();
}

/** Whether the picture is missing because its program could not be compiled. */
let uncompiled = false;

/**
 * @param {string} reason
 * @param {boolean} [notCompiled]  the server has no program, but may make one
 */
function failed(reason, notCompiled = false) {
  lives++;
  uncompiled = notCompiled;
  model.live = false;
  // Verbs are refused with the reason until somebody reloads.
  live.reject(new Error(reason));
  live = deferred();
  live.reject(new Error(reason));
  firstFrame.reject(new Error(reason));
  broken = true;
  iframe.classList.add('failed');
  loading.failed(reason, started, notCompiled);
}

/** What has failed is tried again. */
function startAgain() {
  if (broken) firstFrame = deferred();
  broken = false;
  iframe.classList.remove('failed');
}

async function reload() {
  if (model.live) readState();
  lives++;
  model.live = false;
  live.reject(new Error('the scene is being reloaded'));
  live = deferred();
  loading.starting();
  startAgain();
  if (uncompiled) {
    uncompiled = false;
    // Who reads site.json from here on waits for the new outcome.
    const answer = await fetch('site.json?again', { cache: 'no-store' }).catch(() => undefined);
    if (!answer?.ok) return failed('The server did not answer. Check that it runs, and build again.', true);
  }
  link.reload();
  watch();
}

// ---- what the scene says

/**
 * @param {string} kind
 * @param {any} detail
 */
function heard(kind, detail) {
  if (kind === 'ready' || kind === 'frame') drawn();
  if (!model.live) return;
  const wasPlaying = model.state.playing;
  if (kind === 'frame' || kind === 'status') {
    // A message says what was when it was sent; verbs may have been applied since.
    detail = link.callNow('status');
    Object.assign(model.state, detail);
    transport.tick(model.state);
    timeAxis.tick(model.state);
    showNumbers();
    showWords();
    if (wasPlaying && !model.state.playing) {
      refresh();
      writeHash();
    }
  }
  if (kind === 'change') {
    showChange();
    writeHash();
  }
  if (kind !== 'ready') playground.dispatchEvent(new CustomEvent(kind, { detail }));
}

/** Whether there has been a live picture. */
let started = false;

/** Whether a frame was drawn since the scene was asked for the state it shows. */
let painted = false;

/** A live frame is on screen. */
function drawn() {
  painted = true;
  if (!model.live) return;
  started = true;
  loading.done();
  preview.remove();
  firstFrame.resolve();
}

/** The state as it is now; its notices are shown. */
function readState() {
  model.state = link.callNow('state');
  for (const text of model.state.notices) notices.notice(text);
  return model.state;
}

/** The scene that model.params describes, as the scene itself says. */
let describedScene = '';

/** Reads everything and draws it. */
function refresh() {
  if (!model.live) return;
  readState();
  // Descriptors belong to the scene; their values are in the state.
  if (describedScene !== model.state.scene) model.params = link.callNow('params');
  describedScene = model.state.scene;
  model.panels = link.callNow('describe');
  model.readout = link.callNow('rows', {});
  draw();
}

const readoutEvery = () => readoutInterval(model.readout.rows.length);

const showChange = throttled(refresh, () => readoutInterval(0));

const showNumbers = throttled(() => {
  if (!model.live) return;
  model.readout = link.callNow('rows', {});
  readout.update(model);
}, readoutEvery);

const showWords = throttled(() => {
  if (!model.live) return;
  model.panels = link.callNow('describe');
  descriptions.update(model);
}, () => WORDS_EVERY);

function draw() {
  model.scene = model.scenes.find(({ id }) => id === model.state.scene);
  const preset = model.scene?.presets.find(({ id }) => id === model.preset);
  if (!preset || (model.live && !presetHolds(preset, model.state.params))) model.preset = '';
  byId('time-row').hidden = !hasRuns();
  for (const part of [sceneList, presets, introduction, paste, controls, tabs, transport, timeAxis, descriptions, readout]) part.update(model);
  help.update(model.scene);
}

/** Whether the scene has anything to play. */
const hasRuns = () => model.scene?.runs !== false;

// ---- data of the visitor

/**
 * The bytes that were brought last, should the scene be loaded anew.
 * @type {{blob: Blob, sha256: string, from: string}|undefined}
 */
let brought;

/** Files are read one after the other: the parts of two would make a third. */
let reading = inTurn();

/**
 * Hands a file to the scene, unless that is loaded anew meanwhile.
 * @param {{blob: Blob, from: string}} file
 * @param {(share: number) => void} [progress]
 */
function send({ blob, from }, progress = () => {}) {
  const life = lives;
  return reading(() => sendParts(blob, from, (args) => {
    if (life !== lives) throw new Error('the scene is being reloaded');
    return link.call('paste', args);
  }, progress));
}

/**
 * Shows a file.
 * @param {Blob} blob
 * @param {string} from  the visitor, or the origin of the page that sent it
 * @param {(share: number) => void} [progress]
 */
async function showData(blob, from, progress) {
  await running(from);
  const { sha256 } = await send({ blob, from }, progress);
  brought = { blob, sha256, from };
  refresh();
  writeHash();
}

/** Gives a scene that was loaded anew the data that its state is about. */
async function restoreData() {
  const data = link.callNow('data');
  if (data && !data.held && brought && data.sha256 === brought.sha256) await send(brought);
}

/**
 * Refuses a page of another origin what is the visitor's.
 * @param {string} from
 */
function guard(from) {
  if (from !== VISITOR && isVisitors(model.live ? link.callNow('data') : dataOf(model.state), from)) throw new Error("visitor's data");
}

/**
 * Passes an error on; to a page of another origin it too may tell of the data.
 * @param {unknown} error
 * @param {string} from
 * @returns {never}
 */
function refuse(error, from) {
  guard(from);
  throw error;
}

/**
 * Waits until the scene runs.
 * @param {string} from
 */
const running = (from) => live.promise.catch((error) => refuse(error, from));

// ---- what the visitor and other scripts want

/**
 * The page as scripts see it: our own, or those of the page of another origin that
 * embeds this one.
 * @param {string} from  the visitor, or that origin
 */
function playgroundOf(from) {
  return new Playground({
    // Our own scripts compare promises: theirs is always the same one.
    ready: () => (from === VISITOR ? firstFrame.promise : firstFrame.promise.catch((error) => refuse(error, from))),
    scenes: () => model.scenes,
    params() {
      guard(from);
      return model.live ? link.callNow('params') : model.params;
    },
    state() {
      guard(from);
      const state = model.live ? readState() : model.state;
      // Notices are for the visitor, and may be of what was shown before.
      return from === VISITOR ? state : { ...state, notices: [] };
    },
    perform: (verb, args) => perform(verb, args, from),
    exportFile: (kind, panel) => exportFile(kind, panel, from),
    showData: (blob) => showData(blob, from),
  });
}

/**
 * Applies a verb of the scene, once it runs.
 * @param {string} verb
 * @param {Record<string, any>} args
 * @param {string} [from]
 */
async function perform(verb, args, from = VISITOR) {
  await running(from);
  if (!OPENS.has(verb)) guard(from);
  const result = await link.call(verb, args).catch((error) => refuse(error, from));
  refresh();
  writeHash();
  return result;
}

/**
 * @param {string} kind
 * @param {string} panel
 * @param {string} from
 */
async function exportFile(kind, panel, from) {
  await running(from);
  guard(from);
  return link.exportFile(kind, panel);
}

/** The newest intention of each kind that waits for the one before it. */
const waiting = new Map();

/**
 * @param {{verb: string, args: Record<string, any>}} intention
 * @param {HTMLElement} from
 */
async function act({ verb, args }, from) {
  switch (verb) {
    case 'page:help':
      return help.open();
    case 'page:reload':
      return reload();
    case 'page:said':
      return setText(byId('said'), args.text);
  }
  // A slider asks faster than runs are computed again: the last value counts.
  const key = verb === 'set' ? `set ${args.name}` : verb;
  const merges = verb === 'set' || verb === 'seek';
  if (merges && waiting.has(key)) {
    waiting.set(key, { verb, args });
    return;
  }
  if (merges) waiting.set(key, undefined);
  try {
    // A control that is moved when the runs have ended makes them run again.
    const again = verb === 'set' || verb === 'newSeed' ? { again: true } : {};
    if (verb === 'card') model.preset = args.id;
    // What was said of another scene does not concern this one.
    if (verb === 'open') notices.clear();
    await perform(verb, { ...args, ...again });
    if (verb === 'open') await arrive();
  } catch (error) {
    notices.error(/** @type {Error} */ (error).message);
    draw();
  }
  if (!merges) return;
  const next = waiting.get(key);
  waiting.delete(key);
  if (next) intend(from.isConnected ? from : document.body, next.verb, next.args);
}

/** @param {KeyboardEvent} e */
function typed(e) {
  const target = /** @type {HTMLInputElement} */ (e.target);
  if (e.defaultPrevented || document.querySelector('dialog[open]')) return;
  if (keepsKey(target.localName, target.type, e.key)) return;
  if (pressed(e)) e.preventDefault();
}

/** @param {{key: string, shiftKey?: boolean, ctrlKey?: boolean, metaKey?: boolean, altKey?: boolean}} e */
function pressed(e) {
  const intention = keyIntention(e, model.live ? link.callNow('status') : model.state);
  if (!intention || (!hasRuns() && movesRuns(intention.verb))) return false;
  act(intention, document.body);
  return true;
}

// ---- the address

/** The hash this page wrote last: one that differs is a pasted link. */
let written = location.hash;

const writeHash = throttled(() => {
  if (!model.live) return;
  written = withSharp(model.state.hash);
  history.replaceState(history.state, '', written);
}, () => HASH_EVERY);

function address() {
  const url = new URL(location.href);
  url.hash = model.live ? readState().hash : location.hash;
  return url.href;
}

function linkPasted() {
  if (location.hash === written) return;
  written = location.hash;
  act({ verb: 'load', args: { state: location.hash } }, document.body);
}

// ---- the page

/**
 * The parameters stand before the picture on wide screens and after it on
 * others, for the eye and for the keyboard alike; phones fold them and the
 * readout.
 */
function arrange() {
  const wide = matchMedia('(min-width: 1200px)');
  const phone = matchMedia('(max-width: 699.98px)');
  const column = /** @type {HTMLDetailsElement} */ (byId('parameters'));
  const numbers = /** @type {HTMLDetailsElement} */ (byId('numbers'));
  const place = () => {
    if (wide.matches) byId('centre').before(column);
    else byId('centre').after(column);
  };
  const fold = () => { column.open = numbers.open = !phone.matches; };
  wide.addEventListener('change', place);
  phone.addEventListener('change', fold);
  place();
  fold();
}

/** A promise with its ends outside. */
function deferred() {
  /** @type {(value?: any) => void} */
  let resolve = () => {};
  /** @type {(reason: Error) => void} */
  let reject = () => {};
  /** @type {Promise<void>} */
  const promise = new Promise((yes, no) => {
    resolve = yes;
    reject = no;
  });
  // A rejection is for those who wait; nobody waiting is no fault.
  promise.catch(() => {});
  return { promise, resolve, reject };
}
