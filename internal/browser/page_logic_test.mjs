// Tests the page's logic without a document: node --test internal/browser/page_logic_test.mjs
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { test } from 'node:test';
import { faultParts, namedNumbers, rangeFor, refusal, signsOf, withNamed, writtenValue } from '../../assets/controls/formula-text.js';
import { TAKEN, arrival, dataOf, isVisitors, linkName, opened, readHash, stateFromHash, withSharp } from '../../assets/shell/hash.js';
import { embedding } from '../../assets/shell/dialogs.js';
import { keepsKey, keyIntention, movesRuns, timeIntention } from '../../assets/shell/keys.js';
import { inTurn, limited, readoutInterval, throttled } from '../../assets/shell/pacing.js';
import { effectText, grouped, isOfUse, matches, rangeText, takesPart } from '../../assets/controls/parameters.js';
import { namedArguments, show } from '../../assets/shell/playground.js';
import {
  SLIDER_STEPS, fromSlider, isWhole, readRows, sharesOf, textOf, toSlider, valueOf, withNumber, withShare,
} from '../../assets/controls/values.js';
import { axisEnd, counted, exactText, fixedNumber, formatNumber, placeText,
  hiddenSides, parted, shapeOf, statusText, timeMarks, withSubscripts } from '../../assets/shell/words.js';

const eta = { name: 'eta', symbol: 'η', label: 'Step size', type: 'number', min: 0.001, max: 10, step: 0, scale: 'log', default: 0.3,
  unit: '', help: '', live: true, effect: 'live' };
const period = { ...eta, name: 'R', symbol: 'R', type: 'integer', min: 1, max: 64, default: 4, method: 'psmgd' };
const starts = { ...eta, name: 'starts', symbol: '', type: 'integer', min: 1, max: 50, scale: 'linear', default: 10, effect: 'restart' };
const methods = { ...eta, name: 'method', type: 'set', options: [{ value: 'psmgd', label: 'PSMGD' }, { value: 'mgda', label: 'MGDA' }],
  atLeast: 1, default: ['psmgd'] };
const scene = { id: 'fonseca', title: '', summary: '', try: '', methods: [], symbols: [], params: [methods, eta, period, starts],
  presets: [], panels: [] };

test('a logarithmic slider spaces ratios evenly and has exact ends', () => {
  assert.equal(toSlider(eta, 0.1), SLIDER_STEPS / 2);
  assert.equal(fromSlider(eta, SLIDER_STEPS / 2), 0.1);
  assert.equal(fromSlider(eta, 0), 0.001);
  assert.equal(fromSlider(eta, SLIDER_STEPS), 10);
  assert.equal(toSlider(eta, 99), SLIDER_STEPS);
});

test('every integer of a logarithmic range is reachable', () => {
  const reached = new Set(Array.from({ length: SLIDER_STEPS + 1 }, (_, i) => fromSlider(period, i)));
  for (let value = period.min; value <= period.max; value++) assert.ok(reached.has(value), `${value}`);
});

test('a value is unchanged after conversion to the slider and back', () => {
  for (let value = 1; value <= 64; value++) assert.equal(fromSlider(period, toSlider(period, value)), value);
  assert.equal(fromSlider(starts, toSlider(starts, 17)), 17);
});

test('a scale that cannot be logarithmic is linear', () => {
  assert.equal(toSlider({ ...eta, min: 0 }, 3), 3);
});

test('numbers for people', () => {
  const cases = JSON.parse(readFileSync(new URL('../numeral/testdata/cases.json', import.meta.url), 'utf8'));
  for (const { value, digits, text } of cases.significant) assert.equal(formatNumber(value ?? NaN, digits), text);
  for (const { value, digits, text } of cases.decimals) assert.equal(fixedNumber(value ?? NaN, digits), text);
});

test('messages that differ only in numbers have the same shape', () => {
  assert.equal(shapeOf('Back at the latest iteration, 20, where'), shapeOf('Back at the latest iteration, 7, where'));
  assert.equal(shapeOf('eta = -1e-3 is outside'), shapeOf('eta = 77.5 is outside'));
  assert.notEqual(shapeOf('eta = 1'), shapeOf('R = 1'));
});

test('titles have subscripts', () => {
  assert.equal(withSubscripts('Weight of f_1 over x_12'), 'Weight of f₁ over x₁₂');
  assert.equal(withSubscripts('F_m and Γ_ij, not half_a or x_b'), 'Fₘ and Γᵢⱼ, not half_a or x_b');
});

test('indices of signs in texts', () => {
  assert.deepEqual(parted('the sum of m_k/p, Σ_i max_j Γ_ij, x_12'),
    ['the sum of m', 'k', '/p, Σ', 'i', ' max', 'j', ' Γ', 'ij', ', x', '12', '']);
  assert.deepEqual(parted('a file_name, w_ref and x_'), ['a file_name, w_ref and x_']);
});

