// @ts-check
// Builds a single-file page from the site's single.html, like internal/site/single.go. Node can test it.

/** The names of the programs in such a page: the page's first program, and the one that draws without WebGL. */
const FIRST = 'paretoplay.wasm';
const PICTURE = 'picture.wasm';
const PIECE = 3 << 13; // bytes encoded at a time, in whole groups of three

/** @param {Uint8Array} bytes */
function base64(bytes) {
  const pieces = [];
  for (let at = 0; at < bytes.length; at += PIECE) pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE))));
  return pieces.join('');
}

/** Returns JSON that is safe inside an element. @param {unknown} value */
const json = (value) => JSON.stringify(value).replaceAll('<', '\\u003c');

/**
 * Builds a page with one lesson that needs no host.
 * @param {(address: string) => Promise<Response>} get  a file of the site
 * @param {import('../shell/types.js').Lesson} lesson
 * @param {(share: number) => void} progress  from 0 to 1
 */
export async function singleFile(get, lesson, progress) {
  /** @param {string} address */
  const read = async (address) => {
    const answer = await get(address);
    if (!answer.ok || !answer.body) throw new Error(`the server answered ${answer.status} for ${address}`);
    return answer;
  };
  const template = await (await read('single.html')).text();
  const { wasm, picture } = await (await read('site.json')).json();
  if (!wasm || !picture?.wasm) throw new Error('the site has no compiled programs yet');
  /** @type {Record<string, string>} */
  const programs = { [FIRST]: wasm, [PICTURE]: picture.wasm };
  const parts = template.split(/(<script type="application\/gzip" data-file=")([^"]+)("><\/script>)/);
  const files = parts.filter((_, i) => i % 4 === 2);
  /** @type {Record<string, number>} */
  const sizes = {};
  /** @type {Map<string, string>} */
  const packed = new Map();
  for (const name of files) {
    progress(packed.size / files.length);
    let size = 0;
    const counted = /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ ((await read(programs[name] ?? name)).body)
      .pipeThrough(new TransformStream({ transform(chunk, controller) { size += chunk.byteLength; controller.enqueue(chunk); } }));
    const bytes = await new Response(counted.pipeThrough(new CompressionStream('gzip'))).arrayBuffer();
    packed.set(name, base64(new Uint8Array(bytes)));
    sizes[name] = size;
  }
  const { steps, ...head } = lesson;
  const site = { wasm: FIRST, wasmBytes: sizes[FIRST], compiling: false,
    picture: { wasm: PICTURE, wasmBytes: sizes[PICTURE], compiling: false } };
  const plain = { 'site.json': site, 'lessons.json': [{ ...head, steps: steps.length }], [`lessons/${lesson.name}.json`]: lesson };
  const lessons = Object.entries(plain)
    .map(([name, value]) => `<script type="application/json" data-file="${name}">${json(value)}</script>`).join('\n');
  return parts.map((part, i) => {
    if (i % 4 === 3) return `">${packed.get(parts[i - 1])}</script>`;
    return i % 4 === 0 ? part.replace('<!-- lessons -->', () => lessons) : part;
  }).join('');
}
