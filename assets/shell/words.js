// @ts-check
// Writes numbers and states for visitors. Needs no document, so node can test it.
import { textOf } from '../controls/values.js';

/** @typedef {import('./types.js').Descriptor} Descriptor */
/** @typedef {import('./types.js').State} State */

// Formats numbers like internal/numeral: testdata/cases.json there tests both for the same texts.
const VANISHING = 1e-15; // smaller numbers are rounding errors around 0
const [LEAST, MOST] = [1e-4, 1e7]; // numbers between these are written without an exponent

/**
 * Formats a number for people: 0.335, 50,000, 1.5e−6. Whole numbers below ten million keep all their digits.
 * @param {number} value
 * @param {number} [digits]  maximum number of significant ones
 */
export function formatNumber(value, digits = 4) {
  if (!Number.isFinite(value)) return unusual(value);
  if (Math.abs(value) < VANISHING) return '0';
  if (Number.isInteger(value) && Math.abs(value) < MOST) return fixedNumber(value, 0);
  const rounded = Number(value.toPrecision(digits));
  const size = Math.abs(rounded);
  if (size >= LEAST && size < MOST) return inGroups(String(rounded));
  return rounded.toExponential().replace('e+', 'e').replaceAll('-', '−');
}

/**
 * Formats a number with the given decimals, without a sign if all its digits are 0.
 * @param {number} value
 * @param {number} decimals
 */
export const fixedNumber = (value, decimals) => (Number.isFinite(value) ? inGroups(value.toFixed(decimals)) : unusual(value));

/** @param {number} value  not finite */
const unusual = (value) => (Number.isNaN(value) ? '–' : value > 0 ? '∞' : '−∞');

/**
 * Adds commas between groups of three digits, from ten thousand on, and a minus sign unless the number is 0.
 * @param {string} text
 */
function inGroups(text) {
  const [whole, decimals] = text.replace('-', '').split('.');
  const sign = text.startsWith('-') && /[1-9]/.test(text) ? '−' : '';
  const groups = whole.length > 4 ? whole.replace(/(?<=\d)(?=(\d{3})+$)/g, ',') : whole;
  return sign + groups + (decimals === undefined ? '' : `.${decimals}`);
}

/** The letters that have a subscript form. */
const SUBSCRIPTS = new Map([...'0123456789aehijklmnoprstuvx'].map((sign, i) => [sign, '₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ'[i]]));

/**
 * Returns a text with its indices as subscript letters, "f_1" and "F_m" as in pictures, for places that allow no
 * elements.
 * @param {string} text
 */
export const withSubscripts = (text) => parted(text).map((part, i) => {
  if (i % 2 === 0) return part;
  const lowered = [...part].map((sign) => SUBSCRIPTS.get(sign));
  return lowered.includes(undefined) ? `_${part}` : lowered.join('');
}).join('');

/**
 * Splits a text so that every other part is an index: "the sum of m_k" is ["the sum of m", "k"]. An index follows one letter, as in F_m,
 * Γ_ij or x_12, or an operator, as in max_j.
 * @param {string} text
 */
export const parted = (text) => text.split(/(?<=(?<!\p{L})(?:\p{L}|max|min|lim))_(\p{L}{1,2}|\d+)(?![\p{L}\d])/u);

/**
 * Returns a message without its numbers. Messages that differ only in numbers have the same shape.
 * @param {string} text
 */
export const shapeOf = (text) => text.replace(/[−-]?\d[\d.]*(e[−-]?\d+)?/g, '#');

/**
 * Returns the marks of live changes on a time axis. Marks nearer than `near` pixels share one tick. Labels that would
 * overlap appear only in the tick's name.
 * @param {{k: number, name: string, value: any}[]} log
 * @param {Descriptor[]} descriptors
 * @param {number} end  of the axis
 * @param {number} width  pixels
 * @param {number} near  pixels
 * @param {number} labelWidth  pixels
 */
export function timeMarks(log, descriptors, end, width, near, labelWidth) {
  /** @type {{k: number, at: number, changes: Map<string, string>}[]} */
  const ticks = [];
  const length = Math.max(end, 1);
  for (const change of [...log].sort((a, b) => a.k - b.k)) {
    const at = Math.min(change.k / length, 1);
    const symbol = descriptors.find((d) => d.name === change.name)?.symbol || change.name;
    const value = typeof change.value === 'number' ? formatNumber(change.value) : textOf(change.value);
    const last = ticks.at(-1);
    if (last && (at - last.at) * width < near) {
      last.changes.set(symbol, value);
      continue;
    }
    ticks.push({ k: change.k, at, changes: new Map([[symbol, value]]) });
  }
  let free = -Infinity;
  return ticks.map((tick) => {
    const text = [...tick.changes].map(([symbol, value]) => `${symbol} = ${value}`).join(', ');
    const labelled = tick.at * width - labelWidth / 2 >= free;
    if (labelled) free = tick.at * width + labelWidth / 2;
    return { k: tick.k, at: tick.at, text, labelled };
  });
}

