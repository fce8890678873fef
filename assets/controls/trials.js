// @ts-check
// Shows all values of a parameter side by side: the front panel at the same iteration, with a number under each.
import { formatNumber } from '../shell/words.js';
import { byId, element, intend, setText } from '../shell/dom.js';

/** @typedef {import('../shell/types.js').Model} Model */
/** @typedef {(kind: string, how: import('../shell/types.js').Taking, progress: (text: string) => void) =>
 *   Promise<{name: string, type: string, blob: Blob}>} ExportFile */

/**
 * @typedef {object} Tried
 * @property {string} label
 * @property {number} k
 * @property {string} fact  the name of the numbers, or ""
 * @property {{value: string, word: string, fact: string, chosen: boolean, picture: string}[]} cells
 */

const RESTS = 500; // in milliseconds without a change before the pictures are rebuilt

/** @param {string} param @param {string} [panel] */
const taking = (param, panel = '') => ({ panel, width: '', method: '', param });

/**
 * @param {HTMLElement} root
 * @param {ExportFile} exportFile
 * @param {() => void} giveUp  stops exportFile
 */
export function createTrials(root, exportFile, giveUp) {
  const heading = element('h2', { tabindex: '-1' });
  const about = element('p', { class: 'trials-about', role: 'status' });
  const bar = element('progress', { max: 100, hidden: true, 'aria-label': 'Progress through the values' });
  const list = element('ol', { class: 'trials-list' });
  const kinds = element('span', { class: 'trials-save' }, 'Save as ', ...['svg', 'png', 'pdf', 'csv'].map((kind) => (
    element('button', { type: 'button', class: 'link', onclick: () => save(kind) }, kind.toUpperCase()))));
  const close = element('button', { type: 'button', class: 'quiet', 'aria-label': 'Close the comparison', title: 'Close',
    onclick: () => intend(root, 'try', { name: '' }) }, '×');
  root.append(element('div', { class: 'trials-head' }, heading, kinds, close), about, bar, list);

  let name = ''; // the tried parameter
  let made = ''; // the state that the pictures belong to
  let making = false;
  let waiting = 0;
  let began = false; // opening a link does not move the focus

  /** @param {string} kind */
  async function save(kind) {
    setText(about, 'Saving…');
    try {
      const file = await exportFile(`try-${kind}`, taking(name), (text) => setText(about, text));
      const url = URL.createObjectURL(file.blob);
      element('a', { href: url, download: file.name }).click();
      setTimeout(() => URL.revokeObjectURL(url), 60_000); // the download reads the bytes only after the click returns
      setText(about, 'The file is saved.');
    } catch (error) {
      setText(about, `Nothing was saved: ${/** @type {Error} */ (error).message}`);
    }
  }

  /** @param {Tried} tried */
  function show({ label, k, fact, cells }) {
    const focused = list.contains(document.activeElement) ? document.activeElement?.getAttribute('data-value') : undefined;
    setText(heading, `${label}: all values side by side`);
    setText(about, `At k = ${formatNumber(k)}.${fact ? ` The numbers: ${fact}.` : ''} Press a picture to use its value.`);
    list.replaceChildren(...cells.map(({ value, word, fact: number, chosen, picture }) => element('li', {},
      element('button', { type: 'button', class: 'card trial', 'data-value': value, 'aria-pressed': String(chosen),
        onclick: () => intend(list, 'set', { name, value }) },
        element('img', { src: picture, width: 240, height: 180, alt: '' }),
        element('span', { class: 'trial-word' }, word), element('span', { class: 'trial-fact' }, number)))));
    if (focused !== undefined) /** @type {HTMLElement|null} */ (list.querySelector(`[data-value="${focused}"]`))?.focus();
  }

  /**
   * Says what is in progress and how far it has come.
   * @param {string} text
   */
  function tell(text) {
    setText(about, text);
    const share = text.match(/(\d+) %/);
    if (share) bar.value = Number(share[1]);
    else bar.removeAttribute('value');
  }

  /** Announces the trials before their progress is known. */
  function announce() {
    bar.hidden = false;
    tell('Trying each value…');
  }

  /** @param {string} key */
  async function make(key) {
    made = key;
    making = true;
    root.setAttribute('aria-busy', 'true');
    announce();
    try {
      const { blob } = await exportFile('try', taking(name), (text) => { if (made === key) tell(text); });
      const tried = JSON.parse(await blob.text());
      if (made === key) show(tried);
    } catch (error) {
      if (made === key) setText(about, `Could not try the values: ${/** @type {Error} */ (error).message}`);
    } finally {
      making = false;
      bar.hidden = true;
      root.setAttribute('aria-busy', 'false');
    }
  }

  /** @param {Model} model */
  function update({ state, params, live }) {
    const opened = state.trying !== '' && state.trying !== name;
    name = state.trying ?? '';
    root.hidden = !name;
    clearTimeout(waiting);
    if (!name) {
      began = began || live;
      if (making) giveUp();
      made = '';
      list.replaceChildren();
      return;
    }
    const theme = document.documentElement.dataset.theme ?? '';
    const key = JSON.stringify([state.hash, state.hero, theme]);
    if (opened) {
      list.replaceChildren();
      announce();
      setText(heading, params.find((d) => d.name === name)?.label ?? name);
      if (began) {
        if (state.playing) intend(root, 'pause'); // all pictures show these runs' iteration
        heading.focus({ preventScroll: true });
        byId('centre').scrollIntoView({ block: 'nearest' });
      }
    }
    began = true;
    if (!live || state.playing || state.progress !== null || key === made || making) return;
    waiting = window.setTimeout(() => make(key), opened ? 0 : RESTS);
  }

  return { update };
}
