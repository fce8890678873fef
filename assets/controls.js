// @ts-check
import { SLIDER_STEPS, formatNumber, fromSlider, grouped, isLog, isOfUse, isWhole, matches, movesSlider, readRows, sharesOf, takesPart, textOf, toSlider, withNumber, withShare } from './logic.js';
import { element, intend, setText } from './dom.js';
import { helpNote, parameterHelp } from './help.js';
import { methodSign } from './method-sign.js';

/** @typedef {import('./types.js').Descriptor} Descriptor */
/** @typedef {import('./types.js').Model} Model */
/** @typedef {import('./types.js').Scene} Scene */

/**
 * One control: its element, and how it shows a value beside those of the other parameters.
 * @typedef {{root: HTMLElement, show: (value: any, params: Record<string, any>) => void}} Control
 */

/** Parameters that have their place elsewhere on the page. */
const ELSEWHERE = new Set(['speed']);

/** Whether the scene that controls are made for has runs: their help says what becomes of them. */
let haveRuns = true;

/** The group that comes last. */
const LAST = 'More';

/**
 * The column of parameters, made from their descriptors: those that matter now, the
 * methods, and all others behind one button.
 * @param {HTMLElement} root
 */
export function createControls(root) {
  const undo = element('button', { type: 'button', id: 'undo', title: 'Take the last change back (Ctrl+Z)', onclick: () => intend(undo, 'undo') }, 'Undo');
  const defaults = element('button', { type: 'button', id: 'defaults', title: 'The scene as it was opened; pinned runs stay', onclick: () => intend(defaults, 'defaults') }, 'Defaults');
  const front = element('section', { class: 'group front', 'aria-label': 'Key controls' });
  const methods = element('section', { class: 'group methods', 'aria-label': 'Methods' });
  const search = element('input', { type: 'search', id: 'search', placeholder: 'Search', autocomplete: 'off', spellcheck: 'false', 'aria-label': 'Search the controls', oninput: sift });
  const nothing = element('p', { class: 'nothing', hidden: true, role: 'status' }, 'No control has these words.');
  const rest = element('div', { class: 'rest' });
  const count = element('summary', {}, 'All');
  const all = element('details', { id: 'all', class: 'all' }, count, search, nothing, rest);
  root.append(element('div', { class: 'changes' }, undo, defaults), front, methods, all);
  /** @type {string} */
  let built = '';
  /** @type {{descriptor: Descriptor, control: Control, reason: HTMLElement|null, front: boolean}[]} */
  let controls = [];

  /** @param {Model} model */
  function build({ params, scene, state }) {
    haveRuns = scene?.runs !== false;
    const make = (/** @type {Descriptor} */ descriptor, /** @type {boolean} */ isFront) => {
      const owner = descriptor.method && scene?.methods.find((m) => m.id === descriptor.method);
      const control = createControl(owner ? belonging(descriptor, owner.title) : descriptor, scene);
      const reason = owner ? element('p', { class: 'reason', hidden: true }, `Used by ${owner.title}, which is switched off.`) : null;
      if (reason) control.root.append(reason);
      controls.push({ descriptor, control, reason, front: isFront });
      return control.root;
    };
    controls = [];
    const here = params.filter((d) => !ELSEWHERE.has(d.name));
    const set = here.find((d) => d.type === 'set' && !d.open);
    const keys = state.keys.flatMap((name) => here.find((d) => d.name === name && d !== set) ?? []);
    front.replaceChildren(...keys.map((d) => make(d, true)));
    methods.replaceChildren(...(set ? [make(set, true)] : []));
    const groups = grouped(here.filter((d) => d !== set && !keys.includes(d)));
    groups.sort((a, b) => Number(a.title === LAST) - Number(b.title === LAST));
    rest.replaceChildren(...groups.map(({ title, members }) => element('section', { class: 'group', 'aria-label': title || 'Parameters' },
      title ? element('h3', {}, title) : null, ...members.map((d) => make(d, false)))));
  }

  /** Shows the controls that have the words that are searched for. */
  function sift() {
    let found = 0;
    for (const { descriptor, control, front } of controls) {
      if (front) continue;
      const hidden = !matches(descriptor, search.value);
      control.root.classList.toggle('unmatched', hidden);
      if (!hidden && !control.root.classList.contains('unused')) found++;
    }
    nothing.hidden = found > 0;
  }

  /** @param {Model} model */
  function update(model) {
    const { params, scene, state } = model;
    const key = JSON.stringify([params.map(({ value, ...descriptor }) => descriptor), scene?.id, state.keys]);
    if (key !== built) {
      built = key;
      build(model);
    }
    let others = 0;
    for (const { descriptor, control, reason, front } of controls) {
      const used = isOfUse(descriptor, state.params);
      control.root.classList.toggle('unused', !used);
      if (used && !front) others++;
      control.show(state.params[descriptor.name] ?? descriptor.default, state.params);
      if (!reason) continue;
      const idle = !takesPart(descriptor, state.params);
      reason.hidden = !idle;
      /** @type {HTMLFieldSetElement} */ (control.root).disabled = idle;
    }
    setText(count, `All (${others})`);
    all.hidden = others === 0;
    sift();
    undo.disabled = !state.undo;
    defaults.disabled = !state.changed;
  }

  return { update };
}

