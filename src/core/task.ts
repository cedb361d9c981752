import { IbidError } from './errors.ts';

/**
 * A long piece of work. `await` gives its result; iteration gives its events, and the last event carries the result.
 * The work starts with the first `await` or iteration and runs once. To `await` a task after its iteration gives the
 * same result.
 */
export interface Task<Event, Result> extends Promise<Result>, AsyncIterable<Event> {
  [Symbol.asyncIterator](): AsyncGenerator<Event, void, undefined>;
}

const left = (): IbidError => new IbidError('ABORTED', 'the iteration was left before the end of the work');

/**
 * @param events does the work; called once; a promise, where the module that does it is loaded first
 * @param resultOf the result in an event; `undefined` for all events but the last
 */
export function task<Event, Result>(
  events: () => AsyncGenerator<Event, void, undefined> | Promise<AsyncGenerator<Event, void, undefined>>,
  resultOf: (event: Event) => Result | undefined,
): Task<Event, Result> {
  let settled: Promise<Result> | undefined;
  let settle: { resolve(result: Result): void; reject(reason: unknown): void } | undefined;

  const begin = (): Promise<Result> => {
    settled = new Promise<Result>((resolve, reject) => {
      settle = { resolve, reject };
    });
    settled.catch(() => {}); // the iteration throws this error
    return settled;
  };
  async function* iterate(): AsyncGenerator<Event, void, undefined> {
    let result: Result | undefined;
    try {
      for await (const event of await events()) {
        result = resultOf(event) ?? result;
        yield event;
      }
      if (result === undefined) throw new IbidError('RESPONSE_INVALID', 'the work ended without a result');
      settle?.resolve(result);
    } catch (error) {
      settle?.reject(error);
      throw error;
    } finally {
      settle?.reject(left());
    }
  }
  const drain = async (): Promise<Result> => {
    const promise = begin();
    for await (const _ of iterate());
    return await promise;
  };
  const result = (): Promise<Result> => settled ?? drain();
  return {
    [Symbol.toStringTag]: 'Task',
    [Symbol.asyncIterator]: () => {
      if (settled)
        throw new IbidError('INVALID_ARGUMENT', 'this work has begun already: iterate it first, or call again');
      begin();
      const iteration = iterate();
      // a generator that is left before its first step never comes to its `finally`
      const leave = iteration.return.bind(iteration);
      iteration.return = (value) => {
        settle?.reject(left());
        return leave(value);
      };
      return iteration;
    },
    // biome-ignore lint/suspicious/noThenProperty: a task can be awaited
    then: (onResult, onError) => result().then(onResult, onError),
    catch: (onError) => result().catch(onError),
    finally: (onEnd) => result().finally(onEnd),
  };
}
