// Tests SCORM platforms in the states of real ones: node --test internal/browser/scorm_test.mjs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leftBefore, mended, merged } from '../../assets/class/restored.js';
import { createReport, createScorm } from '../../assets/platform/scorm.js';
import { createStore } from '../../assets/class/progress-store.js';
import { createProgress, readProgress } from '../../assets/lesson/teaching.js';

const predict = { question: 'Where?', answers: ['here', 'there'], right: [1] };
const course = { name: '01-conflict', title: 'Conflict', steps: [
  { title: 'One', predict, goal: {} }, { title: 'Two', predict, goal: {} },
] };
const done = (of) => JSON.stringify({ '01-conflict': of });
const half = done({ reached: [1], seen: [], first: { 1: 1 }, predictions: { 1: 1 }, tries: {}, numbers: {}, attempts: {}, at: 1 });
const whole = done({ reached: [1, 2], seen: [], first: { 1: 1, 2: 1 }, predictions: { 1: 1, 2: 1 }, tries: {}, numbers: {}, attempts: {},
  at: 2 });

const WORDS = {
  '1.2': { begin: 'LMSInitialize', get: 'LMSGetValue', set: 'LMSSetValue', commit: 'LMSCommit', end: 'LMSFinish', code: 'LMSGetLastError',
    words: 'LMSGetErrorString', already: '101', shut: '301', learner: 'cmi.core.student_id', status: 'cmi.core.lesson_status',
    raw: 'cmi.core.score.raw' },
  2004: { begin: 'Initialize', get: 'GetValue', set: 'SetValue', commit: 'Commit', end: 'Terminate', code: 'GetLastError',
    words: 'GetErrorString', already: '103', shut: '122', learner: 'cmi.learner_id', status: 'cmi.completion_status',
    raw: 'cmi.score.raw' },
};
const VERSIONS = Object.keys(WORDS);

/**
 * A platform in a given state. The state's functions receive the arguments, and return the platform's answer and the
 * error code, or undefined for the ordinary answer.
 */
function platform(version, kept = {}, state = {}) {
  const words = WORDS[version];
  const data = new Map(Object.entries({ [words.learner]: 'ana', ...kept }));
  const ordinary = { begin: () => 'true', get: (name) => data.get(name) ?? '', set: (name, value) => (data.set(name, value), 'true'),
    commit: () => 'true', end: () => 'true' };
  let code = '0';
  const calls = [];
  const api = { [words.code]: () => code, [words.words]: (of) => `meaning ${of}` };
  for (const [verb, usual] of Object.entries(ordinary)) {
    api[words[verb]] = (...args) => {
      calls.push([verb, ...args]);
      const [said, error] = state[verb]?.(...args) ?? [usual(...args), '0'];
      code = error;
      return said;
    };
  }
  return { api, data, calls, words, state };
}

/** A storage that keeps its items. */
function memory(held = new Map()) {
  return { held, getItem: (key) => held.get(key) ?? null, setItem: (key, value) => void held.set(key, value),
    removeItem: (key) => void held.delete(key) };
}

/** A page with a lesson in a platform, assembled as in student.js and records.js. */
function page(version, of, browser = memory()) {
  const said = [];
  const scorm = createScorm(of.api, version, () => 0, (text) => said.push(text));
  const store = createStore({ storage: () => browser, owner: scorm.learner && `SCORM 01-conflict ${scorm.learner}`,
    lessons: scorm.open ? mended(scorm.kept).text : null });
  const report = createReport(scorm, store, { error: (text) => said.push(text), notice: (text) => said.push(text) });
  if (scorm.open) store.listen((_, after) => report.tell(course, after));
  return { scorm, store, report, said, browser };
}

const data = 'cmi.suspend_data';

