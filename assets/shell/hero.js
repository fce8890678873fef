// @ts-check
// Runs the large picture of the contents page without the program: the visitor drags a start over it and sees the run
// from there. The site's build computes the runs from a fine grid of starts. The start moves from one grid point to the
// next.
import { element, svg } from './dom.js';
import { get } from '../platform/files.js';

const UNITS = 4096; // of the file's coordinates, across the picture and down
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const [WIDTH, HEIGHT] = [720, 450]; // of the drawing, in its units

/** @typedef {{variables: [number, number], points: [number, number][]}} Path  a start, and its iterates in the picture */

/** @param {string} text  written by internal/site/hero.go */
function readPoints(text) {
  /** @type {[number, number][]} */
  const pairs = [];
  const digits = (/** @type {number} */ at) => DIGITS.indexOf(text[at]) * 64 + DIGITS.indexOf(text[at + 1]);
  for (let at = 0; at + 4 <= text.length; at += 4) pairs.push([digits(at), digits(at + 2)]);
  return pairs;
}

/** @param {string} text @returns {Path} */
function readPath(text) {
  const [[x, y], ...points] = readPoints(text);
  return { variables: [x / 1000 - 2, y / 1000 - 2], points };
}

/** Returns a line through points, in the drawing's units. @param {[number, number][]} points */
const through = (points) => points.map(([u, v]) => `${(u * WIDTH / UNITS).toFixed(1)},${(v * HEIGHT / UNITS).toFixed(1)}`).join(' ');

/**
 * Returns the path whose start is nearest to a point, in the file's coordinates.
 * @param {Path[]} paths
 * @param {number} x
 * @param {number} y
 */
export function nearest(paths, x, y) {
  return paths.reduce((best, path) => {
    const away = (/** @type {Path} */ { points: [[u, v]] }) => (u - x) ** 2 + ((v - y) * HEIGHT / WIDTH) ** 2;
    return away(path) < away(best) ? path : best;
  });
}

/**
 * Returns the path from the next start in a direction, given in key steps to the right and down; the same path if there
 * is none.
 * @param {Path[]} paths
 * @param {Path} from
 * @param {number} right
 * @param {number} down
 */
export function next(paths, from, right, down) {
  const [x, y] = from.points[0];
  let [best, least] = [from, Infinity];
  for (const path of paths) {
    const [dx, dy] = [path.points[0][0] - x, path.points[0][1] - y];
    const ahead = dx * right + dy * down;
    const aside = Math.abs(dx * down) + Math.abs(dy * right);
    const away = ahead + 4 * aside;
    if (ahead > 4 && aside <= ahead && away < least) [best, least] = [path, away];
  }
  return best;
}

/** @type {Record<string, [number, number]>} */
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Lets the visitor move the picture's start, once the paths have arrived.
 * @param {HTMLElement} frame  of the picture, with the address of the paths
 * @param {() => void} take    called when the visitor grabs the start: the picture's own film may stop
 */
export async function createHero(frame, take) {
  const link = /** @type {HTMLAnchorElement} */ (frame.querySelector('a'));
  const answer = await get(frame.dataset.paths ?? '');
  if (!answer.ok) throw new Error(`the paths could not be loaded: status ${answer.status}`);
  /** @type {{origin: number[], one: number[], paths: string[], edge: string, front: string}} */
  const { origin, one, paths: texts, edge, front } = await answer.json();
  const paths = texts.map(readPath);
  const address = link.getAttribute('href') ?? '';

  const line = svg('polyline', { class: 'run' });
  const end = svg('circle', { r: 6 });
  const beneath = frame.querySelector('img') ? [] : [ // the single-file page has no picture
    svg('polygon', { class: 'edge', points: through(readPoints(edge)) }),
    svg('polyline', { class: 'front', points: through(readPoints(front)) })];
  const drawing = svg('svg', { class: 'tradeoff-run', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, 'aria-hidden': 'true' }, ...beneath, line, end);
  const start = element('button', { type: 'button', class: 'tradeoff-start' });
  const said = element('p', { class: 'visually-hidden', 'aria-live': 'polite' });
  const label = /** @type {HTMLElement} */ (frame.querySelector('.label-start'));
  frame.append(drawing, start, said);

  const value = (/** @type {number} */ i, /** @type {number[]} */ point) => ((point[i] - origin[i]) / (one[i] - origin[i])).toFixed(2);
  let shown = nearest(paths, 0.58 * UNITS, 0.1 * UNITS);
  /** @param {Path} path */
  function show(path) {
    shown = path;
    const [[x, y]] = path.points;
    const last = path.points[path.points.length - 1];
    line.setAttribute('points', through(path.points));
    end.setAttribute('cx', String(last[0] * WIDTH / UNITS));
    end.setAttribute('cy', String(last[1] * HEIGHT / UNITS));
    start.style.left = `${100 * x / UNITS}%`;
    start.style.top = `${100 * y / UNITS}%`;
    label.style.left = `calc(${100 * x / UNITS}% + 18px)`;
    label.style.top = `calc(${100 * y / UNITS}% - 10px)`;
    const goals = (/** @type {number[]} */ point) => `first goal ${value(0, point)}, second goal ${value(1, point)}`;
    start.setAttribute('aria-label', `Start of a run, ${goals(path.points[0])}: drag it, or move it with the arrow keys; Enter opens the ` +
      'scene with it');
    said.textContent = `The run ends at ${goals(last)}.`;
    link.setAttribute('href', `${address}&start=${path.variables.map((v) => v.toFixed(3)).join(',')}`);
  }
  show(shown);
  said.textContent = ''; // the visitor has not moved anything yet
  label.textContent = 'drag this';
  label.classList.add('live');

  let [held, moved] = [-1, false];
  start.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    [held, moved] = [event.pointerId, false];
    start.setPointerCapture(held);
    take();
  });
  start.addEventListener('pointermove', (event) => {
    if (event.pointerId !== held) return;
    const box = frame.getBoundingClientRect();
    const path = nearest(paths, (event.clientX - box.left) / box.width * UNITS, (event.clientY - box.top) / box.height * UNITS);
    if (path === shown) return;
    moved = true;
    label.hidden = true;
    show(path);
  });
  for (const kind of ['pointerup', 'pointercancel']) start.addEventListener(kind, () => { held = -1; });
  start.addEventListener('keydown', (event) => {
    const by = KEYS[event.key];
    if (!by || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    take();
    label.hidden = true;
    let to = shown;
    for (let i = 0; i < (event.shiftKey ? 10 : 1); i++) to = next(paths, to, by[0], by[1]);
    show(to);
  });
  // A click or key on the start opens the scene, like a click on the picture. The end of a drag is no click, and
  // touches do not send one.
  start.addEventListener('click', ({ detail }) => {
    if (!moved || detail === 0) link.click();
    moved = false;
  });
}
