// @ts-check
// Stores what a visitor does in lessons: in the browser, under the name of a student of a class, or with a learning
// platform. Needs no document, so node can test it.
import { STORED, VISITOR } from '../lesson/teaching.js';
import { merged } from './restored.js';

/** @typedef {Pick<Storage, 'getItem'|'setItem'|'removeItem'>} Store */

/**
 * Creates a store that lessons use like the browser's, and that notifies listeners of changes. If the browser stores
 * nothing, the values last until the visitor leaves the page.
 * @param {object} of
 * @param {() => Store} of.storage  throws if there is none
 * @param {string} [of.owner]  of the stored values, "" for any user of the browser
 * @param {number} [of.visitor]  the owner's number
 * @param {string|null} [of.lessons]  what a learning platform has stored for the owner; what the browser stored instead is added
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

  // Without an owner, the platform's student is unknown, and the browser's values may belong to another person.
  if (lessons !== null) held.set(STORED, owner === '' ? lessons : merged(lessons, getItem(STORED)));

  return {
    getItem,
    /**
     * Turns the browser's storage on for what a learning platform does not accept, or off.
     * @param {boolean} on
     * @returns {boolean} whether the browser stores it
     */
    keepHere(on) {
      if (owner === '') return false;
      try {
        if (on) storage().setItem(named(STORED), getItem(STORED) ?? '{}');
        else storage().removeItem(named(STORED));
        return on;
      } catch {
        return false; // storage is refused or full
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
          held.set(key, text); // storage is refused or full
        }
      }
      if (key === STORED && text !== before) for (const tell of listeners) tell(before, text);
    },
    /** Returns the stored progress of all lessons. */
    lessons: () => getItem(STORED),
    /**
     * Adds a function to call after changes of the progress.
     * @param {(before: string|null, after: string) => void} tell
     */
    listen(tell) {
      listeners.push(tell);
    },
  };
}
