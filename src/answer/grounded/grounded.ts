import { IbidError, mayBeBilled } from '../../core/errors.ts';
import { affordable, Meter } from '../../core/meter.ts';
import type { CallOptions, Hit } from '../../core/types.ts';
import { CallMoney } from '../call-money.ts';
import type { Answer, Answerability, AnswerEvent, Grounding } from '../contract.ts';
import type {
  LanguageModel,
  ModelEvent,
  ModelLimits,
  ModelRequest,
  ModelStop,
  ModelWriteOptions,
} from '../language-model.ts';
import { noUsage } from '../model-usage.ts';
import { phrasesFor } from '../set-phrases.ts';
import { MarkParser } from './numbered.ts';
import { packRequest, type RequestOptions, type Shown, TOKENS_PER_MEDIUM, withMarks } from './request.ts';
import { packSources } from './sources.ts';
import { AnswerWriter, type WriterEvent } from './writer.ts';

interface GroundedOptions extends CallOptions, RequestOptions {
  /**
   * The conversation before the question, oldest first. What does not fit the model's window is left out from the
   * front.
   */
  readonly history?: RequestOptions['history'];
  /** Tokens of sources the model reads at most, for this question. @default 12,000 */
  readonly sourceTokens?: number | undefined;
  /** @default 1,024 */
  readonly maxTokens?: number | undefined;
  readonly meter?: Meter | undefined;
  /**
   * The next question will have this one's hits in its history: they are marked for the service's cache.
   * @default false
   */
  readonly continues?: boolean | undefined;
  /** Pages and pictures that the model looks at, with what can be cited of them. As many as a budget pays for. */
  readonly look?: Shown | undefined;
  /** The text where the model is not asked. @default that the documents do not seem to answer this */
  readonly refusal?: string | undefined;
  /** Replaces the rules the model is given; marks and safety rules are added where they are needed. */
  readonly instructions?: string | undefined;
}

/**
 * An answer that a model writes from the hits, event by event; the last event is `done`. Each citation is proven or
 * dropped. With confidence `none` the model is not asked.
 * @throws IbidError INVALID_ARGUMENT, also when no hit fits the model's window; BUDGET_EXCEEDED, and what the service
 * throws before the first word; RESPONSE_INVALID when the model ends without a word
 */
export async function* answerGrounded(
  question: string,
  hits: readonly Hit[],
  answerability: Answerability,
  model: LanguageModel,
  options: GroundedOptions = {},
): AsyncGenerator<AnswerEvent, void, undefined> {
  const { query = question, support } = answerability;
  yield { type: 'hits', hits, query };
  const limits = answerability.confidence === 'none' ? model : await limitsFor(model, options);
  const { media = [], sources: seen = [] } = (model.looks && options.look) || {};
  const packed = packRequest(question, hits, limits, { ...options, mediaTokens: media.length * TOKENS_PER_MEDIUM });
  let request: ModelRequest = media.length > 0 ? { ...packed.request, media } : packed.request;
  const sources = [...packed.sources, ...seen];
  if (answerability.confidence !== 'none' && sources.length === 0) checkRoom(model, limits, hits);
  if (answerability.confidence === 'none' || sources.length === 0) {
    const ending: Ending = { model: model.id, stop: 'end', usage: noUsage, costUsd: 0 };
    const refusal = options.refusal ?? phrasesFor(question, hits).refusal;
    const answer = refused(question, hits, support, ending, query, refusal);
    yield { type: 'text', text: answer.answer };
    yield { type: 'done', answer };
    return;
  }
  const meter = options.meter ?? new Meter();
  const { signal } = options;
  const price = async (): Promise<number> => {
    const usd = affordable(model.estimateUsd(request), model.id, meter);
    return usd > meter.leftUsd ? ((await model.countedUsd?.(request, meter.leftUsd, { signal })) ?? usd) : usd;
  };
  let estimate = await price();
  while (estimate > meter.leftUsd && request.media?.length) {
    request = { ...request, media: request.media.slice(0, -1) };
    estimate = await price();
  }
  const writer = new AnswerWriter(sources);
  const grounding = yield* writeProven(model, request, writer, { ...options, meter, estimate });
  const looked = media.slice(0, request.media?.length ?? 0).map(({ at }) => at);
  const ending = looked.length > 0 ? { ...grounding, looked } : grounding;
  const answer = finish(question, hits, answerability, writer, ending);
  if (writer.text === '') yield { type: 'text', text: answer.answer };
  yield { type: 'done', answer };
}

/** Reads all events; gives the answer of the last one. */
export async function collectAnswer(events: AsyncIterable<AnswerEvent>): Promise<Answer> {
  for await (const event of events) if (event.type === 'done') return event.answer;
  throw new IbidError('RESPONSE_INVALID', 'the answer ended without an end');
}

/** What a request has cost, and how it ended. */
export type Written = Pick<Grounding, 'model' | 'usage' | 'costUsd' | 'savedUsd' | 'error'> & {
  readonly stop: ModelStop;
};

/**
 * Lets a model write what a request asks for; the writer has the text afterwards. Each citation is proven or dropped.
 * @throws IbidError BUDGET_EXCEEDED, and what the service throws before the first word
 */
