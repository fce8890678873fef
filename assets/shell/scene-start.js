// @ts-check Runs when the page has been read up to the picture, before any module loads. It shows the words that decide
// the picture's place, shows the scene's preview there, and loads the document of the live picture. The modules continue
// with the same elements.
{
  const WIDE = 700; // in CSS pixels: from this width on, the canvas and its picture show panels side by side (axes.Narrow)
  const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
  const picture = /** @type {HTMLImageElement} */ (byId('preview'));

  /**
   * Shows a preview in place of the live picture, with every panel in its place. An experiment has a small preview.
   * @param {string} scene
   * @param {string} card  "" for the scene's own picture
   * @param {string} theme
   */
  const show = (scene, card, theme) => {
    const width = picture.parentElement?.clientWidth ?? 0;
    const address = `thumbs/${scene}-${card || (width < WIDE ? 'narrow' : 'wide')}-${theme}.png`;
    picture.classList.toggle('small', card !== '');
    if (picture.getAttribute('src') !== address) picture.src = address;
    picture.hidden = false;
  };
  // A scene without a preview shows only its progress.
  picture.addEventListener('error', () => { picture.hidden = true; });
  /** @type {any} */ (window).showPreview = show;

  /**
   * Lists the lessons about a scene, from the links of the contents page in this document.
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
  /** Messages from that document before a module listens. @type {MessageEvent[]} */
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
    // Reserves the lesson's column before its words arrive.
    byId('scene').classList.toggle('teaching', new URLSearchParams(location.hash.slice(1)).has('lesson'));
    const words = (/** @type {string} */ selector, /** @type {string} */ text) => {
      /** @type {HTMLElement} */ (document.querySelector(selector)).textContent = text;
    };
    words('#scene-title', scene.title);
    words('#heading .question', scene.question);
    words('#introduction .summary', scene.summary);
    words('#introduction .words', scene.try);
    words('#introduction .done', `✓ ${scene.done}`); // its space stays reserved, as for the next experiment
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
