// @ts-check
// Provides what all parameter controls share: their frame, and sliders that can be held.
import { element, intend } from '../shell/dom.js';
import { ALONE } from '../platform/files.js';
import { helpNote, parameterHelp } from '../shell/help.js';
import { movesSlider } from '../shell/keys.js';

/** @typedef {import('../shell/types.js').Descriptor} Descriptor */

/**
 * A control: its element, and a function that shows a value, given the values of the other parameters and the value's
 * faults.
 * @typedef {{root: HTMLElement, show: (value: any, params: Record<string, any>, faults: import('../shell/types.js').Fault[]) => void}}
 * Control
 */

/** Types of parameters whose values can be compared side by side. */
const TRIED = new Set(['number', 'integer', 'choice', 'bool']);

/** Whether the controls' scene has runs; if so, the help says how a change affects them. */
let haveRuns = true;

/** @param {boolean} runs */
export function describeFor(runs) {
  haveRuns = runs;
}

/**
 * Builds the frame of a control: label, symbol, help and contents.
 * @param {Descriptor} d
 * @param {string|null} forId  the labelled input; null if the frame itself is the group
 * @param {...Node} inside
 */
export function frame(d, forId, ...inside) {
  const { button, note } = helpNote(noteId(d), d.label, ...parameterHelp(d, haveRuns));
  const [letter, lowered] = d.symbol.split('_'); // Unicode lacks Greek subscripts, such as the ω of μ_ω
  const symbol = letter && d.symbol !== d.label ? element('i', { class: 'symbol' }, letter, lowered ? element('sub', {}, lowered) : null)
    : null;
  const unit = d.unit && d.unit !== d.label.toLowerCase() ? element('span', { class: 'unit' }, d.unit) : null;
  const name = [element('span', {}, d.label), symbol, unit];
  const tried = TRIED.has(d.type) && !ALONE ? [tryAll(d)] : [];
  const head = element('div', { class: 'control-head' },
    forId ? element('label', { for: forId }, ...name) : element('span', { id: `${idOf(d)}-label`, class: 'label' }, ...name),
    ...tried, button);
  const attributes = forId ? {} : { 'aria-labelledby': `${idOf(d)}-label` };
  return element('fieldset', { class: `control control-${d.type}`, 'data-param': d.name, ...attributes }, head, ...inside, note);
}

/** @param {Descriptor} d */
function tryAll(d) {
  const button = element('button', { type: 'button', class: 'try-all', title: 'Compare several values side by side',
    'aria-label': `Try all values of ${d.label}`, onclick: () => intend(button, 'try', { name: d.name }) }, '⊞');
  return button;
}

/**
 * Returns a function that reports whether an input is at rest. A value that arrives while the visitor types does not
 * overwrite the input.
 * @param {HTMLInputElement} input
 */
export function watchTyping(input) {
  let typing = false;
  input.addEventListener('input', () => { typing = true; });
  const end = () => { typing = false; };
  // In the capture phase, to run before the listener that reads the value.
  input.addEventListener('change', end, { capture: true });
  input.addEventListener('blur', end);
  return () => !typing;
}

/**
 * Sends a slider's values, and says whether it is held by pointer or key. Only the last value is computed completely.
 * @param {HTMLInputElement} slider
 * @param {(hold: boolean) => void} send  sends the slider's value
 */
export function whileHeld(slider, send) {
  let pointed = false;
  let keyed = false;
  let held = false;

  function moved() {
    const hold = pointed || keyed;
    if (hold) held = true;
    send(hold);
  }
  function release() {
    pointed = keyed = false;
    if (!held) return;
    held = false;
    intend(slider, 'release');
  }
  slider.addEventListener('pointerdown', () => { pointed = true; });
  slider.addEventListener('keydown', (e) => { if (movesSlider(e)) keyed = true; });
  slider.addEventListener('input', moved);
  for (const end of ['pointerup', 'pointercancel', 'keyup', 'blur']) slider.addEventListener(end, release);
  // A key fires change at each repetition, a pointer only at its end.
  slider.addEventListener('change', () => { if (!keyed) release(); });
  return moved;
}

/** @param {Descriptor} d */
export const idOf = (d) => `param-${d.name.replaceAll('.', '-')}`;
/** @param {Descriptor} d */
export const noteId = (d) => `${idOf(d)}-help`;
