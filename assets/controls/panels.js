// @ts-check
import { element, indexed, intend, setIndexed } from '../shell/dom.js';
import { withSubscripts } from '../shell/words.js';

/** @typedef {import('../shell/types.js').Model} Model */

/**
 * Builds the tabs that choose the panel if only one fits.
 * @param {HTMLElement} root
 */
export function createTabs(root) {
  /** @type {Map<string, HTMLButtonElement>} */
  const tabs = new Map();
  let drawn = '';

  /**
   * Scrolls only the row to a tab; scrollIntoView would scroll the page too.
   * @param {HTMLElement} tab
   */
  function reveal(tab) {
    root.scrollTo({ left: tab.offsetLeft - (root.clientWidth - tab.offsetWidth) / 2 });
  }

  /** @param {Model} model */
  function update({ panels, state }) {
    const open = panels.filter(({ hidden }) => !hidden);
    const key = JSON.stringify(open.map(({ id, title }) => [id, title]));
    if (key !== drawn) {
      drawn = key;
      for (const tab of tabs.values()) tab.remove();
      tabs.clear();
      root.prepend(...open.map(({ id, title }) => {
        const tab = element('button', { type: 'button', 'data-names': id, title: withSubscripts(title),
          onclick: () => intend(tab, 'hero', { panel: id }) }, withSubscripts(title));
        tabs.set(id, tab);
        return tab;
      }));
      root.hidden = panels.length < 2;
    }
    const shown = tabs.has(state.hero) ? state.hero : panels[0]?.id;
    for (const [id, tab] of tabs) {
      const pressed = String(id === shown);
      if (tab.getAttribute('aria-pressed') === pressed) continue;
      tab.setAttribute('aria-pressed', pressed);
      if (id === shown) requestAnimationFrame(() => reveal(tab)); // doing this at once would lay out the page once more
    }
  }
  return { update };
}

/**
 * Shows the content of the pictures in words.
 * @param {HTMLElement} root
 */
export function createDescriptions(root) {
  /** @type {Map<string, HTMLElement>} */
  const texts = new Map();
  let drawn = '';

  /** @param {Model} model */
  function update({ panels, state }) {
    const key = JSON.stringify(panels.map(({ id, title }) => [id, title]));
    if (key !== drawn) {
      drawn = key;
      texts.clear();
      root.replaceChildren(...panels.map(({ id, title }) => {
        const text = element('dd', {});
        texts.set(id, text);
        return element('div', {}, element('dt', {}, ...indexed(title)), text);
      }));
    }
    // Screen readers read it when the picture rests, not in every frame.
    root.setAttribute('aria-live', state.playing ? 'off' : 'polite');
    for (const { id, text } of panels) {
      const node = texts.get(id);
      if (node) setIndexed(node, text);
    }
  }
  return { update };
}

/**
 * Explains the scene's symbols in plain words. The help names their sources.
 * @param {HTMLElement} root
 */
export function createSymbols(root) {
  /** @type {Model['scene']} */
  let drawn;

  /** @param {Model} model */
  function update({ scene }) {
    if (scene === drawn) return;
    drawn = scene;
    root.replaceChildren(...(scene?.symbols ?? []).map(({ sign, text }) => element('div', {},
      element('dt', { class: 'sign-term' }, ...indexed(sign)), element('dd', {}, ...indexed(text)))));
  }
  return { update };
}
