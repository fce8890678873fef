// @ts-check
import { element, indexed, intend, setText } from '../shell/dom.js';
import { exactText, hiddenSides, withSubscripts } from '../shell/words.js';
import { methodSign } from './method-sign.js';

/** @typedef {import('../shell/types.js').Model} Model */

/**
 * The number of rows built at first, and whenever the last one comes into view. Hundreds of rows would take a browser a
 * tenth of a second.
 */
const ROWS_AT_ONCE = 40;

/**
 * Keeps data-hidden up to date, which names the sides of the scroller with hidden columns.
 * @param {HTMLElement} scroller
 * @param {HTMLElement} table
 */
function signHiddenColumns(scroller, table) {
  const look = () => {
    const { left, right } = hiddenSides(scroller);
    scroller.dataset.hidden = [left && 'left', right && 'right'].filter(Boolean).join(' ');
  };
  scroller.addEventListener('scroll', look, { passive: true });
  const resized = new ResizeObserver(look);
  resized.observe(scroller);
  resized.observe(table);
}

/**
 * Shows the numbers of every run at the marker.
 * @param {HTMLElement} root
 */
export function createReadout(root) {
  const head = element('thead');
  const body = element('tbody');
  const table = element('table', {}, element('caption', { class: 'visually-hidden' },
    'Runs at the marker; select one to show it in detail'), head, body);
  root.append(table, element('div', { class: 'more-columns', 'aria-hidden': 'true' }));
  signHiddenColumns(root, table);
  /** @type {{name: string, row: HTMLTableRowElement, button: HTMLButtonElement|null, label: Node, cells: HTMLTableCellElement[]}[]} */
  let rows = [];
  let drawn = '';
  /** The number of rows to build. */
  let wanted = 0;
  const section = /** @type {HTMLElement} */ (root.parentElement);
  /** @type {Model} */
  let shown;
  body.addEventListener('pointerover', tellExactly);
  const sighted = new IntersectionObserver((seen) => {
    if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
    wanted += ROWS_AT_ONCE;
    write();
  });

  /**
   * Shows a cell's numbers in full when the pointer is on it.
   * @param {Event} e
   */
  function tellExactly(e) {
    const cell = /** @type {HTMLElement} */ (e.target).closest('td');
    const row = rows.find(({ cells }) => cell && cells.includes(cell));
    if (!cell || !row) return;
    cell.title = exactText(shown.state, row.name, shown.readout.columns[row.cells.indexOf(cell)]?.label ?? '');
  }

  /**
   * Builds the head without rows.
   * @param {Model} model
   */
  function build({ readout, scene }) {
    const meaning = (/** @type {string} */ sign) => scene?.symbols.find((s) => s.sign === sign)?.text;
    head.replaceChildren(element('tr', {}, element('th', { scope: 'col' }, scene?.runs === false ? 'Method' : 'Run'),
      ...readout.columns.map(({ symbol, label }) => {
      const title = withSubscripts(meaning(symbol) ?? label);
      return element('th', { scope: 'col', title }, ...indexed(symbol),
        label && label !== symbol ? element('span', { class: 'column-label' }, ...indexed(label)) : null);
    })));
    rows = [];
    body.replaceChildren();
    wanted = ROWS_AT_ONCE;
  }

  /**
   * Builds the next row.
   * @param {Model} model
   */
  function addRow({ readout, scene }) {
    const { run, method, label, cells } = readout.rows[rows.length];
    const text = document.createTextNode(label);
    const sign = methodSign(scene?.methods.find((m) => m.id === method));
    const tds = cells.map((cell) => element('td', {}, cell));
    if (run === '') { // a scene without runs has nothing to select
      const row = element('tr', { class: 'still' }, element('th', { scope: 'row' }, element('span', { class: 'run' }, sign, text)), ...tds);
      rows.push({ name: run, row, button: null, label: text, cells: tds });
    } else {
      const button = element('button', { type: 'button', class: 'run', onclick: () => intend(button, 'select', { run }) }, sign, text);
      const clicked = (/** @type {Event} */ e) => {
        if (!button.contains(/** @type {Node} */ (e.target))) button.click();
      };
      const row = element('tr', { onclick: clicked }, element('th', { scope: 'row' }, button), ...tds);
      rows.push({ name: run, row, button, label: text, cells: tds });
    }
    body.append(rows[rows.length - 1].row);
  }

  /** Updates the existing rows. */
  function write() {
    const { readout, state } = shown;
    if (rows.length < Math.min(wanted, readout.rows.length)) {
      while (rows.length < Math.min(wanted, readout.rows.length)) addRow(shown);
      sighted.disconnect();
      if (rows.length < readout.rows.length) sighted.observe(rows[rows.length - 1].row);
      table.setAttribute('aria-rowcount', String(readout.rows.length + 1)); // including rows that are not built
    }
    rows.forEach(({ name, row, button, cells }, i) => {
      readout.rows[i].cells.forEach((cell, j) => setText(cells[j], cell));
      if (!button) return;
      const selected = name === state.selected;
      row.classList.toggle('selected', selected);
      button.setAttribute('aria-pressed', String(selected));
    });
  }

  /** @param {Model} model */
  function update(model) {
    const { readout, live } = model;
    shown = model;
    // If another view replaces the runs, the table has no rows.
    section.hidden = live && readout.rows.length === 0;
    const key = JSON.stringify([
      model.scene?.id, readout.columns, readout.rows.map(({ run, method, label, cells }) => [run, method, label, cells.length]),
    ]);
    if (key !== drawn) {
      drawn = key;
      build(model);
    }
    write();
  }
  return { update };
}
