// @ts-check
// Communicates with a learning platform over SCORM 1.2 or 2004. Needs no document, so node can test it.
import { entriesOf, stepsOf, sumOf } from '../class/done.js';

/** @typedef {'1.2'|'2004'} Version */
/** @typedef {Record<string, (...args: string[]) => string>} Api */

/** The versions' names for the same elements. */
const DIALECTS = {
  '1.2': {
    api: 'API', begin: 'LMSInitialize', get: 'LMSGetValue', set: 'LMSSetValue', commit: 'LMSCommit', end: 'LMSFinish',
    code: 'LMSGetLastError', words: 'LMSGetErrorString', already: '101', learner: 'cmi.core.student_id',
    status: 'cmi.core.lesson_status', score: 'cmi.core.score', place: 'cmi.core.lesson_location', time: 'cmi.core.session_time',
    exit: 'cmi.core.exit', most: 4096, scaled: false,
  },
  2004: {
    api: 'API_1484_11', begin: 'Initialize', get: 'GetValue', set: 'SetValue', commit: 'Commit', end: 'Terminate',
    code: 'GetLastError', words: 'GetErrorString', already: '103', learner: 'cmi.learner_id',
    status: 'cmi.completion_status', score: 'cmi.score', place: 'cmi.location', time: 'cmi.session_time', exit: 'cmi.exit',
    most: 64000, scaled: true,
  },
};

const KEPT = 'cmi.suspend_data';
const PROGRESS = 'cmi.progress_measure';
/** The error codes of a platform that has no value for an element, or does not know the element. */
const NOTHING_THERE = new Set(['', '0', '201', '401', '402', '403']);
const MOST_FRAMES = 500; // maximum nesting of frames, as in ADL's search

/**
 * Returns the SCORM version with which a package opened the page, or "".
 * @param {string} search  of the address
 * @returns {Version|''}
 */
export function versionOf(search) {
  const version = new URLSearchParams(search).get('scorm');
  return version === '1.2' || version === '2004' ? version : '';
}

/**
 * Finds the platform's interface in a frame around the page, or around the page that opened it. Frames of other sites
 * are inaccessible, and offer this page no interface.
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
 * Formats a duration for SCORM 1.2, as HHHH:MM:SS.
 * @param {number} seconds
 */
