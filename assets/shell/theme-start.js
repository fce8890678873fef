// Runs before the first paint, so that a remembered theme, or the page that the address selects, appears from the start.
// In sandboxed embeddings storage is refused: the system's theme applies, and the stage checks anew for WebGL. An
// embedding page requests its own theme in the address.
try {
  const remembered = localStorage.getItem('theme');
  if (remembered === 'light' || remembered === 'dark') document.documentElement.dataset.theme = remembered;
  if (sessionStorage.getItem('webgl') === 'missing') document.documentElement.dataset.canvas = 'missing';
} catch {
  document.documentElement.dataset.storage = 'refused';
}
// The address may request the program that draws without WebGL.
if (new URLSearchParams(location.search).has('canvas')) document.documentElement.dataset.canvas = 'asked';
const wanted = new URLSearchParams(location.search).get('theme');
if (wanted === 'light' || wanted === 'dark') {
  document.documentElement.dataset.theme = wanted;
  document.documentElement.dataset.themed = '';
}
// An address without a hash opens the gallery, or, if embedded, only the first scene.
if (new URLSearchParams(location.search).has('embed')) document.documentElement.dataset.embed = '';
document.documentElement.dataset.page = location.hash.length > 1 || 'embed' in document.documentElement.dataset ? 'scene' : 'gallery';
