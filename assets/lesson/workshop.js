// @ts-check
// The page on which a teacher writes a lesson. It shows the text, its faults, and the scene.
import { createChecker } from './checker.js';
import { element, setText } from '../shell/dom.js';
import { get } from '../platform/files.js';
import { MOST_CODE, linkOf, packed } from './own-lesson.js';
import { singleFile } from '../platform/single-file.js';
import { BEGINNING, asWritten, fitting, lineAt, slug, stepAt, wordAt } from './workshop-text.js';

/** @typedef {import('../shell/types.js').Lesson} Lesson */

const STORED = 'workshop';
const DRAFT = 'own-draft-'; // names of the lessons that the page beside shows
const READS_AFTER = 400; // ms without a key
const CHECKS_AFTER = 1200;
const SHOWN_NAMES = 8;

const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const text = /** @type {HTMLTextAreaElement} */ (byId('text'));
const frame = /** @type {HTMLIFrameElement} */ (byId('preview'));
const link = /** @type {HTMLInputElement} */ (byId('link'));
const buttons = /** @type {HTMLButtonElement[]} */ (['copy-link', 'save-page'].map(byId));

const checker = createChecker((share) => {
  if (!loaded) setText(byId('said'), `Loading the lesson checker: ${Math.floor(100 * share)} %`);
});
let loaded = false;
/** The last valid reading of the lesson; undefined while it has a fault. @type {Lesson | undefined} */
let lesson;
let drafts = 0;
/** Counts the changes of the text. Work for an earlier text is dropped. */
let changes = 0;
/** Whether the steps are being followed. */
let checking = false;
let waiting = 0;

// ---- the text

/** @param {string} what */
const cannotKeep = (what) => setText(byId('taken'), `This browser cannot store the text: ${what}. Save the text before you leave.`);

function keep() {
  try {
    localStorage.setItem(STORED, text.value);
  } catch (error) {
    cannotKeep(/** @type {Error} */ (error).message);
  }
}

function kept() {
  try {
    return localStorage.getItem(STORED);
  } catch (error) {
    cannotKeep(/** @type {Error} */ (error).message);
    return null;
  }
}

/** Forgets the progress in drafts, so that each is tried from the start. */
function forgetDrafts() {
  try {
    const all = JSON.parse(localStorage.getItem('lessons') ?? '{}');
    for (const name of Object.keys(all)) if (name.startsWith(DRAFT)) delete all[name];
    localStorage.setItem('lessons', JSON.stringify(all));
  } catch {
    // Values that are not stored need not be removed, and unreadable values are not ours.
  }
}

function changed() {
  changes++;
  keep();
  if (checking) checker.stop(); // following a lesson may take long
  checking = false;
  link.hidden = true;
  setText(byId('taken'), '');
  clearTimeout(waiting);
  waiting = window.setTimeout(read, READS_AFTER);
}

async function read() {
  const change = changes;
  try {
    const { lesson: found, faults } = await checker.compile(`${DRAFT}${++drafts}`, text.value);
    loaded = true;
    if (change !== changes) return;
    lesson = found ?? undefined;
    for (const button of buttons) button.disabled = !lesson;
    tell(faults, lesson ? 'The lesson can be read. Its steps will be checked in a moment.' : 'The lesson cannot be read yet:');
    if (!lesson) return;
    show();
    waiting = window.setTimeout(check, CHECKS_AFTER);
  } catch (error) {
    failed(change, error);
  }
}

/** Follows every step of the lesson. */
async function check() {
  const change = changes;
  checking = true;
  setText(byId('said'), 'Checking the steps …');
  try {
    const { faults } = await checker.check();
    if (change !== changes) return;
    checking = false;
    const steps = lesson?.steps.length ?? 0;
    tell(faults, faults.length > 0 ? 'The steps have errors:'
      : `The lesson is correct: ${steps === 1 ? 'its step' : `all ${steps} steps`} can be followed. It takes ${lesson?.minutes} min.`);
  } catch (error) {
    failed(change, error);
  }
}

