// @ts-check
// Which of the two programs draws: the first, by WebGL, or the second, on a two-dimensional canvas. The page's
// first script knows it from the address and from before (program-start.js); else the scene finds out.
import { setText } from './dom.js';

const { dataset } = document.documentElement;
const LOST = 'the picture is drawn only a few times a second. Everything else works as ever.';

/** Whether the second program draws. */
export const drawsFlat = () => 'canvas' in dataset;

/**
 * Remembers that there is no WebGL, for as long as the tab is there: what a browser lacks may come with its next start.
 */
export function lackWebGL() {
  dataset.canvas = 'missing';
  try {
    sessionStorage.setItem('webgl', 'missing');
  } catch {
    // Where storage is refused the scene finds out again at the next visit.
  }
}

/**
 * Says what is lost without WebGL.
 * @param {HTMLElement} sentence
 */
export function sayWhatIsLost(sentence) {
  sentence.hidden = !drawsFlat();
  if (sentence.hidden) return;
  setText(sentence, dataset.canvas === 'asked' ? `As ?canvas in the address asks, WebGL is not used: ${LOST}`
    : `This browser has no WebGL, or it is switched off: ${LOST}`);
}
