// @ts-check
// Sends statements to a learning record store once. Needs no document, so node can test it.

const VERSION = '1.0.3'; // of xAPI
const PATIENCE = 30_000; // in milliseconds to wait for an answer
const MOST_KEPT_ALIVE = 60_000; // in bytes: browsers refuse larger requests that outlive their page
const MOST_SAID = 200; // maximum length of a quoted message of the store, in characters

/**
 * The outcome of a request.
 * @typedef {object} Answer
 * @property {number} status  of HTTP, 0 if no answer came
 * @property {string} words  the status in words, or why no answer came
 * @property {string} said  the store's message about a refusal, cut
 * @property {string} retryAfter  the header of that name, or ""
 */

/**
 * @param {{endpoint: string, auth: string, statements: object[]}} what
 * @param {typeof fetch} [fetching]
 * @returns {Promise<Answer>} never rejects
 */
export async function post({ endpoint, auth, statements }, fetching = fetch) {
  const body = new TextEncoder().encode(JSON.stringify(statements));
  try {
    const response = await fetching(`${endpoint}statements`, {
      method: 'POST', keepalive: body.length <= MOST_KEPT_ALIVE, credentials: 'omit', referrerPolicy: 'no-referrer', body,
      redirect: 'manual', // a redirect would lead to an address without the student's consent
      signal: AbortSignal.timeout(PATIENCE),
      headers: { 'Content-Type': 'application/json', 'X-Experience-API-Version': VERSION, ...(auth ? { Authorization: auth } : {}) },
    });
    if (response.type === 'opaqueredirect') return { status: 302, words: 'another address', said: '', retryAfter: '' };
    return { status: response.status, words: response.statusText, retryAfter: response.headers.get('Retry-After') ?? '',
      said: response.ok ? '' : cut(await response.text()) };
  } catch (error) {
    const { name } = /** @type {Error} */ (error);
    return { status: 0, said: '', retryAfter: '', words: name === 'TimeoutError' ? 'it does not answer'
      : 'it cannot be reached, or does not allow requests from this site (CORS)' };
  }
}

/** @param {string} text */
function cut(text) {
  const plain = text.trim().replace(/\s+/g, ' ');
  return plain.length > MOST_SAID ? `${plain.slice(0, MOST_SAID)} …` : plain;
}
