// @ts-check
// Writes what a visitor did in lessons as xAPI statements. Needs no document, so node can test it.
import { entriesOf, newsBetween, stepsOf, sumOf } from '../class/done.js';
import { sha1 } from './sha1.js';

/** @typedef {import('../class/done.js').Course} Course */
/**
 * How a learning platform opened the page.
 * @typedef {object} Launch
 * @property {string} endpoint  ends with a slash
 * @property {string} auth
 * @property {object} actor  with one identifier
 * @property {string} activity
 * @property {string} registration  or ""
 * @property {string} remark  a sentence about parts of the address that have no effect, or ""
 */

const VERBS = 'http://adlnet.gov/expapi/verbs/';
const PROGRESS = 'https://w3id.org/xapi/cmi5/result/extensions/progress'; // in percent
const TRIES = '/xapi/tries'; // our extensions, at the page's address
const INTERACTION = 'http://adlnet.gov/expapi/activities/cmi.interaction';
const LESSON = 'http://adlnet.gov/expapi/activities/lesson';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Hosts that a page may reach without encryption; assets/lrs.html allows them. */
const LOCAL = new Set(['localhost', '127.0.0.1']);

/**
 * Returns the launch that an address describes, null if it describes none, or a sentence that says why it is invalid.
 * @param {string} search
 * @param {string} origin  of the page
 * @returns {Launch|string|null}
 */
export function launchOf(search, origin) {
  const query = new URLSearchParams(search);
  const endpoint = query.get('endpoint');
  if (endpoint === null) return null;
  if (query.has('fetch')) {
    return 'The link uses cmi5, which this page does not support: in the link, replace fetch with auth and activity_id.';
  }
  const place = URL.parse(endpoint);
  if (!place || !/^https?:$/.test(place.protocol)) return 'The address of the learning record store is not a web address.';
  if (place.username !== '' || place.search !== '' || place.hash !== '') {
    return 'The address of the learning record store must not contain a user name, “?” or “#”; put user names and passwords into auth.';
  }
  if (place.protocol === 'http:' && !LOCAL.has(place.hostname) && place.origin !== origin) {
    return 'The address of the learning record store must begin with https:, so that the data are encrypted in transit.';
  }
  const activity = query.get('activity_id') ?? '';
  if (!URL.canParse(activity)) return 'The link has no valid activity_id, which identifies this lesson in the learning record store.';
  let actor;
  try {
    actor = agentOf(JSON.parse(query.get('actor') ?? ''));
  } catch {
    actor = 'The link has no valid actor, which identifies the student.'; // it is not JSON
  }
  if (typeof actor === 'string') return actor;
  const registration = query.get('registration') ?? '';
  const known = UUID.test(registration);
  return { endpoint: place.href.replace(/\/?$/, '/'), auth: query.get('auth') ?? '', actor, activity,
    registration: known ? registration.toLowerCase() : '',
    remark: known || registration === '' ? '' : 'The registration in the link is not a UUID, so the page omits it.' };
}

const isText = (/** @type {unknown} */ v) => typeof v === 'string' && v !== '';

/** The possible identifiers of an actor, each with a test for valid values and the requirement that an error states. */
const IDENTIFIERS = {
  mbox: { is: (/** @type {any} */ v) => /^mailto:[^\s@]+@[^\s@]+$/.test(v), must: 'begin with mailto:, as in mailto:ana@example.org' },
  mbox_sha1sum: { is: (/** @type {any} */ v) => /^[0-9a-f]{40}$/i.test(v), must: 'have 40 hexadecimal digits' },
  openid: { is: (/** @type {any} */ v) => URL.canParse(v), must: 'be a web address' },
  account: { is: (/** @type {any} */ v) => URL.canParse(v?.homePage) && isText(v.name),
    must: 'have a web address as homePage, and a name' },
};

/**
 * Returns an actor in the form of statements, or a sentence that says why it is invalid. Older platforms put each part
 * into a list.
 * @param {any} said
 * @returns {Record<string, any>|string}
 */
