// @ts-check
import { element, intend, setText } from '../shell/dom.js';
import { inside } from '../platform/files.js';
import { dressMarks } from './lesson-marks.js';
import { store } from '../class/student.js';
import { drawnOrder, howFar, lessonAfter, movesHandles, outcome, quotedNumber, stage, visitorNumber } from './teaching.js';

/** How long after a goal is reached its conclusion is kept in view, in milliseconds. */
const SETTLING = 1000;

/** @typedef {import('../shell/types.js').Model} Model */
/** @typedef {import('../shell/types.js').LessonStep} LessonStep */

/**
 * The nodes of a lesson's text, which the site's build has made from Markdown and formulas. A template runs nothing; active elements are
 * removed all the same, because the file may be a teacher's.
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
 * Focuses a heading and makes it visible: on a phone the picture stays above the scrolling part.
 * @param {HTMLElement} heading
 */
function reach(heading) {
  heading.focus();
  const { left, top } = heading.getBoundingClientRect();
  for (let over = document.elementFromPoint(left + 1, top + 1); over && !over.contains(heading); over = over.parentElement) {
    if (getComputedStyle(over).position === 'sticky') scrollBy(0, top - over.getBoundingClientRect().bottom - 8);
  }
}

/**
 * The outcome of a prediction, in lines; the last one is the verdict.
 * @param {(string|{html: string})[][]} lines
 */
const outcomeLines = (lines) => lines.map((parts, i) => element('div', { class: i === lines.length - 1 ? 'lesson-outcome' : null },
  ...pieces(parts)));

/** @param {(string|{html: string})[]} parts */
const pieces = (parts) => parts.map((part) => (typeof part === 'string' ? part : fragment(part.html)));

/**
 * The column of a lesson: a step's text, a prediction, the goal, and the conclusion. Every step is open from the start.
 * @param {HTMLElement} root
 * @param {ReturnType<typeof import('./teaching.js').createProgress>} progress
 */
