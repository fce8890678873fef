// Runs before the first paint, so that a remembered theme does not flash the
// other one. Storage is refused in sandboxed embeddings: the system's theme holds.
try {
  const remembered = localStorage.getItem('theme');
  if (remembered === 'light' || remembered === 'dark') document.documentElement.dataset.theme = remembered;
} catch {
  document.documentElement.dataset.storage = 'refused';
}
