// @ts-check
import { element, setIndexed, setText } from '../shell/dom.js';
import { dialogHead, openDialog } from '../shell/help.js';
import { chosen, droppedFolders, packed } from './folder.js';

/** @typedef {import('../shell/types.js').Model} Model */

/** File extensions of tables and arrays. */
const TABLES = '.csv,.tsv,.txt,.dat,.json,.jsonl,.npz,.npy,text/csv,application/json';

/**
 * Builds the button for the visitor's own data, and its dialog.
 * @param {HTMLElement} root
 * @param {HTMLDialogElement} dialog
 * @param {(blob: Blob, progress: (share: number) => void, choose: import('../stage/paste-parts.js').Choice) => Promise<void>} show
 */
export function createPaste(root, dialog, show) {
  const open = element('button', { type: 'button', id: 'paste', onclick: begin });
  const state = element('p', { class: 'own-data-state' });
  root.append(open, state);

  const text = element('textarea', { id: 'paste-text', rows: 8, spellcheck: 'false', autocomplete: 'off',
    'aria-describedby': 'paste-form' });
  const file = element('input', { type: 'file', id: 'paste-file', onchange: () => choosing(folder), accept: TABLES });
  const folder = element('input', { type: 'file', id: 'paste-folder', webkitdirectory: '', onchange: () => choosing(file) });
  const part = element('input', { type: 'text', id: 'paste-part', autocomplete: 'off', 'aria-describedby': 'paste-part-form' });
  const bar = element('progress', { max: 1, value: 0, 'aria-label': 'Reading', hidden: true });
  const failure = element('p', { class: 'failure-text', role: 'alert' });
  const go = element('button', { type: 'submit', class: 'primary' }, 'Show');
  const form = element('p', { id: 'paste-form' });
  const folderField = element('div', { class: 'field' }, element('label', { for: 'paste-folder' }, 'or a folder'), folder);
  const partLabel = element('label', { for: 'paste-part' });
  const partForm = element('p', { id: 'paste-part-form' });
  const head = dialogHead(dialog, '');
  dialog.append(head, element('form', { onsubmit: submit },
    form,
    element('div', { class: 'field' }, element('label', { for: 'paste-text' }, 'Text'), text),
    element('div', { class: 'field' }, element('label', { for: 'paste-file' }, 'or a file'), file),
    folderField, element('div', { class: 'field' }, partLabel, part), partForm,
    bar, failure, element('div', { class: 'dialog-foot' }, go)));

  /**
   * A dropped file that the scene does not show yet, because the visitor must choose a part or an order of names.
   * @type {Blob|undefined}
   */
  let dropped;

  /** Whether the scene needs an order of names and reads folders. */
  let ordered = false;

  /**
   * Keeps only the latest choice.
   * @param {HTMLInputElement} other
   */
  function choosing(other) {
    other.value = '';
    dropped = undefined;
  }

  function begin() {
    failure.textContent = '';
    dropped = undefined;
    openDialog(dialog);
  }

  /** @param {Event} e */
  async function submit(e) {
    e.preventDefault();
    go.disabled = true;
    failure.textContent = '';
    bar.value = 0;
    bar.hidden = false;
    try {
      const blob = file.files?.[0] ?? (folder.files?.length ? packed(chosen(folder.files)) : dropped ?? new Blob([text.value]));
      await show(blob, (share) => { bar.value = share; }, choice());
      file.value = '';
      folder.value = '';
      part.value = '';
      dialog.close();
    } catch (error) {
      failure.textContent = `Nothing was shown: ${error instanceof Error ? error.message : error}`;
    } finally {
      go.disabled = false;
      bar.hidden = true;
    }
  }

  /** Returns the chosen part of the file, from the dialog's last field. */
  function choice() {
    const words = part.value.trim();
    if (!ordered) return { part: words };
    return words ? { columns: words.split(',').map((name) => name.trim()) } : {};
  }

  /** Whether the scene accepts files. */
  let takes = false;
  /** @param {DragEvent} e */
  const holdsFile = (e) => takes && e.dataTransfer?.types.includes('Files');
  document.addEventListener('dragover', (e) => {
    if (!holdsFile(e)) return;
    e.preventDefault();
    document.documentElement.dataset.dropping = ''; // the picture passes the file on to the page
  });
  document.addEventListener('dragleave', (e) => {
    if (!e.relatedTarget) delete document.documentElement.dataset.dropping;
  });
  document.addEventListener('drop', (e) => {
    const [given] = e.dataTransfer?.files ?? [];
    delete document.documentElement.dataset.dropping;
    if (!takes || !given) return;
    e.preventDefault();
    const folders = ordered ? droppedFolders(e.dataTransfer) : undefined;
    bar.value = 0;
    bar.hidden = false;
    begin();
    showDropped(folders, given).then(() => dialog.close(), (error) => {
      failure.textContent = `Nothing was shown: ${error.message}`;
    }).finally(() => { bar.hidden = true; });
  });

  /**
   * Shows a dropped file and keeps it for the dialog.
   * @param {Promise<import('./folder.js').Inside[]>|undefined} folders
   * @param {File} given  used if there are no folders
   */
  async function showDropped(folders, given) {
    const blob = folders ? packed(await folders) : given;
    dropped = blob;
    file.value = folder.value = '';
    await show(blob, (share) => { bar.value = share; }, {});
    dropped = undefined;
  }

  /** @param {Model} model */
  function update({ scene, state: { data } }) {
    takes = Boolean(scene?.guest);
    root.hidden = !scene?.guest;
    if (scene?.data) {
      setText(open, scene.data.button);
      setIndexed(form, scene.data.form);
      setText(head.querySelector('h2') ?? head, scene.data.title);
      text.placeholder = scene.data.example;
      ordered = Boolean(scene.data.names);
      folderField.hidden = !ordered;
      file.accept = ordered ? '' : TABLES; // a tracker's files have many extensions, or none
      setText(partLabel, ordered ? 'Order' : 'Part');
      setText(partForm, scene.data.names ?? 'For a file with several parts: the name of an array, or the number of a run, counted from 1.');
    }
    const missing = Boolean(data && !data.held && data.sha256);
    root.classList.toggle('missing', missing);
    if (!data) setText(state, '');
    else if (data.held) setText(state, data.about ?? '');
    else if (missing) setText(state, 'This link refers to a file that it does not contain. ' +
      `Choose the file with the SHA-256 ${data.sha256.slice(0, 8)}… to see the same picture.`);
    else setText(state, 'No data yet.');
  }
  return { update };
}
