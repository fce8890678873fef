// @ts-check

/**
 * @typedef {object} Stage  what stage.js puts on its window
 * @property {(verb: string, args: object) => Promise<any>} call  settles when applied, pending work included
 * @property {(verb: string, args: object) => any} callNow
 * @property {(kind: string, panel: string) => Promise<{name: string, type: string, blob: Blob}>} exportFile
 *
 * @typedef {object} Listener
 * @property {() => void} ready  the scene answers; also after it has reloaded itself
 * @property {(done: number, total: number) => void} progress
 * @property {(text: string) => void} error
 * @property {(kind: string, detail: any) => void} event
 * @property {() => void} reload  the scene asks to be loaded anew with the state it has
 * @property {(key: {key: string, shiftKey: boolean}) => void} key
 */

/**
 * The line to the iframe that runs the scene.
 * @param {HTMLIFrameElement} iframe
 * @param {Listener} listener
 */
export function createLink(iframe, listener) {
  /** @type {Stage|undefined} */
  let stage;

  window.addEventListener('message', ({ source, data }) => {
    if (source !== iframe.contentWindow || typeof data !== 'object' || data === null) return;
    switch (data.stage) {
      case 'ready':
        stage = /** @type {any} */ (iframe.contentWindow).stage;
        listener.ready();
        break;
      case 'progress':
        listener.progress(data.done, data.total);
        break;
      case 'error':
        stage = undefined;
        listener.error(data.text);
        break;
      case 'event':
        listener.event(data.kind, typeof data.detail === 'string' ? JSON.parse(data.detail) : data.detail);
        break;
      case 'key':
        listener.key(data);
        break;
      case 'reload':
        listener.reload();
        break;
    }
  });

  function reload() {
    stage = undefined;
    iframe.contentWindow?.location.reload();
  }

  /** @returns {Stage} */
  function running() {
    if (!stage) throw new Error('the scene is not running');
    return stage;
  }

  return {
    // Not in index.html: what the iframe says before somebody listens is lost.
    start() {
      iframe.src = 'assets/stage.html';
    },
    reload,
    running: () => stage !== undefined,
    /** @param {string} verb @param {object} [args] */
    call: (verb, args = {}) => running().call(verb, args),
    /** @param {string} verb @param {object} [args] */
    callNow: (verb, args = {}) => running().callNow(verb, args),
    /** @param {string} kind @param {string} panel */
    exportFile: (kind, panel) => running().exportFile(kind, panel),
  };
}
