// @ts-check Manages the visitor's data and who may access them.
import { get } from '../platform/files.js';
import { dataOf, isVisitors } from '../shell/hash.js';
import { inTurn } from '../shell/pacing.js';
import { sendParts } from './paste-parts.js';

/** The reason for abandoning a file that is no longer needed. */
const OUTDATED = 'the scene is waiting for another file';

/** Stands for the visitor among the origins of other pages. */
export const VISITOR = '';

/**
 * @param {import('../shell/types.js').Model} model
 * @param {ReturnType<typeof import('./link.js').createLink>} link
 */
export function createData(model, link) {
  /**
   * The last file's bytes, kept for a reload of the scene.
   * @type {import('./link.js').Brought|undefined}
   */
  let brought;

  /** Files are read one after the other; otherwise the parts of two would mix. */
  let reading = inTurn();

  /**
   * Sends a file to the scene, unless the scene reloads meanwhile.
   * @param {{blob: Blob, from: string, choose?: import('./paste-parts.js').Choice}} file
   * @param {(share: number) => void} [progress]
   * @param {boolean} [grown]  whether it is the file on show, which has grown
   */
  function send({ blob, from, choose }, progress = () => {}, grown = false) {
    const begun = model.life;
    return reading(() => sendParts(blob, from, (args) => {
      if (begun !== model.life) throw new Error('the scene is reloading');
      return link.call('paste', { ...args, grown });
    }, progress, choose));
  }

  /**
   * Denies a page of another origin access to the visitor's data.
   * @param {string} from
   */
  function guard(from) {
    if (from === VISITOR) return;
    if (isVisitors(model.live ? link.callNow('data') : dataOf(model.state), from)) throw new Error("visitor's data");
  }

  /** The page's file being fetched. */
  let fetching = '';

  /**
   * Fetches the file that the scene needs from the page, once.
   * @param {() => void} supplied
   * @param {(error: Error) => void} failed
   */
  async function supply(supplied, failed) {
    const { needs } = model.state;
    if (!needs || needs === fetching || !model.live) return;
    fetching = needs;
    const begun = model.life;
    try {
      const response = await get(needs);
      if (!response.ok) throw new Error(`the server answered ${response.status}`);
      const blob = await response.blob();
      await reading(() => sendParts(blob, VISITOR, (args) => {
        if (begun !== model.life || model.state.needs !== needs) throw new Error(OUTDATED);
        return link.call('supply', { id: needs, ...args });
      }, () => {}));
      supplied();
    } catch (error) {
      if (/** @type {Error} */ (error).message !== OUTDATED) failed(/** @type {Error} */ (error));
    } finally {
      fetching = '';
    }
  }

  return {
    guard,
    supply,
    /**
     * Rethrows an error, but hides it from a page of another origin, to which it may reveal something about the
     * data.
     * @param {unknown} error
     * @param {string} from
     * @returns {never}
     */
    refuse(error, from) {
      guard(from);
      throw error;
    },
    /** Forgets the file being read, which the scene has lost because it restarted. */
    lost() {
      reading = inTurn();
    },
    /**
     * @param {Blob} blob
     * @param {string} from  the visitor, or the origin of the page that sent it
     * @param {(share: number) => void} [progress]
     * @param {import('./paste-parts.js').Choice} [choose]  chooses a part of a file with several
     * @param {boolean} [grown]  whether it is the file on show, which has grown
     */
    async show(blob, from, progress, choose, grown) {
      const { sha256 } = await send({ blob, from, choose }, progress, grown);
      brought = { blob, sha256, from, choose };
    },
    /** Returns the last file shown, for the program that draws picture files. */
    brought: () => brought,
    /** Sends a reloaded scene the data of its state. */
    async restore() {
      const data = link.callNow('data');
      if (data && !data.held && brought && data.sha256 === brought.sha256) await send(brought);
    },
  };
}
