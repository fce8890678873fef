// @ts-check
// Reads and writes codes with which students of a class report what they did in a lesson, like internal/teach/class in
// Go. internal/teach/class/testdata/vectors.json tests both for the same codes. Needs no document, so node can test it.

/**
 * @typedef {'none'|'unanswered'|'wrong'|'right'} PredictionWord  the outcome of the first answer to a step's prediction
 * @typedef {'none'|'open'|'shown'|'reached'} GoalWord  the outcome of its goal: reached without help, or shown by "Show me"
 * @typedef {{prediction: PredictionWord, goal: GoalWord, tries: number}} DoneStep  tries before the goal was reached
 * @typedef {{class: number, lesson: number, steps: DoneStep[], name: string}} Code
 *   the content of a code; class and lesson are tags
 * @typedef {object} Line  the content of a line of codes; if the line is unreadable, only line and why
 * @property {number} line  from 1
 * @property {string} name
 * @property {string} lesson  "" if unknown
 * @property {number} right
 * @property {number} predictions
 * @property {number} reached
 * @property {number} shown
 * @property {number} goals
 * @property {number} tries
 * @property {boolean} more  whether there may have been more tries
 * @property {DoneStep[]|null} steps
 * @property {boolean} valid
 * @property {string} why
 */

const PREDICTIONS = /** @type {const} */ (['none', 'unanswered', 'wrong', 'right']);
const GOALS = /** @type {const} */ (['none', 'open', 'shown', 'reached']);
export const MOST_TRIES = 7;

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const PLAIN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 -';
const VERSION = 1;
const VERSION_BITS = 3;
const TAG_BITS = 15;
const STEPS_BITS = 5;
const LENGTH_BITS = 6;
const PLAIN_BITS = 6;
const SYMBOL_BITS = 5;
const SUM_SYMBOLS = 4;
const GROUP = 5;
export const MOST_STEPS = 2 ** STEPS_BITS - 1;
const MOST_LETTERS = 24;
const MOST_BYTES = 2 ** LENGTH_BITS - 1;
const LEAST_BITS = VERSION_BITS + 2 * TAG_BITS + STEPS_BITS + 1 + LENGTH_BITS;
const MOST_SYMBOLS = 160;

const utf8 = new TextEncoder();

/**
 * Returns the CRC-32 checksum of a text.
 * @param {string} text
 */
export function crc32(text) {
  let sum = -1;
  for (const octet of utf8.encode(text)) {
    sum ^= octet;
    for (let i = 0; i < 8; i++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

/**
 * Returns the 15 bits that represent a lesson's name, or a class's name from fold.
 * @param {string} name
 */
export const tag = (name) => crc32(name) & (2 ** TAG_BITS - 1);

/** @param {string} text */
const spaced = (text) => text.trim().replace(/\s+/gu, ' ');

/**
 * Returns a class's name, normalised for comparison.
 * @param {string} name
 */
export const fold = (name) => spaced(name).replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Returns a name without invisible characters. @param {string} name */
const seen = (name) => spaced(name.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S}\s]/gu, ''));

/**
 * Reports whether a name is too long for codes.
 * @param {string} name
 */
export const isCut = (name) => tidy(name) !== seen(name);

/**
 * Returns a student's name as stored in codes, or "" if nothing is left.
 * @param {string} name
 */
export function tidy(name) {
  const letters = [...seen(name)].slice(0, MOST_LETTERS);
  while (utf8.encode(letters.join('')).length > MOST_BYTES) letters.pop();
  return letters.join('').trimEnd();
}

/**
 * Returns the number that decides a student's orders of answers and runs.
 * @param {string} ofClass
 * @param {string} name
 */
export const numberOf = (ofClass, name) => crc32(`${fold(ofClass)}\n${fold(name)}`);

/**
 * Holds a sequence of bits, first bit first.
 * @param {number[]} [all]
 */
function rowOf(all = []) {
  return {
    /** @param {number} value @param {number} size */
    put(value, size) {
      for (let i = size - 1; i >= 0; i--) all.push((value >>> i) & 1);
    },
    /** Removes the first bits; missing bits count as 0. @param {number} size */
    take(size) {
      let value = 0;
      for (let i = 0; i < size; i++) value = value * 2 + (all.shift() ?? 0);
      return value;
    },
    symbols() {
      let out = '';
      while (all.length > 0) out += ALPHABET[this.take(SYMBOL_BITS)];
      return out;
    },
  };
}

/** @param {string} body */
function sumOf(body) {
  const row = rowOf();
  row.put(crc32(body) & (2 ** (SUM_SYMBOLS * SYMBOL_BITS) - 1), SUM_SYMBOLS * SYMBOL_BITS);
  return row.symbols();
}

/**
 * Writes a code in groups of five.
 * @param {Code} code  with 1 to MOST_STEPS steps and a name from tidy
 */
export function encode({ class: ofClass, lesson, steps, name }) {
  if (steps.length === 0 || steps.length > MOST_STEPS) throw new Error(`a code has 1 to ${MOST_STEPS} steps, not ${steps.length}`);
  if (name === '' || name !== tidy(name)) throw new Error(`“${name}” is not a valid name for a code`);
  const row = rowOf();
  row.put(VERSION, VERSION_BITS);
  row.put(ofClass, TAG_BITS);
  row.put(lesson, TAG_BITS);
  row.put(steps.length, STEPS_BITS);
  for (const { prediction, goal, tries } of steps) {
    row.put(PREDICTIONS.indexOf(prediction), 2);
    row.put(GOALS.indexOf(goal), 2);
    row.put(tries, 3);
  }
  const plain = [...name].every((letter) => PLAIN.includes(letter));
  const octets = utf8.encode(name);
  row.put(plain ? 0 : 1, 1);
  row.put(octets.length, LENGTH_BITS);
  if (plain) for (const letter of name) row.put(PLAIN.indexOf(letter), PLAIN_BITS);
  else for (const octet of octets) row.put(octet, 8);
  const body = row.symbols();
  return /** @type {string[]} */ ((body + sumOf(body)).match(new RegExp(`.{1,${GROUP}}`, 'g'))).join('-');
}

