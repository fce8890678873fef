// Tests what students did, where it is stored, and what learning platforms receive: node --test
// internal/browser/done_test.mjs
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { crc32, decode, fold, tag } from '../../assets/class/codes.js';
import { codeOf, entriesOf, newsBetween, stepsOf, sumOf, withSeed } from '../../assets/class/done.js';
import { clock, createScorm, findApi, packed, period, versionOf } from '../../assets/platform/scorm.js';
import { createStore } from '../../assets/class/progress-store.js';
import { sha1 } from '../../assets/platform/sha1.js';
import { actorOf, createStatements, launchOf, ownerOf, whoIs } from '../../assets/platform/statements.js';
import { createProgress, visitorNumber } from '../../assets/lesson/teaching.js';

const predict = { question: '<p>Where do <em>they</em> end?</p>', answers: ['in the middle', 'at &lt; two ends'], right: [1] };
const course = { name: '03-fixed', title: 'Weights', steps: [
  { title: 'One', predict, goal: {} }, { title: 'Two', predict: null, goal: {} }, { title: 'Three', predict, goal: null },
] };
const done = (of) => JSON.stringify({ '03-fixed': of });
const all = done({ reached: [1], seen: [2], first: { 1: 1, 3: 0 }, predictions: { 1: 0 }, tries: { 1: 3, 2: 9 } });

test('completed work is read from the progress of lessons', () => {
  const steps = stepsOf(course, entriesOf(all).get('03-fixed'));
  assert.deepEqual(steps, [{ prediction: 'right', goal: 'reached', tries: 3 }, { prediction: 'none', goal: 'shown', tries: 7 },
    { prediction: 'wrong', goal: 'none', tries: 0 }]);
  assert.deepEqual(sumOf(steps), { right: 1, asked: 2, reached: 1, goals: 2, ended: true, begun: true, share: 1 });
  assert.deepEqual(sumOf(stepsOf(course)), { right: 0, asked: 2, reached: 0, goals: 2, ended: false, begun: false, share: 0 });
  for (const text of [null, '', 'nonsense', '[]', '{"03-fixed": 1}']) assert.equal(entriesOf(text).size, 0);
  assert.deepEqual(decode(codeOf('Bio 3', 'Ana', course, entriesOf(all).get('03-fixed'))),
    { class: tag(fold('bio 3')), lesson: tag('03-fixed'), steps, name: 'Ana' });
});

test('the page and this module report the same work', () => {
  const held = memory();
  const progress = createProgress(() => held);
  progress.predict('03-fixed', 1, 0);
  progress.predict('03-fixed', 1, 1);
  progress.see('03-fixed', 1);
  progress.reach('03-fixed', 2);
  progress.attempt('03-fixed', 2, { runs: 4, reached: true, numbers: [1] });
  assert.deepEqual(stepsOf(course, entriesOf(held.getItem('lessons')).get('03-fixed')), [
    { prediction: 'wrong', goal: 'shown', tries: 0 }, { prediction: 'none', goal: 'reached', tries: 4 },
    { prediction: 'unanswered', goal: 'none', tries: 0 }]);
});

test('news contains only changes', () => {
  assert.deepEqual(newsBetween(null, all), [
    { lesson: '03-fixed', step: 1, kind: 'answered', answer: 1 }, { lesson: '03-fixed', step: 3, kind: 'answered', answer: 0 },
    { lesson: '03-fixed', step: 1, kind: 'reached' }, { lesson: '03-fixed', step: 2, kind: 'shown' }]);
  assert.deepEqual(newsBetween(all, all), []);
});

test('a student’s own seed replaces the step’s seed', () => {
  const scenes = [{ id: 'fonseca', params: [{ name: 'seed', type: 'seed' }] }, { id: 'lab', params: [] }];
  assert.equal(withSeed('v=1&scene=fonseca&seed=3&R=4', 7, scenes), 'v=1&scene=fonseca&R=4&seed=7');
  assert.equal(withSeed('v=1&scene=fonseca', 7, scenes), 'v=1&scene=fonseca&seed=7');
  assert.equal(withSeed('v=1&scene=lab', 7, scenes), 'v=1&scene=lab');
  assert.equal(withSeed('', 7, scenes), '');
});

/** A storage that keeps its items. */
function memory(held = new Map()) {
  return { held, getItem: (key) => held.get(key) ?? null, setItem: (key, value) => held.set(key, value) };
}

