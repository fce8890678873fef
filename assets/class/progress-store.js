// @ts-check
// Where lessons keep what a visitor does: in the browser, under the name of a student of a class, or with a
// learning platform. Needs no document: tested in node.
import { STORED, VISITOR } from '../lesson/teaching.js';
import { merged } from './restored.js';

/** @typedef {Pick<Storage, 'getItem'|'setItem'|'removeItem'>} Store */

/**
 * A store that lessons use like the browser's. What is set there is told to listeners; where nothing can be
 * stored, it holds until the page is left.
 * @param {object} of
 * @param {() => Store} of.storage  throws where there is none
 * @param {string} [of.owner]  of what is kept, "" for whoever uses the browser
 * @param {number} [of.visitor]  the owner's own number
 * @param {string|null} [of.lessons]  what a learning platform has kept for the owner; what the browser has kept in its place
 *   is added
 */
export function createStore({ storage, owner = '', visitor, lessons = null }) {
  /** @type {Map<string, string>} */
  const held = new Map();
  if (visitor !== undefined) held.set(VISITOR, String(visitor));
  /** @type {((before: string|null, after: string) => void)[]} */
  const listeners = [];

  /** @param {string} key */
  const named = (key) => (owner === '' ? key : `${key} of ${owner}`);

  /** @param {string} key @returns {string|null} */
  function getItem(key) {
    const own = held.get(key);
    if (own !== undefined) return own;
    try {
      return storage().getItem(named(key));
    } catch {
      return null; // a sandboxed embedding has no storage
    }
  }

  // The platform's student is unknown without an owner: what the browser has is somebody's, but perhaps not theirs.
  if (lessons !== null) held.set(STORED, owner === '' ? lessons : merged(lessons, getItem(STORED)));

  return {
    getItem,
    /**
     * Has the browser keep what a learning platform does not take, or no longer.
     * @param {boolean} on
     * @returns {boolean} whether the browser keeps it
     */
    keepHere(on) {
      if (owner === '') return false;
      try {
        if (on) storage().setItem(named(STORED), getItem(STORED) ?? '{}');
        else storage().removeItem(named(STORED));
        return on;
      } catch {
        return false; // refused or full
      }
    },
    /** @param {string} key @param {string} text */
    setItem(key, text) {
      const before = getItem(key);
      if (held.has(key)) held.set(key, text);
      else {
        try {
          storage().setItem(named(key), text);
        } catch {
          held.set(key, text); // refused or full
        }
      }
      if (key === STORED && text !== before) for (const tell of listeners) tell(before, text);
    },
    /** The progress of all lessons, as it is kept. */
    lessons: () => getItem(STORED),
    /**
     * Has a function told of changes of the progress.
     * @param {(before: string|null, after: string) => void} tell
     */
    listen(tell) {
      listeners.push(tell);
    },
  };
}
