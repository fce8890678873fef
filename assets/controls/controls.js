// @ts-check
// Builds the column of parameters.
import { describeFor } from './control-frame.js';
import { boolControl, listsControl, numberControl, pointsControl, radioControl, seedControl, selectControl } from './control-single.js';
import { cameraControl, matrixControl, setControl, simplexControl, wholeControl } from './control-several.js';
import { textControl } from './control-text.js';
import { element, intend, setText } from '../shell/dom.js';
import { grouped, isOfUse, matches, takesPart } from './parameters.js';
import { isWhole } from './values.js';

/** @typedef {import('../shell/types.js').Descriptor} Descriptor */
/** @typedef {import('./control-frame.js').Control} Control */
/** @typedef {import('../shell/types.js').Model} Model */
/** @typedef {import('../shell/types.js').Scene} Scene */

/** Parameters that the page shows elsewhere. */
const ELSEWHERE = new Set(['speed']);

/** The group that comes last. */
const LAST = 'More';

/**
 * Builds the column of parameters from their descriptors: those in use come first, then the methods, then all others
 * behind a button.
 * @param {HTMLElement} root
 */
export function createControls(root) {
  const undo = element('button', { type: 'button', id: 'undo', title: 'Undo the last change (Ctrl+Z)',
    onclick: () => intend(undo, 'undo') }, 'Undo');
  const defaults = element('button', { type: 'button', id: 'defaults', title: 'Restore the defaults; pinned runs stay',
    onclick: () => intend(defaults, 'defaults') }, 'Defaults');
  const front = element('section', { class: 'group front', 'aria-label': 'Key controls' });
  const methods = element('section', { class: 'group methods', 'aria-label': 'Methods' });
  const search = element('input', { type: 'search', id: 'search', placeholder: 'Search', autocomplete: 'off', spellcheck: 'false',
    'aria-label': 'Search the controls', oninput: sift });
  const nothing = element('p', { class: 'nothing', hidden: true, role: 'status' }, 'No control matches these words.');
  const rest = element('div', { class: 'rest' });
  const count = element('summary', {}, 'All');
  const all = element('details', { id: 'all', class: 'all' }, count, search, nothing, rest);
  root.append(element('div', { class: 'changes' }, undo, defaults), front, methods, all);
  /** @type {string} */
  let built = '';
  /** @type {{descriptor: Descriptor, control: Control, off: string, reason: HTMLElement, front: boolean}[]} */
  let controls = [];

  /** @param {Model} model */
  function build({ params, scene, state }) {
    describeFor(scene?.runs !== false);
    const make = (/** @type {Descriptor} */ descriptor, /** @type {boolean} */ isFront) => {
      const owner = descriptor.method && scene?.methods.find((m) => m.id === descriptor.method);
      const control = createControl(owner ? belonging(descriptor, owner.title) : descriptor, scene);
      const off = owner ? `This control affects only ${owner.title}, which is off.` : '';
      controls.push({ descriptor, control, off, reason: element('p', { class: 'reason' }), front: isFront });
      return control.root;
    };
    controls = [];
    const here = params.filter((d) => !ELSEWHERE.has(d.name));
    const set = here.find((d) => d.type === 'set' && !d.open);
    const keys = state.keys.flatMap((name) => here.find((d) => d.name === name && d !== set) ?? []);
    front.replaceChildren(...keys.map((d) => make(d, true)));
    methods.replaceChildren(...(set ? [make(set, true)] : []));
    methods.classList.toggle('asked', set !== undefined && state.keys.includes(set.name)); // requested by a lesson's step
    const groups = grouped(here.filter((d) => d !== set && !keys.includes(d)));
    groups.sort((a, b) => Number(a.title === LAST) - Number(b.title === LAST));
    rest.replaceChildren(...groups.map(({ title, members }) => element('section', { class: 'group', 'aria-label': title || 'Parameters' },
      title ? element('h3', {}, title) : null, ...members.map((d) => make(d, false)))));
  }

  /** Shows the controls that match the search words. */
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
    const { params, scene, state, asked } = model;
    const key = JSON.stringify([params.map(({ value, ...descriptor }) => descriptor), scene?.id, state.keys]);
    const isNew = key !== built;
    if (isNew) {
      built = key;
      build(model);
    }
    let others = 0;
    for (const { descriptor, control, off, reason, front } of controls) {
      const used = isOfUse(descriptor, state.params);
      control.root.classList.toggle('unused', !used);
      if (used && !front) others++;
      if (isNew || !asked.has(descriptor.name)) {
        control.show(state.params[descriptor.name] ?? descriptor.default, state.params,
          (state.faults ?? []).filter(({ param }) => param === descriptor.name));
      }
      const why = off && !takesPart(descriptor, state.params) ? off : state.idle?.[descriptor.name] ?? '';
      if (!why && !reason.parentNode) continue;
      setText(reason, why);
      if (!why) reason.remove();
      else if (!reason.parentNode) control.root.append(reason);
      /** @type {HTMLFieldSetElement} */ (control.root).disabled = why !== '';
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
 * Returns a parameter called method.name with the method's title in its label.
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
      return d.open ? listsControl(d, 'names, separated by commas') : setControl(d, scene);
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
    case 'text':
      return textControl(d);
    default:
      throw new Error(`${d.name}: the page has no control for a ${d.type}`);
  }
}
