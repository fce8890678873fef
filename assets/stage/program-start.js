// @ts-check Begins to load and compile the program while the page itself is still being read,
// if the address names a scene; on the contents page, when a scene is about to be opened. The page
// says which file it is, unless it was being compiled then. The stage takes over this load once; a
// stage that is loaded anew, or finds that this load has failed, asks for the program anew. It is the
// program that draws without WebGL where theme-start.js has found that it is needed: the page does not say which file
// that is.
{
  const here = /** @type {HTMLScriptElement} */ (document.currentScript).src;
  /** @type {Promise<WebAssembly.Module> | undefined} */
  let begun;
  /** @type {(done: number, total: number) => void} */
  let progress = () => {};
  let taken = false;
  const load = new AbortController();

  const { dataset } = document.documentElement;
  /** Whether what is loaded draws without WebGL. */
  const picture = 'canvas' in dataset;

  const begin = () => {
    // A frame without an origin may load no module, and says so (sandboxed.js).
    if (begun || taken || window.origin === 'null' || !('WebAssembly' in window)) return;
    const root = new URL('../..', here);
    const program = picture ? undefined : /** @type {any} */ (window).arrival.program;
    const answer = program && fetch(new URL(program.wasm, root), { signal: load.signal });
    answer?.catch(() => {}); // as below
    begun = import(new URL('stage-load.js', here).href)
      .then(({ compile }) => compile(root, (/** @type {number} */ done, /** @type {number} */ total) => progress(done, total), picture,
        program && { site: program, answer }, load.signal));
    begun.catch(() => {}); // the stage tries again, and says what is wrong
  };

  /** @type {any} */ (window).takeProgram = (/** @type {boolean} */ wanted, /** @type {typeof progress} */ listener) => {
    const found = wanted === picture ? begun : undefined;
    begun = undefined;
    taken = true;
    progress = listener;
    return found;
  };

  /** Ends the load of a program that cannot draw here. */
  /** @type {any} */ (window).dropProgram = () => load.abort();

  if (dataset.page === 'scene') begin();
  for (const sign of ['pointerdown', 'pointerover', 'focusin']) {
    document.addEventListener(sign, ({ target }) => {
      if (target instanceof Element && target.closest('#gallery a[href^="#"]')) begin();
    }, { passive: true });
  }
}
