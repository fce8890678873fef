// @ts-check
// Derives what a visitor did in lessons from the stored progress (see teaching.js). Needs no document, so node can test
// it.
import { MOST_STEPS, MOST_TRIES, encode, fold, tag } from './codes.js';
import { readProgress } from '../lesson/teaching.js';

/** @typedef {import('./codes.js').DoneStep} DoneStep */
/**
 * The parts of a lesson that count here; a whole lesson also fits.
 * @typedef {{name: string, title: string, steps: {title: string, predict: {question: string, answers: string[], right: number[]}|null,
 * goal: object|null}[]}} Course
 * @typedef {object} Entry  the stored record of a lesson
 * @property {Set<number>} reached  the steps whose goals the visitor reached without help, from 1
 * @property {Set<number>} seen  the steps whose goals were shown
 * @property {Map<number, number>} first  the first answers to predictions, by step
 * @property {Map<number, number>} tries  the number of runs that ended before the goal, by step
 */

/** @param {Record<string, number>} numbers */
const mapOf = (numbers) => new Map(Object.entries(numbers).map(([step, v]) => [Number(step), v]));

/**
 * Returns the stored records of lessons by name. Unreadable text counts as empty.
 * @param {string|null} text
 * @returns {Map<string, Entry>}
 */
export const entriesOf = (text) => new Map(Object.entries(readProgress(text)).map(([name, { reached, seen, first, tries }]) => [name,
  { reached: new Set(reached), seen: new Set(seen), first: mapOf(first), tries: mapOf(tries) }]));

const NOTHING = entriesOf('{"":{}}').get('');

/**
 * Returns what the visitor did in each step of a lesson.
 * @param {Course} course
 * @param {Entry} [entry]
 * @returns {DoneStep[]}
 */
export function stepsOf({ steps }, entry = NOTHING) {
  const { reached, seen, first, tries } = /** @type {Entry} */ (entry);
  return steps.map(({ predict, goal }, i) => {
    const answer = first.get(i + 1);
    const right = answer !== undefined && predict?.right.includes(answer);
    return {
      prediction: !predict ? 'none' : answer === undefined || answer >= predict.answers.length ? 'unanswered' : right ? 'right' : 'wrong',
      goal: !goal ? 'none' : reached.has(i + 1) ? 'reached' : seen.has(i + 1) ? 'shown' : 'open',
      tries: Math.min(tries.get(i + 1) ?? 0, MOST_TRIES),
    };
  });
}

/**
 * Returns the totals of steps.
 * @param {DoneStep[]} steps
 */
export function sumOf(steps) {
  const asked = steps.filter(({ prediction }) => prediction !== 'none');
  const goals = steps.filter(({ goal }) => goal !== 'none');
  const settled = goals.filter(({ goal }) => goal !== 'open').length + asked.filter(({ prediction }) => prediction !== 'unanswered').length;
  return {
    right: asked.filter(({ prediction }) => prediction === 'right').length, asked: asked.length,
    reached: goals.filter(({ goal }) => goal === 'reached').length, goals: goals.length,
    /** A lesson has ended when its goals have been reached or shown, or, without goals, when every prediction has been made. */
    ended: goals.length > 0 ? goals.every(({ goal }) => goal !== 'open') : asked.every(({ prediction }) => prediction !== 'unanswered'),
    begun: settled > 0,
    /** The share of the lesson done, from 0 to 1. */
    share: goals.length + asked.length > 0 ? settled / (goals.length + asked.length) : 1,
  };
}

/**
 * Returns a student's code of a lesson. It covers at most as many steps as a code can hold.
 * @param {string} ofClass
 * @param {string} name  from tidy
 * @param {Course} course
 * @param {Entry} [entry]
 */
export const codeOf = (ofClass, name, course, entry) =>
  encode({ class: tag(fold(ofClass)), lesson: tag(course.name), steps: stepsOf(course, entry).slice(0, MOST_STEPS), name });

/**
 * Returns the changes between two texts of progress: first answers to predictions, and goals.
 * @param {string|null} before
 * @param {string|null} after
 * @returns {{lesson: string, step: number, kind: 'answered'|'reached'|'shown', answer?: number}[]}
 */
export function newsBetween(before, after) {
  const was = entriesOf(before);
  return [...entriesOf(after)].flatMap(([lesson, now]) => {
    const then = /** @type {Entry} */ (was.get(lesson) ?? NOTHING);
    const added = (/** @type {Set<number>} */ steps, /** @type {Set<number>} */ from) => [...steps].filter((step) => !from.has(step));
    return [
      ...[...now.first].filter(([step]) => !then.first.has(step)).map(([step, answer]) => ({ lesson, step, kind: /** @type {const} */
        ('answered'), answer })),
      ...added(now.reached, then.reached).map((step) => ({ lesson, step, kind: /** @type {const} */ ('reached') })),
      ...added(now.seen, then.seen).filter((step) => !now.reached.has(step)).map((step) => ({ lesson, step, kind: /** @type {const} */
        ('shown') })),
    ];
  });
}

/**
 * Returns a step's state with a student's own seed, if its scene has a seed.
 * @param {string} state  a hash without "#"; "" stays, since such a step keeps the current state
 * @param {number} seed
 * @param {import('../shell/types.js').Scene[]} scenes
 */
export function withSeed(state, seed, scenes) {
  if (state === '') return '';
  const link = new URLSearchParams(state);
  const own = scenes.find(({ id }) => id === link.get('scene'))?.params.find(({ type }) => type === 'seed');
  if (!own) return state;
  return [...state.split('&').filter((part) => !part.startsWith(`${own.name}=`)), `${own.name}=${seed}`].join('&');
}
