// @ts-check
// Opens the state in the page's address, and keeps the address in step with the page's state.
import { byId } from './dom.js';
import { opened, stateFromHash, withSharp } from './hash.js';
import { throttled } from './pacing.js';
import { EMBEDDED } from './presenting.js';
import { NAME } from './view.js';

const HASH_EVERY = 1000; // in milliseconds
const VERSION = '1'; // of links; also in internal/engine/link/settings.go
const MOST_QUOTED = 40; // maximum length of a quoted value, in characters

/** @param {string} text  of a link, of any length */
const quoted = (text) => `“${text.length > MOST_QUOTED ? `${text.slice(0, MOST_QUOTED)}…` : text}”`;

/**
 * @param {import('./types.js').Model} model
 * @param {object} parts
 * @param {ReturnType<typeof import('../stage/link.js').createLink>} parts.link
 * @param {ReturnType<typeof import('./notices.js').createNotices>} parts.notices
 * @param {ReturnType<typeof import('./theme.js').createTheme>} parts.theme
 * @param {ReturnType<typeof import('../stage/loading.js').createPreview>} parts.preview
 * @param {ReturnType<typeof import('./view.js').createView>} parts.view
 * @param {ReturnType<typeof import('../stage/lifecycle.js').createLifecycle>} parts.lifecycle
 * @param {ReturnType<typeof import('./presenting.js').createPresenting>} parts.presenting
 * @param {ReturnType<typeof import('../lesson/lesson-flow.js').createLessonFlow>} parts.lessonFlow
 * @param {ReturnType<typeof import('../lesson/own-lesson.js').createOwn>} parts.own
 * @param {Promise<void>} contents  settles when the list of scenes has arrived or failed
 */