test('students on one machine have separate progress', () => {
  const browser = memory();
  const ana = createStore({ storage: () => browser, owner: 'bio 3/ana', visitor: 5 });
  const ben = createStore({ storage: () => browser, owner: 'bio 3/ben', visitor: 6 });
  const heard = [];
  ana.listen((before, after) => heard.push([before, after]));
  createProgress(() => ana).reach('x', 1);
  assert.deepEqual([...createProgress(() => ben).reached('x')], []);
  assert.deepEqual([...createProgress(() => ana).reached('x')], [1]);
  assert.deepEqual([visitorNumber(() => ana), visitorNumber(() => ben)], [5, 6]);
  assert.deepEqual(heard.map(([before]) => before), [null]);
  assert.equal(browser.getItem('lessons'), null);
  ana.setItem('lessons', ana.getItem('lessons'));
  assert.equal(heard.length, 1);
});

test('without storage, values last until the visitor leaves the page', () => {
  const store = createStore({ storage: () => { throw new Error('refused'); } });
  createProgress(() => store).reach('x', 2);
  assert.deepEqual([...createProgress(() => store).reached('x')], [2]);
  const kept = createStore({ storage: memory, lessons: all });
  assert.deepEqual([...createProgress(() => kept).reached('03-fixed')], [1]);
});

/** A SCORM platform that keeps the values it receives. */
function platform(names, kept = {}) {
  const data = new Map(Object.entries(kept));
  const log = [];
  let code = '0';
  return { data, log, refuse: '', [names[0]]: () => (log.push('begin'), 'true'), [names[1]]: (name) => data.get(name) ?? '',
    [names[2]](name, value) {
      code = name === this.refuse ? '405' : '0';
      if (code !== '0') return 'false';
      data.set(name, value);
      return 'true';
    },
    [names[3]]: () => (log.push('commit'), 'true'), [names[4]]: () => (log.push('end'), 'true'), [names[5]]: () => code,
    [names[6]]: () => 'Incorrect data type' };
}
const OLD = ['LMSInitialize', 'LMSGetValue', 'LMSSetValue', 'LMSCommit', 'LMSFinish', 'LMSGetLastError', 'LMSGetErrorString'];
const NEW = ['Initialize', 'GetValue', 'SetValue', 'Commit', 'Terminate', 'GetLastError', 'GetErrorString'];

test('SCORM 1.2 receives status, score, time and progress', () => {
  const api = platform(OLD, { 'cmi.suspend_data': all, 'cmi.core.student_id': 'ana' });
  let now = 0;
  const failed = [];
  const scorm = createScorm(api, '1.2', () => now, (text) => failed.push(text));
  assert.deepEqual([scorm.open, scorm.kept, scorm.learner], [true, all, 'ana']);
  now = 3_725_000;
  scorm.at(2);
  scorm.tell(course, done({ reached: [1], first: { 1: 1 } }));
  assert.equal(api.data.get('cmi.core.lesson_status'), 'incomplete');
  scorm.tell(course, all);
  scorm.end();
  scorm.end();
  scorm.tell(course, null);
  assert.deepEqual(Object.fromEntries(api.data), {
    'cmi.core.student_id': 'ana', 'cmi.core.lesson_location': '2', 'cmi.core.lesson_status': 'completed', 'cmi.core.score.raw': '50',
    'cmi.core.score.min': '0', 'cmi.core.score.max': '100', 'cmi.core.session_time': '0001:02:05', 'cmi.core.exit': 'suspend',
    'cmi.suspend_data': JSON.stringify(JSON.parse(all)),
  });
  assert.deepEqual([api.log, failed], [['begin', 'commit', 'commit', 'commit', 'end'], []]);
});

test('SCORM 2004 receives the same in its own terms, and its refusals are reported', () => {
  const api = platform(NEW);
  const failed = [];
  const scorm = createScorm(api, '2004', () => 61_500, (text) => failed.push(text));
  api.refuse = 'cmi.location';
  scorm.at(1);
  scorm.tell(course, all);
  for (const [name, value] of Object.entries({ 'cmi.completion_status': 'completed', 'cmi.score.scaled': '0.5', 'cmi.score.raw': '50',
    'cmi.progress_measure': '1', 'cmi.session_time': 'PT0S', 'cmi.exit': 'suspend' })) assert.equal(api.data.get(name), value, name);
  assert.deepEqual(failed, ['The learning platform did not accept cmi.location: Incorrect data type (error 405).']);
});

test('a completed lesson stays completed', () => {
  const api = platform(NEW, { 'cmi.completion_status': 'completed' });
  createScorm(api, '2004', () => 0, assert.fail).tell(course, '{}');
  assert.equal(api.data.get('cmi.completion_status'), 'completed');
});

