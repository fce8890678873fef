// @ts-check
// Handles words of a lesson that name a mark of the picture. They have a method's colour, and highlight its runs or a panel.
import { intend } from '../shell/dom.js';
import { methodSign } from '../controls/method-sign.js';

const PANEL = 'panel:';

/**
 * Adds the words' signs, and handles the pointer and the focus.
 * @param {HTMLElement} root  the words
 * @param {import('../shell/types.js').Model['scene']} scene
 */
export function dressMarks(root, scene) {
  for (const mark of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('.mark[data-mark]'))) {
    const id = mark.dataset.mark ?? '';
    const panel = id.startsWith(PANEL) ? id.slice(PANEL.length) : '';
    if (!panel) {
      const method = scene?.methods.find((known) => known.id === id);
      if (method) mark.prepend(methodSign(method));
    }
    const light = (/** @type {boolean} */ on) => (panel ? intend(mark, 'page:light', { panel: on ? panel : '' })
      : intend(mark, 'page:point', { name: on ? id : '' }));
    for (const on of ['pointerenter', 'focus']) mark.addEventListener(on, () => light(true));
    for (const off of ['pointerleave', 'blur']) mark.addEventListener(off, () => light(false));
  }
}
