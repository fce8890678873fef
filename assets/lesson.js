// @ts-check
import { element, intend, setText } from './dom.js';
import { createProgress, lessonAfter, outcome, stage } from './teaching.js';

/** @typedef {import('./types.js').Model} Model */
/** @typedef {import('./types.js').LessonStep} LessonStep */

/**
 * The nodes of a lesson's text, which the site's build has made from Markdown and
 * formulas. A template runs nothing; active elements are left out all the same, because
 * the file may be a teacher's own.
 * @param {string} html
 */
export function fragment(html) {
  const template = document.createElement('template');
  template.innerHTML = html;
  for (const node of template.content.querySelectorAll('script, style, link, meta, base, iframe, object, embed, form')) node.remove();
  for (const node of template.content.querySelectorAll('*')) {
    for (const { name } of [...node.attributes]) if (name.startsWith('on')) node.removeAttribute(name);
  }
  return template.content;
}

/**
 * Gives a heading the focus where it can be seen: on a phone the picture stays above the
 * scrolling part.
 * @param {HTMLElement} heading
 */
function reach(heading) {
  heading.focus();
  const { left, top } = heading.getBoundingClientRect();
  for (let over = document.elementFromPoint(left + 1, top + 1); over && !over.contains(heading); over = over.parentElement) {
    if (getComputedStyle(over).position === 'sticky') scrollBy(0, top - over.getBoundingClientRect().bottom - 8);
  }
}

/** @param {(string|{html: string})[]} parts */
const pieces = (parts) => parts.map((part) => (typeof part === 'string' ? part : fragment(part.html)));

/**
 * The column of a lesson: a step's text, a prediction, the goal, and the conclusion.
 * Nothing is locked.
 * @param {HTMLElement} root
 */
