// @ts-check
// Which of the two programs draws: the first, by WebGL, or the second, on a two-dimensional canvas. The page's
// first script knows it from the address and from before (theme-start.js); else the scene finds out.
import { setText } from '../shell/dom.js';

const { dataset } = document.documentElement;

/** Whether the second program draws. */
export const drawsFlat = () => 'canvas' in dataset;

/**
 * Ends the load of the program that needs WebGL, and remembers that there is none, for
 * as long as the tab is there: what a browser lacks may come with its next start.
 */
export function lackWebGL() {
  dataset.canvas = 'missing';
  /** @type {any} */ (window).dropProgram();
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
  const why = dataset.canvas === 'asked' ? 'No WebGL, as ?canvas asks' : 'This browser has no WebGL, or it is off';
  setText(sentence, `${why}: pictures are slower. Everything else works.`);
}
