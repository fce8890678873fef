// @ts-check
// Plays the scene once more, a while after play has stopped by itself, unless the visitor has touched something. The
// scene moves its marker for this at most three times. Any touch turns replay off until another scene opens.
import { EMBEDDED } from './presenting.js';

const PAUSE = 3000; // milliseconds before it plays again
const ONE_TOUCH = 1000; // milliseconds within which a click belongs to the touch that ended the replay
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
  /** When a touch last ended the replay. */
  let ended = -Infinity;

  const may = () => model.live && !touched && !EMBEDDED && !theme.reducedMotion() && document.visibilityState === 'visible' &&
    !model.state.lesson && !model.contents;

  /** Starts or cancels the pause, depending on the current state. */
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
    if (!model.live || !model.state.looping) return;
    ended = performance.now();
    link.whenRested(() => link.callNow('loop', { on: false }));
  }

  /** Keeps the current picture after the visitor or a script has acted. */
  function touch() {
    if (model.contents) return; // the action that opens a scene is outside it
    touched = true;
    end();
  }

  for (const type of TOUCHES) addEventListener(type, touch, { capture: true, passive: true });
  addEventListener('focusin', ({ target }) => { // the page also moves the focus itself, but not to a control
    if (target instanceof Element && target.matches(CONTROLS)) touch();
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') end();
    else look();
  });

  /** Whether the current touch has ended the replay: on the button that then says Pause, it must not also start the runs. */
  const paused = () => performance.now() - ended < ONE_TOUCH;

  return { look, touch, paused };
}
