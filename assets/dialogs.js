// @ts-check
import { element, intend, painted, setText } from './dom.js';
import { dialogHead, openDialog } from './help.js';
import { withSubscripts } from './words.js';

/** @typedef {import('./types.js').Model} Model */

const KINDS = [
  ['png', 'PNG', 'picture, two dots to a pixel', true],
  ['svg', 'SVG', 'picture, any size', true],
  ['pdf', 'PDF', 'picture for print', true],
  ['csv', 'CSV', 'the numbers as a table', false],
  ['json', 'JSON', 'the numbers with all parameters', false],
];

/**
 * The dialog that saves pictures and numbers.
 * @param {HTMLDialogElement} dialog
 * @param {(kind: string, panel: string, progress: (text: string) => void) => Promise<{name: string, type: string, blob: Blob}>} exportFile
 */
export function createExport(dialog, exportFile) {
  const kinds = KINDS.map(([value, label, text, picture]) => ({ picture,
    input: element('input', { type: 'radio', name: 'export-kind', value, checked: value === 'png', onchange: chosen }), label, text }));
  const panel = element('select', { id: 'export-panel' });
  const failure = element('p', { class: 'failure-text', role: 'alert' });
  const save = element('button', { type: 'submit', class: 'primary' }, 'Save');
  const form = element('form', { onsubmit: submit },
    element('fieldset', { class: 'kinds' }, element('legend', {}, 'Kind'),
      ...kinds.map(({ input, label, text }) => (
        element('label', {}, input, element('b', {}, String(label)), element('span', {}, String(text)))))),
    element('div', { class: 'field' }, element('label', { for: 'export-panel' }, 'Panel'), panel), failure,
    element('div', { class: 'dialog-foot' }, save));
  dialog.append(dialogHead(dialog, 'Export'), form);

  const kind = () => kinds.find(({ input }) => input.checked) ?? kinds[0];
  function chosen() {
    panel.disabled = !kind().picture;
  }

  /** @param {Event} e */
  async function submit(e) {
    e.preventDefault();
    save.disabled = true;
    save.textContent = 'Making the file…';
    failure.textContent = '';
    try {
      // Large files take a second or two in one go: the page says so before.
      await painted();
      const { name, blob } = await exportFile(kind().input.value, panel.disabled ? '' : panel.value,
        (text) => setText(save, text));
      const url = URL.createObjectURL(blob);
      const link = element('a', { href: url, download: name });
      link.click();
      // The download reads the bytes after the click returns.
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
      dialog.close();
    } catch (error) {
      failure.textContent = `Nothing was saved: ${error instanceof Error ? error.message : error}`;
    } finally {
      save.disabled = false;
      save.textContent = 'Save';
    }
  }

  return {
    /** @param {Model} model */
    open({ panels }) {
      panel.replaceChildren(element('option', { value: '' }, 'all panels'),
        ...panels.map(({ id, title }) => element('option', { value: id }, withSubscripts(title))));
      failure.textContent = '';
      chosen();
      openDialog(dialog);
    },
  };
}

/**
 * Copies the link to what is shown; where that is refused, shows it to be copied.
 * @param {HTMLDialogElement} dialog
 * @param {(text: string) => void} notice
 */
export function createShare(dialog, notice) {
  const input = element('input', { type: 'text', readonly: true, 'aria-label': 'Link to what is shown', onfocus: () => input.select() });
  const holds = element('p', { hidden: true }, 'It holds your formulas.');
  dialog.append(dialogHead(dialog, 'Share'), element('p', {}, 'This link opens what is shown now. Copy it from here:'), input, holds);
  /** Whether a link holds texts, which the visitor may not expect of it. */
  let withTexts = false;

  return {
    /** @param {Model} model @param {HTMLElement} button */
    update({ scene, params }, button) {
      withTexts = (params.length > 0 ? params : scene?.params ?? []).some(({ type }) => type === 'text');
      holds.hidden = !withTexts;
      button.title = `Copy a link to what is shown${withTexts ? '. The link holds your formulas' : ''}`;
      const words = button.querySelector('[data-holds]');
      if (words instanceof HTMLElement) words.hidden = !withTexts;
    },
    /** @param {string} link @param {HTMLElement} button */
    async copy(link, button) {
      try {
        await navigator.clipboard.writeText(link);
      } catch (refused) {
        input.value = link;
        input.title = `Copying was refused: ${refused}`;
        openDialog(dialog);
        input.select();
        return;
      }
      const label = button.querySelector('[data-label]');
      if (!label) return;
      const before = label.textContent;
      label.textContent = 'Copied';
      button.classList.add('done');
      if (withTexts) notice('The link is copied. It holds your formulas: whoever opens it can read them.');
      else intend(button, 'page:said', { text: 'The link is copied.' });
      setTimeout(() => { label.textContent = before; button.classList.remove('done'); }, 2000);
    },
  };
}
