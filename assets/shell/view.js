// @ts-check
// Draws the page from the scene's state.
import { createDescriptions, createSymbols, createTabs } from '../controls/panels.js';
import { createExperiments, createHeading, createIntroduction, createNeighbours } from './header.js';
import { byId } from './dom.js';
import { createControls } from '../controls/controls.js';
import { createLesson } from '../lesson/lesson.js';
import { createMore } from '../controls/more.js';
import { createPins } from '../controls/pins.js';
import { createReadout } from '../controls/readout.js';
import { createRecording } from '../controls/recording.js';
import { createPhoneTabs } from './phone-tabs.js';
import { createStep } from '../controls/step.js';
import { createVerdict } from '../controls/verdict.js';
import { createPlayback, createTimeAxis } from '../controls/playback.js';
import { readoutInterval, throttled } from './pacing.js';

/** @typedef {import('./types.js').Model} Model */

const WORDS_EVERY = 1000; // milliseconds
const LONG_STEP = 20; // milliseconds
const STEP_RESTS = 400; // milliseconds
export const NAME = 'Pareto Playground';

/**
 * @param {Model} model
 * @param {ReturnType<typeof import('../stage/link.js').createLink>} link
 * @param {ReturnType<typeof import('./notices.js').createNotices>} notices
 * @param {ReturnType<typeof import('../lesson/teaching.js').createProgress>} progress
 */