export function createLesson(root, progress) {
  const visitor = visitorNumber(() => store);
  /** The open step, and whether its goal had been reached at the last check. */
  let watched = { at: '', reached: false };
  let drawn = '';
  /** @type {object|undefined} */
  let drawnOf; // the lesson as fetched
  let asked = false; // whether a step was requested from here: its heading gets the focus
  let changing = false; // whether the visitor changes the prediction
  let focusGoal = false;
  /** @type {Model} */
  let shown;
  // The links out of the lesson stay the same elements too: a press begins and ends on the same button even while a step is rebuilt.
  const minutes = element('p', { class: 'lesson-minutes' });
  const title = element('h2');
  const question = element('p', { class: 'lesson-question' });
  const head = element('div', { class: 'lesson-head' },
    element('div', { class: 'lesson-name' }, minutes,
      element('button', { type: 'button', class: 'quiet', title: 'Leave the lesson', 'aria-label': 'Leave the lesson',
        onclick: () => intend(root, 'page:lesson-leave') }, '×')),
    title, question);
  // The way back, if the visitor has gone to another scene.
  const back = element('div', { class: 'lesson-left', hidden: true });
  const column = element('div');
  // The step's controls, between the goal and its progress, if they are not beside the picture.
  const controls = element('div', { class: 'lesson-controls' });
  const ending = element('div');
  // Stays the same element, so that screen readers read each change once.
  const said = element('p', { class: 'visually-hidden', 'aria-live': 'polite' });
  root.classList.add('lesson');
  root.append(head, back, column, controls, ending, said);

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
    const now = stage(of, { answered: answer !== undefined || progress.skipped(name, step), reached: lesson.reached });
    if (now === 'seen' && !of.goal) progress.reach(name, step); // there was only a text or a prediction
    const last = step === definition.steps.length;
    const heading = element('h3', { tabindex: '-1', class: 'lesson-step-title' },
      element('span', { class: 'lesson-count' },
        `Step ${step} of ${definition.steps.length}${of.kind === 'transfer' ? ', on your own' : ''}`),
      of.title);
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
    );
    ending.replaceChildren(
      ...(now === 'seen' && of.then ? [thenPart(of, lesson)] : []),
      ...(last && now === 'seen' ? [keptPart(lesson)] : []),
      last ? endPart(name, now) : footPart(lesson, now),
    );
    for (const part of [column, ending]) dressMarks(part, shown.scene);
    if (asked) reach(heading);
    else if (focusGoal) reach(goal?.querySelector('h4') ?? heading);
    asked = focusGoal = false;
  }

  /** @param {NonNullable<Model['lesson']>} lesson */
  function stepsPart({ definition, name, step }) {
    const [reached, seen] = [progress.reached(name), progress.seen(name)];
    return element('nav', { 'aria-label': 'Steps of the lesson' },
      element('ol', { class: 'lesson-steps' }, ...definition.steps.map(({ title }, i) => {
      const done = reached.has(i + 1);
      const shownOnly = !done && seen.has(i + 1);
      return element('li', {}, element('button', {
        type: 'button', 'data-part': `step-${i + 1}`, class: done ? 'reached' : shownOnly ? 'shown' : null, title,
        'aria-current': i + 1 === step ? 'step' : null,
        'aria-label': `Step ${i + 1}: ${title}${done ? ', reached' : shownOnly ? ', seen' : ''}`, onclick: () => go(name, i + 1),
      }, done ? '✓' : String(i + 1)));
    })));
  }

  /** @param {import('../shell/types.js').Predict} predict @param {NonNullable<Model['lesson']>} lesson */
  function predictPart(predict, lesson) {
    const settle = () => {
      changing = false;
      focusGoal = true;
      update(shown);
      intend(root, 'uncover');
    };
    const order = drawnOrder(predict.answers.length, visitor, keyOf(lesson));
    const radios = order.map((i) => element('input', { type: 'radio', name: 'prediction', value: String(i), required: true }));
    return element('form', {
      class: 'lesson-predict',
      onsubmit: (/** @type {Event} */ e) => {
        e.preventDefault();
        const chosen = radios.find(({ checked }) => checked);
        if (!chosen) return;
        progress.predict(lesson.name, lesson.step, Number(chosen.value));
        settle();
      },
    },
    element('fieldset', {}, element('legend', {}, element('span', { class: 'lesson-label' }, 'Predict'), fragment(predict.question)),
      ...radios.map((radio) => element('label', {}, radio, element('span', {}, fragment(predict.answers[Number(radio.value)]))))),
    element('div', { class: 'lesson-actions' }, element('button', { type: 'submit', class: 'primary' }, 'Predict'),
      element('button', { type: 'button', class: 'lesson-quiet',
        onclick: () => { progress.skip(lesson.name, lesson.step, true); settle(); } }, 'Skip')));
  }

  /**
   * @param {import('../shell/types.js').Predict} predict
   * @param {number|undefined} answer
   * @param {'act'|'seen'} now
   * @param {NonNullable<Model['lesson']>} lesson
   */
  function saidPart(predict, answer, now, lesson) {
    const question = element('div', { class: 'lesson-asked' }, element('span', { class: 'lesson-label' }, 'Your prediction'),
      fragment(predict.question));
    if (now === 'seen') {
      const { verdict, lines, reason } = outcome(predict, answer);
      return element('div', { class: `lesson-said ${verdict}` }, question,
        ...outcomeLines(lines),
        reason ? element('div', { class: 'lesson-reason' }, fragment(reason)) : null);
    }
    const again = element('button', {
      type: 'button', class: 'lesson-quiet',
      onclick: () => {
        changing = true;
        progress.skip(lesson.name, lesson.step, false);
        update(shown);
        /** @type {HTMLElement|null} */ (column.querySelector('.lesson-predict input'))?.focus();
      },
    }, answer === undefined ? 'Predict' : 'Change');
    return element('div', { class: 'lesson-said' }, question,
      element('div', {},
        ...(answer === undefined ? ['None made.'] : pieces(['You say: ', { html: predict.answers[answer] }])), ' ', again));
  }

  /** @param {LessonStep} of @param {NonNullable<Model['lesson']>} lesson */
  function goalPart(of, lesson) {
    const { name, step, reached } = lesson;
    const goal = /** @type {NonNullable<LessonStep['goal']>} */ (of.goal);
    return element('section', { class: 'lesson-goal', 'aria-label': 'Goal' },
      element('h4', { tabindex: '-1', class: 'lesson-label' }, 'Do'),
      element('div', { class: 'lesson-text' }, fragment(goal.text)),
      goal.parts.length > 0 ? element('ul', { class: 'lesson-parts' },
        ...goal.parts.map(({ text }) => element('li', {}, element('span', {}, fragment(text)),
          element('span', { class: 'lesson-far' })))) : null,
      element('p', { class: `lesson-sign${reached ? ' reached' : ''}` }),
      element('p', { class: 'lesson-shown', hidden: true },
        '“Show me” has reached the goal, so the step counts as seen, not done. Choose “Back to the step” to do it yourself.'),
      movesHandles(of) ? element('p', { class: 'lesson-keyboard' },
        'With the keyboard: press Tab to reach a point and Enter to select it. Move it with the arrow keys, then press Enter.') : null,
      of.hint ? element('details', { class: 'lesson-hint' }, element('summary', { 'data-part': 'hint' }, 'Hint'),
        element('div', { class: 'lesson-text' }, fragment(of.hint))) : null,
      element('div', { class: 'lesson-actions' },
        of.show.length > 0 ? element('button',
          { type: 'button', 'data-part': 'show', onclick: () => intend(root, 'page:show', { calls: of.show }) }, 'Show me') : null,
        element('button', { type: 'button', 'data-part': 'back', class: 'lesson-quiet',
          title: 'Restores the state at the start of the step', onclick: () => intend(root, 'page:lesson', { name, step }) },
          'Back to the step')));
  }

  /**
   * Shows how far the visitor is from the goal and from each of its parts.
   * @param {NonNullable<Model['lesson']>} lesson
   */
  function tellHowFar({ name, step, reached, parts }) {
    const sign = column.querySelector('.lesson-sign');
    if (!sign) return;
    const items = [...column.querySelectorAll('.lesson-parts li')];
    const far = howFar(parts?.[0]);
    /** @type {HTMLElement} */ (column.querySelector('.lesson-shown')).hidden = !reached || shown.demonstrated !== `${name}:${step}`;
    setText(sign, reached ? 'Reached' : items.length > 0 || far === '' ? 'Not yet' : `Not yet: ${far}`);
    items.forEach((item, i) => {
      const holds = reached || Boolean(parts?.[i]?.holds);
      item.classList.toggle('holds', holds);
      const far = holds ? '' : howFar(parts?.[i]);
      setText(/** @type {Element} */ (item.lastElementChild), holds ? '' : far === '' ? 'not yet' : far);
    });
  }

  /** @param {LessonStep} of @param {NonNullable<Model['lesson']>} lesson */
  function thenPart(of, { name, step, numbers }) {
    const then = element('div', { class: 'lesson-text lesson-then' }, fragment(of.then));
    const values = numbers ?? progress.of(name).numbers[step] ?? [];
    for (const slot of /** @type {NodeListOf<HTMLElement>} */ (then.querySelectorAll('[data-slot]'))) {
      setText(slot, quotedNumber(values[Number(slot.dataset.slot)], slot.dataset.decimals ?? ''));
    }
    return then;
  }

  /**
   * The lesson's takeaways, and the visitor's predictions beside the outcomes.
   * @param {NonNullable<Model['lesson']>} lesson
   */
  function keptPart({ definition, name }) {
    const asked = definition.steps.flatMap(({ predict }, i) => (predict ? [{ predict, step: i + 1 }] : []));
    const { first } = progress.of(name);
    const right = asked.filter(({ predict, step }) => predict.right.includes(first[step])).length;
    return element('section', { class: 'lesson-kept', 'aria-label': 'What you know now' },
      definition.know.length > 0 ? element('h4', { class: 'lesson-label' }, 'What you know now') : null,
      definition.know.length > 0 ? element('ul', {}, ...definition.know.map((html) => element('li', {}, fragment(html)))) : null,
      asked.length === 0 ? null : element('details', {},
        element('summary', {}, `Your predictions: ${right} of ${asked.length} right at the first attempt`),
        element('ol', {}, ...asked.map(({ predict, step }) => {
          const { verdict, lines } = outcome(predict, first[step]);
          return element('li', { class: verdict }, element('div', { class: 'lesson-asked' }, fragment(predict.question)),
            ...outcomeLines(lines));
        }))));
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
      inside ? null : element('a', { class: 'lesson-quiet', 'data-part': 'review', href: 'review.html' }, 'What you can do now'),
      next ? null : element('button', { type: 'button', 'data-part': 'contents', class: now === 'seen' ? 'primary' : 'lesson-quiet',
        onclick: () => intend(root, 'page:contents') }, 'All lessons and scenes'),
      element('button', { type: 'button', 'data-part': 'leave', class: 'lesson-quiet', onclick: () => intend(root, 'page:lesson-leave') },
        'Stay here and play'));
  }

  /**
   * Shows how to return to a step from another scene.
   * @param {NonNullable<Model['left']>} left
   */
  function tellWayBack({ name, step }) {
    const { definition } = shown;
    if (definition?.name !== name) return;
    setText(minutes, 'Lesson');
    setText(title, definition.title);
    question.hidden = true;
    back.replaceChildren(
      element('p', {}, `You have left step ${step}, ${definition.steps[step - 1]?.title ?? ''}, for another scene.`),
      element('button', { type: 'button', class: 'primary', onclick: () => go(name, step) }, 'Back to the step'));
  }

  /**
   * Stores what the visitor has done, and shows the subject of a goal's conclusion when the goal has just been reached.
   * @param {NonNullable<Model['lesson']>} lesson
   */
  function watch({ definition, name, step, reached, attempts }) {
    const at = `${name}:${step}`;
    const byShow = shown.demonstrated === at;
    if (attempts) progress.attempt(name, step, byShow ? { ...attempts, shown: true } : attempts);
    if (reached && byShow) progress.see(name, step);
    else if (reached) progress.reach(name, step);
    const just = reached && watched.at === at && !watched.reached;
    watched = { at, reached };
    if (just && !root.checkVisibility()) intend(root, 'page:said', { text: 'The goal of the lesson’s step is reached.' });
    const { reveal } = definition.steps[step - 1];
    if (just && reveal.length > 0) intend(root, 'page:reveal', { calls: reveal });
  }

  /** @param {Model} model */
  function update(model) {
    shown = model;
    const { lesson, left } = model;
    root.hidden = !model.state.lesson && !left; // a lesson on its way keeps its space
    back.hidden = Boolean(lesson) || !left;
    if (!lesson) {
      for (const part of [column, ending]) part.replaceChildren();
      setText(said, '');
      drawn = '';
      asked = false;
      watched = { at: '', reached: false };
      if (left) tellWayBack(left);
      else for (const words of [minutes, title, question]) setText(words, '');
      return;
    }
    const at = keyOf(lesson);
    const same = drawn.startsWith(`${at} `);
    if (!same) changing = false;
    watch(lesson);
    setText(said, lesson.reached ? 'The goal is reached.' : '');
    const key = `${at} ${JSON.stringify([lesson.reached, answerOf(lesson), progress.skipped(lesson.name, lesson.step), changing,
      model.lessons?.length])}`;
    if (key === drawn && lesson.definition === drawnOf) {
      tellHowFar(lesson);
      return;
    }
    drawn = key;
    drawnOf = lesson.definition;
    const part = same ? /** @type {HTMLElement|null} */ (document.activeElement)?.closest('[data-part]')?.getAttribute('data-part')
      : undefined;
    const hinted = same && hintOf()?.open;
    const within = root.contains(document.activeElement);
    build(lesson);
    tellHowFar(lesson);
    if (same && lesson.reached) showEnd();
    const hint = hintOf();
    if (hint && hinted) hint.open = true;
    if (within && part) /** @type {HTMLElement|null} */ (root.querySelector(`[data-part="${part}"]`))?.focus();
  }

  /** Scrolls a goal's conclusion into view, but not the picture. If the whole page scrolls, nothing moves under a visitor's hand. */
  function showEnd() {
    if (root.scrollHeight <= root.clientHeight) {
      if (shown.demonstrated === watched.at) keepEndInView();
      return;
    }
    const goal = column.querySelector('.lesson-goal');
    if (goal) root.scrollTop += goal.getBoundingClientRect().top - root.getBoundingClientRect().top;
  }

  /** Keeps a conclusion in view while the content above it settles, unless the visitor scrolls. */
  function keepEndInView() {
    const until = performance.now() + SETTLING;
    const moved = new AbortController();
    for (const kind of ['wheel', 'touchmove', 'pointerdown', 'keydown']) {
      addEventListener(kind, () => moved.abort(), { passive: true, signal: moved.signal });
    }
    const look = () => {
      if (performance.now() > until) moved.abort();
      if (moved.signal.aborted) return;
      ending.querySelector('.lesson-then')?.scrollIntoView({ block: 'nearest' });
      requestAnimationFrame(look);
    };
    look();
  }

  const hintOf = () => /** @type {HTMLDetailsElement|null} */ (column.querySelector('.lesson-hint'));

  return { update };
}
