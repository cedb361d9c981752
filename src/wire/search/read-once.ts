import { factsOf, type Where } from '../http/answer.ts';
import type { StreamReply } from '../http/contract.ts';
import { ItemsOf } from '../http/each.ts';
import { WireError } from '../http/errors.ts';

/** How the pieces of a stream become events, and in the end a result. */
export interface Reading<Piece, Event, Result> {
  readonly where: Where;
  /** The pieces in arrays, as they arrived together. */
  readonly pieces: AsyncIterable<readonly Piece[]>;
  /** What a piece tells. */
  readonly push: (piece: Piece) => readonly Event[];
  /** Nothing of use follows. */
  readonly over: () => boolean;
  /** Called when it is over. */
  readonly settle: () => void;
  /** Called after the last piece; throws when the stream ended too early. */
  readonly end: () => { readonly result: Result; readonly events: readonly Event[] };
  /** The error to throw in place of one that came on the way. */
  readonly fail: (error: unknown) => unknown;
}

/**
 * Reads a stream once. What came before a failure is told before it, however the bytes were cut.
 * @returns the events, and the result after reading to the end
 */
export function readOnce<Piece, Event, Result>(
  reading: Reading<Piece, Event, Result>,
): AsyncIterable<Event> & { final(): Promise<Result> } {
  const { where } = reading;
  let ended: { readonly result: Result } | undefined;
  let started = false;

  /** Events in arrays: `final` needs no turn of the event loop for each of them. */
  async function* batches(): AsyncGenerator<readonly Event[], void, undefined> {
    if (started) throw new WireError('CONFLICT', `${where.operation.name}: a stream can be read once`, factsOf(where));
    started = true;
    try {
      for await (const batch of reading.pieces) {
        const events: Event[] = [];
        let failure: { readonly error: unknown } | undefined;
        for (const piece of batch) {
          try {
            for (const event of reading.push(piece)) events.push(event);
          } catch (error) {
            failure = { error };
          }
          if (reading.over() || failure !== undefined) break;
        }
        if (reading.over()) reading.settle();
        if (events.length > 0) yield events;
        if (failure !== undefined) throw failure.error;
      }
      const { result, events } = reading.end();
      ended = { result };
      yield events;
    } catch (error) {
      throw await reading.fail(error);
    }
  }

  return {
    [Symbol.asyncIterator]: () => new ItemsOf(batches()),
    async final() {
      if (ended === undefined) for await (const _ of batches());
      return ended!.result; // set at the end of the loop, which otherwise throws
    },
  };
}

/** How long a stream whose last event has come may take to end by itself. */
const graceMs = 250;

/**
 * The pieces of a stream in arrays, until `over` says that nothing of use follows. Then the rest (an end mark, the end
 * of the body) is read in the background for a moment, so that the connection can be used again, and cut off after
 * that: some services never send an end.
 */
export async function* readUntil<T>(
  reply: StreamReply<T>,
  over: () => boolean,
): AsyncGenerator<readonly T[], void, undefined> {
  const batches = reply.batches()[Symbol.asyncIterator]();
  let left = true;
  try {
    for (;;) {
      const next = await batches.next();
      if (next.done === true) {
        left = false;
        return;
      }
      yield next.value;
      if (over()) {
        left = false;
        void drain(batches, reply);
        return;
      }
    }
  } finally {
    if (left) await reply.cancel(); // the reader has gone, or failed
  }
}

async function drain<T>(batches: AsyncIterator<readonly T[]>, reply: StreamReply<T>): Promise<void> {
  const timer = setTimeout(() => void reply.cancel(), graceMs);
  timer.unref();
  try {
    while ((await batches.next()).done !== true);
  } catch {
    // What comes after the last event cannot spoil the answer.
  } finally {
    clearTimeout(timer);
  }
}
