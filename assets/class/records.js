// @ts-check
// Tells the learning platform around the page, and the student, what was done.
import { createClassDialog } from './class-dialog.js';
import { createLessons } from '../lesson/lesson-load.js';
import { createReport } from '../platform/scorm.js';
import { createSender } from '../platform/sender.js';
import { createStatements } from '../platform/statements.js';
import { assigned, hearTroubles, launch, leave, scorm, store } from './student.js';

/** @param {ReturnType<typeof import('../shell/notices.js').createNotices>} notices */
export function createRecords(notices) {
  const lessons = createLessons();
  const dialog = createClassDialog(lessons);
  /** @type {import('../shell/types.js').Model['lesson']} */
  let open;
  let failed = '';
  const platform = scorm?.open ? scorm : null;
  const report = platform && createReport(platform, store, notices);

  hearTroubles(notices.error);
  const sender = launch && createSender(launch, (failure) => {
    if (failure !== '' && failure !== failed) {
      notices.error(`The learning record store does not take what you did: ${failure}. The page goes on trying.`);
    }
    failed = failure;
  });
  const statements = launch && createStatements({ home: location.origin + location.pathname, actor: launch.actor,
    activity: launch.activity, opened: assigned, registration: launch.registration });

  /**
   * Does something with a lesson; the reason why there is none is shown.
   * @param {string} name
   * @param {(course: import('../shell/types.js').Lesson) => void} use
   */
  const within = (name, use) => lessons.definition(name).then(use).catch((error) =>
    notices.error(`What you did in the lesson could not be told: ${error.message}`));

  store.listen((before, after) => {
    dialog.update(open?.definition);
    if (report) within(assigned, (course) => report.tell(course, after));
    if (!sender || !statements || !open) return;
    // Lessons change one at a time: the one that is open.
    within(open.name, (course) => sender.send(statements.news(course, before, after, new Date().toISOString())));
  });

  if (report) {
    within(assigned, (course) => report.tell(course, store.lessons()));
    addEventListener('pagehide', () => {
      report.end();
      leave();
    });
    // The browser shows the page again as it was, but its conversation has ended.
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