for (const version of VERSIONS) {
  const words = WORDS[version];

  test(`${version}: a session that is already open continues`, () => {
    const of = platform(version, { [data]: half }, { begin: () => ['false', words.already] });
    const { scorm, report, said } = page(version, of);
    assert.deepEqual([scorm.open, scorm.kept, scorm.learner, scorm.why], [true, half, 'ana', '']);
    report.tell(course, whole);
    assert.equal(of.data.get(data), whole);
    assert.equal(of.data.get(words.status), 'completed');
    report.end();
    assert.deepEqual(said, []);
    assert.equal(of.calls.at(-1)[0], 'end');
  });

  test(`${version}: a session that is refused and not open is reported, and the lesson continues`, () => {
    for (const state of [
      { begin: () => ['false', words.already], get: () => ['', words.shut] },
      { begin: () => ['false', '104'] },
      { begin: () => ['false', '0'] },
      { begin: () => { throw new Error('no session'); } },
    ]) {
      const of = platform(version, {}, state);
      const { scorm, report, store } = page(version, of);
      assert.equal(scorm.open, false);
      assert.match(scorm.why, /^The learning platform (did not start a record of this lesson|failed in \w*Initialize: no session)/);
      scorm.at(1);
      report.end();
      createProgress(() => store).reach('01-conflict', 1);
      assert.deepEqual([...createProgress(() => store).reached('01-conflict')], [1]);
      assert.deepEqual(of.calls.filter(([verb]) => verb === 'set' || verb === 'commit'), []);
    }
  });

  test(`${version}: an interface without error codes is still used`, () => {
    const of = platform(version, { [data]: half });
    delete of.api[words.code];
    delete of.api[words.words];
    const { scorm, store, said } = page(version, of);
    assert.deepEqual([scorm.open, scorm.kept], [true, half]);
    createProgress(() => store).predict('01-conflict', 2, 1);
    assert.equal(of.data.get(words.raw), '100');
    assert.deepEqual(said, []);
    of.state.set = (name) => (name === words.status ? ['false', '0'] : undefined);
    createProgress(() => store).reach('01-conflict', 2);
    createProgress(() => store).see('01-conflict', 2);
    assert.deepEqual(said, [`The learning platform did not accept ${words.status} and gave no reason.`]);
  });

  for (const verb of ['begin', 'get', 'set', 'commit', 'end', 'code', 'words']) {
    test(`${version}: ${words[verb]} that throws or is missing is reported at most once, and nothing is lost`, () => {
      const broken = () => { throw new TypeError('broken'); };
      for (const spoil of [(of) => { of.api[words[verb]] = broken; }, (of) => { delete of.api[words[verb]]; }]) {
        const of = platform(version, { [data]: half });
        spoil(of);
        const { scorm, store, said, browser, report } = page(version, of);
        scorm.at(2);
        createProgress(() => store).predict('01-conflict', 2, 0);
        createProgress(() => store).reach('01-conflict', 2);
        report.end();
        const lost = said.filter((text) => text.includes('This browser'));
        assert.ok(said.length <= 1, said.join('\n'));
        if (verb === 'begin') {
          assert.deepEqual([scorm.open, said.length], [false, 0]);
          assert.match(scorm.why, /^The learning platform failed in \w+: (broken|the function is missing)\.$/);
        }
        if (verb === 'set' || verb === 'commit') {
          assert.match(lost[0], /^The learning platform failed in \w+: (broken|the function is missing)\. This browser keeps your work\./);
          assert.deepEqual(readProgress(browser.getItem('lessons of SCORM 01-conflict ana'))['01-conflict'].reached, [1, 2]);
        }
        assert.deepEqual([...createProgress(() => store).reached('01-conflict')].at(-1), 2);
      }
    });
  }

  test(`${version}: values that cannot be read are not overwritten`, () => {
    const get = (name) => { if (name !== words.learner) throw new Error('timed out'); };
    const of = platform(version, { [data]: half, [words.raw]: '50' }, { get });
    const { store, said, browser } = page(version, of);
    createProgress(() => store).predict('01-conflict', 1, 0);
    createProgress(() => store).reach('01-conflict', 1);
    assert.deepEqual([of.data.get(data), of.data.get(words.raw), of.data.get(words.status)], [half, '50', undefined]);
    assert.equal(said.length, 1);
    assert.match(said[0], /does not return your earlier work\. .* This browser keeps your work\./);
    assert.deepEqual(readProgress(browser.getItem('lessons of SCORM 01-conflict ana'))['01-conflict'].reached, [1]);
  });

  test(`${version}: a dead session is reported, the browser keeps the work, and the next session gets it`, () => {
    const dead = () => ['false', '0'];
    for (const state of [{ commit: dead }, { set: dead, commit: dead }, { set: dead }]) {
      const of = platform(version, { [data]: half }, { ...state });
      const { store, said, browser } = page(version, of);
      createProgress(() => store).predict('01-conflict', 2, 1);
      createProgress(() => store).reach('01-conflict', 2);
      assert.equal(said.length, 1, said.join('\n'));
      assert.match(said[0],
        /^The learning platform did not (store your work|accept cmi\.suspend_data) and gave no reason\. This browser keeps/);
      assert.equal(browser.held.size, 1);

      // The next day, at the same browser: another student has nothing of it.
      const ben = page(version, platform(version, { [words.learner]: 'ben' }), browser);
      assert.equal(ben.store.lessons(), '{}');
      const again = platform(version, { [data]: half });
      const next = page(version, again, browser);
      assert.deepEqual(readProgress(next.store.lessons())['01-conflict'].reached, [1, 2]);
      next.report.tell(course, next.store.lessons());
      assert.deepEqual([again.data.get(words.status), again.data.get(words.raw)], ['completed', '100']);
      assert.deepEqual([next.said, browser.held.size], [[], 0]);
    }
  });

  test(`${version}: a session that recovers gets everything, and the visitor learns so`, () => {
    const of = platform(version, {}, { commit: () => ['false', '0'] });
    const { store, said, browser } = page(version, of);
    createProgress(() => store).reach('01-conflict', 1);
    delete of.state.commit;
    createProgress(() => store).reach('01-conflict', 2);
    assert.match(said[0], /did not store/);
    assert.deepEqual(said.slice(1), ['The learning platform stores your work again.']);
    assert.equal(browser.held.size, 0);
    assert.deepEqual(readProgress(of.data.get(data))['01-conflict'].reached, [1, 2]);
  });

  test(`${version}: if the browser keeps nothing either, the page says so`, () => {
    const of = platform(version, {}, { commit: () => ['false', '0'] });
    const full = { ...memory(), setItem: () => { throw new Error('full'); } };
    const { store, said } = page(version, of, full);
    createProgress(() => store).reach('01-conflict', 1);
    assert.match(said[0], /This browser cannot keep your work either, so it is lost when you leave this page\.$/);
    const nobody = page(version, platform(version, { [words.learner]: '' }, { commit: () => ['false', '0'] }));
    createProgress(() => nobody.store).reach('01-conflict', 1);
    assert.match(nobody.said[0], /cannot keep your work either/);
    assert.equal(nobody.browser.held.size, 0);
  });

  test(`${version}: the platform’s score never drops`, () => {
    const of = platform(version, { [words.raw]: '100', 'cmi.progress_measure': '1' });
    const { store, said } = page(version, of);
    createProgress(() => store).predict('01-conflict', 1, 1);
    assert.equal(of.data.get(words.raw), '100');
    if (version === '2004') assert.deepEqual([of.data.get('cmi.score.scaled'), of.data.get('cmi.progress_measure')], [undefined, '1']);
    const low = platform(version, { [words.raw]: '20' });
    createProgress(() => page(version, low).store).predict('01-conflict', 1, 1);
    assert.equal(low.data.get(words.raw), '50');
    assert.deepEqual(said, []);
  });

  test(`${version}: progress stays within the version’s limit, even if a platform accepts more`, () => {
    const of = platform(version);
    const { store, said } = page(version, of);
    const numbers = Object.fromEntries([...Array(30).keys()].map((step) => [step, Array(200).fill(Math.PI)]));
    store.setItem('lessons', done({ ...JSON.parse(half)['01-conflict'], numbers, attempts: numbers }));
    const bound = { '1.2': 4096, 2004: 64_000 }[version];
    assert.ok(of.data.get(data).length <= bound, `${of.data.get(data).length} characters`);
    assert.deepEqual(readProgress(of.data.get(data))['01-conflict'].reached, [1]);
    assert.deepEqual(said, []);
  });
}

