// @ts-check
// Puts the page together.
import { byId, intend } from './dom.js';
import { createArrangement } from './arrangement.js';
import { createAddress } from './address.js';
import { createChecker } from '../lesson/checker.js';
import { createComparison } from '../controls/comparison.js';
import { VISITOR, createData } from '../stage/data.js';
import { createExport, createShare } from './dialogs.js';
import { ALONE, get } from '../platform/files.js';
import { stateFromHash } from './hash.js';
import { createHelp } from './help.js';
import { createLessonFlow } from '../lesson/lesson-flow.js';
import { createLifecycle, deferred } from '../stage/lifecycle.js';
import { createLink } from '../stage/link.js';
import { createLoading, createPreview } from '../stage/loading.js';
import { createNotices } from './notices.js';
import { createOwn } from '../lesson/own-lesson.js';
import { createPaste } from '../controls/paste.js';
import { answerMessages } from './playground.js';
import { createPresenting } from './presenting.js';
import { createRecords } from '../class/records.js';
import { seedOf, shelf } from '../class/student.js';
import { createProgress } from '../lesson/teaching.js';
import { createTheme } from './theme.js';
import { createTrials } from '../controls/trials.js';
import { createVerbs } from './verbs.js';
import { createView } from './view.js';

const iframe = /** @type {HTMLIFrameElement} */ (byId('stage'));
const dialogOf = (/** @type {string} */ id) => /** @type {HTMLDialogElement} */ (byId(id));

/** @type {import('./types.js').Model} */
const model = {
  contents: false, scenes: [], scene: undefined, params: [], state: stateFromHash([], location.hash), panels: [], shown: [],
  readout: { columns: [], rows: [] }, live: false, pinsTable: null, equation: undefined,
};

/** Settles when the contents are complete. */
const contents = deferred();

const notices = createNotices(byId('notices'));
const loading = createLoading(byId('loading'));
const preview = createPreview(/** @type {HTMLImageElement} */ (byId('preview')));
const comparison = createComparison(dialogOf('compare-dialog'),
  (kind, how, progress) => verbs.exportFile(kind, how, VISITOR, progress), () => link.cancelExport());
const trials = createTrials(byId('trials'), (kind, how, progress) => verbs.exportFile(kind, how, VISITOR, progress),
  () => link.cancelExport());
const help = createHelp(dialogOf('help-dialog'));
const exportDialog = createExport(dialogOf('export-dialog'), (kind, how, progress) => verbs.exportFile(kind, how, VISITOR, progress),
  () => link.cancelExport());
const share = createShare(dialogOf('share-dialog'), notices.notice);
const paste = createPaste(byId('own-data'), dialogOf('paste-dialog'), (blob, progress) => verbs.showData(blob, VISITOR, progress));
const theme = createTheme(byId('theme-choice'), (name, reducedMotion) => {
  address.showPreview();
  if (model.live) link.callNow('theme', { name, reducedMotion });
});
const link = createLink(iframe, {
  ready: () => lifecycle.begin(),
  progress: loading.progress,
  error: (reason, notCompiled) => lifecycle.failed(reason, notCompiled),
  event: heard,
  reload: () => lifecycle.reload(),
  withoutWebGL: () => lifecycle.withoutWebGL(),
  key: (key) => verbs.pressed(key),
});
const progress = createProgress(() => shelf);
const records = createRecords(notices);
const view = createView(model, link, notices, progress, [
  records.update, paste.update, trials.update, () => help.update(model.scene), () => share.update(model, byId('share')), supply,
]);
const presenting = createPresenting(link);
const own = createOwn(async (name, text) => {
  if (ALONE) throw new Error(ALONE);
  notices.notice('This link holds a lesson of somebody’s own. What reads lessons is being loaded.');
  const checker = createChecker();
  return checker.compile(name, text).finally(checker.stop);
});
const lessonFlow = createLessonFlow(model, link, notices, progress, own, seedOf, view.refresh);
const lifecycle = createLifecycle(model, link, loading, notices, iframe, {
  lost: () => data.lost(),
  async open(life) {
    await prepare();
    if (!model.contents && !verbs.isEntering()) await address.openLink(location.hash, life);
  },
  async restore(life) {
    await prepare();
    const { playing } = model.state;
    await lifecycle.replayed(link.call('load', { state: model.state }), life);
    if (playing) await lifecycle.replayed(link.call('play'), life);
    await data.restore();
  },
  restored: lessonFlow.arm,
  refresh: view.refresh,
  readState: view.readState,
  firstDrawn: preview.remove,
});
const data = createData(model, link, lifecycle.life);
const address = createAddress(model, { link, notices, theme, preview, view, lifecycle, presenting, lessonFlow, own }, contents.promise);
const verbs = createVerbs(model, { link, notices, help, comparison, view, lifecycle, presenting, lessonFlow, address, data, own },
  contents.promise);

