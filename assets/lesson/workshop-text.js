// @ts-check
// What the workshop reads in a lesson's text. Needs no document, so it is tested in node.

/**
 * A name that can be completed, and its current value.
 * @typedef {{name: string, value: string}} Named
 */

/** The initial text of a lesson. */
export const BEGINNING = `---
title: A lesson of mine
question: When do two goals pull against each other?
scene: lab
---

## Turn an arrow

Two arrows say which way each goal wants to go.

state: gradients=1,0;1.2,1.5 method=ls,mgda

predict: Beyond which angle do the two goals pull against each other?
- [ ] 45°
  > At 45° both still gain from a step between them.
- [x] 90°

goal: Turn one arrow until they do. \`angle(1,2) > 95\`
hint: Drag the tip of an arrow.
show: gradients=1,0;-0.6,1.8
then: The arrows are {angle(1,2)} degrees apart.
`;

/**
 * The step, from 1, that contains a position of the text.
 * @param {string} text
 * @param {number} at
 */
export const stepAt = (text, at) => Math.max(1, (text.slice(0, at).match(/^## /gm) ?? []).length);

/**
 * The name being written before a position, between backticks or braces; undefined elsewhere.
 * @param {string} text
 * @param {number} at
 * @returns {string | undefined}
 */
export function wordAt(text, at) {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  const quoted = (line.split('`').length - 1) % 2 === 1;
  const braced = line.lastIndexOf('{') > line.lastIndexOf('}');
  if (!quoted && !braced) return undefined;
  return /[A-Za-z_][\w.]*(?:\([^()]*)?$/.exec(line)?.[0] ?? '';
}

/**
 * The name of a fact as a lesson writes it.
 * @param {string} fact  such as angle.1.2
 */
export function asWritten(fact) {
  const [name, ...of] = fact.split('.');
  return of.length > 0 ? `${name}(${of.join(',')})` : name;
}

/**
 * The names that match a word. Names that begin with it come first.
 * @param {Named[]} names
 * @param {string} word
 * @param {number} most
 */
export function fitting(names, word, most) {
  const wanted = word.toLowerCase();
  const rank = (/** @type {Named} */ { name }) => {
    const at = name.toLowerCase().indexOf(wanted);
    return at < 0 ? 2 : Math.min(at, 1);
  };
  return names.filter((named) => rank(named) < 2 && named.name !== word).sort((a, b) => rank(a) - rank(b)).slice(0, most);
}

/**
 * The start and the end of a line.
 * @param {string} text
 * @param {number} line  from 1
 * @returns {[number, number]}
 */
export function lineAt(text, line) {
  const lines = text.split('\n');
  const before = lines.slice(0, line - 1).reduce((sum, of) => sum + of.length + 1, 0);
  return [before, before + (lines[line - 1] ?? '').length];
}

/**
 * A file name from a lesson's title.
 * @param {string} text
 */
export function slug(text) {
  const title = /^title:(.*)$/m.exec(text)?.[1] ?? '';
  const letters = title.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '').replace(/[^a-z0-9]+/g, '-');
  return letters.replace(/^-/, '').slice(0, 40).replace(/-$/, '') || 'my-lesson';
}
