// @ts-check
import { element, intend, setText } from '../shell/dom.js';
import { counted } from '../shell/words.js';

/** @typedef {import('../shell/types.js').Model} Model */

/** The button that shows the panels hidden at first, and hides them again. */
function createButton() {
  let all = false; // what pressing it requests
  const button = element('button', { type: 'button', class: 'more-button', hidden: true, 'aria-expanded': 'false',
    onclick: () => intend(button, 'panels', { all }) });

  /** @param {Model} model */
  function update({ panels, state }) {
    const hidden = panels.filter((panel) => panel.hidden);
    all = hidden.length > 0;
    button.hidden = !all && !state.allPanels;
    setText(button, all ? `+${hidden.length}` : '−');
    button.setAttribute('aria-expanded', String(!all));
    const label = all ? `Show ${counted(hidden.length, 'more panel')}` : 'Show fewer panels';
    button.setAttribute('aria-label', label);
    button.title = all ? `${label}: ${hidden.map(({ title }) => title).join('; ')}` : label;
    button.dataset.names = hidden.map(({ id }) => id).join(' ');
  }
  return { button, update };
}

/**
 * The way to the panels hidden at first: over the picture, and at the end of the tabs, which exist if the picture has room for only one
 * panel.
 * @param {HTMLElement} root
 * @param {HTMLElement} tabs
 */
export function createMore(root, tabs) {
  const [over, beside] = [createButton(), createButton()];
  root.append(over.button);
  tabs.append(beside.button);

  /** @param {Model} model */
  function update(model) {
    over.update(model);
    beside.update(model);
    root.hidden = over.button.hidden || model.shown.length < 2; // one panel alone has been chosen, or has tabs
  }
  return { update };
}
