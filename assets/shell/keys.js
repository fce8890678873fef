// @ts-check Decides the effects of keys. Needs no document, so node can test it.

/** @typedef {import('./types.js').State} State */

/**
 * Returns the call that a key requests, or undefined. A move is relative to the marker at the time of the call, because
 * the page's last state may be older than the previous key.
 * @param {{key: string, shiftKey?: boolean, ctrlKey?: boolean, metaKey?: boolean, altKey?: boolean}} e
 * @param {Pick<State, 'playing'>} s
 * @param {boolean} [presenting]
 * @param {boolean} [framed]  whether another page embeds this one
 * @returns {{verb: string, args: Record<string, any>}|undefined}
 */
export function keyIntention(e, s, presenting = false, framed = false) {
  if (isUndo(e)) return { verb: 'undo', args: {} };
  if (e.ctrlKey || e.metaKey || e.altKey) return undefined;
  const move = (/** @type {number} */ by) => ({ verb: 'move', args: { by } });
  const stride = e.shiftKey ? 10 : 1;
  if (/^[1-9]$/.test(e.key)) return { verb: 'page:front', args: { place: Number(e.key) - 1 } };
  switch (e.key) {
    case ' ':
      return { verb: s.playing ? 'pause' : 'play', args: {} };
    case 'ArrowLeft':
      return move(-stride);
    case 'ArrowRight':
      return move(stride);
    case 'Home':
      return { verb: 'seek', args: { k: 0 } };
    case 'End':
      return move(Number.MAX_SAFE_INTEGER); // as far as possible
    case 's':
    case 'S':
      return { verb: 'step', args: { n: 1 } };
    case 'r':
    case 'R':
      return { verb: 'reset', args: {} };
    case 'n':
    case 'N':
      return { verb: 'newSeed', args: {} };
    case 'p':
    case 'P':
      return { verb: 'page:present', args: { on: !presenting } };
    case '?':
      return { verb: 'page:help', args: {} };
  }
  if (!presenting) return framed && e.key === 'Escape' ? { verb: 'page:leave', args: {} } : undefined;
  switch (e.key) {
    case 'Escape':
      return { verb: 'page:present', args: { on: false } };
    case 'PageDown':
      return { verb: 'page:turn', args: { by: 1 } };
    case 'PageUp':
      return { verb: 'page:turn', args: { by: -1 } };
  }
  return undefined;
}

const PAGES = 10; // PageUp and PageDown move by 1/PAGES of the axis

/**
 * Returns the call that a key requests on the time axis itself, or undefined for keys that do not move it. As with the
 * arrows elsewhere, each key stops at the latest iteration and computes more from there.
 * @param {{key: string, shiftKey?: boolean, ctrlKey?: boolean, metaKey?: boolean, altKey?: boolean}} e
 * @param {number} length  of the axis
 * @returns {{verb: string, args: Record<string, any>}|undefined}
 */
export function timeIntention(e, length) {
  const page = Math.max(Math.round(length / PAGES), 1);
  switch (e.key) {
    case 'ArrowUp':
      return timeIntention({ ...plain(e), key: 'ArrowRight' }, length);
    case 'ArrowDown':
      return timeIntention({ ...plain(e), key: 'ArrowLeft' }, length);
    case 'PageUp':
      return { verb: 'move', args: { by: page } };
    case 'PageDown':
      return { verb: 'move', args: { by: -page } };
    case 'ArrowLeft':
    case 'ArrowRight':
    case 'Home':
    case 'End':
      return keyIntention(e, { playing: false });
  }
  return undefined;
}

/** @param {{shiftKey?: boolean, ctrlKey?: boolean, metaKey?: boolean, altKey?: boolean}} e */
const plain = ({ shiftKey, ctrlKey, metaKey, altKey }) => ({ shiftKey, ctrlKey, metaKey, altKey });

/**
 * Reports whether a key undoes the last change.
 * @param {{key: string, shiftKey?: boolean, ctrlKey?: boolean, metaKey?: boolean, altKey?: boolean}} e
 */
const isUndo = (e) => e.key.toLowerCase() === 'z' && Boolean(e.ctrlKey || e.metaKey) && !e.altKey && !e.shiftKey;

const MOVES = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown']);

/**
 * Reports whether a key moves a slider.
 * @param {{key: string}} e
 */
export const movesSlider = ({ key }) => MOVES.has(key);

/**
 * Reports whether the focused element itself uses a key.
 * @param {string} tag  in lower case
 * @param {string} type  of an input
 * @param {string} key
 */
export function keepsKey(tag, type, key) {
  switch (tag) {
    case 'input':
      if (/^\d$/.test(key)) return true;
      if (type === 'range') return MOVES.has(key);
      if (type === 'checkbox') return key === ' ';
      if (type === 'radio') return key === ' ' || key.startsWith('Arrow');
      return true;
    case 'select':
    case 'textarea':
      return true;
    case 'button':
    case 'summary':
      return key === ' ';
    case 'div': // a div has the focus because it scrolls
      return MOVES.has(key);
  }
  return false;
}

/**
 * Reports whether an intention moves runs, which some scenes lack.
 * @param {string} verb
 */
export const movesRuns = (verb) => ['play', 'pause', 'step', 'seek', 'reach', 'move', 'reset'].includes(verb);

/** The keys in the order of the help; "always" marks keys that also work in scenes without runs. */
export const KEYS = [
  ['Space', 'play or pause'],
  ['S', 'compute one iteration, round, step or pass, whichever k counts'],
  ['← →', 'move the time marker by one iteration, with Shift by ten; at the latest iteration, compute the next'],
  ['Home End', 'go to the start or to the latest iteration; pressing End again computes the whole budget'],
  ['R', 'reset: back to k = 0, same seed'],
  ['N', 'new seed'],
  ['Ctrl+Z', 'undo the last change', 'always'],
  ['1 2 3', 'bring the first, second, third, … panel to the front', 'always'],
  ['P', 'present the picture large, without controls; Esc ends it', 'always'],
  ['PageUp PageDown', 'while presenting, go to the previous or next lesson step or experiment', 'always'],
  ['Tab', 'reach the draggable points; arrow keys move between them', 'always'],
  ['← → ↑ ↓', 'move between experiments, or between methods', 'always'],
  ['Enter', 'on a draggable point, grab it; arrow keys then move it, with Shift ten times as far; Esc or Enter releases it', 'always'],
  ['Esc', 'return the keyboard focus to the page that embeds this one', 'always'],
  ['?', 'this help', 'always'],
];