const playground = verbs.playgroundOf(VISITOR);
/** @type {any} */ (window).playground = playground;
/** Opens a step of a lesson that is not of the site: for workshop.html, which has this page in a frame. */
/** @type {any} */ (window).showLesson = async (/** @type {import('./types.js').Lesson} */ lesson, /** @type {number} */ step) => {
  own.put(lesson);
  await playground.lesson(lesson.name, step);
};
// All that has no host has the same origin, or none.
answerMessages((origin) => (origin === window.origin && /^https?:/.test(origin) ? playground : verbs.playgroundOf(origin)));

byId('share').addEventListener('click', () => share.copy(address.href(), document.title, byId('share')));
for (const id of ['export', 'export-below']) byId(id).addEventListener('click', () => exportDialog.open(model));
byId('help').addEventListener('click', help.open);
byId('pin').addEventListener('click', () => intend(byId('pin'), 'pin'));
byId('to-gallery').addEventListener('click', (e) => {
  if (e.button !== 0 || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return; // it is a link to a page of its own
  e.preventDefault();
  address.showContents();
});
byId('skip').addEventListener('click', (e) => {
  e.preventDefault(); // a hash is a link here
  (model.contents ? byId('gallery') : iframe).focus();
});
// Whichever way it is followed, the link leads to what is shown then.
for (const type of ['pointerdown', 'focus', 'click']) byId('open-full').addEventListener(type, linkWhole);
createArrangement();
address.showPage();
loadScenes().catch((error) => {
  const text = `The list of scenes could not be read: ${error.message}`;
  contents.reject(new Error(text));
  notices.error(text); // the program has a list of its own: a scene opens all the same
});

async function loadScenes() {
  const response = await get('scenes.json');
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  model.scenes = await response.json();
  contents.resolve();
  if (model.live) return view.draw();
  address.describeLink();
}

/** Has the link of an embedded page lead to the whole one. */
function linkWhole() {
  const url = new URL(address.href());
  url.searchParams.delete('embed');
  /** @type {HTMLAnchorElement} */ (byId('open-full')).href = url.href;
}

/** Gives the scene the file of the page that it waits for. */
function supply() {
  data.supply(view.refresh, (error) => notices.error(`A file of the page could not be read: ${error.message}`));
}

/** Tells a scene that begins how the page looks. */
async function prepare() {
  await link.call('theme', { name: theme.name(), reducedMotion: theme.reducedMotion() });
  presenting.enlarge();
}

/**
 * Handles an event of the
 * scene.
 * @param {string} kind
 * @param {any} detail
 */
function heard(kind, detail) {
  if (kind === 'ready' || kind === 'frame') lifecycle.drawn();
  if (!model.live) return;
  const wasPlaying = model.state.playing;
  if (kind === 'frame' || kind === 'status') {
    detail = view.tick();
    if (wasPlaying && !model.state.playing) {
      view.refresh();
      address.writeSoon();
    }
  }
  if (kind === 'layout') return view.showChange();
  if (kind === 'change') {
    view.showChange();
    address.writeSoon();
  }
  if (kind !== 'ready') playground.dispatchEvent(new CustomEvent(kind, { detail }));
}
