// @ts-check
// Acts on keys and on the intentions of the page's elements, which arrive as events (see intend).
import { byId, setText } from './dom.js';
import { VISITOR } from '../stage/data.js';
import { keepsKey, keyIntention, movesRuns } from './keys.js';
import { EMBEDDED, turned } from './presenting.js';
import { STEPS, answered } from './verbs.js';

/** @typedef {{verb: string, args: Record<string, any>}} Intention */

/** Whether another page embeds this one and handles keys itself. */
const FRAMED = EMBEDDED && window.parent !== window;

const RESETS = new Set(['defaults', 'card']); // verbs that undo the settings of a lesson's step

/**
 * @param {import('./types.js').Model} model
 * @param {object} parts
 * @param {ReturnType<typeof import('./again.js').createAgain>} parts.again
 * @param {ReturnType<typeof import('../stage/link.js').createLink>} parts.link
 * @param {ReturnType<typeof import('./notices.js').createNotices>} parts.notices
 * @param {ReturnType<typeof import('./theme.js').createTheme>} parts.theme
 * @param {ReturnType<typeof import('./help.js').createHelp>} parts.help
 * @param {ReturnType<typeof import('./dialogs.js').createExport>} parts.exportDialog
 * @param {ReturnType<typeof import('./dialogs.js').createShare>} parts.share
 * @param {ReturnType<typeof import('../controls/comparison.js').createComparison>} parts.comparison
 * @param {ReturnType<typeof import('./view.js').createView>} parts.view
 * @param {ReturnType<typeof import('../stage/lifecycle.js').createLifecycle>} parts.lifecycle
 * @param {ReturnType<typeof import('./presenting.js').createPresenting>} parts.presenting
 * @param {ReturnType<typeof import('../lesson/lesson-flow.js').createLessonFlow>} parts.lessonFlow
 * @param {ReturnType<typeof import('./address.js').createAddress>} parts.address
 * @param {ReturnType<typeof import('./verbs.js').createVerbs>} parts.verbs
 */
export function createIntentions(model, parts) {
  const { again, link, notices, theme, help, exportDialog, share, comparison } = parts;
  const { view, lifecycle, presenting, lessonFlow, address, verbs } = parts;

  /** The newest intention of each kind, while it waits for its predecessor. @type {Map<string, Intention|undefined>} */
  const waiting = new Map();
  /** The intentions of those kinds in progress. @type {Set<Promise<void>>} */
  const under = new Set();

  /** Whether the program is computing iterations that the time axis requested. */
  let reaching = false;

  /** Opens the scene that shows the current step in detail, with its values. */
  async function lead() {
    const { elsewhere } = model.state;
    if (!elsewhere) return;
    const { scene, values, data: text } = elsewhere;
    await verbs.perform('open', { id: scene });
    if (values) await verbs.perform('load', { state: { scene, params: values } });
    if (text) await verbs.showData(new Blob([text]), VISITOR);
  }

  /** Opens the last recorded log in the scene that reads logs. */
  async function openLog() {
    const { blob } = await verbs.exportFile('log', { panel: '', width: '', method: '' }, VISITOR);
    await verbs.perform('open', { id: 'log' });
    await verbs.showData(blob, VISITOR);
    byId('scene-title').focus();
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
      case 'page:export':
        return exportDialog.open(model);
      case 'page:share':
        return share.copy(address.href(), document.title, byId('share'));
      case 'page:help':
        return help.open();
      case 'page:reload':
        return lifecycle.reload();
      case 'page:said':
        return setText(byId('said'), args.text);
      case 'page:leave':
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
        window.parent.focus();
        return;
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
        return view.told(verbs.perform('lesson', args));
      case 'page:point':
        if (model.live) link.callNow('point', args); // pointing does not change the scene
        return undefined;
      case 'page:theme':
        address.showPreview();
        if (model.live) link.callNow('theme', { name: theme.name(), reducedMotion: theme.reducedMotion() });
        return undefined;
      case 'page:light':
        return view.light(args.panel);
      case 'page:elsewhere':
        return view.told(lead());
      case 'page:record':
        return view.told(verbs.perform('record', {}));
      case 'page:open-log':
        return view.told(openLog());
      case 'page:contents':
        return address.showContents();
      case 'page:lesson-leave':
        if (!model.lesson) {
          model.left = undefined;
          return view.draw();
        }
        return view.told(verbs.perform('lesson', { name: '' }));
      case 'page:reveal':
        return view.told(lessonFlow.reveal(args.calls, verbs.perform));
      case 'page:show':
        return view.told(lessonFlow.show(args.calls, verbs.perform));
      case 'play':
        if (again.paused()) return undefined;
        break;
      case 'release':
        // This must follow the requests made while the slider was held.
        while (under.size > 0) await Promise.all(under);
        break;
      case 'reach':
        return reach(args);
      case 'set':
        model.asked.set(args.name, args.value);
        return newest(`set ${args.name}`, { verb, args });
      case 'seek':
        return newest(verb, { verb, args });
    }
    await view.told(applied(verb, args));
  }

  /**
   * Requests iterations for the time axis, which may take long to compute. A new position replaces the previous one at
   * once.
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
   * Applies only the last value of a slider, which sends values faster than runs are recomputed.
   * @param {string} key  identifies the value
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
    // Moving a control after the runs have ended restarts them.
    const again = verb === 'set' || verb === 'newSeed' ? { again: true } : {};
    // Notices about another scene do not apply to this one.
    if (verb === 'open') notices.clear();
    const { lesson: of } = model;
    if (verb === 'open' && of) model.left = { name: of.name, step: of.step };
    await verbs.perform(verb, { ...args, ...again }).finally(() => answered(model, verb, args));
    if (of && RESETS.has(verb)) notices.notice('The lesson continues. “Back to the step” restores the state in which the step began.');
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
   * @returns {boolean}  whether the key has an effect
   */
  function pressed(e) {
    const intention = keyIntention(e, model.live ? link.callNow('status') : model.state, presenting.isOn(), FRAMED);
    if (!intention || (!view.hasRuns() && movesRuns(intention.verb))) return false;
    if (intention.verb === 'undo' && !model.state.undo) return false;
    act(intention);
    return true;
  }

  addEventListener('intend', (e) => act(/** @type {CustomEvent} */ (e).detail));
  addEventListener('keydown', typed);

  return { pressed };
}