test('the complete parts of truncated progress are kept', () => {
  const text = done({ reached: [1, 2], seen: [3], first: { 1: 1, 2: 0 }, predictions: { 1: 1 }, tries: {}, numbers: { 1: [0.25, null] },
    attempts: { 1: { changed: ['a"],{'] } }, at: 2 });
  assert.deepEqual(mended(text), { text, cut: false });
  assert.deepEqual(mended(''), { text: '{}', cut: false });
  for (let n = 1; n < text.length; n++) {
    const { text: whole, cut } = mended(text.slice(0, n));
    assert.ok(cut);
    const progress = readProgress(whole)['01-conflict'];
    const full = readProgress(text)['01-conflict'];
    for (const step of progress?.reached ?? []) assert.ok(full.reached.includes(step));
    for (const [step, answer] of Object.entries(progress?.first ?? {})) assert.equal(answer, full.first[step]);
  }
  const { first, reached } = readProgress(mended(text.slice(0, text.indexOf('"predictions"') + 5)).text)['01-conflict'];
  assert.deepEqual([first, reached], [{ 1: 1, 2: 0 }, [1, 2]]);
  for (const nonsense of ['nonsense', ']', '{"a":}x', '"']) assert.deepEqual(mended(nonsense), { text: '{}', cut: true });
});

test('progress from two places is merged', () => {
  const a = done({ reached: [2], seen: [], first: { 1: 0 }, predictions: { 1: 0 }, tries: { 1: 3 }, numbers: {}, attempts: {}, at: 1 });
  const b = JSON.stringify({ ...JSON.parse(half), other: { reached: [5] } });
  const both = readProgress(merged(a, b));
  assert.deepEqual([both['01-conflict'].reached, both['01-conflict'].first, both['01-conflict'].predictions, both['01-conflict'].tries,
    both.other.reached], [[1, 2], { 1: 0 }, { 1: 1 }, { 1: 3 }, [5]]);
  assert.equal(merged('{}', null), '{}');
});

