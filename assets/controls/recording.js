// @ts-check
// Records the log of a run, and opens it in the scene that reads logs.
import { element, intend, setText } from '../shell/dom.js';
import { counted } from '../shell/words.js';

/** @typedef {import('../shell/types.js').Model} Model */

/**
 * Builds the button that records the selected run and then opens its log.
 * @param {HTMLElement} root
 */
export function createRecording(root) {
  const button = element('button', { type: 'button', onclick: () => intend(root, done ? 'page:open-log' : 'page:record') });
  const note = element('p', { class: 'recording-note', role: 'status' });
  root.append(element('h2', {}, 'What would gradient-based weights have done?'), button, note);
  /** Whether a log is ready to open. */
  let done = false;

  /** @param {Model} model */
  function update({ state: { recording, progress } }) {
    root.hidden = !recording || recording.shown;
    if (!recording || recording.shown) return;
    done = recording.done;
    const busy = !done && recording.records > 0 && progress !== null;
    button.disabled = busy || recording.why !== '';
    setText(button, done ? 'Open its log' : busy ? 'Recording…' : 'Record this run');
    if (recording.why) setText(note, `This run cannot be recorded yet. ${recording.why}.`);
    else if (done) {
      setText(note, `${recording.run}: ${counted(recording.records, 'record')}. The log stays in this browser; a link to it contains ` +
        'only its SHA-256. To keep the log, choose Log under Export.');
    } else {
      setText(note, `${recording.run} runs once more from its first step to its last. The log keeps the inner products of its gradients, ` +
        'on the batch of each step and on an independent batch.');
    }
  }
  return { update };
}
