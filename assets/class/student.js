// @ts-check
// Determines the student from the page's address and the learning platform around it, and where to store the record.
import { crc32, fold, isCut, numberOf, tidy } from './codes.js';
import { inside } from '../platform/files.js';
import { firstStep } from '../lesson/own-lesson.js';
import { createScorm, findApi, versionOf } from '../platform/scorm.js';
import { createStore } from './progress-store.js';
import { leftBefore, mended, merged } from './restored.js';
import { launchOf, ownerOf } from '../platform/statements.js';
import { STORED, readProgress } from '../lesson/teaching.js';

const MOST_CLASS = 60; // maximum length of a class's name, in characters

const query = new URLSearchParams(location.search);

/** The class's name, or "". */
export const ofClass = (query.get('class') ?? '').trim().replace(/\s+/gu, ' ').slice(0, MOST_CLASS);

/** The lesson that a platform has opened or that the address names. */
export const assigned = query.get('lesson') ?? (new URLSearchParams(location.hash.slice(1)).get('lesson') ?? '').split(':')[0];

/** Problems to report when the page can show them. @type {string[]} */
const troubles = [];

/** Receives problems when the page can show them. @type {{tell?: (text: string) => void}} */
const heard = {};

const NAME = `name in ${fold(ofClass)}`;

/** The student's name, or "". Only this tab keeps it, since the next student may use the same machine. */
export const name = tidy(readName().normalize('NFC'));

function readName() {
  try {
    return ofClass === '' ? '' : sessionStorage.getItem(NAME) ?? '';
  } catch {
    return ''; // the browser may forbid storage
  }
}

/**
 * Reloads the page as a student of the class. If this replaces another student, the page opens the first step of the
 * lesson, since the other student's work is on show.
 * @param {string} typed
 * @returns {string} why it failed, otherwise ""
 */
export function enter(typed) {
  const next = typed.normalize('NFC');
  const kept = tidy(next);
  if (kept === '') return 'Type a name with letters.';
  if (isCut(next)) return `A code has room only for “${kept}”. Shorten your name so that your teacher still recognises it.`;
  try {
    sessionStorage.setItem(NAME, kept);
  } catch {
    return 'The browser stores nothing for this page, not even your name. Allow storage and try again.';
  }
  if (name !== '' && fold(kept) !== fold(name)) history.replaceState(null, '', firstStep(location.hash) || location.href);
  location.reload();
  return '';
}

const described = launchOf(location.search, location.origin);
const launched = inside && described ? 'A single-file page cannot use a learning record store.' : described;
if (typeof launched === 'string') troubles.push(`${launched} Nothing is sent.`);
else if (launched?.remark) troubles.push(launched.remark);

/** The launch by a learning platform with a learning record store, or null. */
export const launch = typeof launched === 'string' ? null : launched;

/** The session with a learning platform that has opened the page as a SCORM package, or null. */
export const scorm = begin();

function begin() {
  const version = versionOf(location.search);
  if (version === '') return null;
  const api = findApi(window, version);
  if (api) return createScorm(api, version, Date.now, say);
  troubles.push(`No learning platform with SCORM ${version} embeds this page. Your work is kept only in this browser.`);
  return null;
}

/** @param {string} text */
function say(text) {
  if (heard.tell) heard.tell(text);
  else troubles.push(text);
}

/** @param {(text: string) => void} tell */
export function hearTroubles(tell) {
  for (const text of troubles.splice(0)) tell(text);
  heard.tell = tell;
}

/** The storage key for what the page stores in this tab for its own reload. */
const LEFT = 'left to the same page';

/** What this page stored before its reload, if the platform opens no second session. */
const left = scorm && !scorm.open ? leftBefore(inTab('getItem'), assigned, arrivedBy()) : null;
if (scorm?.open) inTab('removeItem');

/**
 * @param {'getItem'|'removeItem'} verb
 * @returns {string|null}
 */
function inTab(verb) {
  try {
    return sessionStorage[verb](LEFT) ?? null;
  } catch {
    return null; // the browser may forbid storage
  }
}

function arrivedBy() {
  const [navigation] = performance.getEntriesByType('navigation');
  return /** @type {PerformanceNavigationTiming|undefined} */ (navigation)?.type;
}

/** Stores the record for a reload of this page. */
export function leave() {
  try {
    sessionStorage.setItem(LEFT, JSON.stringify({ learner, lesson: assigned, lessons: store.lessons() }));
  } catch {
    // Without storage, a reloaded page starts over if the platform opens no second session.
  }
}

/** The platform's identifier of the student; "" if unknown. */
const learner = scorm?.learner || left?.learner || '';

const kept = mended(scorm?.kept ?? '');
if (kept.cut) {
  troubles.push('The learning platform returned only part of your earlier work. Repeat the missing part. ' +
    'Your score on the platform cannot drop.');
}
if (scorm && !scorm.open) {
  troubles.push(`${scorm.why} ${learner === ''
    ? 'Your work is kept only in this browser. Close the lesson and reopen it from the platform, so that the platform can store your work.'
    : 'Your work is kept in this browser. It goes to the platform when you reopen the lesson from there.'}`);
}

/** Continues at the step that the platform's student had reached. */
function resume() {
  const at = entryAt();
  const here = `lesson=${assigned}:1`;
  if (at > 1 && location.hash.endsWith(here)) {
    history.replaceState(history.state, '', `${location.hash.slice(0, -here.length)}lesson=${assigned}:${at}`);
  }
}

/** Returns the step that the platform's student had reached, 0 if unknown. */
function entryAt() {
  return scorm ? readProgress(store.lessons())[assigned]?.at ?? 0 : 0;
}

/** The number that decides a student's own random draws; undefined for an unknown student. */
export const number = name !== '' ? numberOf(ofClass, name) : learner !== '' ? crc32(learner) : undefined;

/** The store of the lessons' record. Names of classes and students are folded, so these owners differ from all others. */
export const store = createStore({
  storage: () => localStorage, visitor: number, lessons: scorm?.open ? kept.text : null,
  owner: [learner === '' ? '' : `SCORM ${assigned} ${learner}`, launch ? ownerOf(launch) : '',
    name === '' ? '' : `${fold(ofClass)}/${fold(name)}`].filter((part) => part !== '').join(' '),
});
if (left) store.setItem(STORED, merged(left.lessons, store.lessons()));
resume();

/**
 * Returns the seed with which a student sees a lesson, or undefined for the lesson's own seed.
 * @param {{seeds: number[]}} lesson
 */
export const seedOf = ({ seeds }) => (number === undefined || seeds.length === 0 ? undefined : seeds[number % seeds.length]);

// Links to the site's other pages keep the class and the platform's launch parameters.
if (ofClass !== '' || launch || scorm) {
  for (const link of document.links) if (link.origin === location.origin && link.search === '') link.search = location.search;
}
