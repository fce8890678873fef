// @ts-check
// Follows the training log that the command watch serves: sends each version to the scene of logs, and shows the log's
// state.
import { get, inside } from '../platform/files.js';
import { byId, element, setText } from '../shell/dom.js';
import { readHash } from '../shell/hash.js';

const WATCHED = 'watched'; // as in internal/site/server.go
const ABOUT = 'X-Watched'; // as in internal/watch/serve.go
const REST = 1000; // in milliseconds from an answer to the next request
const LONGEST_REST = 30_000; // in milliseconds, if the server does not answer
const LONGEST_ANSWER = 60_000; // in milliseconds: the server answers within 25 seconds, then sends up to 64 MB

/** Whether the address asks the page to watch a log. */
export const WATCHING = !inside && new URLSearchParams(location.search).has('watch');

/**
 * The server's description of a version of the log.
 * @typedef {{name: string, names?: string[], records: number, changed: number, sha256: string, problem?: string}} Version
 */

/**
 * Returns the initial hash of a watching page: the scene of logs, without the version that it showed when the hash was
 * written.
 * @param {string} hash
 */
export function watchedHash(hash) {
  const link = readHash(hash);
  if (link.size > 0 && link.get('scene') !== 'log' || link.has('lesson') || link.has('card')) return hash;
  const values = new URLSearchParams([...link]);
  values.delete('data');
  if (!values.has('v')) values.set('v', '1');
  values.set('scene', 'log');
  if (!values.has('source')) values.set('source', 'data');
  return `#${values}`;
}

/**
 * @param {HTMLElement} root
 * @param {import('../shell/types.js').Model} model
 * @param {object} parts
 * @param {ReturnType<typeof import('../shell/verbs.js').createVerbs>} parts.verbs
 * @param {ReturnType<typeof import('../shell/view.js').createView>} parts.view
 */
export function createWatch(root, model, { verbs, view }) {
  const words = element('span', { role: 'status' });
  const show = element('button', { type: 'button', class: 'link', onclick: () => view.told(showIt()) }, 'Show it');
  root.append(words, ' ', show);

  /** The newest version. @type {Version|undefined} */
  let newest;
  /** The newest version's bytes, until the scene has them. @type {Blob|undefined} */
  let waiting;
  /** The SHA-256 of the last version that the scene got, "" before the first. */
  let given = '';
  /** Why no more versions will arrive, or "". */
  let ended = '';
  /** Why the scene could not show the newest version, or "". */
  let failure = '';
  let bringing = false;

  /** Reports whether the scene shows the log or will show it next. */
  function onShow() {
    const { scene, params, data } = model.state;
    return !model.contents && !model.lesson && scene === 'log' && params.source === 'data' && (!data?.held || data.sha256 === given);
  }

  /** Sends the scene the newest version after it has read the previous one. */
  async function bring() {
    const { data, conclusions } = model.state;
    const busy = bringing || data?.held && (data.growing || conclusions?.length === 0);
    if (waiting && model.live && onShow() && !busy) await give(waiting);
  }

  /** @param {Blob} blob */
  async function give(blob) {
    const { sha256, names } = /** @type {Version} */ (newest);
    bringing = true;
    failure = '';
    try {
      await verbs.showGrown(blob, names ? { columns: names } : {});
      given = sha256;
    } catch (error) {
      failure = /** @type {Error} */ (error).message;
    } finally {
      bringing = false;
    }
    if (waiting === blob) waiting = undefined;
    draw();
  }

  /** Returns the visitor to the log. */
  async function showIt() {
    if (model.lesson) await verbs.perform('lesson', { name: '' });
    if (model.state.scene !== 'log') await verbs.perform('open', { id: 'log' });
    if (latest) await give(latest);
    byId('scene-title').focus(); // the button is gone
  }

  /** The newest bytes, kept for a visitor who returns to the log. @type {Blob|undefined} */
  let latest;

  /** Requests versions one after the other while the page is open. */
  async function follow() {
    let tag = '';
    for (let rest = REST; ; ) {
      try {
        const answer = await get(WATCHED, { cache: 'no-store', headers: tag ? { 'If-None-Match': tag } : {},
          signal: AbortSignal.timeout(LONGEST_ANSWER) });
        if (answer.status === 404) {
          ended = 'This server is not watching a log. Open the address that the watch command prints.';
          return draw();
        }
        if (answer.status !== 304) tag = await take(answer);
        ended = '';
        rest = REST;
      } catch (error) {
        tag = ''; // this requests the current version again
        ended = error instanceof TypeError ? 'The program that serves this page has ended.' : /** @type {Error} */ (error).message;
        rest = Math.min(2 * rest, LONGEST_REST);
      }
      draw();
      bring();
      await new Promise((resolve) => setTimeout(resolve, rest));
    }
  }

  /**
   * Reads a version.
   * @param {Response} answer
   * @returns {Promise<string>}  its tag
   */
  async function take(answer) {
    const about = answer.headers.get(ABOUT);
    if (!answer.ok || !about) throw new Error(`The log could not be loaded: the server answered ${answer.status}.`);
    /** @type {Version} */
    const version = JSON.parse(decodeURIComponent(about));
    const blob = await answer.blob();
    if (version.sha256 && version.sha256 !== newest?.sha256) waiting = latest = blob;
    newest = version;
    return answer.headers.get('ETag') ?? '';
  }

  function draw() {
    setText(words, text());
    show.hidden = !latest || onShow();
  }

  /** Describes the state of the log in a sentence or two. */
  function text() {
    if (!newest) return ended || 'Requesting the log …';
    const { name, records, problem } = newest;
    if (!newest.sha256) return `Waiting for ${name}${problem ? `: ${problem}` : ''}.${ended && ` ${ended}`}`;
    const parts = [`${ended ? 'No longer watching' : 'Watching'} ${name}: ${records} records, last change ${timeOf(newest.changed)}.`];
    const since = model.state.data?.rows;
    const changed = onShow() && (model.state.conclusions ?? []).filter((sentence) => sentence.since && sentence.since === since).length;
    if (changed) parts.push(`${changed === 1 ? 'One sentence' : `${changed} sentences`} changed.`);
    if (problem) parts.push(`The current file cannot be read: ${problem}.`);
    if (failure) parts.push(`The scene could not show the file: ${failure}.`);
    if (ended) parts.push(ended);
    return parts.join(' ');
  }

  /** Shows a version that arrived while the scene was busy or while the page showed something else. */
  function update() {
    root.hidden = model.contents;
    draw();
    bring();
  }

  root.hidden = false;
  follow();
  return { update };
}

/**
 * Formats a time, with its date unless it is today.
 * @param {number} at  milliseconds since 1970
 */
function timeOf(at) {
  const date = new Date(at);
  const time = date.toLocaleTimeString('en-GB');
  return date.toDateString() === new Date().toDateString() ? time : `${date.toLocaleDateString('en-CA')} ${time}`;
}
