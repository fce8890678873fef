// @ts-check
import { element, intend, painted, setText } from './dom.js';
import { ALONE, inside } from '../platform/files.js';
import { dialogHead, openDialog } from './help.js';
import { BY_SECOND } from '../stage/picture.js';
import { whyNot } from '../stage/recorder.js';
import { withSubscripts } from './words.js';

/** @typedef {import('./types.js').Model} Model */

/** The kinds of files: their names, and the fields below that apply to them. */
const KINDS = [
  { value: 'png', label: 'PNG', text: 'picture at double resolution', fields: ['panel', 'width'] },
  { value: 'svg', label: 'SVG', text: 'picture that scales to any size', fields: ['panel', 'width'] },
  { value: 'pdf', label: 'PDF', text: 'picture for print', fields: ['panel', 'width'] },
  { value: 'gif', label: 'GIF', text: 'clip of a panel, from k = 0 to the marker', fields: ['panel'], runs: true },
  { value: 'webm', label: 'WebM', text: 'video of the picture on screen, from k = 0 to the marker', fields: [], runs: true },
  { value: 'csv', label: 'CSV', text: 'the numbers as a table', fields: [] },
  { value: 'json', label: 'JSON', text: 'the numbers with all parameters', fields: [] },
  { value: 'go', label: 'Go', text: 'program that repeats the run bit for bit', fields: ['method'], runs: true },
  { value: 'python', label: 'Python', text: 'program that needs only numpy', fields: ['method'], runs: true },
  { value: 'log', label: 'Log', text: 'inner products of the selected run’s gradients, for numpy', fields: [] },
];

const WIDTHS = [['', 'as on the screen'], ['85mm', '85 mm, a column'], ['170mm', '170 mm, a page']];

/**
 * Builds the dialog that saves pictures, clips, numbers and programs.
 * @param {HTMLDialogElement} dialog
 * @param {(kind: string, how: import('./types.js').Taking, progress: (text: string) => void) =>
 * Promise<{name: string, type: string, blob: Blob}>} exportFile
 * @param {() => void} giveUp  stops exportFile
 */
export function createExport(dialog, exportFile, giveUp) {
  const kinds = KINDS.map((kind) => ({ ...kind, words: element('span', {}, kind.text),
    input: element('input', { type: 'radio', name: 'export-kind', value: kind.value, checked: kind.value === 'png', onchange: chosen }) }));
  const panel = element('select', { id: 'export-panel' });
  const width = element('select', { id: 'export-width' }, ...WIDTHS.map(([value, label]) => element('option', { value }, label)));
  const method = element('select', { id: 'export-method', onchange: chosen });
  const fields = [['panel', 'Panel', panel], ['width', 'Width on paper, with 8-point text', width], ['method', 'Method', method]]
    .map(([name, label, select]) => ({ name,
      row: element('div', { class: 'field' }, element('label', { for: `export-${name}` }, String(label)), select) }));
  const note = element('p', { class: 'note-facts', id: 'export-note' });
  const failure = element('p', { class: 'failure-text', role: 'alert' });
  const save = element('button', { type: 'submit', class: 'primary' }, 'Save');
  const cancel = element('button', { type: 'button', hidden: true, onclick: giveUp }, 'Cancel');
  const form = element('form', { onsubmit: submit },
    element('fieldset', { class: 'kinds' }, element('legend', {}, 'Kind'),
      ...kinds.map(({ input, label, words }) => element('label', {}, input, element('b', {}, label), words))),
    ...fields.map(({ row }) => row), note, failure,
    element('div', { class: 'dialog-foot' }, cancel, save));
  dialog.append(dialogHead(dialog, 'Export'), form);
  dialog.addEventListener('close', () => { if (making) giveUp(); });

  /** The running methods. @type {import('./types.js').Method[]} */
  let methods = [];
  let making = false;

  const kind = () => kinds.find(({ input }) => input.checked) ?? kinds[0];

  /** Shows the fields of the chosen kind, and marks the methods that have a program in its language. */
  function chosen() {
    const { value, fields: own } = kind();
    for (const { name, row } of fields) row.hidden = !own.includes(String(name));
    panel.options[0]?.replaceChildren(value === 'gif' ? 'the panel in front' : 'all panels');
    note.textContent = '';
    let can = true;
    if (own.includes('method')) {
      for (const option of method.options) {
        const has = methods.find(({ id }) => id === option.value)?.code?.includes(value) ?? false;
        const title = methods.find(({ id }) => id === option.value)?.title ?? option.value;
        setText(option, has ? `${title} ✓` : `${title}: no program`);
      }
      const of = methods.find(({ id }) => id === method.value);
      can = of?.code?.includes(value) ?? false;
      if (!can) note.textContent = value === 'python' && of?.instead ? of.instead : 'This method has no program in this language.';
    }
    save.disabled = making || !can;
  }

  /** @param {Event} e */
  async function submit(e) {
    e.preventDefault();
    making = true;
    save.disabled = true;
    save.textContent = 'Creating the file…';
    failure.textContent = '';
    cancel.hidden = false;
    try {
      // The page shows this before the work starts, because a large file blocks it for a second or two.
      await painted();
      const { value, fields: own } = kind();
      /** @param {string} name @param {HTMLSelectElement} select */
      const of = (name, select) => (own.includes(name) ? select.value : '');
      const { name, blob } = await exportFile(value, { panel: of('panel', panel), width: of('width', width), method: of('method', method) },
        (text) => setText(save, text));
      const url = URL.createObjectURL(blob);
      const link = element('a', { href: url, download: name });
      link.click();
      // The download reads the bytes only after the click returns.
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
      dialog.close();
    } catch (error) {
      failure.textContent = `Nothing was saved: ${error instanceof Error ? error.message : error}`;
    } finally {
      making = false;
      cancel.hidden = true;
      save.textContent = 'Save';
      chosen();
    }
  }

  return {
    /** @param {Model} model */
    open({ panels, scene, state }) {
      panel.replaceChildren(element('option', { value: '' }, 'all panels'),
        ...panels.map(({ id, title }) => element('option', { value: id }, withSubscripts(title))));
      const running = [...new Set(state.runs.map((run) => run.method))];
      methods = running.flatMap((id) => scene?.methods.find((m) => m.id === id) ?? []);
      method.replaceChildren(...methods.map(({ id }) => element('option', { value: id })));
      const selected = state.runs.find(({ name }) => name === state.selected)?.method;
      if (selected) method.value = selected;
      for (const { value, input, words, text, runs } of kinds) {
        let why = runs && methods.length === 0 ? 'this scene has no runs' : value === 'webm' ? whyNot() : '';
        if (value === 'log') why = state.recording ? state.recording.why : 'this scene has no log';
        if (BY_SECOND.has(value)) why = ALONE || why;
        input.disabled = why !== '';
        words.textContent = why || text;
      }
      if (kind().input.disabled) (kinds.find(({ input }) => !input.disabled) ?? kinds[0]).input.checked = true;
      failure.textContent = '';
      chosen();
      openDialog(dialog);
    },
  };
}

