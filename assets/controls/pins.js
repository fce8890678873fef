// @ts-check
import { element, indexed, intend, setText } from '../shell/dom.js';
import { pinRows } from '../lesson/teaching.js';

/** @typedef {import('../shell/types.js').Model} Model */
/** @typedef {import('../shell/types.js').PinsTable} PinsTable */

/**
 * Shows the pinned runs beside the live ones: their different settings, and the results.
 * @param {HTMLElement} root
 */
export function createPins(root) {
  root.classList.add('pins');
  let drawn = '';
  /** @type {HTMLElement[][]} */
  let cells = [];
  /** @type {HTMLElement[]} */
  let states = [];

  /** @param {PinsTable} table @param {ReturnType<typeof pinRows>} rows */
  function build({ pins }, rows) {
    const compared = pins.length === 1;
    states = pins.map(() => element('span', { class: 'pin-busy', role: 'status' }));
    const head = pins.map(({ letter, title }, i) => element('th', { scope: 'col' },
      element('span', { class: 'pin-letter', title }, letter), states[i],
      element('span', { class: 'pin-buttons' },
        element('button', { type: 'button', 'aria-label': `Swap ${letter} with the current runs`, title: 'Swap with the current runs',
          onclick: () => intend(root, 'swapPin', { letter }) }, 'Swap'),
        element('button', { type: 'button', class: 'quiet', 'aria-label': `Remove ${letter}`, title: 'Remove',
          onclick: () => intend(root, 'unpin', { letter }) }, '×'))));
    cells = rows.map((row) => [...row.cells, ...(compared ? [''] : [])].map(() => element('td')));
    const line = (/** @type {typeof rows[number]} */ { label, unit }, /** @type {number} */ i) => element('tr', {},
      element('th', { scope: 'row' }, ...indexed(label), unit ? element('span', { class: 'column-label' }, unit) : null), ...cells[i]);
    const body = (/** @type {string} */ kind, /** @type {string} */ title) => {
      const lines = rows.flatMap((row, i) => (row.kind === kind ? [line(row, i)] : []));
      if (lines.length === 0) return null;
      return element('tbody', {}, element('tr', { class: 'pin-group' },
        element('th', { scope: 'rowgroup', colspan: pins.length + 2 + Number(compared) }, title)), ...lines);
    };
    root.replaceChildren(
      element('table', {}, element('caption', { class: 'visually-hidden' }, 'Pinned runs and the current runs'),
        element('thead', {}, element('tr', {}, element('td'), ...head, element('th', { scope: 'col' }, 'Now'),
          compared ? element('th', { scope: 'col' }, `Now − ${pins[0].letter}`) : null)),
        body('parameter', 'Set differently'), body('fact', 'Results')),
      ...(rows.some(({ kind }) => kind === 'parameter') ? []
        : [element('p', { class: 'pin-same' }, 'The pinned and the current settings are still equal: change a parameter to compare.')]));
  }

  /** @param {Model} model */
  function update({ pinsTable }) {
    const table = pinsTable?.pins.length ? pinsTable : undefined;
    root.hidden = !table;
    if (!table) {
      if (drawn) root.replaceChildren();
      drawn = '';
      return;
    }
    const rows = pinRows(table);
    const key = JSON.stringify([table.pins.map(({ letter, title }) => [letter, title]),
      rows.map(({ kind, label, unit }) => [kind, label, unit])]);
    if (key !== drawn) {
      const focused = root.contains(document.activeElement) ? document.activeElement?.getAttribute('aria-label') : undefined;
      drawn = key;
      build(table, rows);
      const same = [...root.querySelectorAll('button')].find((button) => button.getAttribute('aria-label') === focused) ??
        root.querySelector('button');
      if (focused) same?.focus();
    }
    rows.forEach((row, i) => {
      const texts = [...row.cells, ...(row.difference === undefined ? [] : [row.difference])];
      texts.forEach((text, j) => setText(cells[i][j], text));
    });
    table.pins.forEach(({ busy }, i) => setText(states[i], busy ? 'computing' : ''));
  }
  return { update };
}
