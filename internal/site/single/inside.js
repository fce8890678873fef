// @ts-check
// The first script of a page that is one file. Its files stand in it as elements data-file="NAME": JSON as it is, or anything
// as base64 of gzip, which the browser unpacks. Modules ask for them through assets/platform/files.js.
{
  const PIECE = 1 << 18; // characters of base64 that are decoded in one go: whole groups of four

  /**
   * The bytes of a file, as they are unpacked.
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
   * A file that a package has beside the page, as gzip.
   * @param {string} name
   */
  const beside = async (name) => {
    const answer = await fetch(`${name}.gz`);
    // Some hosts declare such a file as encoded, and the browser has unpacked it.
    if (!answer.ok || !answer.body || answer.headers.has('content-encoding')) return answer;
    return new Response(answer.body.pipeThrough(new DecompressionStream('gzip')));
  };

  /** @type {import('../../../assets/platform/files.js').Inside} */
  const inside = {
    async get(name) {
      const found = find(name);
      if (!found && hosted) return beside(name);
      if (!found) throw new Error(`this page has no file ${name}`);
      const text = found.textContent.trim();
      return new Response(found.getAttribute('type') === 'application/json' ? text : unpacked(text));
    },
    get stage() {
      return JSON.parse(find('assets/stage.html')?.textContent ?? '""');
    },
    page: hosted ? href.replace(/#.*/s, '') : '',
  };
  // A page on a host shows pictures of scenes while it loads, and names the lessons about one: this one has no pictures,
  // and loads no program before it is asked for.
  Object.assign(window, { paretoplayInside: inside, showPreview: () => {}, nameLessons: () => {}, dropProgram: () => {},
    takeMessages: () => [] });

  // A frame whose sandbox gives every document an origin of its own keeps the page out of its own stage.
  const frame = document.createElement('iframe');
  document.documentElement.append(frame);
  const reached = frame.contentDocument !== null;
  frame.remove();
  if (!reached) {
    document.write('<body><p class="sandboxed">Pareto Playground cannot run in a frame that is sandboxed without ' +
      '<code>allow-same-origin</code>: open this file in a window of its own, or add that to the frame’s sandbox attribute, ' +
      'beside <code>allow-scripts</code>.</p><template>');
  }
}