export function createLesson(root) {
  const progress = createProgress(() => localStorage);
  const skipped = new Set();
  let drawn = '';
  /** @type {object|undefined} */
  let drawnOf; // the lesson as it was fetched
  let asked = false; // for another step, from here: its heading gets the focus
  let changing = false; // the prediction is made anew
  let focusGoal = false;
  /** @type {Model} */
  let shown;
  // What leads out of the lesson stays the same elements too: a press begins and ends on
  // the same button even while a step is built anew.
  const minutes = element('p', { class: 'lesson-minutes' });
  const title = element('h2');
  const question = element('p', { class: 'lesson-question' });
  const head = element('div', { class: 'lesson-head' },
    element('div', { class: 'lesson-name' }, minutes,
      element('button', { type: 'button', class: 'quiet', title: 'Leave the lesson', 'aria-label': 'Leave the lesson',
        onclick: () => intend(root, 'page:lesson-leave') }, '×')),
    title, question);
  const column = element('div');
  // It stays the same element, so that a change is read out, and only
  // once.
  const said = element('p', { class: 'visually-hidden', 'aria-live': 'polite' });
  root.classList.add('lesson');
  root.append(head, column, said);

  /** @param {string} name @param {number} step */
  function go(name, step) {
    asked = true;
    intend(root, 'page:lesson', { name, step });
  }

  /** @param {{name: string, step: number}} at */
  const keyOf = ({ name, step }) => `${name}:${step}`;

  /** @param {NonNullable<Model['lesson']>} lesson */
  function answerOf({ definition, name, step }) {
    const { predict } = definition.steps[step - 1];
    return predict && !changing ? progress.prediction(name, step, predict.answers.length) : undefined;
  }

  /** @param {NonNullable<Model['lesson']>} lesson */
  function build(lesson) {
    const { definition, name, step } = lesson;
    const of = definition.steps[step - 1];
    const answer = answerOf(lesson);
    const now = stage(of, { answered: answer !== undefined || skipped.has(keyOf(lesson)), reached: lesson.reached });
    const last = step === definition.steps.length;
    const heading = element('h3', { tabindex: '-1', class: 'lesson-step-title' },
      element('span', { class: 'lesson-count' }, `Step ${step} of ${definition.steps.length}`), of.title);
    const goal = of.goal && now !== 'predict' ? goalPart(of, lesson) : null;
    setText(minutes, `Lesson, ${definition.minutes} min`);
    setText(title, definition.title);
    setText(question, definition.question);
    question.hidden = step !== 1;
    column.replaceChildren(
      stepsPart(lesson),
      heading,
      element('div', { class: 'lesson-text' }, fragment(of.text)),
      ...(now === 'predict' && of.predict ? [predictPart(of.predict, lesson)] : []),
      ...(now !== 'predict' && of.predict ? [saidPart(of.predict, answer, now, lesson)] : []),
      ...(goal ? [goal] : []),
      ...(now === 'seen' && of.then ? [element('div', { class: 'lesson-text lesson-then' }, fragment(of.then))] : []),
      last ? endPart(name, now) : footPart(lesson, now),
    );
    if (asked) reach(heading);
    else if (focusGoal) reach(goal?.querySelector('h4') ?? heading);
    asked = focusGoal = false;
  }

  /** @param {NonNullable<Model['lesson']>} lesson */
  function stepsPart({ definition, name, step }) {
    const reached = progress.reached(name);
    return element('nav', { 'aria-label': 'Steps of the lesson' },
      element('ol', { class: 'lesson-steps' }, ...definition.steps.map(({ title }, i) => {
      const done = reached.has(i + 1);
      return element('li', {}, element('button', {
        type: 'button', 'data-part': `step-${i + 1}`, class: done ? 'reached' : null, title, 'aria-current': i + 1 === step ? 'step' : null,
        'aria-label': `Step ${i + 1}: ${title}${done ? ', reached' : ''}`, onclick: () => go(name, i + 1),
      }, done ? '✓' : String(i + 1)));
    })));
  }

  /** @param {import('./types.js').Predict} predict @param {NonNullable<Model['lesson']>} lesson */
  function predictPart(predict, lesson) {
    const settle = () => {
      changing = false;
      focusGoal = true;
      update(shown);
    };
    const radios = predict.answers.map((_, i) => element('input', { type: 'radio', name: 'prediction', value: String(i), required: true }));
    return element('form', {
      class: 'lesson-predict',
      onsubmit: (/** @type {Event} */ e) => {
        e.preventDefault();
        const chosen = radios.findIndex(({ checked }) => checked);
        if (chosen < 0) return;
        progress.predict(lesson.name, lesson.step, chosen);
        settle();
      },
    },
    element('fieldset', {}, element('legend', {}, element('span', { class: 'lesson-label' }, 'Predict'), fragment(predict.question)),
      ...predict.answers.map((html, i) => element('label', {}, radios[i], element('span', {}, fragment(html))))),
    element('div', { class: 'lesson-actions' }, element('button', { type: 'submit', class: 'primary' }, 'Predict'),
      element('button', { type: 'button', class: 'lesson-quiet', onclick: () => { skipped.add(keyOf(lesson)); settle(); } }, 'Skip')));
  }

  /**
   * @param {import('./types.js').Predict} predict
   * @param {number|undefined} answer
   * @param {'act'|'seen'} now
   * @param {NonNullable<Model['lesson']>} lesson
   */
  function saidPart(predict, answer, now, lesson) {
    const question = element('div', { class: 'lesson-asked' }, element('span', { class: 'lesson-label' }, 'Your prediction'),
      fragment(predict.question));
    if (now === 'seen') {
      const { verdict, lines } = outcome(predict, answer);
      return element('div', { class: `lesson-said ${verdict}` }, question,
        ...lines.map((parts, i) => element('div', { class: i === lines.length - 1 ? 'lesson-outcome' : null }, ...pieces(parts))));
    }
    const again = element('button', {
      type: 'button', class: 'lesson-quiet',
      onclick: () => {
        changing = true;
        skipped.delete(keyOf(lesson));
        update(shown);
        /** @type {HTMLElement|null} */ (column.querySelector('.lesson-predict input'))?.focus();
      },
    }, answer === undefined ? 'Predict' : 'Change');
    return element('div', { class: 'lesson-said' }, question,
      element('div', {},
        ...(answer === undefined ? ['None made.'] : pieces(['You say: ', { html: predict.answers[answer] }])), ' ', again));
  }

  /** @param {LessonStep} of @param {NonNullable<Model['lesson']>} lesson */
  function goalPart(of, { name, step, reached }) {
    const goal = /** @type {NonNullable<LessonStep['goal']>} */ (of.goal);
    return element('section', { class: 'lesson-goal', 'aria-label': 'Goal' },
      element('h4', { tabindex: '-1', class: 'lesson-label' }, 'Do'),
      element('div', { class: 'lesson-text' }, fragment(goal.text)),
      element('p', { class: `lesson-sign${reached ? ' reached' : ''}` }, reached ? 'Reached' : 'Not yet'),
      of.hint ? element('details', { class: 'lesson-hint' }, element('summary', { 'data-part': 'hint' }, 'Hint'),
        element('div', { class: 'lesson-text' }, fragment(of.hint))) : null,
      element('div', { class: 'lesson-actions' },
        of.show.length > 0 ? element('button',
          { type: 'button', 'data-part': 'show', onclick: () => intend(root, 'page:show', { calls: of.show }) }, 'Show me') : null,
        element('button', { type: 'button', 'data-part': 'back', class: 'lesson-quiet',
          title: 'Sets everything as it was when the step opened', onclick: () => intend(root, 'page:lesson', { name, step }) },
          'Back to the step')));
  }

  /** @param {NonNullable<Model['lesson']>} lesson @param {string} now */
  function footPart({ definition, name, step }, now) {
    return element('div', { class: 'lesson-foot' },
      element('button', { type: 'button', 'data-part': 'next', class: now === 'seen' ? 'primary' : 'lesson-quiet',
        onclick: () => go(name, step + 1) }, now === 'seen' ? 'Next' : 'Skip to the next step'),
      element('span', { class: 'lesson-next' }, definition.steps[step].title));
  }

  /** @param {string} name @param {string} now */
  function endPart(name, now) {
    const next = lessonAfter(shown.lessons ?? [], name);
    return element('div', { class: 'lesson-foot lesson-end' },
      element('p', {}, now === 'seen' ? 'This was the lesson’s last step.' : 'This is the lesson’s last step.'),
      next ? element('button', { type: 'button', 'data-part': 'next', class: now === 'seen' ? 'primary' : 'lesson-quiet',
        onclick: () => go(next.name, 1) }, 'Next lesson') : null,
      next ? element('span', { class: 'lesson-next' }, `${next.title}, ${next.minutes} min`) : null,
      next ? null : element('button', { type: 'button', 'data-part': 'contents', class: now === 'seen' ? 'primary' : 'lesson-quiet',
        onclick: () => intend(root, 'page:contents') }, 'All lessons and scenes'),
      element('button', { type: 'button', 'data-part': 'leave', class: 'lesson-quiet', onclick: () => intend(root, 'page:lesson-leave') },
        'Stay here and play'));
  }

  /** @param {Model} model */
  function update(model) {
    shown = model;
    const { lesson } = model;
    root.hidden = !lesson;
    if (!lesson) {
      column.replaceChildren();
      setText(said, '');
      drawn = '';
      asked = false;
      return;
    }
    const at = keyOf(lesson);
    const same = drawn.startsWith(`${at} `);
    if (!same) changing = false;
    if (lesson.reached) progress.reach(lesson.name, lesson.step);
    setText(said, lesson.reached ? 'The goal is reached.' : '');
    const key = `${at} ${JSON.stringify([lesson.reached, answerOf(lesson), skipped.has(at), changing, model.lessons?.length])}`;
    if (key === drawn && lesson.definition === drawnOf) return;
    drawn = key;
    drawnOf = lesson.definition;
    const part = same ? /** @type {HTMLElement|null} */ (document.activeElement)?.closest('[data-part]')?.getAttribute('data-part')
      : undefined;
    const hinted = same && hintOf()?.open;
    const within = root.contains(document.activeElement);
    build(lesson);
    if (same && lesson.reached) showEnd();
    const hint = hintOf();
    if (hint && hinted) hint.open = true;
    if (within && part) /** @type {HTMLElement|null} */ (column.querySelector(`[data-part="${part}"]`))?.focus();
  }

  /** Brings a goal's conclusion into view if the column scrolls by itself; the picture stays. */
  function showEnd() {
    if (root.scrollHeight <= root.clientHeight) return;
    const goal = column.querySelector('.lesson-goal');
    if (goal) root.scrollTop += goal.getBoundingClientRect().top - root.getBoundingClientRect().top;
  }

  const hintOf = () => /** @type {HTMLDetailsElement|null} */ (column.querySelector('.lesson-hint'));

  return { update };
}
