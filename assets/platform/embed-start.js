// @ts-check Shows the picture of the scene in the address. A click replaces it, within this frame, by the page with the
// program. Until then the embedding page contains only a picture.
{
  const WIDE = 700; // in CSS pixels, as in scene-start.js
  const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
  /** @type {{id: string, title: string, question: string, cards: Record<string, string>}[]} */
  const scenes = JSON.parse(byId('scenes').textContent);
  const link = new URLSearchParams(window.location.hash.slice(1));
  const scene = scenes.find(({ id }) => id === link.get('scene')) ?? scenes[0];
  const card = link.get('card') ?? '';
  const known = Object.hasOwn(scene.cards, card);
  const form = known ? card : window.innerWidth < WIDE ? 'narrow' : 'wide';
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const picture = /** @type {HTMLImageElement} */ (byId('picture'));
  const show = () => {
    const theme = document.documentElement.dataset.theme ?? (dark.matches ? 'dark' : 'light');
    picture.src = `thumbs/${scene.id}-${form}-${theme}.png`;
  };
  dark.addEventListener('change', show);
  show();
  byId('title').textContent = known ? scene.cards[card] : scene.title;
  byId('heading').textContent = scene.title;
  byId('question').textContent = scene.question;
  document.title = `${scene.title} – Pareto Playground`;
  const play = byId('play');
  play.hidden = false;
  const { themed, theme } = document.documentElement.dataset;
  const also = themed === undefined ? '' : `&theme=${theme}`; // the embedding page's theme
  play.addEventListener('click', () => window.location.replace(`./?embed${also}${window.location.hash}`));
  // As on the page, a visitor who came here by a key can continue in the embedding page.
  window.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || window.parent === window) return;
    play.blur();
    window.parent.focus();
  });
}
