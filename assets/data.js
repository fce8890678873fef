// @ts-check The visitor's data, and who may know of
// them.
import { dataOf, isVisitors } from './hash.js';
import { inTurn } from './pacing.js';
import { sendParts } from './paste-parts.js';

/** Stands for the visitor, among the origins of other pages. */
export const VISITOR = '';

/**
 * @param {import('./types.js').Model} model
 * @param {ReturnType<typeof import('./link.js').createLink>} link
 * @param {() => number} life  a number that changes when the scene is loaded anew
 */
export function createData(model, link, life) {
  /**
   * The last file's bytes, in case the scene is loaded anew.
   * @type {{blob: Blob, sha256: string, from: string}|undefined}
   */
  let brought;

  /** Files are read one after the other: the parts of two would make a third. */
  let reading = inTurn();

  /**
   * Hands a file to the scene, unless that is loaded anew meanwhile.
   * @param {{blob: Blob, from: string}} file
   * @param {(share: number) => void} [progress]
   */
  function send({ blob, from }, progress = () => {}) {
    const begun = life();
    return reading(() => sendParts(blob, from, (args) => {
      if (begun !== life()) throw new Error('the scene is being reloaded');
      return link.call('paste', args);
    }, progress));
  }

  /**
   * Refuses the visitor's data to a page of another origin.
   * @param {string} from
   */
  function guard(from) {
    if (from === VISITOR) return;
    if (isVisitors(model.live ? link.callNow('data') : dataOf(model.state), from)) throw new Error("visitor's data");
  }

  return {
    guard,
    /**
     * Passes an error on, but not to a page of another origin: the error may tell
     * of the data.
     * @param {unknown} error
     * @param {string} from
     * @returns {never}
     */
    refuse(error, from) {
      guard(from);
      throw error;
    },
    /** A scene that begins anew has lost what was being read. */
    lost() {
      reading = inTurn();
    },
    /**
     * @param {Blob} blob
     * @param {string} from  the visitor, or the origin of the page that sent it
     * @param {(share: number) => void} [progress]
     */
    async show(blob, from, progress) {
      const { sha256 } = await send({ blob, from }, progress);
      brought = { blob, sha256, from };
    },
    /** The last file that was shown, for the program that makes pictures. */
    brought: () => brought,
    /** Gives a scene that was loaded anew the data of its state. */
    async restore() {
      const data = link.callNow('data');
      if (data && !data.held && brought && data.sha256 === brought.sha256) await send(brought);
    },
  };
}
