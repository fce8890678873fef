// @ts-check
// What the visitor brought, and who may know of it.
import { dataOf, isVisitors } from './hash.js';
import { inTurn } from './pacing.js';
import { sendParts } from './paste.js';

/** Who asks for the visitor, beside the origins of other pages. */
export const VISITOR = '';

/**
 * @param {import('./types.js').Model} model
 * @param {ReturnType<typeof import('./link.js').createLink>} link
 * @param {() => number} life  a number that changes when the scene is loaded anew
 */
export function createData(model, link, life) {
  /**
   * The bytes that were brought last, should the scene be loaded anew.
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
   * Refuses a page of another origin what is the visitor's.
   * @param {string} from
   */
  function guard(from) {
    if (from === VISITOR) return;
    if (isVisitors(model.live ? link.callNow('data') : dataOf(model.state), from)) throw new Error("visitor's data");
  }

  return {
    guard,
    /**
     * Passes an error on; to a page of another origin it too may tell of the data.
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
    /** Gives a scene that was loaded anew the data that its state is about. */
    async restore() {
      const data = link.callNow('data');
      if (data && !data.held && brought && data.sha256 === brought.sha256) await send(brought);
    },
  };
}
