// @ts-check
// Asks for consent before the first statement goes to the learning record store in a link, since anyone can write a
// link.
import { byId, element } from '../shell/dom.js';
import { dialogHead, openDialog } from '../shell/help.js';
import { whoIs } from './statements.js';

/**
 * Asks whether records of the student's actions may go to the store.
 * @param {import('./statements.js').Launch} launch
 * @param {number} waiting  number of earlier statements that would go there too
 * @returns {Promise<boolean>} false also if the dialog is closed
 */
export function askConsent({ endpoint, actor }, waiting) {
  const dialog = /** @type {HTMLDialogElement} */ (byId('consent-dialog'));
  return new Promise((resolve) => {
    dialog.replaceChildren(dialogHead(dialog, 'Send your work?'), element('form', { method: 'dialog' },
      element('div', {},
        element('p', {}, 'The link that opened this page wants to send your answers and your progress in lessons to this address:'),
        element('p', {}, element('code', {}, endpoint)),
        element('p', {}, 'The page sends them in the name of'),
        element('p', {}, element('code', {}, whoIs(actor)))),
      ...(waiting > 0 ? [element('p', {}, `${waiting === 1 ? 'One record' : `${waiting} records`} of your earlier work ${
        waiting === 1 ? 'is' : 'are'} kept in this browser and ${waiting === 1 ? 'goes' : 'go'} there too.`)] : []),
      element('p', { class: 'note-facts' }, 'Send only to an address that your school uses. The lesson also works if you decline.'),
      element('div', { class: 'dialog-foot' }, element('button', { value: 'no' }, 'Do not send'),
        element('button', { value: 'send', class: 'primary', autofocus: true }, 'Send'))));
    dialog.returnValue = '';
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'send'), { once: true });
    openDialog(dialog);
  });
}
