// @ts-check
// Opens the state in the page's address, and keeps the address up to date with the page's state.
import { byId } from './dom.js';
import { opened, stateFromHash, withSharp } from './hash.js';
import { throttled } from './pacing.js';
import { EMBEDDED } from './presenting.js';
import { NAME } from './view.js';

const HASH_EVERY = 1000; // milliseconds
const VERSION = '1'; // of links, as in internal/engine/link/settings.go
const MOST_QUOTED = 40; // characters of a link's value

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
  /** How many steps in the browser's history are under way. Until they end, the address is still the old one. */
  let stepping = 0;
  /** The hash that this page wrote last: a different one is a pasted link. */
  let written = location.hash;

  /** The scene that the address names if it is unknown, otherwise "". */
  function stray() {
    const { scene } = opened(location.hash);
    const links = [...document.querySelectorAll('#gallery .scenes .open')];
    return links.some((a) => a.getAttribute('href') === `#v=1&scene=${scene}`) ? '' : scene;
  }

  /** If the address names an unknown scene, says which scenes are available. */
  function tellStray() {
    const scene = stray();
    if (!scene) return;
    const titles = [...document.querySelectorAll('#gallery .scenes .name')].map((name) => name.textContent);
    notices.error(`The link names the scene ${quoted(scene)}, which is none. The scenes are: ${titles.join('; ')}.`);
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

  /** Shows the small picture of the address's scene until the live one is ready. */
  function showPreview() {
    if (lifecycle.hasStarted()) return;
    const { scene, card } = opened(location.hash);
    const found = model.scenes.find(({ id }) => id === scene) ?? model.scenes[0];
    // Until the list of scenes has arrived, the contents page knows the scenes.
    const links = [...document.querySelectorAll('#gallery .scenes a')];
    const listed = !found && links.some((a) => a.getAttribute('href') === `#v=1&scene=${scene}`);
    if (listed && !card) preview.show(scene, '', theme.name());
    if (found) preview.show(found.id, found.presets.some(({ id }) => id === card) ? card : '', theme.name());
  }

  /** Describes the address's scene as far as that is possible without the program. */
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
   * Opens what a link describes. A link that only names a scene, an experiment or a lesson opens that anew and plays it.
   * @param {string} address  a hash
   * @param {number} life
   */
  async function openLink(address, life) {
    const hash = own.take(address);
    await contents.catch(() => {}); // the list is under way, and the program takes long to make another
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
    else if (card) notices.notice(`The link names the experiment ${quoted(card)}, which this scene has not. It is open as it begins.`);
    if (version !== VERSION) notices.notice(`The link is of version ${quoted(version)}; it is read as version ${VERSION}.`);
    await arrive();
  }

  /** A scene plays by itself; visitors who prefer reduced motion see the finished runs. */
  async function arrive() {
    const { scene, budget } = link.callNow('state', { brief: true });
    if (!theme.reducedMotion()) return link.call('play');
    if (model.scenes.find(({ id }) => id === scene)?.runs === false) return;
    await link.call('pause'); // an experiment plays by itself
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

  /** Follows the address: a link of this page, a pasted link, or back. */
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
    // A program that is about to start opens the address's scene then.
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
     * Makes an action a step in the browser's history: going back restores the previous state.
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
    /** The link to the current state. */
    href() {
      const url = new URL(location.href);
      url.hash = model.live ? own.withCode(view.readState(true).hash) : location.hash;
      return url.href;
    },
    /** Leaves the scene for the contents page, as a step in the browser's history. */
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
