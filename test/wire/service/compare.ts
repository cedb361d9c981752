import type { Harness } from './harness.ts';

/** One request in the parts that a service reads; header values that differ from client to client are left out. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  /** Key and content type (without its boundary). */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** `name`, then text of a text part, or file name, type and length of a file part; in the order sent. */
  readonly parts: readonly (readonly string[])[];
}

/** Runs a call and tells what it sent. */
export async function sentBy(
  harness: Harness,
  keyHeader: string,
  call: () => Promise<unknown>,
): Promise<readonly SentRequest[]> {
  const from = harness.requests.length;
  await call();
  return harness.requests.slice(from).map((request) => ({
    method: request.method,
    path: request.path,
    query: [...request.query].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
    headers: {
      key: request.headers[keyHeader] ?? '',
      type: (request.headers['content-type'] ?? '').split(';')[0]!.trim(),
    },
    body: request.body,
    parts: request.parts.map((part) =>
      part.filename === undefined
        ? [part.name, part.text]
        : [part.name, part.filename, part.contentType ?? '', String(part.bytes.length)],
    ),
  }));
}

/** Parts in an order of their own: between names it means nothing, within one name it does. */
export function byName(request: SentRequest): SentRequest {
  return { ...request, parts: request.parts.toSorted(([a = ''], [b = '']) => (a < b ? -1 : a > b ? 1 : 0)) };
}
