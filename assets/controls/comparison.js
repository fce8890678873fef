// @ts-check
// Compares methods over seeds: each with the step size that suits it, and what the seeds do not tell apart is
// called so.
import { element, setText } from '../shell/dom.js';
import { dialogHead, openDialog } from '../shell/help.js';

/** @typedef {import('../shell/types.js').Model} Model */
/** @typedef {{columns: string[], rows: string[][], notes: string[], verdicts: string[], numbers: {settings: Record<string, string>}}}
 *   Compared */

const MOST_METHODS = 8;

/**
 * @param {HTMLDialogElement} dialog
 * @param {import('./trials.js').ExportFile} exportFile
 * @param {() => void} giveUp  stops what exportFile does
 */
export function createComparison(dialog, exportFile, giveUp) {
  const question = element('p', { class: 'help-words' });
  const methods = element('fieldset', { class: 'compared' });
  const seeds = element('input', { type: 'number', id: 'compare-seeds', min: 2, max: 1000, step: 1, value: 20, required: true });
  const run = element('button', { type: 'submit', class: 'primary' }, 'Compare');
  const cancel = element('button', { type: 'button', hidden: true, onclick: giveUp }, 'Cancel');
  const progress = element('p', { role: 'status', class: 'note-facts' });
  const failure = element('p', { class: 'failure-text', role: 'alert' });
  const outcome = element('div', { class: 'comparison', tabindex: '-1' });
  const form = element('form', { onsubmit: submit }, methods,
    element('div', { class: 'field' }, element('label', { for: 'compare-seeds' }, 'Seeds'), seeds), progress, failure,
    element('div', { class: 'dialog-foot' }, cancel, run));
  dialog.append(dialogHead(dialog, 'Are the methods different?'), question, form, outcome);
  dialog.addEventListener('close', () => { if (!cancel.hidden) giveUp(); });

  let scene = '';

  const chosen = () => [...methods.querySelectorAll('input')].filter(({ checked, disabled }) => checked && !disabled)
    .map(({ value }) => value);

  function check() {
    const n = chosen().length;
    run.disabled = n < 1 || n > MOST_METHODS || !cancel.hidden;
    setText(failure, n > MOST_METHODS ? `${n} methods: at most ${MOST_METHODS} are compared at a time.` : '');
  }

  /** @param {Event} e */
  async function submit(e) {
    e.preventDefault();
    cancel.hidden = false;
    check();
    outcome.replaceChildren();
    try {
      const { blob } = await exportFile('compare', { panel: '', width: '', method: '', methods: chosen(), seeds: Number(seeds.value) },
        (text) => setText(progress, text));
      show(JSON.parse(await blob.text()));
      setText(progress, '');
      outcome.focus();
    } catch (error) {
      setText(progress, '');
      setText(failure, `Nothing was compared: ${/** @type {Error} */ (error).message}`);
    } finally {
      cancel.hidden = true;
      run.disabled = false;
    }
  }

  /** @param {Compared} compared */
  function show({ columns, rows, notes, verdicts, numbers }) {
    const settings = Object.entries(numbers.settings).map(([name, value]) => ` -set ${name}=${value}`).sort().join('');
    outcome.replaceChildren(
      element('ul', { class: 'verdicts' }, ...verdicts.map((text) => element('li', {}, text))),
      element('div', { class: 'comparison-table', tabindex: '0', role: 'region', 'aria-label': 'What each method came to' },
        element('table', {}, element('thead', {}, element('tr', {}, ...columns.map((text) => element('th', { scope: 'col' }, text)))),
          element('tbody', {}, ...rows.map(([title, ...cells]) => element('tr', {}, element('th', { scope: 'row' }, title),
            ...cells.map((text) => element('td', {}, text))))))),
      ...notes.map((text) => element('p', { class: 'note-facts' }, text)),
      element('p', { class: 'note-facts' }, 'In a terminal: ',
        element('code', {}, `paretoplay compare -scene ${scene} -method ${chosen().join(',')} -seeds ${seeds.value}${settings}`)));
  }

  return {
    /** @param {Model} model */
    open(model) {
      const about = model.scene?.comparison;
      if (!model.scene || !about) return;
      scene = model.scene.id;
      const running = new Set(model.state.runs.map(({ method }) => method));
      const options = model.params.find(({ name }) => name === 'method')?.options ?? [];
      setText(question, `${about.text} Each method runs with the step size that suits it, tuned on five other seeds; differences are `
        + 'paired by seed, and their intervals hold together with a chance of 95 %.'
        + (about.settings ? ` With ${about.settings}, and what you have set.` : ' With what you have set.'));
      const others = options.filter(({ disabled, value }) => !disabled && value !== about.baseline);
      methods.replaceChildren(element('legend', {}, 'Methods'), ...others.map(({ value, label }) => (
        element('label', {},
          element('input', { type: 'checkbox', value, checked: running.has(value), onchange: check }), label))));
      const baseline = options.find(({ value }) => value === about.baseline);
      if (baseline) {
        methods.append(element('label', {}, element('input', { type: 'checkbox', value: baseline.value, checked: true, disabled: true }),
          `${baseline.label}, always beside them`));
      }
      outcome.replaceChildren();
      setText(progress, '');
      check();
      openDialog(dialog);
    },
  };
}
