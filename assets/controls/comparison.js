// @ts-check
// Compares methods over seeds, each with its best step size, and shows which differences the seeds do not confirm.
import { element, setText, svg } from '../shell/dom.js';
import { dialogHead, openDialog } from '../shell/help.js';
import { formatNumber } from '../shell/words.js';

/** @typedef {import('../shell/types.js').Model} Model */
/**
 * @typedef {{a: string, b: string, difference: number|null, low: number|null, high: number|null, better: string|null}} Pair
 *   difference is the first method's number minus the second's, as a power of ten if ratios matter; better is null if the seeds
 *   show no difference
 * @typedef {{columns: string[], rows: string[][], notes: string[], verdicts: string[],
 *   numbers: {settings: Record<string, string>, higher: boolean, log: boolean, methods: {method: string}[], pairs: Pair[]}}} Compared
 */

const MOST_METHODS = 8;

/** The size of the axis in the picture, in its units. */
const AXIS = { width: 200, height: 28, edge: 8 };

/**
 * Returns the content of the picture of differences, also in words. For each pair it says by how much the first method
 * is better (to the left), with its interval, as shares of the largest interval end.
 * @param {Compared['numbers']} numbers
 */
export function differences({ higher, log, pairs }) {
  const sign = higher ? -1 : 1;
  const drawn = pairs.map(({ a, b, difference, low, high, better }) => {
    if (difference === null || low === null || high === null) return { a, b, better, at: null, from: 0, to: 0 };
    const [from, to] = [sign * low, sign * high].sort((x, y) => x - y);
    return { a, b, better, at: sign * difference, from, to };
  });
  const most = Math.max(...drawn.flatMap(({ at, from, to }) => (at === null ? [] : [-from, to])), 0) || 1;
  const said = (/** @type {number} */ v) => (log ? `${formatNumber(10 ** Math.abs(v), 3)} times` : formatNumber(Math.abs(v), 3));
  return {
    most,
    scale: said(most),
    pairs: drawn.map(({ a, b, better, at, from, to }) => ({ a, b, better, at: at === null ? null : at / most, from: from / most,
      to: to / most, words: at === null ? 'no known difference' : `${said(at)} (${span(from, to, said)})` })),
  };
}

/**
 * Returns an interval in words. An interval that contains 0 extends to both sides.
 * @param {number} from
 * @param {number} to
 * @param {(v: number) => string} said
 */
function span(from, to, said) {
  if (from < 0 && to > 0) return `from ${said(from)} on the left to ${said(to)} on the right`;
  const [near, far] = [said(from), said(to)];
  return near === far ? `${near} in all` : `between ${near} and ${far}`;
}

/**
 * @param {HTMLDialogElement} dialog
 * @param {import('./trials.js').ExportFile} exportFile
 * @param {() => void} giveUp  stops exportFile
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
    setText(failure, n > MOST_METHODS ? `You chose ${n} methods; choose at most ${MOST_METHODS}.` : '');
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

  /**
   * Builds the picture of the differences: a table with one row for each pair, whose middle cells share an axis.
   * @param {Compared} compared
   */
  function picture({ rows, numbers }) {
    const title = (/** @type {string} */ id) => rows[numbers.methods.findIndex(({ method }) => method === id)]?.[0] ?? id;
    const { scale, pairs } = differences(numbers);
    const { width, height, edge } = AXIS;
    const x = (/** @type {number} */ share) => width / 2 + share * (width / 2 - edge);
    const line = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ top, /** @type {number} */ bottom,
      /** @type {string} */ of) => svg('line', { x1: from, x2: to, y1: top, y2: bottom, class: of });
    const axis = (/** @type {typeof pairs[number]} */ { at, from, to, better }) => svg('svg', { viewBox: `0 0 ${width} ${height}`,
      'aria-hidden': 'true', class: better === null ? 'untold' : '' }, line(width / 2, width / 2, 0, height, 'zero'),
      ...(at === null ? [] : [line(x(from), x(to), height / 2, height / 2, 'bar'),
        ...[from, to].map((end) => line(x(end), x(end), height / 2 - 4, height / 2 + 4, 'bar')),
        svg('circle', { cx: x(at), cy: height / 2, r: 4.5 })]));
    const side = (/** @type {string} */ id, /** @type {string|null} */ better) => (id === better ? element('b', {}, title(id)) : title(id));
    return element('div', { class: 'comparison-table', tabindex: '0', role: 'region', 'aria-label': 'Differences' },
      element('table', { class: 'differences' },
        element('caption', {}, 'Each row shows how much better one of two methods is, with a confidence interval. The dot is on the side '
          + `of the better method. If the bar crosses the middle line, the seeds show no difference. Each end of the axis is at ${scale}.`),
        element('thead', {}, element('tr', {}, ...['better to the left', '', 'better to the right', 'better', 'by'].map((text) => (
          text ? element('th', { scope: 'col' }, text) : element('td', {}))))),
        element('tbody', {}, ...pairs.map((pair) => element('tr', {}, element('td', {}, side(pair.a, pair.better)),
          element('td', { class: 'axis' }, axis(pair)), element('td', {}, side(pair.b, pair.better)),
          element('td', {}, pair.better === null ? 'no difference' : title(pair.better)), element('td', {}, pair.words))))));
  }

  /** @param {Compared} compared */
  function show(compared) {
    const { columns, rows, notes, verdicts, numbers } = compared;
    const settings = Object.entries(numbers.settings).map(([name, value]) => ` -set ${name}=${value}`).sort().join('');
    outcome.replaceChildren(
      picture(compared),
      element('ul', { class: 'verdicts' }, ...verdicts.map((text) => element('li', {}, text))),
      element('div', { class: 'comparison-table', tabindex: '0', role: 'region', 'aria-label': 'Results of each method' },
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
      setText(question, `${about.text} Each method runs with its best step size, tuned on five other seeds. Differences are `
        + 'paired by seed; with 95 % confidence, all intervals hold simultaneously.'
        + (about.settings ? ` The comparison uses ${about.settings} and otherwise your settings.` : ' The comparison uses your settings.'));
      const others = options.filter(({ disabled, value }) => !disabled && value !== about.baseline);
      methods.replaceChildren(element('legend', {}, 'Methods'), ...others.map(({ value, label }) => (
        element('label', {},
          element('input', { type: 'checkbox', value, checked: running.has(value), onchange: check }), label))));
      const baseline = options.find(({ value }) => value === about.baseline);
      if (baseline) {
        methods.append(element('label', {}, element('input', { type: 'checkbox', value: baseline.value, checked: true, disabled: true }),
          `${baseline.label}, always included`));
      }
      outcome.replaceChildren();
      setText(progress, '');
      check();
      openDialog(dialog);
    },
  };
}