test('the interface is found around the page and around its opener', () => {
  const api = {};
  const top = { API: api };
  top.parent = top;
  const shut = { get API() { throw new Error('of another site'); }, parent: top };
  const inner = { parent: { parent: shut } };
  assert.equal(findApi(inner, '1.2'), api);
  assert.equal(findApi(inner, '2004'), null);
  const alone = { opener: inner };
  alone.parent = alone;
  assert.equal(findApi(alone, '1.2'), api);
  assert.deepEqual(['?scorm=1.2', '?scorm=2004', '?scorm=3', ''].map(versionOf), ['1.2', '2004', '', '']);
  assert.deepEqual([clock(59.9), clock(36_000_000), period(3.2)], ['0000:00:59', '9999:59:59', 'PT3S']);
});

test('if progress does not fit, the least valuable parts are omitted first', () => {
  const of = { reached: [1], seen: [], predictions: { 1: 0 }, first: { 1: 0 }, tries: { 1: 1 }, numbers: { 1: [1 / 3] },
    attempts: { 1: { changed: ['R'] } }, at: 2 };
  const text = JSON.stringify({ a: of, b: of });
  const parts = (most) => { const words = packed(text, 'a', most); return words && Object.keys(JSON.parse(words).a); };
  assert.deepEqual(parts(4096), Object.keys(of));
  const { attempts, ...rest } = of;
  assert.deepEqual(parts(JSON.stringify({ a: rest }).length), Object.keys(rest));
  assert.deepEqual(parts(60), ['reached', 'seen', 'first', 'at']);
  assert.equal(parts(10), '');
  assert.equal(packed('nonsense', 'a', 100), '{"a":{}}');
});

const HOME = 'https://page.example';
const query = (of) => `?${new URLSearchParams(of)}`;
const launch = { endpoint: 'https://lrs.example/xapi', auth: 'Basic x', actor: '{"mbox":"mailto:a@b.c"}',
  activity_id: 'https://school.example/weights', registration: '0e5d4b0c-1c3e-4b2f-9a3d-2f1f2c3d4e5f' };

