// @ts-check Reads the hash of a link. Needs no document, so node can test it.
import { valueOf } from '../controls/values.js';

/** @typedef {import('./types.js').State} State */
/** @typedef {import('./types.js').Data} Data */
/** @typedef {import('./types.js').Scene} Scene */

/**
 * The link's names that are not parameters. A parameter with such a name gets another name in links. Keep in step with
 * internal/engine/link/parse.go.
 */
export const TAKEN = new Set([
  'v', 'scene', 'log', 'k', 'latest', 'ended', 'run', 'show', 'hero', 'panels', 'data', 'card', 'lesson', 'try',
  'pinA', 'pinB', 'pinC', 'pinD',
]);

/**
 * Returns a parameter's name in links.
 * @param {string} name
 */
export const linkName = (name) => (TAKEN.has(name) ? `param.${name}` : name);

/**
 * Reads the names and texts of a link's hash; if a name occurs twice, the first counts.
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

/** The names in a link that only select what to open. */
const BARE = new Set(['v', 'scene', 'card', 'lesson']);

/**
 * Returns what a link opens: a scene, its experiment, or a lesson with its step. It also returns the link's version, "1"
 * by default. A bare link, as on the contents page, has nothing else; it restarts the scene and plays it.
 * @param {string} hash
 */
export function opened(hash) {
  const link = readHash(hash);
  const [name, step] = (link.get('lesson') ?? '').split(':');
  return {
    scene: link.get('scene') ?? '', card: link.get('card') ?? '',
    lesson: name ? { name, step: Math.max(1, Math.round(Number(step)) || 1) } : null,
    version: link.get('v') ?? '1',
    bare: link.size > 0 && [...link.keys()].every((key) => BARE.has(key)),
  };
}

/**
 * Returns the state of a lesson's step for a visitor who skipped the previous step. If the step keeps the current state,
 * it returns the state of the last step that sets one.
 * @param {import('./types.js').Lesson} lesson
 * @param {number} step  from 1
 */
export function arrival({ steps }, step) {
  const state = steps.slice(0, step).findLast(({ state }) => state !== '')?.state ?? '';
  return { ...steps[step - 1], state };
}

/**
 * Returns a hash with exactly one leading "#".
 * @param {string} hash
 */
export const withSharp = (hash) => '#' + hash.replace(/^#/, '');

/**
 * Returns the state that a link describes, used until a scene runs.
 * @param {Scene[]} scenes
 * @param {string} hash
 * @returns {State}
 */
export function stateFromHash(scenes, hash) {
  const link = readHash(hash);
  const { lesson } = opened(hash);
  const scene = scenes.find((s) => s.id === link.get('scene')) ?? scenes[0];
  /** @type {Record<string, any>} */
  const params = {};
  for (const d of scene?.params ?? []) {
    const text = link.get(linkName(d.name));
    params[d.name] = (text === undefined ? undefined : valueOf(d, text)) ?? d.default;
  }
  return {
    scene: scene?.id ?? '', params, iteration: 0, latest: 0, budget: Number(params.budget ?? 0), status: 'loading', playing: false,
    finding: '', looping: false, flows: false,
    progress: null, target: null, hash: hash.replace(/^#/, ''), selected: '', hero: '', log: [], notices: [], runs: [], results: null,
    card: link.get('card') ?? '', lesson: lesson && { ...lesson, reached: false }, tried: false, keys: scene?.keys ?? [], pins: [],
    facts: {}, undo: false, changed: false,
    faults: [], trying: '',
  };
}

/**
 * Reports whether data are the visitor's and therefore hidden from a page of another origin. Data that a link names
 * count as the visitor's even if they are missing here; otherwise the answer would reveal whether the visitor has a file
 * with that sum.
 * @param {Data|null} data
 * @param {string} origin
 */
export const isVisitors = (data, origin) => data !== null && data.sha256 !== '' && !(data.held && data.from !== '' && data.from === origin);

/**
 * Returns the data of a state. Before a scene has read the link, the link names them.
 * @param {State} state
 * @returns {Data|null}
 */
export function dataOf({ data, hash }) {
  const sha256 = readHash(hash).get('data');
  return data ?? (sha256 ? { sha256, held: false, from: '', rows: 0, columns: 0 } : null);
}
