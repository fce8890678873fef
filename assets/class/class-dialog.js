// @ts-check
// Shows students their class: the name, the code at the end of a lesson, and a list of everything done.
import { byId, copyBy, element, intend } from '../shell/dom.js';
import { codeOf, entriesOf, stepsOf, sumOf } from './done.js';
import { dialogHead, openDialog } from '../shell/help.js';
import { actorOf, createStatements } from '../platform/statements.js';
import { enter, launch, name, ofClass, scorm, store } from './student.js';

/** @typedef {import('./done.js').Course} Course */

const FORMATIVE = 'A code says who did which lesson, which first predictions were right, and how many tries were needed. ' +
  'Anyone can make up a code, so use codes for discussing the lesson, not for grading.';

const home = location.origin + location.pathname.replace(/index\.html$/, '');

/**
 * Describes the totals of a lesson's steps in words.
 * @param {ReturnType<typeof sumOf>} sum
 * @param {number} tries
 */
export function inWords({ right, asked, reached, goals }, tries) {
  return [
    ...(asked > 0 ? [`${right} of ${asked} first predictions right`] : []),
    ...(goals > 0 ? [`${reached} of ${goals} goals reached unaided`] : []),
    ...(tries > 0 ? [`${tries} ${tries === 1 ? 'try' : 'tries'} before`] : []),
  ].join(', ');
}

/**
 * Builds a button that copies a text, or selects it if the browser refuses to copy.
 * @param {string} label
 * @param {() => string} text
 * @param {() => HTMLElement} shown  the element that shows it
 */
const copyButton = (label, text, shown) => element('button', { type: 'button',
  onclick: (/** @type {Event} */ e) => copyBy(/** @type {HTMLElement} */ (e.currentTarget), text(), shown()) }, label);

/**
 * @param {object} lessons  fetches lessons
 * @param {() => Promise<{name: string}[]>} lessons.list
 * @param {(name: string) => Promise<Course>} lessons.definition
 */
export function createClassDialog({ list, definition }) {
  const button = /** @type {HTMLButtonElement} */ (byId('class-button'));
  const dialog = /** @type {HTMLDialogElement} */ (byId('class-dialog'));
  const box = element('section', { class: 'class-code', 'aria-live': 'polite', hidden: true });
  const failure = element('p', { class: 'failure-text', role: 'alert' });
  const typed = element('input', { type: 'text', id: 'class-name', maxlength: '60', required: true, autocomplete: 'off', value: name });
  const form = element('form', { class: 'class-name', hidden: ofClass === '', onsubmit: (/** @type {Event} */ e) => {
    e.preventDefault();
    failure.textContent = enter(typed.value);
  } },
  element('div', { class: 'field' }, element('label', { for: 'class-name' }, 'Your name, as your teacher knows it'), typed),
  element('p', { class: 'note-facts' },
    `${launch || scorm ? 'Your codes contain your name.' : 'Only your codes contain your name: nothing is sent.'} Your work is kept ${
      scorm?.open ? 'by the learning platform.' : 'in this browser, under this name.'}`),
  element('div', { class: 'dialog-foot' }, element('button', { type: 'submit', class: 'primary' }, name === '' ? 'Begin' : 'Change')));
  const done = element('div');
  dialog.append(dialogHead(dialog, ofClass === '' ? 'What you did' : `Class ${ofClass}`), form, failure, done);
  byId('did').addEventListener('click', open);
  button.addEventListener('click', open);
  button.hidden = ofClass === '';
  /** @type {HTMLElement} */ (button.querySelector('[data-label]')).textContent = name || 'Your name';

  /** Returns the records of the lessons that the visitor has started. */
  async function begun() {
    const entries = entriesOf(store.lessons());
    const names = (await list()).map((lesson) => lesson.name).filter((of) => entries.has(of));
    const courses = await Promise.all(names.map(definition));
    return courses.map((course) => {
      const steps = stepsOf(course, entries.get(course.name));
      return { course, sum: sumOf(steps), tries: steps.reduce((all, step) => all + step.tries, 0),
        code: name === '' ? '' : codeOf(ofClass, name, course, entries.get(course.name)) };
    }).filter(({ sum }) => sum.begun);
  }

  async function open() {
    openDialog(dialog);
    if (ofClass !== '' && name === '') typed.focus();
    try {
      draw(await begun());
    } catch (error) {
      done.replaceChildren();
      failure.textContent = `The lessons could not be loaded: ${/** @type {Error} */ (error).message}`;
    }
  }

  /** @param {Awaited<ReturnType<typeof begun>>} lessons */
  function draw(lessons) {
    const codes = element('ul', { class: 'class-done' }, ...lessons.map(({ course, sum, tries, code }) => element('li', {},
      element('b', {}, course.title), element('span', {}, `${sum.ended ? 'done' : 'started'}: ${inWords(sum, tries)}`),
      code ? element('code', {}, code) : null)));
    const text = () => lessons.map(({ code }) => code).join('\n');
    if (lessons.length === 0) {
      done.replaceChildren(...(ofClass !== '' && name === '' ? [] : [element('p', {}, 'You have not started a lesson here.')]));
      return;
    }
    done.replaceChildren(...[
      codes, name ? element('p', { class: 'note-facts' }, FORMATIVE) : null,
      element('div', { class: 'dialog-foot' },
        name ? copyButton('Copy the codes', text, () => codes) : null,
        element('button', { type: 'button', onclick: () => save(lessons.map(({ course }) => course)) }, 'Save as xAPI statements')),
    ].filter((node) => node !== null));
  }

  /** @param {Course[]} courses */
  function save(courses) {
    const actor = launch?.actor ?? actorOf(home, ofClass, name || 'visitor');
    const statements = createStatements({ home, actor, activity: launch?.activity, registration: launch?.registration })
      .all(courses, store.lessons());
    const url = URL.createObjectURL(new Blob([JSON.stringify(statements, null, 2)], { type: 'application/json' }));
    element('a', { href: url, download: 'statements.json' }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  }

  if (ofClass !== '' && name === '' && !('embed' in document.documentElement.dataset)) open();

  return {
    /**
     * Shows the code of the open lesson when it has ended.
     * @param {Course|undefined} course
     */
    update(course) {
      if (!box.isConnected) byId('lesson').append(box); // below the lesson, which exists by now
      const entry = course && entriesOf(store.lessons()).get(course.name);
      const ended = course && entry && name !== '' && sumOf(stepsOf(course, entry)).ended;
      if (!ended) {
        box.hidden = true;
        return;
      }
      const code = codeOf(ofClass, name, course, entry);
      if (!box.hidden && box.dataset.code === code) return;
      box.dataset.code = code;
      const shown = element('code', {}, code);
      box.replaceChildren(element('h3', {}, `Your code, ${name}`), shown,
        element('div', { class: 'lesson-actions' }, copyButton('Copy', () => code, () => shown),
          element('button', { type: 'button', class: 'lesson-quiet', onclick: open }, 'All your codes')),
        element('p', { class: 'note-facts' }, FORMATIVE));
      box.hidden = false;
      intend(box, 'page:said', { text: 'The lesson has ended. Your code is below the lesson.' });
    },
  };
}
