// @ts-check
// Sends statements to a learning record store. Until the store accepts them, the browser keeps them by actor and
// registration. Needs no document, so node can test it.

const FIRST_PAUSE = 5_000; // in milliseconds after a failure; each further pause doubles
const MOST_PAUSE = 600_000;
const DAY = 86_400_000; // in milliseconds: the longest wait, even if a store asks for more
const MOST = 50; // maximum number of statements per request
const MOST_BYTES = 50_000; // approximate size of a request that may outlive the page

/** @typedef {import('./post.js').Answer} Answer */
/** @typedef {{id: string, verb?: any, object?: any}} Statement */
/**
 * The browser's record for an actor and a registration.
 * @typedef {object} Box
 * @property {string} agreed  the store to which statements may go, or ""
 * @property {number} notBefore  earliest time for the next request, in milliseconds since 1970
 * @property {Statement[]} unsent
 */

/**
 * Returns how long a store asks clients to wait.
 * @param {string} header  Retry-After: seconds, or a date
 * @param {number} now  milliseconds since 1970
 * @returns {number} milliseconds, at most a day; 0 if the header is missing or unreadable
 */
export function retryAfter(header, now) {
  const text = header.trim();
  const wait = /^\d+$/.test(text) ? 1000 * Number(text) : Date.parse(text) - now;
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), DAY) : 0;
}

/**
 * Returns the pause after a number of consecutive failures, from 1.
 * @param {number} failures
 */
export const pauseAfter = (failures) => Math.min(FIRST_PAUSE * 2 ** (failures - 1), MOST_PAUSE);

/** Returns what the status of an answer means. @param {number} status */
function verdict(status) {
  if (status >= 200 && status < 300) return 'taken';
  if (status === 401 || status === 403) return 'shut';
  // The address is wrong for every request.
  if ((status >= 300 && status < 400) || status === 404 || status === 405 || status === 410) return 'elsewhere';
  if (status === 0 || status >= 500 || status === 408 || status === 425 || status === 429) return 'later';
  return 'refused';
}

/** Describes a statement in words: its verb and its object. @param {Statement} statement */
export function named({ verb, object }) {
  return [verb?.display?.en, object?.definition?.name?.en].filter((part) => typeof part === 'string').join(': ') || 'a statement';
}

/**
 * @param {object} of
 * @param {() => Pick<Storage, 'getItem'|'setItem'|'removeItem'>} of.storage  throws if there is none
 * @param {string} of.owner  actor and registration
 * @param {string} of.endpoint  of the store
 * @param {(statements: Statement[]) => Promise<Answer>} of.post
 * @param {(run: () => void, milliseconds: number) => void} of.later
 * @param {() => number} of.now  milliseconds since 1970
 * @param {{error(text: string): void, notice(text: string): void}} of.say
 * @param {(unsent: number) => void} of.changed  gets the number of unsent statements
 */
