// @ts-check
// What the page computes, without a document: tested in node.

/** @typedef {import('./types.js').Descriptor} Descriptor */
/** @typedef {import('./types.js').Only} Only */
/** @typedef {import('./types.js').State} State */
/** @typedef {import('./types.js').Data} Data */
/** @typedef {import('./types.js').Scene} Scene */

/** Positions of a slider on a logarithmic scale: 0 to this. */
export const SLIDER_STEPS = 1000;

/**
 * Whether a slider spreads the range by ratios.
 * @param {Descriptor} d
 */
export const isLog = (d) => d.scale === 'log' && Number(d.min) > 0 && Number(d.max) > Number(d.min);

/**
 * The slider position of a value.
 * @param {Descriptor} d
 * @param {number} value
 */
export function toSlider(d, value) {
  if (!isLog(d)) return value;
  const [min, max] = [Number(d.min), Number(d.max)];
  const inside = Math.min(Math.max(value, min), max);
  return Math.round((SLIDER_STEPS * Math.log(inside / min)) / Math.log(max / min));
}

/**
 * The value at a slider position, in three significant digits where the scale
 * is logarithmic; the ends are exact.
 * @param {Descriptor} d
 * @param {number} position
 */
export function fromSlider(d, position) {
  if (!isLog(d)) return position;
  const [min, max] = [Number(d.min), Number(d.max)];
  if (position <= 0) return min;
  if (position >= SLIDER_STEPS) return max;
  const value = min * Math.pow(max / min, position / SLIDER_STEPS);
  if (d.type === 'integer') return Math.round(value);
  return Number(value.toPrecision(3));
}

/**
 * A number for people: up to four significant digits, a real minus sign.
 * @param {number} value
 */
export function formatNumber(value) {
  if (!Number.isFinite(value)) return '–';
  const rounded = Number(value.toPrecision(4));
  const size = Math.abs(rounded);
  const text = size !== 0 && (size < 1e-3 || size >= 1e7) ? rounded.toExponential() : String(rounded);
  return text.replace('e+', 'e').replaceAll('-', '−');
}

/**
 * A title as the pictures write it, such as "f_1", with subscripts as letters.
 * @param {string} title
 */
export const withSubscripts = (title) => title.replace(/_(\d+)/g, (_, digits) => [...digits].map((d) => '₀₁₂₃₄₅₆₇₈₉'[Number(d)]).join(''));

/**
 * A message without its numbers: two that differ in them only say the same.
 * @param {string} text
 */
export const shapeOf = (text) => text.replace(/[−-]?\d[\d.]*(e[−-]?\d+)?/g, '#');

/**
 * The value as a link and a preset write it.
 * @param {any} value
 * @returns {string}
 */
export function textOf(value) {
  if (!Array.isArray(value)) return String(value ?? '');
  const nested = value.some((item) => Array.isArray(item));
  return value.map((item) => (typeof item === 'string' ? quoted(item) : textOf(item))).join(nested ? ';' : ',');
}

/**
 * A name of a list as a line of CSV has it: in double quotes where it would be read otherwise.
 * @param {string} name
 */
const quoted = (name) => (/[,"]|^\s|\s$/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);

/**
 * The names of a list, each once; undefined when a quotation has no end.
 * @param {string} text
 * @returns {string[]|undefined}
 */
function readNames(text) {
  const cells = [...text.matchAll(/\s*(?:"((?:[^"]|"")*)"\s*|((?!\s*")[^,]*))(?:,|$)/gy)];
  if (cells.reduce((length, [cell]) => length + cell.length, 0) < text.length) return undefined;
  const names = cells.map(([, inside, plain]) => inside?.replaceAll('""', '"') ?? plain.trim());
  return [...new Set(names)].filter((name) => name !== '');
}

/**
 * A link's text as the value of a parameter; undefined when it is none.
 * @param {Descriptor} d
 * @param {string} text
 */
