// @ts-check
import { axisEnd, counted, formatNumber, hasEnded, placeText, statusText, timeMarks } from '../shell/words.js';
import { timeIntention } from '../shell/keys.js';
import { element, intend, setText, svg } from '../shell/dom.js';

/** @typedef {import('../shell/types.js').Model} Model */
/** @typedef {import('../shell/types.js').State} State */

const ICONS = {
  play: 'M5 3l12 7-12 7z',
  pause: 'M5 3h4v14H5zM12 3h4v14h-4z',
  step: 'M4 3l9 7-9 7zM14 3h3v14h-3z',
  stop: 'M4 4h12v12H4z',
  reset: 'M10 3a7 7 0 1 1-6.7 5h2.2A5 5 0 1 0 10 5v3L5 4.5 10 1z',
  seed: 'M3 3h14v14H3zM5 5v10h10V5zM6.5 6.5h2.5v2.5H6.5zM11 11h2.5v2.5H11z',
};

const STOP_AFTER = 400; // in milliseconds of computing before Stop appears

/** @param {keyof typeof ICONS} name */
const icon = (name) => svg('svg', { viewBox: '0 0 20 20', width: 20, height: 20, 'aria-hidden': 'true', class: 'icon' },
  svg('path', { d: ICONS[name], 'fill-rule': 'evenodd' }));

/**
 * Builds the playback controls: play, step, reset, new seed, speed and the counter.
 * @param {HTMLElement} root
 */
export function createPlayback(root) {
  let playing = false;
  const playLabel = element('span', {}, 'Play');
  const play = element('button', { type: 'button', id: 'play', class: 'primary', onclick: () => intend(play, playing ? 'pause' : 'play') },
    playLabel);
  const button = (/** @type {'step'|'reset'|'seed'} */ name, /** @type {string} */ label, /** @type {string} */ verb,
    /** @type {object} */ args, /** @type {string} */ title) => {
    const node = element('button', { type: 'button', title, onclick: () => intend(node, verb, args) }, icon(name),
      element('span', {}, label));
    return node;
  };
  const step = button('step', 'Step', 'step', { n: 1 }, 'One further (S)');
  const reset = button('reset', 'Reset', 'reset', {}, 'Back to k = 0, same seed (R)');
  const seed = button('seed', 'New seed', 'newSeed', {}, 'New random numbers (N)');
  const stop = element('button', { type: 'button', id: 'stop', title: 'Stop here and keep the computed iterations', hidden: true,
    onclick: () => intend(stop, 'stop') }, icon('stop'), element('span', {}, 'Stop'));
  const share = element('progress', { max: 1, value: 0, 'aria-label': 'Computed', hidden: true });
  const speed = element('select', { id: 'speed', onchange: () => intend(speed, 'set', { name: 'speed', value: speed.value }) });
  const speedLabel = element('label', { for: 'speed', class: 'speed' }, element('span', { class: 'visually-hidden' }, 'Speed'), speed);

  const counter = element('output', { class: 'counter', 'aria-live': 'off' });
  const of = element('span', { class: 'of' });
  const status = element('p', { class: 'status', id: 'status' });
  root.append(
    element('div', { class: 'buttons', role: 'group', 'aria-label': 'Transport' }, play, step, reset, seed),
    element('div', { class: 'pace' }, stop, speedLabel),
    element('div', { class: 'clock' }, element('div', { class: 'count' }, element('span', { class: 'k', 'aria-hidden': 'true' }, 'k ='),
      counter, of), status, share),
  );
  /** What k counts, in the singular. */
  let word = 'iteration';
  let speeds = '';
  let shownIcon = '';
  let hasSpeed = false;
  /** The sentence to show when play stops by itself. */
  let found = '';
  /** When the current computation started, in milliseconds. @type {number | undefined} */
  let since;

  /**
   * Shows the progress of a long computation, which can be stopped.
   * @param {number | null | undefined} progress  from 0 to 1; null without a computation
   */
  function showProgress(progress) {
    const busy = progress !== null && progress !== undefined;
    since = busy ? since ?? performance.now() : undefined;
    const long = since !== undefined && performance.now() - since > STOP_AFTER;
    if (busy) share.value = progress;
    if (stop.hidden !== long) return;
    const focused = document.activeElement;
    stop.hidden = share.hidden = !long;
    speedLabel.hidden = long || !hasSpeed; // Stop takes its place
    if (long && focused === speed) stop.focus();
    if (!long && focused === stop) play.focus();
  }

  /** @param {Model} model */
  function update({ params, scene, state, asked }) {
    word = scene?.counts ?? word;
    counter.setAttribute('aria-label', word);
    step.title = `One ${word} (S)`;
    const descriptor = params.find((d) => d.name === 'speed');
    hasSpeed = descriptor !== undefined;
    speedLabel.hidden = !hasSpeed || !stop.hidden;
    const key = JSON.stringify(descriptor?.options);
    if (descriptor && key !== speeds) {
      speeds = key;
      speed.replaceChildren(...(descriptor.options ?? []).map((o) => element('option', { value: o.value }, o.label)));
      speed.title = descriptor.help;
    }
    if (!asked.has('speed')) speed.value = state.params.speed;
    tick(state);
  }

  /**
   * Updates the parts that change in every frame.
   * @param {State} state
   */
  function tick(state) {
    playing = state.playing;
    showProgress(state.progress);
    const ended = !playing && state.latest > 0 && hasEnded(state.status);
    const moves = playing || state.looping;
    const name = moves ? 'pause' : 'play';
    if (name !== shownIcon) {
      shownIcon = name;
      play.replaceChildren(icon(name), playLabel);
    }
    setText(playLabel, moves ? 'Pause' : ended ? 'Replay' : 'Play');
    play.title = moves ? 'Pause (Space)' : ended ? 'Run again from k = 0 (Space)' : 'Play (Space)';
    step.disabled = ended;
    setText(counter, formatNumber(state.iteration));
    setText(of, `of ${counted(state.budget, word)}`);
    const text = statusText(state, word);
    setText(status, text);
    if (status.title !== text) status.title = text;
    if (state.finding !== found) {
      found = state.finding;
      if (found) intend(status, 'page:said', { text: found });
    }
    status.classList.toggle('found', Boolean(state.finding));
    status.classList.toggle('back', state.iteration < state.latest);
    root.classList.toggle('diverged', state.status === 'diverged');
  }

  return { update, tick };
}

