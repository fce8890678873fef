// @ts-check
import { element, setText } from './dom.js';

/** @typedef {import('./types.js').Model} Model */

const PARTS = /** @type {const} */ ([['try', 'Try'], ['controls', 'Controls'], ['lesson', 'Lesson'], ['numbers', 'Numbers']]);

/**
 * Builds the buttons that choose which part of the page is below the picture on a phone.
 * @param {HTMLElement} root
 * @param {HTMLElement} page  gets the choice as data-on-phone
 */
export function createPhoneTabs(root, page) {
  /** @type {Map<string, HTMLButtonElement>} */
  const buttons = new Map(PARTS.map(([id, label]) => [id, element('button', { type: 'button', onclick: () => choose(id) }, label)]));
  root.append(...buttons.values());
  let taught = '';
  choose('try');

  /** @param {string} id */
  function choose(id) {
    page.dataset.onPhone = id;
    for (const [of, button] of buttons) button.setAttribute('aria-pressed', String(of === id));
  }

  /** @param {Model} model */
  function update({ lesson }) {
    const button = /** @type {HTMLButtonElement} */ (buttons.get('lesson'));
    button.hidden = !lesson;
    setText(button, lesson ? `Lesson ${lesson.step}/${lesson.definition.steps.length}${lesson.reached ? ' ✓' : ''}` : 'Lesson');
    button.classList.toggle('told', Boolean(lesson?.reached) && page.dataset.onPhone !== 'lesson');
    const name = lesson?.name ?? '';
    if (name === taught) return;
    taught = name;
    // An opened lesson comes to the front; a closed one goes back.
    if (name) choose('lesson');
    else if (page.dataset.onPhone === 'lesson') choose('try');
  }
  return { update };
}
