// @ts-check Starts to load and compile the program while the page itself is still being read, if the address names a
// scene. On the contents page, it starts when a visitor is about to open a scene. The page names the file, unless the
// program was still being compiled. The stage takes over this load once. A reloaded stage, or a stage after a failed
// load, requests the program anew. If theme-start.js has found that WebGL is missing, this loads the program without
// WebGL, whose file the page does not name.
{
  const here = /** @type {HTMLScriptElement} */ (document.currentScript).src;
  /** @type {Promise<WebAssembly.Module> | undefined} */
  let begun;
  /** @type {(done: number, total: number) => void} */
  let progress = () => {};
  let taken = false;
  const load = new AbortController();

  const { dataset } = document.documentElement;
  /** Whether the program being loaded draws without WebGL. */
  const picture = 'canvas' in dataset;

  const begin = () => {
    // A frame without an origin cannot load modules; sandboxed.js says so.
    if (begun || taken || window.origin === 'null' || !('WebAssembly' in window)) return;
    const root = new URL('../..', here);
    const program = picture ? undefined : /** @type {any} */ (window).arrival.program;
    const answer = program && fetch(new URL(program.wasm, root), { signal: load.signal });
    answer?.catch(() => {}); // handled below
    begun = import(new URL('stage-load.js', here).href)
      .then(({ compile }) => compile(root, (/** @type {number} */ done, /** @type {number} */ total) => progress(done, total), picture,
        program && { site: program, answer }, load.signal));
    begun.catch(() => {}); // the stage tries again, and reports the error
  };

  /** @type {any} */ (window).takeProgram = (/** @type {boolean} */ wanted, /** @type {typeof progress} */ listener) => {
    const found = wanted === picture ? begun : undefined;
    begun = undefined;
    taken = true;
    progress = listener;
    return found;
  };

  /** Stops loading a program that cannot draw here. */
  /** @type {any} */ (window).dropProgram = () => load.abort();

  if (dataset.page === 'scene') begin();
  for (const sign of ['pointerdown', 'pointerover', 'focusin']) {
    document.addEventListener(sign, ({ target }) => {
      if (target instanceof Element && target.closest('#gallery a[href^="#"]')) begin();
    }, { passive: true });
  }
}
