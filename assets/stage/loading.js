// @ts-check
import { element, intend, setText } from '../shell/dom.js';

/**
 * Covers the stage until the first live frame and after a failure.
 * @param {HTMLElement} root
 */
export function createLoading(root) {
  const bar = element('progress', { max: 1, 'aria-labelledby': 'loading-text' });
  const text = element('p', { id: 'loading-text' }, 'loading');
  const waiting = element('div', { class: 'waiting' }, bar, text);
  root.append(waiting);
  /** The text now shown, or "". */
  let said = '';

  /**
   * A bar of unknown share moves all the time, and each of its frames takes processor time from what is being loaded. Only the compiler,
   * which may take a minute, has one.
   * @param {string} label
   * @param {number} [share]  from 0 to 1, or undefined if unknown
   */
  function wait(label, share) {
    if (waiting.parentNode !== root) root.replaceChildren(waiting);
    root.hidden = false;
    said = '';
    setText(text, label);
    if (share === undefined) bar.removeAttribute('value');
    else bar.value = share;
  }

  return {
    compiling: () => wait('compiling; the first time takes up to a minute'),
    starting: () => wait('starting', 1),
    /** @param {number} done @param {number} total  bytes */
    progress(done, total) {
      if (!(total > 0)) wait('loading', 0);
      else if (done >= total) wait('starting', 1);
      else wait(`loading ${Math.floor((100 * done) / total)} %`, done / total);
    },
    done() {
      root.hidden = true;
    },
    /**
     * @param {string} reason
     * @param {boolean} started  whether there has been a live picture
     * @param {boolean} notCompiled  whether the server has no program but may compile one
     */
    failed(reason, started, notCompiled) {
      // The page and the stage both report a failure. The button must stay under the pointer.
      const saying = JSON.stringify([reason, started, notCompiled]);
      if (saying === said && !root.hidden) return;
      said = saying;
      const reload = element('button', { type: 'button', class: 'primary', onclick: () => intend(reload, 'page:reload') },
        notCompiled ? 'Build again' : 'Reload the picture');
      root.hidden = false;
      root.replaceChildren(element('div', { class: 'failure', role: 'alert' },
        element('h2', {}, started ? 'The picture has stopped' : 'The picture could not start'), element('p', {}, reason),
        element('p', {}, 'Your settings and the address of this page are kept. ' +
          `${notCompiled ? 'Fix the source and build again' : 'Reload'} to continue with them.`), reload));
    },
  };
}

/**
 * Shows the preview of a scene in place of the live picture, with every panel in its position. An experiment has a small
 * preview.
 * @param {HTMLImageElement} picture
 */
export function createPreview(picture) {
  return {
    /** @type {(scene: string, card: string, theme: 'light'|'dark') => void} card is "" for the scene's own */
    show: /** @type {any} */ (window).showPreview, // may already have run for the address's scene (scene-start.js)
    remove() {
      picture.hidden = true;
    },
  };
}
