// @ts-check
import { get as fromSite } from '../platform/files.js';

/** @typedef {import('../shell/types.js').Lesson} Lesson */
/** @typedef {import('../shell/types.js').LessonEntry} LessonEntry */

/**
 * Fetches the path of lessons and the lessons, each once. The next request repeats a failed fetch.
 * @param {(address: string) => Promise<Response>} [get]
 * @param {Pick<ReturnType<typeof import('./own-lesson.js').createOwn>, 'definition'>} [own]  custom lessons
 */
export function createLessons(get = fromSite, own = undefined) {
  /** @type {Map<string, Promise<any>>} */
  const held = new Map();

  /** @param {string} address */
  function read(address) {
    const there = held.get(address);
    if (there) return there;
    const reading = get(address).then((response) => {
      if (!response.ok) throw new Error(`the server answered ${response.status}`);
      return response.json();
    });
    held.set(address, reading);
    reading.catch(() => held.delete(address));
    return reading;
  }

  /** @returns {Promise<LessonEntry[]>} the path */
  const list = () => read('lessons.json');

  return {
    list,
    /**
     * @param {string} name
     * @returns {Promise<Lesson>}
     */
    async definition(name) {
      // A link may contain any name, so fetch only lessons in the path.
      if (!(await list()).some((lesson) => lesson.name === name)) {
        const theirs = own?.definition(name);
        if (!theirs) throw new Error(`There is no lesson “${name}”.`);
        return theirs;
      }
      return read(`lessons/${encodeURIComponent(name)}.json`);
    },
  };
}