/** @param {number} change @param {unknown} error */
function failed(change, error) {
  if (change === changes) setText(byId('said'), `The lesson could not be read: ${/** @type {Error} */ (error).message}`);
}

/**
 * @param {import('./checker.js').Fault[]} faults
 * @param {string} words
 */
function tell(faults, words) {
  setText(byId('said'), words);
  byId('faults').replaceChildren(...faults.map(({ line, text: what }) => element('li', {},
    element('button', { type: 'button', onclick: () => goTo(line) }, line > 0 ? element('b', {}, `Line ${line}: `) : null, what))));
}

/** @param {number} line */
function goTo(line) {
  const [start, end] = lineAt(text.value, line);
  text.focus();
  text.setSelectionRange(start, end);
  text.scrollTop = text.scrollHeight * (line / text.value.split('\n').length) - text.clientHeight / 2;
}

// ---- the scene beside it

/** The page in the frame, once it responds. @type {Promise<any> | undefined} */
let page;
/** The state of the frame. */
let shown = { text: '', step: 0 };

/** @param {string} scene */
function opened(scene) {
  page ??= new Promise((resolve, reject) => {
    frame.addEventListener('load', async () => {
      try {
        const inner = /** @type {any} */ (frame.contentWindow);
        await inner.playground.ready;
        resolve(inner);
      } catch (error) {
        page = undefined;
        reject(error);
      }
    }, { once: true });
    frame.src = `./?embed#v=1&scene=${encodeURIComponent(scene)}&k=0`;
  });
  return page;
}

/** Opens the step that contains the caret. */
async function show() {
  const now = lesson;
  if (!now) return;
  const step = Math.min(stepAt(text.value, text.selectionStart), now.steps.length);
  if (shown.text === text.value && shown.step === step) return;
  shown = { text: text.value, step };
  try {
    const inner = await opened(now.scene);
    if (lesson !== now) return;
    forgetDrafts();
    await inner.showLesson(now, step);
  } catch (error) {
    setText(byId('taken'), `The scene could not show the step: ${/** @type {Error} */ (error).message}`);
  }
}

// ---- names

/** The suggested names, and the index of the selected one. @type {{names: import('./workshop-text.js').Named[], at: number}} */
let offered = { names: [], at: 0 };
/** The current values, while a word is being written. @type {import('./workshop-text.js').Named[]} */
let values = [];

/** @param {any} value */
const shortly = (value) => {
  const said = typeof value === 'number' ? String(Number(value.toPrecision(4))) : JSON.stringify(value);
  return said.length > 24 ? `${said.slice(0, 24)}…` : said;
};

/** The current facts and parameters of the scene beside the text. */
async function present() {
  if (!page) return [];
  const { playground } = await page;
  const facts = Object.entries(playground.state().facts)
    .sort(([, a], [, b]) => Number(a === null) - Number(b === null)) // those with a value first
    .map(([name, value]) => ({ name: asWritten(name), value: value === null ? 'none now' : shortly(value) }));
  const params = playground.params().map((/** @type {any} */ { name, value }) => ({ name: `param("${name}")`, value: shortly(value) }));
  return [...facts, { name: 'ended', value: '' }, ...params];
}

async function offer() {
  const before = text.selectionStart;
  const word = text.selectionEnd === before ? wordAt(text.value, before) : undefined;
  if (word === undefined) return close();
  if (byId('names').hidden) values = await present();
  if (before !== text.selectionStart || document.activeElement !== text) return;
  offered = { names: fitting(values, word, SHOWN_NAMES), at: 0 };
  if (offered.names.length === 0) return close();
  byId('names').hidden = false;
  // The names leave the caret's line free.
  const line = text.value.slice(0, before).split('\n').length * (text.scrollHeight / text.value.split('\n').length) - text.scrollTop;
  byId('names').classList.toggle('above', line > text.clientHeight / 2);
  byId('names').replaceChildren(...offered.names.map(({ name, value }, i) => element('li', {
    id: `name-${i}`, role: 'option', 'aria-selected': String(i === 0),
    onpointerdown: (/** @type {Event} */ e) => { e.preventDefault(); take(i); },
  }, element('code', {}, name), element('span', {}, value))));
  text.setAttribute('aria-activedescendant', 'name-0');
}

