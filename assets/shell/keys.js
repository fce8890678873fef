// @ts-check The effects of keys. Needs no
// document: tested in node.

/** @typedef {import('./types.js').State} State */

/**
 * The call that a key requests, or undefined. A move is relative to the marker at the time of the call, because the page's last state may
 * be older than the previous key.
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

const PAGES = 10; // PageUp and PageDown move by this fraction of the axis

/**
 * The call that a key requests on the time axis itself, or undefined for keys that do not move it. Like the arrows elsewhere, each key
 * stops at the latest iteration, and computes on from there.
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
 * Whether a key undoes the last change.
 * @param {{key: string, shiftKey?: boolean, ctrlKey?: boolean, metaKey?: boolean, altKey?: boolean}} e
 */
const isUndo = (e) => e.key.toLowerCase() === 'z' && Boolean(e.ctrlKey || e.metaKey) && !e.altKey && !e.shiftKey;

const MOVES = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown']);

/**
 * Whether a key moves a slider.
 * @param {{key: string}} e
 */
export const movesSlider = ({ key }) => MOVES.has(key);

/**
 * Whether the focused element itself uses a key.
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
    case 'div': // it has the focus because it scrolls
      return MOVES.has(key);
  }
  return false;
}

/**
 * Whether an intention moves runs; some scenes have none.
 * @param {string} verb
 */
export const movesRuns = (verb) => ['play', 'pause', 'step', 'seek', 'reach', 'move', 'reset'].includes(verb);

/** The keys as the help lists them; "always" marks keys that also work in scenes without runs. */
export const KEYS = [
  ['Space', 'play or pause'],
  ['S', 'one iteration, round, step or pass, whatever k counts'],
  ['← →', 'move the time marker by one, with Shift by ten; at the latest, compute on'],
  ['Home End', 'the start, the latest; End once more computes to the end of the budget'],
  ['R', 'reset: back to k = 0, same seed'],
  ['N', 'new seed'],
  ['Ctrl+Z', 'take the last change back', 'always'],
  ['1 2 3', 'bring the first, second, third panel to the front, and so on', 'always'],
  ['P', 'present: large, without controls; Esc leaves', 'always'],
  ['PageUp PageDown', 'while presenting: the step of the lesson, or the experiment, before and after', 'always'],
  ['Tab', 'reach the points that can be dragged; arrow keys go from one to the next', 'always'],
  ['← → ↑ ↓', 'among the experiments and among the methods: from one to the next', 'always'],
  ['Enter', 'on such a point: take it; arrow keys then move it, with Shift ten times as far, and Esc or Enter lets it go', 'always'],
  ['Esc', 'in a page that embeds this one: give it the keyboard', 'always'],
  ['?', 'this help', 'always'],
];
