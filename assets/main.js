// @ts-check
import { byId, intend, setText } from './dom.js';
import { arrival, dataOf, inTurn, isVisitors, keepsKey, keyIntention, movesRuns, opened, readoutInterval, stateFromHash, throttled, withSharp } from './logic.js';
import { createControls } from './controls.js';
import { createExport, createShare } from './dialogs.js';
import { createHelp } from './help.js';
import { createExperiments, createHeading, createIntroduction, createNeighbours } from './header.js';
import { createLesson } from './lesson.js';
import { createLessons } from './lesson-load.js';
import { createLink } from './link.js';
import { createLoading, createPreview } from './loading.js';
import { createNotices } from './notices.js';
import { createDescriptions, createSymbols, createTabs } from './panels.js';
import { createPaste, sendParts } from './paste.js';
import { createPins } from './pins.js';
import { Playground, answerMessages } from './playground.js';
import { createReadout } from './readout.js';
import { createSheet } from './sheet.js';
import { createStep } from './step.js';
import { createTheme } from './theme.js';
import { createTimeAxis, createTransport } from './transport.js';

/** @typedef {import('./types.js').Model} Model */
/** @typedef {import('./types.js').State} State */

const COMPILE_POLL = 400; // milliseconds between looks at site.json
const WORDS_EVERY = 1000;
const LONG_STEP = 20; // milliseconds
const STEP_RESTS = 400;
const HASH_EVERY = 1000;
const VISITOR = ''; // who asks, beside the origins of other pages
const OPENS = new Set(['open', 'load', 'lesson']); // verbs whose outcome is the same whatever is shown
const STEPS = new Set(['open', 'card', 'lesson']); // verbs that are a step in the browser's history
const PRESENTED = 1.5; // how much larger the picture's text is
const BESIDE = '(min-width: 1200px), (min-width: 700px) and (orientation: landscape)'; // as in layout.css
const EMBEDDED = 'embed' in document.documentElement.dataset;
const NAME = 'Pareto Playground';
const REST_POLL = 100; // milliseconds between looks at whether the runs still play
const REPLAY_AT_ONCE = 3000; // milliseconds: a replay that takes longer goes on before the visitor's eyes

const iframe = /** @type {HTMLIFrameElement} */ (byId('stage'));
const dialogOf = (/** @type {string} */ id) => /** @type {HTMLDialogElement} */ (byId(id));

/** @type {Model} */
const model = {
  scenes: [], scene: undefined, params: [], state: stateFromHash([], location.hash), panels: [], readout: { columns: [], rows: [] }, live: false, pinsTable: null, equation: undefined,
};

const heading = createHeading(byId('heading'));
const neighbours = createNeighbours(byId('neighbours'));
const experiments = createExperiments(byId('experiments'));
const introduction = createIntroduction(byId('introduction'));
const controls = createControls(byId('controls'));
const tabs = createTabs(byId('tabs'));
const transport = createTransport(byId('transport'));
const timeAxis = createTimeAxis(byId('time-axis'));
const sheet = createSheet(byId('sheet-tabs'), byId('scene'));
const lesson = createLesson(byId('lesson'));
const pins = createPins(byId('pins'));
const step = createStep(byId('step'));
const descriptions = createDescriptions(byId('descriptions'));
const readout = createReadout(byId('readout'));
const symbols = createSymbols(byId('symbols'));
const loading = createLoading(byId('loading'));
const preview = createPreview(/** @type {HTMLImageElement} */ (byId('preview')));
const notices = createNotices(byId('notices'));
const help = createHelp(dialogOf('help-dialog'));
const exportDialog = createExport(dialogOf('export-dialog'), (kind, panel) => exportFile(kind, panel, VISITOR));
const share = createShare(dialogOf('share-dialog'));
const paste = createPaste(byId('own-data'), dialogOf('paste-dialog'), (blob, progress) => showData(blob, VISITOR, progress));
const lessons = createLessons();
const theme = createTheme(byId('theme-choice'), (name, reducedMotion) => {
  if (!started) showPreview();
  if (model.live) link.callNow('theme', { name, reducedMotion });
});

