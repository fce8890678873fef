// @ts-check
// Runs the page for teachers: it builds links for a class and checks the class's codes.
import { check, fold } from './codes.js';
import { byId, copyBy, element, setText } from '../shell/dom.js';

const GOALS = { none: '', open: 'goal open', shown: 'goal shown', reached: 'goal reached' };

const input = (/** @type {string} */ id) => /** @type {HTMLInputElement} */ (byId(id));
const lessons = /** @type {HTMLSelectElement} */ (byId('link-lesson'));
const titles = new Map([...lessons.options].filter(({ value }) => value !== '').map(({ value, text }) => [value, text]));

/** Returns the link that the form describes, or "" while the class has no name. */
function link() {
  const name = input('link-class').value.trim().replace(/\s+/gu, ' ');
  if (name === '') return '';
  const url = new URL('./', location.href);
  url.searchParams.set('class', name);
  const chosen = lessons.selectedOptions[0];
  if (input('link-canvas').checked) url.searchParams.set('canvas', '');
  if (chosen?.value) url.hash = `v=1&scene=${chosen.dataset.scene}&lesson=${chosen.value}:1`;
  return url.href;
}

function showLink() {
  const address = link();
  const anchor = /** @type {HTMLAnchorElement} */ (byId('link-address'));
  byId('link-made').hidden = address === '';
  anchor.href = address;
  setText(anchor, address);
  if (input('codes-class').dataset.own === undefined) input('codes-class').value = input('link-class').value;
  showCodes();
}

/**
 * Describes each step's outcome, for the tooltip of the total.
 * @param {import('./codes.js').DoneStep[]} steps
 */
const detailed = (steps) => steps.map(({ prediction, goal, tries }, i) => `step ${i + 1}: ${[
  prediction === 'none' ? '' : prediction, GOALS[goal], tries > 0 ? `${tries} ${tries === 1 ? 'try' : 'tries'}` : '',
].filter((part) => part !== '').join(', ') || 'nothing asked'}`).join('\n');

/** @param {import('./codes.js').Line} line */
function row(line) {
  const { steps, lesson, more } = line;
  const state = line.valid ? `valid${line.why ? `; ${line.why}` : ''}` : `not valid: ${line.why}`;
  const cells = steps === null ? ['–', '–', '–', '–', '–', '–']
    : [line.name, titles.get(lesson) ?? lesson, `${line.right} of ${line.predictions}`, `${line.reached} of ${line.goals}`,
      String(line.shown), `${line.tries}${more ? ' or more' : ''}`];
  return element('tr', { class: line.valid ? null : 'invalid' }, element('td', { class: 'number' }, String(line.line)),
    ...cells.map((text) => element('td', { title: steps === null ? null : detailed(steps) }, text)), element('td', {}, state));
}

function showCodes() {
  const text = /** @type {HTMLTextAreaElement} */ (byId('codes-text')).value;
  const lines = check(text, fold(input('codes-class').value), [...titles.keys()]);
  const table = byId('codes-table');
  const box = /** @type {HTMLElement} */ (table.parentElement);
  box.hidden = lines.length === 0;
  setText(byId('codes-said'), lines.length === 0 ? '' : `${lines.filter(({ valid }) => valid).length} of ${lines.length} codes are valid.`);
  table.replaceChildren(
    element('thead', {}, element('tr', {}, ...['line', 'name', 'lesson', 'right at first', 'goals without help', 'shown', 'tries', 'code']
      .map((heading) => element('th', { scope: 'col' }, heading)))),
    element('tbody', {}, ...lines.map(row)));
}

for (const id of ['link-class', 'link-lesson', 'link-canvas']) byId(id).addEventListener('input', showLink);
input('codes-class').addEventListener('input', () => { input('codes-class').dataset.own = ''; });
for (const id of ['codes-class', 'codes-text']) byId(id).addEventListener('input', showCodes);
for (const id of ['link-form', 'codes-form']) byId(id).addEventListener('submit', (e) => e.preventDefault());
byId('link-copy').addEventListener('click', () => copyBy(byId('link-copy'), link(), byId('link-address')));
showLink();
