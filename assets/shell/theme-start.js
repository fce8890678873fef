// Runs before the first paint, so that a remembered theme, or the page that the address means, does not replace another one visibly. In
// sandboxed embeddings storage is refused: the system's theme is used, and the stage finds out anew whether there is WebGL. An embedding
// page requests its own theme in the address.
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
// An address without a hash is the gallery; embedded, it is the first scene alone.
if (new URLSearchParams(location.search).has('embed')) document.documentElement.dataset.embed = '';
document.documentElement.dataset.page = location.hash.length > 1 || 'embed' in document.documentElement.dataset ? 'scene' : 'gallery';
