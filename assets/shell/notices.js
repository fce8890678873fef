// @ts-check
import { element } from './dom.js';
import { shapeOf } from './words.js';

const MOST = 20; // maximum number of messages; the oldest are dropped

/**
 * Shows messages to the visitor. Each stays until the visitor dismisses it, or until the same message with other numbers
 * replaces it.
 * @param {HTMLElement} root
 */
export function createNotices(root) {
  /** @type {Map<string, HTMLElement>} */
  const shown = new Map();
  const list = element('div', { class: 'notice-list', 'aria-live': 'polite' });
  const all = element('button', { type: 'button', class: 'dismiss-all', onclick: clear }, 'Dismiss all');
  root.append(list, all);
  settle();

  function settle() {
    root.classList.toggle('empty', shown.size === 0);
    all.hidden = shown.size < 2;
  }

  function clear() {
    for (const shape of [...shown.keys()]) dismiss(shape);
  }

  /** @param {string} shape */
  function dismiss(shape) {
    shown.get(shape)?.remove();
    shown.delete(shape);
    settle();
  }

  /**
   * @param {string} text
   * @param {'notice'|'error'} kind
   */
  function add(text, kind) {
    const shape = shapeOf(text);
    dismiss(shape);
    const item = element('div', { class: `notice ${kind}` },
      element('span', { class: 'notice-sign', 'aria-hidden': 'true' }, kind === 'error' ? '!' : 'i'),
      element('p', {}, text),
      element('button', { type: 'button', class: 'quiet', 'aria-label': `Dismiss: ${text}`, onclick: () => dismiss(shape) }, '×'));
    shown.set(shape, item);
    for (const oldest of [...shown.keys()].slice(0, -MOST)) dismiss(oldest);
    list.prepend(item);
    settle();
  }

  return {
    clear,
    /** @param {string} text */
    notice: (text) => add(text, 'notice'),
    /** @param {string} text */
    error: (text) => add(text, 'error'),
  };
}
