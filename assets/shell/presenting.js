// @ts-check
// Enlarges the picture for an audience and hides the rest.
import { byId, element } from './dom.js';

const PRESENTED = 1.5; // scale of the picture's text
const TOLD = 3000; // milliseconds

/** Whether another page embeds this one. */
export const EMBEDDED = 'embed' in document.documentElement.dataset;

/** @param {ReturnType<typeof import('../stage/link.js').createLink>} link */
export function createPresenting(link) {
  let presenting = false;
  let telling = 0;

  /** Shows for a while what is presented, and how to end it. */
  function tell() {
    clearTimeout(telling);
    byId('presented').replaceChildren(...(presenting ? [element('b', {}, byId('scene-title').textContent), element('span', {},
      element('kbd', {}, 'Esc'), ' ends presenting')] : []));
    telling = window.setTimeout(() => byId('presented').replaceChildren(), TOLD);
  }

  /** Sends the picture its text size, and whether only the front panel shows. */
  function enlarge() {
    link.show({ alone: presenting || EMBEDDED, zoom: presenting ? PRESENTED : 1 });
  }

  return {
    enlarge,
    isOn: () => presenting,
    /** @param {boolean} on */
    present(on) {
      if (on === presenting) return;
      presenting = on;
      document.documentElement.toggleAttribute('data-presenting', on);
      enlarge();
      tell();
    },
  };
}

/**
 * Returns the intention to open the next or previous lesson step or experiment; undefined at the ends.
 * @param {import('./types.js').Model} model
 * @param {number} by
 */
export function turned({ lesson, scene, state }, by) {
  if (lesson) {
    const to = lesson.step + by;
    if (to < 1 || to > lesson.definition.steps.length) return undefined;
    return { verb: 'page:lesson', args: { name: lesson.name, step: to } };
  }
  const cards = scene?.presets ?? [];
  const to = cards[cards.findIndex(({ id }) => id === state.card) + by];
  return to && { verb: 'card', args: { id: to.id } };
}
