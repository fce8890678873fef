// @ts-check
// Shows once more what was played, a while after play has stopped by itself, to a visitor who has touched nothing: the scene moves
// its marker, and at most three times. Any touch ends that for good in this scene.
import { EMBEDDED } from './presenting.js';

const PAUSE = 3000; // milliseconds before what was played is shown again
const TOUCHES = ['pointerdown', 'touchstart', 'wheel', 'keydown', 'input'];
const CONTROLS = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';

/**
 * @param {import('./types.js').Model} model
 * @param {object} parts
 * @param {ReturnType<typeof import('../stage/link.js').createLink>} parts.link
 * @param {ReturnType<typeof import('./theme.js').createTheme>} parts.theme
 */
export function createAgain(model, { link, theme }) {
  let scene = '';
  let touched = false;
  let waiting = 0;

  const may = () => model.live && !touched && !EMBEDDED && !theme.reducedMotion() && document.visibilityState === 'visible' &&
    !model.state.lesson && !model.contents;

  /** Looks at the state as it is now. */
  function look() {
    if (model.state.scene !== scene) {
      scene = model.state.scene;
      touched = false;
    }
    const { finding, looping, playing } = model.state;
    const due = Boolean(finding) && !looping && !playing && may();
    if (due === Boolean(waiting)) return;
    clearTimeout(waiting);
    waiting = due ? window.setTimeout(begin, PAUSE) : 0;
  }

  function begin() {
    waiting = 0;
    link.whenRested(() => {
      if (may()) link.callNow('loop');
    });
  }

  function end() {
    clearTimeout(waiting);
    waiting = 0;
    if (model.live && model.state.looping) link.whenRested(() => link.callNow('loop', { on: false }));
  }

  /** The visitor, or a script, does something: what is shown stays as it is. */
  function touch() {
    if (model.contents) return; // what opens a scene does nothing in it
    touched = true;
    end();
  }

  for (const type of TOUCHES) addEventListener(type, touch, { capture: true, passive: true });
  addEventListener('focusin', ({ target }) => { // what the page itself brings into focus is no control
    if (target instanceof Element && target.matches(CONTROLS)) touch();
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') end();
    else look();
  });

  return { look, touch };
}
