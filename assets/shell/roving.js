// @ts-check
// Groups elements of one kind into a single tab stop; arrow keys move between them.

/** @type {Record<string, number|undefined>} */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/**
 * Groups the elements in a container into one tab stop.
 * @param {HTMLElement} root
 * @param {string} selector  of the elements
 * @param {string} [chosen]  of the element that Tab reaches before any has had the focus
 * @returns {() => void}  call it when the elements or the chosen one change
 */
export function rove(root, selector, chosen = selector) {
  /** The last focused element. @type {Element|null} */
  let last = null;
  const all = () => /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)]);

  function settle() {
    const things = all();
    const stop = things.find((thing) => thing === last) ?? things.find((thing) => thing.matches(chosen)) ?? things[0];
    for (const thing of things) thing.tabIndex = thing === stop ? 0 : -1;
  }

  root.addEventListener('focusin', ({ target }) => {
    last = /** @type {Element} */ (target);
    settle();
  });
  root.addEventListener('keydown', (e) => {
    const step = STEPS[e.key];
    const things = all();
    const at = things.indexOf(/** @type {HTMLElement} */ (e.target));
    if (step === undefined || at < 0 || e.ctrlKey || e.altKey || e.metaKey) return;
    e.preventDefault();
    things[at + step]?.focus();
  });
  return settle;
}
