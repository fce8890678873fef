// @ts-check
// What the visitor and other scripts want: intentions of the page's elements, keys, and calls of window.playground.
import { byId, setText } from './dom.js';
import { VISITOR } from '../stage/data.js';
import { keepsKey, keyIntention, movesRuns } from './keys.js';
import { stateFromHash } from './hash.js';
import { Playground } from './playground.js';
import { turned } from './presenting.js';

/** @typedef {{verb: string, args: Record<string, any>}} Intention */

const OPENS = new Set(['open', 'load', 'lesson']); // verbs whose outcome is the same whatever is shown
const RESETS = new Set(['defaults', 'card']); // verbs that undo what a lesson's step has set
const STEPS = new Set(['open', 'card', 'lesson']); // verbs that are a step in the browser's history

/**
 * @param {import('./types.js').Model} model
 * @param {object} rooms
 * @param {ReturnType<typeof import('../stage/link.js').createLink>} rooms.link
 * @param {ReturnType<typeof import('./notices.js').createNotices>} rooms.notices
 * @param {ReturnType<typeof import('./help.js').createHelp>} rooms.help
 * @param {ReturnType<typeof import('../controls/comparison.js').createComparison>} rooms.comparison
 * @param {ReturnType<typeof import('./view.js').createView>} rooms.view
 * @param {ReturnType<typeof import('../stage/lifecycle.js').createLifecycle>} rooms.lifecycle
 * @param {ReturnType<typeof import('./presenting.js').createPresenting>} rooms.presenting
 * @param {ReturnType<typeof import('../lesson/lesson-flow.js').createLessonFlow>} rooms.lessonFlow
 * @param {ReturnType<typeof import('./address.js').createAddress>} rooms.address
 * @param {ReturnType<typeof import('../stage/data.js').createData>} rooms.data
 * @param {ReturnType<typeof import('../lesson/own-lesson.js').createOwn>} rooms.own
 * @param {Promise<void>} contents  settles when the contents are complete
 */
