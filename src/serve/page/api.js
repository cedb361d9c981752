/** @import { AnswerJson, HitJson } from '../../search-index/json.ts' */
/** @import { Place, Metadata } from '../../core/types.ts' */
/** @import { Passage } from '../../core/passage.ts' */
import { eventsOf } from './events.js';
import { sentence } from './places.js';

/** @typedef {HitJson & { readonly index?: string }} ServedHit */
/** @typedef {AnswerJson & { readonly index?: string, readonly warnings?: readonly { readonly message: string }[] }} ServedAnswer */
/** @typedef {Passage & { readonly reference: string }} ShownPassage */
/** @typedef {Place & { readonly start: number, readonly end: number }} PlacedSpan */
/**
 * @typedef {object} DocumentPart
 * @property {string} uri
 * @property {string} title
 * @property {string} format
 * @property {Metadata} metadata
 * @property {boolean} hasFile
 * @property {number} length
 * @property {{ start: number, end: number }} span
 * @property {string} text
 * @property {readonly PlacedSpan[]} [places]
 */

/** What the server refused, in its own words. */
export class Refused extends Error {
  /**
   * @param {number} status
   * @param {{ code?: string, message?: string, hint?: string }} error
   */
  constructor(status, { code = 'UNEXPECTED', message = `the server answered ${status}`, hint }) {
    super(sentence(message));
    this.status = status;
    this.code = code;
    this.hint = hint;
  }
}

const TOKEN = 'ibid-token';

let given = '';
try {
  given = sessionStorage.getItem(TOKEN) ?? '';
} catch {
  // storage is off: a token is kept as long as the page
}

/** The token is kept as long as this tab is open. */
export const token = {
  get: () => given,
  set: (/** @type {string} */ text) => {
    given = text;
    try {
      sessionStorage.setItem(TOKEN, text);
    } catch {
      // storage is off or full
    }
  },
};

/** @returns {Record<string, string>} */
export function authorization() {
  return token.get() === '' ? {} : { authorization: `Bearer ${token.get()}` };
}

/**
 * What came, whatever its status.
 * @param {string} path
 * @param {RequestInit} [options]
 */
async function send(path, { headers = {}, ...options } = {}) {
  if (/[^\x21-\x7e]/.test(token.get())) throw new Refused(401, { message: 'This is no token.' }); // no header carries it
  try {
    return await fetch(path, { ...options, headers: { ...headers, ...authorization() } });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new Refused(0, { message: 'The server cannot be reached.' });
  }
}

/**
 * @param {string} path
 * @param {object} body
 * @param {AbortSignal} [signal]
 * @param {Record<string, string>} [headers]
 */
async function post(path, body, signal, headers = {}) {
  const response = await send(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
  return response.ok ? response : await refuse(response);
}

/** @param {Response} response @returns {Promise<never>} */
async function refuse(response) {
  const { error = {} } = await response.json().catch(() => ({}));
  throw new Refused(response.status, error);
}

/**
 * @param {string} path
 * @param {object} body keys that are undefined are not sent
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function call(path, body, signal) {
  return await jsonOf(await post(path, body, signal), signal);
}

/** @param {Response} response @param {AbortSignal} [signal] @returns {Promise<any>} */
async function jsonOf(response, signal) {
  try {
    return await response.json();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refused(0, { message: 'The answer of the server broke off.' });
  }
}

/** @returns {Promise<any>} */
export async function status() {
  const response = await send('/api/status');
  return response.ok ? await jsonOf(response) : await refuse(response);
}

/**
 * The events of an answer. Where the connection breaks they end, without `done`.
 * @param {object} question
 * @param {AbortSignal} signal
 */
export async function* ask(question, signal) {
  const { body } = await post('/api/ask', { ...question, stream: true }, signal, { accept: 'text/event-stream' });
  try {
    if (body) yield* eventsOf(body);
  } catch (error) {
    if (signal.aborted || !(error instanceof TypeError)) throw error;
  }
}

/**
 * The address of the bytes of a source.
 * @param {string} reference
 * @param {string} index
 */
export function sourceAddress(reference, index) {
  return `/api/source?${new URLSearchParams({ ref: reference, ...(index !== '' && { index }) })}`;
}

/**
 * The media type of the file of a source; '' where there is none, or where it has changed.
 * @param {string} address
 * @param {AbortSignal} signal
 */
export async function sourceType(address, signal) {
  const response = await send(address, { method: 'HEAD', signal });
  return response.ok ? (response.headers.get('content-type') ?? '') : '';
}

/**
 * An address that a player or a picture can load: they send no token, so with one the bytes are fetched first.
 * @param {string} address
 * @param {AbortSignal} signal
 */
export async function loadable(address, signal) {
  if (token.get() === '') return address;
  const response = await send(address, { signal });
  if (!response.ok) await refuse(response);
  const made = URL.createObjectURL(await response.blob());
  signal.addEventListener('abort', () => URL.revokeObjectURL(made), { once: true });
  return made;
}
