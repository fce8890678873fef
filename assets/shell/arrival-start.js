// @ts-check Runs before anything else loads, so that a visitor who opens a scene sees its picture first; the program
// loads slowest. index.html contains the places of both. scene-start.js and program-start.js continue from here.
{
  const { scenes, program } = JSON.parse(/** @type {HTMLElement} */ (document.getElementById('arrival')).textContent ?? '');
  const page = document.documentElement;
  const link = new URLSearchParams(location.hash.slice(1));
  const named = location.hash.length > 1 ? scenes.find((/** @type {{id: string}} */ { id }) => id === link.get('scene')) : scenes[0];

  /** The scene that the page opens with; undefined on the contents page. */
  const scene = page.dataset.page === 'scene' && window.origin !== 'null' ? named : undefined;
  /** Whether the page shows the scene's own words and picture; an experiment's words arrive later. */
  const whole = scene !== undefined && !link.get('card');
  Object.assign(window, { arrival: { scene, whole, program } });

  if (whole) {
    // The stage's width, as in layout.css. scene-start.js measures it.
    const wide = matchMedia('(min-width: 1200px)').matches;
    const beside = wide ? 272 : matchMedia('(min-width: 700px) and (orientation: landscape)').matches ? 232 : 0;
    const lesson = link.has('lesson') && beside > 0 ? wide ? 344 : 280 : 0;
    const form = innerWidth - ('embed' in page.dataset ? 0 : beside + lesson) < 700 ? 'narrow' : 'wide';
    const theme = page.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
    const picture = new Image();
    picture.fetchPriority = 'high';
    picture.src = `thumbs/${scene.id}-${form}-${theme}.png`;
  }
}
