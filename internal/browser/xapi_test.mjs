// Tests sending statements to learning record stores that fail: node --test internal/browser/xapi_test.mjs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOutbox, named, pauseAfter, retryAfter } from '../../assets/platform/outbox.js';
import { post } from '../../assets/platform/post.js';

const ENDPOINT = 'https://lrs.example/xapi/';
const NOW = Date.UTC(2026, 0, 1);
const KEY = 'statements of xAPI mailto:ana@example.org';

/** Returns a statement with the given identifier. */
const statement = (id) => ({ id, verb: { display: { en: 'answered' } }, object: { definition: { name: { en: `Weights: ${id}` } } } });
const ids = (list) => list.map(({ id }) => id).join(' ');

/** A storage that keeps its items. */
function memory(held = new Map()) {
  return { held, getItem: (key) => held.get(key) ?? null, setItem: (key, value) => void held.set(key, value),
    removeItem: (key) => void held.delete(key) };
}

const full = { ...memory(), setItem: () => { throw new Error('full'); } };

/**
 * A page with an outbox. Its store gives the answers of a function, and its time passes only by wait.
 * @param {(ids: string) => number|object} answer  to each request: a status, or an answer's parts
 */
function page(answer, { browser = memory(), owner = 'xAPI mailto:ana@example.org', endpoint = ENDPOINT, at = NOW } = {}) {
  const of = { browser, said: [], sent: [], unsent: -1, now: at };
  const timers = [];
  const outbox = createOutbox({
    storage: () => browser, owner, endpoint, now: () => of.now,
    post: async (list) => {
      of.sent.push(ids(list));
      const parts = answer(ids(list));
      return { status: 200, words: '', said: '', retryAfter: '', ...(typeof parts === 'number' ? { status: parts } : parts) };
    },
    later: (run, milliseconds) => timers.push([of.now + milliseconds, run]),
    say: { error: (text) => of.said.push(text), notice: (text) => of.said.push(text) }, changed: (n) => { of.unsent = n; },
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  let told = 0;
  /** Lets time pass, and returns what was sent since the last call. */
  of.wait = async (milliseconds) => {
    await settle();
    const end = of.now + milliseconds;
    for (;;) {
      timers.sort(([a], [b]) => a - b);
      if (timers.length === 0 || timers[0][0] > end) break;
      const [when, run] = timers.shift();
      of.now = Math.max(of.now, when);
      run();
      await settle();
    }
    of.now = end;
    const since = of.sent.slice(told);
    told = of.sent.length;
    return since;
  };
  of.send = (...list) => outbox.send(list.map(statement));
  return Object.assign(of, { outbox, timers });
}

/** A page whose visitor has agreed. */
function agreed(answer, how) {
  const of = page(answer, how);
  of.outbox.agree();
  return of;
}

test('nothing is sent before the visitor has agreed to the store', async () => {
  const of = page(() => 204);
  of.send('a', 'b');
  assert.deepEqual([await of.wait(1e6), of.outbox.agreed(), of.outbox.unsent(), of.unsent], [[], false, 2, 0]);
  of.outbox.agree();
  assert.deepEqual([await of.wait(0), of.outbox.unsent(), of.unsent], [['a b'], 0, 0]);
  const { browser } = of;
  assert.equal(page(() => 204, { browser }).outbox.agreed(), true);
  assert.equal(page(() => 204, { browser, endpoint: 'https://other.example/' }).outbox.agreed(), false);
  assert.equal(page(() => 204, { browser, owner: 'xAPI mailto:ben@example.org' }).outbox.agreed(), false);
});

test('statements that a failing store rejects are sent when the same actor reopens the page for the same registration', async () => {
  const of = agreed(() => 503);
  of.send('a');
  of.send('b');
  await of.wait(0);
  assert.deepEqual([of.unsent, JSON.parse(of.browser.held.get(KEY)).unsent.length], [2, 2]);
  const ben = agreed(() => 200, { browser: of.browser, owner: 'xAPI mailto:ben@example.org' });
  ben.send('c');
  assert.deepEqual(await ben.wait(0), ['c']);
  const next = page(() => 200, { browser: of.browser });
  assert.deepEqual([await next.wait(0), next.unsent], [['a b'], 0]);
  assert.deepEqual(next.said, []);
});

test('a failing store is tried again after growing pauses, regardless of new statements', async () => {
  let status = 503;
  const of = agreed(() => status);
  of.send('a');
  assert.deepEqual(await of.wait(0), ['a']);
  of.send('b');
  of.send('c');
  assert.deepEqual(await of.wait(4999), []);
  assert.deepEqual(await of.wait(1), ['a b c']);
  for (const pause of [10, 20, 40, 80, 160, 320, 600, 600]) {
    assert.deepEqual(await of.wait(1000 * pause - 1), [], `${pause}`);
    assert.deepEqual(await of.wait(1), ['a b c'], `${pause}`);
  }
  assert.deepEqual(of.said, ['The learning record store does not accept your work: it answers 503. This browser keeps your work, ' +
    'and the page tries again.']);
  status = 200;
  await of.wait(600_000);
  assert.deepEqual(of.said.slice(1), ['The learning record store has accepted all your work.']);
  status = 503;
  of.send('d');
  await of.wait(0);
  status = 200;
  assert.deepEqual(await of.wait(5000), ['d'], 'pauses start again');
  assert.equal(of.said.length, 4);
  assert.deepEqual([1, 2, 3, 8, 99].map(pauseAfter), [5000, 10_000, 20_000, 600_000, 600_000]);
});

test('Retry-After is respected, in seconds and as a date, also after the page is reopened', async () => {
  for (const status of [429, 503]) {
    for (const header of ['120', new Date(NOW + 120_000).toUTCString()]) {
      const of = agreed(() => ({ status, retryAfter: header }));
      of.send('a');
      await of.wait(0);
      assert.deepEqual(await of.wait(119_999), [], header);
      const again = page(() => 200, { browser: of.browser, at: of.now });
      assert.deepEqual(await again.wait(0), [], header);
      assert.deepEqual(await again.wait(1), ['a'], header);
    }
  }
  const of = agreed(() => ({ status: 502, retryAfter: '120' }));
  of.send('a');
  await of.wait(0);
  assert.deepEqual(await of.wait(5000), ['a']);
  assert.deepEqual(['7', ' 0 ', '-3', '1.5e3', 'soon', '', 'Thu, 01 Jan 2026 00:01:00 GMT', 'Wed, 31 Dec 2025 00:00:00 GMT', '1e99',
    '9'.repeat(400)].map((text) => retryAfter(text, NOW)), [7000, 0, 0, 0, 0, 0, 60_000, 0, 0, 0]);
  assert.equal(retryAfter('999999999', NOW), 86_400_000);
});

test('a clock that was set back delays statements by at most a day', async () => {
  const of = agreed(() => ({ status: 503, retryAfter: '60' }));
  of.send('a');
  await of.wait(0);
  const again = page(() => 200, { browser: of.browser, at: NOW - 1e10 });
  assert.deepEqual([await again.wait(86_400_000 - 1), await again.wait(1)], [[], []]);
  assert.equal(again.timers.length, 1);
});

for (const status of [400, 413, 422]) {
  test(`a statement refused with ${status} does not block others, and is named`, async () => {
    const of = agreed((list) => (list.includes('bad') ? { status, words: 'Refused', said: 'choices: wrong' } : 200));
    of.send('a', 'b', 'bad', 'c');
    assert.deepEqual(await of.wait(0), ['a b bad c', 'a', 'b', 'bad', 'c']);
    assert.deepEqual([of.said, of.unsent], [[`The learning record store refuses “answered: Weights: bad” permanently: it answers ${status
    } Refused. The page does not send it again. The store’s message: choices: wrong`], 0]);
    of.send('d', 'e');
    assert.deepEqual(await of.wait(0), ['d e']);
  });
}

test('a statement that the store already has counts as accepted', async () => {
  const of = agreed((list) => (list.includes('b') ? 409 : 200));
  of.send('a', 'b');
  assert.deepEqual([await of.wait(0), of.said, of.unsent], [['a b', 'a', 'b'], [], 0]);
});

test('a statement that makes the store fail goes behind the others', async () => {
  const of = agreed((list) => (list.includes('bad') ? 500 : 200));
  of.send('bad', 'a', 'b');
  assert.deepEqual(await of.wait(0), ['bad a b']);
  assert.deepEqual(await of.wait(5000), ['bad']);
  assert.deepEqual(await of.wait(10_000), ['a', 'b', 'bad']);
  of.send('c');
  assert.deepEqual(await of.wait(5000), ['bad c']);
  assert.deepEqual(await of.wait(10_000), ['bad']);
  assert.deepEqual(await of.wait(20_000), ['c', 'bad']);
  assert.deepEqual([of.unsent, of.said.length], [1, 1]);
});

test('a store that denies access or has moved is not tried again until the page is reopened', async () => {
  for (const [status, says] of [
    [401, /denies this page access: it answers 401\. This browser keeps your work until/], [403, /denies this page/],
    [302, /store at the address in the link/], [404, /no learning record store/], [405, /no learning/], [410, /no learning/]]) {
    const of = agreed(() => status);
    of.send('a');
    await of.wait(0);
    of.send('b');
    assert.deepEqual([await of.wait(1e9), of.sent, of.unsent], [[], ['a'], 2], status);
    assert.equal(of.said.length, 1);
    assert.match(of.said[0], says);
    assert.deepEqual(await page(() => 200, { browser: of.browser }).wait(0), ['a b']);
  }
});

test('without storage, statements are still sent, and the page says that it must stay open', async () => {
  let status = 503;
  for (const browser of [full, { getItem() { throw new Error('none'); } }]) {
    status = 503;
    const of = agreed(() => status, { browser });
    of.send('a');
    of.send('b');
    await of.wait(0);
    assert.match(of.said[0], /This browser cannot keep your work, so leave this page open, and the page tries again\.$/);
    status = 200;
    assert.deepEqual([await of.wait(5000), of.unsent], [['a b'], 0]);
  }
});

test('another tab’s statements are not lost, and invalid stored values are ignored', async () => {
  const browser = memory();
  const a = agreed(() => 503, { browser });
  const b = page(() => 503, { browser });
  a.send('a');
  b.send('b');
  await a.wait(0);
  assert.equal(ids(JSON.parse(browser.held.get(KEY)).unsent), 'a b');
  for (const text of ['', 'x', 'null', '[]', '{"unsent":3}', '{"unsent":[1,{"id":2}],"agreed":5,"notBefore":"x"}']) {
    const of = page(() => 200, { browser: memory(new Map([[KEY, text]])) });
    assert.deepEqual([of.outbox.agreed(), of.outbox.unsent()], [false, 0]);
  }
});

test('many statements are sent in parts', async () => {
  const of = agreed(() => 200);
  of.send(...[...Array(120).keys()].map(String));
  assert.deepEqual((await of.wait(0)).map((list) => list.split(' ').length), [50, 50, 20]);
  const large = agreed(() => 200);
  large.outbox.send([1, 2, 3].map((id) => ({ ...statement(`${id}`), more: 'x'.repeat(30_000) })));
  assert.deepEqual(await large.wait(0), ['1', '2', '3']);
  assert.equal(named({ id: 'x' }), 'a statement');
});

/** A fetch with given answers, and the requests it got. */
function fetching(answer) {
  const asked = [];
  return { asked, fetch: async (address, options) => {
    asked.push([address, options]);
    return answer(options);
  } };
}
const request = { endpoint: ENDPOINT, auth: 'Basic x', statements: [statement('a')] };

test('a request meets xAPI’s requirements, and goes nowhere else', async () => {
  const { asked, fetch } = fetching(() => new Response('["a"]'));
  assert.deepEqual(await post(request, fetch), { status: 200, words: '', said: '', retryAfter: '' });
  const [[address, { headers, body, redirect, credentials, keepalive }]] = asked;
  assert.deepEqual([address, redirect, credentials, keepalive], [`${ENDPOINT}statements`, 'manual', 'omit', true]);
  assert.deepEqual(headers, { 'Content-Type': 'application/json', 'X-Experience-API-Version': '1.0.3', Authorization: 'Basic x' });
  assert.deepEqual(JSON.parse(new TextDecoder().decode(body)), request.statements);
  await post({ ...request, auth: '', statements: [{ id: 'a', more: 'ä'.repeat(40_000) }] }, fetch);
  assert.deepEqual([asked[1][1].keepalive, 'Authorization' in asked[1][1].headers], [false, false]);
  assert.equal((await post(request, async () => ({ type: 'opaqueredirect', status: 0 }))).status, 302);
});

test('the store’s answer, or its absence, is reported', async () => {
  const { fetch } = fetching(() => new Response(` wrong\n ${'x'.repeat(300)}`, { status: 429, statusText: 'Too Many Requests',
    headers: { 'Retry-After': '7' } }));
  assert.deepEqual(await post(request, fetch), { status: 429, words: 'Too Many Requests', retryAfter: '7',
    said: `wrong ${'x'.repeat(194)} …` });
  const failing = (error) => post(request, async () => { throw error; });
  assert.match((await failing(new TypeError('Failed to fetch'))).words, /^it cannot be reached, or does not allow requests from this site/);
  assert.deepEqual(await failing(new DOMException('', 'TimeoutError')),
    { status: 0, words: 'it does not answer', said: '', retryAfter: '' });
});
