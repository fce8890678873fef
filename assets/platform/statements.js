// @ts-check
// What a visitor did in lessons as xAPI statements. Needs no document: tested in node.
import { crc32 } from '../class/codes.js';
import { entriesOf, newsBetween, stepsOf, sumOf } from '../class/done.js';

/** @typedef {import('../class/done.js').Course} Course */
/**
 * How a learning platform has opened the page.
 * @typedef {{endpoint: string, auth: string, actor: object, registration: string, activity: string}} Launch
 *   endpoint ends with a slash; registration may be ""
 */

const VERBS = 'http://adlnet.gov/expapi/verbs/';
const PROGRESS = 'https://w3id.org/xapi/cmi5/result/extensions/progress'; // in percent
const TRIES = '/xapi/tries'; // extensions of our own, at the page's address
const INTERACTION = 'http://adlnet.gov/expapi/activities/cmi.interaction';
const LESSON = 'http://adlnet.gov/expapi/activities/lesson';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The launch that an address describes, null if it describes none, or a sentence that says why it cannot be used.
 * @param {string} search
 * @returns {Launch|string|null}
 */
export function launchOf(search) {
  const query = new URLSearchParams(search);
  const endpoint = query.get('endpoint');
  if (endpoint === null) return null;
  const place = URL.parse(endpoint);
  if (!place || !/^https?:$/.test(place.protocol)) return 'The address of the learning record store is no web address.';
  const activity = query.get('activity_id') ?? '';
  if (!URL.canParse(activity)) return 'The address names no activity_id, by which the learning record store would know this lesson.';
  let actor;
  try {
    actor = agentOf(JSON.parse(query.get('actor') ?? ''));
  } catch {
    actor = null; // it is no JSON
  }
  if (!actor) return 'The address names no actor, who would have done the lesson.';
  const registration = query.get('registration') ?? '';
  return { endpoint: place.href.replace(/\/?$/, '/'), auth: query.get('auth') ?? '', actor, activity,
    registration: UUID.test(registration) ? registration : '' };
}

/**
 * An actor as statements have it. Older platforms put each part into a list.
 * @param {any} said
 */
function agentOf(said) {
  if (typeof said !== 'object' || said === null) return null;
  const one = (/** @type {any} */ v) => (Array.isArray(v) ? v[0] : v);
  const actor = Object.fromEntries(Object.entries(said).map(([key, v]) => [key, one(v)]).filter(([, v]) => v !== undefined));
  if (actor.account?.accountServiceHomePage) {
    actor.account = { homePage: actor.account.accountServiceHomePage, name: actor.account.accountName };
  }
  return ['mbox', 'mbox_sha1sum', 'openid', 'account'].some((key) => key in actor) ? actor : null;
}

/**
 * A student without a platform, as an actor.
 * @param {string} home  the page's address
 * @param {string} ofClass  "" without one
 * @param {string} name
 */
export const actorOf = (home, ofClass, name) =>
  ({ objectType: 'Agent', name, account: { homePage: home, name: ofClass === '' ? name : `${ofClass}/${name}` } });

/** A text without its HTML, as a statement may show it. @param {string} html */
const plain = (html) => html.replace(/<annotation[^>]*>.*?<\/annotation>/gs, '').replace(/<[^>]*>/g, '').replace(/&lt;/g, '<')
  .replace(/&gt;/g, '>').replace(/&quot;|&#34;/g, '"').replace(/&#39;/g, '’').replace(/&amp;/g, '&').replace(/\s+/g, ' ').trim();

const spoken = (/** @type {string} */ text) => ({ en: text });

/**
 * An identifier that depends on the statement alone, so that one which is stored twice counts once.
 * @param {object} statement
 */
function identified(statement) {
  const text = JSON.stringify(statement);
  const hex = [1, 2, 3, 4].map((i) => crc32(`${i} ${text}`).toString(16).padStart(8, '0')).join('');
  const variant = '89ab'[parseInt(hex[16], 16) & 3];
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  return { id, ...statement };
}

/**
 * Writes statements about lessons.
 * @param {object} of
 * @param {string} of.home  the page's address, without query and hash
 * @param {object} of.actor
 * @param {string} [of.activity]  what a platform calls the lesson that it has opened
 * @param {string} [of.opened]  the name of that lesson
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
   * @param {string} time  as in ISO 8601, "" where it is not known
   * @param {string} [parent]  the activity that it is part of
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
     * About what has come to be in a lesson between two texts of progress.
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
     * About all that was done in lessons; when is not known.
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
