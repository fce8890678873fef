// @ts-check
// The picture alone and large, for an audience.
const PRESENTED = 1.5; // how much larger the picture's text is

/** Whether another page embeds this one. */
export const EMBEDDED = 'embed' in document.documentElement.dataset;

/** @param {ReturnType<typeof import('./link.js').createLink>} link */
export function createPresenting(link) {
  let presenting = false;

  /** Tells the picture its size of text, and whether the panel in front is alone. */
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
    },
  };
}

/**
 * The intention to go to the step of the lesson, or the experiment, after or before; undefined at the ends.
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
