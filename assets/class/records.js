// @ts-check
// Reports what the student did to the learning platform around the page, and reports problems to the student.
import { createClassDialog } from './class-dialog.js';
import { createLessons } from '../lesson/lesson-load.js';
import { askConsent } from '../platform/consent.js';
import { createOutbox } from '../platform/outbox.js';
import { createReport } from '../platform/scorm.js';
import { createSender } from '../platform/sender.js';
import { createStatements, ownerOf } from '../platform/statements.js';
import { assigned, hearTroubles, launch, leave, scorm, store } from './student.js';

/** @param {ReturnType<typeof import('../shell/notices.js').createNotices>} notices */
export function createRecords(notices) {
  const lessons = createLessons();
  const dialog = createClassDialog(lessons);
  /** @type {import('../shell/types.js').Model['lesson']} */
  let open;
  const platform = scorm?.open ? scorm : null;
  const report = platform && createReport(platform, store, notices);

  hearTroubles(notices.error);
  /**
   * Makes the browser warn visitors who leave the page before everything is sent; another tab may have sent it.
   * @param {BeforeUnloadEvent} event
   */
  const warn = (event) => {
    if (outbox && outbox.unsent() > 0) event.preventDefault();
  };
  const outbox = launch && createOutbox({ storage: () => localStorage, owner: ownerOf(launch), endpoint: launch.endpoint,
    post: createSender(launch), later: (run, milliseconds) => setTimeout(run, milliseconds), now: Date.now, say: notices,
    changed: (unsent) => {
      if (unsent > 0) addEventListener('beforeunload', warn);
      else removeEventListener('beforeunload', warn);
    } });
  const statements = launch && createStatements({ home: location.origin + location.pathname, actor: launch.actor,
    activity: launch.activity, opened: assigned, registration: launch.registration });

  if (launch && outbox && !outbox.agreed()) {
    askConsent(launch, outbox.unsent()).then((agreed) => {
      if (agreed) outbox.agree();
      else notices.notice('Nothing is sent to the learning record store. To decide again, reopen the link.');
    });
  }

  /**
   * Loads a lesson and uses it, or shows why it could not be loaded.
   * @param {string} name
   * @param {(course: import('../shell/types.js').Lesson) => void} use
   */
  const within = (name, use) => lessons.definition(name).then(use).catch((error) =>
    notices.error(`Your work in the lesson could not be reported: ${error.message}`));

  store.listen((before, after) => {
    dialog.update(open?.definition);
    if (report) within(assigned, (course) => report.tell(course, after));
    if (!outbox || !statements || !open) return;
    // Only the open lesson can change.
    within(open.name, (course) => outbox.send(statements.news(course, before, after, new Date().toISOString())));
  });

  if (report) {
    within(assigned, (course) => report.tell(course, store.lessons()));
    addEventListener('pagehide', () => {
      report.end();
      leave();
    });
    // The browser has restored the page, but its session with the platform has ended.
    addEventListener('pageshow', ({ persisted }) => { if (persisted) location.reload(); });
  }

  return {
    /** @param {import('../shell/types.js').Model} model */
    update({ lesson }) {
      open = lesson;
      if (lesson && lesson.name === assigned) platform?.at(lesson.step);
      dialog.update(lesson?.definition);
    },
  };
}
