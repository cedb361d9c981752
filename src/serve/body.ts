import type { IncomingMessage } from 'node:http';
import { IbidError } from '../core/errors.ts';
import { Refusal } from './problem.ts';

/**
 * The body of a request as JSON; undefined where it has none.
 * @throws Refusal 413, 415; IbidError INVALID_ARGUMENT
 */
export async function jsonBody(request: IncomingMessage, mostBytes: number, signal: AbortSignal): Promise<unknown> {
  const tooLarge = (): Refusal =>
    new Refusal(413, 'REQUEST_TOO_LARGE', `a body may have ${mostBytes} bytes`, { headers: { connection: 'close' } });
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) throw tooLarge();
  const pieces: Buffer[] = [];
  let bytes = 0;
  const stop = (): void => void request.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    // a body that is refused half-way is not destroyed with the loop: the answer goes out over its connection
    for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > mostBytes) throw tooLarge();
      pieces.push(piece);
    }
  } catch (error) {
    signal.throwIfAborted(); // it was stopped here, and did not break
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
  if (bytes === 0) return undefined;
  // A page of another origin can send other types without asking: only JSON is read.
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(request.headers['content-type'] ?? ''))
    throw new Refusal(415, 'INVALID_ARGUMENT', 'a body must be `application/json`');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces)));
  } catch {
    throw new IbidError('INVALID_ARGUMENT', 'the body is not JSON in UTF-8');
  }
}
