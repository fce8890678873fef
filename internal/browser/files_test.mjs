// Tests how a visitor's file reaches the program: node --test internal/browser/files_test.mjs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packed } from '../../assets/controls/folder.js';
import { sendParts } from '../../assets/stage/paste-parts.js';

const PART = 3 << 16; // bytes, as in paste-parts.js

/** Sends a file, checks its parts, and returns them with all their bytes. */
async function sent(blob, from = '') {
  const parts = [];
  const shares = [];
  const answer = await sendParts(blob, from, async (part) => { parts.push(part); return parts.length; }, (share) => shares.push(share));
  assert.equal(answer, parts.length); // the last part's answer
  assert.deepEqual(parts.map(({ first }) => first), parts.map((_, i) => i === 0));
  assert.deepEqual(parts.map(({ last }) => last), parts.map((_, i) => i === parts.length - 1));
  assert.ok(parts.every((part) => part.from === from));
  assert.equal(shares.at(-1), 1);
  assert.ok(shares.every((share, i) => share > (shares[i - 1] ?? 0) && share <= 1));
  const bytes = Buffer.concat(parts.map(({ part, base64 }) => Buffer.from(part, base64 ? 'base64' : 'utf8')));
  return { parts, bytes };
}

/** Returns some arbitrary bytes that begin like a zip, or with the given bytes. */
function binary(length, begins = [0x50, 0x4b, 0x03, 0x04]) {
  return new Uint8Array(length).map((_, i) => begins[i] ?? (i * 7919 + (i >> 8)) % 256);
}

test('a binary file is sent in base64, whatever its size', async () => {
  for (const length of [4, 5, 6, 7, 100, 0x8000, 0x8001, PART - 1, PART, PART + 1, PART + 2, 2 * PART, 3 * PART - 2, 3 * PART + 4]) {
    const file = binary(length);
    const { parts, bytes } = await sent(new Blob([file]));
    assert.ok(parts.every(({ base64 }) => base64), `${length} bytes`);
    assert.equal(parts.length, Math.ceil(length / PART));
    assert.ok(Buffer.from(file).equals(bytes), `${length} bytes`);
    // Each part is complete, and only the last may be padded, because the program reads one part after another.
    for (const { part, last } of parts) {
      assert.equal(part.length % 4, 0);
      assert.ok(last || !part.endsWith('='));
    }
    assert.equal(parts.at(-1).part.endsWith('='), length % 3 !== 0);
  }
});

test('an npy file is binary too, and the sender gets the answer', async () => {
  const file = binary(1000, [0x93, 0x4e, 0x55, 0x4d]);
  const { parts, bytes } = await sent(new Blob([file]), 'https://example.org');
  assert.equal(parts.length, 1);
  assert.ok(parts[0].base64 && Buffer.from(file).equals(bytes));
});

test("trackers' files are binary too: W&B's, and TensorBoard's, which starts with a length", async () => {
  for (const begins of [[0x3a, 0x57, 0x26, 0x42, 0xe1, 0xbe], [0x48, 0, 0, 0, 0, 0, 0, 0], [0x18, 0x27, 0x31, 0, 0, 0, 0, 0]]) {
    const file = binary(1000, begins);
    const { parts, bytes } = await sent(new Blob([file]));
    assert.ok(parts[0].base64 && Buffer.from(file).equals(bytes));
  }
});

test('a folder is packed without files from other sources, in a fixed order', async () => {
  const inside = (name, text) => ({ name, file: new Blob([text]) });
  const files = [inside('run/metrics/loss/ü', '1 2 3'), inside('run/checkpoint.bin', 'x'.repeat(1000)),
    inside('run/metrics/gramian/0_0', '4 5 6'), inside('run/events.out.tfevents.1.host', '7'), inside('w/run-a.wandb', '8'),
    inside('lightning/metrics.csv', '9'), inside('my_metrics.csv', '10')];
  const zip = Buffer.from(await packed(files).arrayBuffer());
  assert.ok(zip.equals(Buffer.from(await packed([...files].reverse()).arrayBuffer())));
  const names = [...zip.toString('utf8').matchAll(/PK\x01\x02.{42}([^P]*)/gs)].map(([, name]) => name);
  assert.deepEqual(names, ['lightning/metrics.csv', 'run/events.out.tfevents.1.host', 'run/metrics/gramian/0_0', 'run/metrics/loss/ü',
    'w/run-a.wandb']);
  assert.throws(() => packed([files[1]]), /no file from TensorBoard/);
});

test('text stays text, with its byte order mark and with letters that a part boundary divides', async () => {
  for (const text of ['', 'PK', '1,2\n3,4', '\ufeff1,2', `${'x'.repeat(PART - 1)}ü${'y'.repeat(PART)}€`]) {
    const { parts, bytes } = await sent(new Blob([text]));
    assert.ok(parts.every(({ base64 }) => !base64));
    assert.equal(parts.map(({ part }) => part).join(''), text);
    assert.equal(bytes.toString('utf8'), text);
  }
});

test('a refusal stops sending the file', async () => {
  let calls = 0;
  await assert.rejects(sendParts(new Blob([binary(3 * PART)]), '', async () => {
    calls++;
    if (calls === 2) throw new Error('no log');
  }, () => {}), /no log/);
  assert.equal(calls, 2);
});