test('a launch is read from the address', () => {
  assert.equal(launchOf('?class=x', HOME), null);
  assert.deepEqual(launchOf(query(launch), HOME), { endpoint: 'https://lrs.example/xapi/', auth: 'Basic x',
    actor: { objectType: 'Agent', mbox: 'mailto:a@b.c' }, registration: launch.registration, activity: launch.activity_id, remark: '' });
  const old = '{"name":["A"],"account":[{"accountServiceHomePage":"https://s","accountName":"a"}]}';
  const without = launchOf(query({ ...launch, registration: 'x', actor: old }), HOME);
  assert.deepEqual(without.actor, { objectType: 'Agent', name: 'A', account: { homePage: 'https://s', name: 'a' } });
  assert.deepEqual([without.registration, without.remark],
    ['', 'The registration in the link is not a UUID, so the page omits it.']);
  for (const [spoil, says] of [[{ endpoint: 'javascript:1' }, /not a web address/], [{ activity_id: 'x' }, /no valid activity_id/],
    [{ actor: '{}' }, /no valid actor/], [{ actor: '{' }, /no valid actor/], [{ actor: 'null' }, /no valid/], [{ actor: '[]' }, /no valid/],
    [{ endpoint: 'https://ana:x@lrs.example/' }, /user name, “\?” or “#”/], [{ endpoint: 'https://lrs.example/?a' }, /user name, “\?”/],
    [{ endpoint: 'http://lrs.example/' }, /begin with https:/], [{ fetch: 'https://lms.example/token' }, /cmi5, which/],
  ]) assert.match(launchOf(query({ ...launch, ...spoil }), HOME), says);
  for (const endpoint of ['http://localhost:8100/xAPI', 'http://127.0.0.1:1/', 'http://lms.example/lrs']) {
    assert.equal(typeof launchOf(query({ ...launch, endpoint }), 'http://lms.example'), 'object', endpoint);
  }
});

test('an actor has exactly one identifier, of the right form', () => {
  const actorIn = (actor) => { const of = launchOf(query({ ...launch, actor: JSON.stringify(actor) }), HOME); return of.actor ?? of; };
  const account = { homePage: 'https://s.example', name: 'a' };
  for (const own of [{ mbox: 'mailto:a@b.c' }, { mbox_sha1sum: 'da39a3ee5e6b4b0d3255bfef95601890afd80709' },
    { openid: 'https://a.example/' }, { account }]) {
    assert.deepEqual(actorIn({ name: 'A', extra: 1, ...own }), { objectType: 'Agent', name: 'A', ...own });
    assert.deepEqual(actorIn({ objectType: 'Group', name: '', ...own }), { objectType: 'Group', ...own });
  }
  assert.equal(actorIn({ mbox: 'mailto:a@b.c', account }),
    'The actor in the link has mbox and account: exactly one of mbox, mbox_sha1sum, openid, account may identify the student.');
  for (const mbox of ['a@b.c', 'mailto:', 'mailto:a', '', 7]) {
    assert.equal(actorIn({ mbox }), 'The actor’s mbox in the link must begin with mailto:, as in mailto:ana@example.org.');
  }
  for (const wrong of [{ mbox_sha1sum: 'x' }, { openid: 'ana' }, { account: {} }, { account: null },
    { account: { homePage: 'x', name: 'a' } }, { account: { homePage: 'https://s.example', name: '' } },
  ]) assert.match(actorIn(wrong), /^The actor’s \w+ in the link must /);
});

test('progress belongs to an actor and a registration', () => {
  const other = '1e5d4b0c-1c3e-4b2f-9a3d-2f1f2c3d4e5f';
  const owners = ['{"mbox":"mailto:a@b.c"}', '{"mbox":"mailto:b@b.c"}', '{"account":{"homePage":"https://s","name":"a"}}',
    '{"account":{"homePage":"https://t","name":"a"}}', '{"openid":"https://s/a"}'].flatMap((actor) => [launch.registration, other, '']
    .map((registration) => ownerOf(launchOf(query({ ...launch, actor, registration }), HOME))));
  assert.equal(new Set(owners).size, 15);
  assert.equal(ownerOf(launchOf(query({ ...launch, actor: '{"name":"Ana","mbox":["mailto:a@b.c"]}' }), HOME)), owners[0]);
  assert.equal(ownerOf(launchOf(query({ ...launch, registration: launch.registration.toUpperCase() }), HOME)), owners[0]);
  assert.deepEqual(['{"name":"Ana","mbox":"mailto:a@b.c"}', '{"account":{"homePage":"https://s","name":"a"}}']
    .map((actor) => whoIs(launchOf(query({ ...launch, actor }), HOME).actor)), ['Ana (a@b.c)', 'a at https://s']);
});

test('different statements have different identifiers', () => {
  const ids = (mbox) => createStatements({ home: `${HOME}/`, actor: { mbox } }).all([course], all).map(({ id }) => id);
  assert.equal(crc32('s00pk617gn'), crc32('s01ci9n22j')); // so a checksum does not distinguish these, wherever they occur
  const both = [...ids('mailto:s00pk617gn@b.c'), ...ids('mailto:s01ci9n22j@b.c')];
  assert.equal(new Set(both).size, 6);
  for (const text of ['', 'abc', 'ä€'.repeat(100), 'a'.repeat(55), 'a'.repeat(56), 'a'.repeat(64), 'x'.repeat(5000)]) {
    assert.equal(sha1(text), createHash('sha1').update(text).digest('hex'));
  }
});

test('statements report answers, progress and completion', () => {
  const of = createStatements({ home: 'https://page.example/', actor: { mbox: 'mailto:a@b.c' }, activity: launch.activity_id,
    opened: '03-fixed', registration: launch.registration });
  const news = of.news(course, '{}', all, '2026-01-01T00:00:00Z');
  assert.deepEqual(news.map(({ verb }) => verb.id.split('/').at(-1)), ['answered', 'answered', 'progressed', 'completed']);
  const [answered, , progressed, completed] = news;
  assert.deepEqual(answered.result, { response: '1', success: true });
  assert.equal(answered.object.id, 'https://school.example/weights/steps/1/prediction');
  assert.deepEqual(answered.object.definition.choices[1], { id: '1', description: { en: 'at < two ends' } });
  assert.equal(answered.object.definition.description.en, 'Where do they end?');
  assert.deepEqual(answered.context, { registration: launch.registration,
    contextActivities: { parent: [{ objectType: 'Activity', id: launch.activity_id }] } });
  assert.equal(progressed.result.extensions['https://w3id.org/xapi/cmi5/result/extensions/progress'], 100);
  assert.equal(completed.object.id, launch.activity_id);
  assert.deepEqual(completed.result, { completion: true, score: { scaled: 0.5, raw: 1, min: 0, max: 2 },
    extensions: { 'https://page.example/xapi/tries': 10 } });
  const ids = new Set(news.map(({ id }) => id));
  assert.equal(ids.size, 4);
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.deepEqual(of.news(course, '{}', all, '2026-01-01T00:00:00Z'), news);
  assert.deepEqual(of.news(course, all, all, ''), []);
});

test('all completed work becomes statements without times', () => {
  const of = createStatements({ home: 'https://page.example/', actor: actorOf('https://page.example/', 'Bio 3', 'Ana') });
  const statements = of.all([course, { ...course, name: 'other' }], all);
  assert.deepEqual(statements.map(({ verb }) => verb.display.en), ['answered', 'answered', 'completed']);
  assert.ok(statements.every((statement) => !('timestamp' in statement) && statement.actor.account.name === 'Bio 3/Ana'));
  assert.equal(statements[2].object.id, 'https://page.example/lessons/03-fixed');
});
