// @ts-check
// Runs the program that reads and checks lessons in a worker, so that the page stays responsive.
import { compile } from '../stage/stage-load.js';

const SITE = new URL('../..', import.meta.url);

const worker = /** @type {any} */ (self);

/** @type {Promise<any> | undefined} */
let starting;

/** @param {WebAssembly.Module | undefined} module  compiled before, if any */
async function start(module) {
  await import(new URL('../../wasm_exec.js', import.meta.url).href);
  const go = new worker.Go();
  const compiled = module ?? await compile(SITE, (done, total) => worker.postMessage({ loaded: total > 0 ? done / total : 0 }), 'workshop');
  if (!module) worker.postMessage({ module: compiled });
  const ended = () => worker.postMessage({ ended: 'The lesson checker has stopped.' });
  go.run(await WebAssembly.instantiate(compiled, go.importObject)).then(ended, ended);
  if (!worker.paretoplay) throw new Error('the lesson checker stopped while starting');
  return worker.paretoplay;
}

worker.onmessage = async (/** @type {MessageEvent} */ { data: { id, module, verb, args } }) => {
  try {
    starting ??= start(module);
    const program = await starting;
    worker.postMessage({ begun: id });
    worker.postMessage({ id, answer: JSON.parse(program[verb](...args)) });
  } catch (error) {
    starting = undefined; // the next call tries again
    worker.postMessage({ id, error: /** @type {Error} */ (error).message });
  }
};