export function createAddress(model, { link, notices, theme, preview, view, lifecycle, presenting, lessonFlow, own }, contents) {
  /** The number of history steps under way. Until they end, the address is still the old one. */
  let stepping = 0;
  /** The hash that this page wrote last. A different hash is a pasted link. */
  let written = location.hash;

  /** Returns the address's scene if it is unknown, otherwise "". */
  function stray() {
    const { scene } = opened(location.hash);
    const links = [...document.querySelectorAll('#gallery .scenes .open')];
    return links.some((a) => a.getAttribute('href') === `#v=1&scene=${scene}`) ? '' : scene;
  }

  /** Tells the visitor which scenes are available if the address names an unknown one. */
  function tellStray() {
    const scene = stray();
    if (!scene) return;
    const titles = [...document.querySelectorAll('#gallery .scenes .name')].map((name) => name.textContent);
    notices.error(`The link names an unknown scene, ${quoted(scene)}. Available scenes: ${titles.join('; ')}.`);
  }

  /**
   * Shows the contents or a scene.
   * @param {boolean} [contents]  by default as the address says
   */
  function showPage(contents = !EMBEDDED && (location.hash.length <= 1 || stray() !== '')) {
    model.contents = contents;
    document.documentElement.dataset.page = contents ? 'gallery' : 'scene';
    byId('gallery').hidden = !contents;
    byId('scene-page').hidden = contents;
    if (contents) {
      if (model.live) link.callNow('pause');
      presenting.present(false);
      notices.clear();
      tellStray();
      document.title = NAME;
      return;
    }
    showPreview();
    lifecycle.start();
  }

  /** Shows the preview picture of the address's scene until the live one is ready. */
  function showPreview() {
    if (lifecycle.hasStarted()) return;
    const { scene, card } = opened(location.hash);
    const found = model.scenes.find(({ id }) => id === scene) ?? model.scenes[0];
    // Before the list of scenes arrives, the contents page already names them.
    const links = [...document.querySelectorAll('#gallery .scenes a')];
    const listed = !found && links.some((a) => a.getAttribute('href') === `#v=1&scene=${scene}`);
    if (listed && !card) preview.show(scene, '', theme.name());
    if (found) preview.show(found.id, found.presets.some(({ id }) => id === card) ? card : '', theme.name());
  }

  /** Describes the address's scene before the program runs. */
  function describeLink() {
    if (model.contents) return;
    model.state = stateFromHash(model.scenes, location.hash);
    const scene = model.scenes.find(({ id }) => id === model.state.scene);
    model.params = (scene?.params ?? []).map((d) => ({ ...d, value: model.state.params[d.name] }));
    model.panels = scene?.panels ?? [];
    showPreview();
    view.draw();
  }

  /**
   * Opens the state that a link describes. A link with only a scene, an experiment or a lesson restarts it and plays
   * it.
   * @param {string} address  a hash
   * @param {number} life
   */
  async function openLink(address, life) {
    const hash = own.take(address);
    await contents.catch(() => {}); // the list is already loading, and rebuilding it takes the program long
    if (model.scenes.length === 0) model.scenes = link.callNow('scenes');
    const { scene, card, lesson, bare, version } = opened(hash);
    if (bare && lesson) {
      try {
        return await lessonFlow.open(lesson.name, lesson.step, true);
      } catch (error) {
        lessonFlow.failed(error);
      }
    }
    const known = EMBEDDED && hash.length <= 1 ? model.scenes[0] : model.scenes.find(({ id }) => id === scene);
    if (!known || !bare && hash.length > 1) {
      lessonFlow.disarm();
      await lifecycle.replayed(link.call('load', { state: hash }), life);
      return lessonFlow.arm();
    }
    await link.call('open', { id: known.id });
    if (known.presets.some(({ id }) => id === card)) await link.call('card', { id: card });
    else if (card) notices.notice(`The link names an unknown experiment, ${quoted(card)}. The scene opens with its defaults.`);
    if (version !== VERSION) notices.notice(`The link has version ${quoted(version)}; it is read as version ${VERSION}.`);
    await arrive();
  }

  /** Plays the scene, or shows the finished runs to visitors who prefer reduced motion. */
  async function arrive() {
    const { scene, budget } = link.callNow('state', { brief: true });
    if (!theme.reducedMotion()) return link.call('play');
    if (model.scenes.find(({ id }) => id === scene)?.runs === false) return;
    await link.call('pause'); // an opened experiment starts to play
    await link.call('step', { n: budget });
  }

  /**
   * Writes the state into the address.
   * @param {boolean} [isStep]  in the browser's history, which an embedded page leaves alone
   */
  function write(isStep = false) {
    if (!model.live || model.contents || stepping > 0) return;
    const hash = own.withCode(withSharp(model.state.hash));
    if (isStep && !EMBEDDED && hash !== location.hash) history.pushState(null, '', hash);
    else history.replaceState(history.state, '', hash);
    written = location.hash;
  }

  /** Opens the state of a changed address: a link on this page, a pasted link or Back. */
  async function followed() {
    if (location.hash === written) return;
    lessonFlow.endShow();
    model.left = undefined;
    written = location.hash;
    const life = model.life;
    const wasLive = model.live;
    const left = model.contents;
    showPage();
    if (model.contents) return;
    if (left) byId('scene-title').focus(); // the focused element is gone
    notices.clear();
    // If the program is about to start, it opens the address's scene itself.
    if (!wasLive) return describeLink();
    await view.told(openLink(location.hash, life));
    view.refresh();
  }

  addEventListener('hashchange', followed);
  addEventListener('popstate', followed);

  return {
    showPage,
    showPreview,
    describeLink,
    openLink,
    arrive,
    write,
    writeSoon: throttled(() => write(), () => HASH_EVERY),
    /**
     * Runs an action as a history step, so that Back restores the previous state.
     * @template T
     * @param {() => Promise<T>} action
     */
    async step(action) {
      stepping++;
      try {
        return await action();
      } finally {
        stepping--;
      }
    },
    /** Returns the link to the current state. */
    href() {
      const url = new URL(location.href);
      url.hash = model.live ? own.withCode(view.readState(true).hash) : location.hash;
      return url.href;
    },
    /** Leaves the scene for the contents page, as a history step. */
    showContents() {
      lessonFlow.endShow();
      write();
      history.pushState(null, '', location.href.replace(/#.*/s, ''));
      written = location.hash;
      showPage();
      scrollTo(0, 0);
      byId('gallery').focus();
    },
  };
}
