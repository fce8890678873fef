// @ts-check
// Computations for lessons, pins and the step in numbers. They need no document, so they are tested in node.
import { fixedNumber, formatNumber } from '../shell/words.js';

/** @typedef {import('../shell/types.js').Model} Model */
/** @typedef {import('../shell/types.js').Predict} Predict */
/** @typedef {import('../shell/types.js').LessonEntry} LessonEntry */
/** @typedef {import('../shell/types.js').PinsTable} PinsTable */

/**
 * The outcome of a prediction. Its lines consist of texts and pieces of HTML, because answers may or may not be sentences.
 * @param {Predict} predict
 * @param {number|undefined} answer  undefined if none was given
 * @returns {{verdict: 'right'|'wrong'|'none', lines: (string|{html: string})[][], reason: string}}  reason is HTML, "" for none
 */
export function outcome({ answers, right, reasons }, answer) {
  const truth = right.flatMap((index, i) => [...(i > 0 ? [' or '] : []), { html: answers[index] }]);
  if (answer === undefined) return { verdict: 'none', lines: [['It is: ', ...truth]], reason: '' };
  const said = { html: answers[answer] };
  const reason = reasons[answer] ?? '';
  if (right.includes(answer)) return { verdict: 'right', lines: [['You were right: ', said]], reason };
  return { verdict: 'wrong', lines: [['You said: ', said], ['It is: ', ...truth]], reason };
}

/**
 * The stage of a step: first the prediction, then the goal, then the conclusion. The visitor may reach the goal first.
 * @param {{predict: Predict|null, goal: object|null}} step
 * @param {{answered: boolean, reached: boolean}} done  answered or skipped
 * @returns {'predict'|'act'|'seen'}
 */
export function stage({ predict, goal }, { answered, reached }) {
  if (goal && reached) return 'seen';
  if (predict && !answered) return 'predict';
  return goal ? 'act' : 'seen';
}

/**
 * The next lesson in the path; undefined after the last one.
 * @param {LessonEntry[]} lessons
 * @param {string} name
 */
export function lessonAfter(lessons, name) {
  const at = lessons.findIndex((lesson) => lesson.name === name);
  return at < 0 ? undefined : lessons[at + 1];
}

/**
 * What a visitor has done in a lesson. Steps are keys from 1, answers indices in the order of the lesson's file.
 * @typedef {object} LessonProgress
 * @property {number[]} reached  the steps done without help
 * @property {number[]} seen  the steps whose goals Show me has reached
 * @property {Record<string, number>} predictions  the current answers
 * @property {Record<string, number>} first  the first answers
 * @property {Record<string, number>} tries  the number of runs that ended before the goal was reached
 * @property {Record<string, (number|null)[]>} numbers  the numbers that a step's words quote
 * @property {Record<string, import('../shell/types.js').Attempts>} attempts  the state from which a reloaded page continues
 * @property {number} at  the last open step, from 1; 0 if the visitor has opened no step
 *
 * @typedef {Record<string, LessonProgress>} Progress
 */

/** The storage keys of the progress, and of the number that decides the order of answers. */
export const STORED = 'lessons';
export const VISITOR = 'visitor';

const isObject = (/** @type {unknown} */ v) => typeof v === 'object' && v !== null && !Array.isArray(v);
const isWhole = (/** @type {unknown} */ v) => Number.isInteger(v) && Number(v) >= 0;

/**
 * The entries of a stored object whose values have a type.
 * @param {any} of
 * @param {(value: unknown) => boolean} kind
 */
const entriesOf = (of, kind) => Object.fromEntries(Object.entries(isObject(of) ? of : {}).filter(([, value]) => kind(value)));

/** @returns {LessonProgress} */
const nothingYet = () => ({ reached: [], seen: [], predictions: {}, first: {}, tries: {}, numbers: {}, attempts: {}, at: 0 });

/**
 * The stored progress, without invalid parts.
 * @param {string|null} text
 * @returns {Progress}
 */
export function readProgress(text) {
  let stored;
  try {
    stored = JSON.parse(text ?? '{}');
  } catch {
    return {}; // not written by this page: the visitor begins anew
  }
  const whole = (/** @type {any} */ list) => (Array.isArray(list) ? list.filter(isWhole) : []);
  return Object.fromEntries(Object.entries(isObject(stored) ? stored : {}).flatMap(([name, of]) => (isObject(of) ? [[name, {
    reached: whole(of.reached), seen: whole(of.seen), predictions: entriesOf(of.predictions, isWhole), first: entriesOf(of.first, isWhole),
    tries: entriesOf(of.tries, isWhole), numbers: entriesOf(of.numbers, Array.isArray), attempts: entriesOf(of.attempts, isObject),
    at: isWhole(of.at) ? of.at : 0,
  }]] : [])));
}

/**
 * What the visitor has done in lessons. It is stored in the browser if possible, otherwise kept until the page is left.
 * @param {() => Pick<Storage, 'getItem'|'setItem'>} storage  throws if there is none
 */