export function createVerbs(model, rooms, contents) {
  const { link, notices, help, comparison, view, lifecycle, presenting, lessonFlow, address, data, own } = rooms;

  /** Whether a verb opens a scene which the address does not name yet. */
  let entering = false;
  /** The newest intention of each kind that waits for the one before it. @type {Map<string, Intention|undefined>} */
  const waiting = new Map();
  /** What the intentions of those kinds do that are under way. @type {Set<Promise<void>>} */
  const under = new Set();

  /** Whether iterations that the time axis asked for are being computed. */
  let reaching = false;

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
   * Applies a verb of the scene, once it runs.
   * @param {string} verb
   * @param {Record<string, any>} args
   * @param {string} [from]
   */
  async function perform(verb, args, from = VISITOR) {
    const entered = enter(verb);
    await running(from).finally(() => { entering = false; });
    if (!OPENS.has(verb)) data.guard(from);
    const isStep = entered || STEPS.has(verb);
    if (isStep && !entered) address.write(); // what is left can be returned to as it was
    if (verb === 'load') {
      lessonFlow.disarm();
      if (typeof args.state === 'string') args = { ...args, state: own.take(args.state) };
    }
    const apply = async () => {
      const opening = verb === 'lesson' && args.name !== '';
      const done = opening ? lessonFlow.open(args.name, args.step, true) : link.call(verb, args);
      const result = await done.catch((error) => data.refuse(error, from));
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
   * @param {(text: string) => void} [progress]  what is under way, in words
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
   */
  async function showData(blob, from, progress) {
    enter('paste');
    await running(from);
    await data.show(blob, from, progress);
    view.refresh();
    address.writeSoon();
  }

  /** Opens the scene that shows the moment in detail, and brings it what it is to show. */
  async function lead() {
    const { elsewhere } = model.state;
    if (!elsewhere) return;
    const { scene, values, data: text } = elsewhere;
    await perform('open', { id: scene });
    if (values) await perform('load', { state: { scene, params: values } });
    if (text) await showData(new Blob([text]), VISITOR);
  }

  /** Opens the log that was recorded last, in the scene that reads logs. */
  async function openLog() {
    const { blob } = await exportFile('log', { panel: '', width: '', method: '' }, VISITOR);
    await perform('open', { id: 'log' });
    await showData(blob, VISITOR);
    byId('scene-title').focus();
  }

  /**
   * The page as scripts see it: our own scripts, or the scripts of a page of another origin that
   * embeds this one.
   * @param {string} from  the visitor, or that origin
   */
  function playgroundOf(from) {
    return new Playground({
      // Our own scripts compare promises: theirs is always the same one.
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
        const state = model.live ? view.readState() : model.state;
        // Notices are for the visitor, and may be of what was shown before.
        return from === VISITOR ? state : { ...state, notices: [] };
      },
      perform: (verb, args) => perform(verb, args, from),
      exportFile: (kind, how) => exportFile(kind, how, from),
      showData: (blob) => showData(blob, from),
      lesson: (name, step) => perform('lesson', { name, step }, from),
      async present(on) {
        enter('present');
        presenting.present(on);
      },
    });
  }

  /**
   * @param {Intention} intention
   * @returns {Promise<void>}
   */
  async function act({ verb, args }) {
    if (STEPS.has(verb) || verb.startsWith('page:lesson')) lessonFlow.endShow();
    switch (verb) {
      case 'page:compare':
        return comparison.open(model);
      case 'page:help':
        return help.open();
      case 'page:reload':
        return lifecycle.reload();
      case 'page:said':
        return setText(byId('said'), args.text);
      case 'page:present':
        return presenting.present(args.on);
      case 'page:turn': {
        const intention = turned(model, args.by);
        return intention && act(intention);
      }
      case 'page:front': {
        const panel = model.panels[args.place];
        return panel && act({ verb: 'hero', args: { panel: panel.id } });
      }
      case 'page:lesson':
        return view.told(perform('lesson', args));
      case 'page:point':
        if (model.live) link.callNow('point', args); // it is no change of the scene
        return undefined;
      case 'page:light':
        return view.light(args.panel);
      case 'page:elsewhere':
        return view.told(lead());
      case 'page:record':
        return view.told(perform('record', {}));
      case 'page:open-log':
        return view.told(openLog());
      case 'page:contents':
        return address.showContents();
      case 'page:lesson-leave':
        if (!model.lesson) {
          model.left = undefined;
          return view.draw();
        }
        return view.told(perform('lesson', { name: '' }));
      case 'page:reveal':
        return view.told(lessonFlow.reveal(args.calls, perform));
      case 'page:show':
        return view.told(lessonFlow.show(args.calls, perform));
      case 'release':
        // It comes after what was asked for while the slider was held.
        while (under.size > 0) await Promise.all(under);
        break;
      case 'reach':
        return reach(args);
      case 'set':
      case 'seek':
        return newest(verb === 'set' ? `set ${args.name}` : verb, { verb, args });
    }
    await view.told(applied(verb, args));
  }

  /**
   * The time axis asks for iterations that may take long to compute: a new place counts at once.
   * @param {Record<string, any>} args
   */
  async function reach(args) {
    if (reaching && model.live) {
      link.callNow('reach', args);
      return;
    }
    reaching = true;
    await view.told(applied('reach', args)).finally(() => { reaching = false; });
  }

  /**
   * A slider asks faster than runs are computed again: the last value counts.
   * @param {string} key  what it is a value of
   * @param {Intention} intention
   */
  function newest(key, intention) {
    const busy = waiting.has(key);
    waiting.set(key, busy ? intention : undefined);
    if (busy) return;
    const all = (async () => {
      /** @type {Intention|undefined} */
      let next = intention;
      while (next) {
        await view.told(applied(next.verb, next.args));
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
    const { lesson: of } = model;
    if (verb === 'open' && of) model.left = { name: of.name, step: of.step };
    await perform(verb, { ...args, ...again });
    if (of && RESETS.has(verb)) notices.notice('The lesson goes on. “Back to the step” sets everything as it was when the step opened.');
    if (verb !== 'open') return;
    await address.arrive();
    view.refresh();
  }

  /** @param {KeyboardEvent} e */
  function typed(e) {
    const target = /** @type {HTMLInputElement} */ (e.target);
    if (model.contents || e.defaultPrevented || document.querySelector('dialog[open], :popover-open')) return;
    if (keepsKey(target.localName, target.type, e.key)) return;
    if (pressed(e)) e.preventDefault();
  }

  /**
   * @param {{key: string, shiftKey?: boolean, ctrlKey?: boolean, metaKey?: boolean, altKey?: boolean}} e
   * @returns {boolean}  whether the key does something
   */
  function pressed(e) {
    const intention = keyIntention(e, model.live ? link.callNow('status') : model.state, presenting.isOn());
    if (!intention || (!view.hasRuns() && movesRuns(intention.verb))) return false;
    if (intention.verb === 'undo' && !model.state.undo) return false;
    act(intention);
    return true;
  }

  addEventListener('intend', (e) => act(/** @type {CustomEvent} */ (e).detail));
  addEventListener('keydown', typed);

  return { playgroundOf, exportFile, showData, pressed, isEntering: () => entering };
}