/** Whether there has been a live picture. */
let started = false;

/** Whether the page shows its contents, and no scene. */
let onGallery = false;

/** Whether a verb opens a scene which the address does not name yet. */
let entering = false;

/** Whether the program has been asked for. */
let asked = false;

/** Whether the picture fills the screen, for an audience. */
let presenting = false;

/** Settles when the contents are complete. */
const contents = deferred();

/** Settles when the scene answers and holds the state it should; anew after a reload. */
let live = deferred();
/** Settles with the first live frame; anew when what has failed is tried again. */
let firstFrame = deferred();
let broken = false;
/** Whether the server is being asked to compile again: until it is, the stage may say what failed before. */
let compilingAgain = false;
const link = createLink(iframe, {
  ready: begin,
  progress: loading.progress,
  error: (reason, notCompiled) => compilingAgain || failed(reason, notCompiled),
  event: heard,
  reload,
  key: pressed,
});

const playground = playgroundOf(VISITOR);
/** @type {any} */ (window).playground = playground;
answerMessages((origin) => (origin === window.origin && origin !== 'null' ? playground : playgroundOf(origin)));

addEventListener('intend', (e) => act(/** @type {CustomEvent} */ (e).detail));
addEventListener('keydown', typed);
addEventListener('hashchange', followed);
addEventListener('popstate', followed);
addEventListener('resize', () => timeAxis.update(model));
byId('share').addEventListener('click', () => share.copy(address(), byId('share')));
byId('export').addEventListener('click', () => exportDialog.open(model));
byId('help').addEventListener('click', help.open);
byId('pin').addEventListener('click', () => intend(byId('pin'), 'pin'));
byId('to-gallery').addEventListener('click', leaveScene);
byId('skip').addEventListener('click', (e) => {
  e.preventDefault(); // a hash is a link here
  (onGallery ? byId('gallery') : iframe).focus();
});
arrange();
showPage();
loadScenes().catch((error) => {
  const text = `The list of scenes could not be read: ${error.message}`;
  contents.reject(new Error(text));
  notices.error(text); // the program has a list of its own: a scene opens all the same
});

// ---- arrival

/**
 * Shows the contents or a scene.
 * @param {boolean} [contentsShown]  as the address means it
 */
function showPage(contentsShown = location.hash.length <= 1 && !EMBEDDED) {
  onGallery = contentsShown;
  document.documentElement.dataset.page = onGallery ? 'gallery' : 'scene';
  byId('gallery').hidden = !onGallery;
  byId('scene-page').hidden = onGallery;
  if (onGallery) {
    if (model.live) link.callNow('pause');
    present(false);
    notices.clear();
    document.title = NAME;
    return;
  }
  if (!started) showPreview();
  if (asked) return;
  asked = true;
  link.start();
  watch();
}

/** The small picture of what the address opens, until the live one is there. */
function showPreview() {
  const { scene, card } = opened(location.hash);
  const found = model.scenes.find(({ id }) => id === scene) ?? model.scenes[0];
  // Before the list of scenes is there, the contents page says which there are.
  const listed = !found && [...document.querySelectorAll('#gallery .scenes a')].some((a) => a.getAttribute('href') === `#v=1&scene=${scene}`);
  if (listed && !card) preview.show(scene, '', theme.name());
  if (found) preview.show(found.id, found.presets.some(({ id }) => id === card) ? card : '', theme.name());
}

async function loadScenes() {
  const response = await fetch('scenes.json');
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  model.scenes = await response.json();
  contents.resolve();
  if (model.live) return draw();
  describeLink();
}

