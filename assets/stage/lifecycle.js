// @ts-check
// Guides the scene's program from its first request to its first live frame, and again after a failure or a reload.
import { byId } from '../shell/dom.js';
import { drawsFlat, lackWebGL, sayWhatIsLost } from './drawing.js';
import { compileAgain, siteOf, watchSite } from './programs.js';

const REPLAY_AT_ONCE = 3000; // in milliseconds: a longer replay is shown to the visitor

/**
 * @param {import('../shell/types.js').Model} model
 * @param {HTMLIFrameElement} iframe
 * @param {object} parts
 * @param {ReturnType<typeof import('./link.js').createLink>} parts.link
 * @param {ReturnType<typeof import('./loading.js').createLoading>} parts.loading
 * @param {ReturnType<typeof import('./loading.js').createPreview>} parts.preview
 * @param {ReturnType<typeof import('./data.js').createData>} parts.data
 * @param {ReturnType<typeof import('../shell/notices.js').createNotices>} parts.notices
 * @param {ReturnType<typeof import('../shell/theme.js').createTheme>} parts.theme
 * @param {ReturnType<typeof import('../shell/view.js').createView>} parts.view
 * @param {ReturnType<typeof import('../shell/presenting.js').createPresenting>} parts.presenting
 * @param {ReturnType<typeof import('../lesson/lesson-flow.js').createLessonFlow>} parts.lessonFlow
 */
export function createLifecycle(model, iframe, { link, loading, preview, data, notices, theme, view, presenting, lessonFlow }) {
  /** Opens the first state. @type {(life: number) => Promise<void>} */
  let open;
  /** Whether the page has requested the program. */
  let asked = false;
  /** Whether a live picture has appeared. */
  let started = false;
  /** Whether the stage has drawn a frame since the last request for the state. */
  let painted = false;
  let broken = false;
  /** Whether the picture is missing because its program could not be compiled. */
  let uncompiled = false;
  /** Whether the page has asked the server to compile again. Until the server answers, the stage may report the earlier failure. */
  let compilingAgain = false;
  /** Settles when the scene first answers with the right state; renewed after a reload. */
  let live = deferred();
  /** Settles with the first live frame; renewed after each retry. */
  let firstFrame = deferred();

  /** Requests the program, once. */
  function start() {
    if (asked) return;
    asked = true;
    sayWhatIsLost(byId('without-webgl'));
    link.start();
    watch();
  }

  /** Shows that the program is being compiled, until it is done. */
  function watch() {
    watchSite((all) => {
      const site = siteOf(all, drawsFlat());
      if (site.error) failed(`The program could not be compiled: ${site.error}`, true);
      const over = Boolean(site.error) || !site.compiling || model.live;
      if (!over) loading.compiling();
      return over;
    }).catch((error) => notices.error(`The page could not read the program’s status from the server: ${error.message}`));
  }

  /** Handles the scene's first answer, at the start or after a reload. */
  async function begin() {
    const life = ++model.life;
    loading.starting();
    if (iframe.classList.contains('failed')) live = deferred(); // here the stage has reloaded itself
    startAgain();
    data.lost();
    painted = false;
    const again = model.state.status !== 'loading'; // whether the page knew a state before
    try {
      await link.call('theme', { name: theme.name(), reducedMotion: theme.reducedMotion() });
      presenting.enlarge();
      await (again ? restore(life) : open(life));
      link.callNow('arrived');
      model.live = true;
      view.refresh();
      if (painted) drawn();
      if (again) await lessonFlow.arm();
      live.resolve();
    } catch (error) {
      if (life === model.life) failed(/** @type {Error} */ (error).message);
    }
  }

  /**
   * Restores the state from before the reload.
   * @param {number} life
   */
  async function restore(life) {
    const { playing } = model.state;
    await replayed(link.call('load', { state: model.state }), life);
    if (playing) await replayed(link.call('play'), life);
    await data.restore();
  }

  /**
   * @param {string} reason
   * @param {boolean} [notCompiled]  whether the server has no program but may compile one
   */
  function failed(reason, notCompiled = false) {
    model.life++;
    uncompiled = notCompiled;
    model.live = false;
    // Verbs are rejected with this reason until the visitor or the page reloads.
    live.reject(new Error(reason));
    live = deferred();
    live.reject(new Error(reason));
    firstFrame.reject(new Error(reason));
    broken = true;
    iframe.classList.add('failed');
    byId('scene').classList.add('described');
    loading.failed(reason, started, notCompiled);
  }

  /** Tries again after a failure. */
  function startAgain() {
    if (broken) firstFrame = deferred();
    broken = false;
    iframe.classList.remove('failed');
  }

  async function reload() {
    if (model.live) view.readState(true);
    model.life++;
    model.live = false;
    live.reject(new Error('the scene is reloading'));
    live = deferred();
    loading.starting();
    startAgain();
    if (uncompiled) {
      uncompiled = false;
      // From now on, watchers of the site wait for the new outcome.
      compilingAgain = true;
      const begun = await compileAgain();
      compilingAgain = false;
      if (!begun) return failed('The server did not answer. Check that it is running, and build again.', true);
    }
    link.reload();
    watch();
  }

  /** Switches to the other program, because the loaded one cannot draw. Callers that wait for the scene then wait for that one. */
  function withoutWebGL() {
    model.life++;
    if (model.live) live = deferred();
    model.live = false;
    lackWebGL();
    sayWhatIsLost(byId('without-webgl'));
    loading.starting();
    link.reload();
    watch();
  }

  /** Handles a live frame on screen. */
  function drawn() {
    painted = true;
    if (!model.live) return;
    started = true;
    loading.done();
    preview.remove();
    firstFrame.resolve();
  }

  /**
   * Waits for a short replay. A longer one continues in view and can be stopped.
   * @param {Promise<void>} done
   * @param {number} life  of the replaying scene
   */
  async function replayed(done, life) {
    const later = done.then(view.refresh);
    later.catch((error) => {
      if (life === model.life) failed(error.message);
    });
    await Promise.race([done, new Promise((resolve) => setTimeout(resolve, REPLAY_AT_ONCE))]);
  }

  return {
    /**
     * Sets the function that opens the first state. Call it once, before the program is requested.
     * @param {(life: number) => Promise<void>} who
     */
    connect(who) {
      open = who;
    },
    start,
    begin,
    reload,
    withoutWebGL,
    drawn,
    /** @param {string} reason @param {boolean} notCompiled */
    failed(reason, notCompiled) {
      if (!compilingAgain) failed(reason, notCompiled);
    },
    hasStarted: () => started,
    live: () => live.promise,
    firstFrame: () => firstFrame.promise,
    replayed,
  };
}

/** Returns a promise that can be settled from outside. */
export function deferred() {
  /** @type {(value?: any) => void} */
  let resolve = () => {};
  /** @type {(reason: Error) => void} */
  let reject = () => {};
  /** @type {Promise<void>} */
  const promise = new Promise((yes, no) => {
    resolve = yes;
    reject = no;
  });
  // An unhandled rejection would count as an error.
  promise.catch(() => {});
  return { promise, resolve, reject };
}
