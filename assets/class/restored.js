// @ts-check
// Repairs progress that is cut off, and merges progress from several sources. Needs no document, so node can test it.
import { readProgress } from '../lesson/teaching.js';

/** @typedef {import('../lesson/teaching.js').Progress} Progress */

/**
 * Returns the progress that a learning platform has stored. Platforms truncate long text; this keeps everything complete
 * before the cut.
 * @param {string} text
 * @returns {{text: string, cut: boolean}}  text is JSON
 */
export function mended(text) {
  if (text === '') return { text: '{}', cut: false };
  if (isJson(text)) return { text, cut: false };
  /** @type {string[]} */
  const open = [];
  let end = 0;
  let tail = '';
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const sign = text[i];
    if (quoted) {
      if (sign === '\\') i++;
      else if (sign === '"') quoted = false;
      continue;
    }
    if (sign === '"') quoted = true;
    if (sign === '{' || sign === '[') open.unshift(sign === '{' ? '}' : ']');
    if (sign === '}' || sign === ']') open.shift();
    if (sign !== ',' && !'{[]}'.includes(sign)) continue;
    end = sign === ',' ? i : i + 1;
    tail = open.join('');
  }
  const whole = text.slice(0, end) + tail;
  return { text: isJson(whole) ? whole : '{}', cut: true };
}

/** @param {string} text */
function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Merges two records of progress without losing anything. If both answer a question, the earlier answer counts as the
 * first and the later one as the current.
 * @param {string|null} earlier
 * @param {string|null} later
 */
export function merged(earlier, later) {
  const all = readProgress(earlier);
  for (const [name, of] of Object.entries(readProgress(later))) all[name] = name in all ? joined(all[name], of) : of;
  return JSON.stringify(all);
}

/**
 * @param {Progress[string]} a
 * @param {Progress[string]} b
 * @returns {Progress[string]}
 */
function joined(a, b) {
  const both = (/** @type {number[]} */ x, /** @type {number[]} */ y) => [...new Set([...x, ...y])].sort((i, j) => i - j);
  const tries = { ...a.tries };
  for (const [step, n] of Object.entries(b.tries)) tries[step] = Math.max(n, tries[step] ?? 0);
  return {
    reached: both(a.reached, b.reached), seen: both(a.seen, b.seen), predictions: { ...a.predictions, ...b.predictions },
    first: { ...b.first, ...a.first }, tries, numbers: { ...a.numbers, ...b.numbers }, attempts: { ...a.attempts, ...b.attempts },
    at: b.at || a.at,
  };
}

/**
 * What a page opened by a learning platform stores for its own reload, since the platform may not open a second session.
 * @typedef {{learner: string, lesson: string, lessons: string|null}} Left
 */

/**
 * Returns what the page stored before it was reloaded; null if it was not reloaded, or stored another lesson.
 * @param {string|null} text  a Left as JSON
 * @param {string} lesson
 * @param {string|undefined} navigation  the type of the navigation to this page
 * @returns {Left|null}
 */
export function leftBefore(text, lesson, navigation) {
  if (navigation !== 'reload' || text === null || !isJson(text)) return null;
  const left = JSON.parse(text);
  return typeof left?.learner === 'string' && left.learner !== '' && left.lesson === lesson ? left : null;
}