export function valueOf(d, text) {
  const within = (/** @type {number} */ v) => Math.min(Math.max(v, d.min ?? v), d.max ?? v);
  const isOption = (/** @type {string} */ v) => (d.options ?? []).some((o) => o.value === v);
  switch (d.type) {
    case 'number':
    case 'integer':
    case 'seed': {
      const v = Number(text);
      if (text.trim() === '' || !Number.isFinite(v)) return undefined;
      return d.type === 'number' ? within(v) : Math.round(within(v));
    }
    case 'bool':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    case 'choice':
      return isOption(text) ? text : undefined;
    case 'set': {
      const chosen = d.open ? readNames(text)?.slice(0, d.atMost) : text.split(',').filter(isOption);
      return !chosen || chosen.length < (d.atLeast ?? 0) ? undefined : chosen;
    }
    case 'points':
      return text === '' ? [] : text.split(';').map((row) => (row === '' ? [] : row.split(',').map(Number)));
    case 'matrix': {
      const rows = text.split(';').map((row) => row.split(',').map((cell) => (cell.trim() === '' ? NaN : Number(cell))));
      const right = rows.length >= (d.atLeast ?? 0) && rows.every((row) => row.length === (d.columns || rows[0].length) && row.every(Number.isFinite));
      return right ? rows.slice(0, d.atMost).map((row) => row.map(within)) : undefined;
    }
    case 'simplex': {
      if (d.count && text === '') return [];
      const shares = text.split(',').map((cell) => (cell.trim() === '' ? NaN : Number(cell)));
      const right = d.count ? shares.length <= Number(d.atMost) : shares.length === d.columns;
      if (!right || !shares.every((v) => v >= 0)) return undefined;
      if (!isWhole(d)) return shares;
      const numbers = shares.map((v) => Math.round(within(v)));
      return numbers.some((v) => v > 0) ? numbers : undefined;
    }
    case 'camera': {
      const numbers = text.split(',').map(Number);
      return numbers.length === 3 && numbers.every(Number.isFinite) ? numbers : undefined;
    }
  }
  return undefined;
}

/**
 * Whether the numbers of a simplex are whole, and then of any sum.
 * @param {Descriptor} d
 */
export const isWhole = (d) => d.type === 'simplex' && d.step === 1;

/**
 * What a simplex stands for: equal shares where it has none, or ones where they are whole.
 * @param {Descriptor} d
 * @param {number[]} value
 * @param {Record<string, any>} params
 * @returns {number[]}
 */
export function sharesOf(d, value, params) {
  if (value.length > 0) return value;
  const n = Number(d.count ? params[d.count] : d.columns);
  return Array(n).fill(isWhole(d) ? 1 : 1 / n);
}

/**
 * Whole numbers of which one is set, within its range: the last that is left does not go to 0.
 * @param {Descriptor} d
 * @param {number[]} numbers
 * @param {number} at
 * @param {number} value
 * @returns {number[]}
 */
export function withNumber(d, numbers, at, value) {
  const least = numbers.some((v, i) => i !== at && v > 0) ? 0 : 1;
  return numbers.map((v, i) => (i === at ? Math.min(Math.max(Math.round(value), least), Number(d.max)) : v));
}

/** Shares are whole multiples of one such part, which keeps links short and sums exact: of many, finer ones. */
const shareSteps = (/** @type {number} */ n) => (n <= 12 ? 1e6 : 1e9);

/**
 * Shares of which one is set; the others keep their proportions, or share alike what is
 * left where they have nothing. None falls below least.
 * @param {number[]} shares
 * @param {number} at
 * @param {number} value
 * @param {number} least
 * @returns {number[]}
 */
