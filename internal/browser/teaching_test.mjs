// Tests the computations of lessons, pins and the step in numbers: node --test internal/browser/teaching_test.mjs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLessons } from '../../assets/lesson/lesson-load.js';
import {
  createProgress, drawnOrder, howFar, lessonAfter, movesHandles, noStep, outcome, pinRows, quotedNumber, readProgress, signed, stage,
  stepWords, visitorNumber,
} from '../../assets/lesson/teaching.js';

const predict = { question: 'Where?', answers: ['left', '<em>right</em>', 'up'], reasons: ['It bends.', '', ''], right: [1] };
const words = ({ lines }) => lines.map((parts) => parts.map((part) => (typeof part === 'string' ? part : part.html)).join(''));

test('a prediction is shown with its outcome', () => {
  assert.deepEqual(words(outcome(predict, 0)), ['You said: left', 'It is: <em>right</em>']);
  assert.deepEqual(words(outcome(predict, 1)), ['You were right: <em>right</em>']);
  assert.deepEqual(words(outcome(predict, undefined)), ['It is: <em>right</em>']);
  assert.deepEqual([0, 1, undefined].map((answer) => outcome(predict, answer).verdict), ['wrong', 'right', 'none']);
  assert.deepEqual([0, 1, undefined].map((answer) => outcome(predict, answer).reason), ['It bends.', '', '']);
  const two = { ...predict, right: [0, 2] };
  assert.deepEqual(words(outcome(two, 1)), ['You said: <em>right</em>', 'It is: left or up']);
  assert.equal(outcome(two, 2).verdict, 'right');
});

test('the prediction comes before the goal, and nothing is locked', () => {
  const goal = { text: '', condition: {} };
  assert.equal(stage({ predict, goal }, { answered: false, reached: false }), 'predict');
  assert.equal(stage({ predict, goal }, { answered: true, reached: false }), 'act');
  assert.equal(stage({ predict, goal }, { answered: false, reached: true }), 'seen');
  assert.equal(stage({ predict: null, goal }, { answered: false, reached: false }), 'act');
  assert.equal(stage({ predict, goal: null }, { answered: false, reached: false }), 'predict');
  assert.equal(stage({ predict, goal: null }, { answered: true, reached: false }), 'seen');
  assert.equal(stage({ predict: null, goal: null }, { answered: false, reached: false }), 'seen');
});

test('a step that asks visitors to move something says how to do it by keys', () => {
  const goal = { text: '<p>Drag the point.</p>', condition: {}, parts: [] };
  assert.ok(movesHandles({ goal, hint: '', keys: [] }));
  assert.ok(movesHandles({ goal: { ...goal, text: 'Turn it.' }, hint: '', keys: ['gradients'] }));
  assert.ok(movesHandles({ goal: { ...goal, text: 'Get four.' }, hint: 'Play first. Then drag stops.', keys: [] }));
  assert.ok(!movesHandles({ goal: { ...goal, text: 'Play. Drag no sign.' }, hint: '', keys: ['b'] }));
  assert.ok(!movesHandles({ goal: null, hint: '', keys: ['gradients'] }));
});

test('the path continues after a lesson', () => {
  const path = ['one', 'two'].map((name) => ({ name }));
  assert.equal(lessonAfter(path, 'one')?.name, 'two');
  assert.equal(lessonAfter(path, 'two'), undefined);
  assert.equal(lessonAfter(path, 'none'), undefined);
});

/** A storage that keeps its items. */
function storage(text = null) {
  const held = new Map(text === null ? [] : [['lessons', text]]);
  return { getItem: (key) => held.get(key) ?? null, setItem: (key, value) => held.set(key, value) };
}

test('progress survives the page', () => {
  const held = storage();
  const before = createProgress(() => held);
  before.reach('angle', 2);
  before.reach('angle', 2);
  before.predict('angle', 1, 0);
  before.predict('angle', 2, 1);
  before.predict('angle', 2, undefined);
  const after = createProgress(() => held);
  assert.deepEqual([...after.reached('angle')], [2]);
  assert.equal(after.prediction('angle', 1, 3), 0);
  assert.equal(after.prediction('angle', 2, 3), undefined);
  assert.deepEqual([...after.reached('constructor')], []);
});

test('two tabs keep each other’s changes', () => {
  const held = storage();
  const [one, other] = [createProgress(() => held), createProgress(() => held)];
  one.reach('angle', 1);
  other.reach('angle', 2);
  other.predict('noise', 1, 0);
  one.predict('noise', 2, 1);
  const later = createProgress(() => held);
  assert.deepEqual([...later.reached('angle')], [1, 2]);
  assert.deepEqual([1, 2].map((step) => later.prediction('noise', step, 3)), [0, 1]);
});

test('values that a full storage refuses last as long as the page', () => {
  const progress = createProgress(() => ({ getItem: () => null, setItem: () => { throw new Error('full'); } }));
  progress.reach('angle', 1);
  progress.predict('angle', 2, 0);
  assert.deepEqual([...progress.reached('angle')], [1]);
  assert.equal(progress.prediction('angle', 2, 3), 0);
});

