// @ts-check
// Fills the contents page of a single-file page with the file's lessons and the licences. A file with one lesson opens
// it at once.
import { byId, element } from '../../../assets/shell/dom.js';
import { dialogHead, openDialog } from '../../../assets/shell/help.js';
import { get } from '../../../assets/platform/files.js';
import { createHero } from '../../../assets/shell/hero.js';
import { createProgress } from '../../../assets/lesson/teaching.js';

/** @type {import('../../../assets/shell/types.js').LessonEntry[]} */
const lessons = JSON.parse(document.querySelector('script[data-file="lessons.json"]')?.textContent ?? '[]');

/** @param {{name: string, scene: string}} lesson */
const linkTo = ({ name, scene }) => `#v=1&scene=${encodeURIComponent(scene)}&lesson=${encodeURIComponent(name)}:1`;

if (lessons.length === 1 && window.location.hash.length <= 1) {
  history.replaceState(null, '', linkTo(lessons[0]));
  document.documentElement.dataset.page = 'scene';
}

const list = /** @type {HTMLElement} */ (document.querySelector('#gallery .path'));
/** @type {HTMLElement} */ (list.closest('.part')).hidden = lessons.length === 0;
list.append(...lessons.map((lesson) => element('li', {}, element('a', { class: 'listed', href: linkTo(lesson), 'data-lesson': lesson.name },
  element('span', { class: 'path-words' }, element('span', { class: 'name' }, lesson.title), ' ',
    element('span', { class: 'question' }, lesson.question), ' ',
    element('span', { class: 'minutes' }, `${lesson.minutes} min`))))));

/** Marks completed lessons, in which all goals have been reached. */
function markDone() {
  const progress = createProgress(() => localStorage);
  lessons.forEach(({ name, steps }, i) => {
    const done = progress.reached(name).size >= steps;
    const link = /** @type {HTMLElement} */ (list.children[i].firstElementChild);
    link.classList.toggle('done', done);
    if (done) link.setAttribute('aria-description', 'done');
    else link.removeAttribute('aria-description');
  });
}

markDone();
const gallery = byId('gallery');
new MutationObserver(() => { if (!gallery.hidden) markDone(); }).observe(gallery, { attributeFilter: ['hidden'] });

/** Shows the authors and licences of the file's parts. */
async function showLicences() {
  if (!text.textContent) text.textContent = await (await get('LICENCES.txt')).text();
  openDialog(licences);
}

const licences = element('dialog', { id: 'licences-dialog' });
const text = element('pre', { class: 'licences', tabindex: '0' });
licences.append(dialogHead(licences, 'Licences'), text);
document.body.append(licences);
/** @type {HTMLElement} */ (document.querySelector('.foot')).append(
  element('button', { type: 'button', class: 'link', onclick: showLicences }, 'Licences'));
/** @type {HTMLAnchorElement} */ (byId('to-gallery')).href = '#';

const frame = /** @type {HTMLElement} */ (gallery.querySelector('.tradeoff-frame'));
createHero(frame, () => {}).then(() => { frame.hidden = false; }, () => /** @type {HTMLElement} */ (frame.closest('figure')).remove());
