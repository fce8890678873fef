// @ts-check
import { element, setIndexed, setText } from '../shell/dom.js';
import { dialogHead, openDialog } from '../shell/help.js';

/** @typedef {import('../shell/types.js').Model} Model */

/**
 * The button for data of one's own, and its dialog.
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
  const file = element('input', { type: 'file', id: 'paste-file', onchange: () => { dropped = undefined; },
    accept: '.csv,.tsv,.txt,.dat,.json,.jsonl,.npz,.npy,text/csv,application/json' });
  const part = element('input', { type: 'text', id: 'paste-part', autocomplete: 'off', 'aria-describedby': 'paste-part-form' });
  const bar = element('progress', { max: 1, value: 0, 'aria-label': 'Reading', hidden: true });
  const failure = element('p', { class: 'failure-text', role: 'alert' });
  const go = element('button', { type: 'submit', class: 'primary' }, 'Show');
  const form = element('p', { id: 'paste-form' });
  const head = dialogHead(dialog, '');
  dialog.append(head, element('form', { onsubmit: submit },
    form,
    element('div', { class: 'field' }, element('label', { for: 'paste-text' }, 'Text'), text),
    element('div', { class: 'field' }, element('label', { for: 'paste-file' }, 'or a file'), file),
    element('div', { class: 'field' }, element('label', { for: 'paste-part' }, 'Part'), part),
    element('p', { id: 'paste-part-form' }, 'Only of a file that has several: the name of an array, or the number of a run, from 1.'),
    bar, failure, element('div', { class: 'dialog-foot' }, go)));

  /**
   * A file that was dropped and is not shown yet, since it has several parts.
   * @type {File|undefined}
   */
  let dropped;

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
      await show(file.files?.[0] ?? dropped ?? new Blob([text.value]), (share) => { bar.value = share; }, { part: part.value.trim() });
      file.value = '';
      part.value = '';
      dialog.close();
    } catch (error) {
      failure.textContent = `Nothing was shown: ${error instanceof Error ? error.message : error}`;
    } finally {
      go.disabled = false;
      bar.hidden = true;
    }
  }

  /** Whether the scene takes files. */
  let takes = false;
  /** @param {DragEvent} e */
  const holdsFile = (e) => takes && e.dataTransfer?.types.includes('Files');
  document.addEventListener('dragover', (e) => {
    if (!holdsFile(e)) return;
    e.preventDefault();
    document.documentElement.dataset.dropping = ''; // the picture lets the file through to the page
  });
  document.addEventListener('dragleave', (e) => {
    if (!e.relatedTarget) delete document.documentElement.dataset.dropping;
  });
  document.addEventListener('drop', (e) => {
    const [given] = e.dataTransfer?.files ?? [];
    delete document.documentElement.dataset.dropping;
    if (!takes || !given) return;
    e.preventDefault();
    bar.value = 0;
    bar.hidden = false;
    begin();
    show(given, (share) => { bar.value = share; }, {}).then(() => dialog.close(), (error) => {
      failure.textContent = `Nothing was shown: ${error.message}`;
      dropped = given;
    }).finally(() => { bar.hidden = true; });
  });

  /** @param {Model} model */
  function update({ scene, state: { data } }) {
    takes = Boolean(scene?.guest);
    root.hidden = !scene?.guest;
    if (scene?.data) {
      setText(open, scene.data.button);
      setIndexed(form, scene.data.form);
      setText(head.querySelector('h2') ?? head, scene.data.title);
      text.placeholder = scene.data.example;
    }
    const missing = Boolean(data && !data.held && data.sha256);
    root.classList.toggle('missing', missing);
    if (!data) setText(state, '');
    else if (data.held) setText(state, data.about ?? '');
    else if (missing) setText(state, 'This link shows a file that stays with who opened it. ' +
      `Choose the file with the SHA-256 ${data.sha256.slice(0, 8)}… to see the same.`);
    else setText(state, 'No data yet.');
  }
  return { update };
}