test('an answer that a changed lesson lacks does not count', () => {
  const progress = createProgress(() => storage('{"angle":{"reached":[],"predictions":{"1":3}}}'));
  assert.equal(progress.prediction('angle', 1, 3), undefined);
  assert.equal(progress.prediction('angle', 1, 4), 3);
});

test('without storage, progress lasts as long as the page', () => {
  const progress = createProgress(() => { throw new Error('refused'); });
  progress.reach('angle', 1);
  progress.predict('angle', 1, 2);
  assert.ok(progress.reached('angle').has(1));
  assert.equal(progress.prediction('angle', 1, 3), 2);
});

test('values that others stored under the name do not count as progress', () => {
  for (const text of [null, '', '{', '7', 'null', '[]', '{"angle":3,"b":null}']) assert.deepEqual(readProgress(text), {}, String(text));
  assert.deepEqual(readProgress('{"a":{"reached":[1,"2",-1,1.5],"predictions":{"1":0,"2":"x"}}}'),
    { a: { ...nothing, reached: [1], predictions: { 1: 0 } } });
  assert.deepEqual(readProgress('{"a":{}}'), { a: nothing });
  assert.deepEqual(readProgress('{"a":{"seen":[2],"first":{"1":2},"tries":{"1":-1},' +
    '"numbers":{"1":[3,null],"2":4},"attempts":{"1":[]},"at":2}}'),
    { a: { ...nothing, seen: [2], first: { 1: 2 }, numbers: { 1: [3, null] }, at: 2 } });
});

const nothing = { reached: [], seen: [], predictions: {}, first: {}, tries: {}, numbers: {}, attempts: {}, at: 0 };

test('the first answer stays, regardless of later ones', () => {
  const progress = createProgress(() => held);
  const held = storage();
  progress.predict('angle', 1, 2);
  progress.predict('angle', 1, undefined);
  progress.predict('angle', 1, 0);
  assert.equal(createProgress(() => held).of('angle').first[1], 2);
  assert.equal(progress.prediction('angle', 1, 3), 0);
});

test('a shown goal counts as seen, not as done', () => {
  const progress = createProgress(() => storage());
  progress.see('angle', 1);
  assert.deepEqual([[...progress.reached('angle')], [...progress.seen('angle')]], [[], [1]]);
});

test('attempts survive the page, with their numbers when the goal is reached', () => {
  const held = storage();
  const progress = createProgress(() => held);
  progress.attempt('angle', 1, { tried: { R: ['3'] }, runs: 2 });
  assert.deepEqual(createProgress(() => held).of('angle').attempts[1], { tried: { R: ['3'] }, runs: 2 });
  progress.attempt('angle', 1, { runs: 3, reached: true, numbers: [0.5, null] });
  const after = createProgress(() => held).of('angle');
  assert.deepEqual([after.tries[1], after.numbers[1]], [3, [0.5, null]]);
});

test('a question is open until it is answered or skipped', () => {
  const progress = createProgress(() => storage());
  const step = { predict };
  assert.equal(progress.asks('angle', 1, step), true);
  progress.skip('angle', 1, true);
  assert.equal(progress.asks('angle', 1, step), false);
  progress.skip('angle', 1, false);
  progress.predict('angle', 1, 0);
  assert.equal(progress.asks('angle', 1, step), false);
  assert.equal(progress.asks('angle', 2, { predict: null }), false);
});

test('each visitor has an order of answers, and all orders are equally frequent', () => {
  const counts = new Map();
  for (let visitor = 0; visitor < 6000; visitor++) {
    const order = drawnOrder(3, visitor, 'angle:1');
    assert.deepEqual([...order].sort(), [0, 1, 2]);
    counts.set(order.join(), (counts.get(order.join()) ?? 0) + 1);
  }
  assert.equal(counts.size, 6);
  for (const [order, n] of counts) assert.ok(n > 850 && n < 1150, `${order}: ${n}`);
  assert.deepEqual(drawnOrder(4, 7, 'angle:2'), drawnOrder(4, 7, 'angle:2'));
  const questions = new Set(Array.from({ length: 40 }, (_, i) => drawnOrder(4, 7, `angle:${i}`).join()));
  assert.ok(questions.size > 12, `${questions.size} orders in 40 questions`);
});

test('a visitor keeps one number', () => {
  const held = new Map();
  const kept = { getItem: (key) => held.get(key) ?? null, setItem: (key, value) => held.set(key, value) };
  const drawn = visitorNumber(() => kept, () => 0.5);
  assert.equal(drawn, 2 ** 31);
  assert.equal(visitorNumber(() => kept, () => 0.1), drawn);
  assert.equal(visitorNumber(() => { throw new Error('none'); }, () => 0.25), 2 ** 30);
});

test('not yet says how far', () => {
  assert.equal(howFar({ holds: false, measure: { now: 3, op: '>=', asked: 5 } }), '3, required: ≥ 5');
  assert.equal(howFar({ holds: false, measure: { now: null, op: '>', asked: 2 } }), 'none yet, required: > 2');
  assert.equal(howFar({ holds: true, measure: { now: 10, op: '==', asked: 10 } }), '10, required: 10');
  assert.equal(howFar({ holds: false, measure: null }), '');
  assert.equal(howFar(undefined), '');
});