export function withShare(shares, at, value, least) {
  const n = shares.length;
  const steps = shareSteps(n);
  const free = 1 - n * least;
  const own = Math.min(Math.max(value - least, 0), free);
  const above = shares.map((v) => Math.max(v - least, 0));
  const others = above.reduce((sum, v, i) => (i === at ? sum : sum + v), 0);
  const parts = above.map((v, i) => {
    if (n === 1) return free;
    if (i === at) return own;
    return (free - own) * (others > 0 ? v / others : 1 / (n - 1));
  }).map((v) => Math.round((v + least) * steps));
  // What rounding leaves belongs to the largest of the others, which feels it least.
  const largest = Math.max(...parts.filter((_, i) => i !== at || n === 1));
  parts[parts.findIndex((v, i) => v === largest && (i !== at || n === 1))] += steps - parts.reduce((sum, v) => sum + v, 0);
  return parts.map((v) => v / steps);
}

/** The names in a link that are no parameters': a parameter of such a name has another there. */
const TAKEN = new Set(['v', 'scene', 'log', 'k', 'latest', 'run', 'show', 'hero', 'data', 'card', 'lesson', 'pinA', 'pinB', 'pinC', 'pinD']);

/**
 * What a link calls a parameter.
 * @param {string} name
 */
export const linkName = (name) => (TAKEN.has(name) ? `param.${name}` : name);

/**
 * The names and texts of a link's hash; the first of two equal names holds.
 * @param {string} hash
 * @returns {Map<string, string>}
 */