test('values and texts of a link', () => {
  assert.equal(textOf([[0.5, -1], []]), '0.5,-1;');
  assert.equal(textOf(['psmgd', 'mgda']), 'psmgd,mgda');
  assert.equal(textOf(null), '');
  assert.equal(valueOf(eta, '99'), 10);
  assert.equal(valueOf(eta, 'NaN'), undefined);
  assert.equal(valueOf(eta, ''), undefined);
  assert.equal(valueOf(period, '3.6'), 4);
  assert.deepEqual(valueOf(methods, 'mgda,nothing'), ['mgda']);
  assert.equal(valueOf(methods, 'nothing'), undefined);
});

test('if a name occurs twice in a hash, the first counts', () => {
  assert.equal(readHash('#v=1&R=2&R=3').get('R'), '2');
  assert.equal(withSharp('v=1'), '#v=1');
  assert.equal(withSharp('#v=1'), '#v=1');
});

test('a link describes the state before a scene runs', () => {
  const state = stateFromHash([scene], '#v=1&scene=fonseca&R=8&eta=x&bad=1');
  assert.equal(state.scene, 'fonseca');
  assert.equal(state.params.R, 8);
  assert.equal(state.params.eta, 0.3);
  assert.ok(!('bad' in state.params));
  assert.equal(stateFromHash([scene], '#scene=nowhere').scene, 'fonseca');
  assert.equal(stateFromHash([], '').scene, '');
});

test('groups keep the order of their first member', () => {
  const groups = grouped([{ ...eta, group: 'B' }, { ...period, group: 'A' }, { ...starts, group: 'B' }]);
  assert.deepEqual(groups.map(({ title, members }) => [title, members.map((d) => d.name)]), [['B', ['eta', 'starts']], ['A', ['R']]]);
});

test('a parameter of a method has no effect without the method', () => {
  assert.ok(takesPart(period, { method: ['psmgd'] }));
  assert.ok(!takesPart(period, { method: ['mgda'] }));
  assert.ok(takesPart(period, { method: 'psmgd' }));
  assert.ok(takesPart(eta, { method: [] }));
  const c = { ...period, name: 'cagrad.c', method: 'cagrad' };
  assert.ok(takesPart(c, { method: ['psmgd'], 'psmgd.weighting': 'cagrad' }));
  assert.ok(!takesPart(c, { method: ['mgda'], 'psmgd.weighting': 'cagrad' }));
});

test('help states the effect of a change and the valid range', () => {
  assert.match(effectText(eta), /next iteration/);
  assert.match(effectText(starts), /Restarts/);
  assert.equal(rangeText({ ...eta, unit: 'rad' }), '0.001 to 10 rad');
  assert.equal(rangeText(methods.options ? { ...methods, min: undefined } : methods), '');
});

test('nearby marks share a tick, and labels do not overlap', () => {
  const log = [{ k: 50, name: 'R', value: 8 }, { k: 10, name: 'eta', value: 0.1 }, { k: 11, name: 'eta', value: 0.2 },
    { k: 14, name: 'R', value: 2 }];
  const marks = timeMarks(log, [eta, period], 100, 1000, 20, 72);
  assert.deepEqual(marks.map(({ k, text, labelled }) => [k, text, labelled]),
    [[10, 'η = 0.2', true], [14, 'R = 2', false], [50, 'R = 8', true]]);
});

test('the sentence beside the counter', () => {
  const state = { ...stateFromHash([scene], ''), iteration: 42, latest: 200, status: 'running' };
  assert.equal(statusText(state, 'iteration'), 'showing iteration 42 of 200; play continues from 200');
  assert.match(statusText({ ...state, status: 'budget' }, 'iteration'), /ended/);
  assert.match(statusText({ ...state, progress: 0.5 }, 'iteration'), /50 %/);
  assert.match(statusText({ ...state, iteration: 200, status: 'diverged' }, 'iteration'), /diverged/);
  assert.equal(statusText({ ...state, iteration: 200, status: 'budget' }, 'iteration'), 'finished after 200 iterations');
  assert.equal(statusText({ ...state, iteration: 200, status: 'above-limit' }, 'iteration'),
    'finished after 200 iterations: limit exceeded');
  assert.equal(statusText({ ...state, iteration: 1, latest: 1, status: 'converged' }, 'pass'), 'finished after 1 pass: converged');
  assert.equal(statusText({ ...state, iteration: 200, finding: 'All came.' }, 'iteration'), 'All came. At rest after 200 iterations.');
  assert.equal(statusText({ ...state, iteration: 200, status: 'budget', finding: 'All came.' }, 'iteration'),
    'All came. Finished after 200 iterations.');
  assert.equal(statusText({ ...state, finding: 'All came.', looping: true }, 'iteration'), 'playing again: All came.');
  assert.equal(statusText({ ...state, playing: true, flows: true, iteration: 42, latest: 42 }, 'iteration'),
    'the runs have stopped after 42 iterations; the dots still move');
  assert.equal(statusText({ ...state, progress: 0.25, target: 90 }, 'round'), 'computing up to round 90, 25 %');
});

test('counts include their unit', () => {
  assert.equal(counted(1, 'round'), '1 round');
  assert.equal(counted(0, 'step'), '0 steps');
  assert.equal(counted(2, 'pass'), '2 passes');
});

