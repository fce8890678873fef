// @ts-check
// Custom lessons, from the text in a link or from the workshop. Needs no document, so it is tested in node.
import { readHash } from '../shell/hash.js';

/** The name in a link of a lesson's text: base64url of its deflated bytes. */
const CODE = 'lesson64';
/** The maximum size of a code in a link, in characters, and of an unpacked text, in bytes. The page's own lessons have 6,000. */
export const MOST_CODE = 8192;
const MOST_TEXT = 64 << 10;
/** Matches names of custom lessons. Names of the site's own lessons do not begin with own-. */
const NAME = /^own-[a-z0-9]+(-[a-z0-9]+)*$/;

/** @param {ReadableStream<Uint8Array>} stream @param {number} most  bytes */
async function gathered(stream, most) {
  const parts = [];
  let size = 0;
  for (const reader = stream.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(/** @type {Uint8Array<ArrayBuffer>[]} */ (parts));
    size += value.byteLength;
    if (size > most) {
      await reader.cancel();
      throw new Error(`it has more than ${most / 1024} kB, the maximum for a lesson`);
    }
    parts.push(value);
  }
}

/**
 * The code of a lesson's text.
 * @param {string} text
 */
export async function packed(text) {
  const deflated = await gathered(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw')), MOST_TEXT);
  const bytes = new Uint8Array(await deflated.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/**
 * The text of a code.
 * @param {string} code
 */
export async function unpacked(code) {
  let bytes;
  try {
    bytes = Uint8Array.from(atob(code.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
    return await (await gathered(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')), MOST_TEXT)).text();
  } catch (error) {
    throw new Error(`The link’s lesson cannot be read: ${/** @type {Error} */ (error).message}`);
  }
}

/**
 * The name of a code's lesson. Equal texts have equal names, under which the browser stores the progress.
 * @param {string} code
 */
export function nameOf(code) {
  let [a, b] = [0x811c9dc5, 0xdeadbeef];
  for (let i = 0; i < code.length; i++) {
    a = Math.imul(a ^ code.charCodeAt(i), 0x01000193) >>> 0;
    b = Math.imul(b ^ code.charCodeAt(i), 0x85ebca6b) >>> 0;
  }
  return `own-${a.toString(36)}${b.toString(36)}`;
}

/**
 * The part of a link, from "#" on, that opens the lesson of a code.
 * @param {string} scene
 * @param {string} code
 */
export const linkOf = (scene, code) => `#v=1&scene=${encodeURIComponent(scene)}&lesson=${nameOf(code)}:1&${CODE}=${code}`;

/**
 * A link's part from "#" on that opens its lesson at the first step; unchanged if it names no lesson.
 * @param {string} hash
 */
export function firstStep(hash) {
  const link = readHash(hash);
  const [name] = (link.get('lesson') ?? '').split(':');
  if (name === '') return hash;
  const [scene, code] = [link.get('scene'), link.get(CODE)];
  return `#v=1${scene ? `&scene=${encodeURIComponent(scene)}` : ''}&lesson=${encodeURIComponent(name)}:1${code ? `&${CODE}=${code}` : ''}`;
}

/**
 * The lessons from links or from the workshop.
 * @param {(name: string, text: string) => Promise<import('./checker.js').Answer>} compile
 */
export function createOwn(compile) {
  /** @type {Map<string, string>} */
  const codes = new Map();
  /** @type {Map<string, Promise<import('../shell/types.js').Lesson>>} */
  const lessons = new Map();

  /** @param {string} name @param {string} code */
  async function read(name, code) {
    const { lesson, faults } = await compile(name, await unpacked(code));
    if (lesson) return lesson;
    const [{ line, text }] = faults;
    throw new Error(`line ${line} of the lesson in the link: ${text}`);
  }

  return {
    /**
     * Removes the lesson from a link, and remembers it. Returns the rest of the link.
     * @param {string} hash
     */
    take(hash) {
      const link = readHash(hash);
      const code = link.get(CODE);
      if (code === undefined) return hash;
      const [name] = (link.get('lesson') ?? '').split(':');
      if (NAME.test(name) && code.length <= MOST_CODE) codes.set(name, code);
      return hash.split('&').filter((part) => !part.startsWith(`${CODE}=`)).join('&');
    },
    /**
     * The link with the text of its lesson, if the lesson came from a link.
     * @param {string} hash
     */
    withCode(hash) {
      const [name] = (readHash(hash).get('lesson') ?? '').split(':');
      const code = codes.get(name);
      return code === undefined ? hash : `${hash}&${CODE}=${code}`;
    },
    /** @param {import('../shell/types.js').Lesson} lesson  with a unique name */
    put(lesson) {
      lessons.set(lesson.name, Promise.resolve(lesson));
    },
    /**
     * @param {string} name
     * @returns {Promise<import('../shell/types.js').Lesson> | undefined}
     */
    definition(name) {
      const there = lessons.get(name);
      const code = codes.get(name);
      if (there || code === undefined) return there;
      const reading = read(name, code);
      lessons.set(name, reading);
      reading.catch(() => lessons.delete(name));
      return reading;
    },
  };
}
