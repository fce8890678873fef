// @ts-check
// What the hash of a link says. Needs no document: tested in node.
import { valueOf } from './values.js';

/** @typedef {import('./types.js').State} State */
/** @typedef {import('./types.js').Data} Data */
/** @typedef {import('./types.js').Scene} Scene */

/** The names in a link that are no parameters': a parameter of such a name has another there. As in scenes/session/settings.go. */
export const TAKEN = new Set([
  'v', 'scene', 'log', 'k', 'latest', 'run', 'show', 'hero', 'data', 'card', 'lesson', 'pinA', 'pinB', 'pinC', 'pinD',
]);

/**
 * What a link calls a parameter.
 * @param {string} name
 */
export const linkName = (name) => (TAKEN.has(name) ? `param.${name}` : name);

/**
 * The names and texts of a link's hash; the first of two equal names holds.
 * @param {string} hash
 * @returns {Map<string, string>}
 */
export function readHash(hash) {
  const found = new Map();
  for (const [name, text] of new URLSearchParams(hash.replace(/^#/, ''))) {
    if (!found.has(name)) found.set(name, text);
  }
  return found;
}

/** What a link may name and yet only say what is to be opened. */
const BARE = new Set(['v', 'scene', 'card', 'lesson']);

/**
 * What a link opens: the name of a scene, of its experiment, and a lesson with its step.
 * A bare one says no more, such as those of the contents page: what it opens begins anew,
 * and plays.
 * @param {string} hash
 */
export function opened(hash) {
  const link = readHash(hash);
  const [name, step] = (link.get('lesson') ?? '').split(':');
  return {
    scene: link.get('scene') ?? '', card: link.get('card') ?? '',
    lesson: name ? { name, step: Math.max(1, Math.round(Number(step)) || 1) } : null,
    bare: link.size > 0 && [...link.keys()].every((key) => BARE.has(key)),
  };
}

/**
 * A step as it is opened from elsewhere than the one before it: one that keeps what is has
 * the state of the last one that says what that is.
 * @param {import('./types.js').Lesson} lesson
 * @param {number} step  from 1
 */
export function arrival({ steps }, step) {
  const state = steps.slice(0, step).findLast(({ state }) => state !== '')?.state ?? '';
  return { ...steps[step - 1], state };
}

/**
 * A hash with exactly one leading "#".
 * @param {string} hash
 */
export const withSharp = (hash) => '#' + hash.replace(/^#/, '');

/**
 * The state that a link describes, for as long as no scene runs.
 * @param {Scene[]} scenes
 * @param {string} hash
 * @returns {State}
 */
export function stateFromHash(scenes, hash) {
  const link = readHash(hash);
  const scene = scenes.find((s) => s.id === link.get('scene')) ?? scenes[0];
  /** @type {Record<string, any>} */
  const params = {};
  for (const d of scene?.params ?? []) {
    const text = link.get(linkName(d.name));
    params[d.name] = (text === undefined ? undefined : valueOf(d, text)) ?? d.default;
  }
  return {
    scene: scene?.id ?? '', params, iteration: 0, latest: 0, budget: Number(params.budget ?? 0), status: 'loading', playing: false,
    progress: null, hash: hash.replace(/^#/, ''), selected: '', hero: '', log: [], notices: [], runs: [], results: null,
    card: link.get('card') ?? '', lesson: null, keys: scene?.keys ?? [], pins: [], facts: {}, undo: false, changed: false,
  };
}

/**
 * Whether what is shown of data is the visitor's alone, for a page of another
 * origin. Data that a link names are, whether they are here or not: else an answer
 * would tell whether the visitor has a file of that sum.
 * @param {Data|null} data
 * @param {string} origin
 */
export const isVisitors = (data, origin) => data !== null && data.sha256 !== '' && !(data.held && data.from !== '' && data.from === origin);

/**
 * The data that a state is about, which a link names before a scene has read it.
 * @param {State} state
 * @returns {Data|null}
 */
export function dataOf({ data, hash }) {
  const sha256 = readHash(hash).get('data');
  return data ?? (sha256 ? { sha256, held: false, from: '', rows: 0, columns: 0 } : null);
}