/** Shows of the scene that the address names what is known without the program. */
function describeLink() {
  if (onGallery) return;
  model.state = stateFromHash(model.scenes, location.hash);
  const scene = model.scenes.find(({ id }) => id === model.state.scene);
  model.params = (scene?.params ?? []).map((d) => ({ ...d, value: model.state.params[d.name] }));
  model.panels = scene?.panels ?? [];
  if (!started) showPreview();
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
  try {
    await link.call('theme', { name: theme.name(), reducedMotion: theme.reducedMotion() });
    enlarge();
    if (again) {
      const { playing } = model.state;
      await replayed(link.call('load', { state: model.state }), life);
      if (playing) await replayed(link.call('play'), life);
      await restoreData();
    } else if (!onGallery && !entering) {
      await openLink(location.hash, life);
    }
    link.callNow('arrived');
    model.live = true;
    refresh();
    if (painted) drawn();
    if (again) await armLesson();
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

/**
 * Opens what a link describes. One that only names a scene, an experiment or a lesson opens
 * that anew, and it plays.
 * @param {string} hash
 * @param {number} life
 */
async function openLink(hash, life) {
  if (model.scenes.length === 0) model.scenes = link.callNow('scenes');
  const { scene, card, lesson, bare } = opened(hash);
  if (bare && lesson) {
    try {
      return await openLesson(lesson.name, lesson.step, true);
    } catch (error) {
      lessonFailed(error);
    }
  }
  const known = EMBEDDED && hash.length <= 1 ? model.scenes[0] : model.scenes.find(({ id }) => id === scene);
  if (!known || !bare && hash.length > 1) {
    armed = '';
    await replayed(link.call('load', { state: hash }), life);
    return armLesson();
  }
  await link.call('open', { id: known.id });
  if (known.presets.some(({ id }) => id === card)) await link.call('card', { id: card });
  await arrive();
}

/** A scene starts by itself; who wants no motion sees the finished runs. */
async function arrive() {
  const { scene, budget } = link.callNow('state');
  if (model.scenes.find(({ id }) => id === scene)?.runs === false) return;
  if (!theme.reducedMotion()) return link.call('play');
  await link.call('pause'); // an experiment plays by itself
  await link.call('step', { n: budget });
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
  byId('scene').classList.add('described');
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
    compilingAgain = true;
    const answer = await fetch('site.json?again', { cache: 'no-store' }).catch(() => undefined);
    compilingAgain = false;
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
    followLesson(detail.lesson);
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
  readEquation();
  model.pinsTable = model.state.pins.length > 0 ? link.callNow('pins') : null;
  draw();
}

const readoutEvery = () => readoutInterval(model.readout.rows.length);

const showChange = throttled(refresh, () => readoutInterval(0));

const showNumbers = throttled(() => {
  if (!model.live) return;
  model.readout = link.callNow('rows', {});
  readout.update(model);
  readEquation();
  step.update(model);
}, readoutEvery);

/** Whether the step in numbers is in view. */
let stepInView = false;

new IntersectionObserver((seen) => {
  stepInView = seen[seen.length - 1].isIntersecting;
  if (!stepInView || !model.live) return;
  readEquation();
  step.update(model);
}).observe(byId('step'));

/** Whether the last numbers of a step took long: a run is put back to that step for them. */
let stepIsLong = false;
let stepAwaited = 0;

/** Asks for the numbers of the step where they are seen; those that take long, once the marker has come to rest. */
function readEquation() {
  clearTimeout(stepAwaited);
  if (!model.scene?.equations?.length) model.equation = null;
  else if (!stepInView) return;
  else if (!stepIsLong) askEquation();
  else {
    stepAwaited = window.setTimeout(() => {
      if (!model.live || !model.scene?.equations?.length) return;
      askEquation();
      step.update(model);
    }, STEP_RESTS);
  }
}

function askEquation() {
  const since = performance.now();
  model.equation = link.callNow('equation');
  stepIsLong = performance.now() - since > LONG_STEP;
}

const showWords = throttled(() => {
  if (!model.live) return;
  model.panels = link.callNow('describe');
  descriptions.update(model);
  if (model.state.pins.length === 0) return;
  model.pinsTable = link.callNow('pins');
  pins.update(model);
}, () => WORDS_EVERY);

function draw() {
  model.scene = model.scenes.find(({ id }) => id === model.state.scene);
  const { lesson: at } = model.state;
  model.lesson = at && definition?.name === at.name ? { definition, ...at } : undefined;
  byId('time-row').hidden = !hasRuns();
  byId('step').hidden = !model.scene?.equations?.length;
  byId('scene').classList.add('described');
  byId('scene').classList.toggle('teaching', Boolean(model.lesson));
  for (const part of [heading, neighbours, experiments, introduction, paste, controls, tabs, transport, timeAxis, sheet, lesson, pins, step, descriptions, readout, symbols]) part.update(model);
  help.update(model.scene);
  if (!onGallery) document.title = `${model.lesson?.definition.title ?? model.scene?.title ?? ''} – ${NAME}`;
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
  enter('paste');
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
    ready() {
      if (onGallery) return contents.promise;
      return from === VISITOR ? firstFrame.promise : firstFrame.promise.catch((error) => refuse(error, from));
    },
    scenes: () => model.scenes,
    params() {
      if (onGallery) return [];
      guard(from);
      return model.live ? link.callNow('params') : model.params;
    },
    state() {
      if (onGallery) return { ...stateFromHash([], ''), scene: null };
      guard(from);
      const state = model.live ? readState() : model.state;
      // Notices are for the visitor, and may be of what was shown before.
      return from === VISITOR ? state : { ...state, notices: [] };
    },
    perform: (verb, args) => perform(verb, args, from),
    exportFile: (kind, panel) => exportFile(kind, panel, from),
    showData: (blob) => showData(blob, from),
    lesson: (name, step) => perform('lesson', { name, step }, from),
    async present(on) {
      enter('present');
      present(on);
    },
  });
}

