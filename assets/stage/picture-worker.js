// @ts-check
// Runs the second program in a worker, so that the page stays responsive while a file is created. The worker restores a
// link's state and draws a picture of it.
import { sendParts } from './paste-parts.js';
import { WORK_DONE, answerOf, callProgram, checked, gather } from './program-call.js';
import { compile } from './stage-load.js';

const SITE = new URL('../..', import.meta.url);
const WORK_SLICE = 100; // in milliseconds between two progress messages

const worker = /** @type {any} */ (self);

/** @type {Promise<import('./stage.js').Program> | undefined} */
let starting;
/** The program's state, if an order has set it. */
let shown = '';

/** @param {string} text */
const tell = (text) => worker.postMessage({ progress: text });

async function start() {
  await import(new URL('../../wasm_exec.js', import.meta.url).href);
  const go = new worker.Go();
  let told = -1;
  const module = await compile(SITE, (done, total) => {
    const share = Math.floor((100 * done) / total);
    if (share === told || !(share <= 100)) return;
    told = share;
    tell(`Loading the program for pictures: ${share} %`);
  }, true);
  const ended = () => worker.postMessage({ ended: true, error: 'The program for pictures has stopped. Try again.' });
  go.run(await WebAssembly.instantiate(module, go.importObject)).then(ended, ended);
  if (!worker.paretoplay) throw new Error('The program for pictures stopped while starting.');
  return worker.paretoplay;
}

/**
 * @param {import('./stage.js').Program} program
 * @param {string} verb
 * @param {object} args
 */
const callNow = (program, verb, args) => callProgram(program, verb, JSON.stringify(args));

/** Names the work in progress, for kinds that create no file. @type {Record<string, string>} */
const DOING = { try: 'Trying each value', compare: 'Comparing' };

/** The work in progress, in words for the visitor. */
let doing = '';

/**
 * Calls a verb and completes its pending work.
 * @param {import('./stage.js').Program} program
 * @param {string} verb
 * @param {object} args
 */
async function call(program, verb, args) {
  const result = callNow(program, verb, args);
  for (;;) {
    const left = checked(program.work(WORK_SLICE));
    if (left === WORK_DONE) return result;
    if (left >= 0) tell(`${doing}: ${Math.floor(100 * left)} %`);
  }
}

/** @param {import('./picture.js').Order} order */
async function make({ hash, theme, data, measured, kind, how, page }) {
  doing = DOING[kind] ?? 'Computing the runs for the file';
  starting ??= start();
  const program = await starting;
  const wanted = JSON.stringify([hash, data?.sha256, measured]);
  if (wanted !== shown) {
    shown = '';
    if (measured === null) {
      await call(program, 'load', { state: hash });
    } else {
      // Further work would measure again, or measure more than the page shows.
      callNow(program, 'load', { state: hash });
      callNow(program, 'measure', { part: measured });
    }
    const { needs } = callNow(program, 'state', {});
    if (needs) {
      const response = await fetch(new URL(needs, page));
      if (!response.ok) throw new Error(`${needs}: the server answered ${response.status}`);
      await sendParts(await response.blob(), '', (args) => call(program, 'supply', { id: needs, ...args }), () => {});
    }
    if (data) await sendParts(data.blob, data.from, (args) => call(program, 'paste', args), () => {}, data.choose);
    callNow(program, 'arrived', {}); // this program needs no undo
    shown = wanted;
  }
  callNow(program, 'theme', { name: theme });
  tell(DOING[kind] ? `${DOING[kind]}…` : 'Creating the file…');
  if (kind.startsWith('try')) await call(program, 'tryAll', { name: how.param });
  if (kind === 'compare') await call(program, 'compare', { methods: how.methods, seeds: how.seeds });
  const { take, file } = gather();
  if (kind !== 'gif') {
    let answer = answerOf(program.beginFile(kind, how.panel, page, how.width, how.method, take));
    while (answer.rests) {
      checked(program.work(WORK_SLICE));
      answer = answerOf(program.outcome());
    }
    return file(answer.result);
  }
  for (;;) {
    const drawn = answerOf(program.drawClip(how.panel, take)).result;
    if (typeof drawn !== 'number') return file(drawn);
    tell(`Drawing the clip: ${Math.floor(100 * drawn)} %`);
  }
}

worker.onmessage = async (/** @type {MessageEvent} */ { data }) => {
  try {
    worker.postMessage({ file: await make(data) });
  } catch (error) {
    const began = starting !== undefined && (await starting.then(() => true, () => false));
    worker.postMessage({ error: /** @type {Error} */ (error).message, ended: !began });
  }
};