/**
 * A parameter called method.name, with the method in its label.
 * @param {Descriptor} d
 * @param {string} title  of the method
 * @returns {Descriptor}
 */
const belonging = (d, title) => (d.name.includes('.') && !d.label.includes(title) ? { ...d, label: `${title}: ${d.label}` } : d);

/**
 * @param {Descriptor} d
 * @param {Scene|undefined} scene
 * @returns {Control}
 */
function createControl(d, scene) {
  switch (d.type) {
    case 'number':
    case 'integer':
      return numberControl(d);
    case 'choice':
      return (d.options ?? []).length <= 3 ? radioControl(d) : selectControl(d);
    case 'set':
      return d.open ? listsControl(d, 'names, parted by commas') : setControl(d, scene);
    case 'bool':
      return boolControl(d);
    case 'seed':
      return seedControl(d);
    case 'points':
      return d.method ? listsControl(d, 'none') : pointsControl(d);
    case 'matrix':
      return matrixControl(d);
    case 'simplex':
      return isWhole(d) ? wholeControl(d) : simplexControl(d);
    case 'camera':
      return cameraControl(d);
    default:
      throw new Error(`${d.name}: the page has no control for a ${d.type}`);
  }
}

/**
 * The frame of every control: label, symbol, help, and what is inside.
 * @param {Descriptor} d
 * @param {string|null} forId  the input the label names; null where the frame itself is the group
 * @param {...Node} inside
 */
function frame(d, forId, ...inside) {
  const { button, note } = helpNote(noteId(d), d.label, ...parameterHelp(d, haveRuns));
  const [letter, lowered] = d.symbol.split('_'); // no letter of Unicode lowers a Greek one such as that of μ_ω
  const symbol = letter && d.symbol !== d.label ? element('i', { class: 'symbol' }, letter, lowered ? element('sub', {}, lowered) : null) : null;
  const unit = d.unit && d.unit !== d.label.toLowerCase() ? element('span', { class: 'unit' }, d.unit) : null;
  const name = [element('span', {}, d.label), symbol, unit];
  const head = element('div', { class: 'control-head' },
    forId ? element('label', { for: forId }, ...name) : element('span', { id: `${idOf(d)}-label`, class: 'label' }, ...name), button);
  const attributes = forId ? {} : { 'aria-labelledby': `${idOf(d)}-label` };
  return element('fieldset', { class: `control control-${d.type}`, 'data-param': d.name, ...attributes }, head, ...inside, note);
}

/**
 * Tells whether an input is at rest: what is being typed is not overwritten by
 * a value that arrives meanwhile.
 * @param {HTMLInputElement} input
 */
function watchTyping(input) {
  let typing = false;
  input.addEventListener('input', () => { typing = true; });
  const end = () => { typing = false; };
  // Captured, to come before the listener that reads the value.
  input.addEventListener('change', end, { capture: true });
  input.addEventListener('blur', end);
  return () => !typing;
}

/**
 * A slider says that it is held, as long as the finger or the key is down: what its value
 * costs to show is waited for at the end.
 * @param {HTMLInputElement} slider
 * @param {(hold: boolean) => void} send  the value that the slider has
 */
function whileHeld(slider, send) {
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
  // A key makes a change at every repetition, a pointer at its end.
  slider.addEventListener('change', () => { if (!keyed) release(); });
  return moved;
}

