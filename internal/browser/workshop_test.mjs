// Tests the workshop's logic, and lessons in links, without a document: node --test internal/browser/workshop_test.mjs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { MOST_CODE, createOwn, firstStep, linkOf, nameOf, packed, unpacked } from '../../assets/lesson/own-lesson.js';
import { singleFile } from '../../assets/platform/single-file.js';
import { BEGINNING, asWritten, fitting, lineAt, slug, stepAt, wordAt } from '../../assets/lesson/workshop-text.js';

test('a lesson survives encoding, and invalid codes are refused', async () => {
  const code = await packed(BEGINNING);
  assert.match(code, /^[\w-]+$/);
  assert.equal(await unpacked(code), BEGINNING);
  assert.equal(nameOf(code), nameOf(code));
  assert.notEqual(nameOf(code), nameOf(`${code}A`));
  assert.match(nameOf(code), /^own-[a-z0-9]+$/);
  await assert.rejects(unpacked('A A'), /cannot be read/);
  await assert.rejects(unpacked('AAAA'), /cannot be read/);
  // A short link may contain a long text, which is not unpacked completely.
  const long = await packed('Some words. '.repeat(6000));
  assert.ok(long.length < 600);
  await assert.rejects(unpacked(long), /cannot be read: it has more than 64 kB/);
  assert.equal((await unpacked(await packed('Some words. '.repeat(5000)))).length, 60000);
});

test('a lesson is read from a link and written back', async () => {
  const code = await packed(BEGINNING);
  let asked = 0;
  const own = createOwn(async (name, text) => {
    asked++;
    return text === BEGINNING ? { lesson: { name }, faults: [] } : { lesson: null, faults: [{ line: 3, text: 'no' }] };
  });
  const link = linkOf('lab', code);
  const name = nameOf(code);
  assert.equal(own.take(link), `#v=1&scene=lab&lesson=${name}:1`);
  assert.equal(own.withCode(`#v=1&lesson=${name}:2&k=3`), `#v=1&lesson=${name}:2&k=3&lesson64=${code}`);
  assert.equal(own.withCode('#v=1&lesson=01-conflict:2'), '#v=1&lesson=01-conflict:2');
  assert.deepEqual(await own.definition(name), { name });
  await own.definition(name);
  assert.equal(asked, 1);
  assert.equal(own.definition('own-other'), undefined);
  // The site's own lessons keep their names, and a long code is not a lesson.
  own.take(`#lesson=01-conflict:1&lesson64=${code}`);
  own.take(`#lesson=own-long:1&lesson64=${'A'.repeat(MOST_CODE + 1)}`);
  assert.equal(own.definition('01-conflict'), undefined);
  assert.equal(own.definition('own-long'), undefined);
  own.take(`#lesson=own-bad:1&lesson64=${await packed('other')}`);
  await assert.rejects(own.definition('own-bad'), /line 3 of the lesson in the link: no/);
});

test('the workshop finds the caret’s context', () => {
  const text = '---\ntitle: A\n---\n\n## One\n\ngoal: Do. `angle(1,2) > 9`\n\n## Two\n\nthen: It is {ang} and `a` b\n';
  assert.equal(stepAt(text, 3), 1);
  assert.equal(stepAt(text, text.indexOf('goal')), 1);
  assert.equal(stepAt(text, text.length), 2);
  assert.equal(wordAt(text, text.indexOf('gle(')), 'an');
  assert.equal(wordAt(text, text.indexOf(',2)')), 'angle(1');
  assert.equal(wordAt(text, text.indexOf(' > 9')), '');
  assert.equal(wordAt(text, text.indexOf('oal:')), undefined);
  assert.equal(wordAt(text, text.indexOf('} and')), 'ang');
  assert.equal(wordAt(text, text.indexOf(' b\n')), undefined);
  assert.deepEqual(lineAt('ab\ncde\n', 2), [3, 6]);
  assert.deepEqual(lineAt('ab', 7), [3, 3]);
});

