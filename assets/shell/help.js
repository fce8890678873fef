// @ts-check
import { KEYS } from './keys.js';
import { effectText, rangeText } from '../controls/parameters.js';
import { element, indexed } from './dom.js';

/** @typedef {import('./types.js').Descriptor} Descriptor */
/** @typedef {import('./types.js').Scene} Scene */

/**
 * Builds a "?" button and the note that it opens. The note also describes the control to screen readers.
 * @param {string} id  of the note
 * @param {string} about  what the note explains
 * @param {...(Node|string)} content
 */
export function helpNote(id, about, ...content) {
  const note = element('div', { id, popover: true, class: 'note', ontoggle: place }, ...content);
  const button = element('button', { type: 'button', class: 'help', popovertarget: id, 'aria-label': `Help: ${about}` }, '?');

  /** @param {ToggleEvent} e */
  function place(e) {
    if (e.newState !== 'open') return;
    const gap = 8;
    const from = button.getBoundingClientRect();
    const { width, height } = note.getBoundingClientRect();
    const left = Math.min(Math.max(gap, from.left), innerWidth - width - gap);
    const below = from.bottom + gap;
    const top = below + height <= innerHeight ? below : Math.max(gap, from.top - height - gap);
    note.style.setProperty('left', `${left}px`);
    note.style.setProperty('top', `${top}px`);
  }

  return { button, note };
}

/**
 * Builds a parameter's help: its sentence, range and effect.
 * @param {Descriptor} d
 * @param {boolean} runs whether there are runs to affect
 */
export function parameterHelp(d, runs) {
  const range = rangeText(d);
  return [
    element('p', {}, ...indexed(d.help)),
    element('p', { class: 'note-facts' }, ...(range ? [`Range ${range}. `] : []), ...(runs ? [effectText(d)] : [])),
    ...(d.options ?? []).filter((o) => o.help || o.disabled).map((o) => element('p', {}, element('b', {}, o.label), ': ',
      ...indexed(o.disabled ? `not available here. ${o.disabled}` : o.help ?? ''))),
  ];
}

/**
 * Builds the help dialog. It explains the page, every sign on screen in plain words, and the keys.
 * @param {HTMLDialogElement} dialog
 */
export function createHelp(dialog) {
  /** @type {Scene|undefined} */
  let drawn;

  /** @param {Scene|undefined} scene */
  function update(scene) {
    if (scene === drawn) return;
    drawn = scene;
    const keys = KEYS.filter(([, , always]) => always || scene?.runs !== false).flatMap(([key, text]) => [
      element('dt', {}, ...key.split(/(, | )/).map((part) => (/^(, | )$/.test(part) ? part : element('kbd', {}, part)))),
      element('dd', {}, text),
    ]);
    const signs = (scene?.symbols ?? []).map(({ sign, text, source }) => [element('dt', { class: 'sign-term' }, ...indexed(sign)),
      element('dd', {}, ...indexed(text), folded('Source', source))]).flat();
    const methods = (scene?.methods ?? []).map(({ title, help, paper }) => [element('dt', { class: 'method-term' }, title),
      element('dd', {}, ...indexed(help), folded('Paper', paper))]).flat();
    dialog.replaceChildren(
      dialogHead(dialog, 'Help'),
      element('p', { class: 'help-words' }, 'This page runs methods that weigh several goals against each other, ' +
        'on problems small enough to see. On the left, choose what to run. The picture shows the result, ' +
        'and the line below it shows time. ' +
        'Press Play, drag the time marker back to see any moment again, and drag any point with a ring or a grip in the picture. ' +
        'Export saves what you see as a picture, a clip, numbers, ' +
        'or a program in Go or Python that repeats the run.'),
      element('p', { class: 'help-words' }, ...indexed(scene ? `${scene.title}: ${scene.question} ${scene.summary}` : '')),
      ...(signs.length > 0 ? [element('h3', {}, 'Symbols'), element('dl', { class: 'terms' }, ...signs)] : []),
      element('h3', {}, 'Keys'), element('dl', { class: 'terms' }, ...keys),
      ...(methods.length > 0 ? [element('h3', {}, 'Methods'), element('dl', { class: 'terms wide-terms' }, ...methods)] : []),
    );
  }

  return { update, open: () => openDialog(dialog) };
}

/**
 * Returns a folded source.
 * @param {string} title
 * @param {string} text
 */
const folded = (title, text) => (text ? element('details', { class: 'source' }, element('summary', {}, title), ...indexed(text)) : null);

/**
 * Builds a dialog's title with its close button.
 * @param {HTMLDialogElement} dialog
 * @param {string} title
 */
export function dialogHead(dialog, title) {
  const id = `${dialog.id}-title`;
  dialog.setAttribute('aria-labelledby', id);
  return element('div', { class: 'dialog-head' }, element('h2', { id }, title),
    element('button', { type: 'button', class: 'quiet', 'aria-label': 'Close', onclick: () => dialog.close() }, '×'));
}

/**
 * Opens a dialog, which closes on a press beside it.
 * @param {HTMLDialogElement} dialog
 */
export function openDialog(dialog) {
  if (dialog.open) return;
  dialog.onpointerdown = (e) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    const inside = e.clientX >= left && e.clientX <= right && e.clientY >= top && e.clientY <= bottom;
    if (e.target === dialog && !inside) dialog.close();
  };
  dialog.showModal();
}