export function createView(model, link, notices, progress) {
  /** Functions that draw the parts outside this module. @type {((model: Model) => void)[]} */
  const others = [];
  const playback = createPlayback(byId('playback'));
  const timeAxis = createTimeAxis(byId('time-axis'));
  const lesson = createLesson(byId('lesson'), progress);
  const pins = createPins(byId('pins'));
  const step = createStep(byId('step'));
  const descriptions = createDescriptions(byId('descriptions'));
  const readout = createReadout(byId('readout'));
  const parts = [
    createHeading(byId('heading')), createNeighbours(byId('neighbours')), createExperiments(byId('experiments')),
    createIntroduction(byId('introduction')), createControls(byId('controls')), createTabs(byId('tabs')), playback, timeAxis,
    createMore(byId('more'), byId('tabs')),
    createPhoneTabs(byId('phone-tabs'), byId('scene')), lesson, pins, step, descriptions, readout, createSymbols(byId('symbols')),
    createVerdict(byId('verdict')), createRecording(byId('recording')),
  ];

  /** The id of the scene that model.params describes. */
  let describedScene = '';
  /** Whether the step in numbers is in view. */
  let stepInView = false;
  /** Whether a step's last numbers took long to compute: to get them, a run returns to that step. */
  let stepIsLong = false;
  let stepAwaited = 0;

  new IntersectionObserver((seen) => {
    stepInView = seen[seen.length - 1].isIntersecting;
    if (!stepInView || !model.live) return;
    readEquation();
    step.update(model);
  }).observe(byId('step'));

  /**
   * Reads the current state and shows its notices.
   * @param {boolean} brief  without points, which the page itself does not show
   */
  function readState(brief) {
    model.state = link.callNow('state', { brief });
    for (const text of model.state.notices) notices.notice(text);
    return model.state;
  }

  /** Reads all data and draws the page. */
  function refresh() {
    if (!model.live) return;
    readState(true);
    // Descriptors belong to the scene; their values are in the state.
    if (describedScene !== model.state.scene) model.params = link.callNow('params');
    describedScene = model.state.scene;
    model.panels = link.callNow('describe');
    model.shown = link.callNow('shown');
    model.readout = link.callNow('rows', {});
    readEquation();
    model.pinsTable = model.state.pins.length > 0 ? link.callNow('pins') : null;
    draw();
  }

  function draw() {
    model.scene = model.scenes.find(({ id }) => id === model.state.scene);
    const { definition } = model;
    const { lesson: at } = model.state;
    model.lesson = at && definition?.name === at.name ? { definition, ...at } : undefined;
    byId('time-row').hidden = !hasRuns();
    byId('step').hidden = !model.scene?.equations?.length;
    byId('scene').classList.add('described');
    byId('scene').classList.toggle('teaching', Boolean(at || model.left)); // a loading lesson gets its space too
    byId('scene').classList.toggle('single', model.shown.length === 1);
    cover();
    for (const part of parts) part.update(model);
    for (const other of others) other(model);
    if (!model.contents) document.title = `${model.lesson?.definition.title ?? model.scene?.title ?? ''} – ${NAME}`;
  }

  /** Hides parts that would answer an open question: the experiments, and the words and numbers if the step requires it. */
  function cover() {
    const { lesson: of } = model;
    const step = of?.definition.steps[of.step - 1];
    const asks = Boolean(of && step && progress.asks(of.name, of.step, step));
    byId('scene').classList.toggle('asking', asks);
    byId('scene').classList.toggle('covering', asks && Boolean(step?.hide.includes('numbers')));
  }

  /** Reports whether the scene has runs to play. */
  const hasRuns = () => model.scene?.runs !== false;

  const showChange = throttled(() => link.whenRested(refresh), () => readoutInterval(0));

  const showNumbers = throttled(() => link.whenRested(() => {
    if (!model.live) return;
    model.readout = link.callNow('rows', {});
    readout.update(model);
    readEquation();
    step.update(model);
  }), () => readoutInterval(model.readout.rows.length));

  const showWords = throttled(() => link.whenRested(() => {
    if (!model.live) return;
    model.panels = link.callNow('describe');
    descriptions.update(model);
    if (model.state.pins.length === 0) return;
    model.pinsTable = link.callNow('pins');
    pins.update(model);
  }), () => WORDS_EVERY);

  /** Requests the numbers of the step if they are visible. If they take long, it waits until the marker rests. */
  function readEquation() {
    clearTimeout(stepAwaited);
    if (!model.scene?.equations?.length) model.equation = null;
    else if (!stepInView) return;
    else if (!stepIsLong) askEquation();
    else {
      stepAwaited = window.setTimeout(() => link.whenRested(() => {
        if (!model.live || !model.scene?.equations?.length) return;
        askEquation();
        step.update(model);
      }), STEP_RESTS);
    }
  }

  function askEquation() {
    const since = performance.now();
    model.equation = link.callNow('equation');
    stepIsLong = performance.now() - since > LONG_STEP;
  }

  /**
   * Highlights a panel in the picture, and its name in the tabs.
   * @param {string} panel  "" for none
   */
  function light(panel) {
    link.light(panel);
    for (const name of document.querySelectorAll('[data-names]')) {
      name.classList.toggle('lit', panel !== '' && /** @type {HTMLElement} */ (name).dataset.names?.split(' ').includes(panel));
    }
    const tabs = byId('tabs');
    const marked = /** @type {HTMLElement|null} */ (tabs.querySelector('.lit'));
    if (marked) tabs.scrollTo({ left: marked.offsetLeft - (tabs.clientWidth - marked.offsetWidth) / 2 }); // scrolls only the row
  }

  /** Shows what changes from frame to frame, and responds to it. */
  function tick() {
    // A message describes the time at which it was sent; verbs may have run since.
    const status = link.callNow('status');
    Object.assign(model.state, status);
    playback.tick(model.state);
    timeAxis.tick(model.state);
    showNumbers();
    showWords();
    showGoal();
    return status;
  }

  /** Shows the current distance from a step's goal at once, since it may change while the runs play. */
  function showGoal() {
    const { lesson: at } = model.state;
    if (!model.lesson || !at) return;
    if (at.reached === model.lesson.reached && JSON.stringify(at.parts) === JSON.stringify(model.lesson.parts)) return;
    if (at.name !== model.lesson.name || at.step !== model.lesson.step) return; // its definition is still loading
    model.lesson = { ...model.lesson, ...at };
    lesson.update(model);
  }

  /**
   * Tells the visitor about a failure.
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

  addEventListener('resize', () => timeAxis.update(model));

  /** @param {...(model: Model) => void} more  are drawn after the others */
  const add = (...more) => others.push(...more);

  return { add, draw, light, refresh, readState, showChange, tick, hasRuns, told };
}