test('names that start with a word come before names that contain it', () => {
  const names = ['param("angle")', 'angle(1,2)', 'angle(1,3)', 'ended'].map((name) => ({ name, value: '' }));
  assert.deepEqual(fitting(names, 'ang', 8).map(({ name }) => name), ['angle(1,2)', 'angle(1,3)', 'param("angle")']);
  assert.deepEqual(fitting(names, 'ang', 1).map(({ name }) => name), ['angle(1,2)']);
  assert.deepEqual(fitting(names, 'ended', 8), []);
  assert.equal(asWritten('angle.1.2'), 'angle(1,2)');
  assert.equal(asWritten('meanHarm'), 'meanHarm');
});

test('a file is named after its lesson', () => {
  assert.equal(slug('title: Über Gewichte, die fehlen!\n'), 'uber-gewichte-die-fehlen');
  assert.equal(slug('title: ∇\n'), 'my-lesson');
  assert.match(slug(`title: ${'a b '.repeat(40)}\n`), /^[a-z-]{1,40}[^-]$/);
});

test('a single-file page has the lesson and the files of the site', async () => {
  const element = (name, text = '') => `<script type="application/gzip" data-file="${name}">${text}</script>`;
  const inside = ['paretoplay.wasm', 'picture.wasm', 'scenes.json'].map((name) => element(name)).join('');
  const files = { 'single.html': `<body><!-- lessons -->${inside}</body>`,
    'site.json': JSON.stringify({ wasm: 'paretoplay-1.wasm', picture: { wasm: 'picture-2.wasm' } }),
    'paretoplay-1.wasm': 'asm'.repeat(50_000), 'picture-2.wasm': 'flat', 'scenes.json': '[]' };
  const get = async (name) => new Response(files[name], { status: name in files ? 200 : 404 });
  const shares = [];
  const lesson = { name: 'own-1', title: 'A </script> $&', steps: [{}, {}] };
  const page = await singleFile(get, lesson, (share) => shares.push(share));
  const found = Object.fromEntries([...page.matchAll(/<script type="([^"]+)" data-file="([^"]+)">([^<]*)<\/script>/g)]
    .map(([, type, name, text]) => [name,
      type === 'application/json' ? JSON.parse(text) : gunzipSync(Buffer.from(text, 'base64')).toString()]));
  assert.deepEqual(found['site.json'], { wasm: 'paretoplay.wasm', wasmBytes: 150_000, compiling: false,
    picture: { wasm: 'picture.wasm', wasmBytes: 4, compiling: false } });
  assert.deepEqual(found['lessons.json'], [{ ...lesson, steps: 2 }]);
  assert.deepEqual(found['lessons/own-1.json'], lesson);
  assert.equal(found['paretoplay.wasm'], files['paretoplay-1.wasm']);
  assert.equal(found['picture.wasm'], 'flat');
  assert.equal(found['scenes.json'], '[]');
  assert.equal(shares.length, 3);
  assert.ok(shares.every((share, i) => share === i / 3));
  delete files['scenes.json'];
  await assert.rejects(singleFile(get, lesson, () => {}), /404 for scenes.json/);
  files['site.json'] = JSON.stringify({ wasm: 'paretoplay-1.wasm', picture: { compiling: true } });
  await assert.rejects(singleFile(get, lesson, () => {}), /no compiled programs yet/);
});

test('another student starts a link at the first step of its lesson', () => {
  assert.equal(firstStep('#v=1&scene=blocks&lesson=10-blocks:4&m=1%2C1%2C2&k=400'), '#v=1&scene=blocks&lesson=10-blocks:1');
  assert.equal(firstStep('#v=1&scene=lab&lesson=own-1a:2&lesson64=abc&k=3'), '#v=1&scene=lab&lesson=own-1a:1&lesson64=abc');
  assert.equal(firstStep('#v=1&scene=blocks&k=400'), '#v=1&scene=blocks&k=400');
  assert.equal(firstStep(''), '');
});
