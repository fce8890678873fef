// @ts-check
import { element, intend } from './dom.js';

/** @typedef {import('./types.js').Model} Model */

/**
 * The scene's sentences on what it shows, each with a button that brings the panel to the front off which
 * it is read.
 * @param {HTMLElement} root
 */
export function createVerdict(root) {
  let drawn = '';

  /** @param {Model} model */
  function update({ scene, state, panels, lesson }) {
    const sentences = state.conclusions ?? [];
    root.hidden = sentences.length === 0 || Boolean(lesson);
    const { elsewhere } = state;
    const key = JSON.stringify([sentences, elsewhere?.words, state.hero, panels.map(({ id }) => id)]);
    if (key === drawn) return;
    drawn = key;
    const items = sentences.map(({ id, text, holds, panel }) => {
      const of = panels.find((p) => p.id === panel);
      const item = element('li', { class: holds ? 'holds' : '' }, element('p', {}, text));
      item.dataset.sentence = id;
      if (of) {
        item.append(element('button', {
          type: 'button', class: 'link', 'aria-pressed': String(state.hero === panel), onclick: () => intend(item, 'hero', { panel }),
        }, of.title));
      }
      return item;
    });
    root.replaceChildren(element('h2', {}, 'The verdict'), element('ol', {}, ...items));
    if (elsewhere) root.append(element('p', {}, element('button', { type: 'button', class: 'link',
      onclick: () => intend(root, 'page:elsewhere') }, elsewhere.words)));
    if (scene?.data && !state.data) root.append(element('p', { class: 'verdict-own' }, 'Record your own: ',
      element('button', { type: 'button', class: 'link', onclick: () => document.getElementById('paste')?.click() }, scene.data.button)));
  }
  return { update };
}
