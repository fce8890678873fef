// @ts-check

import { parted } from './words.js';

/** @typedef {Node|string|null|undefined|false} Child */

/**
 * Creates an element with attributes and children. A function becomes a listener for the event in its name (`onclick`);
 * true becomes an empty attribute; false, null and undefined are omitted.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  decorate(node, attributes, children);
  return node;
}

/**
 * Creates an SVG element, like element for HTML.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 */
export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  decorate(node, attributes, children);
  return node;
}

/**
 * @param {Element} node
 * @param {Record<string, any>} attributes
 * @param {Child[]} children
 */
function decorate(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === 'function') node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : String(value));
  }
  node.append(...children.flatMap((child) => (child === null || child === undefined || child === false ? [] : [child])));
}

/**
 * Sets the text only if it differs, to avoid needless layout and announcements.
 * @param {Node} node
 * @param {string} text
 */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Returns the text with its indices as subscripts.
 * @param {string} text
 * @returns {Child[]}
 */
export const indexed = (text) => parted(text).map((part, i) => (i % 2 === 0 ? part : element('sub', {}, part)));

/** The texts that setIndexed wrote. @type {WeakMap<Element, string>} */
const written = new WeakMap();

/**
 * Sets the text with its indices as subscripts, only if it differs.
 * @param {Element} node
 * @param {string} text
 */
export function setIndexed(node, text) {
  if (written.get(node) === text) return;
  written.set(node, text);
  node.replaceChildren(.../** @type {(Node|string)[]} */ (indexed(text)));
}

/**
 * Sends an intention up the tree. The page decides how to act on it.
 * @param {Element} from
 * @param {string} verb  a verb of the scene, or a verb of the page with the prefix "page:"
 * @param {Record<string, any>} [args]
 */
export function intend(from, verb, args = {}) {
  from.dispatchEvent(new CustomEvent('intend', { bubbles: true, detail: { verb, args } }));
}

/**
 * Returns the element of index.html with the given id.
 * @param {string} id
 */
export function byId(id) {
  const node = document.getElementById(id);
  if (!node) throw new Error(`index.html has no #${id}`);
  return node;
}

const SAID = 2000; // in milliseconds, how long a button shows the outcome

/**
 * Copies a text, or selects it if the browser refuses to copy. The pressed button shows the outcome.
 * @param {HTMLElement} button
 * @param {string} text
 * @param {HTMLElement} shown  the element that shows the text
 */
export async function copyBy(button, text, shown) {
  const label = button.dataset.before ?? (button.dataset.before = button.textContent ?? ''); // the label, never the outcome
  try {
    await navigator.clipboard.writeText(text);
    setText(button, 'Copied');
  } catch {
    getSelection()?.selectAllChildren(shown);
    setText(button, 'Press Ctrl+C'); // the visitor copies the selection
  }
  setTimeout(() => setText(button, label), SAID);
}

/**
 * Waits until all changes so far are on screen, which may take a while on a slow machine. On a hidden page it returns at
 * once, because nothing is drawn.
 * @returns {Promise<void>}
 */
export function painted() {
  return new Promise((resolve) => {
    const moment = setTimeout(resolve, document.hidden ? 0 : 5000);
    requestAnimationFrame(() => setTimeout(() => {
      clearTimeout(moment);
      resolve();
    }));
  });
}