function close() {
  byId('names').hidden = true;
  text.removeAttribute('aria-activedescendant');
}

/** @param {number} by */
function choose(by) {
  const { names } = offered;
  offered.at = (offered.at + by + names.length) % names.length;
  [...byId('names').children].forEach((option, i) => option.setAttribute('aria-selected', String(i === offered.at)));
  byId('names').children[offered.at].scrollIntoView({ block: 'nearest' });
  text.setAttribute('aria-activedescendant', `name-${offered.at}`);
}

/** @param {number} i */
function take(i) {
  const at = text.selectionStart;
  const word = wordAt(text.value, at) ?? '';
  text.setRangeText(offered.names[i].name, at - word.length, at, 'end');
  close();
  changed();
}

text.addEventListener('keydown', (e) => {
  if (byId('names').hidden) return;
  const { key } = e;
  if (key === 'ArrowDown') choose(1);
  else if (key === 'ArrowUp') choose(-1);
  else if (key === 'Enter' || key === 'Tab') take(offered.at);
  else if (key === 'Escape') close();
  else return;
  e.preventDefault();
});
text.addEventListener('input', () => {
  changed();
  offer().catch((error) => setText(byId('taken'), `The suggestions could not be loaded: ${error.message}`));
});
text.addEventListener('blur', close);
document.addEventListener('selectionchange', () => {
  if (document.activeElement === text) show();
});

// ---- export

/** @param {Blob} blob @param {string} name */
function save(blob, name) {
  const url = URL.createObjectURL(blob);
  element('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000); // the download reads the bytes after the click returns
}

/** @param {(said: (words: string) => void) => Promise<string>} make  returns what was done */
async function taking(make) {
  const said = (/** @type {string} */ words) => setText(byId('taken'), words);
  try {
    said(await make(said));
  } catch (error) {
    said(`Nothing was exported: ${/** @type {Error} */ (error).message}`);
  }
}

byId('copy-link').addEventListener('click', () => taking(async () => {
  if (!lesson) return '';
  const code = await packed(text.value);
  if (code.length > MOST_CODE) {
    return `The lesson takes ${code.length} characters in a link; the maximum is ${MOST_CODE}. Save it as one page, or shorten it.`;
  }
  link.value = new URL(`./${linkOf(lesson.scene, code)}`, window.location.href).href;
  link.hidden = false;
  link.select();
  const words = `The link has ${link.value.length} characters. Anyone who has it can open the lesson.`;
  try {
    await navigator.clipboard.writeText(link.value);
    return `${words} The link has been copied.`;
  } catch {
    return `${words} Copy the link:`;
  }
}));
byId('save-text').addEventListener('click', () => taking(async () => {
  save(new Blob([text.value], { type: 'text/markdown' }), `${slug(text.value)}.md`);
  return `Saved as ${slug(text.value)}.md, for the folder that you pass to serve or build with -lessons.`;
}));
byId('save-page').addEventListener('click', () => taking(async (said) => {
  if (!lesson) return '';
  const own = { ...lesson, name: `own-${slug(text.value)}` };
  const page = await singleFile(get, own, (share) => said(`Creating the page: ${Math.floor(100 * share)} %`));
  save(new Blob([page], { type: 'text/html' }), `${slug(text.value)}.html`);
  return `Saved as ${slug(text.value)}.html (${(page.length / 1e6).toFixed(1)} MB). It opens without a server or a network.`;
}));
byId('begin').addEventListener('click', () => {
  text.focus();
  text.select();
  // Insert the text as if typed, so that the browser can undo it.
  if (!document.execCommand('insertText', false, BEGINNING)) text.value = BEGINNING;
  changed();
});

text.value = kept() ?? BEGINNING;
forgetDrafts();
read();
// Load the scene while the lesson is read. An unknown name is reported as a fault of the lesson.
opened(/^scene:[ \t]*(\S+)/m.exec(text.value)?.[1] ?? '').catch(() => {});
