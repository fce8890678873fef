// @ts-check
// Builds the controls of sets, rows of numbers, shares of a whole and the camera.
import { frame, idOf, watchTyping, whileHeld } from './control-frame.js';
import { element, intend, setText } from '../shell/dom.js';
import { methodSign } from './method-sign.js';
import { rove } from '../shell/roving.js';
import { readRows, sharesOf, textOf, withNumber, withShare } from './values.js';
import { formatNumber, withSubscripts } from '../shell/words.js';

/** @typedef {import('./control-frame.js').Control} Control */
/** @typedef {import('../shell/types.js').Descriptor} Descriptor */
/** @typedef {import('../shell/types.js').Scene} Scene */

/**
 * Builds the control of a set: options as pills, each with its method's sign. The chosen ones come first, the others are
 * folded.
 * @param {Descriptor} d
 * @param {Scene|undefined} scene
 * @returns {Control}
 */
export function setControl(d, scene) {
  const methodOf = (/** @type {string} */ value) => scene?.methods.find((m) => m.id === value);
  const described = { ...d, options: d.options?.map((o) => ({ ...o,
    help: [o.help || methodOf(o.value)?.help, methodOf(o.value)?.paper].filter(Boolean).join(' ') })) };
  const pills = (d.options ?? []).map((o) => {
    const method = methodOf(o.value);
    const box = element('input', { type: 'checkbox', value: o.value, id: `${idOf(d)}-${o.value}`, disabled: Boolean(o.disabled),
      onchange: changed });
    const title = withSubscripts(o.disabled || o.help || method?.help || '');
    const pill = element('label', { for: box.id, class: o.disabled ? 'pill absent' : 'pill', title },
      box, method ? methodSign(method) : null, element('span', {}, o.label));
    return { box, pill };
  });
  const first = element('div', { class: 'pills' });
  const others = element('div', { class: 'pills' });
  const summary = element('summary', {});
  const more = element('details', { class: 'set-more' }, summary, others);
  const root = frame(described, null, first, more);
  const settles = [first, others].map((pills) => rove(pills, 'input:not(:disabled)'));
  /** @type {string[]} */
  let value = [];
  let order = '';

  function changed() {
    intend(root, 'set', { name: d.name, value: pills.filter(({ box }) => box.checked).map(({ box }) => box.value) });
  }

  /** Sorts the options, but leaves the focused one in place. */
  function sort() {
    if (order === value.join() || root.contains(document.activeElement)) return;
    order = value.join();
    const running = pills.filter(({ box }) => value.includes(box.value));
    const rest = pills.filter((pill) => !running.includes(pill));
    first.replaceChildren(...running.map(({ pill }) => pill));
    others.replaceChildren(...rest.map(({ pill }) => pill));
    setText(summary, `${rest.length} more`);
    more.hidden = rest.length === 0;
    for (const settle of settles) settle();
  }
  root.addEventListener('focusout', () => setTimeout(sort));

  return {
    root,
    show(/** @type {string[]} */ now) {
      value = now;
      for (const { box } of pills) box.checked = value.includes(box.value);
      sort();
    },
  };
}

/**
 * Builds the control of rows of numbers, with buttons to add and remove rows.
 * @param {Descriptor} d
 * @returns {Control}
 */
