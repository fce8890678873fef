// @ts-check
// Opens the steps of lessons, and shows how to reach their goals.
import { withSeed } from '../class/done.js';
import { get } from '../platform/files.js';
import { arrival } from '../shell/hash.js';
import { createLessons } from './lesson-load.js';

const REST_POLL = 100; // milliseconds between checks whether the runs still play

/**
 * @param {import('../shell/types.js').Model} model
 * @param {ReturnType<typeof import('../stage/link.js').createLink>} link
 * @param {ReturnType<typeof import('../shell/notices.js').createNotices>} notices
 * @param {ReturnType<typeof import('./teaching.js').createProgress>} progress
 * @param {ReturnType<typeof import('./own-lesson.js').createOwn>} own  custom lessons
 * @param {(lesson: import('../shell/types.js').Lesson) => number|undefined} seedOf  the student's own seed, if any
 * @param {() => void} refresh
 */
export function createLessonFlow(model, link, notices, progress, own, seedOf, refresh) {
  const lessons = createLessons(get, own);

  /** The step whose goal the scene checks, as "name:step"; loading a link resets it. */
  let armed = '';

  /** Counts the demonstrations of goals. Each one ends the previous one. */
  let shows = 0;

  /**
   * Opens a step of a lesson.
   * @param {string} name
   * @param {number} step  from 1
   * @param {boolean} arrive  whether to set its state
   */
  async function open(name, step, arrive) {
    model.lessons ??= await lessons.list();
    const found = await lessons.definition(name);
    const at = Math.min(Math.max(step, 1), found.steps.length);
    if (!arrive) { // a step that the visitor has left meanwhile is not armed
      const { lesson: shown } = link.callNow('status');
      if (shown?.name !== name || shown.step !== step) return;
    }
    const after = model.definition?.name === name && model.state.lesson?.step === at - 1;
    // A visitor who does not come from the previous step sees the state in which that step would have ended.
    const common = after ? found.steps[at - 1] : arrival(found, at);
    const seed = seedOf(found);
    const of = seed === undefined ? common : { ...common, state: withSeed(common.state, seed, model.scenes) };
    const covered = progress.asks(name, at, of);
    const before = progress.of(name);
    // Visitors who arrive start again; a reloaded page continues.
    const attempts = arrive ? { runs: before.tries[at] ?? 0 } : before.attempts[at];
    await link.call('lesson', { name, step: at, definition: of, arrive, covered, attempts });
    progress.open(name, at);
    model.demonstrated = attempts?.shown ? `${name}:${at}` : '';
    model.left = undefined;
    model.definition = found;
    armed = `${name}:${at}`;
  }

  /** @param {unknown} error */
  const failed = (error) => notices.error(`The lesson could not be opened: ${/** @type {Error} */ (error).message} `
    + '(The scene continues without it; the table of contents lists the page’s own lessons.)');

  function isBusy() {
    const { playing, progress } = link.callNow('status');
    return playing || progress !== null;
  }

  return {
    open,
    failed,
    /** Must be called when the scene loads a link. It checks no goal until it is armed again. */
    disarm() {
      armed = '';
    },
    /** Opens the step that a link names in the current state, or says that the step is unknown. */
    async arm() {
      const { lesson: at } = link.callNow('status');
      if (!at || armed === `${at.name}:${at.step}`) return;
      try {
        await open(at.name, at.step, false);
      } catch (error) {
        failed(error);
        await link.call('lesson', { name: '' });
      }
      refresh();
    },
    /**
     * Brings the subject of a step's conclusion to the front.
     * @param {{verb: string, args: Record<string, any>}[]} calls
     * @param {(verb: string, args: Record<string, any>) => Promise<any>} perform
     */
    async reveal(calls, perform) {
      for (const { verb, args } of calls) await perform(verb, args);
    },
    /** Ends the demonstration. */
    endShow() {
      shows++;
    },
    /**
     * Shows how to reach a step's goal. Calls after play wait until the runs have ended.
     * @param {{verb: string, args: Record<string, any>}[]} calls
     * @param {(verb: string, args: Record<string, any>) => Promise<any>} perform
     */
    async show(calls, perform) {
      const show = ++shows;
      const { lesson: of } = model;
      if (of && !of.reached) model.demonstrated = `${of.name}:${of.step}`;
      for (const { verb, args } of calls) {
        if (show !== shows) return;
        await perform(verb, args);
        if (verb !== 'play') continue;
        while (show === shows && model.live && isBusy()) await new Promise((resolve) => setTimeout(resolve, REST_POLL));
      }
    },
  };
}
