// @ts-check
import { element } from './dom.js';

/**
 * Messages to the visitor; each stays until it is dismissed.
 * @param {HTMLElement} root  a live region
 */
export function createNotices(root) {
  /** @type {Map<string, HTMLElement>} */
  const shown = new Map();

  /** @param {string} text */
  function dismiss(text) {
    shown.get(text)?.remove();
    shown.delete(text);
  }

  /**
   * @param {string} text
   * @param {'notice'|'error'} kind
   */
  function add(text, kind) {
    if (shown.has(text)) return;
    const item = element('div', { class: `notice ${kind}` },
      element('span', { class: 'notice-sign', 'aria-hidden': 'true' }, kind === 'error' ? '!' : 'i'),
      element('p', {}, text),
      element('button', { type: 'button', class: 'quiet', 'aria-label': `Dismiss: ${text}`, onclick: () => dismiss(text) }, '×'));
    shown.set(text, item);
    root.append(item);
  }

  return {
    /** @param {string} text */
    notice: (text) => add(text, 'notice'),
    /** @param {string} text */
    error: (text) => add(text, 'error'),
  };
}
