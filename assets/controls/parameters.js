// @ts-check Decides which parameters the page shows, and words what it says about them. Needs no document, so node can
// test it.
import { formatNumber } from '../shell/words.js';

/** @typedef {import('../shell/types.js').Descriptor} Descriptor */
/** @typedef {import('../shell/types.js').Only} Only */

/**
 * Groups descriptors; groups are in order of appearance.
 * @param {Descriptor[]} descriptors
 * @returns {{title: string, members: Descriptor[]}[]}
 */
export function grouped(descriptors) {
  /** @type {Map<string, Descriptor[]>} */
  const groups = new Map();
  for (const d of descriptors) {
    const title = d.group ?? '';
    const members = groups.get(title);
    if (members) members.push(d);
    else groups.set(title, [d]);
  }
  return [...groups].map(([title, members]) => ({ title, members }));
}

/**
 * Reports whether a parameter's method takes part.
 * @param {Descriptor} d
 * @param {Record<string, any>} params
 */
export function takesPart(d, params) {
  if (!d.method || params.method === undefined) return true;
  const on = [params.method].flat();
  // PSMGD may run another method's weighting.
  return on.some((m) => m === d.method || m === 'psmgd' && params['psmgd.weighting'] === d.method);
}

/**
 * Reports whether a parameter has an effect, given the values of the others.
 * @param {Descriptor} d
 * @param {Record<string, any>} params
 */
export function isOfUse(d, params) {
  // A method's parameter is of no use while the method is off.
  if (d.name.includes('.') && !takesPart(d, params)) return false;
  return holds(d.only, params);
}

/**
 * Reports whether the other parameters have values that meet a condition.
 * @param {Only|undefined} only  undefined means any values
 * @param {Record<string, any>} params
 * @returns {boolean}
 */
export function holds(only, params) {
  // A switch is true or false; conditions have it as the text "true" or "false".
  if (!only || params[only.name] === undefined || only.values.includes(String(params[only.name]))) return true;
  return only.or !== undefined && holds(only.or, params);
}

/**
 * Reports whether a parameter's visible words include all words of a text.
 * @param {Descriptor} d
 * @param {string} text
 */
export function matches(d, text) {
  const read = [d.label, d.symbol, d.name, d.group, d.help, ...(d.options ?? []).map(({ label }) => label)].join(' ').toLowerCase();
  return text.toLowerCase().split(/\s+/).every((word) => read.includes(word));
}

/**
 * Returns when a change takes effect, in the words of the control's help.
 * @param {Descriptor} d
 */
export function effectText(d) {
  switch (d.effect) {
    case 'live':
      return 'Takes effect at the next iteration.';
    case 'restart':
      return 'Restarts the runs from k = 0.';
    case 'rerun':
      return 'Recomputes the runs up to their current iteration.';
    case 'display':
      return 'Changes only the display, not the results.';
  }
}

/**
 * Returns the range in words, or "".
 * @param {Descriptor} d
 */
export function rangeText(d) {
  if (d.type === 'seed' || d.min === undefined || d.max === undefined) return '';
  const unit = d.unit ? ` ${d.unit}` : '';
  return `${formatNumber(d.min)} to ${formatNumber(d.max)}${unit}`;
}
