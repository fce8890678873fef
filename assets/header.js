// @ts-check
import { element, intend, setText } from './dom.js';

/** @typedef {import('./types.js').Model} Model */

/**
 * The list of scenes.
 * @param {HTMLElement} root
 */
export function createSceneList(root) {
  const select = element('select', { id: 'scene', onchange: () => intend(select, 'open', { id: select.value }) });
  root.append(element('label', { for: 'scene', class: 'visually-hidden' }, 'Scene'), select);
  let drawn = '';

  /** @param {Model} model */
  function update({ scenes, state }) {
    const key = scenes.map((s) => s.id).join(' ');
    if (key !== drawn) {
      drawn = key;
      select.replaceChildren(...scenes.map((s) => element('option', { value: s.id }, s.title)));
    }
    select.value = state.scene;
  }
  return { update };
}

/**
 * The presets of the scene, one card each.
 * @param {HTMLElement} root
 */
export function createPresets(root) {
  /** @type {Map<string, HTMLButtonElement>} */
  const cards = new Map();
  /** @type {Model['scene']} */
  let drawn;

  /** @param {Model} model */
  function update({ scene, preset }) {
    if (scene !== drawn) {
      drawn = scene;
      cards.clear();
      root.replaceChildren(...(scene?.presets ?? []).map(({ id, title, text }) => {
        const card = element('button', { type: 'button', class: 'card', title: text, onclick: () => intend(card, 'card', { id }) }, title);
        cards.set(id, card);
        return element('li', {}, card);
      }));
    }
    for (const [id, card] of cards) card.setAttribute('aria-pressed', String(id === preset));
  }
  return { update };
}

/**
 * What one sees and what to try, or what the chosen preset shows.
 * @param {HTMLElement} root
 */
export function createIntroduction(root) {
  const summary = element('p', { class: 'summary' });
  const invitation = element('p', { class: 'try' });
  // Phones show the first lines only; the style sheet hides the button elsewhere.
  const more = element('button', { type: 'button', class: 'more', 'aria-expanded': 'false', onclick: unfold }, 'more');
  root.append(element('div', { class: 'introduction-text' }, summary, invitation), more);

  function unfold() {
    const open = root.classList.toggle('unfolded');
    more.setAttribute('aria-expanded', String(open));
    setText(more, open ? 'less' : 'more');
  }

  /** @param {Model} model */
  function update({ scene, preset, state }) {
    const chosen = scene?.presets.find((p) => p.id === preset);
    const ofData = Boolean(state.data);
    setText(summary, chosen?.text || (ofData && scene?.dataSummary) || scene?.summary || '');
    setText(invitation, chosen ? '' : (ofData && scene?.dataTry) || scene?.try || '');
  }
  return { update };
}