export function matrixControl(d) {
  const body = element('tbody');
  const fixed = d.atLeast === d.atMost;
  const more = element('button', { type: 'button', onclick: add }, 'Add a row');
  const root = frame(d, null, element('table', { class: 'matrix' }, body), ...(fixed ? [] : [more]));
  const settle = rove(body, 'button:not(:disabled)');
  /** @type {number[][]} */
  let rows = [];
  /** @type {HTMLInputElement[][]} */
  let inputs = [];
  let typing = false;

  /**
   * Sends rows. The next change builds on them even before the page has shown them.
   * @param {number[][]} value
   */
  function send(value) {
    rows = value;
    intend(root, 'set', { name: d.name, value: textOf(value) });
  }

  function add() {
    // A copy of the last row, slightly rotated, so that both are visible.
    const [x, y, ...rest] = rows[rows.length - 1];
    const turn = (/** @type {number} */ v) => Number(v.toPrecision(3));
    send([...rows, [turn(0.8 * x - 0.6 * y), turn(0.6 * x + 0.8 * y), ...rest]]);
  }

  /** @param {number} i @param {number} j */
  function typed(i, j) {
    typing = false;
    const value = inputs[i][j].valueAsNumber;
    if (Number.isNaN(value)) show(rows);
    else send(rows.map((row, r) => row.map((v, c) => (r === i && c === j ? value : v))));
  }

  function build() {
    inputs = rows.map((row, i) => row.map((_, j) => element('input', {
      type: 'number', step: 'any', min: d.min, max: d.max, 'aria-label': `${d.label}, row ${i + 1}, column ${j + 1}`,
      oninput: () => { typing = true; }, onchange: () => typed(i, j), onblur: () => { typing = false; },
    })));
    body.replaceChildren(...inputs.map((row, i) => {
      const remove = element('button', { type: 'button', class: 'quiet', 'aria-label': `Remove row ${i + 1}`,
        disabled: rows.length <= (d.atLeast ?? 1), onclick: () => send(rows.filter((_, r) => r !== i)) }, '×');
      return element('tr', {}, ...row.map((input) => element('td', {}, input)), fixed ? null : element('td', {}, remove));
    }));
    settle();
    more.disabled = rows.length >= (d.atMost ?? Infinity);
  }

  /** @param {number[][]} value */
  function show(value) {
    rows = value;
    if (inputs.length !== rows.length || inputs[0]?.length !== rows[0]?.length) build();
    if (typing) return;
    rows.forEach((row, i) => row.forEach((v, j) => { if (inputs[i][j].valueAsNumber !== v) inputs[i][j].value = String(v); }));
  }

  // Rows pasted into a cell replace the matrix.
  body.addEventListener('paste', (e) => {
    const pasted = readRows(e.clipboardData?.getData('text') ?? '');
    if (!pasted || pasted.length < (d.atLeast ?? 1) || pasted.flat().length < 2) return;
    e.preventDefault();
    send(pasted);
  });
  return { root, show };
}

/** Up to this number, each share has a slider; beyond it, the visitor selects a share by its number. */
const FEW_SHARES = 12;

/**
 * Builds the control of shares of a whole: setting one share rescales the others.
 * @param {Descriptor} d
 * @returns {Control}
 */
export function simplexControl(d) {
  /** @type {number[]} */
  let shares = [];
  /** @type {{at: () => number, slider: HTMLInputElement, output: HTMLOutputElement}[]} */
  let rows = [];
  const body = element('div', { class: 'shares' });
  const equal = element('button', { type: 'button',
    onclick: () => intend(equal, 'set', { name: d.name, value: d.count ? [] : shares.map(() => 1 / shares.length) }) }, 'Equal shares');
  const root = frame(d, null, body, equal);

  /** @param {() => number} at  the share, from 0 @param {string} label */
  function row(at, label) {
    const slider = element('input', { type: 'range', min: d.min, max: 1, step: 0.001, 'aria-label': label });
    whileHeld(slider, (hold) => intend(slider, 'set',
      { name: d.name, value: withShare(shares, at(), slider.valueAsNumber, d.min ?? 0), hold }));
    rows.push({ at, slider, output: element('output', {}) });
    return [slider, rows[rows.length - 1].output];
  }

  function build() {
    rows = [];
    if (shares.length <= FEW_SHARES) {
      body.replaceChildren(...shares.map((_, i) => element('div', { class: 'share-row' }, element('span', {}, String(i + 1)),
        ...row(() => i, `${d.label}, share ${i + 1}`))));
      return;
    }
    const picked = element('input', {
      type: 'number', id: `${idOf(d)}-at`, min: 1, max: shares.length, step: 1, value: 1, inputmode: 'numeric', oninput: fill,
      onchange: fill,
    });
    const at = () => Math.min(Math.max(Math.round(picked.valueAsNumber) || 1, 1), shares.length) - 1;
    const label = element('label', { for: picked.id }, 'Share of');
    body.replaceChildren(element('div', { class: 'share-row picked' }, label, picked, ...row(at, `${d.label}, the selected share`)));
  }

  function fill() {
    for (const { at, slider, output } of rows) {
      const share = shares[at()];
      // While dragged, the thumb is ahead of the computation.
      if (!slider.matches(':active')) slider.value = String(share);
      slider.style.setProperty('--filled', String((slider.valueAsNumber - Number(slider.min)) / (1 - Number(slider.min) || 1)));
      slider.setAttribute('aria-valuetext', formatNumber(share));
      setText(output, formatNumber(share));
    }
  }

  return {
    root,
    show(/** @type {number[]} */ value, params) {
      const built = shares.length;
      shares = sharesOf(d, value, params);
      equal.disabled = shares.every((v) => Math.abs(v - shares[0]) < 1e-9);
      if (shares.length !== built) build();
      fill();
    },
  };
}