const NO_MARKS = '[]';
const MOVES_FOR = 400; // in milliseconds: the time in which the end of the axis reaches its new place
const LARGEST_MOVE = 0.25; // largest fraction of the way in one frame
const MARK_NEAR = 10;
const MARK_LABEL = 72;

/**
 * Builds the time axis from 0 to the budget: its computed part is filled, and ticks mark live changes. The thumb also
 * requests iterations that are not computed yet.
 * @param {HTMLElement} root
 */
export function createTimeAxis(root) {
  const slider = element('input', { type: 'range', id: 'time', min: 0, max: 0, step: 1, value: 0,
    oninput: () => intend(slider, 'reach', { k: slider.valueAsNumber }), onkeydown: pressed });
  const marks = element('ol', { class: 'marks', 'aria-label': 'Live changes' });
  const end = element('span', { class: 'axis-end' });
  const track = element('div', { class: 'axis-track' }, slider, marks);
  root.append(element('span', { class: 'axis-start' }, '0'), track, end);
  let word = 'iteration';
  /** @type {Model['params']} */
  let descriptors = [];
  /** @type {HTMLElement[]} */
  let items = [];
  let drawn = NO_MARKS;

  /** @param {Model} model */
  function update({ params, scene, state }) {
    descriptors = params;
    word = scene?.counts ?? word;
    slider.setAttribute('aria-label', `${word[0].toUpperCase()}${word.slice(1)} shown`);
    slider.title = `Drag to any ${word}; beyond the filled part, the page first computes what is missing`;
    tick(state);
  }

  /** @param {KeyboardEvent} event */
  function pressed(event) {
    const intention = timeIntention(event, Number(slider.max));
    if (!intention) return;
    event.preventDefault();
    intend(slider, intention.verb, intention.args);
  }

  /**
   * Moves the marks while the axis grows. It rebuilds them only if one is added, or if a label gains or loses its
   * room.
   * @param {State['log']} log
   * @param {number} length  of the axis
   */
  function drawMarks(log, length) {
    const list = timeMarks(log, descriptors, length, track.clientWidth, MARK_NEAR, MARK_LABEL);
    const key = JSON.stringify(list.map(({ k, text, labelled }) => [k, text, labelled]));
    if (key !== drawn) {
      drawn = key;
      items = list.map(mark);
      marks.replaceChildren(...items);
    }
    list.forEach(({ at }, i) => items[i].style.setProperty('--at', String(at)));
  }

  /** @param {{k: number, text: string, labelled: boolean}} change */
  function mark({ k, text, labelled }) {
    const button = element('button', { type: 'button', class: labelled ? 'mark labelled' : 'mark', title: `k = ${k}: ${text}`,
      'aria-label': `${word} ${k}: ${text}`, onclick: () => intend(button, 'seek', { k }) },
      labelled ? element('span', {}, text) : null);
    return element('li', {}, button);
  }

  const held = () => slider.matches(':active');
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  /** The current end of the axis while it moves to its new place. */
  let length = 0;
  let to = 0;
  /** The end before it started to move, when it started, and the share of the way so far. */
  let from = { length: 0, since: 0, share: 0 };
  /** The scene that the axis belongs to. */
  let of = '';
  /** @type {State} */
  let last;

  /** @param {State} state */
  function tick(state) {
    last = state;
    // While dragged, the thumb is ahead of the picture and the axis keeps its length. The axis also keeps its length
    // during play, if there is room.
    const watched = state.playing && state.scene === of && state.latest < to && to <= Math.max(state.budget, state.latest);
    const next = held() || watched ? Math.max(to, state.latest) : axisEnd(state);
    const jumps = state.scene !== of || length === 0 || next === 0 || still.matches;
    of = state.scene;
    if (next !== to) {
      to = next;
      from = { length, since: performance.now(), share: 0 };
      if (!jumps) requestAnimationFrame(move);
    }
    if (jumps) length = to;
    drawAxis();
  }

  /** Moves the end to its new place over several frames, however slow they are, so that the visitor can follow the marks. */
  function move() {
    if (length === to) return;
    from.share = Math.min((performance.now() - from.since) / MOVES_FOR, from.share + LARGEST_MOVE, 1);
    length = from.share === 1 ? to : from.length + (to - from.length) * from.share * (2 - from.share);
    drawAxis();
    if (from.share < 1) requestAnimationFrame(move);
  }

  function drawAxis() {
    const state = last;
    const whole = Math.round(length);
    if (slider.max !== String(whole)) slider.max = String(whole);
    slider.disabled = to === 0 || state.status === 'loading';
    if (!held()) slider.value = String(state.target ?? state.iteration);
    slider.setAttribute('aria-valuetext', placeText(state, word));
    slider.style.setProperty('--filled', String(length === 0 ? 0 : Math.min(state.latest / length, 1)));
    setText(end, formatNumber(to));
    if (state.log.length > 0 || drawn !== NO_MARKS) drawMarks(state.log, length);
  }

  return { update, tick };
}
