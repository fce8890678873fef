// @ts-check
// Builds the controls of single values and of texts.
import { frame, idOf, noteId, watchTyping, whileHeld } from './control-frame.js';
import { element, intend, setText } from '../shell/dom.js';
import { holds } from './parameters.js';
import { SLIDER_STEPS, fromSlider, isLog, textOf, toSlider } from './values.js';
import { formatNumber, withSubscripts } from '../shell/words.js';

/** @typedef {import('./control-frame.js').Control} Control */
/** @typedef {import('../shell/types.js').Descriptor} Descriptor */

/** @type {Record<string, number|undefined>} */
const ARROWS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };

/**
 * @param {Descriptor} d
 * @returns {Control}
 */
export function numberControl(d) {
  const log = isLog(d);
  const step = d.step || (d.type === 'integer' ? 1 : 'any');
  const number = element('input', {
    type: 'number', id: idOf(d), min: d.min, max: d.max, step: d.type === 'integer' ? 1 : 'any',
    inputmode: d.type === 'integer' ? 'numeric' : 'decimal',
    'aria-describedby': noteId(d), onchange: typed,
  });
  const untouched = watchTyping(number);
  const slider = element('input', {
    type: 'range', min: log ? 0 : d.min, max: log ? SLIDER_STEPS : d.max, step: log ? 1 : step, 'aria-label': `${d.label}, slider`,
  });
  let shown = NaN;
  /** The value that a key requests if no slider position has it. @type {number|undefined} */
  let asked;
  const moved = whileHeld(slider, slid);
  if (log && d.type === 'integer') slider.addEventListener('keydown', pressed);

  function typed() {
    const value = number.valueAsNumber;
    if (Number.isNaN(value)) show(shown);
    else intend(number, 'set', { name: d.name, value });
  }
  /** @param {boolean} hold */
  function slid(hold) {
    const value = asked ?? fromSlider(d, slider.valueAsNumber);
    asked = undefined;
    show(value);
    intend(slider, 'set', { name: d.name, value, hold });
  }
  /**
   * Moves to the next whole number, which can be many positions of a logarithmic slider away.
   * @param {KeyboardEvent} e
   */
  function pressed(e) {
    const by = ARROWS[e.key];
    if (by === undefined || e.ctrlKey || e.altKey || e.metaKey) return;
    e.preventDefault();
    const value = Math.min(Math.max(shown + by, Number(d.min)), Number(d.max));
    if (value === shown) return;
    asked = value;
    moved();
  }
  /** @param {number} value */
  function show(value) {
    shown = value;
    if (untouched() && number.valueAsNumber !== value) number.value = String(value);
    const position = toSlider(d, value);
    // While dragged, the thumb is ahead of the computation.
    if (slider.valueAsNumber !== position && !slider.matches(':active')) slider.value = String(position);
    slider.setAttribute('aria-valuetext', formatNumber(value));
    const low = Number(slider.min);
    slider.style.setProperty('--filled', String((slider.valueAsNumber - low) / (Number(slider.max) - low || 1)));
  }
  return { root: frame(d, idOf(d), element('div', { class: 'slider-and-number' }, slider, number)), show };
}

/**
 * Hides options that have no effect with the other values, except the chosen one.
 * @param {Descriptor} d
 * @param {HTMLElement[]} nodes  of its options
 * @param {any} value
 * @param {Record<string, any>} params
 */
function offer(d, nodes, value, params) {
  (d.options ?? []).forEach((o, i) => { nodes[i].hidden = o.value !== value && !holds(o.only, params); });
}

/**
 * @param {Descriptor} d
 * @returns {Control}
 */
export function selectControl(d) {
  const select = element('select', { id: idOf(d), 'aria-describedby': noteId(d),
    onchange: () => intend(select, 'set', { name: d.name, value: select.value }) },
    ...(d.options ?? []).map((o) => element('option', { value: o.value, disabled: Boolean(o.disabled), title: o.disabled }, o.label)));
  return { root: frame(d, idOf(d), select), show: (value, params) => {
    offer(d, [...select.options], value, params);
    select.value = value;
  } };
}

/**
 * @param {Descriptor} d
 * @returns {Control}
 */
export function radioControl(d) {
  const inputs = (d.options ?? []).map((o) => element('input', {
    type: 'radio', name: idOf(d), value: o.value, id: `${idOf(d)}-${o.value}`, disabled: Boolean(o.disabled),
    onchange: (/** @type {Event} */ e) => intend(/** @type {Element} */ (e.target), 'set', { name: d.name, value: o.value }),
  }));
  const labels = (d.options ?? []).map((o, i) => element('label', { for: inputs[i].id, title: withSubscripts(o.disabled || o.help || '') },
    inputs[i], element('span', {}, o.label)));
  const root = frame(d, null, element('div', { class: 'segments' }, ...labels));
  root.setAttribute('role', 'radiogroup');
  return { root, show: (value, params) => {
    offer(d, labels, value, params);
    inputs.forEach((input) => { input.checked = input.value === value; });
  } };
}

/**
 * @param {Descriptor} d
 * @returns {Control}
 */
export function boolControl(d) {
  const box = element('input', { type: 'checkbox', id: idOf(d), 'aria-describedby': noteId(d),
    onchange: () => intend(box, 'set', { name: d.name, value: box.checked }) });
  const root = frame(d, idOf(d));
  root.querySelector('.control-head')?.prepend(box);
  return { root, show: (value) => { box.checked = value; } };
}

/**
 * @param {Descriptor} d
 * @returns {Control}
 */
export function seedControl(d) {
  const input = element('input', {
    type: 'number', id: idOf(d), min: d.min, max: d.max, step: 1, inputmode: 'numeric', 'aria-describedby': noteId(d),
    onchange: () => { if (!Number.isNaN(input.valueAsNumber)) intend(input, 'set', { name: d.name, value: input.valueAsNumber }); },
  });
  const untouched = watchTyping(input);
  const fresh = element('button', { type: 'button', onclick: () => intend(fresh, 'newSeed') }, 'New seed');
  return { root: frame(d, idOf(d), element('div', { class: 'input-and-button' }, input, fresh)),
    show: (value) => { if (untouched() && input.value !== String(value)) input.value = String(value); } };
}

/**
 * Builds the control that resets points, which the visitor moves in the picture.
 * @param {Descriptor} d
 * @returns {Control}
 */
export function pointsControl(d) {
  const button = element('button', { type: 'button', onclick: () => intend(button, 'set', { name: d.name, value: [] }) },
    'Reset the points');
  const count = element('span', {});
  const root = frame(d, null, element('div', { class: 'moved' }, count, button));
  return {
    root,
    show(/** @type {number[][]|null} */ value) {
      const moved = (value ?? []).filter((point) => point.length > 0).length;
      root.hidden = moved === 0;
      setText(count, moved === 1 ? '1 point was moved.' : `${moved} points were moved.`);
    },
  };
}

/**
 * Builds the control of a list of a method's numbers, or of names, as text.
 * @param {Descriptor} d
 * @param {string} empty  the placeholder of an empty list
 * @returns {Control}
 */
export function listsControl(d, empty) {
  const input = element('input', {
    type: 'text', id: idOf(d), 'aria-describedby': noteId(d), placeholder: empty, inputmode: 'text', autocomplete: 'off',
    spellcheck: 'false',
    onchange: () => intend(input, 'set', { name: d.name, value: input.value.trim() }),
  });
  const untouched = watchTyping(input);
  return { root: frame(d, idOf(d), input), show: (value) => { if (untouched()) input.value = textOf(value); } };
}
