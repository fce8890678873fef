// @ts-check
import { byId, element, intend, setIndexed, setText, svg } from './dom.js';
import { ALONE, inside } from '../platform/files.js';
import { rove } from './roving.js';
import { hasEnded } from './words.js';

/** @typedef {import('./types.js').Model} Model */

/**
 * Shows the scene's title and its question.
 * @param {HTMLElement} root
 */
export function createHeading(root) {
  const [title, question] = root.children;

  /** @param {Model} model */
  function update({ scene }) {
    setText(title, scene?.title ?? '');
    setText(question, scene?.question ?? '');
  }
  return { update };
}

const ARROW = { previous: 'M12.5 4.5L7 10l5.5 5.5', next: 'M7.5 4.5L13 10l-5.5 5.5' };

/**
 * Links to the previous and the next scene.
 * @param {HTMLElement} root
 */
export function createNeighbours(root) {
  const button = (/** @type {'previous'|'next'} */ name, /** @type {number} */ by) => {
    let to = '';
    const node = element('button', { type: 'button', id: `${name}-scene`, class: 'action',
      onclick: () => intend(node, 'open', { id: to }) },
      svg('svg', { viewBox: '0 0 20 20', width: 20, height: 20, 'aria-hidden': 'true', class: 'icon' },
        svg('path', { d: ARROW[name], fill: 'none', stroke: 'currentColor', 'stroke-width': 1.6, 'stroke-linecap': 'round',
          'stroke-linejoin': 'round' })));
    root.append(node);
    return (/** @type {Model} */ { scenes, scene }) => {
      const found = scene && scenes[scenes.indexOf(scene) + by];
      to = found?.id ?? '';
      node.disabled = !found;
      const label = `${by < 0 ? 'Previous' : 'Next'} scene${found ? `: ${found.title}` : ''}`;
      node.title = label;
      node.setAttribute('aria-label', label);
    };
  };
  const updates = [button('previous', -1), button('next', 1)];
  return { update: (/** @type {Model} */ model) => updates.forEach((update) => update(model)) };
}

/**
 * Lists the scene's experiments, with one numbered card each.
 * @param {HTMLElement} root
 */
export function createExperiments(root) {
  /** @type {Map<string, HTMLButtonElement>} */
  const cards = new Map();
  const compare = element('button', { type: 'button', id: 'compare', class: 'card compare', hidden: true,
    title: 'Compare the methods over many seeds, each method at its best step size', onclick: () => intend(compare, 'page:compare') },
    element('span', { class: 'card-title' }, 'Are the methods different?'));
  root.after(compare);
  const above = root.parentElement;
  /** @type {Model['scene']} */
  let drawn;
  /** The last experiment shown. */
  let shown = '';
  const settle = rove(root, 'button', '[aria-pressed="true"]');

  /**
   * Scrolls the row to a card without scrolling the page.
   * @param {HTMLElement|undefined} card
   */
  function reveal(card) {
    if (!card) return;
    const [row, box] = [root.getBoundingClientRect(), card.getBoundingClientRect()];
    if (box.left < row.left || box.right > row.right) root.scrollLeft += box.left - row.left - (row.width - box.width) / 2;
  }

  /** The space above the list, in pixels. */
  let room = 0;

  /** @param {number} pixels */
  function leaveRoom(pixels) {
    room = Math.max(0, pixels);
    above?.style.setProperty('margin-top', `${room}px`);
  }

  /**
   * Keeps a card under the pointer or with the focus in place while the content above it changes height. If the card's
   * words are above the list and out of view, this scrolls them into view instead.
   * @param {HTMLElement|undefined} card
   */
  function hold(card) {
    if (!card?.matches(':hover, :focus')) return;
    const before = card.getBoundingClientRect().top;
    requestAnimationFrame(() => {
      const lower = card.getBoundingClientRect().top - before;
      const column = card.closest('.parameters');
      const words = byId('introduction');
      if (!column && words.getBoundingClientRect().bottom < byId('centre').getBoundingClientRect().bottom) {
        leaveRoom(0);
        words.scrollIntoView({ block: 'start', behavior: 'instant' });
        return;
      }
      leaveRoom(room - lower);
      const rest = card.getBoundingClientRect().top - before;
      if (Math.abs(rest) < 1) return;
      const scrolls = column && column.scrollHeight > column.clientHeight && getComputedStyle(column).overflowY === 'auto';
      (scrolls ? column : window).scrollBy({ top: rest, behavior: 'instant' });
    });
  }

  /** @param {Model} model */
  function build({ scene }) {
    shown = '';
    leaveRoom(0);
    cards.clear();
    root.replaceChildren(...(scene?.presets ?? []).map(({ id, title }, i) => {
      const pictures = inside ? [] : ['light', 'dark'].map((theme) => element('img', {
        class: `when-${theme}`, src: `thumbs/${scene?.id}-${id}-${theme}.png`, width: 64, height: 40, alt: '', loading: 'lazy',
        decoding: 'async',
      }));
      const card = element('button', { type: 'button', class: 'card', onclick: () => intend(card, 'card', { id }) },
        pictures.length > 0 ? element('span', { class: 'card-picture' }, ...pictures) : null,
        element('span', { class: 'card-title' }, element('span', { class: 'card-number' }, `${i + 1} `), title));
      cards.set(id, card);
      return element('li', {}, card);
    }));
    compare.hidden = !scene?.comparison || ALONE !== '';
  }

  /** @param {Model} model */
  function update(model) {
    if (model.scene !== drawn) {
      drawn = model.scene;
      build(model);
    }
    const chosen = model.state.card;
    if (chosen !== shown) hold(cards.get(chosen));
    for (const [id, card] of cards) {
      card.setAttribute('aria-pressed', String(id === chosen));
    }
    settle();
    if (chosen !== shown) reveal(cards.get(chosen));
    shown = chosen;
  }
  return { update };
}

