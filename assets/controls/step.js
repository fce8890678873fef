// @ts-check
import { element, setIndexed, setText } from '../shell/dom.js';
import { fragment } from '../lesson/lesson.js';
import { throttled } from '../shell/pacing.js';
import { methodSign } from './method-sign.js';
import { noStep, stepWords } from '../lesson/teaching.js';

/** @typedef {import('../shell/types.js').Model} Model */
/** @typedef {import('../shell/types.js').Equation} Equation */

const EVERY = 150; // in milliseconds: faster changes are unreadable

/**
 * Shows the step in numbers: the formula of the selected run's step, in symbols and with the numbers of the step that
 * led to the marker.
 * @param {HTMLElement} root
 */
export function createStep(root) {
  const of = element('p', { class: 'step-of' });
  const text = element('p', { class: 'step-text' });
  const symbols = element('div', { class: 'step-formula', role: 'group', 'aria-label': 'In symbols', tabindex: '0' });
  const numbers = element('div', { class: 'step-formula', role: 'group', 'aria-label': 'In numbers', tabindex: '0' });
  const none = element('p', { class: 'step-none' });
  const formula = element('div', { class: 'step-formulas' }, symbols, numbers, text);
  const head = element('div', { class: 'step-head' }, element('h2', {}, 'The step in numbers'), of);
  root.classList.add('step');
  root.append(head, formula, none);

  /** @type {Equation|undefined} */
  let drawn;
  let method = '';
  /** @type {[string, Element][]} */
  let slots = [];
  /** @type {Model} */
  let model;

  /** @param {Equation} equation */
  function build(equation) {
    symbols.replaceChildren(fragment(equation.symbols));
    numbers.replaceChildren(fragment(equation.numbers));
    setIndexed(text, equation.text);
    slots = [...numbers.querySelectorAll('[data-fact]')].map((slot) => [slot.getAttribute('data-fact') ?? '', slot]);
  }

  const draw = throttled(() => {
    const { scene, state, equation } = model;
    const run = state.runs.find(({ name }) => name === state.selected);
    const known = scene?.methods.find(({ id }) => id === (run?.method ?? equation?.method));
    const sign = `${scene?.id} ${known?.id}`;
    if (sign !== method) {
      method = sign;
      head.querySelector('svg')?.remove();
      if (known) {
        of.before(methodSign(known));
        root.style.setProperty('--sign-light', known.sign.light);
        root.style.setProperty('--sign-dark', known.sign.dark);
      }
    }
    const found = equation ? scene?.equations?.find(({ id }) => id === equation.id) : undefined;
    setText(of, stepWords(model));
    formula.hidden = !found;
    setText(none, found ? '' : noStep(model));
    if (!found || !equation) return;
    if (found !== drawn) {
      drawn = found;
      build(found);
    }
    for (const [name, slot] of slots) setText(slot, equation.numbers[name] ?? '–');
  }, () => EVERY);

  return {
    /** @param {Model} now */
    update(now) {
      model = now;
      draw();
    },
  };
}
