// @ts-check
import { element, intend, setText } from '../shell/dom.js';
import { counted } from '../shell/words.js';

/** @typedef {import('../shell/types.js').Model} Model */

/**
 * Builds the button that shows and hides the panels hidden at first.
 * @param {(n: number) => string} words  for the number of hidden panels
 */
function createButton(words) {
  let all = false; // what a press requests
  const button = element('button', { type: 'button', class: 'more-button', hidden: true, 'aria-expanded': 'false',
    onclick: () => intend(button, 'panels', { all }) });

  /** @param {Model} model */
  function update({ panels, state }) {
    const hidden = panels.filter((panel) => panel.hidden);
    all = hidden.length > 0;
    button.hidden = !all && !state.allPanels;
    const text = all ? `+${words(hidden.length)}` : '−';
    setText(button, text);
    button.setAttribute('aria-expanded', String(!all));
    const label = all ? `Show ${counted(hidden.length, 'more panel')}` : 'Show fewer panels';
    button.setAttribute('aria-label', all ? `${text}: ${label}` : label); // speech control finds a button by its visible text
    button.title = all ? `${label}: ${hidden.map(({ title }) => title).join('; ')}` : label;
    button.dataset.names = hidden.map(({ id }) => id).join(' ');
  }
  return { button, update };
}

/**
 * Builds the access to the panels hidden at first: a button over the picture, and one at the end of the tabs. The tabs
 * exist only if there is room for a single panel.
 * @param {HTMLElement} root
 * @param {HTMLElement} tabs
 */
export function createMore(root, tabs) {
  const [over, beside] = [createButton((n) => counted(n, 'panel')), createButton(String)];
  root.append(over.button);
  tabs.append(beside.button);

  /** @param {Model} model */
  function update(model) {
    over.update(model);
    beside.update(model);
    root.hidden = over.button.hidden || model.shown.length < 2; // only one panel is chosen, or the panels have tabs
  }
  return { update };
}
