// @ts-check
// The page “What you can do now” lists the aims of the completed lessons and asks a question about each.
import { byId, element, setText } from '../shell/dom.js';
import { fragment } from './lesson.js';
import { store } from '../class/student.js';
import { askAbout, createProgress, isDone, shuffled } from './teaching.js';

/** @typedef {import('../shell/types.js').Question} Question */

const progress = createProgress(() => store);
const list = byId('review-list');

/** @param {string} address */
async function read(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: the server answered ${response.status}`);
  return response.json();
}

/** Marks what the visitor can do, and returns the names of the completed lessons. */
function markAims() {
  const items = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.review-aims li'))];
  const done = items.filter((item) => {
    const does = isDone(progress.of(item.dataset.lesson ?? ''), Number(item.dataset.steps));
    item.classList.toggle('done', does);
    if (does) item.setAttribute('aria-description', 'done');
    return does;
  }).map((item) => item.dataset.lesson ?? '');
  setText(byId('review-done'), done.length === 0 ? 'You have not finished any lesson yet. After the lessons you will be able to do this:'
    : `You have finished ${done.length} of ${items.length} lessons. You can do what is marked with ✓:`);
  return done;
}

/** @type {Map<string, Question>} the questions asked last */
let asked = new Map();
let right = 0;
let answered = 0;

function tellScore() {
  setText(byId('review-score'), answered === 0 ? '' : `${right} of ${answered} answers are right.`);
}

/**
 * @param {Question} question
 * @param {string} title  of its lesson
 */
function questionPart(question, title) {
  const name = `review-${question.lesson}`;
  const radios = shuffled(question.answers.length, Math.random).map((i) => element('input',
    { type: 'radio', name, value: String(i), required: true }));
  const outcome = element('div', { class: 'review-outcome', 'aria-live': 'polite' });
  const form = element('form', {
    class: 'lesson-predict',
    onsubmit: (/** @type {Event} */ e) => {
      e.preventDefault();
      const chosen = radios.find(({ checked }) => checked);
      if (!chosen) return;
      const isRight = Number(chosen.value) === question.right;
      answered++;
      if (isRight) right++;
      for (const radio of radios) radio.disabled = true;
      button.remove();
      outcome.classList.add(isRight ? 'right' : 'wrong');
      outcome.replaceChildren(
        element('p', { class: 'lesson-outcome' }, isRight ? 'Right.' : 'It is: ',
          isRight ? null : fragment(question.answers[question.right])),
        element('p', {}, element('a', { href: `index.html${location.search}#${question.state}` }, 'See it in the scene'), ' · ',
          element('a', { href: `index.html${location.search}#v=1&lesson=${question.lesson}:1` }, `The lesson: ${title}`)));
      tellScore();
    },
  },
  element('fieldset', {}, element('legend', {}, fragment(question.ask)),
    ...radios.map((radio) => element('label', {}, radio, element('span', {}, fragment(question.answers[Number(radio.value)]))))));
  const button = element('button', { type: 'submit', class: 'primary' }, 'Answer');
  form.append(button, outcome);
  return form;
}

/**
 * @param {Record<string, Question[]>} questions
 * @param {Map<string, string>} titles  of the lessons
 * @param {string[]} done
 */
function ask(questions, titles, done) {
  [right, answered] = [0, 0];
  tellScore();
  asked = askAbout(questions, asked, Math.random);
  const [known, others] = [[...asked.values()].filter(({ lesson }) => done.includes(lesson)),
    [...asked.values()].filter(({ lesson }) => !done.includes(lesson))];
  const parts = (/** @type {Question[]} */ of) => of.map((question) => questionPart(question, titles.get(question.lesson) ?? ''));
  list.replaceChildren(...parts(known), ...(others.length === 0 ? []
    : [element('details', { open: known.length === 0 }, element('summary', {}, 'Questions about lessons that you have not finished'),
      ...parts(others))]));
}

async function begin() {
  const done = markAims();
  const [questions, lessons] = await Promise.all([read('assets/review.json'), read('lessons.json')]);
  const titles = new Map(lessons.map((/** @type {import('../shell/types.js').LessonEntry} */ { name, title }) => [name, title]));
  ask(questions, titles, done);
  byId('review-again').addEventListener('click', () => {
    ask(questions, titles, done);
    byId('review-title').scrollIntoView();
  });
  byId('review-questions').hidden = false;
}

begin().catch((error) => setText(byId('review-done'), `The questions could not be read: ${error.message}`));