/**
 * Reads a code, or throws an error that says in a sentence what is wrong.
 * @param {string} text
 * @returns {Code}
 */
export function decode(text) {
  let all = '';
  for (const letter of text) {
    if (/[\s–-]/u.test(letter)) continue;
    const read = /[a-z]/.test(letter) ? letter.toUpperCase() : letter;
    const symbol = 'IL'.includes(read) ? '1' : read === 'O' ? '0' : read;
    if (!ALPHABET.includes(symbol)) throw new Error(`“${letter}” does not occur in codes`);
    all += symbol;
    if (all.length > MOST_SYMBOLS) throw new Error('it is too long for a code');
  }
  if ((all.length - SUM_SYMBOLS) * SYMBOL_BITS < LEAST_BITS) throw new Error('it is too short for a code');
  const body = all.slice(0, -SUM_SYMBOLS);
  if (sumOf(body) !== all.slice(-SUM_SYMBOLS)) throw new Error('the checksum is wrong; check for mistyped or missing letters');
  const row = rowOf();
  for (const symbol of body) row.put(ALPHABET.indexOf(symbol), SYMBOL_BITS);
  if (row.take(VERSION_BITS) !== VERSION) throw new Error('it comes from another version of the page');
  const ofClass = row.take(TAG_BITS);
  const lesson = row.take(TAG_BITS);
  const steps = Array.from({ length: row.take(STEPS_BITS) },
    () => ({ prediction: PREDICTIONS[row.take(2)], goal: GOALS[row.take(2)], tries: row.take(3) }));
  const eight = row.take(1) === 1;
  const letters = Array.from({ length: row.take(LENGTH_BITS) }, () => row.take(eight ? 8 : PLAIN_BITS));
  const name = eight ? new TextDecoder().decode(Uint8Array.from(letters)) : letters.map((i) => PLAIN[i]).join('');
  const code = { class: ofClass, lesson, steps, name };
  // A code is valid only in the form that the page writes.
  let again;
  try {
    again = encode(code).replaceAll('-', '');
  } catch {
    again = '';
  }
  if (again !== all) throw new Error('the checksum is right, but the content is not valid');
  return code;
}

/**
 * Reads codes, one per line. Empty lines count as lines and give no result. A code is valid if it belongs to the class
 * and to one of the lessons, and does not repeat a code above. The default class is the most frequent one.
 * @param {string} text
 * @param {string} ofClass
 * @param {string[]} lessons
 * @returns {Line[]}
 */
export function check(text, ofClass, lessons) {
  /** @type {Line[]} */
  const lines = [];
  /** @type {(Code|undefined)[]} */
  const codes = [];
  text.split('\n').forEach((written, i) => {
    if (written.replace('\uFEFF', '').trim() === '') return;
    const line = { line: i + 1, name: '', lesson: '', right: 0, predictions: 0, reached: 0, shown: 0, goals: 0, tries: 0, more: false,
      steps: null, valid: true, why: '' };
    lines.push(line);
    try {
      const code = decode(written.replace('\uFEFF', ''));
      tell(line, code, lessons);
      codes.push(code);
    } catch (error) {
      codes.push(undefined);
      Object.assign(line, { valid: false, why: /** @type {Error} */ (error).message });
    }
  });
  const among = fold(ofClass) === '' ? most(codes) : tag(fold(ofClass));
  lines.forEach((line, i) => {
    if (!line.valid) return;
    if (codes[i]?.class !== among) {
      const why = fold(ofClass) === '' ? 'most codes belong to another class' : 'it belongs to another class';
      Object.assign(line, { valid: false, why });
    } else if (line.lesson === '') Object.assign(line, { valid: false, why: 'it belongs to an unknown lesson' });
    else compare(line, lines.slice(0, i));
  });
  return lines;
}

/** @param {Line} line @param {Code} code @param {string[]} lessons */
function tell(line, { steps, name, lesson }, lessons) {
  line.name = name;
  line.steps = steps;
  line.lesson = lessons.findLast((of) => tag(of) === lesson) ?? '';
  const count = (/** @type {(step: DoneStep) => boolean} */ of) => steps.filter(of).length;
  line.predictions = count(({ prediction }) => prediction !== 'none');
  line.right = count(({ prediction }) => prediction === 'right');
  line.goals = count(({ goal }) => goal !== 'none');
  line.shown = count(({ goal }) => goal === 'shown');
  line.reached = count(({ goal }) => goal === 'reached');
  line.tries = steps.reduce((sum, { tries }) => sum + tries, 0);
  line.more = steps.some(({ tries }) => tries === MOST_TRIES);
}

/** @param {Line} line @param {Line[]} before */
function compare(line, before) {
  for (const b of before) {
    if (!b.valid || fold(b.name) !== fold(line.name) || b.lesson !== line.lesson) continue;
    if (JSON.stringify(b.steps) === JSON.stringify(line.steps)) {
      Object.assign(line, { valid: false, why: `it is the same as line ${b.line}` });
      return;
    }
    line.why = `line ${b.line} has the same student and lesson`;
  }
}

/** Returns the most frequent class, or the first of several. @param {(Code|undefined)[]} codes */
function most(codes) {
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const code of codes) if (code) counts.set(code.class, (counts.get(code.class) ?? 0) + 1);
  let best = -1;
  for (const [of, n] of counts) if (n > (counts.get(best) ?? 0)) best = of;
  return best;
}