/**
 * Builds the control of whole numbers, one for each objective, which do not affect each other.
 * @param {Descriptor} d
 * @returns {Control}
 */
export function wholeControl(d) {
  /** @type {number[]} */
  let numbers = [];
  /** @type {{slider: HTMLInputElement, number: HTMLInputElement, untouched: () => boolean}[]} */
  let rows = [];
  const body = element('div', { class: 'shares' });
  const ones = element('button', { type: 'button',
    onclick: () => intend(ones, 'set', { name: d.name, value: d.count ? [] : numbers.map(() => 1) }) }, 'Once each');
  const root = frame(d, null, body, ones);

  /** @param {number} i */
  function row(i) {
    const range = { min: 0, max: d.max, step: 1 };
    const label = `${d.label}, objective ${i + 1}`;
    const slider = element('input', { type: 'range', ...range, 'aria-label': `${label}, slider` });
    const number = element('input', { type: 'number', ...range, inputmode: 'numeric', 'aria-label': label, onchange: () => send(number) });
    /** @param {HTMLInputElement} from @param {boolean} [hold] */
    function send(from, hold) {
      if (!Number.isNaN(from.valueAsNumber)) {
        numbers = withNumber(d, numbers, i, from.valueAsNumber);
        intend(from, 'set', { name: d.name, value: numbers, hold });
      }
      from.value = String(numbers[i]);
      fill();
    }
    whileHeld(slider, (hold) => send(slider, hold));
    rows.push({ slider, number, untouched: watchTyping(number) });
    return element('div', { class: 'share-row whole' }, element('span', {}, String(i + 1)), slider, number);
  }

  function fill() {
    rows.forEach(({ slider, number, untouched }, i) => {
      // While dragged, the thumb is ahead of the computation.
      if (!slider.matches(':active')) slider.value = String(numbers[i]);
      slider.style.setProperty('--filled', String(slider.valueAsNumber / Number(d.max)));
      if (untouched() && number.valueAsNumber !== numbers[i]) number.value = String(numbers[i]);
    });
    ones.disabled = numbers.every((v) => v === 1);
  }

  return {
    root,
    show(/** @type {number[]} */ value, params) {
      numbers = sharesOf(d, value, params);
      if (rows.length !== numbers.length) {
        rows = [];
        body.replaceChildren(...numbers.map((_, i) => row(i)));
      }
      fill();
    },
  };
}

const CAMERA = [
  { label: 'Azimuth', unit: '°', min: -180, max: 180, step: 1 },
  { label: 'Elevation', unit: '°', min: -90, max: 90, step: 1 },
  { label: 'Distance', unit: '', min: 0.25, max: 4, step: 0.05 },
];

/**
 * Builds the control of a 3D picture's viewpoint.
 * @param {Descriptor} d
 * @returns {Control}
 */
export function cameraControl(d) {
  /** @type {number[]} */
  let camera = [];
  const sliders = CAMERA.map(({ label, min, max, step }, i) => {
    const slider = element('input', { type: 'range', min, max, step, 'aria-label': `Camera: ${label.toLowerCase()}` });
    whileHeld(slider, (hold) => intend(slider, 'set',
      { name: d.name, value: camera.map((v, j) => (j === i ? slider.valueAsNumber : v)), hold }));
    return slider;
  });
  const values = CAMERA.map(() => element('output', {}));
  const root = frame(d, null, ...CAMERA.map(({ label }, i) => (
    element('div', { class: 'camera-row' }, element('span', {}, label), sliders[i], values[i]))));
  return {
    root,
    show(/** @type {number[]} */ value) {
      camera = value;
      value.forEach((v, i) => {
        const { min, max, unit } = CAMERA[i];
        if (!sliders[i].matches(':active')) sliders[i].value = String(v);
        sliders[i].style.setProperty('--filled', String((v - min) / (max - min)));
        setText(values[i], formatNumber(v) + unit);
      });
    },
  };
}
