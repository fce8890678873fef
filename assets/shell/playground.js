// @ts-check
import { limited } from './pacing.js';

/**
 * @typedef {object} Host the page's services for a caller
 * @property {() => Promise<void>} ready
 * @property {() => any} scenes
 * @property {() => any} params
 * @property {() => any} state
 * @property {(verb: string, args: Record<string, any>) => Promise<any>} perform
 * @property {(kind: string, how: import('./types.js').Taking) => Promise<{name: string, type: string, blob: Blob}>} exportFile
 * @property {(blob: Blob, choose: import('../stage/paste-parts.js').Choice) => Promise<void>} showData
 * @property {(name: string, step: number) => Promise<void>} lesson  opens a step, or leaves the lesson for ''; the page knows the lessons
 * @property {(on: boolean) => Promise<void>} present
 */

/** The verbs of messages, with the order of their arguments. */
const VERBS = /** @type {Record<string, string[]>} */ ({
  ready: [], scenes: [], params: [], state: [], open: ['id'], set: ['name', 'value', 'options'], play: [], pause: [], step: ['n'],
  seek: ['k'],
  reset: [], newSeed: [], load: ['state'], export: ['kind', 'options'], paste: ['data', 'choice'], card: ['id'], hero: ['panel'], pin: [],
  unpin: ['letter'], swapPin: ['letter'], undo: [], lesson: ['name', 'step'], present: ['on'],
});

/** Verbs whose options may follow their arguments. */
const WITH_OPTIONS = new Set(['set', 'export']);

/** Provides the page's interface for other scripts, window.playground. */
export class Playground extends EventTarget {
  #host;

  /** @param {Host} host */
  constructor(host) {
    super();
    this.#host = host;
  }

  /** Settles with the first live frame of the address's scene. After the program failed to start, this is a new promise. */
  get ready() {
    return this.#host.ready();
  }

  scenes() {
    return this.#host.scenes();
  }

  params() {
    return this.#host.params();
  }

  state() {
    return this.#host.state();
  }

  /** @param {string} id */
  async open(id) {
    return this.#host.perform('open', { id: text('open', 'id', id) });
  }

  /**
   * @param {string} name
   * @param {any} value
   * @param {{again?: boolean}} [options]  again: restart runs that have ended, as when a control is moved
   */
  async set(name, value, { again = false } = {}) {
    if (value === undefined) throw new Error(`set: the value of ${show(name)} is missing`);
    return this.#host.perform('set', { name: text('set', 'name', name), value, again: truth('set', 'again', again) });
  }

  async play() {
    return this.#host.perform('play', {});
  }

  async pause() {
    return this.#host.perform('pause', {});
  }

  /**
   * Computes n iterations of every run.
   * @param {number} [n]
   */
  async step(n = 1) {
    if (!Number.isInteger(n) || n < 1) throw new Error(`step: n must be a whole number of at least 1, not ${show(n)}`);
    return this.#host.perform('step', { n });
  }

  /**
   * Moves the marker to iteration k.
   * @param {number} k
   */
  async seek(k) {
    if (typeof k !== 'number' || !Number.isFinite(k)) throw new Error(`seek: k must be a number, not ${show(k)}`);
    return this.#host.perform('seek', { k: Math.round(k) });
  }

  async reset() {
    return this.#host.perform('reset', {});
  }

  async newSeed() {
    return this.#host.perform('newSeed', {});
  }

  /** @param {string|object} state  a state from state(), or its hash */
  async load(state) {
    if (typeof state !== 'string' && (typeof state !== 'object' || state === null)) {
      throw new Error(`load: the argument must be a state or a hash, not ${show(state)}`);
    }
    return this.#host.perform('load', { state });
  }

  /**
   * Opens an experiment of the scene.
   * @param {string} id
   */
  async card(id) {
    return this.#host.perform('card', { id: text('card', 'id', id) });
  }

  /**
   * Brings a panel to the front.
   * @param {string} panel
   */
  async hero(panel) {
    return this.#host.perform('hero', { panel: text('hero', 'panel', panel) });
  }

  /** Pins the current runs for comparison with others, and returns {letter}. */
  async pin() {
    return this.#host.perform('pin', {});
  }

  /** @param {string} letter */
  async unpin(letter) {
    return this.#host.perform('unpin', { letter: text('unpin', 'letter', letter) });
  }

  /**
   * Shows the pinned state, and pins the current one.
   * @param {string} letter
   */
  async swapPin(letter) {
    return this.#host.perform('swapPin', { letter: text('swapPin', 'letter', letter) });
  }

  /** Undoes the last change. */
  async undo() {
    return this.#host.perform('undo', {});
  }

  /**
   * Opens a step of a lesson, or leaves the lesson if there is no name.
   * @param {string} [name]
   * @param {number} [step]  from 1
   */
  async lesson(name = '', step = 1) {
    if (!Number.isInteger(step) || step < 1) throw new Error(`lesson: step must be a whole number of at least 1, not ${show(step)}`);
    return this.#host.lesson(text('lesson', 'name', name), step);
  }

