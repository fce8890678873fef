// @ts-check
// Finds named numbers and faulty places in formulas. Needs no document, so node can test it.

/** @typedef {import('../shell/types.js').Fault} Fault */
/** @typedef {{name: string, value: number, from: number, to: number}} NamedNumber  from and to bound its digits in the text */
/** @typedef {{min: number, max: number, step: number}} Range */

/** A line such as "a = 2" or "rate = -1.5e-3". */
const NAMED = /^([ \t]*([A-Za-z][A-Za-z0-9_]*)[ \t]*=[ \t]*)(-?[ \t]*(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[ \t]*$/gm;

/** Names of variables, objectives and constants, whose lines do not define numbers. */
const TAKEN = /^(x\d*|y|n|e|pi|f\d*|F\d+)$/;

/**
 * Returns the numbers that a text's lines define, each name once.
 * @param {string} text
 * @returns {NamedNumber[]}
 */
export function namedNumbers(text) {
  /** @type {Map<string, NamedNumber>} */
  const found = new Map();
  for (const match of text.matchAll(NAMED)) {
    const [, before, name, digits] = match;
    const value = Number(digits.replace(/\s/g, ''));
    const from = match.index + before.length;
    if (TAKEN.test(name) || found.has(name) || !Number.isFinite(value)) continue;
    found.set(name, { name, value, from, to: from + digits.length });
  }
  return [...found.values()];
}

/**
 * Returns the text with a new value of a named number, or the same text if it has no such number.
 * @param {string} text
 * @param {string} name
 * @param {number} value  finite
 */
export function withNamed(text, name, value) {
  const number = namedNumbers(text).find((n) => n.name === name);
  return number ? text.slice(0, number.from) + String(value) + text.slice(number.to) : text;
}

/** Returns the smallest number of the form 1, 2 or 5 times a power of ten that is at least size. */
function roundUp(/** @type {number} */ size) {
  const power = Math.pow(10, Math.floor(Math.log10(size)));
  const digit = [1, 2, 5, 10].find((d) => d * power >= size * (1 - 1e-12)) ?? 10;
  return Number((digit * power).toPrecision(1));
}

const STEPS = 500; // of a slider over its whole range
const SMALL = 50; // a slider is too coarse for values below 1/SMALL of its range

/**
 * Returns the range of a number's slider: up to a round number at least twice its size, and below 0 if the number is
 * negative. If the previous range still fits, it stays, so that a slider does not change while dragged.
 * @param {number} value
 * @param {Range} [before]
 * @param {boolean} [held]  the value comes from the slider itself
 * @returns {Range}
 */
export function rangeFor(value, before, held = false) {
  if (before && value >= before.min && value <= before.max && (held || value === 0 || Math.abs(value) >= before.max / SMALL)) return before;
  const size = Math.min(Math.max(Math.abs(value), 1e-300), 1e300);
  const max = value === 0 ? 1 : roundUp(2 * size);
  return { min: value > 0 ? 0 : -max, max, step: roundUp(max / STEPS) };
}

/**
 * Writes a slider's value without digits that only rounding causes.
 * @param {number} value
 * @param {Range} range
 */
export function writtenValue(value, { step }) {
  const decimals = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  return decimals > 100 ? Number(value.toPrecision(3)) : Number(value.toFixed(decimals));
}

/**
 * Splits a text into parts and marks the faulty ones. An empty part marks a missing one.
 * @param {string} text
 * @param {Pick<Fault, 'line'|'column'|'length'>[]} faults
 * @returns {{text: string, fault: boolean}[]}
 */
export function faultParts(text, faults) {
  const lines = text.split('\n').map((line) => [...line]);
  const starts = lines.map((_, i) => lines.slice(0, i).reduce((sum, line) => sum + line.length + 1, 0));
  const all = [...text];
  const places = faults.map(({ line, column, length }) => {
    const at = Math.min(Math.max(line, 1), lines.length) - 1;
    const from = starts[at] + Math.min(Math.max(column - 1, 0), lines[at].length);
    return { from, to: Math.min(from + length, all.length) };
  }).sort((a, b) => a.from - b.from);
  /** @type {{text: string, fault: boolean}[]} */
  const parts = [];
  let done = 0;
  for (const { from, to } of places) {
    if (from < done) continue;
    if (from > done) parts.push({ text: all.slice(done, from).join(''), fault: false });
    parts.push({ text: all.slice(from, to).join(''), fault: true });
    done = to;
  }
  parts.push({ text: all.slice(done).join(''), fault: false });
  return parts;
}

/** Signs that are hard to type on a phone's keyboard, apart from the variables. */
const SIGNS = ['^', '(', ')'];

/**
 * Returns the signs of a formula that get buttons, with at most three of the text's variables, or x1 and x2.
 * @param {string} text
 */
export function signsOf(text) {
  const found = [...new Set(text.match(/\b[awx]\d+\b/g) ?? [])].sort().slice(0, 3);
  return [...SIGNS, ...(found.length > 0 ? found : ['x1', 'x2']), '*'];
}

/** Invisible characters, which no text may contain. */
const UNSEEN = /[^\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\n\t]/u;

/**
 * Returns why the program would reject a text, or "" if it would accept it.
 * @param {string} text
 * @param {number} most  maximum number of characters
 */
export function refusal(text, most) {
  const n = [...text].length;
  if (n > most) return `The text has ${n} characters; shorten it to at most ${most}.`;
  const unseen = UNSEEN.exec(text);
  if (!unseen) return '';
  const before = text.slice(0, unseen.index).split('\n');
  const code = Number(unseen[0].codePointAt(0)).toString(16).toUpperCase().padStart(4, '0');
  return `${before.length}:${[...before[before.length - 1]].length + 1}: the character U+${code} cannot be shown`;
}