test('the time axis ends at the budget or at the end of the runs', () => {
  const state = { latest: 0, budget: 400, status: 'running', target: null };
  assert.equal(axisEnd(state), 400);
  assert.equal(axisEnd({ ...state, latest: 87 }), 400);
  assert.equal(axisEnd({ ...state, latest: 87, status: 'converged' }), 87);
  assert.equal(axisEnd({ ...state, latest: 900 }), 900, 'a budget that was made smaller');
  // A large budget comes into view as it is computed.
  assert.equal(axisEnd({ ...state, budget: 1e5, latest: 70000 }), 100000);
  assert.equal(axisEnd({ ...state, budget: 1e7 }), 100000);
  assert.equal(axisEnd({ ...state, budget: 1e7, latest: 10001 }), 200000);
  assert.equal(axisEnd({ ...state, budget: 1e7, latest: 10001, target: 90000 }), 1000000);
  assert.equal(axisEnd({ ...state, budget: 1e7, latest: 700000 }), 10000000);
});

test('the position on the time axis in words', () => {
  const state = { ...stateFromHash([scene], ''), iteration: 4, latest: 9, budget: 50, status: 'running' };
  assert.equal(placeText(state, 'round'), 'round 4 of 50, 9 computed');
  assert.equal(placeText({ ...state, status: 'budget' }, 'round'), 'round 4 of 9');
  assert.equal(placeText({ ...state, target: 30 }, 'round'), 'computing up to round 30, 9 so far');
});

test('keys on the time axis', () => {
  assert.deepEqual(timeIntention({ key: 'ArrowUp', shiftKey: true }, 50), { verb: 'move', args: { by: 10 } });
  assert.deepEqual(timeIntention({ key: 'ArrowLeft' }, 50), { verb: 'move', args: { by: -1 } });
  assert.deepEqual(timeIntention({ key: 'PageUp' }, 50), { verb: 'move', args: { by: 5 } });
  assert.deepEqual(timeIntention({ key: 'PageDown' }, 3), { verb: 'move', args: { by: -1 } });
  assert.deepEqual(timeIntention({ key: 'Home' }, 50), { verb: 'seek', args: { k: 0 } });
  assert.equal(timeIntention({ key: 's' }, 50), undefined);
});

test('Escape ends presenting, otherwise returns the keyboard to the embedding page, and does nothing without one', () => {
  const paused = { playing: false };
  assert.deepEqual(keyIntention({ key: 'Escape' }, paused, true, true), { verb: 'page:present', args: { on: false } });
  assert.deepEqual(keyIntention({ key: 'Escape' }, paused, false, true), { verb: 'page:leave', args: {} });
  assert.equal(keyIntention({ key: 'Escape' }, paused), undefined);
  assert.equal(keyIntention({ key: 'Escape', shiftKey: false, ctrlKey: true }, paused, false, true), undefined);
});

test('a frame in another page is no wider than its column', () => {
  const html = embedding('https://a.host/play/?lesson#v=1&scene=toy', 'A "title"');
  assert.equal(html, '<iframe src="https://a.host/play/embed.html#v=1&amp;scene=toy" title="A &quot;title&quot;" width="720" height="480"'
    + ' loading="lazy" style="max-width: 100%"></iframe>');
});

test('keys', () => {
  const state = { playing: false, iteration: 5, latest: 8 };
  assert.deepEqual(keyIntention({ key: ' ' }, state), { verb: 'play', args: {} });
  assert.deepEqual(keyIntention({ key: ' ' }, { ...state, playing: true }), { verb: 'pause', args: {} });
  assert.deepEqual(keyIntention({ key: 'ArrowLeft' }, state), { verb: 'move', args: { by: -1 } });
  assert.deepEqual(keyIntention({ key: 'ArrowRight', shiftKey: true }, state), { verb: 'move', args: { by: 10 } });
  assert.deepEqual(keyIntention({ key: 'Home' }, state), { verb: 'seek', args: { k: 0 } });
  assert.deepEqual(keyIntention({ key: 'End' }, state), { verb: 'move', args: { by: Number.MAX_SAFE_INTEGER } });
  assert.equal(keyIntention({ key: 'r', ctrlKey: true }, state), undefined);
  assert.equal(keyIntention({ key: 'x' }, state), undefined);
  assert.deepEqual(keyIntention({ key: '2' }, state), { verb: 'page:front', args: { place: 1 } });
  assert.equal(keyIntention({ key: '0' }, state), undefined);
  for (const held of [{ ctrlKey: true }, { metaKey: true }]) assert.deepEqual(keyIntention({ key: 'z', ...held }, state),
    { verb: 'undo', args: {} });
  assert.equal(keyIntention({ key: 'z' }, state), undefined);
  assert.equal(keyIntention({ key: 'Z', ctrlKey: true, shiftKey: true }, state), undefined);
  assert.deepEqual(keyIntention({ key: 'p' }, state), { verb: 'page:present', args: { on: true } });
});