test('a number of the visitor', () => {
  assert.deepEqual([[0.061834, ''], [1234.5, ''], [0.5, '2'], [-0.001, '2'], [-1.5, '1'], [null, ''], [undefined, '2'], [12, '0']]
    .map(([value, decimals]) => quotedNumber(value, decimals)), ['0.0618', '1230', '0.50', '0.00', '−1.5', '–', '–', '12']);
});

const pin = { hash: '', title: '', busy: false };

test('with one pin, the table shows the difference', () => {
  const rows = pinRows({
    pins: [{ ...pin, letter: 'A' }],
    params: [{ name: 'R', label: 'R', values: ['1', '4'] }],
    facts: [{ name: 'bp', label: 'Gradients', unit: '', values: [4000, 2500] }, { name: 'age', label: 'Age', unit: 'η', values: [null, 2] },
      { name: 'same', label: '', unit: '', values: [3, 3] },
      { name: 'sum', label: '', unit: '', values: [0.3, 0.1 + 0.2] }],
  });
  assert.deepEqual(rows.map(({ kind, cells, difference }) => [kind, cells, difference]), [
    ['parameter', ['1', '4'], ''], ['fact', ['4000', '2500'], '−1500'], ['fact', ['–', '2'], ''], ['fact', ['3', '3'], '0'],
    ['fact', ['0.3', '0.3'], '0'],
  ]);
});

test('with several pins, the table shows no difference', () => {
  const rows = pinRows({ pins: [{ ...pin, letter: 'A' }, { ...pin, letter: 'B' }], params: [],
    facts: [{ name: 'a', label: '', unit: '', values: [1, 2, 3] }] });
  assert.equal(rows[0].difference, undefined);
});

test('a difference has its sign', () => assert.deepEqual([0.5, -0.5, 0].map(signed), ['+0.5', '−0.5', '0']));

const scene = { id: 's', methods: [{ id: 'psmgd', title: 'PSMGD' }, { id: 'ls', title: 'LS' }],
  equations: [{ id: 'step', methods: ['psmgd'] }] };
const runs = [{ name: 'psmgd-1', method: 'psmgd', label: 'PSMGD, start 1' }, { name: 'ls-1', method: 'ls', label: 'LS, start 1' }];
const state = { selected: 'psmgd-1', runs, iteration: 5 };

test('the step in numbers says which step it is', () => {
  assert.equal(stepWords({ state, equation: { id: 'step', numbers: {}, k: 5 } }), 'of PSMGD, start 1, step 4 → 5');
  assert.equal(stepWords({ state, equation: { id: 'step', numbers: {}, k: 1, ahead: true } }),
    'of PSMGD, start 1, step 0 → 1, the next one');
  assert.equal(stepWords({ state, equation: { id: 'step', numbers: {}, label: 'MosT, start 3', k: 2 } }), 'of MosT, start 3, step 1 → 2');
  assert.equal(stepWords({ state, equation: null }), 'of PSMGD, start 1');
  assert.equal(stepWords({ state: { ...state, selected: '' }, equation: null }), '');
  assert.equal(stepWords({ scene, state: { ...state, selected: '', runs: [] }, equation: { id: 'step', method: 'psmgd', numbers: {} } }),
    'of PSMGD');
});

test('if numbers are missing, it says why', () => {
  const model = { scene, state, live: true };
  assert.match(noStep({ ...model, live: false }), /appear with the picture/);
  assert.match(noStep({ ...model, scene: { ...scene, equations: [] } }), /no formula for its steps/);
  assert.match(noStep({ ...model, state: { ...state, selected: '' } }), /Choose a run/);
  assert.match(noStep({ ...model, state: { ...state, selected: 'ls-1' } }), /no formula for a step of LS/);
  assert.match(noStep({ ...model, state: { ...state, iteration: 0 } }), /No step has been taken yet/);
  assert.match(noStep(model), /Loading the numbers/);
  assert.match(noStep({ ...model, equation: null }), /unknown/);
});

test('a lesson is fetched once, and only if the path has it', async () => {
  const asked = [];
  const lessons = createLessons(async (address) => {
    asked.push(address);
    return { ok: true, json: async () => (address === 'lessons.json' ? [{ name: '01-angle' }] : { name: '01-angle' }) };
  });
  assert.equal((await lessons.definition('01-angle')).name, '01-angle');
  await lessons.definition('01-angle');
  assert.deepEqual(asked, ['lessons.json', 'lessons/01-angle.json']);
  await assert.rejects(lessons.definition('../x'), /There is no lesson “..\/x”/);
});

test('a failed fetch is repeated', async () => {
  let answers = 0;
  const lessons = createLessons(async () => (++answers === 1 ? { ok: false, status: 503 } : { ok: true, json: async () => [] }));
  await assert.rejects(lessons.list(), /503/);
  assert.deepEqual(await lessons.list(), []);
});
