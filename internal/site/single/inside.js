// @ts-check
// Runs as the first script of a single-file page. The page contains its files as elements data-file="NAME": JSON as
// plain text, all others as base64 of gzip, which the browser unpacks. Modules request them through
// assets/platform/files.js.
{
  const PIECE = 1 << 18; // in characters of base64 decoded at a time, in whole groups of four

  /**
   * Returns the bytes of a file as a stream.
   * @param {string} text  base64 of gzip
   */
  const unpacked = (text) => {
    let at = 0;
    return new ReadableStream({
      pull(controller) {
        const bytes = Uint8Array.from(atob(text.slice(at, at + PIECE)), (character) => character.charCodeAt(0));
        at += PIECE;
        controller.enqueue(bytes);
        if (at >= text.length) controller.close();
      },
    }).pipeThrough(new DecompressionStream('gzip'));
  };

  /** @param {string} name */
  const find = (name) => document.querySelector(`script[data-file="${CSS.escape(name)}"]`);

  const { protocol, href } = window.location;
  const hosted = /^https?:$/.test(protocol);

  /**
   * Fetches a gzipped file that a package contains beside the page.
   * @param {string} name
   */
  const beside = async (name) => {
    const answer = await fetch(`${name}.gz`);
    // Some hosts declare such a file as encoded, so the browser has already unpacked it.
    if (!answer.ok || !answer.body || answer.headers.has('content-encoding')) return answer;
    return new Response(answer.body.pipeThrough(new DecompressionStream('gzip')));
  };

  /** @type {import('../../../assets/platform/files.js').Inside} */
  const inside = {
    async get(name) {
      const found = find(name);
      if (!found && hosted) return beside(name);
      if (!found) throw new Error(`this page lacks the file ${name}`);
      const text = found.textContent.trim();
      return new Response(found.getAttribute('type') === 'application/json' ? text : unpacked(text));
    },
    get stage() {
      return JSON.parse(find('assets/stage.html')?.textContent ?? '""');
    },
    page: hosted ? href.replace(/#.*/s, '') : '',
  };
  // A hosted page shows pictures of scenes while it loads, and lists the lessons about a scene. This page has no
  // pictures, and loads a program only on request.
  Object.assign(window, { paretoplayInside: inside, showPreview: () => {}, nameLessons: () => {}, dropProgram: () => {},
    takeMessages: () => [] });

  // A sandboxed frame may give every document a separate origin, so that the page cannot access its own stage.
  const frame = document.createElement('iframe');
  document.documentElement.append(frame);
  const reached = frame.contentDocument !== null;
  frame.remove();
  if (!reached) {
    document.write('<body><p class="sandboxed">Pareto Playground cannot run in a sandboxed frame without ' +
      '<code>allow-same-origin</code>: open this file in a separate window, or add that to the frame’s sandbox attribute, ' +
      'beside <code>allow-scripts</code>.</p><template>');
  }
}