test('keys while presenting', () => {
  const state = { playing: false };
  for (const key of ['p', 'Escape']) assert.deepEqual(keyIntention({ key }, state, true), { verb: 'page:present', args: { on: false } });
  assert.deepEqual(keyIntention({ key: 'PageDown' }, state, true), { verb: 'page:turn', args: { by: 1 } });
  assert.deepEqual(keyIntention({ key: 'PageUp' }, state, true), { verb: 'page:turn', args: { by: -1 } });
  for (const key of ['Escape', 'PageDown', 'PageUp']) assert.equal(keyIntention({ key }, state), undefined);
});

test('what a link opens', () => {
  assert.deepEqual(opened('#v=1&scene=toy'), { scene: 'toy', card: '', lesson: null, bare: true, version: '1' });
  assert.deepEqual(opened('#scene=toy&card=stalls'), { scene: 'toy', card: 'stalls', lesson: null, bare: true, version: '1' });
  assert.equal(opened('#v=2&scene=toy').version, '2');
  assert.deepEqual(opened('#lesson=01-angle:3').lesson, { name: '01-angle', step: 3 });
  for (const [text, step] of [['a', 1], ['a:', 1], ['a:x', 1], ['a:-2', 1],
    ['a:2.4', 2]]) assert.equal(opened(`#lesson=${text}`).lesson.step, step, text);
  for (const hash of ['', '#', '#v=1&scene=toy&k=0', '#R=4']) assert.equal(opened(hash).bare, false, hash);
});

test('a step that keeps the state uses the previous step’s state for visitors from elsewhere', () => {
  const lesson = { steps: [{ title: 'a', state: 'scene=lab' }, { title: 'b', state: '' }, { title: 'c', state: 'scene=toy' }] };
  assert.deepEqual(arrival(lesson, 2), { title: 'b', state: 'scene=lab' });
  assert.equal(arrival(lesson, 3).state, 'scene=toy');
  assert.equal(arrival({ steps: [{ state: '' }] }, 1).state, '');
});

test('a search finds the visible words of a parameter', () => {
  assert.ok(matches(eta, ''));
  assert.ok(matches({ ...eta, label: 'Step size' }, 'SIZE step'));
  assert.ok(matches(methods, methods.options[0].label));
  assert.ok(!matches(eta, 'nothing of this'));
});

test('cells in full', () => {
  const state = { runs: [
    { name: 'mgda-1', x: [0.123456789, -2], f: [1, null], weights: null, stationarity: 0.25 },
    { name: 'most', x: [[1, 2], [3, 4.56789]], f: [[1], [2]], weights: [null, [0.5, 0.5]], stationarity: [0.1, 0.2] },
  ] };
  assert.equal(exactText(state, 'mgda-1', 'variables'), '0.123456789, −2');
  assert.equal(exactText(state, 'mgda-1', 'objectives'), '1, –');
  assert.equal(exactText(state, 'mgda-1', 'weights'), '');
  assert.equal(exactText(state, 'mgda-1', 'status'), '');
  assert.equal(exactText(state, 'most-2', 'variables'), '3, 4.56789');
  assert.equal(exactText(state, 'most-2', 'stationarity'), '0.2');
  assert.equal(exactText(state, 'most-1', 'weights'), '');
  assert.equal(exactText(state, 'most-9', 'variables'), '');
});

test('the focused element keeps the keys that it uses', () => {
  assert.ok(keepsKey('input', 'number', 'r'));
  assert.ok(keepsKey('input', 'range', 'Home'));
  for (const type of ['range', 'checkbox', 'number']) assert.ok(keepsKey('input', type, '1'), type);
  assert.ok(keepsKey('input', 'number', 'z'));
  assert.ok(!keepsKey('input', 'range', 'z'));
  assert.ok(!keepsKey('input', 'range', ' '));
  assert.ok(keepsKey('input', 'checkbox', ' '));
  assert.ok(!keepsKey('input', 'checkbox', 'n'));
  assert.ok(keepsKey('input', 'radio', 'ArrowDown'));
  assert.ok(keepsKey('button', '', ' '));
  assert.ok(!keepsKey('button', '', 'ArrowLeft'));
  assert.ok(keepsKey('select', '', 's'));
  assert.ok(keepsKey('div', '', 'ArrowRight'));
  assert.ok(!keepsKey('div', '', ' '));
  assert.ok(!keepsKey('body', '', ' '));
});

test('arguments of a message by name, in order or as a single value', () => {
  assert.deepEqual(namedArguments(['name', 'value'], ['R', 4]), { name: 'R', value: 4 });
  assert.deepEqual(namedArguments(['name', 'value'], { name: 'R', value: 4 }), { name: 'R', value: 4 });
  assert.deepEqual(namedArguments(['k'], 7), { k: 7 });
  assert.deepEqual(namedArguments([], undefined), {});
});

test('a value that is not a plain object is an argument itself', () => {
  const blob = new Blob(['1,2']);
  assert.equal(namedArguments(['data'], blob).data, blob);
  assert.deepEqual(namedArguments(['value'], new Map()), { value: new Map() });
  assert.deepEqual(namedArguments(['name'], Object.create(null, { name: { value: 'R', enumerable: true } })).name, 'R');
});