/** @type {Record<string, number|undefined>} */
const ARROWS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };

/** @param {Descriptor} d */
const idOf = (d) => `param-${d.name.replaceAll('.', '-')}`;
/** @param {Descriptor} d */
const noteId = (d) => `${idOf(d)}-help`;

/**
 * @param {Descriptor} d
 * @returns {Control}
 */
function numberControl(d) {
  const log = isLog(d);
  const step = d.step || (d.type === 'integer' ? 1 : 'any');
  const number = element('input', {
    type: 'number', id: idOf(d), min: d.min, max: d.max, step: d.type === 'integer' ? 1 : 'any', inputmode: d.type === 'integer' ? 'numeric' : 'decimal',
    'aria-describedby': noteId(d), onchange: typed,
  });
  const untouched = watchTyping(number);
  const slider = element('input', {
    type: 'range', min: log ? 0 : d.min, max: log ? SLIDER_STEPS : d.max, step: log ? 1 : step, 'aria-label': `${d.label}, slider`,
  });
  let shown = NaN;
  /** The value that a key asks for, where that is no position of the slider. @type {number|undefined} */
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
   * Whole numbers can be many positions of a logarithmic slider apart: an arrow
   * key goes to the next number.
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
    // Under the finger the thumb is ahead of what is computed.
    if (slider.valueAsNumber !== position && !slider.matches(':active')) slider.value = String(position);
    slider.setAttribute('aria-valuetext', formatNumber(value));
    const low = Number(slider.min);
    slider.style.setProperty('--filled', String((slider.valueAsNumber - low) / (Number(slider.max) - low || 1)));
  }
  return { root: frame(d, idOf(d), element('div', { class: 'slider-and-number' }, slider, number)), show };
}

/**
 * @param {Descriptor} d
 * @returns {Control}
 */
function selectControl(d) {
  const select = element('select', { id: idOf(d), 'aria-describedby': noteId(d), onchange: () => intend(select, 'set', { name: d.name, value: select.value }) },
    ...(d.options ?? []).map((o) => element('option', { value: o.value, disabled: Boolean(o.disabled), title: o.disabled }, o.label)));
  return { root: frame(d, idOf(d), select), show: (value) => { select.value = value; } };
}

/**
 * @param {Descriptor} d
 * @returns {Control}
 */
function radioControl(d) {
  const inputs = (d.options ?? []).map((o) => element('input', {
    type: 'radio', name: idOf(d), value: o.value, id: `${idOf(d)}-${o.value}`, disabled: Boolean(o.disabled), onchange: (/** @type {Event} */ e) => intend(/** @type {Element} */ (e.target), 'set', { name: d.name, value: o.value }),
  }));
  const labels = (d.options ?? []).map((o, i) => element('label', { for: inputs[i].id, title: o.disabled || o.help }, inputs[i], element('span', {}, o.label)));
  const root = frame(d, null, element('div', { class: 'segments' }, ...labels));
  root.setAttribute('role', 'radiogroup');
  return { root, show: (value) => inputs.forEach((input) => { input.checked = input.value === value; }) };
}

/**
 * @param {Descriptor} d
 * @returns {Control}
 */
function boolControl(d) {
  const box = element('input', { type: 'checkbox', id: idOf(d), 'aria-describedby': noteId(d), onchange: () => intend(box, 'set', { name: d.name, value: box.checked }) });
  const root = frame(d, idOf(d));
  root.querySelector('.control-head')?.prepend(box);
  return { root, show: (value) => { box.checked = value; } };
}

/**
 * A subset of options as pills, each with the sign of the method it is: those that run
 * first, the others folded.
 * @param {Descriptor} d
 * @param {Scene|undefined} scene
 * @returns {Control}
 */