test('values that a page stores for itself are only for the same page', () => {
  const left = JSON.stringify({ learner: 'ana', lesson: '01-conflict', lessons: half });
  assert.equal(leftBefore(left, '01-conflict', 'reload').learner, 'ana');
  for (const [text, lesson, how] of [[left, '01-conflict', 'navigate'], [left, '02', 'reload'], [null, '01-conflict', 'reload'],
    ['{', '01-conflict', 'reload'], ['null', '01-conflict', 'reload'], ['{"learner":""}', '01-conflict', 'reload']]) {
    assert.equal(leftBefore(text, lesson, how), null);
  }
});

/** Loads student.js into a page with a browser's globals. */
let visits = 0;
async function student({ api, version, how = 'navigate', local = memory(), session = memory() }) {
  const window = { [version === '1.2' ? 'API' : 'API_1484_11']: api };
  window.parent = window.top = window;
  Object.assign(globalThis, { window, localStorage: local, sessionStorage: session, document: { links: [] },
    location: new URL(`https://lms.example/files/index.html?scorm=${version}&lesson=01-conflict#v=1&scene=lab&lesson=01-conflict:1`),
    history: { state: null, replaceState(_, __, hash) { globalThis.location = new URL(hash, globalThis.location.href); } } });
  Object.defineProperty(globalThis, 'performance', { configurable: true, value: { getEntriesByType: () => [{ type: how }] } });
  const module = await import(`../../assets/class/student.js?${++visits}`);
  const said = [];
  module.hearTroubles((text) => said.push(text));
  return { module, said, local, session };
}

for (const version of VERSIONS) {
  test(`${version}: the page starts and keeps the work with every platform`, async () => {
    const words = WORDS[version];
    const broken = () => { throw new Error('broken'); };
    const states = {
      'already begun': { begin: () => ['false', words.already] },
      'begun and shut': { begin: () => ['false', words.already], get: () => ['', words.shut] },
      'a dead session': { begin: () => ['false', '0'] },
      'an end before the begin': { begin: () => ['false', '104'], get: () => ['', '123'] },
      'a broken begin': { begin: broken }, 'broken values': { get: broken }, 'broken settings': { set: broken },
      'a broken commit': { commit: broken },
      'a cut text': { get: (name) => (name === data ? [half.slice(0, -30), '0'] : undefined) },
    };
    const tells = { 'already begun': [], 'broken values': [], 'broken settings': [], 'a broken commit': [],
      'a cut text': [/returned only part of your earlier work\. .* cannot drop/] };
    for (const [name, state] of Object.entries(states)) {
      for (const without of [[], ['code', 'words']]) {
        const of = platform(version, {}, { ...state });
        for (const verb of without) delete of.api[words[verb]];
        const { module, said } = await student({ api: of.api, version });
        // A platform that names no error, and knows the student, may have started before; whether it keeps
        // anything appears later.
        const mayGoOn = without.length > 0 && name === 'a dead session';
        const expected = mayGoOn ? [] : tells[name] ?? [/^(The|No) learning platform .* kept (only )?in this browser/];
        assert.equal(said.length, expected.length, `${name}: ${said}`);
        expected.forEach((text, i) => assert.match(said[i], text, name));
        createProgress(() => module.store).reach('01-conflict', 1);
        assert.ok(createProgress(() => module.store).reached('01-conflict').has(1), name);
      }
    }
    const bare = await student({ api: {}, version });
    assert.match(bare.said.join(' '), /failed in \w+Initialize|failed in Initialize/);
  });

  test(`${version}: a reloaded page continues without a second session`, async () => {
    const words = WORDS[version];
    const first = platform(version);
    const { module, session, local } = await student({ api: first.api, version });
    createProgress(() => module.store).reach('01-conflict', 1);
    createProgress(() => module.store).open('01-conflict', 2);
    module.leave();
    const over = { begin: () => ['false', version === '1.2' ? '101' : '104'], get: () => ['', words.shut] };
    const again = await student({ api: platform(version, {}, over).api, version, how: 'reload', local, session });
    assert.match(again.said[0], /kept in this browser\. It goes to the platform/);
    assert.ok(createProgress(() => again.module.store).reached('01-conflict').has(1));
    assert.match(globalThis.location.hash, /lesson=01-conflict:2$/);
    createProgress(() => again.module.store).reach('01-conflict', 2);
    const next = await student({ api: platform(version).api, version, local, session });
    assert.deepEqual([...createProgress(() => next.module.store).reached('01-conflict')], [1, 2]);
    assert.equal(session.held.size, 0);
    const ben = await student({ api: platform(version, {}, over).api, version, local, session });
    assert.deepEqual([...createProgress(() => ben.module.store).reached('01-conflict')], []);
  });
}