test('an error shows any value, but shortens a long one', () => {
  const cyclic = {};
  cyclic.cyclic = cyclic;
  const list = [];
  list.push(list);
  for (const value of [undefined, null, 0, NaN, 10n, true, '', 'R', cyclic, list, Object.create(null), () => 0, Symbol('s'),
    'x'.repeat(1 << 20), new Array(2 ** 32 - 1)]) {
    assert.ok(show(value).length < 80);
  }
  assert.equal(show('R'), '"R"');
  assert.equal(show(1.5), '1.5');
});

test('data belong to the visitor unless the requesting page has sent them', () => {
  const data = { sha256: 'aa', held: true, from: '', rows: 1, columns: 1 };
  const page = 'https://a.example';
  assert.ok(!isVisitors(null, page));
  assert.ok(!isVisitors({ ...data, sha256: '', held: false }, page));
  assert.ok(isVisitors(data, page));
  assert.ok(isVisitors(data, ''));
  assert.ok(isVisitors(data, 'null'));
  assert.ok(!isVisitors({ ...data, from: page }, page));
  assert.ok(!isVisitors({ ...data, from: 'null' }, 'null'));
  for (const other of ['https://b.example', 'https://a.example:444', 'http://a.example', 'null',
    '']) assert.ok(isVisitors({ ...data, from: page }, other), other);
  // Whether a visitor has a link's file is private as well.
  assert.ok(isVisitors({ ...data, held: false }, page));
  assert.ok(isVisitors({ ...data, held: false, from: page }, page));
});

test('a link names data before a scene has read it', () => {
  assert.equal(dataOf(stateFromHash([scene], '#v=1&scene=fonseca')), null);
  assert.equal(dataOf(stateFromHash([scene], '#v=1&scene=lab&data=')), null);
  assert.equal(dataOf(stateFromHash([scene], '#v=1&scene=lab&d%61ta=ab')).sha256, 'ab');
  const data = { sha256: 'aa', held: true, from: '', rows: 1, columns: 1 };
  assert.equal(dataOf({ ...stateFromHash([scene], '#scene=lab&data=bb'), data }), data);
});

test('the number of waiting requests is limited', async () => {
  const under = limited(2);
  let end = () => {};
  const slow = () => new Promise((resolve) => { end = () => resolve('done'); });
  const first = under(slow);
  await assert.rejects(Promise.all([under(async () => { throw new Error('own'); }), under(async () => 1)]), /own|more than 2/);
  const last = under(async () => 2);
  assert.equal(await last, 2);
  end();
  assert.equal(await first, 'done');
});

