import type { AnswerEvent } from '../answer/contract.ts';
import type { CallOptions, Silence } from '../core/types.ts';

/** The events of an answer, and among them the silences of the services that it waits for. */
export async function* withSilences(
  { signal, onSilence }: CallOptions,
  answer: (call: CallOptions) => AsyncIterable<AnswerEvent>,
): AsyncGenerator<AnswerEvent, void, undefined> {
  const told: Silence[] = [];
  let wake: (() => void) | undefined;
  const hear = (silence: Silence): void => {
    onSilence?.(silence);
    told.push(silence);
    wake?.();
  };
  let isWaiting = false;
  // who leaves during a silence must not wait for its end
  const left = new AbortController();
  const stop = signal ? AbortSignal.any([signal, left.signal]) : left.signal;
  const events = answer({ signal: stop, onSilence: hear })[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = events.next();
      isWaiting = true;
      next.catch(() => {}); // told by the awaiting below
      const arrived = next.then(
        () => true,
        () => true,
      );
      for (;;) {
        const heard = new Promise<boolean>((resolve) => {
          wake = () => resolve(false);
        });
        const isThere = told.length === 0 && (await Promise.race([arrived, heard]));
        for (const silence of told.splice(0)) yield { type: 'silence', silence };
        if (isThere) break;
      }
      isWaiting = false;
      const { done, value } = await next;
      if (done === true) return;
      yield value;
    }
  } finally {
    if (isWaiting) left.abort(new Error('the answer was left'));
    await events.return?.();
  }
}
