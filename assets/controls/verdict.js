// @ts-check
import { element, intend } from '../shell/dom.js';

/** @typedef {import('../shell/types.js').Model} Model */

/** @param {string} text */
const spaced = (text) => text.replaceAll(' %', '\u00a0%');

/**
 * Shows the scene's sentences about its content. A hovered or focused sentence highlights its panel; a button brings
 * that panel to the front.
 * @param {HTMLElement} root
 */
export function createVerdict(root) {
  let drawn = '';

  /**
   * @param {HTMLElement} item
   * @param {string} panel  "" for none
   */
  function light(item, panel) {
    for (const other of root.querySelectorAll('.lighting')) other.classList.remove('lighting');
    item.classList.toggle('lighting', panel !== '');
    intend(item, 'page:light', { panel });
  }

  /** The buttons, with the panel that each one brings to the front. @type {[HTMLElement, string][]} */
  let buttons = [];

  /** @param {Model} model */
  function update({ scene, state, panels, lesson }) {
    const { conclusions, heading, elsewhere } = state;
    root.hidden = !heading || Boolean(lesson); // its space stays reserved while sentences are computed
    const key = JSON.stringify([heading, conclusions, elsewhere?.words, panels.map(({ id }) => id), Boolean(state.data)]);
    if (key !== drawn) {
      drawn = key;
      rebuild(scene, state, panels);
    }
    // Updated in place, because one of them may have the focus.
    for (const [button, panel] of buttons) button.setAttribute('aria-pressed', String(state.hero === panel));
  }

  /**
   * @param {Model['scene']} scene
   * @param {Model['state']} state
   * @param {Model['panels']} panels
   */
  function rebuild(scene, { conclusions, heading = '', elsewhere, data }, panels) {
    if (root.querySelector('.lighting')) intend(root, 'page:light', { panel: '' });
    buttons = [];
    const place = placeOf();
    const items = (conclusions ?? []).map(({ id, text, holds, panel, was, since }) => {
      const of = panels.find((p) => p.id === panel);
      const item = element('li', { class: holds ? 'holds' : '' }, element('p', {}, spaced(text)));
      item.dataset.sentence = id;
      if (of) {
        const button = element('button', { type: 'button', class: 'link', onclick: () => intend(item, 'hero', { panel }) }, of.title);
        buttons.push([button, panel]);
        item.append(button);
        for (const [on, off] of [['pointerenter', 'pointerleave'], ['focusin', 'focusout']]) {
          item.addEventListener(on, () => light(item, panel));
          item.addEventListener(off, () => light(item, item.matches(':hover, :focus-within') ? panel : ''));
        }
      }
      if (since) item.append(element('details', { class: 'changed', open: place.open.has(id) },
        element('summary', {}, `Changed at ${since} records`), element('p', {}, `Before: ${spaced(was ?? '')}`)));
      return item;
    });
    root.setAttribute('aria-label', heading);
    root.replaceChildren(element('h2', {}, heading),
      items.length > 0 ? element('ol', {}, ...items) : element('p', { class: 'verdict-none' }, 'Nothing yet.'));
    if (elsewhere) root.append(element('p', {}, element('button', { type: 'button', class: 'link',
      onclick: () => intend(root, 'page:elsewhere') }, elsewhere.words)));
    if (scene?.data?.beside && !data) root.append(element('p', { class: 'verdict-own' }, `${scene.data.beside} `,
      element('button', { type: 'button', class: 'link', onclick: () => document.getElementById('paste')?.click() }, scene.data.button)));
    restore(place);
  }

  /** Returns what must survive rebuilding the sentences: which are open, which has the focus, and the scroll position. */
  function placeOf() {
    const items = /** @type {HTMLElement[]} */ ([...root.querySelectorAll('li:has(> details[open])')]);
    const open = new Set(items.map((item) => item.dataset.sentence));
    const focused = root.contains(document.activeElement) ? document.activeElement : null;
    const of = /** @type {HTMLElement|null|undefined} */ (focused?.closest('li'))?.dataset.sentence;
    return { open, focused: focused && of ? `[data-sentence="${of}"] ${focused.localName}` : '',
      top: root.hasChildNodes() ? root.scrollTop : 0 };
  }

  /** @param {ReturnType<typeof placeOf>} place */
  function restore({ focused, top }) {
    if (top > 0) root.scrollTop = top; // assigning 0 too would lay the page out
    if (focused) /** @type {HTMLElement|null} */ (root.querySelector(focused))?.focus({ preventScroll: true });
  }
  return { update };
}