test('files are read one after the other, even if one fails', async () => {
  const reading = inTurn();
  const order = [];
  const file = (name, fails) => reading(async () => {
    order.push(`${name} begins`);
    await new Promise((resolve) => setTimeout(resolve, 5));
    order.push(`${name} ends`);
    if (fails) throw new Error(name);
    return name;
  });
  const all = await Promise.allSettled([file('a'), file('b', true), file('c')]);
  assert.deepEqual(order, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  assert.deepEqual(all.map(({ status }) => status), ['fulfilled', 'rejected', 'fulfilled']);
});

test('a throttled action runs at once, then once more for all later calls', async () => {
  let calls = 0;
  const action = throttled(() => calls++, () => 500); // longer than three calls last on a busy machine
  action();
  action();
  action();
  assert.equal(calls, 1);
  await new Promise((resolve) => setTimeout(resolve, 800));
  assert.equal(calls, 2);
});

test('a long table of runs is updated less often', () => {
  assert.deepEqual([0, 1, 15].map(readoutInterval), [125, 125, 125]);
  assert.equal(readoutInterval(50), 400);
});

test('matrices and cameras are read from links as Go reads them', () => {
  const matrix = { name: 'g', type: 'matrix', min: -5, max: 5, atLeast: 2, atMost: 3, columns: 2 };
  assert.deepEqual(valueOf(matrix, '1,2;3,4'), [[1, 2], [3, 4]]);
  assert.deepEqual(valueOf(matrix, '1,9;3,4;5,5;1,1'), [[1, 5], [3, 4], [5, 5]]);
  for (const text of ['1,2', '', '1,2;3', '1,2;3,x', '1,2;3,']) assert.equal(valueOf(matrix, text), undefined, text);
  const camera = { name: 'c', type: 'camera' };
  assert.deepEqual(valueOf(camera, '10,-20,1'), [10, -20, 1]);
  for (const text of ['1,2', 'a,b,c', '1,2,3,4']) assert.equal(valueOf(camera, text), undefined, text);
});

test('rows are read as people paste them', () => {
  assert.deepEqual(readRows('1 2\n3\t4\n'), [[1, 2], [3, 4]]);
  assert.deepEqual(readRows('1, 2; 3, 4'), [[1, 2], [3, 4]]);
  assert.equal(readRows('a b'), undefined);
  assert.equal(readRows('1,,x'), undefined);
  const square = [[1.5, 0], [0, 1.5]];
  for (const text of [
    '1,5\t0\r\n0\t1,5\r\n', '1,5;0\n0;1,5', '1,5 0\n0 1,5', '1.5\t0\n0\t1.5', '1.5, 0\n0, 1.5', '1.5,0;0,1.5', '1.5;0\n0;1.5',
    '1.5,0;\n0,1.5;',
  ]) {
    assert.deepEqual(readRows(text), square, text);
  }
  for (const text of ['1,234\t5,678', '1 000,2 000', '1,5;0', '1,5\t2\n1\t2.5', '1,5;2,5,3\n1;2', '1\t2\n3']) {
    assert.equal(readRows(text), undefined, text);
  }
});

test('parameters without an effect are omitted', () => {
  const own = { name: 'cagrad.c', method: 'cagrad' };
  assert.ok(isOfUse(own, { method: ['cagrad'] }));
  assert.ok(!isOfUse(own, { method: ['mgda'] }));
  assert.ok(isOfUse({ name: 'R', method: 'psmgd' }, { method: ['mgda'] }));
  const space = { name: 'camera', only: { name: 'view', values: ['space'] } };
  assert.ok(isOfUse(space, { view: 'space' }));
  assert.ok(!isOfUse(space, { view: 'plane' }));
  assert.ok(isOfUse(space, {}));
  const walk = { name: 'walk', only: { name: 'walking', values: ['true'] } };
  assert.ok(isOfUse(walk, { walking: true }));
  assert.ok(!isOfUse(walk, { walking: false }));
  const either = { name: 'beta', only: { name: 'lower', values: ['ball'], or: { name: 'upper', values: ['ball'] } } };
  assert.ok(isOfUse(either, { lower: 'ball', upper: 'plain' }));
  assert.ok(isOfUse(either, { lower: 'plain', upper: 'ball' }));
  assert.ok(!isOfUse(either, { lower: 'plain', upper: 'plain' }));
});

test('verbs that move runs are distinguished from others', () => {
  for (const verb of ['play', 'pause', 'step', 'seek', 'reset']) assert.ok(movesRuns(verb), verb);
  for (const verb of ['newSeed', 'page:help', 'set']) assert.ok(!movesRuns(verb), verb);
});

test('a scrolling element reports the sides with hidden content', () => {
  const sides = (scrollLeft) => hiddenSides({ scrollLeft, scrollWidth: 900, clientWidth: 300 });
  assert.deepEqual(sides(0), { left: false, right: true });
  assert.deepEqual(sides(250.5), { left: true, right: true });
  assert.deepEqual(sides(599.6), { left: true, right: false });
  assert.deepEqual(hiddenSides({ scrollLeft: 0, scrollWidth: 300, clientWidth: 300 }), { left: false, right: false });
});

const shares = { ...eta, name: 'a', type: 'simplex', min: 0, max: 1, count: 'n', atMost: 4, default: [] };

test('a link’s shares have the right number, and an empty list means equal shares', () => {
  assert.deepEqual(valueOf(shares, '0.5,0.25,0.25'), [0.5, 0.25, 0.25]);
  assert.deepEqual(valueOf(shares, ''), []);
  for (const text of ['1,,0', '1,x', '-1,2', '0,0,0,0,1']) assert.equal(valueOf(shares, text), undefined, text);
  const fixed = { ...shares, count: undefined, columns: 2 };
  assert.deepEqual(valueOf(fixed, '1,0'), [1, 0]);
  assert.equal(valueOf(fixed, ''), undefined);
  assert.deepEqual(sharesOf(shares, [], { n: 4 }), [0.25, 0.25, 0.25, 0.25]);
  assert.deepEqual(sharesOf(shares, [1, 0], { n: 4 }), [1, 0]);
});

test('setting a share keeps the others in proportion, and the sum at 1', () => {
  assert.deepEqual(withShare([0.5, 0.25, 0.25], 0, 0.2, 0), [0.2, 0.4, 0.4]);
  assert.deepEqual(withShare([1, 0, 0], 0, 0.5, 0), [0.5, 0.25, 0.25]);
  assert.deepEqual(withShare([0.5, 0.5], 1, 2, 0), [0, 1]);
  assert.deepEqual(withShare([0.5, 0.25, 0.25], 1, 0, 0.1), [0.609091, 0.1, 0.290909]);
  assert.deepEqual(withShare([1], 0, 0.3, 0), [1]);
  const many = withShare(Array(200).fill(1 / 200), 7, 0.123456, 0);
  assert.equal(many[7], 0.123456);
  assert.ok(Math.abs(many.reduce((sum, v) => sum + v, 0) - 1) < 1e-9);
  assert.ok(Math.min(...withShare(many, 7, 0.999, 0)) >= 0);
});

const frequencies = { ...shares, name: 'm', count: 'q', max: 15, step: 1 };

test('frequencies are whole numbers, and an empty list means ones', () => {
  assert.ok(isWhole(frequencies) && !isWhole(shares) && !isWhole({ ...eta, step: 1 }));
  assert.deepEqual(valueOf(frequencies, '1,3'), [1, 3]);
  assert.deepEqual(valueOf(frequencies, '0,99,2.4'), [0, 15, 2]);
  for (const text of ['0,0', '-1,3', '1,x', '1,,2', '1,1,1,1,1']) assert.equal(valueOf(frequencies, text), undefined, text);
  assert.deepEqual(sharesOf(frequencies, valueOf(frequencies, ''), { q: 3 }), [1, 1, 1]);
});

test('setting a frequency keeps the others unchanged, and not all at 0', () => {
  assert.deepEqual(withNumber(frequencies, [1, 3], 1, 6), [1, 6]);
  assert.deepEqual(withNumber(frequencies, [1, 3], 0, 0), [0, 3]);
  assert.deepEqual(withNumber(frequencies, [0, 3], 1, -2), [0, 1]);
  assert.deepEqual(withNumber(frequencies, [1, 3], 0, 99.5), [15, 3]);
});

test('names of a list may have commas and quotes', () => {
  const names = { ...methods, name: 'responses', options: undefined, open: true, atLeast: 0, atMost: 3, default: [] };
  for (const list of [[], ['PM2.5', 'PM10'], ['a,b', 'say "no"', ' c '], ['"'],
    ['5" pipe', 'ü']]) assert.deepEqual(valueOf(names, textOf(list)), list, textOf(list));
  assert.equal(textOf(['PM2.5', 'a,"b"']), 'PM2.5,"a,""b"""');
  assert.deepEqual(valueOf(names, ' b , a ,, b,'), ['b', 'a']);
  assert.deepEqual(valueOf(names, 'd,c,b,a'), ['d', 'c', 'b']);
  for (const text of ['"a', '"a"b,c', '"a""', 'x,"a']) assert.equal(valueOf(names, text), undefined, text);
});

test('a parameter whose name has another meaning in links gets another name there', () => {
  assert.equal(linkName('k'), 'param.k');
  assert.equal(linkName('K'), 'K');
  const own = { ...scene, params: [{ ...starts, name: 'k' }] };
  assert.equal(stateFromHash([own], '#scene=fonseca&param.k=7&k=3').params.k, 7);
  assert.equal(stateFromHash([own], '#scene=fonseca&k=3').params.k, starts.default);
});

for (const [name, asked] of /** @type {[string, string[]][]} */ ([
  ['index.html', ['assets/stage/stage-load.js']], // program-start.js imports it
  ['assets/stage.html', []],
])) {
  test(`${name} requests all modules at once, not one after the other`, () => {
    const text = (/** @type {string} */ name) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
    const page = text(name);
    const named = (/** @type {RegExp} */ pattern) => [...page.matchAll(pattern)].map(([, found]) => posix.join(posix.dirname(name), found));
    const roots = named(/type="module" src="([^"]+)"/g);
    const found = new Set([...roots, ...asked]);
    for (const module of found) {
      for (const [, other] of text(module).matchAll(/\bfrom '(\.[^']+)'/g)) found.add(posix.join(posix.dirname(module), other));
    }
    assert.deepEqual(named(/rel="modulepreload" href="([^"]+)"/g), [...found].filter((module) => !roots.includes(module)).sort());
  });
}

