// @ts-check
// Converts the values of parameters in controls and links. Needs no document, so node can test it.

/** @typedef {import('../shell/types.js').Descriptor} Descriptor */

/** A slider on a logarithmic scale has the positions 0 to SLIDER_STEPS. */
export const SLIDER_STEPS = 1000;

/**
 * Reports whether a slider is logarithmic.
 * @param {Descriptor} d
 */
export const isLog = (d) => d.scale === 'log' && Number(d.min) > 0 && Number(d.max) > Number(d.min);

/**
 * Returns the slider position of a value.
 * @param {Descriptor} d
 * @param {number} value
 */
export function toSlider(d, value) {
  if (!isLog(d)) return value;
  const [min, max] = [Number(d.min), Number(d.max)];
  const inside = Math.min(Math.max(value, min), max);
  return Math.round((SLIDER_STEPS * Math.log(inside / min)) / Math.log(max / min));
}

/**
 * Returns the value at a slider position, with three significant digits on a logarithmic scale. The ends are exact.
 * @param {Descriptor} d
 * @param {number} position
 */
export function fromSlider(d, position) {
  if (!isLog(d)) return position;
  const [min, max] = [Number(d.min), Number(d.max)];
  if (position <= 0) return min;
  if (position >= SLIDER_STEPS) return max;
  const value = min * Math.pow(max / min, position / SLIDER_STEPS);
  if (d.type === 'integer') return Math.round(value);
  return Number(value.toPrecision(3));
}

/**
 * Writes a value in the format of links and presets.
 * @param {any} value
 * @returns {string}
 */
export function textOf(value) {
  if (!Array.isArray(value)) return String(value ?? '');
  const nested = value.some((item) => Array.isArray(item));
  return value.map((item) => (typeof item === 'string' ? quoted(item) : textOf(item))).join(nested ? ';' : ',');
}

/**
 * Writes a name of a list in the format of CSV, in double quotes if necessary.
 * @param {string} name
 */
const quoted = (name) => (/[,"]|^\s|\s$/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);

/**
 * Returns the names of a list, each once; undefined if a quotation is not closed.
 * @param {string} text
 * @returns {string[]|undefined}
 */
function readNames(text) {
  const cells = [...text.matchAll(/\s*(?:"((?:[^"]|"")*)"\s*|((?!\s*")[^,]*))(?:,|$)/gy)];
  if (cells.reduce((length, [cell]) => length + cell.length, 0) < text.length) return undefined;
  const names = cells.map(([, inside, plain]) => inside?.replaceAll('""', '"') ?? plain.trim());
  return [...new Set(names)].filter((name) => name !== '');
}

/**
 * Reads a link's text as the value of a parameter; undefined if it is invalid.
 * @param {Descriptor} d
 * @param {string} text
 */
export function valueOf(d, text) {
  const within = (/** @type {number} */ v) => Math.min(Math.max(v, d.min ?? v), d.max ?? v);
  const isOption = (/** @type {string} */ v) => (d.options ?? []).some((o) => o.value === v);
  switch (d.type) {
    case 'number':
    case 'integer':
    case 'seed': {
      const v = Number(text);
      if (text.trim() === '' || !Number.isFinite(v)) return undefined;
      return d.type === 'number' ? within(v) : Math.round(within(v));
    }
    case 'bool':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    case 'choice':
      return isOption(text) ? text : undefined;
    case 'set': {
      const chosen = d.open ? readNames(text)?.slice(0, d.atMost) : text.split(',').filter(isOption);
      return !chosen || chosen.length < (d.atLeast ?? 0) ? undefined : chosen;
    }
    case 'points':
      return text === '' ? [] : text.split(';').map((row) => (row === '' ? [] : row.split(',').map(Number)));
    case 'matrix': {
      const rows = text.split(';').map((row) => row.split(',').map((cell) => (cell.trim() === '' ? NaN : Number(cell))));
      const right = rows.length >= (d.atLeast ?? 0) &&
        rows.every((row) => row.length === (d.columns || rows[0].length) && row.every(Number.isFinite));
      return right ? rows.slice(0, d.atMost).map((row) => row.map(within)) : undefined;
    }
    case 'simplex': {
      if (d.count && text === '') return [];
      const shares = text.split(',').map((cell) => (cell.trim() === '' ? NaN : Number(cell)));
      const right = d.count ? shares.length <= Number(d.atMost) : shares.length === d.columns;
      if (!right || !shares.every((v) => v >= 0)) return undefined;
      if (!isWhole(d)) return shares;
      const numbers = shares.map((v) => Math.round(within(v)));
      return numbers.some((v) => v > 0) ? numbers : undefined;
    }
    case 'text':
      return text.length > 2 * Number(d.atMost) ? undefined : text;
    case 'camera': {
      const numbers = text.split(',').map(Number);
      return numbers.length === 3 && numbers.every(Number.isFinite) ? numbers : undefined;
    }
  }
  return undefined;
}