/**
 * Returns HTML that shows a link's scene as a picture in another page, and plays the scene when clicked.
 * @param {string} link
 * @param {string} title
 */
export function embedding(link, title) {
  const { href, hash } = new URL(link);
  const address = new URL('embed.html', href.replace(/[?#].*/s, '')).href + hash;
  const attribute = (/** @type {string} */ text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<iframe src="${attribute(address)}" title="${attribute(title)}" width="720" height="480" loading="lazy"`
    + ' style="max-width: 100%"></iframe>';
}

/**
 * Copies the link to the current state, and shows the link with HTML that embeds it in another page.
 * @param {HTMLDialogElement} dialog
 * @param {(text: string) => void} notice
 */
export function createShare(dialog, notice) {
  const said = element('p', { id: 'share-said' });
  const link = element('input', { type: 'text', readonly: true, 'aria-label': 'Link to this view', onfocus: () => link.select() });
  const holds = element('p', { hidden: true }, 'The link contains your formulas: anyone who opens it can read them.');
  const snippet = element('textarea', { readonly: true, rows: 4, spellcheck: 'false', 'aria-label': 'HTML for your own page',
    onfocus: () => snippet.select() });
  const copied = element('span', { role: 'status' });
  const inPage = element('section', {}, element('h3', {}, 'In your own page'),
    element('p', {}, 'This HTML shows a picture of at most 300 kB. A click on the picture plays the scene.'), snippet,
    element('p', {}, element('button', { type: 'button', onclick: () => copySnippet() }, 'Copy the HTML'), ' ', copied));
  dialog.append(dialogHead(dialog, 'Share'), said, link, holds, inPage);
  /** Whether the link contains texts, which the visitor may not expect. */
  let withTexts = false;

  async function copySnippet() {
    try {
      await navigator.clipboard.writeText(snippet.value);
      setText(copied, 'Copied.');
    } catch {
      snippet.select();
      setText(copied, 'The browser refused to copy. Copy the text from the field.');
    }
  }

  /** @param {HTMLElement} button */
  function confirm(button) {
    const label = button.querySelector('[data-label]');
    if (!label || button.classList.contains('done')) return;
    const before = label.textContent;
    label.textContent = 'Copied';
    button.classList.add('done');
    if (withTexts) notice('The link has been copied. It contains your formulas: anyone who opens it can read them.');
    else intend(button, 'page:said', { text: 'The link has been copied.' });
    setTimeout(() => { label.textContent = before; button.classList.remove('done'); }, 2000);
  }

  return {
    /** @param {Model} model @param {HTMLElement} button */
    update({ scene, params }, button) {
      withTexts = (params.length > 0 ? params : scene?.params ?? []).some(({ type }) => type === 'text');
      holds.hidden = !withTexts;
      button.title = `Copy a link to this view${withTexts ? '. The link contains your formulas' : ''}`;
      const words = button.querySelector('[data-holds]');
      if (words instanceof HTMLElement) words.hidden = !withTexts;
    },
    /** @param {string} address @param {string} title  of the linked page @param {HTMLElement} button */
    async copy(address, title, button) {
      link.value = address;
      inPage.hidden = inside !== undefined; // a file has no address that other pages could use
      if (!inside) snippet.value = embedding(address, title);
      setText(copied, '');
      try {
        await navigator.clipboard.writeText(address);
        setText(said, 'This link opens the current view. It has been copied.');
        confirm(button);
      } catch (refused) {
        link.title = `The browser refused to copy: ${refused}`;
        setText(said, 'This link opens the current view. Copy it from here:');
      }
      openDialog(dialog);
      link.select();
    },
  };
}