export function clock(seconds) {
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  const whole = Math.min(Math.floor(seconds), 9999 * 3600 + 3599);
  return `${String(Math.floor(whole / 3600)).padStart(4, '0')}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

/**
 * Formats a duration for SCORM 2004.
 * @param {number} seconds
 */
export const period = (seconds) => `PT${Math.floor(seconds)}S`;

/**
 * Returns the progress of a package's lesson for the platform. If it is too long, this first drops what only this visit
 * needs, then the visitor's numbers, then everything but counts. The result is "" if even that is too long.
 * @param {string|null} text  of all lessons
 * @param {string} name
 * @param {number} most  characters
 */
export function packed(text, name, most) {
  let whole;
  try {
    whole = JSON.parse(text ?? '{}')?.[name] ?? {};
  } catch {
    whole = {}; // this page has not written it
  }
  const without = (/** @type {string[]} */ ...parts) =>
    Object.fromEntries(Object.entries(whole).filter(([part]) => !parts.includes(part)));
  return [whole, without('attempts'), without('attempts', 'numbers'), without('attempts', 'numbers', 'predictions', 'tries')]
    .map((part) => JSON.stringify({ [name]: part })).find((words) => words.length <= most) ?? '';
}

/**
 * Reports the student's work to a platform and lets the browser store what the platform does not accept. The visitor
 * reads of each change once.
 * @param {Pick<ReturnType<typeof createScorm>, 'tell'|'end'>} platform
 * @param {{keepHere(on: boolean): boolean}} store
 * @param {{error(text: string): void, notice(text: string): void}} say
 */
export function createReport(platform, store, say) {
  let lost = '';
  return {
    /** @param {import('../class/done.js').Course} course @param {string|null} text  the progress of all lessons */
    tell(course, text) {
      const why = platform.tell(course, text);
      const here = store.keepHere(why !== '');
      if (why === lost) return;
      lost = why;
      if (why === '') say.notice('The learning platform stores your work again.');
      else {
        say.error(`${why} ${here ? 'This browser keeps your work. Reopen the lesson from the platform to send it there.'
          : 'This browser cannot keep your work either, so it is lost when you leave this page.'}`);
      }
    },
    end() {
      if (platform.end() !== '') store.keepHere(true);
    },
  };
}

/**
 * Opens a session with the platform about a lesson. Platforms lack functions, throw and refuse, so every call is guarded
 * and each kind of refusal is reported once.
 * @param {Api} api
 * @param {Version} version
 * @param {() => number} now  milliseconds
 * @param {(text: string) => void} failed  gets refusals that lose nothing of what was done
 */
export function createScorm(api, version, now, failed) {
  const words = DIALECTS[version];
  const began = now();
  let ended = false;
  /** The platform's current values, so that only changes are sent. @type {Map<string, string>} */
  const sent = new Map();
  /** The refusals reported so far. @type {Set<string>} */
  const told = new Set();

  /**
   * Calls the platform. The fault is "" unless the function is missing or throws.
   * @param {string} verb @param {string[]} args
   */
  function call(verb, ...args) {
    try {
      if (typeof api[verb] !== 'function') return { said: '', fault: 'the function is missing' };
      const said = /** @type {unknown} */ (api[verb](...args));
      return { said: said === undefined || said === null ? '' : String(said), fault: '' };
    } catch (error) {
      return { said: '', fault: String(/** @type {any} */ (error)?.message || error) };
    }
  }

  /** Returns the code of the last error: "0" if there was none, "" if the platform gives none. */
  const errorCode = () => call(words.code).said;

  /**
   * Returns why the platform did not fulfil a request, or null if it did.
   * @param {{said: string, fault: string}} answer
   * @param {string} verb
   * @param {string} does  what it refuses to do
   * @returns {{kind: string, code: string, text: string}|null}  refusals of the same kind are reported once
   */
  function refusal({ said, fault }, verb, does) {
    if (fault !== '') return { kind: `${verb} fails`, code: '', text: `The learning platform failed in ${verb}: ${fault}.` };
    if (said !== 'false') return null;
    const code = errorCode();
    const refused = `The learning platform did not ${does}`;
    if (code === '' || code === '0') return { kind: `${verb} false`, code, text: `${refused} and gave no reason.` };
    const meaning = call(words.words, code).said;
    return { kind: `${verb} ${code}`, code, text: `${refused}: ${meaning ? `${meaning} (error ${code})` : `error ${code}`}.` };
  }

  /** @param {ReturnType<typeof refusal>} refused */
  function tellOnce(refused) {
    if (!refused || told.has(refused.kind)) return;
    told.add(refused.kind);
    failed(refused.text);
  }

  const begun = call(words.begin, '');
  const shut = refusal(begun, words.begin, 'start a record of this lesson');
  const open = shut === null || begun.fault === '' && goesOn(shut.code);

  /**
   * Reports whether an earlier session, opened by this page or another page of the platform, is still open.
   * @param {string} code  of the platform's refusal to begin one, "" if it has none
   */
  function goesOn(code) {
    if (code !== words.already && code !== '') return false;
    const { said, fault } = call(words.get, words.learner);
    return fault === '' && (said !== '' || errorCode() === '0');
  }

  /** Values of the platform that could not be read. The page does not overwrite them. @type {Set<string>} */
  const unread = new Set();

  /** @param {string} name */
  function get(name) {
    if (!open) return '';
    const { said, fault } = call(words.get, name);
    if (fault === '' && (said !== '' || NOTHING_THERE.has(errorCode()))) return said;
    unread.add(name);
    return '';
  }

  /** @param {string} name */
  function numberAt(name) {
    const value = Number.parseFloat(get(name));
    return Number.isFinite(value) ? value : -Infinity;
  }

  const kept = get(KEPT);
  const before = get(words.status);
  const wasDone = before === 'completed' || before === 'passed';
  /** The platform's score, out of 100, and share, out of 1. */
  const scoreBefore = Math.max(numberAt(`${words.score}.raw`), words.scaled ? 100 * numberAt(`${words.score}.scaled`) : -Infinity);
  const shareBefore = words.scaled ? numberAt(PROGRESS) : -Infinity;
  const learner = get(words.learner);

  /**
   * Reports whether a value may replace the platform's.
   * @param {number} value @param {number} most  the maximum @param {number} had @param {string} name  of the element
   */
  const raises = (value, most, had, name) => value === most || (!unread.has(name) && value >= had);

  /** @param {string} name @param {string} value */
  function set(name, value) {
    if (sent.get(name) === value) return null;
    const refused = refusal(call(words.set, name, value), words.set, `accept ${name}`);
    if (!refused) sent.set(name, value);
    return refused;
  }

  /** Sets a value that the lesson can do without. @param {string} name @param {string} value */
  const offer = (name, value) => tellOnce(set(name, value));

  let place = ''; // the open step

  /** Sends the current step, the elapsed time, and how the visitor leaves. */
  function leave() {
    if (place !== '') offer(words.place, place);
    const seconds = (now() - began) / 1000;
    offer(words.time, version === '1.2' ? clock(seconds) : period(seconds));
    offer(words.exit, 'suspend');
  }

  const commit = () => refusal(call(words.commit, ''), words.commit, 'store your work');

  /** Sends the progress of all lessons. @param {string} name  of the lesson @param {string|null} text */
  function keep(name, text) {
    const reason = (/** @type {string} */ words) => ({ kind: words, code: '', text: words });
    if (unread.has(KEPT)) {
      return reason('The learning platform does not return your earlier work. To avoid overwriting it, the page does not send ' +
        'your current work.');
    }
    const data = packed(text, name, words.most);
    return data === '' ? reason('The learning platform has too little room for your work.') : set(KEPT, data);
  }

  return {
    /** The platform's identifier of the student. */
    learner,
    /** kept is the progress that the platform has stored, or ""; open is false if the platform could not be reached. */
    kept, open,
    /** Why the platform could not be reached; "" if open is true. */
    why: open ? '' : shut.text,
    /**
     * Sends the student's work, but no score below the platform's.
     * @param {import('../class/done.js').Course} course
     * @param {string|null} text  the progress of all lessons
     * @returns {string} why the platform may not have stored it, otherwise ""
     */
    tell(course, text) {
      if (!open || ended) return 'The session with the learning platform has ended.';
      const sum = sumOf(stepsOf(course, entriesOf(text).get(course.name)));
      const score = sum.asked > 0 ? sum.right / sum.asked : 0;
      const lost = keep(course.name, text);
      if (lost) told.add(lost.kind);
      if (sum.asked > 0 && raises(Math.round(100 * score), 100, scoreBefore, `${words.score}.raw`)) {
        offer(`${words.score}.min`, '0');
        offer(`${words.score}.max`, '100');
        offer(`${words.score}.raw`, String(Math.round(100 * score)));
        if (words.scaled) offer(`${words.score}.scaled`, String(Math.round(1e4 * score) / 1e4));
      }
      const share = Math.round(1e4 * sum.share) / 1e4;
      if (words.scaled && raises(share, 1, shareBefore, PROGRESS)) offer(PROGRESS, String(share));
      if (!wasDone && (sum.ended || !unread.has(words.status))) offer(words.status, sum.ended ? 'completed' : 'incomplete');
      leave();
      const uncommitted = commit();
      return (lost ?? uncommitted)?.text ?? '';
    },
    /** Sets the current step for the next report. @param {number} step  that is open */
    at(step) {
      place = String(step);
    },
    /**
     * Ends the session when the visitor leaves the page.
     * @returns {string} why the platform may not have stored what was done, otherwise ""
     */
    end() {
      if (!open || ended) return '';
      leave();
      const lost = commit();
      call(words.end, ''); // the page can no longer show a refusal, and everything is committed
      ended = true;
      return lost?.text ?? '';
    },
  };
}