/**
 * Applies a verb of the scene, once it runs.
 * @param {string} verb
 * @param {Record<string, any>} args
 * @param {string} [from]
 */
async function perform(verb, args, from = VISITOR) {
  const entered = enter(verb);
  await running(from).finally(() => { entering = false; });
  if (!OPENS.has(verb)) guard(from);
  const isStep = entered || STEPS.has(verb);
  if (isStep && !entered) write(); // what is left can be returned to as it was
  if (verb === 'load') armed = '';
  if (isStep) stepping++;
  let result;
  try {
    const opening = verb === 'lesson' && args.name !== '';
    result = await (opening ? openLesson(args.name, args.step, true) : link.call(verb, args)).catch((error) => refuse(error, from));
    refresh();
    await armLesson();
  } finally {
    if (isStep) stepping--;
  }
  if (isStep) write(true);
  else writeHash();
  return result;
}

/**
 * Goes from the contents to the scene's page, for a verb that opens one.
 * @param {string} verb
 * @returns {boolean}  whether the page was at the contents
 */
function enter(verb) {
  if (!onGallery) return false;
  if (!OPENS.has(verb)) throw new Error(`${verb}: no scene is open`);
  entering = true;
  showPage(false);
  return true;
}

/**
 * @param {string} kind
 * @param {string} panel
 * @param {string} from
 */
async function exportFile(kind, panel, from) {
  enter('export');
  await running(from);
  guard(from);
  return link.exportFile(kind, panel);
}

/** The newest intention of each kind that waits for the one before it. */
const waiting = new Map();

/** What the intentions of those kinds do that are under way. @type {Set<Promise<void>>} */
const under = new Set();

/** @param {{verb: string, args: Record<string, any>}} intention */
async function act({ verb, args }) {
  if (STEPS.has(verb) || verb.startsWith('page:lesson')) shows++; // what was being shown is left
  switch (verb) {
    case 'page:help':
      return help.open();
    case 'page:reload':
      return reload();
    case 'page:said':
      return setText(byId('said'), args.text);
    case 'page:present':
      return present(args.on);
    case 'page:turn':
      return turn(args.by);
    case 'page:front':
      return model.panels[args.place] && act({ verb: 'hero', args: { panel: model.panels[args.place].id } });
    case 'page:lesson':
      return told(perform('lesson', args));
    case 'page:contents':
      return showContents();
    case 'page:lesson-leave':
      return told(perform('lesson', { name: '' }));
    case 'page:show':
      return told(showMe(args.calls));
    case 'release':
      // It comes after what was asked for while the slider was held.
      while (under.size > 0) await Promise.all(under);
      break;
    case 'set':
    case 'seek':
      return newest(verb === 'set' ? `set ${args.name}` : verb, { verb, args });
  }
  await told(applied(verb, args));
}

