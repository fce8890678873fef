// @ts-check
// Applies verbs for the visitor and for other scripts, and builds window.playground from them.
import { VISITOR } from '../stage/data.js';
import { stateFromHash } from './hash.js';
import { Playground } from './playground.js';

const OPENS = new Set(['open', 'load', 'lesson']); // verbs with the same outcome in every state
/** Verbs that add a step to the browser's history. */
export const STEPS = new Set(['open', 'card', 'lesson']);

/**
 * Lets a control follow the scene again, unless the visitor has chosen another value since.
 * @param {import('./types.js').Model} model
 * @param {string} verb  has been applied, or has failed; only set has an effect
 * @param {Record<string, any>} args  of the verb
 */
export function answered({ asked }, verb, { name, value }) {
  if (verb === 'set' && asked.get(name) === value) asked.delete(name);
}

/**
 * @param {import('./types.js').Model} model
 * @param {object} parts
 * @param {ReturnType<typeof import('../stage/link.js').createLink>} parts.link
 * @param {ReturnType<typeof import('./again.js').createAgain>} parts.again
 * @param {ReturnType<typeof import('./view.js').createView>} parts.view
 * @param {ReturnType<typeof import('../stage/lifecycle.js').createLifecycle>} parts.lifecycle
 * @param {ReturnType<typeof import('./presenting.js').createPresenting>} parts.presenting
 * @param {ReturnType<typeof import('../lesson/lesson-flow.js').createLessonFlow>} parts.lessonFlow
 * @param {ReturnType<typeof import('./address.js').createAddress>} parts.address
 * @param {ReturnType<typeof import('../stage/data.js').createData>} parts.data
 * @param {ReturnType<typeof import('../lesson/own-lesson.js').createOwn>} parts.own
 * @param {Promise<void>} contents  settles when the contents are complete
 */
export function createVerbs(model, { again, link, view, lifecycle, presenting, lessonFlow, address, data, own }, contents) {
  /** Whether a verb opens a scene that the address does not name yet. */
  let entering = false;

  /**
   * Waits until the scene runs.
   * @param {string} from
   */
  const running = (from) => lifecycle.live().catch((error) => data.refuse(error, from));

  /**
   * Goes from the contents to the scene's page, for a verb that opens one.
   * @param {string} verb
   * @returns {boolean}  whether the page was at the contents
   */
  function enter(verb) {
    if (!model.contents) return false;
    if (!OPENS.has(verb)) throw new Error(`${verb}: no scene is open`);
    entering = true;
    address.showPage(false);
    return true;
  }

  /**
   * Applies a verb of the scene when it runs.
   * @param {string} verb
   * @param {Record<string, any>} args
   * @param {string} [from]
   */
  async function perform(verb, args, from = VISITOR) {
    again.touch();
    const entered = enter(verb);
    await running(from).finally(() => { entering = false; });
    if (!OPENS.has(verb)) data.guard(from);
    const isStep = entered || STEPS.has(verb);
    if (isStep && !entered) address.write(); // the previous state can be restored
    if (verb === 'load') {
      lessonFlow.disarm();
      if (typeof args.state === 'string') args = { ...args, state: own.take(args.state) };
    }
    const apply = async () => {
      const opening = verb === 'lesson' && args.name !== '';
      const done = opening ? lessonFlow.open(args.name, args.step, true) : link.call(verb, args);
      const result = await done.catch((error) => data.refuse(error, from)).finally(() => answered(model, verb, args));
      view.refresh();
      await lessonFlow.arm();
      return result;
    };
    const result = await (isStep ? address.step(apply) : apply());
    if (isStep) address.write(true);
    else address.writeSoon();
    return result;
  }

  /**
   * @param {string} kind
   * @param {import('./types.js').Taking} how
   * @param {string} from
   * @param {(text: string) => void} [progress]  gets the work under way, in words
   */
  async function exportFile(kind, how, from, progress) {
    enter('export');
    await running(from);
    data.guard(from);
    return link.exportFile(kind, how, data.brought(), progress);
  }

  /**
   * Shows a file.
   * @param {Blob} blob
   * @param {string} from  the visitor, or the origin of the page that sent it
   * @param {(share: number) => void} [progress]
   * @param {import('../stage/paste-parts.js').Choice} [choose]  chooses a part of a file with several
   */
  async function showData(blob, from, progress, choose) {
    enter('paste');
    await running(from);
    await data.show(blob, from, progress, choose);
    view.refresh();
    address.writeSoon();
  }

  /**
   * Shows the current version of the visitor's file, which has grown.
   * @param {Blob} blob
   * @param {import('../stage/paste-parts.js').Choice} choose
   */
  async function showGrown(blob, choose) {
    await data.show(blob, VISITOR, undefined, choose, true);
    view.refresh();
    address.writeSoon();
  }

  /**
   * Returns the page's interface for scripts of this page or of an embedding page from another origin.
   * @param {string} from  the visitor, or that origin
   */
  function playgroundOf(from) {
    return new Playground({
      // Scripts of this page compare promises, so they always get the same one.
      ready() {
        if (model.contents) return contents;
        const first = lifecycle.firstFrame();
        return from === VISITOR ? first : first.catch((error) => data.refuse(error, from));
      },
      scenes: () => model.scenes,
      params() {
        if (model.contents) return [];
        data.guard(from);
        return model.live ? link.callNow('params') : model.params;
      },
      state() {
        if (model.contents) return { ...stateFromHash([], ''), scene: null };
        data.guard(from);
        const state = model.live ? view.readState(false) : model.state;
        // Notices address the visitor, and may be about an earlier state.
        return from === VISITOR ? state : { ...state, notices: [] };
      },
      perform: (verb, args) => perform(verb, args, from),
      exportFile: (kind, how) => exportFile(kind, how, from),
      showData: (blob, choose) => showData(blob, from, undefined, choose),
      lesson: (name, step) => perform('lesson', { name, step }, from),
      async present(on) {
        enter('present');
        presenting.present(on);
      },
    });
  }

  return { perform, exportFile, showData, showGrown, playgroundOf, isEntering: () => entering };
}
