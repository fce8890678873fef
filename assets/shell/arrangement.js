// @ts-check
// Moves page parts that have different places on different screens, both on screen and in tab order.
import { byId } from './dom.js';

const BESIDE = '(min-width: 1200px), (min-width: 700px) and (orientation: landscape)'; // the condition in layout.css

/**
 * Puts the controls before the picture if they are beside it, and after it if they are below it. In a lesson below the
 * picture, or in a lesson with only the picture, the controls of the step move into the lesson.
 */
export function createArrangement() {
  const beside = matchMedia(BESIDE);
  const page = document.documentElement;
  const scene = byId('scene');

  /**
   * Moves a part only if needed, because moving it loses the focus.
   * @param {boolean} there
   * @param {() => void} move
   */
  const unless = (there, move) => { if (!there) move(); };

  function place() {
    const [choice, parameters, lesson, centre] = [byId('try'), byId('parameters'), byId('lesson'), byId('centre')];
    const slot = lesson.querySelector('.lesson-controls');
    const alone = 'presenting' in page.dataset || 'embed' in page.dataset;
    const within = scene.classList.contains('teaching') && slot !== null &&
      (alone || !beside.matches && (scene.dataset.onPhone === 'lesson' || matchMedia('(min-width: 700px)').matches));
    if (within) unless(parameters.parentElement === slot, () => slot?.append(parameters));
    if (beside.matches) {
      unless(choice.nextElementSibling === centre || choice.nextElementSibling === parameters, () => centre.before(choice));
      if (!within) unless(parameters.nextElementSibling === centre, () => centre.before(parameters));
      unless(byId('experiment-nav').parentElement === parameters, () => parameters.append(byId('experiment-nav')));
    } else {
      unless(choice.previousElementSibling === lesson, () => lesson.after(choice));
      if (!within) unless(parameters.previousElementSibling === choice, () => choice.after(parameters));
      unless(byId('experiment-nav').parentElement === choice, () => choice.append(byId('experiment-nav')));
    }
  }

  beside.addEventListener('change', place);
  new MutationObserver(place).observe(scene, { attributeFilter: ['class', 'data-on-phone'] });
  new MutationObserver(place).observe(page, { attributeFilter: ['data-presenting'] });
  place();
}
