// @ts-check
import { svg } from '../shell/dom.js';

/** @typedef {import('../shell/types.js').Method} Method */

/**
 * Draws the sign of a method as in pictures: its line with its marker.
 * @param {Method|undefined} method
 */
export function methodSign(method) {
  const picture = svg('svg', { class: 'sign', viewBox: '0 0 36 16', width: 36, height: 16, 'aria-hidden': 'true' });
  if (!method) return picture;
  const { light, dark, outline, filled, dash } = method.sign;
  const style = /** @type {SVGElement} */ (picture).style;
  style.setProperty('--sign-light', light);
  style.setProperty('--sign-dark', dark);
  picture.append(
    svg('path', { class: 'sign-line', d: 'M1 8H35', 'stroke-dasharray': dash.length > 0 ? dash.join(' ') : null }),
    svg('path', { class: filled ? 'sign-filled' : 'sign-open', d: outline, transform: 'translate(18 8) scale(4.5)' }),
  );
  return picture;
}