/**
 * A slider asks faster than runs are computed again: the last value counts.
 * @param {string} key  what it is a value of
 * @param {{verb: string, args: Record<string, any>}} intention
 */
function newest(key, intention) {
  const busy = waiting.has(key);
  waiting.set(key, busy ? intention : undefined);
  if (busy) return;
  const all = (async () => {
    /** @type {typeof intention|undefined} */
    let next = intention;
    while (next) {
      await told(applied(next.verb, next.args));
      next = waiting.get(key);
      waiting.set(key, undefined);
    }
    waiting.delete(key);
  })();
  under.add(all);
  all.finally(() => under.delete(all));
}

/**
 * @param {string} verb
 * @param {Record<string, any>} args
 */
async function applied(verb, args) {
  // A control that is moved when the runs have ended makes them run again.
  const again = verb === 'set' || verb === 'newSeed' ? { again: true } : {};
  // What was said of another scene does not concern this one.
  if (verb === 'open') notices.clear();
  await perform(verb, { ...args, ...again });
  if (verb !== 'open') return;
  await arrive();
  refresh();
}

/**
 * Tells the visitor what has failed.
 * @param {Promise<any>} done
 */
async function told(done) {
  try {
    await done;
  } catch (error) {
    notices.error(/** @type {Error} */ (error).message);
    draw();
  }
}

/** @param {KeyboardEvent} e */
function typed(e) {
  const target = /** @type {HTMLInputElement} */ (e.target);
  if (onGallery || e.defaultPrevented || document.querySelector('dialog[open], :popover-open')) return;
  if (keepsKey(target.localName, target.type, e.key)) return;
  if (pressed(e)) e.preventDefault();
}

/** @param {{key: string, shiftKey?: boolean, ctrlKey?: boolean, metaKey?: boolean, altKey?: boolean}} e */
function pressed(e) {
  const intention = keyIntention(e, model.live ? link.callNow('status') : model.state, presenting);
  if (!intention || (!hasRuns() && movesRuns(intention.verb))) return false;
  if (intention.verb === 'undo' && !model.state.undo) return false;
  act(intention);
  return true;
}

// ---- lessons

/** The lesson that is open, as it was fetched. @type {import('./types.js').Lesson|undefined} */
let definition;

/** The step whose goal the scene looks at, as "name:step"; a link that is loaded forgets it. */
let armed = '';

/**
 * Opens a step of a lesson.
 * @param {string} name
 * @param {number} step  from 1
 * @param {boolean} arrive  with its state, or as it is
 */
async function openLesson(name, step, arrive) {
  model.lessons ??= await lessons.list();
  const found = await lessons.definition(name);
  const at = Math.min(Math.max(step, 1), found.steps.length);
  if (!arrive) { // what has been left meanwhile is not armed
    const { lesson: shown } = link.callNow('status');
    if (shown?.name !== name || shown.step !== step) return;
  }
  const after = definition?.name === name && model.state.lesson?.step === at - 1;
  // Whoever comes from elsewhere than the step before sees what that would have left.
  const of = after ? found.steps[at - 1] : arrival(found, at);
  await link.call('lesson', { name, step: at, definition: of, arrive });
  definition = found;
  armed = `${name}:${at}`;
}

/** @param {unknown} error */
const lessonFailed = (error) => notices.error(`The lesson could not be opened: ${/** @type {Error} */ (error).message}`);

/** Gives the lesson that a link names its step, as it is; says so where there is none. */
async function armLesson() {
  const { lesson: at } = link.callNow('status');
  if (!at || armed === `${at.name}:${at.step}`) return;
  try {
    await openLesson(at.name, at.step, false);
  } catch (error) {
    lessonFailed(error);
    await link.call('lesson', { name: '' });
  }
  if (model.live) refresh();
}

/**
 * Shows at once that a step's goal is reached, which may happen while the runs play.
 * @param {import('./types.js').State['lesson']} at
 */
function followLesson(at) {
  if (!model.lesson || !at || at.reached === model.lesson.reached) return;
  if (at.name !== model.lesson.name || at.step !== model.lesson.step) return; // whose definition is still on its way
  model.lesson = { ...model.lesson, ...at };
  lesson.update(model);
}