export function createOutbox({ storage, owner, endpoint, post, later, now, say, changed }) {
  const key = `statements of ${owner}`;
  /** @type {Box} */
  let held = { agreed: '', notBefore: 0, unsent: [] };
  let kept = true; // whether the browser stores them; other tabs may have added statements
  let busy = false;
  let paused = false;
  let ended = false; // until the page is opened again
  let failures = 0; // in a row
  let singly = 0; // how many to send one by one, since the store may have refused one of them
  let trouble = ''; // the problem reported last

  /** @returns {Box} */
  function read() {
    if (!kept) return held;
    try {
      held = boxOf(storage().getItem(key));
    } catch {
      kept = false; // a sandboxed page has no storage
    }
    return held;
  }

  /** @param {Box} box */
  function write(box) {
    held = box;
    try {
      if (!kept) return;
      if (box.agreed === '' && box.unsent.length === 0) storage().removeItem(key);
      else storage().setItem(key, JSON.stringify(box));
    } catch {
      kept = false; // storage is refused or full, so the statements last until the visitor leaves the page
    } finally {
      changed(box.agreed === endpoint ? box.unsent.length : 0);
    }
  }

  /** @param {Statement[]} list */
  function remove(list) {
    const ids = new Set(list.map(({ id }) => id));
    const { unsent, ...box } = read();
    write({ ...box, unsent: unsent.filter(({ id }) => !ids.has(id)) });
  }

  /** @param {number} milliseconds */
  function pause(milliseconds) {
    paused = true;
    later(() => {
      paused = false;
      next();
    }, milliseconds);
  }

  async function next() {
    if (busy || paused || ended) return;
    const { agreed, notBefore, unsent } = read();
    if (agreed !== endpoint || unsent.length === 0) return;
    const wait = Math.min(notBefore - now(), DAY);
    if (wait > 0) return pause(wait);
    const list = singly > 0 ? unsent.slice(0, 1) : together(unsent);
    busy = true;
    const answer = await post(list);
    busy = false;
    heard(list, answer);
    next();
  }

  /** Reports once why statements do not reach the store. @param {string} text */
  function tell(text) {
    if (text !== trouble) say.error(text);
    trouble = text;
  }

  const where = () => (kept ? 'This browser keeps your work' : 'This browser cannot keep your work, so leave this page open');

  /** @param {Statement[]} list @param {Answer} answer */
  function heard(list, { status, words, said, retryAfter: header }) {
    const answers = status === 0 ? words : `it answers ${status} ${words}`.trim();
    const which = verdict(status);
    if (which === 'taken') {
      remove(list);
      failures = 0;
      singly = Math.max(0, singly - 1);
      if (trouble !== '' && read().unsent.length === 0) {
        say.notice('The learning record store has accepted all your work.');
        trouble = '';
      }
    } else if (which === 'later') {
      failures++;
      const asks = status === 429 || status === 503 ? retryAfter(header, now()) : 0;
      if (asks > 0) write({ ...read(), notBefore: now() + asks });
      if (status === 500) putLast(list);
      tell(`The learning record store does not accept your work: ${answers}. ${where()}, and the page tries again.`);
      pause(Math.max(pauseAfter(failures), asks));
    } else if (which === 'refused' && list.length > 1) {
      singly = list.length;
    } else if (which === 'refused') {
      remove(list);
      singly = Math.max(0, singly - 1);
      // The statement's identifier derives from its content. If the store has another statement with the same
      // identifier, the store has extended ours.
      if (status !== 409) {
        say.error(`The learning record store refuses “${named(list[0])}” permanently: ${answers}. The page does not send it again.${
          said ? ` The store’s message: ${said}` : ''}`);
      }
    } else {
      ended = true;
      tell(which === 'shut'
        ? `The learning record store denies this page access: ${answers}. ${where()} until you reopen the lesson from your platform.`
        : `There is no learning record store at the address in the link: ${answers}. ${where()} until a correct link opens the lesson.`);
    }
  }

  /**
   * Moves a statement to the end, because some stores fail on a statement that they should refuse, and it must not
   * block the others.
   * @param {Statement[]} list
   */
  function putLast(list) {
    if (list.length > 1) {
      singly = list.length;
      return;
    }
    singly = Math.max(0, singly - 1);
    const { unsent, ...box } = read();
    write({ ...box, unsent: [...unsent.filter(({ id }) => id !== list[0].id), ...list] });
  }

  changed(read().agreed === endpoint ? held.unsent.length : 0);
  next();

  return {
    /** Reports whether statements may go to the store in the link. */
    agreed: () => read().agreed === endpoint,
    /** Returns the number of statements that the store lacks. */
    unsent: () => read().unsent.length,
    /** Allows statements to go to the store from now on. */
    agree() {
      write({ ...read(), agreed: endpoint });
      next();
    },
    /** @param {Statement[]} statements */
    send(statements) {
      if (statements.length === 0) return;
      const { unsent, ...box } = read();
      write({ ...box, unsent: [...unsent, ...statements] });
      next();
    },
  };
}

/**
 * Returns the first statements that fit into one request.
 * @param {Statement[]} unsent
 */
function together(unsent) {
  let bytes = 0;
  const end = unsent.findIndex((statement, i) => {
    bytes += JSON.stringify(statement).length;
    return i === MOST || (i > 0 && bytes > MOST_BYTES);
  });
  return end < 0 ? unsent : unsent.slice(0, end);
}

/**
 * Returns the stored box without invalid parts.
 * @param {string|null} text
 * @returns {Box}
 */
function boxOf(text) {
  let stored;
  try {
    stored = JSON.parse(text ?? '{}');
  } catch {
    stored = null; // this page has not written it
  }
  const list = Array.isArray(stored?.unsent) ? stored.unsent : [];
  return { agreed: typeof stored?.agreed === 'string' ? stored.agreed : '', notBefore: Number(stored?.notBefore) || 0,
    unsent: list.filter((/** @type {any} */ statement) => typeof statement?.id === 'string') };
}