function setControl(d, scene) {
  const methodOf = (/** @type {string} */ value) => scene?.methods.find((m) => m.id === value);
  const described = { ...d, options: d.options?.map((o) => ({ ...o, help: [o.help || methodOf(o.value)?.help, methodOf(o.value)?.paper].filter(Boolean).join(' ') })) };
  const pills = (d.options ?? []).map((o) => {
    const method = methodOf(o.value);
    const box = element('input', { type: 'checkbox', value: o.value, id: `${idOf(d)}-${o.value}`, disabled: Boolean(o.disabled), onchange: changed });
    const pill = element('label', { for: box.id, class: o.disabled ? 'pill absent' : 'pill', title: o.disabled || o.help || method?.help }, box, method ? methodSign(method) : null, element('span', {}, o.label));
    return { box, pill };
  });
  const first = element('div', { class: 'pills' });
  const others = element('div', { class: 'pills' });
  const summary = element('summary', {});
  const more = element('details', { class: 'set-more' }, summary, others);
  const root = frame(described, null, first, more);
  /** @type {string[]} */
  let value = [];
  let order = '';

  function changed() {
    intend(root, 'set', { name: d.name, value: pills.filter(({ box }) => box.checked).map(({ box }) => box.value) });
  }

  /** What has the focus does not move away under it. */
  function sort() {
    if (order === value.join() || root.contains(document.activeElement)) return;
    order = value.join();
    const running = pills.filter(({ box }) => value.includes(box.value));
    const rest = pills.filter((pill) => !running.includes(pill));
    first.replaceChildren(...running.map(({ pill }) => pill));
    others.replaceChildren(...rest.map(({ pill }) => pill));
    setText(summary, `${rest.length} more`);
    more.hidden = rest.length === 0;
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
 * @param {Descriptor} d
 * @returns {Control}
 */
function seedControl(d) {
  const input = element('input', {
    type: 'number', id: idOf(d), min: d.min, max: d.max, step: 1, inputmode: 'numeric', 'aria-describedby': noteId(d),
    onchange: () => { if (!Number.isNaN(input.valueAsNumber)) intend(input, 'set', { name: d.name, value: input.valueAsNumber }); },
  });
  const untouched = watchTyping(input);
  const fresh = element('button', { type: 'button', onclick: () => intend(fresh, 'newSeed') }, 'New seed');
  return { root: frame(d, idOf(d), element('div', { class: 'input-and-button' }, input, fresh)), show: (value) => { if (untouched() && input.value !== String(value)) input.value = String(value); } };
}

/**
 * Points are moved in the picture; here they can be put back.
 * @param {Descriptor} d
 * @returns {Control}
 */
function pointsControl(d) {
  const button = element('button', { type: 'button', onclick: () => intend(button, 'set', { name: d.name, value: [] }) }, 'Put them back');
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
 * Lists of numbers that a method takes, or of names, as text.
 * @param {Descriptor} d
 * @param {string} empty  what stands there when there is nothing
 * @returns {Control}
 */
function listsControl(d, empty) {
  const input = element('input', {
    type: 'text', id: idOf(d), 'aria-describedby': noteId(d), placeholder: empty, inputmode: 'text', autocomplete: 'off', spellcheck: 'false',
    onchange: () => intend(input, 'set', { name: d.name, value: input.value.trim() }),
  });
  const untouched = watchTyping(input);
  return { root: frame(d, idOf(d), input), show: (value) => { if (untouched()) input.value = textOf(value); } };
}

/**
 * Rows of numbers, with buttons for more rows and fewer.
 * @param {Descriptor} d
 * @returns {Control}
 */
function matrixControl(d) {
  const body = element('tbody');
  const fixed = d.atLeast === d.atMost;
  const more = element('button', { type: 'button', onclick: add }, 'Add a row');
  const root = frame(d, null, element('table', { class: 'matrix' }, body), fixed ? null : more);
  /** @type {number[][]} */
  let rows = [];
  /** @type {HTMLInputElement[][]} */
  let inputs = [];
  let typing = false;

  /** @param {number[][]} value */
  const send = (value) => intend(root, 'set', { name: d.name, value: textOf(value) });

  function add() {
    // A row like the last, turned a little, lies beside it where both can be seen.
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
      const remove = element('button', { type: 'button', class: 'quiet', 'aria-label': `Remove row ${i + 1}`, disabled: rows.length <= (d.atLeast ?? 1), onclick: () => send(rows.filter((_, r) => r !== i)) }, '×');
      return element('tr', {}, ...row.map((input) => element('td', {}, input)), fixed ? null : element('td', {}, remove));
    }));
    more.disabled = rows.length >= (d.atMost ?? Infinity);
  }

  /** @param {number[][]} value */
  function show(value) {
    rows = value;
    if (inputs.length !== rows.length || inputs[0]?.length !== rows[0]?.length) build();
    if (typing) return;
    rows.forEach((row, i) => row.forEach((v, j) => { if (inputs[i][j].valueAsNumber !== v) inputs[i][j].value = String(v); }));
  }

  // Rows that are pasted into a cell fill the matrix.
  body.addEventListener('paste', (e) => {
    const pasted = readRows(e.clipboardData?.getData('text') ?? '');
    if (!pasted || pasted.length < (d.atLeast ?? 1) || pasted.flat().length < 2) return;
    e.preventDefault();
    send(pasted);
  });
  return { root, show };
}

