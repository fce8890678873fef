// @ts-check Runs where the page has been read as far as the picture: shows the words that decide where the picture stands,
// and the picture of the scene in its place, before any module is there, and loads the document of the live one. The
// modules go on with the same elements.
{
  const WIDE = 700; // CSS pixels: from here on the canvas shows panels beside each other, and their picture too (axes.Narrow)
  const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
  const picture = /** @type {HTMLImageElement} */ (byId('preview'));

  /**
   * Shows the picture of a scene in the place of the live one, with every panel where it will be. An experiment has a small one.
   * @param {string} scene
   * @param {string} card  "" for the scene's own
   * @param {string} theme
   */
  const show = (scene, card, theme) => {
    const width = picture.parentElement?.clientWidth ?? 0;
    const address = `thumbs/${scene}-${card || (width < WIDE ? 'narrow' : 'wide')}-${theme}.png`;
    picture.classList.toggle('small', card !== '');
    if (picture.getAttribute('src') !== address) picture.src = address;
    picture.hidden = false;
  };
  // A scene that has no picture shows its progress alone.
  picture.addEventListener('error', () => { picture.hidden = true; });
  /** @type {any} */ (window).showPreview = show;

  /**
   * Names the lessons about a scene, with the links that the contents page in this document has.
   * @param {string} scene
   */
  const nameLessons = (scene) => {
    const line = /** @type {HTMLElement} */ (document.querySelector('#introduction .lessons-about'));
    const links = document.querySelector(`[data-about="${CSS.escape(scene)}"]`);
    line.replaceChildren(...(links?.cloneNode(true).childNodes ?? []), links ? '.' : '');
    line.hidden = !links;
  };
  /** @type {any} */ (window).nameLessons = nameLessons;

  const { scene, whole } = /** @type {any} */ (window).arrival;
  /** What that document said before anybody listened. @type {MessageEvent[]} */
  const early = [];
  const keep = (/** @type {MessageEvent} */ message) => { early.push(message); };
  /** @type {any} */ (window).takeMessages = () => {
    removeEventListener('message', keep);
    return early.splice(0);
  };
  if (scene) {
    addEventListener('message', keep);
    const flat = 'canvas' in document.documentElement.dataset; // as in drawing.js
    /** @type {HTMLIFrameElement} */ (byId('stage')).src = flat ? 'assets/stage.html?canvas' : 'assets/stage.html';
  }
  if (whole) {
    // A lesson's column has its place before its words are there.
    byId('scene').classList.toggle('teaching', new URLSearchParams(location.hash.slice(1)).has('lesson'));
    const words = (/** @type {string} */ selector, /** @type {string} */ text) => {
      /** @type {HTMLElement} */ (document.querySelector(selector)).textContent = text;
    };
    words('#scene-title', scene.title);
    words('#heading .question', scene.question);
    words('#introduction .summary', scene.summary);
    words('#introduction .words', scene.try);
    words('#introduction .done', `✓ ${scene.done}`); // its room is kept, and so is that of the next experiment
    if (scene.next) {
      const next = document.createElement('span');
      next.className = 'next';
      next.textContent = ` Next: ${scene.next}`;
      document.querySelector('#introduction .done')?.append(next);
    }
    nameLessons(scene.id);
    byId('time-row').hidden = !scene.runs;
    byId('scene').classList.add('begun');
    show(scene.id, '', document.documentElement.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
  }
}
