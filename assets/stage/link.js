// @ts-check
import { drawsFlat } from './drawing.js';
import { inside } from '../platform/files.js';

/**
 * @typedef {object} Stage the interface that stage.js puts on its window
 * @property {(verb: string, args: object) => Promise<any>} call  settles when applied, including pending work
 * @property {(verb: string, args: object) => any} callNow  first ends a pausing verb
 * @property {() => Promise<void> | undefined} resting
 * @property {(kind: string, how: import('../shell/types.js').Taking, brought?: Brought, progress?: (text: string) => void) =>
 *   Promise<{name: string, type: string, blob: Blob}>} exportFile
 * @property {() => void} cancelExport
 * @property {(how: {alone: boolean, zoom: number}) => void} show
 * @property {(panel: string) => void} light
 * @property {() => void} [framed]  the page's function to call after each frame; before it is set, frames are messages
 *
 * @typedef {{blob: Blob, from: string, sha256: string, choose?: import('./paste-parts.js').Choice}} Brought the visitor's last file
 *
 * @typedef {object} Listener
 * @property {() => void} ready  the scene can answer; also after it has reloaded itself
 * @property {(done: number, total: number) => void} progress
 * @property {(text: string, notCompiled: boolean) => void} error  notCompiled: the server has no program yet
 * @property {(kind: string, detail: any) => void} event
 * @property {() => void} withoutWebGL  the scene's program cannot draw
 * @property {() => void} reload  the scene asks for a reload with its current state
 * @property {(key: {key: string, shiftKey: boolean}) => void} key
 * @property {() => void} touched  the visitor has touched the picture
 */

/**
 * Connects the page to the iframe that runs the scene.
 * @param {HTMLIFrameElement} iframe
 */
export function createLink(iframe) {
  /** @type {Listener} */
  let listener;
  /** @type {Stage|undefined} */
  let stage;
  /** The time origin of the document that was told to reload; its later messages are ignored. */
  let left = 0;

  /** @param {MessageEvent} message */
  function heard({ source, origin, data }) {
    // A page around this one may have put another document into the iframe.
    if (source !== iframe.contentWindow || origin !== window.origin || typeof data !== 'object' || data === null) return;
    if (data.document === left) return;
    switch (data.stage) {
      case 'ready':
        stage = /** @type {Stage} */ (/** @type {any} */ (iframe.contentWindow).stage);
        stage.framed = () => listener.event('frame', null);
        listener.ready();
        break;
      case 'progress':
        listener.progress(data.done, data.total);
        break;
      case 'error':
        stage = undefined;
        listener.error(data.text, data.notCompiled === true);
        break;
      case 'event':
        listener.event(data.kind, typeof data.detail === 'string' ? JSON.parse(data.detail) : data.detail);
        break;
      case 'key':
        listener.key(data);
        break;
      case 'touched':
        listener.touched();
        break;
      case 'reload':
        listener.reload();
        break;
      case 'without WebGL':
        listener.withoutWebGL();
        break;
    }
  }

  /** Returns the address of the scene's document for the chosen program. */
  const address = () => new URL(`assets/stage.html${drawsFlat() ? '?canvas' : ''}`, document.baseURI).href;

  function reload() {
    stage = undefined;
    if (!iframe.contentWindow) return;
    left = iframe.contentWindow.performance.timeOrigin;
    if (inside) iframe.srcdoc = inside.stage;
    else if (iframe.contentWindow.location.href === address()) iframe.contentWindow.location.reload();
    else iframe.contentWindow.location.replace(address());
  }

  /** @returns {Stage} */
  function running() {
    if (!stage) throw new Error('the scene is not running');
    return stage;
  }

  return {
    /**
     * Sets the listener for the scene's messages. Call it once, before the scene is loaded.
     * @param {Listener} who
     */
    connect(who) {
      listener = who;
      window.addEventListener('message', heard);
    },
    /** Loads the scene's document, unless scene-start.js has already started to. */
    start() {
      if (inside) iframe.srcdoc = inside.stage;
      else if (!iframe.hasAttribute('src')) iframe.src = address();
      for (const message of /** @type {any} */ (window).takeMessages()) heard(message);
    },
    reload,
    /** @param {{alone: boolean, zoom: number}} how no effect if no scene runs; the scene gets it when it starts */
    show: (how) => stage?.show(how),
    /** @param {string} panel  "" for none */
    light: (panel) => stage?.light(panel),
    /** @param {string} verb @param {object} [args] */
    async call(verb, args = {}) {
      try {
        return await running().call(verb, args);
      } catch (error) {
        throw ours(error);
      }
    },
    /** @param {string} verb @param {object} [args] */
    callNow(verb, args = {}) {
      try {
        return running().callNow(verb, args);
      } catch (error) {
        throw ours(error);
      }
    },
    /**
     * Shows the scene's messages, at once or, in a separate task, after the pausing verb has ended. An earlier
     * request would prepare all remaining work in one piece.
     * @param {() => void} show
     */
    whenRested(show) {
      const resting = stage?.resting();
      if (resting) resting.then(() => setTimeout(() => this.whenRested(show)));
      else show();
    },
    /**
     * @param {string} kind
     * @param {import('../shell/types.js').Taking} how
     * @param {Brought} [brought]
     * @param {(text: string) => void} [progress]
     */
    async exportFile(kind, how, brought, progress) {
      try {
        const { name, type, blob } = await running().exportFile(kind, how, brought, progress);
        return { name, type, blob: new Blob([blob], { type }) };
      } catch (error) {
        throw ours(error);
      }
    },
    /** Cancels the file in progress. */
    cancelExport: () => stage?.cancelExport(),
  };
}

/**
 * Converts an error into one of this window. The iframe has its own Error and Blob classes, and its objects would vanish
 * with it.
 * @param {unknown} error
 */
const ours = (error) => new Error(/** @type {Error} */ (error).message);
