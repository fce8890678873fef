// Runs while the page is read. A frame whose sandbox takes the page's origin away can
// load neither its modules nor its program: one sentence takes the place of the page,
// and the rest goes into a template, where nothing is fetched or run.
if (window.origin === 'null' && window.location.protocol !== 'file:') {
  document.write('<body><p class="sandboxed">Pareto Playground cannot run in a frame that is sandboxed without ' +
    '<code>allow-same-origin</code>: ' +
    'add that to the frame’s sandbox attribute, beside <code>allow-scripts</code>.</p><template>');
}
