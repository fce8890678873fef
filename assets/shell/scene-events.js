// @ts-check
// What the page does when the scene says that something has happened.

/**
 * @param {import('./types.js').Model} model
 * @param {object} parts
 * @param {ReturnType<typeof import('./view.js').createView>} parts.view
 * @param {ReturnType<typeof import('../stage/lifecycle.js').createLifecycle>} parts.lifecycle
 * @param {ReturnType<typeof import('./address.js').createAddress>} parts.address
 * @param {EventTarget} playground  tells other scripts
 * @returns {(kind: string, detail: any) => void}
 */
export const createSceneEvents = (model, { view, lifecycle, address }, playground) => (kind, detail) => {
  if (kind === 'ready' || kind === 'frame') lifecycle.drawn();
  if (!model.live) return;
  const wasPlaying = model.state.playing;
  if (kind === 'frame' || kind === 'status') {
    detail = view.tick();
    if (wasPlaying && !model.state.playing) {
      view.refresh();
      address.writeSoon();
    }
  }
  if (kind === 'layout') return view.showChange();
  if (kind === 'change') {
    view.showChange();
    address.writeSoon();
  }
  if (kind !== 'ready') playground.dispatchEvent(new CustomEvent(kind, { detail }));
};