/** Shares up to this number have a slider each; of more, one is picked by its number. */
const FEW_SHARES = 12;

/**
 * Shares of a whole: setting one scales the others.
 * @param {Descriptor} d
 * @returns {Control}
 */
function simplexControl(d) {
  /** @type {number[]} */
  let shares = [];
  /** @type {{at: () => number, slider: HTMLInputElement, output: HTMLOutputElement}[]} */
  let rows = [];
  const body = element('div', { class: 'shares' });
  const equal = element('button', { type: 'button', onclick: () => intend(equal, 'set', { name: d.name, value: d.count ? [] : shares.map(() => 1 / shares.length) }) }, 'Equal shares');
  const root = frame(d, null, body, equal);

  /** @param {() => number} at  the share, from 0 @param {string} label */
  function row(at, label) {
    const slider = element('input', { type: 'range', min: d.min, max: 1, step: 0.001, 'aria-label': label });
    whileHeld(slider, (hold) => intend(slider, 'set', { name: d.name, value: withShare(shares, at(), slider.valueAsNumber, d.min ?? 0), hold }));
    rows.push({ at, slider, output: element('output', {}) });
    return [slider, rows[rows.length - 1].output];
  }

  function build() {
    rows = [];
    if (shares.length <= FEW_SHARES) {
      body.replaceChildren(...shares.map((_, i) => element('div', { class: 'share-row' }, element('span', {}, String(i + 1)), ...row(() => i, `${d.label}, share ${i + 1}`))));
      return;
    }
    const picked = element('input', {
      type: 'number', id: `${idOf(d)}-at`, min: 1, max: shares.length, step: 1, value: 1, inputmode: 'numeric', oninput: fill, onchange: fill,
    });
    const at = () => Math.min(Math.max(Math.round(picked.valueAsNumber) || 1, 1), shares.length) - 1;
    const label = element('label', { for: picked.id }, 'Share of');
    body.replaceChildren(element('div', { class: 'share-row picked' }, label, picked, ...row(at, `${d.label}, the picked share`)));
  }

  function fill() {
    for (const { at, slider, output } of rows) {
      const share = shares[at()];
      // Under the finger the thumb is ahead of what is computed.
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
 * Whole numbers, one for each objective, none of which moves another.
 * @param {Descriptor} d
 * @returns {Control}
 */
function wholeControl(d) {
  /** @type {number[]} */
  let numbers = [];
  /** @type {{slider: HTMLInputElement, number: HTMLInputElement, untouched: () => boolean}[]} */
  let rows = [];
  const body = element('div', { class: 'shares' });
  const ones = element('button', { type: 'button', onclick: () => intend(ones, 'set', { name: d.name, value: d.count ? [] : numbers.map(() => 1) }) }, 'Once each');
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
      // Under the finger the thumb is ahead of what is computed.
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
 * Where a picture of space is seen from.
 * @param {Descriptor} d
 * @returns {Control}
 */
function cameraControl(d) {
  /** @type {number[]} */
  let camera = [];
  const sliders = CAMERA.map(({ label, min, max, step }, i) => {
    const slider = element('input', { type: 'range', min, max, step, 'aria-label': `Camera: ${label.toLowerCase()}` });
    whileHeld(slider, (hold) => intend(slider, 'set', { name: d.name, value: camera.map((v, j) => (j === i ? slider.valueAsNumber : v)), hold }));
    return slider;
  });
  const values = CAMERA.map(() => element('output', {}));
  const root = frame(d, null, ...CAMERA.map(({ label }, i) => element('div', { class: 'camera-row' }, element('span', {}, label), sliders[i], values[i])));
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
