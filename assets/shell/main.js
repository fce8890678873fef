// @ts-check
// Assembles the page, each part from parts that already exist. The link to the scene and its lifecycle call parts that
// are built later; both are connected at the end, before the scene is requested.
import { byId } from './dom.js';
import { createAgain } from './again.js';
import { createArrangement } from './arrangement.js';
import { createAddress } from './address.js';
import { createChecker } from '../lesson/checker.js';
import { createComparison } from '../controls/comparison.js';
import { VISITOR, createData } from '../stage/data.js';
import { createExport, createShare } from './dialogs.js';
import { ALONE, get } from '../platform/files.js';
import { createFrame } from './frame.js';
import { stateFromHash } from './hash.js';
import { createHelp } from './help.js';
import { createIntentions } from './intentions.js';
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
import { createSceneEvents } from './scene-events.js';
import { seedOf, store } from '../class/student.js';
import { createProgress } from '../lesson/teaching.js';
import { createTheme } from './theme.js';
import { createTrials } from '../controls/trials.js';
import { createVerbs } from './verbs.js';
import { createView } from './view.js';
import { WATCHING, createWatch, watchedHash } from '../stage/watch.js';

const iframe = /** @type {HTMLIFrameElement} */ (byId('stage'));
const dialogOf = (/** @type {string} */ id) => /** @type {HTMLDialogElement} */ (byId(id));

if (WATCHING) history.replaceState(history.state, '', watchedHash(location.hash));

/** @type {import('./types.js').Model} */
const model = {
  contents: false, scenes: [], scene: undefined, params: [], state: stateFromHash([], location.hash), panels: [], shown: [],
  readout: { columns: [], rows: [] }, asked: new Map(), live: false, life: 0, pinsTable: null, equation: undefined,
};

/** Settles when the contents are complete. */
const contents = deferred();

// Parts that display something, and the link to the scene.
const notices = createNotices(byId('notices'));
const loading = createLoading(byId('loading'));
const preview = createPreview(/** @type {HTMLImageElement} */ (byId('preview')));
const theme = createTheme(byId('theme-choice'));
const link = createLink(iframe);
const progress = createProgress(() => store);
const view = createView(model, link, notices, progress);
const presenting = createPresenting(link);

// Parts that change the state.
const own = createOwn(async (name, text) => {
  if (ALONE) throw new Error(ALONE);
  notices.notice('This link contains a custom lesson. Loading …');
  const checker = createChecker();
  return checker.compile(name, text).finally(checker.stop);
});
const lessonFlow = createLessonFlow(model, link, notices, progress, own, seedOf, view.refresh);
const data = createData(model, link);
const lifecycle = createLifecycle(model, iframe, { link, loading, preview, data, notices, theme, view, presenting, lessonFlow });
const address = createAddress(model, { link, notices, theme, preview, view, lifecycle, presenting, lessonFlow, own }, contents.promise);
const again = createAgain(model, { link, theme });
const verbs = createVerbs(model, { again, link, view, lifecycle, presenting, lessonFlow, address, data, own }, contents.promise);

// Parts for the visitor's files and requests.
/** @type {import('../controls/trials.js').ExportFile} */
const exportFile = (kind, how, told) => verbs.exportFile(kind, how, VISITOR, told);
const records = createRecords(notices);
const comparison = createComparison(dialogOf('compare-dialog'), exportFile, link.cancelExport);
const trials = createTrials(byId('trials'), exportFile, link.cancelExport);
const exportDialog = createExport(dialogOf('export-dialog'), exportFile, link.cancelExport);
const share = createShare(dialogOf('share-dialog'), notices.notice);
const help = createHelp(dialogOf('help-dialog'));
const paste = createPaste(byId('own-data'), dialogOf('paste-dialog'), (blob, told, choose) => verbs.showData(blob, VISITOR, told, choose));
const intentions = createIntentions(model, {
  again, link, notices, theme, help, exportDialog, share, comparison, view, lifecycle, presenting, lessonFlow, address, verbs,
});
createFrame(model, iframe, address);
createArrangement();
view.add(records.update, paste.update, trials.update, () => help.update(model.scene), () => share.update(model, byId('share')),
  () => data.supply(view.refresh, (error) => notices.error(`The page could not load one of its files: ${error.message}`)));

if (WATCHING) view.add(createWatch(byId('watched'), model, { verbs, view }).update);

// The page's interface for other scripts.
const playground = verbs.playgroundOf(VISITOR);
/** @type {any} */ (window).playground = playground;
/** Opens a step of a lesson that the site does not include, for workshop.html, which shows this page in a frame. */
/** @type {any} */ (window).showLesson = async (/** @type {import('./types.js').Lesson} */ lesson, /** @type {number} */ step) => {
  own.put(lesson);
  await playground.lesson(lesson.name, step);
};
// Without a host, all pages share one origin or have none, so equal origins prove nothing.
answerMessages((origin) => (origin === window.origin && /^https?:/.test(origin) ? playground : verbs.playgroundOf(origin)));

link.connect({
  ready: lifecycle.begin,
  progress: loading.progress,
  error: lifecycle.failed,
  event: createSceneEvents(model, { view, lifecycle, address, link, again }, playground),
  reload: lifecycle.reload,
  withoutWebGL: lifecycle.withoutWebGL,
  key: intentions.pressed,
  touched: again.touch,
});
lifecycle.connect(async (life) => {
  if (!model.contents && !verbs.isEntering()) await address.openLink(location.hash, life);
});

address.showPage();
loadScenes().catch((error) => {
  const text = `The page could not load the list of scenes: ${error.message}`;
  contents.reject(new Error(text));
  notices.error(text); // the program has its own list, so scenes still open
});

async function loadScenes() {
  const response = await get('scenes.json');
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  model.scenes = await response.json();
  contents.resolve();
  if (model.live) return view.draw();
  address.describeLink();
}