function isBusy() {
  const { playing, progress } = link.callNow('status');
  return playing || progress !== null;
}

/** Counts what is shown to a visitor: the next one ends the one before. */
let shows = 0;

/**
 * Shows how a step's goal is reached. What comes after play waits until the runs have ended.
 * @param {{verb: string, args: Record<string, any>}[]} calls
 */
async function showMe(calls) {
  const show = ++shows;
  for (const { verb, args } of calls) {
    if (show !== shows) return;
    await perform(verb, args);
    if (verb !== 'play') continue;
    while (show === shows && model.live && isBusy()) await new Promise((resolve) => setTimeout(resolve, REST_POLL));
  }
}

// ---- presenting

/** @param {boolean} on */
function present(on) {
  if (on === presenting) return;
  presenting = on;
  document.documentElement.toggleAttribute('data-presenting', on);
  enlarge();
}

/** Tells the picture how large its text is, and whether the panel in front is alone. */
function enlarge() {
  if (asked) link.show({ alone: presenting || EMBEDDED, zoom: presenting ? PRESENTED : 1 });
}

/**
 * Goes to the step of the lesson, or the experiment, after or before.
 * @param {number} by
 */
function turn(by) {
  if (model.lesson) {
    const to = model.lesson.step + by;
    if (to >= 1 && to <= model.lesson.definition.steps.length) act({ verb: 'page:lesson', args: { name: model.lesson.name, step: to } });
    return;
  }
  const cards = model.scene?.presets ?? [];
  const to = cards[cards.findIndex(({ id }) => id === model.state.card) + by];
  if (to) act({ verb: 'card', args: { id: to.id } });
}

// ---- the address

/** How many steps in the browser's history are under way: the address is still that of what is left. */
let stepping = 0;

/** The hash this page wrote last: one that differs is a pasted link. */
let written = location.hash;

/**
 * Writes the state into the address.
 * @param {boolean} [isStep]  in the browser's history, which an embedded page leaves alone
 */
function write(isStep = false) {
  if (!model.live || onGallery || stepping > 0) return;
  const hash = withSharp(model.state.hash);
  if (isStep && !EMBEDDED && hash !== location.hash) history.pushState(null, '', hash);
  else history.replaceState(history.state, '', hash);
  written = location.hash;
}

const writeHash = throttled(() => write(), () => HASH_EVERY);

function address() {
  const url = new URL(location.href);
  url.hash = model.live ? readState().hash : location.hash;
  return url.href;
}

/** Goes where the address leads: a link of this page, one that was pasted, or back. */
async function followed() {
  if (location.hash === written) return;
  shows++; // what was being shown is left
  written = location.hash;
  const life = lives;
  const wasLive = model.live;
  const left = onGallery;
  showPage();
  if (onGallery) return;
  if (left) byId('scene-title').focus(); // what had the focus is gone
  notices.clear();
  // A program that is about to answer opens what the address names then.
  if (!wasLive) return describeLink();
  await told(openLink(location.hash, life));
  refresh();
}

/** @param {MouseEvent} e */
function leaveScene(e) {
  if (e.button !== 0 || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return; // it is a link to a page of its own
  e.preventDefault();
  showContents();
}

/** Leaves the scene for the contents page, as a step in the browser's history. */
function showContents() {
  shows++; // what was being shown is left
  write();
  history.pushState(null, '', location.pathname + location.search);
  written = location.hash;
  showPage();
  scrollTo(0, 0);
  byId('gallery').focus();
}

// ---- the page

/**
 * What moves the picture stands before it where it is beside it, and after it where it is
 * below it, for the eye and for the keyboard alike.
 */
function arrange() {
  const beside = matchMedia(BESIDE);
  const place = () => {
    if (beside.matches) {
      byId('centre').before(byId('try'), byId('parameters'));
      byId('parameters').append(byId('experiment-nav'));
    } else {
      byId('lesson').after(byId('try'), byId('parameters'));
      byId('try').append(byId('experiment-nav'));
    }
  };
  beside.addEventListener('change', place);
  place();
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
