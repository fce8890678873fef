// Tests how the page learns the site's programs: node --test internal/browser/programs_test.mjs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { siteOf, watchSite } from '../../assets/stage/programs.js';

/**
 * Answers requests for site.json during a test with the given answers, one after another, and then repeats the last one.
 * @param {import('node:test').TestContext} t
 * @param {(() => Response)[]} answers
 * @returns {() => number}  the number of requests for the file
 */
function answering(t, answers) {
  let asked = 0;
  t.mock.method(globalThis, 'fetch', async () => answers[Math.min(asked++, answers.length - 1)]());
  return () => asked;
}

const compiling = () => Response.json({ compiling: true });
const ready = () => Response.json({ compiling: false, wasm: 'a.wasm' });

test('all code that waits for a program shares the requests for site.json', async (t) => {
  const asked = answering(t, [compiling, ready]);
  /** @type {string[]} */
  const heard = [];
  const waits = (/** @type {string} */ name) => watchSite(({ wasm }) => {
    heard.push(`${name} ${wasm ?? 'none'}`);
    return wasm !== undefined;
  });
  await Promise.all([waits('a'), waits('b')]);
  // b came during the first request, and got a second answer right after it.
  assert.deepEqual(heard, ['a none', 'a a.wasm', 'b a.wasm']);
  assert.equal(asked(), 2);
});

test('a listener that arrives during a pause gets the file at once, and no request follows when no listener waits', async (t) => {
  const asked = answering(t, [compiling]);
  let looks = 0;
  const waiting = watchSite(() => ++looks === 3);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const since = performance.now();
  await watchSite(() => true);
  assert.ok(performance.now() - since < 300, 'it waited for the end of the pause');
  await waiting;
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.equal(asked(), 3);
});

test('a file that cannot be read and a listener that throws fail alone', async (t) => {
  answering(t, [() => new Response('', { status: 503 }), ready]);
  await assert.rejects(watchSite(() => true), { message: 'the server answered 503', status: 503 });
  const both = await Promise.allSettled([watchSite(() => { throw new Error('mine'); }), watchSite(() => true)]);
  assert.deepEqual(both.map(({ status }) => status), ['rejected', 'fulfilled']);
});

test('a server that does not answer is distinguished from one that refuses', async (t) => {
  t.mock.method(globalThis, 'fetch', () => Promise.reject(new TypeError('no network')));
  await assert.rejects(watchSite(() => true), { message: 'no network', status: 0 });
});

test('the file may lack a further program for now', () => {
  const all = { compiling: false, wasm: 'a.wasm', picture: { compiling: false, wasm: 'p.wasm' } };
  assert.equal(siteOf(all, false).wasm, 'a.wasm');
  assert.equal(siteOf(all, true).wasm, 'p.wasm');
  assert.deepEqual(siteOf(all, 'workshop'), { error: undefined, compiling: true });
  assert.equal(siteOf({ compiling: false, error: 'no Go' }, true).error, 'no Go');
});
