// @ts-check
// Speaks with a learning platform by SCORM 1.2 or 2004. Needs no document: tested in node.
import { entriesOf, stepsOf, sumOf } from '../class/done.js';

/** @typedef {'1.2'|'2004'} Version */
/** @typedef {Record<string, (...args: string[]) => string>} Api */

/** What the versions call the same things. */
const DIALECTS = {
  '1.2': {
    api: 'API', begin: 'LMSInitialize', get: 'LMSGetValue', set: 'LMSSetValue', commit: 'LMSCommit', end: 'LMSFinish',
    code: 'LMSGetLastError', words: 'LMSGetErrorString',
    status: 'cmi.core.lesson_status', score: 'cmi.core.score', place: 'cmi.core.lesson_location', time: 'cmi.core.session_time',
    exit: 'cmi.core.exit', most: 4096, scaled: false,
  },
  2004: {
    api: 'API_1484_11', begin: 'Initialize', get: 'GetValue', set: 'SetValue', commit: 'Commit', end: 'Terminate',
    code: 'GetLastError', words: 'GetErrorString',
    status: 'cmi.completion_status', score: 'cmi.score', place: 'cmi.location', time: 'cmi.session_time', exit: 'cmi.exit',
    most: 64000, scaled: true,
  },
};

const KEPT = 'cmi.suspend_data';
const MOST_FRAMES = 500; // around one another, as ADL's own search has it

/**
 * The version of SCORM by which a package opened the page, "" for none.
 * @param {string} search  of the address
 * @returns {Version|''}
 */
export function versionOf(search) {
  const version = new URLSearchParams(search).get('scorm');
  return version === '1.2' || version === '2004' ? version : '';
}

/**
 * The platform's interface: in a frame around the page, or around the page that opened it. Frames of other
 * sites may not be looked at, and have none for this page.
 * @param {any} from  a window
 * @param {Version} version
 * @returns {Api|null}
 */
export function findApi(from, version) {
  const { api } = DIALECTS[version];
  const around = (/** @type {any} */ start) => {
    let at = start;
    for (let i = 0; at && i < MOST_FRAMES; i++) {
      try {
        if (at[api]) return at[api];
      } catch {
        // of another site
      }
      if (at.parent === at) return null;
      at = at.parent;
    }
    return null;
  };
  return around(from) ?? (from.opener ? around(from.opener) : null) ?? (from.top?.opener ? around(from.top.opener) : null);
}

/**
 * A length of time as SCORM 1.2 writes it, HHHH:MM:SS.
 * @param {number} seconds
 */
export function clock(seconds) {
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  const whole = Math.min(Math.floor(seconds), 9999 * 3600 + 3599);
  return `${String(Math.floor(whole / 3600)).padStart(4, '0')}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

/**
 * A length of time as SCORM 2004 writes it.
 * @param {number} seconds
 */
export const period = (seconds) => `PT${Math.floor(seconds)}S`;

/**
 * The progress of a package's lesson as the platform keeps it: without what only this visit needs where there is no
 * room for it, then without the visitor's numbers, then with no more than counts. "" where even that is too long.
 * @param {string|null} text  of all lessons
 * @param {string} name
 * @param {number} most  characters
 */
export function packed(text, name, most) {
  let whole;
  try {
    whole = JSON.parse(text ?? '{}')?.[name] ?? {};
  } catch {
    whole = {}; // written by something else
  }
  const without = (/** @type {string[]} */ ...parts) =>
    Object.fromEntries(Object.entries(whole).filter(([part]) => !parts.includes(part)));
  return [whole, without('attempts'), without('attempts', 'numbers'), without('attempts', 'numbers', 'predictions', 'tries')]
    .map((part) => JSON.stringify({ [name]: part })).find((words) => words.length <= most) ?? '';
}

/**
 * A conversation with the platform about a lesson.
 * @param {Api} api
 * @param {Version} version
 * @param {() => number} now  milliseconds
 * @param {(text: string) => void} failed  is told what the platform refuses
 */
export function createScorm(api, version, now, failed) {
  const words = DIALECTS[version];
  const began = now();
  let ended = false;
  /** The values that the platform has, so that only changes are sent. @type {Map<string, string>} */
  const sent = new Map();

  /** @param {string} verb @param {string[]} args */
  function ask(verb, ...args) {
    const answer = String(api[verb](...args));
    const code = String(api[words.code]());
    if (answer === 'false' && code !== '0') {
      failed(`The learning platform does not take ${args[0] || verb}: ${api[words.words](code)} (error ${code}).`);
    }
    return answer;
  }

  /** @param {string} name @param {string} value */
  function set(name, value) {
    if (sent.get(name) === value) return;
    if (ask(words.set, name, value) !== 'false') sent.set(name, value);
  }

  const open = ask(words.begin, '') !== 'false';
  const kept = open ? String(api[words.get](KEPT)) : '';
  const before = open ? String(api[words.get](words.status)) : '';
  const wasDone = before === 'completed' || before === 'passed';

  /** Sends the time that has passed, and how one leaves. */
  function leave() {
    const seconds = (now() - began) / 1000;
    set(words.time, version === '1.2' ? clock(seconds) : period(seconds));
    set(words.exit, 'suspend');
  }

  const learner = version === '1.2' ? 'cmi.core.student_id' : 'cmi.learner_id';

  return {
    /** By what the platform knows the student. */
    learner: open ? String(api[words.get](learner)) : '',
    /** The progress that the platform has kept, "" for none; it was not reached where open is false. */
    kept, open,
    /**
     * Sends what was done.
     * @param {import('../class/done.js').Course} course
     * @param {string|null} text  the progress of all lessons
     */
    tell(course, text) {
      if (!open || ended) return;
      const sum = sumOf(stepsOf(course, entriesOf(text).get(course.name)));
      const score = sum.asked > 0 ? sum.right / sum.asked : 0;
      const data = packed(text, course.name, words.most);
      if (data === '') failed('What you did is more than the learning platform can keep.');
      else set(KEPT, data);
      if (sum.asked > 0) {
        set(`${words.score}.min`, '0');
        set(`${words.score}.max`, '100');
        set(`${words.score}.raw`, String(Math.round(100 * score)));
        if (words.scaled) set(`${words.score}.scaled`, String(Math.round(1e4 * score) / 1e4));
      }
      if (words.scaled) set('cmi.progress_measure', String(Math.round(1e4 * sum.share) / 1e4));
      if (!wasDone) set(words.status, sum.ended ? 'completed' : 'incomplete');
      leave();
      ask(words.commit, '');
    },
    /** @param {number} step  that is open */
    at(step) {
      if (open && !ended) set(words.place, String(step));
    },
    /** Ends the conversation, as the page is left. */
    end() {
      if (!open || ended) return;
      leave();
      ask(words.commit, '');
      ask(words.end, '');
      ended = true;
    },
  };
}
