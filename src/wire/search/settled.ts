import { isRecord } from '../../core/records.ts';
import type { Settled } from '../http/contract.ts';
import { optionalQuantity, optionalText, records } from './parse.ts';

/**
 * What a body says was used, for the limiter and the trace. Read from whatever is there: nothing here may fail a call.
 */
export function settledAnswer(body: unknown): Settled | undefined {
  if (!isRecord(body)) return undefined;
  const usage = isRecord(body.usage) ? body.usage : {};
  const reasons = records(body.choices).flatMap((choice) => optionalText(choice.finish_reason) ?? []);
  return {
    inputTokens: optionalQuantity(usage.prompt_tokens),
    outputTokens: optionalQuantity(usage.completion_tokens),
    model: optionalText(body.model),
    id: optionalText(body.id),
    ...(reasons.length === 0 ? {} : { finishReasons: reasons }),
  };
}

export function settledResearch(body: unknown): Settled | undefined {
  if (!isRecord(body)) return undefined;
  const usage = isRecord(body.usage) ? body.usage : {};
  const status = optionalText(body.status);
  return {
    inputTokens: optionalQuantity(usage.input_tokens),
    outputTokens: optionalQuantity(usage.output_tokens),
    model: optionalText(body.model),
    id: optionalText(body.id),
    ...(status === undefined ? {} : { finishReasons: [status] }),
  };
}

export function settledEmbeddings(body: unknown): Settled | undefined {
  if (!isRecord(body)) return undefined;
  const usage = isRecord(body.usage) ? body.usage : {};
  const tokens = optionalQuantity(usage.prompt_tokens) ?? optionalQuantity(usage.total_tokens);
  return { inputTokens: tokens, model: optionalText(body.model) };
}