const WHOLE_AXIS = 100000; // in iterations: up to this value, the axis shows the whole budget from the start
const AHEAD = 10; // a longer axis extends to this multiple of the computed iterations

/**
 * Reports whether a status means that runs have ended.
 * @param {string} status
 */
export const hasEnded = (status) => status !== 'running' && status !== 'loading';

/**
 * Returns the end of the time axis: the budget while any run continues, otherwise the end of the runs. A very large
 * budget comes into view gradually.
 * @param {Pick<State, 'latest'|'budget'|'status'|'target'>} s
 */
export function axisEnd({ latest, budget, status, target }) {
  const reached = Math.max(latest, target ?? 0);
  if (hasEnded(status)) return reached;
  const size = Math.max(WHOLE_AXIS, AHEAD * reached);
  if (budget <= size) return Math.max(budget, reached);
  const power = 10 ** Math.floor(Math.log10(size));
  const round = /** @type {number} */ ([1, 2, 5, 10].map((factor) => factor * power).find((end) => end >= size));
  return Math.min(round, budget);
}

/**
 * Returns a count with its word: "1 round", "2 passes".
 * @param {number} n
 * @param {string} word  in the singular
 */
export const counted = (n, word) => `${formatNumber(n)} ${n === 1 ? word : plural(word)}`;

/** @param {string} word */
const plural = (word) => (/(s|x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`);

/**
 * Returns the position on the time axis for screen readers.
 * @param {State} s
 * @param {string} word  what k counts
 */
export function placeText({ iteration, latest, budget, target, status }, word) {
  const n = formatNumber;
  if (target !== null) return `computing up to ${word} ${n(target)}, ${n(latest)} so far`;
  return `${word} ${n(iteration)} of ${hasEnded(status) ? n(latest) : `${n(budget)}, ${n(latest)} computed`}`;
}

/**
 * Returns the sentence beside the counter.
 * @param {State} s
 * @param {string} word  what k counts
 */
export function statusText(s, word) {
  if (s.progress !== null && s.progress !== undefined) {
    const to = s.target === null ? '' : ` up to ${word} ${formatNumber(s.target)}`;
    return `computing${to}, ${Math.round(100 * s.progress)} %`;
  }
  if (s.looping) return `playing again: ${s.finding}`;
  if (s.iteration < s.latest) {
    const verb = s.status === 'running' ? `play continues from ${formatNumber(s.latest)}` : 'the runs have ended';
    return `showing ${word} ${formatNumber(s.iteration)} of ${formatNumber(s.latest)}; ${verb}`;
  }
  if (s.playing) return s.flows ? `the runs have stopped after ${counted(s.latest, word)}; the dots still move` : 'running';
  const after = `finished after ${counted(s.latest, word)}`;
  const words = /** @type {Record<string, string>} */ ({
    running: s.latest === 0 ? 'at the start' : s.finding ? `at rest after ${counted(s.latest, word)}` : 'paused',
    budget: after,
    stationary: `${after}: stationary`,
    converged: `${after}: converged`,
    'above-limit': `${after}: limit exceeded`,
    'no-solution': 'stopped: the method has no solution here',
    diverged: 'stopped: diverged; showing the last valid state',
    finished: after,
    loading: 'loading',
  });
  const state = words[s.status] ?? s.status;
  return s.finding ? `${s.finding} ${state[0].toUpperCase()}${state.slice(1)}.` : state;
}

/** Maps the columns of the table of runs to the names in the state. */
const EXACT = /** @type {Record<string, 'x'|'f'|'weights'|'stationarity'|undefined>} */ ({ variables: 'x', objectives: 'f',
  weights: 'weights', stationarity: 'stationarity' });

/**
 * Returns a cell's numbers in full, or "" if the cell already shows all digits.
 * @param {State} state
 * @param {string} name  of a run, or of one of its solutions
 * @param {string} label  of the column
 */
export function exactText({ runs }, name, label) {
  const what = EXACT[label];
  const of = runs.find((run) => run.name === name) ?? runs.find((run) => name.startsWith(`${run.name}-`));
  if (!what || !of || of[what] === null) return '';
  const numbers = of.name === name ? of[what] : of[what][Number(name.slice(of.name.length + 1)) - 1];
  return numbers === undefined || numbers === null ? ''
    : [numbers].flat(2).map((v) => (v === null ? '–' : String(v).replace('-', '−'))).join(', ');
}

/**
 * Returns the sides on which a scrolling element hides content. Browsers round, so less than a pixel does not count.
 * @param {{scrollLeft: number, scrollWidth: number, clientWidth: number}} scroller
 */
export function hiddenSides({ scrollLeft, scrollWidth, clientWidth }) {
  return { left: scrollLeft >= 1, right: scrollWidth - clientWidth - scrollLeft >= 1 };
}
