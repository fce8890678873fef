// @ts-check
// Updates the page after an event of the scene.

/**
 * @param {import('./types.js').Model} model
 * @param {object} parts
 * @param {ReturnType<typeof import('./view.js').createView>} parts.view
 * @param {ReturnType<typeof import('../stage/lifecycle.js').createLifecycle>} parts.lifecycle
 * @param {ReturnType<typeof import('./address.js').createAddress>} parts.address
 * @param {ReturnType<typeof import('../stage/link.js').createLink>} parts.link
 * @param {ReturnType<typeof import('./again.js').createAgain>} parts.again
 * @param {EventTarget} playground  tells other scripts
 * @returns {(kind: string, detail: any) => void}
 */
export function createSceneEvents(model, { view, lifecycle, address, link, again }, playground) {
  /** @param {string} kind @param {any} detail */
  function show(kind, detail) {
    if (!model.live) return;
    const wasPlaying = model.state.playing;
    if (kind === 'frame' || kind === 'status') {
      detail = view.tick();
      if (wasPlaying && !model.state.playing) {
        view.refresh();
        address.writeSoon();
      }
      again.look();
    }
    if (kind === 'layout') {
      view.showChange();
      return;
    }
    if (kind === 'change') {
      view.showChange();
      address.writeSoon();
    }
    if (kind !== 'ready') playground.dispatchEvent(new CustomEvent(kind, { detail }));
  }

  return (kind, detail) => {
    if (kind === 'ready' || kind === 'frame') lifecycle.drawn();
    link.whenRested(() => show(kind, detail));
  };
}
