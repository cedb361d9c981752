import { expect } from 'vitest';
import type { RecordedRequest } from '../service/contract.ts';
import type { Harness } from '../service/harness.ts';

export const prefix = 'anthropic-';

/** Headers that mean something to the service; the others name the client, its runtime and its retries. */
const telling = ['x-api-key', 'authorization', `${prefix}version`, `${prefix}beta`];

/** A request as the service understands it. */
function said(request: RecordedRequest): Record<string, unknown> {
  const query = [...request.query].filter(([name]) => name !== 'beta').toSorted();
  return {
    method: request.method,
    path: request.path,
    query,
    type: request.headers['content-type']?.split(';')[0],
    headers: telling.map((name) => [name, request.headers[name]]),
    body: request.body,
    parts: request.parts.map((part) => ({ ...part, bytes: part.bytes.toString('hex') })),
  };
}

/** A difference that is meant, with its reason beside the call. */
export interface Apart {
  /** Looks at the last request of each side only. */
  readonly lastOnly?: boolean;
  /** A header one side sends and the other does not. */
  readonly header?: string;
}

/** What both clients sent for one call, compared; and what the service answered to each. */
export async function compareSent(
  harness: Harness,
  their: () => Promise<unknown>,
  our: () => Promise<unknown>,
  apart: Apart = {},
): Promise<{ their: unknown; our: unknown }> {
  const sent = (): unknown[] => {
    const requests = harness.requests.splice(0).slice(apart.lastOnly === true ? -1 : 0);
    return requests.map((request) => said({ ...request, headers: without(request.headers, apart.header) }));
  };
  sent();
  const theirAnswer = await their();
  const theirRequests = sent();
  const ourAnswer = await our();
  const ourRequests = sent();
  expect(ourRequests.length).toBeGreaterThan(0);
  expect(ourRequests).toEqual(theirRequests);
  return { their: theirAnswer, our: ourAnswer };
}

function without(headers: Readonly<Record<string, string>>, name: string | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));
}

/**
 * Without what differs between any two calls: ids and signatures; and without what the other client adds to answers.
 */
export function plain(message: unknown): unknown {
  const own = new Set(['id', 'signature', 'created']); // of each answer; the two may fall into different seconds
  const copy = JSON.parse(JSON.stringify(message, (key, value: unknown) => (own.has(key) ? '…' : value))) as Record<
    string,
    unknown
  >;
  delete copy.parsed_output;
  for (const block of (copy.content ?? []) as Record<string, unknown>[]) delete block.parsed_output;
  return copy;
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
