import type { AnswerEvent, AnswerMode, SkippedMode } from '../answer/contract.ts';
import { IbidError, isServiceFailure } from '../core/errors.ts';
import type { Meter } from '../core/meter.ts';
import type { CallOptions } from '../core/types.ts';

/**
 * Answers in the first mode that can. A mode that fails before its first word makes way for the next, and the answer
 * says so; after the first word there is no way back.
 * @throws IbidError what the last mode threw; of several, with all their reasons in the message
 */
export async function* withFallback<M extends { readonly mode: AnswerMode }>(
  modes: readonly M[],
  answerIn: (mode: M, meter: Meter) => AsyncIterable<AnswerEvent>,
  { signal, meter }: CallOptions & { readonly meter: Meter },
): AsyncGenerator<AnswerEvent, void, undefined> {
  const skipped: SkippedMode[] = [];
  for (const [i, options] of modes.entries()) {
    const { mode } = options;
    const own = meter.child();
    let spoke = false;
    try {
      for await (const event of answerIn(options, own)) {
        spoke ||= event.type === 'text';
        if (event.type === 'done') {
          yield { ...event, answer: { ...event.answer, mode, ...(skipped.length > 0 ? { skipped } : {}) } };
        } else yield event;
      }
      return;
    } catch (error) {
      signal?.throwIfAborted();
      const isLast = i === modes.length - 1;
      // a part of the caller's own that breaks its contract is skipped like a service, and named
      const canSkip = isServiceFailure(error) || (error instanceof IbidError && error.code === 'CONTRACT_BROKEN');
      if (spoke || !canSkip) throw error;
      if (isLast) throw skipped.length === 0 ? error : nobodyAnswered(skipped, mode, error);
      const cost = own.spentUsd > 0 ? { costUsd: own.spentUsd } : {};
      const entry = { mode, code: error.code, message: error.message, ...cost };
      skipped.push(entry);
      yield { type: 'skipped', skipped: entry };
    }
  }
}

function nobodyAnswered(skipped: readonly SkippedMode[], mode: AnswerMode, error: IbidError): IbidError {
  const reasons = [...skipped, { mode, code: error.code, message: error.message }].map(
    (one) => `${one.mode}: ${one.message} [${one.code}]`,
  );
  return new IbidError(error.code, `no mode could answer; ${reasons.join('; ')}`, { cause: error, hint: error.hint });
}
