// Tests codes of classes against the Go package's vectors: node --test internal/browser/class_test.mjs
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { check, crc32, decode, encode, fold, isCut, numberOf, tag, tidy } from '../../assets/class/codes.js';

const vectors = JSON.parse(readFileSync(new URL('../../internal/teach/class/testdata/vectors.json', import.meta.url), 'utf8'));

test('codes are written and read as in Go', () => {
  for (const of of vectors.codes) {
    const code = { class: tag(fold(of.class)), lesson: tag(of.lesson), steps: of.steps, name: of.name };
    assert.equal(encode(code), of.code, of.what);
    assert.deepEqual(decode(of.code), code, of.what);
  }
  for (const same of vectors.same) assert.equal(encode(decode(same)), vectors.codes[0].code);
});

test('names are reduced to what codes can hold', () => {
  for (const [typed, held] of vectors.names) assert.equal(tidy(typed), held);
  assert.throws(() => encode({ class: 1, lesson: 1, steps: vectors.codes[0].steps, name: ' Ana' }), /“ Ana” is not a valid name/);
  assert.throws(() => encode({ class: 1, lesson: 1, steps: [], name: 'Ana' }), /1 to 31 steps/);
});

test('invalid codes are refused with the same messages', () => {
  for (const { text, why } of vectors.refused) assert.throws(() => decode(text), { message: why }, text);
});

test('lists of codes get the same results', () => {
  for (const { what, class: ofClass, lessons, text, lines } of vectors.lists) {
    assert.deepEqual(check(text, ofClass, lessons ?? []), lines ?? [], what);
  }
});

test('students draw different numbers, and the same ones every time', () => {
  assert.equal(crc32('123456789'), 0xcbf43926); // the check value of CRC-32
  assert.equal(numberOf('Bio 3', 'Ana  Lima'), numberOf(' bio 3', 'ana lima'));
  const numbers = new Set(['Ana', 'Ben', 'Cem', 'Ana'].map((name) => numberOf('bio 3', name)).concat(numberOf('bio 4', 'Ana')));
  assert.equal(numbers.size, 4);
});

test('a name is shortened if codes have no room for it', () => {
  for (const name of ['Ana', ' Zoë   Lima ', 'x'.repeat(24), '😀'.repeat(15), 'A\u200dna']) assert.equal(isCut(name), false, name);
  for (const name of ['x'.repeat(25), '😀'.repeat(16), 'Wolfgang-Alexander Müller-Lüdenscheidt']) assert.equal(isCut(name), true, name);
});