export async function* writeProven(
  model: LanguageModel,
  request: ModelRequest,
  writer: AnswerWriter,
  { meter, estimate, ...options }: CallOptions & { readonly meter: Meter; readonly estimate: number },
): AsyncGenerator<WriterEvent | Extract<ModelEvent, { type: 'thinking' }>, Written> {
  options.signal?.throwIfAborted();
  const money = new CallMoney(meter, estimate);
  let end: Extract<ModelEvent, { type: 'stop' }> | undefined;
  let began = false;
  let isOpen = false;
  try {
    for await (const event of blocksOf(model, request, { ...options, pays: money.pays })) {
      began = true;
      if (event.type === 'stop') end = event;
      else if (event.type === 'thinking') yield event;
      else yield* applyEvent(writer, event);
    }
  } catch (error) {
    isOpen = options.signal?.aborted === true || mayBeBilled(error);
    throw error;
  } finally {
    // a refusal costs nothing; what was lost or stopped midway costs an unknown part of the estimate
    if (end || began || isOpen) money.settle(end?.costUsd);
    else money.cancel();
  }
  yield* writer.end();
  return {
    model: model.id,
    stop: end?.stop ?? 'broken',
    usage: end?.usage ?? noUsage,
    costUsd: end?.costUsd ?? 0,
    ...(end?.savedUsd === undefined ? {} : { savedUsd: end.savedUsd }),
    ...(end?.error ? { error: end.error } : {}),
  };
}

/** Passes a model's event on to the writer. */
export function* applyEvent(writer: AnswerWriter, event: ModelEvent): Generator<WriterEvent> {
  if (event.type === 'text') yield* writer.write(event.block, event.text);
  else if (event.type === 'citation') writer.cite(event.block, event.citation);
  else if (event.type === 'unusable') yield* writer.drop(event.why);
  else if (event.type === 'blockEnd') yield* writer.endBlock(event.block);
}

/** The blocks of the model; of a model that cannot cite, the blocks read out of its marks. */
async function* blocksOf(
  model: LanguageModel,
  request: ModelRequest,
  options: ModelWriteOptions,
): AsyncGenerator<ModelEvent> {
  if (model.citesPassages) {
    yield* model.write(request, options);
    return;
  }
  const parser = new MarkParser();
  for await (const event of model.write(withMarks(request), options)) {
    if (event.type === 'text') yield* parser.push(event.text);
    else if (event.type === 'stop') {
      yield* parser.end();
      yield event;
    } else if (event.type === 'thinking') yield event;
  }
}

/**
 * Hits of which not one fits are no hits that say nothing.
 * @throws IbidError INVALID_ARGUMENT
 */
function checkRoom({ id }: LanguageModel, { contextTokens }: ModelLimits, hits: readonly Hit[]): void {
  if (packSources(hits, { maxTokens: Infinity }).length === 0) return;
  throw new IbidError(
    'INVALID_ARGUMENT',
    `no passage fits beside the question and the answer in what "${id}" reads: ${contextTokens} tokens`,
    { hint: 'Raise `contextTokens` of the model (and of its server), lower maxTokens, or raise sourceTokens.' },
  );
}

/** Asks the service for the limits of the model only where a conversation may fill the window. */
async function limitsFor(model: LanguageModel, { history = [], signal }: GroundedOptions): Promise<ModelLimits> {
  return (history.length > 0 ? await model.limits?.({ signal }) : undefined) ?? model;
}

/** Answer texts for a model that stopped before its first word. */
const unwritten: Readonly<Record<Grounding['stop'], string>> = {
  end: 'The model ended without a word of an answer.',
  refusal: 'The model refused to answer.',
  broken: 'The connection to the model broke off before a word of the answer was written.',
  budget: 'Tokens or money ran out before an answer was written.',
  steps: 'The steps ran out before an answer was written.',
  length: 'The model had used up its tokens before a word of the answer was written.',
  context: "The model's window was full before a word of the answer was written.",
};

/** What stands in place of an answer that has no word: why, which is not for want of documents. */
export const wordless = (stop: Grounding['stop']): string => unwritten[stop];

/** How the calls of an answer ended, and what they cost. */
export type Ending = Omit<Grounding, 'unsupported' | 'dropped' | 'query'>;

/**
 * The answer at the moment the model stopped. A refusal of the model, and an answer without a word, are refusals.
 * @throws IbidError RESPONSE_INVALID when the model ended by itself without a word, so that another mode may answer
 */
export function finish(
  question: string,
  hits: readonly Hit[],
  { confidence, support, query = question }: Answerability,
  writer: AnswerWriter,
  ending: Ending,
): Answer {
  const said = writer.text.trim() !== '';
  if (!said && ending.stop === 'end' && confidence !== 'none') {
    const message = `the model "${ending.model}" ended without a word of an answer`;
    throw new IbidError('RESPONSE_INVALID', message, { hint: 'Ask again, or ask another model.' });
  }
  if (!said || ending.stop === 'refusal' || confidence === 'none')
    return refused(question, hits, support, ending, query, writer.text || wordless(ending.stop), writer);
  const unsupported = writer.unsupported();
  return {
    question,
    answer: writer.text,
    abstained: false,
    // without a single proven citation it is only what the model believes
    confidence: writer.citations.length === 0 ? 'low' : confidence,
    support,
    citations: writer.citations,
    hits,
    grounding: { ...ending, unsupported, dropped: writer.dropped, ...(query === question ? {} : { query }) },
  };
}

function refused(
  question: string,
  hits: readonly Hit[],
  support: number,
  ending: Ending,
  query: string,
  answer: string, // what was streamed already stays its text
  writer?: AnswerWriter,
): Answer {
  return {
    question,
    answer,
    abstained: true,
    confidence: 'none',
    support,
    citations: writer?.citations ?? [], // and so do the places of its marks
    hits,
    grounding: {
      ...ending,
      unsupported: [],
      dropped: writer?.dropped ?? [],
      ...(query === question ? {} : { query }),
    },
  };
}