/**
 * Reports whether the numbers of a simplex are whole; their sum is then free.
 * @param {Descriptor} d
 */
export const isWhole = (d) => d.type === 'simplex' && d.step === 1;

/**
 * Returns the values of a simplex: equal shares if it is empty, or ones if its numbers are whole.
 * @param {Descriptor} d
 * @param {number[]} value
 * @param {Record<string, any>} params
 * @returns {number[]}
 */
export function sharesOf(d, value, params) {
  if (value.length > 0) return value;
  const n = Number(d.count ? params[d.count] : d.columns);
  return Array(n).fill(isWhole(d) ? 1 : 1 / n);
}

/**
 * Sets one of several whole numbers within its range. If it is the only one above 0, it cannot become 0.
 * @param {Descriptor} d
 * @param {number[]} numbers
 * @param {number} at
 * @param {number} value
 * @returns {number[]}
 */
export function withNumber(d, numbers, at, value) {
  const least = numbers.some((v, i) => i !== at && v > 0) ? 0 : 1;
  return numbers.map((v, i) => (i === at ? Math.min(Math.max(Math.round(value), least), Number(d.max)) : v));
}

/** Shares are multiples of 1/shareSteps(n), which keeps links short and sums exact. Many shares need finer steps. */
const shareSteps = (/** @type {number} */ n) => (n <= 12 ? 1e6 : 1e9);

/**
 * Sets one share. The others keep their proportions or, if they are all 0, share the rest equally. No share falls below
 * least.
 * @param {number[]} shares
 * @param {number} at
 * @param {number} value
 * @param {number} least
 * @returns {number[]}
 */
export function withShare(shares, at, value, least) {
  const n = shares.length;
  const steps = shareSteps(n);
  const free = 1 - n * least;
  const own = Math.min(Math.max(value - least, 0), free);
  const above = shares.map((v) => Math.max(v - least, 0));
  const others = above.reduce((sum, v, i) => (i === at ? sum : sum + v), 0);
  const parts = above.map((v, i) => {
    if (n === 1) return free;
    if (i === at) return own;
    return (free - own) * (others > 0 ? v / others : 1 / (n - 1));
  }).map((v) => Math.round((v + least) * steps));
  // The rounding error goes to the largest other share, where it matters least.
  const largest = Math.max(...parts.filter((_, i) => i !== at || n === 1));
  parts[parts.findIndex((v, i) => v === largest && (i !== at || n === 1))] += steps - parts.reduce((sum, v) => sum + v, 0);
  return parts.map((v) => v / steps);
}

/** A number with an optional decimal comma. */
const DECIMAL_COMMA = /^[-+]?(\d+(,\d+)?|,\d+)(e[-+]?\d+)?$/i;
/** Numbers with commas, or blanks, between groups of three digits. */
const COMMA_GROUPS = /^[-+]?[1-9]\d{0,2}(,\d{3})+$/;
const BLANK_GROUPS = /^[-+]?\d{1,3}( \d{3})+$/;

/**
 * Reads the numbers of a text, one row per line or separated by semicolons. It returns undefined if the text contains
 * anything else, has rows of different lengths, or is ambiguous. If cells are separated by tabs, blanks or, over several
 * lines, semicolons, commas between digits are decimal commas, as copied from spreadsheets.
 * @param {string} text
 * @returns {number[][]|undefined}
 */
export function readRows(text) {
  const lines = text.split(/\r?\n/).map((line) => line.trim().replace(/;$/, '')).filter((line) => line !== '');
  const semicolons = lines.length > 1 && lines.some((line) => line.includes(';')); // then semicolons separate cells
  const cells = lines.map((line) => line.split(semicolons ? /\s*;\s*/ : /\s+/));
  const withComma = cells.flat().filter((cell) => cell.includes(','));
  const several = cells.every((row) => row.length > 1);
  if (withComma.length > 0 && several && cells.flat().every((cell) => DECIMAL_COMMA.test(cell))) {
    const grouped = withComma.every((cell) => COMMA_GROUPS.test(cell)) ||
      lines.every((line) => line.split(',').some((part) => BLANK_GROUPS.test(part)));
    return grouped ? undefined : even(cells.map((row) => row.map((cell) => Number(cell.replace(',', '.')))));
  }
  if (semicolons) return cells.flat().every((cell) => cell !== '') ? even(cells.map((row) => row.map(Number))) : undefined;
  return even(text.split(/[;\n]/).map((row) => row.trim()).filter((row) => row !== '').map((row) => row.split(/[\s,]+/).map(Number)));
}

/**
 * Returns rows of finite numbers, all of the same length, otherwise undefined.
 * @param {number[][]} rows
 */
function even(rows) {
  return rows.every((row) => row.length === rows[0].length && row.every(Number.isFinite)) ? rows : undefined;
}
