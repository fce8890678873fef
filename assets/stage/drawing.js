// @ts-check
// Decides which of two programs draws: the first with WebGL, or the second on a two-dimensional canvas. The page's first
// script knows this from the address or an earlier visit (theme-start.js); otherwise the scene finds out.
import { setText } from '../shell/dom.js';

const { dataset } = document.documentElement;

/** Reports whether the second program draws. */
export const drawsFlat = () => 'canvas' in dataset;

/** Stops loading the program that needs WebGL, and remembers the lack of WebGL for this tab, because a restarted browser may have it. */
export function lackWebGL() {
  dataset.canvas = 'missing';
  /** @type {any} */ (window).dropProgram();
  try {
    sessionStorage.setItem('webgl', 'missing');
  } catch {
    // Without storage, the scene finds out again at the next visit.
  }
}

/**
 * Tells the visitor what the lack of WebGL costs.
 * @param {HTMLElement} sentence
 */
export function sayWhatIsLost(sentence) {
  sentence.hidden = !drawsFlat();
  if (sentence.hidden) return;
  const why = dataset.canvas === 'asked' ? 'The address turns WebGL off (?canvas)' : 'WebGL is missing or off in this browser';
  setText(sentence, `${why}, so pictures are slower. Everything else works.`);
}
