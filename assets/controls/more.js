// @ts-check
import { element, intend, setText } from '../shell/dom.js';
import { counted, withSubscripts } from '../shell/words.js';

/** @typedef {import('../shell/types.js').Model} Model */

/**
 * The way to the panels that the canvas has no room for.
 * @param {HTMLElement} root
 */
export function createMore(root) {
  const list = element('div', { id: 'more-list', popover: true, class: 'note more-list', ontoggle: place });
  const button = element('button', { type: 'button', popovertarget: 'more-list' });
  root.append(button, list);
  let drawn = '';

  /** @param {ToggleEvent} e */
  function place(e) {
    if (e.newState !== 'open') return;
    const gap = 8;
    const { right, top } = button.getBoundingClientRect();
    list.style.setProperty('right', `${document.documentElement.clientWidth - right}px`);
    list.style.setProperty('bottom', `${innerHeight - top + gap}px`);
  }

  /** @param {string} id */
  function choose(id) {
    list.hidePopover();
    intend(button, 'hero', { panel: id });
  }

  /** @param {Model} model */
  function update({ panels, shown }) {
    // One panel alone has been asked for, or has tabs.
    const rest = shown.length > 1 ? panels.filter(({ id }) => !shown.includes(id)) : [];
    root.hidden = rest.length === 0;
    const key = JSON.stringify(rest.map(({ id, title }) => [id, title]));
    if (key === drawn) return;
    drawn = key;
    setText(button, `+${rest.length}`);
    button.title = `${counted(rest.length, 'more panel')}: one of them comes to the front`;
    button.setAttribute('aria-label', counted(rest.length, 'more panel'));
    button.dataset.names = rest.map(({ id }) => id).join(' ');
    list.replaceChildren(...rest.map(({ id, title }) => element('button', { type: 'button', 'data-names': id, onclick: () => choose(id) },
      withSubscripts(title))));
  }
  return { update };
}