function agentOf(said) {
  const one = (/** @type {any} */ v) => (Array.isArray(v) ? v[0] : v);
  const parts = Object.fromEntries(Object.entries(said ?? {}).map(([key, v]) => [key, one(v)]).filter(([, v]) => v !== undefined));
  const own = Object.entries(IDENTIFIERS).filter(([key]) => key in parts);
  if (own.length === 0) return 'The link has no valid actor, which identifies the student.';
  if (own.length > 1) {
    return `The actor in the link has ${own.map(([key]) => key).join(' and ')}: exactly one of ${Object.keys(IDENTIFIERS).join(', ')
    } may identify the student.`;
  }
  const [[key, { is, must }]] = own;
  let value = parts[key];
  if (key === 'account') {
    value = { homePage: value?.homePage ?? value?.accountServiceHomePage, name: value?.name ?? value?.accountName };
  }
  if (!is(value)) return `The actor’s ${key} in the link must ${must}.`;
  const { objectType, name } = parts;
  return { objectType: objectType === 'Group' ? objectType : 'Agent', ...(isText(name) ? { name } : {}), [key]: value };
}

/**
 * Returns the actor's name in words.
 * @param {Record<string, any>} actor
 */
export function whoIs(actor) {
  const { name, mbox, mbox_sha1sum: sum, openid, account } = actor;
  const known = mbox?.replace(/^mailto:/, '') ?? sum ?? openid ?? `${account.name} at ${account.homePage}`;
  return name ? `${name} (${known})` : known;
}

/**
 * Returns the owner of the progress and of unsent statements: an actor and a registration.
 * @param {Launch} launch
 */
export function ownerOf({ actor, registration }) {
  const { mbox, mbox_sha1sum: sum, openid, account } = /** @type {any} */ (actor);
  return `xAPI ${mbox ?? sum ?? openid ?? `${account.homePage} ${account.name}`} ${registration}`.trim();
}

/**
 * Returns a student without a platform as an actor.
 * @param {string} home  the page's address
 * @param {string} ofClass  "" without one
 * @param {string} name
 */
export const actorOf = (home, ofClass, name) =>
  ({ objectType: 'Agent', name, account: { homePage: home, name: ofClass === '' ? name : `${ofClass}/${name}` } });

