// @ts-check
// Builds the control of a text, such as a formula: a field that marks faults, and sliders for the numbers that its lines
// name.
import { frame, idOf, noteId, watchTyping, whileHeld } from './control-frame.js';
import { element, intend, setText } from '../shell/dom.js';
import { faultParts, namedNumbers, rangeFor, refusal, signsOf, withNamed, writtenValue } from './formula-text.js';
import { formatNumber } from '../shell/words.js';

/** @typedef {import('./control-frame.js').Control} Control */
/** @typedef {import('../shell/types.js').Descriptor} Descriptor */
/** @typedef {import('../shell/types.js').Fault} Fault */
/** @typedef {import('./formula-text.js').Range} Range */

const PAUSE = 300; // in milliseconds after the last key

/**
 * @param {Descriptor} d
 * @returns {Control}
 */
export function textControl(d) {
  const wrong = element('p', { id: `${idOf(d)}-fault`, class: 'fault', role: 'status' });
  const field = element('textarea', {
    id: idOf(d), rows: 1, spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', autocorrect: 'off', inputmode: 'text',
    translate: 'no', 'aria-describedby': `${wrong.id} ${noteId(d)}`, oninput: typed, onblur: send, onbeforeinput: entered,
  });
  const under = element('div', { class: 'text-under', 'aria-hidden': 'true', translate: 'no' });
  const signs = element('div', { class: 'text-signs', role: 'group', 'aria-label': `Signs for ${d.label}` },
    ...signsOf(d.default).map((sign) => element('button', { type: 'button', onpointerdown: keepFocus, onmousedown: keepFocus,
      onclick: () => insert(sign) }, sign)));
  const numbers = element('div', { class: 'text-numbers' });

  let timer = 0;
  /** The typed text that the state does not have yet. @type {string|undefined} */
  let typedText;
  let before = '';
  /** The texts sent since then, which the state adopts one after the other. @type {string[]} */
  let sent = [];
  /** The faults of the field's text. @type {Fault[]} */
  let faults = [];
  /** The faults of the state's text. @type {Fault[]} */
  let known = [];
  /** @type {Map<string, ReturnType<typeof numberRow>>} */
  const rows = new Map();

  /** @param {Event} e */
  function keepFocus(e) {
    e.preventDefault();
  }

  function typed() {
    if (!d.lines && field.value.includes('\n')) {
      const at = field.selectionStart;
      field.value = field.value.replaceAll('\n', ' ');
      field.setSelectionRange(at, at);
    }
    begin();
    clearTimeout(timer);
    timer = window.setTimeout(send, PAUSE);
  }

  /** Marks the field as ahead of the state. */
  function begin() {
    typedText = field.value;
    faults = []; // they belong to another text
    draw();
  }

  function send() {
    clearTimeout(timer);
    timer = 0;
    if (typedText === undefined || sent.at(-1) === typedText) return;
    if (sent.length > 0 || typedText !== before) {
      ask(false);
      return;
    }
    typedText = undefined; // the text is back at the state's
    faults = known;
    draw();
  }

  /** @param {boolean} hold */
  function ask(hold) {
    if (refusal(field.value, Number(d.atMost))) return;
    sent.push(field.value);
    intend(field, 'set', { name: d.name, value: field.value, hold });
  }

  /**
   * Keeps Enter from starting a line in a one-line text. Phone keyboards send only this event.
   * @param {InputEvent} e
   */
  function entered(e) {
    if (d.lines || e.inputType !== 'insertLineBreak' && e.inputType !== 'insertParagraph') return;
    e.preventDefault();
    send();
  }

  /**
   * Inserts a sign at the cursor as if typed, so that the browser's undo removes it.
   * @param {string} sign
   */
  function insert(sign) {
    const active = document.activeElement;
    field.focus({ preventScroll: true });
    if (!document.execCommand('insertText', false, sign)) {
      field.setRangeText(sign, field.selectionStart, field.selectionEnd, 'end');
      typed();
    }
    if (active instanceof HTMLElement && active !== field && signs.contains(active)) active.focus({ preventScroll: true });
  }

  /**
   * Changes the value of a named number.
   * @param {string} name
   * @param {number} value
   * @param {boolean} hold
   */
  function rewrite(name, value, hold) {
    clearTimeout(timer);
    timer = 0;
    field.value = withNamed(field.value, name, value);
    begin();
    ask(hold);
  }

  /**
   * Builds the slider of a named number, with a field for its digits.
   * @param {string} name
   */
  function numberRow(name) {
    const id = `${idOf(d)}-number-${name}`;
    const slider = element('input', { type: 'range', 'aria-label': `${name}, slider` });
    const digits = element('input', { type: 'number', id, step: 'any', inputmode: 'decimal', onchange: () => {
      const value = digits.valueAsNumber;
      if (Number.isFinite(value)) rewrite(name, value, false);
      else digits.value = String(shown);
    } });
    const untouched = watchTyping(digits);
    /** @type {Range|undefined} */
    let range;
    let shown = NaN;
    /** The last value that the slider itself requested. @type {number|undefined} */
    let asked;
    whileHeld(slider, (hold) => {
      asked = writtenValue(slider.valueAsNumber, /** @type {Range} */ (range));
      rewrite(name, asked, hold);
    });
    /** @param {number} value */
    function show(value) {
      range = rangeFor(value, range, value === asked || slider.matches(':active'));
      if (value !== asked) asked = undefined;
      shown = value;
      for (const [attribute, end] of Object.entries(range)) {
        if (slider.getAttribute(attribute) !== String(end)) slider.setAttribute(attribute, String(end));
      }
      if (!slider.matches(':active')) slider.value = String(value);
      slider.setAttribute('aria-valuetext', formatNumber(value));
      slider.style.setProperty('--filled', String((value - range.min) / (range.max - range.min)));
      if (untouched() && digits.valueAsNumber !== value) digits.value = String(value);
    }
    const root = element('div', { class: 'text-number' }, element('label', { for: id }, name),
      element('div', { class: 'slider-and-number' }, slider, digits));
    return { root, show };
  }

  function drawNumbers() {
    const named = namedNumbers(field.value);
    for (const name of rows.keys()) {
      if (!named.some((n) => n.name === name)) rows.delete(name);
    }
    named.forEach(({ name, value }, i) => {
      const row = rows.get(name) ?? numberRow(name);
      rows.set(name, row);
      // A row already in its place is not moved: a dragged slider must not leave the document.
      if (numbers.children[i] !== row.root) numbers.insertBefore(row.root, numbers.children[i] ?? null);
      row.show(value);
    });
    while (numbers.children.length > named.length) numbers.lastElementChild?.remove();
  }

  function draw() {
    const text = field.value;
    const refused = refusal(text, Number(d.atMost));
    // A mark behind the field underlines the fault. A final line end counts as a line only if text follows.
    under.replaceChildren(...faultParts(text, refused ? [] : faults).map(({ text: part, fault }) => (fault
      ? element('mark', {}, part === '' || part === '\n' ? `\u00a0${part}` : part) : part)), '\u200b');
    setText(wrong, refused || faults.map(({ line, column, text: words }) => `${line}:${column}: ${words}`).join('\n'));
    if (wrong.textContent === '') field.removeAttribute('aria-invalid');
    else field.setAttribute('aria-invalid', 'true');
    drawNumbers();
  }

  /**
   * @param {string} value
   * @param {Record<string, any>} _
   * @param {Fault[]} found
   */
  function show(value, _, found) {
    const own = sent.includes(value);
    if (typedText !== undefined && typedText !== value && (timer !== 0 || value === before || own)) return; // the state will catch up
    before = value;
    typedText = undefined;
    sent = [];
    faults = known = found;
    if (field.value !== value) field.value = value;
    draw();
  }

  const root = frame(d, idOf(d), element('div', { class: 'text-field' }, under, field), wrong, signs, numbers);
  return { root, show };
}
