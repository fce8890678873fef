// @ts-check
// Which of the two programs draws: the first, by WebGL, or the second, on a two-dimensional canvas. The page's first script knows it from
// the address or from an earlier visit (theme-start.js); otherwise the scene finds out.
import { setText } from '../shell/dom.js';

const { dataset } = document.documentElement;

/** Whether the second program draws. */
export const drawsFlat = () => 'canvas' in dataset;

/**
 * Stops loading the program that needs WebGL, and remembers the lack of WebGL while the tab is open: a restarted browser may have it.
 */
export function lackWebGL() {
  dataset.canvas = 'missing';
  /** @type {any} */ (window).dropProgram();
  try {
    sessionStorage.setItem('webgl', 'missing');
  } catch {
    // If storage is refused, the scene finds out again at the next visit.
  }
}

/**
 * Says what is lost without WebGL.
 * @param {HTMLElement} sentence
 */
export function sayWhatIsLost(sentence) {
  sentence.hidden = !drawsFlat();
  if (sentence.hidden) return;
  const why = dataset.canvas === 'asked' ? 'The address turns WebGL off (?canvas)' : 'WebGL is missing or off in this browser';
  setText(sentence, `${why}, so pictures are slower. Everything else works.`);
}