export function readHash(hash) {
  const found = new Map();
  for (const [name, text] of new URLSearchParams(hash.replace(/^#/, ''))) {
    if (!found.has(name)) found.set(name, text);
  }
  return found;
}

/** What a link may name and yet only say what is to be opened. */
const BARE = new Set(['v', 'scene', 'card', 'lesson']);

/**
 * What a link opens: the name of a scene, of its experiment, and a lesson with its step.
 * A bare one says no more, such as those of the contents page: what it opens begins anew,
 * and plays.
 * @param {string} hash
 */
export function opened(hash) {
  const link = readHash(hash);
  const [name, step] = (link.get('lesson') ?? '').split(':');
  return {
    scene: link.get('scene') ?? '', card: link.get('card') ?? '', lesson: name ? { name, step: Math.max(1, Math.round(Number(step)) || 1) } : null,
    bare: link.size > 0 && [...link.keys()].every((key) => BARE.has(key)),
  };
}

/**
 * A step as it is opened from elsewhere than the one before it: one that keeps what is has
 * the state of the last one that says what that is.
 * @param {import('./types.js').Lesson} lesson
 * @param {number} step  from 1
 */
export function arrival({ steps }, step) {
  const state = steps.slice(0, step).findLast(({ state }) => state !== '')?.state ?? '';
  return { ...steps[step - 1], state };
}

/**
 * A hash with exactly one leading "#".
 * @param {string} hash
 */
export const withSharp = (hash) => '#' + hash.replace(/^#/, '');

/**
 * The state that a link describes, for as long as no scene runs.
 * @param {Scene[]} scenes
 * @param {string} hash
 * @returns {State}
 */
export function stateFromHash(scenes, hash) {
  const link = readHash(hash);
  const scene = scenes.find((s) => s.id === link.get('scene')) ?? scenes[0];
  /** @type {Record<string, any>} */
  const params = {};
  for (const d of scene?.params ?? []) {
    const text = link.get(linkName(d.name));
    params[d.name] = (text === undefined ? undefined : valueOf(d, text)) ?? d.default;
  }
  return {
    scene: scene?.id ?? '', params, iteration: 0, latest: 0, budget: Number(params.budget ?? 0), status: 'loading', playing: false,
    progress: null, hash: hash.replace(/^#/, ''), selected: '', hero: '', log: [], notices: [], runs: [], results: null,
    card: link.get('card') ?? '', lesson: null, keys: scene?.keys ?? [], pins: [], facts: {}, undo: false, changed: false,
  };
}

/**
 * Whether what is shown of data is the visitor's alone, for a page of another
 * origin. Data that a link names are, whether they are here or not: else an answer
 * would tell whether the visitor has a file of that sum.
 * @param {Data|null} data
 * @param {string} origin
 */
export const isVisitors = (data, origin) => data !== null && data.sha256 !== '' && !(data.held && data.from !== '' && data.from === origin);

/**
 * The data that a state is about, which a link names before a scene has read it.
 * @param {State} state
 * @returns {Data|null}
 */
export function dataOf({ data, hash }) {
  const sha256 = readHash(hash).get('data');
  return data ?? (sha256 ? { sha256, held: false, from: '', rows: 0, columns: 0 } : null);
}

/**
 * Descriptors by their group, groups in order of appearance.
 * @param {Descriptor[]} descriptors
 * @returns {{title: string, members: Descriptor[]}[]}
 */
export function grouped(descriptors) {
  /** @type {Map<string, Descriptor[]>} */
  const groups = new Map();
  for (const d of descriptors) {
    const title = d.group ?? '';
    const members = groups.get(title);
    if (members) members.push(d);
    else groups.set(title, [d]);
  }
  return [...groups].map(([title, members]) => ({ title, members }));
}

/**
 * Whether the method that a parameter belongs to takes part.
 * @param {Descriptor} d
 * @param {Record<string, any>} params
 */
export function takesPart(d, params) {
  if (!d.method || params.method === undefined) return true;
  const on = [].concat(params.method);
  // PSMGD may run another method's weighting.
  return on.some((m) => m === d.method || m === 'psmgd' && params['psmgd.weighting'] === d.method);
}

/**
 * Whether a parameter has a use beside the values of the others.
 * @param {Descriptor} d
 * @param {Record<string, any>} params
 */
export function isOfUse(d, params) {
  // A parameter named after its method is not missed while that is off.
  if (d.name.includes('.') && !takesPart(d, params)) return false;
  /** @param {Only|undefined} only @returns {boolean} */
  const holds = (only) => only !== undefined && (params[only.name] === undefined || only.values.includes(params[only.name]) || holds(only.or));
  return !d.only || holds(d.only);
}

/**
 * Whether all words of a text are in what a visitor reads of a parameter.
 * @param {Descriptor} d
 * @param {string} text
 */
export function matches(d, text) {
  const read = [d.label, d.symbol, d.name, d.group, d.help, ...(d.options ?? []).map(({ label }) => label)].join(' ').toLowerCase();
  return text.toLowerCase().split(/\s+/).every((word) => read.includes(word));
}

/**
 * The numbers of a text, one row a line or parted by semicolons; undefined when
 * it has anything else.
 * @param {string} text
 * @returns {number[][]|undefined}
 */
export function readRows(text) {
  const rows = text.split(/[;\n]/).map((row) => row.trim()).filter((row) => row !== '').map((row) => row.split(/[\s,]+/).map(Number));
  return rows.every((row) => row.every(Number.isFinite)) ? rows : undefined;
}

/**
 * What the control's help says about when a change acts.
 * @param {Descriptor} d
 */
export function effectText(d) {
  switch (d.effect) {
    case 'live':
      return 'Takes effect at the next iteration.';
    case 'restart':
      return 'Starts the runs again from k = 0.';
    case 'rerun':
      return 'Computes the runs again up to the iteration they have.';
    case 'display':
      return 'Changes what is shown, not what is computed.';
  }
}

/**
 * The range in words, "" where there is none.
 * @param {Descriptor} d
 */
export function rangeText(d) {
  if (d.type === 'seed' || d.min === undefined || d.max === undefined) return '';
  const unit = d.unit ? ` ${d.unit}` : '';
  return `${formatNumber(d.min)} to ${formatNumber(d.max)}${unit}`;
}

/**
 * The marks of live changes on a time axis of this width. Marks nearer than
 * `near` pixels share one tick; labels that would overlap are left to the
 * tick's name.
 * @param {{k: number, name: string, value: any}[]} log
 * @param {Descriptor[]} descriptors
 * @param {number} latest
 * @param {number} width  pixels
 * @param {number} near  pixels
 * @param {number} labelWidth  pixels
 */
export function timeMarks(log, descriptors, latest, width, near, labelWidth) {
  /** @type {{k: number, at: number, changes: Map<string, string>}[]} */
  const ticks = [];
  const length = Math.max(latest, 1);
  for (const change of [...log].sort((a, b) => a.k - b.k)) {
    const at = Math.min(change.k / length, 1);
    const symbol = descriptors.find((d) => d.name === change.name)?.symbol || change.name;
    const value = typeof change.value === 'number' ? formatNumber(change.value) : textOf(change.value);
    const last = ticks.at(-1);
    if (last && (at - last.at) * width < near) {
      last.changes.set(symbol, value);
      continue;
    }
    ticks.push({ k: change.k, at, changes: new Map([[symbol, value]]) });
  }
  let free = -Infinity;
  return ticks.map((tick) => {
    const text = [...tick.changes].map(([symbol, value]) => `${symbol} = ${value}`).join(', ');
    const labelled = tick.at * width - labelWidth / 2 >= free;
    if (labelled) free = tick.at * width + labelWidth / 2;
    return { k: tick.k, at: tick.at, text, labelled };
  });
}

/**
 * The sentence beside the counter.
 * @param {State} s
 */
export function statusText(s) {
  if (s.progress !== null && s.progress !== undefined) return `computing, ${Math.round(100 * s.progress)} %`;
  if (s.iteration < s.latest) {
    const verb = s.status === 'running' ? `play continues from ${s.latest}` : 'the runs have ended';
    return `showing iteration ${s.iteration} of ${s.latest}; ${verb}`;
  }
  if (s.playing) return 'running';
  const words = /** @type {Record<string, string>} */ ({
    running: s.latest === 0 ? 'at the start' : 'paused',
    budget: `finished after ${s.latest} iterations`,
    stationary: `finished after ${s.latest} iterations: stationary`,
    converged: `finished after ${s.latest} iterations: converged`,
    'no-solution': 'stopped: the rule has no solution here',
    diverged: 'stopped: diverged; the last good state stands',
    finished: `finished after ${s.latest} iterations`,
    loading: 'loading',
  });
  return words[s.status] ?? s.status;
}

/**
 * What a key asks for; undefined when nothing. A move is from where the marker is
 * when it is made: what the page last heard may be older than the key before.
 * @param {{key: string, shiftKey?: boolean, ctrlKey?: boolean, metaKey?: boolean, altKey?: boolean}} e
 * @param {Pick<State, 'playing'>} s
 * @param {boolean} [presenting]
 * @returns {{verb: string, args: Record<string, any>}|undefined}
 */
export function keyIntention(e, s, presenting = false) {
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
      return move(Number.MAX_SAFE_INTEGER); // as far as there is
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
  if (!presenting) return undefined;
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

/**
 * Whether a key takes the last change back.
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
 * Whether what has the focus has a use of its own for a key.
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
    case 'div': // it can have the focus because it scrolls
      return MOVES.has(key);
  }
  return false;
}

/**
 * Whether an intention moves runs, which some scenes do not have.
 * @param {string} verb
 */
export const movesRuns = (verb) => ['play', 'pause', 'step', 'seek', 'move', 'reset'].includes(verb);

/** The keys as the help lists them; "always" marks those of scenes without runs too. */
export const KEYS = [
  ['Space', 'play or pause'],
  ['S', 'one iteration'],
  ['← →', 'move the time marker by one, with Shift by ten'],
  ['Home End', 'the first, the latest iteration'],
  ['R', 'reset: back to k = 0, same seed'],
  ['N', 'new seed'],
  ['Ctrl+Z', 'take the last change back', 'always'],
  ['1 2 3', 'bring the first, second, third panel to the front, and so on', 'always'],
  ['P', 'present: large, without controls; Esc leaves', 'always'],
  ['PageUp PageDown', 'while presenting: the step of the lesson, or the experiment, before and after', 'always'],
  ['Tab', 'reach the points that can be dragged; arrow keys then move them, with Shift ten times as far', 'always'],
  ['?', 'this help', 'always'],
];

/** What a state calls the columns of the table of runs. */
const EXACT = /** @type {Record<string, 'x'|'f'|'weights'|'stationarity'|undefined>} */ ({ variables: 'x', objectives: 'f', weights: 'weights', stationarity: 'stationarity' });

/**
 * The numbers of a cell in full, "" where it has all of them already.
 * @param {State} state
 * @param {string} name  of a run, or of one of its solutions
 * @param {string} label  of the column
 */
export function exactText({ runs }, name, label) {
  const what = EXACT[label];
  const of = runs.find((run) => run.name === name) ?? runs.find((run) => name.startsWith(`${run.name}-`));
  if (!what || !of || of[what] === null) return '';
  const numbers = of.name === name ? of[what] : of[what][Number(name.slice(of.name.length + 1)) - 1];
  return numbers === undefined || numbers === null ? '' : [numbers].flat(2).map((v) => (v === null ? '–' : String(v).replace('-', '−'))).join(', ');
}

/**
 * On which sides of something that scrolls there is more, out of sight. Browsers
 * round: less than a pixel is nothing.
 * @param {{scrollLeft: number, scrollWidth: number, clientWidth: number}} scroller
 */
export function hiddenSides({ scrollLeft, scrollWidth, clientWidth }) {
  return { left: scrollLeft >= 1, right: scrollWidth - clientWidth - scrollLeft >= 1 };
}

/**
 * The arguments of a verb by name, from a message that gives them by name, in
 * order or as a single value.
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
 * A value as an error repeats it, whatever it is.
 * @param {unknown} value
 */
export function show(value) {
  if (typeof value === 'string') return JSON.stringify(value.length > SHOWN ? value.slice(0, SHOWN) + '…' : value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'function') return 'a function';
  return String(value);
}

/**
 * Lets so many be under way at a time and refuses the others.
 * @template T
 * @param {number} most
 * @returns {(action: () => Promise<T>) => Promise<T>}
 */
export function limited(most) {
  let under = 0;
  return async (action) => {
    if (under >= most) throw new Error(`more than ${most} requests wait for an answer`);
    under++;
    try {
      return await action();
    } finally {
      under--;
    }
  };
}

/**
 * Lets one be under way at a time, in the order in which they were asked for.
 * @returns {<T>(action: () => Promise<T>) => Promise<T>}
 */
export function inTurn() {
  /** @type {Promise<any>} */
  let last = Promise.resolve();
  return (action) => {
    const turn = last.then(action);
    last = turn.catch(() => {}); // told to whoever asked for it
    return turn;
  };
}

/**
 * Lets at most one call through per interval; the last one asked for is never lost.
 * @param {() => void} action
 * @param {() => number} interval  milliseconds
 */
export function throttled(action, interval) {
  let last = -Infinity;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  return () => {
    if (timer !== undefined) return;
    const wait = last + interval() - performance.now();
    const run = () => {
      timer = undefined;
      last = performance.now();
      action();
    };
    if (wait <= 0) run();
    else timer = setTimeout(run, wait);
  };
}

const READOUT_EVERY = 125; // milliseconds: at most eight times a second
const READOUT_ROW = 8; // milliseconds a row: a browser lays out a long table in the time of a frame

/**
 * How often the table of the runs is brought up to date while they go on.
 * @param {number} rows
 * @returns {number} milliseconds
 */
export const readoutInterval = (rows) => Math.max(READOUT_EVERY, rows * READOUT_ROW);