export function createProgress(storage) {
  /** @type {Progress} */
  let all = {};
  let kept = true; // whether the progress is stored; other tabs may have added to it
  /** @type {Set<string>} the questions that were skipped, until the page is left */
  const skipped = new Set();
  read();

  function read() {
    try {
      if (kept) all = readProgress(storage().getItem(STORED));
    } catch {
      kept = false; // a sandboxed embedding has no storage
    }
  }

  /** @param {string} name */
  const of = (name) => (Object.hasOwn(all, name) ? all[name] : (all[name] = nothingYet()));

  function store() {
    try {
      storage().setItem(STORED, JSON.stringify(all));
    } catch {
      kept = false; // storage refused or full: the progress lasts until the page is left
    }
  }

  /**
   * Changes the stored value, which another tab may have written.
   * @param {string} name
   * @param {(progress: LessonProgress) => void} change
   */
  function change(name, change) {
    read();
    change(of(name));
    store();
  }

  /** @param {number[]} list @param {number} step */
  const add = (list, step) => { if (!list.includes(step)) list.push(step); };

  return {
    /** @param {string} name @returns {Readonly<LessonProgress>} everything about a lesson */
    of: (name) => of(name),
    /** @param {string} name @returns {ReadonlySet<number>} the steps reached without help */
    reached: (name) => new Set(of(name).reached),
    /** @param {string} name @returns {ReadonlySet<number>} the steps whose goals were shown */
    seen: (name) => new Set(of(name).seen),
    /** @param {string} name @param {number} step  that is open now */
    open(name, step) {
      if (of(name).at !== step) change(name, (own) => { own.at = step; });
    },
    /** @param {string} name @param {number} step  reached without help */
    reach(name, step) {
      if (!of(name).reached.includes(step)) change(name, (own) => add(own.reached, step));
    },
    /** @param {string} name @param {number} step  reached by Show me */
    see(name, step) {
      if (!of(name).seen.includes(step)) change(name, (own) => add(own.seen, step));
    },
    /**
     * @param {string} name @param {number} step
     * @param {number} answers  their number
     * @returns {number|undefined} the chosen answer
     */
    prediction(name, step, answers) {
      const answer = of(name).predictions[step];
      return answer < answers ? answer : undefined;
    },
    /** @param {string} name @param {number} step @param {number|undefined} answer  undefined removes it */
    predict(name, step, answer) {
      change(name, (own) => {
        if (answer === undefined) delete own.predictions[step];
        else {
          own.predictions[step] = answer;
          own.first[step] ??= answer;
        }
      });
    },
    /** @param {string} name @param {number} step @param {boolean} on */
    skip(name, step, on) {
      if (on) skipped.add(`${name}:${step}`);
      else skipped.delete(`${name}:${step}`);
    },
    /** @param {string} name @param {number} step */
    skipped: (name, step) => skipped.has(`${name}:${step}`),
    /**
     * Whether a step's question is open: parts that answer it are then hidden.
     * @param {string} name @param {number} step @param {{predict: Predict|null}} of
     */
    asks(name, step, { predict }) {
      return predict !== null && !skipped.has(`${name}:${step}`) && this.prediction(name, step, predict.answers.length) === undefined;
    },
    /**
     * Stores what was done in a step.
     * @param {string} name @param {number} step
     * @param {import('../shell/types.js').Attempts} attempts
     */
    attempt(name, step, attempts) {
      if (JSON.stringify(of(name).attempts[step]) === JSON.stringify(attempts)) return;
      change(name, (own) => {
        own.attempts[step] = attempts;
        own.tries[step] = attempts.runs;
        if (attempts.reached) own.numbers[step] = attempts.numbers ?? [];
      });
    },
  };
}

/**
 * Whether the visitor has done all steps of a lesson without Show me.
 * @param {Readonly<LessonProgress>} of
 * @param {number} steps
 */
export const isDone = ({ reached }, steps) => new Set(reached).size >= steps;

/**
 * Whether the visitor has done anything in a lesson.
 * @param {Readonly<LessonProgress>} of
 */
export const isBegun = ({ reached, seen, predictions }) => reached.length + seen.length + Object.keys(predictions).length > 0;

/**
 * The indices below n in a random order.
 * @param {number} n
 * @param {() => number} random
 */