  /**
   * Fills the window with the picture for an audience, or ends this.
   * @param {boolean} [on]
   */
  async present(on = true) {
    return this.#host.present(truth('present', 'on', on));
  }

  /**
   * Shows a file in a scene that accepts one: a table, JSON or a NumPy array.
   * @param {string|Blob} data
   * @param {{part?: string, columns?: string[]}} [choice]  part: one part of a file with several, an array by its name or a run by its
   * number from 1; columns: some columns of a table, by name or number from 1
   */
  async paste(data, { part = '', columns = [] } = {}) {
    if (typeof data !== 'string' && !(data instanceof Blob)) throw new Error(`paste: data must be a string or a Blob, not ${show(data)}`);
    if (!Array.isArray(columns)) throw new Error(`paste: columns must be a list, not ${show(columns)}`);
    return this.#host.showData(new Blob([data]), {
      part: text('paste', 'part', part), columns: columns.map((c) => text('paste', 'columns', c)),
    });
  }

  /**
   * @param {string} kind  png, svg, pdf, gif, webm, csv, json, go, python or log
   * @param {{panel?: string, width?: string, method?: string}} [options]  panel: one panel, by default all (in a clip, the one in front);
   * width: of svg, png and pdf on paper; method: of a program, by default the selected run's
   */
  async export(kind, { panel = '', width = '', method = '' } = {}) {
    return this.#host.exportFile(text('export', 'kind', kind), { panel: text('export', 'panel', panel),
      width: text('export', 'width', width), method: text('export', 'method', method) });
  }
}

/** Maximum number of messages waiting for their answers. */
const MOST_WAITING = 256;

/**
 * Answers messages only from the page that embeds this one. It ignores the opener and all other pages around or inside
 * this one.
 * @param {(origin: string) => Playground} playgroundFor  the interface for a page of that origin
 */
export function answerMessages(playgroundFor) {
  const under = limited(MOST_WAITING);
  window.addEventListener('message', async ({ source, origin, data }) => {
    if (!source || source !== window.parent || typeof data !== 'object' || data === null || data.playground !== 1 ||
      typeof data.verb !== 'string') return;
    /** @type {{result?: any, error?: string}} */
    let answer;
    try {
      answer = { result: await under(() => perform(playgroundFor(origin), data.verb, data.args)) };
    } catch (failure) {
      answer = { error: failure instanceof Error ? failure.message : String(failure) };
    }
    // Objects that a message transferred cannot be sent back.
    const id = typeof data.id === 'object' ? null : data.id;
    // An opaque origin cannot be a target: only "*" reaches it, and the parent stays the same while this page
    // exists.
    const target = origin === 'null' ? '*' : origin;
    source.postMessage({ playground: 1, id, ...answer }, { targetOrigin: target });
  });
}

/**
 * @param {Playground} playground
 * @param {string} verb
 * @param {any} args
 */
async function perform(playground, verb, args) {
  if (!Object.hasOwn(VERBS, verb)) throw new Error(`unknown verb ${show(verb)}; available: ${Object.keys(VERBS).join(' ')}`);
  if (verb === 'ready') return playground.ready;
  const names = VERBS[verb];
  const given = { ...namedArguments(names, args) };
  if (WITH_OPTIONS.has(verb)) given.options ??= { ...given };
  // load also accepts a state itself, which is an object like the named arguments.
  if (verb === 'load' && !('state' in given)) return playground.load(given);
  return /** @type {any} */ (playground)[verb](...names.map((name) => given[name]));
}

/** @param {string} verb @param {string} name @param {unknown} value */
function text(verb, name, value) {
  if (typeof value !== 'string') throw new Error(`${verb}: ${name} must be a string, not ${show(value)}`);
  return value;
}

/** @param {string} verb @param {string} name @param {unknown} value */
function truth(verb, name, value) {
  if (typeof value !== 'boolean') throw new Error(`${verb}: ${name} must be true or false, not ${show(value)}`);
  return value;
}

/**
 * Returns a verb's arguments by name. The message may give them by name, in order or as a single value.
 * @param {string[]} names
 * @param {any} args
 * @returns {Record<string, any>}
 */
export function namedArguments(names, args) {
  if (args === undefined || args === null) return {};
  if (Array.isArray(args)) return Object.fromEntries(names.flatMap((name, i) => (i < args.length ? [[name, args[i]]] : [])));
  if (Object.prototype.toString.call(args) === '[object Object]') return args;
  return names.length > 0 ? { [names[0]]: args } : {};
}

const SHOWN = 60;

/**
 * Returns any value in the form that errors quote.
 * @param {unknown} value
 */
export function show(value) {
  if (typeof value === 'string') return JSON.stringify(value.length > SHOWN ? value.slice(0, SHOWN) + '…' : value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'function') return 'a function';
  return String(value);
}
