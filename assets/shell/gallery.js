// @ts-check
// Adds to the contents page: chips that filter the scenes, and marks on completed lessons. The page is complete without
// them.
import { store } from '../class/student.js';
import { createHero } from './hero.js';
import { createProgress, isBegun, isDone } from '../lesson/teaching.js';

const gallery = /** @type {HTMLElement} */ (document.getElementById('gallery'));
const chips = /** @type {NodeListOf<HTMLButtonElement>} */ (gallery.querySelectorAll('.chips button'));

/** Shows the scenes of a group. @param {string} group  "" shows all */
function filter(group) {
  for (const chip of chips) chip.setAttribute('aria-pressed', String(chip.dataset.group === group));
  for (const card of /** @type {NodeListOf<HTMLElement>} */ (gallery.querySelectorAll('.scenes li'))) {
    card.hidden = group !== '' && card.dataset.group !== group;
  }
}

/** Marks completed and started lessons. A started lesson opens at the visitor's step. */
function markDone() {
  const progress = createProgress(() => store); // read again, because another tab may have added to it
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (gallery.querySelectorAll('[data-lesson]'))) {
    const of = progress.of(link.dataset.lesson ?? '');
    const steps = Number(link.dataset.steps);
    const done = isDone(of, steps);
    const begun = !done && isBegun(of);
    link.classList.toggle('done', done);
    link.classList.toggle('begun', begun);
    const step = begun && of.at <= steps ? Math.max(1, of.at) : 1;
    link.hash = link.hash.replace(/:\d+$/, `:${step}`);
    if (done || begun) link.setAttribute('aria-description', done ? 'done' : `started, continues at step ${step} of ${steps}`);
    else link.removeAttribute('aria-description');
  }
}

/** Plays the large picture until it is stopped, and then shows its last frame. @returns {() => void} stops it */
function createStop() {
  const button = /** @type {HTMLButtonElement} */ (gallery.querySelector('.still'));
  const films = [.../** @type {NodeListOf<HTMLElement>} */ (gallery.querySelectorAll('.tradeoff source'))]
    .map((source) => ({ source, picture: /** @type {HTMLElement} */ (source.parentElement) }));
  const moves = matchMedia('(prefers-reduced-motion: no-preference)');
  const update = () => { button.hidden = !moves.matches; };
  const plays = () => films.some(({ source }) => source.isConnected);
  const turn = () => {
    const playing = plays();
    for (const { source, picture } of films) {
      if (playing) source.remove();
      else picture.prepend(source);
    }
    button.textContent = playing ? 'Play the picture' : 'Stop the picture';
  };
  button.addEventListener('click', turn);
  moves.addEventListener('change', update);
  update();
  return () => { if (plays()) turn(); };
}

/**
 * Calls f when the contents page appears; a link to a scene opens the page without it.
 * @param {() => void} f
 */
function whenShown(f) {
  const page = document.documentElement;
  if (page.dataset.page === 'gallery') {
    f();
    return;
  }
  const observer = new MutationObserver(() => {
    if (page.dataset.page !== 'gallery') return;
    observer.disconnect();
    f();
  });
  observer.observe(page, { attributeFilter: ['data-page'] });
}

const frame = /** @type {HTMLElement} */ (gallery.querySelector('.tradeoff-frame'));
const stop = createStop();
whenShown(() => createHero(frame, stop).catch(() => {})); // if this fails, the picture stays as it is
for (const chip of chips) chip.addEventListener('click', () => filter(chip.dataset.group ?? ''));
for (const bar of /** @type {NodeListOf<HTMLElement>} */ (gallery.querySelectorAll('.chips'))) bar.hidden = false;
markDone();
// The page may return to the contents without reloading.
new MutationObserver(() => { if (!gallery.hidden) markDone(); }).observe(gallery, { attributeFilter: ['hidden'] });