export function shuffled(n, random) {
  const order = Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/**
 * One question about each lesson, with the lessons in random order. It is not the last question again if there is another.
 * @param {Record<string, import('../shell/types.js').Question[]>} questions  by lesson
 * @param {Map<string, import('../shell/types.js').Question>} last
 * @param {() => number} random
 * @returns {Map<string, import('../shell/types.js').Question>}
 */
export function askAbout(questions, last, random) {
  const names = Object.keys(questions).filter((name) => questions[name]?.length > 0);
  return new Map(shuffled(names.length, random).map((i) => {
    const all = questions[names[i]];
    const others = all.filter((question) => all.length === 1 || question !== last.get(names[i]));
    return [names[i], others[Math.floor(random() * others.length)]];
  }));
}

/**
 * The number of a visitor, drawn once, that decides the order of answers.
 * @param {() => Pick<Storage, 'getItem'|'setItem'>} storage  throws if there is none: then every page draws its own number
 * @param {() => number} [random]
 */
export function visitorNumber(storage, random = Math.random) {
  const drawn = Math.floor(random() * 2 ** 32);
  try {
    const text = storage().getItem(VISITOR);
    if (text !== null && isWhole(Number(text))) return Number(text);
    storage().setItem(VISITOR, String(drawn));
  } catch {
    // It lasts until the page is left.
  }
  return drawn;
}

/**
 * An order of the indices below n, always the same for a visitor and a question.
 * @param {number} n
 * @param {number} visitor
 * @param {string} question
 */
export function drawnOrder(n, visitor, question) {
  let state = visitor >>> 0;
  const next = () => { // one round of a small mixing function, which is good enough here
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  for (const sign of question) state = (Math.imul(state, 31) + /** @type {number} */ (sign.codePointAt(0))) >>> 0;
  const order = Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = next() % (i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/** The parameters that handles in the picture move. */
const BY_HANDLES = ['gradients', 'gradients3', 'reference', 'start'];

/**
 * Whether a step requires moving something in the picture. Keyboard users then need instructions.
 * @param {Pick<import('../shell/types.js').LessonStep, 'goal'|'hint'|'keys'>} step
 */
export const movesHandles = ({ goal, hint, keys }) => goal !== null
  && (keys.some((key) => BY_HANDLES.includes(key)) || /\bdrag(?! no\b)/i.test(`${goal.text} ${hint}`));

/** How a comparison is written. */
const ASKS = new Map([['==', ''], ['<', '< '], ['<=', '≤ '], ['>', '> '], ['>=', '≥ ']]);

/**
 * How far the visitor is from a part of a goal, in words; "" if the part compares no numbers.
 * @param {import('../shell/types.js').PartState|undefined} part
 */
export function howFar(part) {
  if (!part?.measure) return '';
  const { now, op, asked } = part.measure;
  return `${now === null ? 'none yet' : formatNumber(now)}, required: ${ASKS.get(op) ?? ''}${asked === null ? '–' : formatNumber(asked)}`;
}

/**
 * A number that words quote.
 * @param {number|null|undefined} value
 * @param {string} decimals  their number, "" for three significant digits
 */
export function quotedNumber(value, decimals) {
  if (value === null || value === undefined) return '–';
  return decimals === '' ? formatNumber(value, 3) : fixedNumber(value, Number(decimals));
}

/**
 * A difference with its sign.
 * @param {number} value
 */
export const signed = (value) => (value > 0 ? `+${formatNumber(value)}` : formatNumber(value));

const ROUNDING = 1e-14; // of the larger of two numbers

/**
 * The difference of two numbers; 0 if it is only rounding.
 * @param {number} before
 * @param {number} now
 */
const apart = (before, now) => (Math.abs(now - before) <= ROUNDING * Math.max(Math.abs(before), Math.abs(now)) ? 0 : now - before);

/**
 * The cells of the table of pins: parameters first, then facts. With a single pin they include the difference from it, "" if there are no
 * numbers to subtract.
 * @param {PinsTable} table
 * @returns {{kind: 'parameter'|'fact', label: string, unit: string, cells: string[], difference: string|undefined}[]}
 */
export function pinRows({ pins, params, facts }) {
  const compared = pins.length === 1;
  const change = (/** @type {(number|null)[]} */ [before, now]) => (before === null || now === null ? '' : signed(apart(before, now)));
  return [
    ...params.map(({ label, values }) => ({ kind: /** @type {const} */ ('parameter'), label, unit: '', cells: values,
      difference: compared ? '' : undefined })),
    ...facts.map(({ label, unit, values }) => ({
      kind: /** @type {const} */ ('fact'), label, unit,
      cells: values.map((v) => (v === null ? '–' : formatNumber(v))), difference: compared ? change(values) : undefined,
    })),
  ];
}

/**
 * Names the run and the step to which the numbers belong.
 * @param {Model} model
 */
export function stepWords({ scene, state, equation }) {
  const run = state.runs.find(({ name }) => name === state.selected);
  const what = equation?.label ?? run?.label ?? scene?.methods.find(({ id }) => id === equation?.method)?.title;
  if (!what) return '';
  if (!equation?.k) return `of ${what}`;
  return `of ${what}, step ${equation.k - 1} → ${equation.k}${equation.ahead ? ', the next one' : ''}`;
}

/**
 * Why a step has no numbers, in a sentence.
 * @param {Model} model
 */
export function noStep({ scene, state, live, equation }) {
  if (!live) return 'The numbers appear with the picture.';
  if (!scene?.equations?.length) return 'This scene has no formula for its steps.';
  const run = state.runs.find(({ name }) => name === state.selected);
  if (!run) return scene.runs === false ? 'There are no numbers to show now.' : 'Choose a run to see its step.';
  const title = scene.methods.find(({ id }) => id === run.method)?.title ?? run.label;
  if (!scene.equations.some(({ methods }) => !methods ||
    methods.includes(run.method))) return `There is no formula for a step of ${title}.`;
  if (state.iteration === 0) return 'No step has been taken yet. Press Play or Step.';
  return equation === undefined ? 'Loading the numbers of this step …' : 'The numbers of this step are unknown.';
}
