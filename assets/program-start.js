// @ts-check Begins to load and compile the program while the page itself is still being read,
// if the address names a scene; on the contents page, when a scene is about to be opened. The page
// says which file it is, unless it was being compiled then. The stage takes over this load once; a
// stage that is loaded anew, or finds that this load has failed, asks for the program anew.
{
  const here = /** @type {HTMLScriptElement} */ (document.currentScript).src;
  /** @type {Promise<WebAssembly.Module> | undefined} */
  let begun;
  /** @type {(done: number, total: number) => void} */
  let progress = () => {};
  let taken = false;

  const begin = () => {
    // A frame without an origin may load no module, and says so (sandboxed.js).
    if (begun || taken || window.origin === 'null' || !('WebAssembly' in window)) return;
    const root = new URL('..', here);
    const { program } = /** @type {any} */ (window).arrival;
    const answer = program && fetch(new URL(program.wasm, root));
    answer?.catch(() => {}); // as below
    begun = import(new URL('stage-load.js', here).href)
      .then(({ compile }) => compile(root, (/** @type {number} */ done, /** @type {number} */ total) => progress(done, total), false,
        program && { site: program, answer }));
    begun.catch(() => {}); // the stage tries again, and says what is wrong
  };

  /** @type {any} */ (window).takeProgram = (/** @type {typeof progress} */ listener) => {
    const found = begun;
    begun = undefined;
    taken = true;
    progress = listener;
    return found;
  };

  if (document.documentElement.dataset.page === 'scene') begin();
  for (const sign of ['pointerdown', 'pointerover', 'focusin']) {
    document.addEventListener(sign, ({ target }) => {
      if (target instanceof Element && target.closest('#gallery a[href^="#"]')) begin();
    }, { passive: true });
  }
}