/** Returns a text without its HTML, for a statement. @param {string} html */
const plain = (html) => html.replace(/<annotation[^>]*>.*?<\/annotation>/gs, '').replace(/<[^>]*>/g, '').replace(/&lt;/g, '<')
  .replace(/&gt;/g, '>').replace(/&quot;|&#34;/g, '"').replace(/&#39;/g, '’').replace(/&amp;/g, '&').replace(/\s+/g, ' ').trim();

const spoken = (/** @type {string} */ text) => ({ en: text });

/**
 * Adds an identifier that depends only on the statement, so that a statement stored twice counts once. It has 122 bits
 * of the statement's hash, since shorter ones would collide in a large store.
 * @param {object} statement
 */
function identified(statement) {
  const hex = sha1(JSON.stringify(statement));
  const variant = '89ab'[parseInt(hex[16], 16) & 3];
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  return { id, ...statement };
}

/**
 * Builds a writer of statements about lessons.
 * @param {object} of
 * @param {string} of.home  the page's address, without query and hash
 * @param {object} of.actor
 * @param {string} [of.activity]  the platform's name of the opened lesson
 * @param {string} [of.opened]  the lesson's own name
 * @param {string} [of.registration]
 */
export function createStatements({ home, actor, activity = '', opened = '', registration = '' }) {
  const base = activity || home;

  /** @param {Course} course */
  const lessonId = ({ name }) => (name === opened ? activity : `${base.replace(/\/$/, '')}/lessons/${name}`);

  /**
   * @param {string} verb
   * @param {object} object
   * @param {object} result
   * @param {string} time  as in ISO 8601, "" if unknown
   * @param {string} [parent]  the activity that contains it
   */
  function statement(verb, object, result, time, parent) {
    const context = {
      ...(registration ? { registration } : {}),
      ...(parent ? { contextActivities: { parent: [{ objectType: 'Activity', id: parent }] } } : {}),
    };
    return identified({
      actor, verb: { id: VERBS + verb, display: spoken(verb) }, object, result,
      ...(Object.keys(context).length > 0 ? { context } : {}), ...(time ? { timestamp: time } : {}),
    });
  }

  /** @param {Course} course */
  const lessonOf = (course) => ({ objectType: 'Activity', id: lessonId(course), definition: { type: LESSON, name: spoken(course.title) } });

  /** @param {Course} course @param {number} step @param {number} answer @param {string} time */
  function answered(course, step, answer, time) {
    const { title, predict } = course.steps[step - 1];
    const { question, answers, right } = /** @type {NonNullable<Course['steps'][0]['predict']>} */ (predict);
    return statement('answered', { objectType: 'Activity', id: `${lessonId(course)}/steps/${step}/prediction`, definition: {
      type: INTERACTION, interactionType: 'choice', name: spoken(`${course.title}: ${title}`), description: spoken(plain(question)),
      choices: answers.map((html, i) => ({ id: String(i), description: spoken(plain(html)) })),
      correctResponsesPattern: right.map(String),
    } }, { response: String(answer), success: right.includes(answer) }, time, lessonId(course));
  }

  /** @param {Course} course @param {string|null} text @param {'progressed'|'completed'} verb @param {string} time */
  function about(course, text, verb, time) {
    const steps = stepsOf(course, entriesOf(text).get(course.name));
    const sum = sumOf(steps);
    const extensions = { [home.replace(/\/$/, '') + TRIES]: steps.reduce((all, { tries }) => all + tries, 0),
      ...(verb === 'progressed' ? { [PROGRESS]: Math.round(100 * sum.share) } : {}) };
    const score = sum.asked === 0 ? {}
      : { score: { scaled: Math.round(1e4 * sum.right / sum.asked) / 1e4, raw: sum.right, min: 0, max: sum.asked } };
    return statement(verb, lessonOf(course), verb === 'completed' ? { completion: true, ...score, extensions } : { extensions }, time);
  }

  /** @param {Course} course @param {number} step */
  const asks = (course, step) => course.steps[step - 1]?.predict ?? null;

  return {
    /**
     * Returns statements about the changes in a lesson between two texts of progress.
     * @param {Course} course
     * @param {string|null} before
     * @param {string|null} after
     * @param {string} time
     */
    news(course, before, after, time) {
      const news = newsBetween(before, after).filter(({ lesson }) => lesson === course.name);
      const was = sumOf(stepsOf(course, entriesOf(before).get(course.name)));
      const now = sumOf(stepsOf(course, entriesOf(after).get(course.name)));
      return [
        ...news.flatMap(({ kind, step, answer }) => (kind === 'answered' && answer !== undefined && asks(course, step)
          ? [answered(course, step, answer, time)] : [])),
        ...(now.share > was.share ? [about(course, after, 'progressed', time)] : []),
        ...(now.ended && now.begun && !(was.ended && was.begun) ? [about(course, after, 'completed', time)] : []),
      ];
    },
    /**
     * Returns statements about everything done in lessons, without times.
     * @param {Course[]} courses
     * @param {string|null} text
     */
    all(courses, text) {
      return courses.flatMap((course) => {
        const entry = entriesOf(text).get(course.name);
        const sum = sumOf(stepsOf(course, entry));
        if (!entry || !sum.begun) return [];
        return [
          ...[...entry.first].flatMap(([step, answer]) => (asks(course, step) ? [answered(course, step, answer, '')] : [])),
          about(course, text, sum.ended ? 'completed' : 'progressed', ''),
        ];
      });
    },
  };
}
