// Runs while the page is read. A frame whose sandbox removes the page's origin can load neither its modules nor its
// program. A sentence then replaces the page. The rest moves into a template, where nothing is loaded or run.
if (window.origin === 'null' && window.location.protocol !== 'file:') {
  document.write('<body><p class="sandboxed">Pareto Playground cannot run in a sandboxed frame without ' +
    '<code>allow-same-origin</code>: ' +
    'add that to the frame’s sandbox attribute, beside <code>allow-scripts</code>.</p><template>');
}
