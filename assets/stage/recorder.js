// @ts-check
// Records the on-screen picture from k = 0 to the marker, as the visitor sees it.

const TYPE = 'video/webm';
const PICTURES = 200; // maximum number of pictures
const PICTURE = 40; // in milliseconds for each picture
const REST = 1000; // in milliseconds for the last picture

/** Returns why this browser cannot record, or "" if it can. */
export const whyNot = () => (typeof MediaRecorder === 'undefined' || !('captureStream' in HTMLCanvasElement.prototype) ||
  !MediaRecorder.isTypeSupported(TYPE) ? 'This browser cannot record WebM.' : '');

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** @param {() => HTMLCanvasElement | undefined} canvasNow */
export function createRecorder(canvasNow) {
  let given = false;

  return {
    cancel() {
      given = true;
    },
    /**
     * @param {(verb: string, args?: object) => any} callNow
     * @param {(text: string) => void} progress
     */
    async record(callNow, progress) {
      const canvas = canvasNow();
      const { scene, iteration } = callNow('state', { brief: true });
      if (whyNot()) throw new Error(whyNot());
      if (!canvas || iteration === 0) throw new Error('a video needs at least one iteration: play the runs first');
      given = false;
      const recorder = new MediaRecorder(canvas.captureStream(), { mimeType: TYPE });
      /** @type {Blob[]} */
      const parts = [];
      recorder.ondataavailable = ({ data }) => parts.push(data);
      const ended = new Promise((resolve, reject) => {
        recorder.onstop = resolve;
        recorder.onerror = () => reject(new Error('the browser stopped recording'));
      });
      const count = Math.min(iteration, PICTURES - 1);
      try {
        callNow('seek', { k: 0 });
        await pause(PICTURE);
        recorder.start();
        for (let i = 0; i <= count && !given; i++) {
          callNow('seek', { k: Math.round((i * iteration) / count) });
          progress(`Recording: ${Math.floor((100 * i) / count)} %`);
          await pause(PICTURE);
        }
        if (!given) await pause(REST);
      } finally {
        callNow('seek', { k: iteration });
        if (recorder.state !== 'inactive') recorder.stop();
        for (const track of recorder.stream.getTracks()) track.stop();
      }
      await ended;
      if (given) throw new Error('stopped');
      return { name: `${scene}-k${iteration}.webm`, type: TYPE, blob: new Blob(parts, { type: TYPE }) };
    },
  };
}
