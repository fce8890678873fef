// @ts-check
// What lessons, pins and the step in numbers compute, without a document: tested in node.
import { formatNumber } from './words.js';

/** @typedef {import('./types.js').Model} Model */
/** @typedef {import('./types.js').Predict} Predict */
/** @typedef {import('./types.js').LessonEntry} LessonEntry */
/** @typedef {import('./types.js').PinsTable} PinsTable */

/**
 * What became of a prediction, in lines of texts and pieces of HTML in turn: answers may be
 * sentences or not.
 * @param {Predict} predict
 * @param {number|undefined} answer  undefined where none was given
 * @returns {{verdict: 'right'|'wrong'|'none', lines: (string|{html: string})[][]}}
 */
export function outcome({ answers, right }, answer) {
  const truth = right.flatMap((index, i) => [...(i > 0 ? [' or '] : []), { html: answers[index] }]);
  if (answer === undefined) return { verdict: 'none', lines: [['It is: ', ...truth]] };
  const said = { html: answers[answer] };
  if (right.includes(answer)) return { verdict: 'right', lines: [['You said, and so it is: ', said]] };
  return { verdict: 'wrong', lines: [['You said: ', said], ['It is: ', ...truth]] };
}

/**
 * How far a step has come: first the prediction, then what is to be done, then what to
 * see in it. Nothing keeps a visitor from doing it first.
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
 * The lesson after one in the path, undefined after the last.
 * @param {LessonEntry[]} lessons
 * @param {string} name
 */
export function lessonAfter(lessons, name) {
  const at = lessons.findIndex((lesson) => lesson.name === name);
  return at < 0 ? undefined : lessons[at + 1];
}

/** @typedef {Record<string, {reached: number[], predictions: Record<string, number>}>} Progress */

const STORED = 'lessons';

/**
 * What was stored of the progress, without what is none.
 * @param {string|null} text
 * @returns {Progress}
 */
export function readProgress(text) {
  let stored;
  try {
    stored = JSON.parse(text ?? '{}');
  } catch {
    return {}; // written by something else: the visitor begins anew
  }
  if (typeof stored !== 'object' || stored === null) return {};
  const whole = (/** @type {unknown} */ v) => Number.isInteger(v) && Number(v) >= 0;
  return Object.fromEntries(Object.entries(stored).flatMap(([name, of]) => (typeof of !== 'object' || of === null ? [] : [[name, {
    reached: Array.isArray(of.reached) ? of.reached.filter(whole) : [],
    predictions: Object.fromEntries(Object.entries(of.predictions ?? {}).filter(([, answer]) => whole(answer))),
  }]])));
}

/**
 * What the visitor has done in lessons: remembered in the browser where that may be, for
 * as long as the page is there where not.
 * @param {() => Pick<Storage, 'getItem'|'setItem'>} storage  throws where there is none
 */
export function createProgress(storage) {
  /** @type {Progress} */
  let all = {};
  let kept = true; // what was done is stored: other tabs may have added to it
  read();

  function read() {
    try {
      if (kept) all = readProgress(storage().getItem(STORED));
    } catch {
      kept = false; // a sandboxed embedding has no storage
    }
  }

  /** @param {string} name */
  const of = (name) => (Object.hasOwn(all, name) ? all[name] : (all[name] = { reached: [], predictions: {} }));

  function store() {
    try {
      storage().setItem(STORED, JSON.stringify(all));
    } catch {
      kept = false; // refused or full: it holds until the page is left
    }
  }

  return {
    /** @param {string} name @returns {ReadonlySet<number>} the steps that were reached */
    reached: (name) => new Set(of(name).reached),
    /** @param {string} name @param {number} step */
    reach(name, step) {
      if (of(name).reached.includes(step)) return;
      read();
      if (!of(name).reached.includes(step)) of(name).reached.push(step);
      store();
    },
    /**
     * @param {string} name @param {number} step
     * @param {number} answers  how many there are
     * @returns {number|undefined} which was chosen
     */
    prediction(name, step, answers) {
      const answer = of(name).predictions[step];
      return answer < answers ? answer : undefined;
    },
    /** @param {string} name @param {number} step @param {number|undefined} answer  undefined takes it back */
    predict(name, step, answer) {
      read();
      if (answer === undefined) delete of(name).predictions[step];
      else of(name).predictions[step] = answer;
      store();
    },
  };
}

/**
 * A difference with its sign.
 * @param {number} value
 */
export const signed = (value) => (value > 0 ? `+${formatNumber(value)}` : formatNumber(value));

const ROUNDING = 1e-14; // of the larger of two numbers

/**
 * How far two numbers are apart; 0 where that is mere rounding.
 * @param {number} before
 * @param {number} now
 */
const apart = (before, now) => (Math.abs(now - before) <= ROUNDING * Math.max(Math.abs(before), Math.abs(now)) ? 0 : now - before);

/**
 * The cells of the table of pins: parameters first, then facts. With a single pin they
 * include the difference to it, "" if there are no numbers to subtract.
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
 * Says to which step of which run the numbers belong.
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
 * Why there are no numbers of a step, in a sentence.
 * @param {Model} model
 */
export function noStep({ scene, state, live, equation }) {
  if (!live) return 'The numbers come with the picture.';
  if (!scene?.equations?.length) return 'This scene has no formula for its steps.';
  const run = state.runs.find(({ name }) => name === state.selected);
  if (!run) return scene.runs === false ? 'There are no numbers to show now.' : 'Choose a run: its step is shown here.';
  const title = scene.methods.find(({ id }) => id === run.method)?.title ?? run.label;
  if (!scene.equations.some(({ methods }) => !methods ||
    methods.includes(run.method))) return `There is no formula for a step of ${title}.`;
  if (state.iteration === 0) return 'No step has been made yet. Press Play or Step.';
  return equation === undefined ? 'The numbers of this step are being read.' : 'The numbers of this step are not known.';
}