test('the stage’s document is read completely before its loader arrives', () => {
  const page = readFileSync(new URL('../../assets/stage.html', import.meta.url), 'utf8');
  assert.deepEqual(page.match(/<script (?!.*(type="module"|defer)).*/g), null);
});

test('every script is in a folder that CONTRIBUTING.md describes', () => {
  const tree = new URL('../../', import.meta.url);
  const list = /<!-- scripts -->\n(.*?)<!-- end -->/s.exec(readFileSync(new URL('CONTRIBUTING.md', tree), 'utf8'))?.[1] ?? '';
  const described = [...list.matchAll(/^\| `assets\/([^`]+)` \|/gm)].map(([, name]) => name);
  const entries = readdirSync(new URL('assets/', tree), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== 'lessons').map(({ name }) => name);
  assert.deepEqual(folders.sort(), described.sort());
  assert.deepEqual(entries.filter((entry) => /\.(js|css)$/.test(entry.name)).map(({ name }) => name), []);
});

test('links use the same reserved names here and in the program', () => {
  const source = readFileSync(new URL('../../internal/engine/link/settings.go', import.meta.url), 'utf8');
  const names = source.match(/^var Reserved = \[\]string\{(.*?)\}$/ms)?.[1].match(/\w+/g) ?? [];
  assert.ok(names.length > 10);
  assert.deepEqual([...TAKEN], names);
});

test('named numbers are lines with a name and a number', () => {
  const text = 'a = 2\n  rate=-1.5e-3  \nx1 in [0, 1]\ng = 1 + a\nx = 3\nn = 5\nf1 = 2\nF2 = 2\n' +
    'x12 = 1\nb_2 =.5\nc = 7.\nd = 1e999\nk = - 4\na = 9\nw = +1';
  assert.deepEqual(namedNumbers(text).map(({ name, value }) => [name, value]),
    [['a', 2], ['rate', -0.0015], ['b_2', 0.5], ['c', 7], ['k', -4]]);
  assert.deepEqual(namedNumbers('2 + a = 3\n= 2\na = \na == 2\na = 2 3\na = 1e\n'), []);
  // F is the symbol of a force, F1 an upper objective.
  assert.deepEqual(namedNumbers('F = 10\nF1 = 2\nf = 3\nf2 = 4').map(({ name }) => name), ['F']);
  for (const { name, value, from, to } of namedNumbers(text)) assert.equal(Number(text.slice(from, to).replace(' ', '')), value, name);
});

test('a named number gets another value, and nothing else changes', () => {
  assert.equal(withNamed('aa = 1\n a  =  2.50 \nb = a', 'a', -0.125), 'aa = 1\n a  =  -0.125 \nb = a');
  assert.equal(withNamed('a = 2', 'b', 3), 'a = 2');
  for (const value of [0, 1e-7, -3.5e21, 0.1 + 0.2]) assert.equal(namedNumbers(withNamed('a = 2', 'a', value))[0].value, value);
});

test('the slider of a named number reaches round numbers on both sides, and stays while it is held', () => {
  assert.deepEqual(rangeFor(2), { min: 0, max: 5, step: 0.01 });
  assert.deepEqual(rangeFor(-30), { min: -100, max: 100, step: 0.2 });
  assert.deepEqual(rangeFor(0), { min: -1, max: 1, step: 0.002 });
  assert.deepEqual(rangeFor(0.05), { min: 0, max: 0.1, step: 0.0002 });
  const range = rangeFor(2);
  for (const value of [0, 0.1, 4.9, 5]) assert.equal(rangeFor(value, range), range, `${value}`);
  assert.equal(rangeFor(0.01, range, true), range);
  assert.notEqual(rangeFor(0.01, range), range);
  assert.deepEqual(rangeFor(5.1, range), { min: 0, max: 20, step: 0.05 });
  assert.deepEqual(rangeFor(-1, range), { min: -2, max: 2, step: 0.005 });
  for (const value of [1e-320, 5e-300, 1e299, -1.7e308, 123456789]) {
    const { min, max, step } = rangeFor(value);
    assert.ok([min, max, step].every(Number.isFinite) && min < max && step > 0 && step < max, `${value}: ${min} ${max} ${step}`);
    assert.ok(Number.isFinite(writtenValue(value, { min, max, step })));
  }
  assert.equal(writtenValue(0.30000000000000004, range), 0.3);
  assert.equal(writtenValue(1234.4, { min: 0, max: 5000, step: 10 }), 1234);
});

test('a fault marks the stated part of the text, in characters', () => {
  const marked = (text, ...faults) => faultParts(text, faults).map(({ text: part, fault }) => (fault ? `[${part}]` : part)).join('');
  assert.equal(marked('x + y'), 'x + y');
  assert.equal(marked('x + q', { line: 1, column: 5, length: 1 }), 'x + [q]');
  assert.equal(marked('(x', { line: 1, column: 3, length: 0 }), '(x[]');
  assert.equal(marked('a = 1\n𝛼²b\nc', { line: 2, column: 2, length: 2 }, { line: 1, column: 1, length: 1 }), '[a] = 1\n𝛼[²b]\nc');
  assert.equal(marked('ab', { line: 1, column: 1, length: 2 }, { line: 1, column: 2, length: 1 }), '[ab]');
  assert.equal(marked('ab\nc', { line: 9, column: 9, length: 9 }), 'ab\nc[]');
  assert.equal(marked('ab\nc', { line: 1, column: 3, length: 0 }), 'ab[]\nc');
  assert.equal(marked('<img>', { line: 1, column: 1, length: 1 }), '[<]img>');
  assert.equal(refusal('∞'.repeat(2000), 2000), '');
  assert.equal(refusal('𝛼'.repeat(2001), 2000), 'The text has 2001 characters; shorten it to at most 2000.');
  assert.equal(refusal('a = 1\n𝛼b\u202e', 2000), '2:3: the character U+202E cannot be shown');
  assert.equal(refusal('\u0000', 2000), '1:1: the character U+0000 cannot be shown');
  assert.equal(refusal('x\u00a0+ "ü" <b>\n\t√²', 2000), '');
});

test('the buttons of a formula include its variables', () => {
  assert.deepEqual(signsOf('2'), ['^', '(', ')', 'x1', 'x2', '*']);
  assert.deepEqual(signsOf('(w1-a1)^2 + (w2-a1)^2 + w3'), ['^', '(', ')', 'a1', 'w1', 'w2', '*']);
  assert.deepEqual(signsOf('log1 + max1(x1)'), ['^', '(', ')', 'x1', '*']);
});

test('a link’s text is the unchanged value of a text', () => {
  const f = { name: 'f1', type: 'text', atMost: 2000, default: '' };
  for (const text of ['', ' (x-1)^2 + y & #%=,;:\n<img src=x onerror=alert(1)>', '+']) {
    assert.equal(valueOf(f, text), text);
    const hash = `v=1&scene=s&f1=${encodeURIComponent(text).replaceAll('%20', '+')}`;
    assert.equal(readHash(hash).get('f1'), text);
    assert.equal(stateFromHash([{ ...scene, id: 's', params: [f] }], hash).params.f1, text);
  }
});