/**
 * Reports whether the runs have ended and the marker is at their end.
 * @param {Model['state']} state
 */
const isAtEnd = ({ playing, progress, latest, status }) => !playing && progress === null && latest > 0 && hasEnded(status);

/**
 * Shows the scene's introduction and what to try, or the open experiment's title. The experiment's words follow when its
 * runs have ended.
 * @param {HTMLElement} root
 */
export function createIntroduction(root) {
  const [text] = root.children;
  const [summary, lessons, invitation] = /** @type {HTMLCollectionOf<HTMLElement>} */ (text.children);
  const [, words, done] = invitation.children;
  const lead = element('p', { class: 'lead', tabindex: '-1' });
  const statistics = element('p', {});
  const seeds = element('details', { class: 'over-seeds', hidden: true }, element('summary', {}, 'Over many seeds'), statistics);
  const next = element('button', { type: 'button', class: 'link', onclick: () => intend(next, 'card', { id: first }) });
  const seen = element('span', {});
  const after = element('span', { class: 'next' }, ' Next: ', next);
  let first = '';
  /** The scene whose lessons are listed. */
  let about = '';
  const back = element('button', { type: 'button', class: 'link' }, 'back to the experiment');
  const changed = element('p', { class: 'changed', hidden: true }, 'Changed: ', back, '.');
  const title = element('p', { class: 'card-name', hidden: true });
  const show = element('button', { type: 'button', class: 'link', onclick: reveal }, 'Show the answer');
  const waits = element('p', { class: 'waits', hidden: true }, 'The answer appears when the runs have ended. ', show);
  text.prepend(title, changed, waits, lead);
  lessons.after(seeds);
  let card = '';
  /** The open scene and card; "" if no card is open. */
  let opened = '';
  /** Whether the card's words have been shown since it opened. */
  let answered = false;
  /** Whether the page has seen the card's runs in progress. A link to their end shows the answer at once. */
  let awaited = false;

  /** Shows the answer before the runs end. */
  function reveal() {
    answered = true;
    answer();
    lead.focus();
  }

  /** Shows or hides the card's words, whose space stays reserved. */
  function answer() {
    waits.hidden = card === '' || answered;
    root.classList.toggle('unanswered', !waits.hidden);
  }

  back.addEventListener('click', () => intend(back, 'card', { id: card }));

  /** @param {Model} model */
  function update({ scene, state }) {
    const chosen = scene?.presets.find(({ id }) => id === state.card);
    const ofData = Boolean(state.data);
    const of = chosen ? `${scene?.id} ${chosen.id}` : '';
    if (opened !== of) {
      seeds.open = false;
      answered = awaited = false;
    }
    opened = of;
    card = chosen?.id ?? '';
    const ended = scene?.runs === false || isAtEnd(state);
    if (card && !answered && ended) {
      answered = true;
      if (awaited) intend(root, 'page:said', { text: `${chosen?.lead} ${chosen?.text}` });
    }
    awaited = awaited || !ended;
    answer();
    title.hidden = !chosen;
    setText(title, chosen?.title ?? '');
    lead.hidden = !chosen?.lead;
    setIndexed(lead, chosen?.lead ?? '');
    seeds.hidden = !chosen?.seeds;
    setIndexed(statistics, chosen?.seeds ?? '');
    setIndexed(summary, chosen ? chosen.text : (ofData && scene?.dataSummary) || scene?.summary || '');
    if (scene && scene.id !== about) {
      about = scene.id;
      /** @type {any} */ (window).nameLessons(about);
    }
    const tried = state.tried && !ofData;
    const [card1] = scene?.presets ?? [];
    first = card1?.id ?? '';
    invitation.hidden = Boolean(chosen);
    setIndexed(words, (ofData && scene?.dataTry) || scene?.try || '');
    // Its space stays reserved, so that the picture does not move under the pointer that has just done it.
    setIndexed(seen, scene?.done ?? '');
    setText(next, card1?.title ?? '');
    after.hidden = !card1;
    if (scene && !done.contains(seen)) done.replaceChildren('✓ ', seen, after);
    invitation.classList.toggle('tried', tried);
    changed.hidden = !chosen || !state.changed;
  }
  return { update };
}
