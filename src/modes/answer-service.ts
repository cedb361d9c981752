import type { AnswerEvent, Grounding, WebImage } from '../answer/contract.ts';
import { type HistoryTurn, recentTurns } from '../answer/grounded/request.ts';
import type { ModelUsage } from '../answer/language-model.ts';
import { wordsOf } from '../core/arguments.ts';
import { IbidError, isRefusal } from '../core/errors.ts';
import { Meter } from '../core/meter.ts';
import type { CallOptions } from '../core/types.ts';
import { answerFilters } from '../services/filters.ts';
import type { WebFilters } from '../web/filters.ts';
import {
  type AnswerImage,
  type AnswerRequest,
  type AnswerUsage,
  findModel,
  PartialResultError,
  type SearchService,
  type Answer as WebAnswer,
} from '../wire/search/index.ts';
import { isFinished } from '../wire/search/research-parse.ts';
import { LinkedWriter } from './linked-writer.ts';
import { type EndedStep, type KeptAnswer, newRunKey, type RunJournal } from './runs/journal.ts';
import { RunLog } from './runs/run-log.ts';
import { notWaitedFor, untilOver, withGrace } from './runs/work.ts';

export interface WebAnswerOptions extends CallOptions {
  /** @default 'answer-base' */
  readonly model?: string | undefined;
  /** How much of the web is read for it; changes the fee of the request. @default the service's, low */
  readonly contextSize?: 'low' | 'medium' | 'high' | undefined;
  /** Which pages may be used. */
  readonly web?: WebFilters | undefined;
  /** Which collection is searched: the web, papers, or filings of companies. @default the service's, 'web' */
  readonly searchMode?: 'web' | 'academic' | 'sec' | undefined;
  /** In which language it should answer: ISO 639-1. @default that of the question */
  readonly language?: string | undefined;
  /** Pictures that go with the answer, in `grounding.images`; for accounts that have them. @default false */
  readonly images?: boolean | ImageFilters | undefined;
  /** Questions that follow from the answer, in `grounding.relatedQuestions`. @default false */
  readonly relatedQuestions?: boolean | undefined;
  /** @default 2,048; the deep model decides for itself */
  readonly maxTokens?: number | undefined;
  /** Of the deep model. */
  readonly effort?: 'low' | 'medium' | 'high' | undefined;
  /** The turns before the question, oldest first. @default none */
  readonly history?: readonly HistoryTurn[] | undefined;
  /** Counts what the answer costs, and refuses what its budget does not leave. @default one of its own, without a budget */
  readonly meter?: Meter | undefined;
  /** As in research. A deep model works for minutes; the other models answer at once and need none. */
  readonly journal?: RunJournal | undefined;
  /** Of a deep model: false begins it and throws NOT_READY; it is resumed from its journal. @default true */
  readonly wait?: boolean | undefined;
  /** First pause between two looks at a deep model's work, in ms. @default 1,000, growing to 15,000 */
  readonly pollMs?: number | undefined;
}

/** Which pictures may be named. */
export interface ImageFilters {
  /** Only of these sites, or with `-` in front of all but these; 1 to 10. */
  readonly domains?: readonly string[] | undefined;
  /** Kinds of files. @default all */
  readonly formats?: readonly ('gif' | 'jpg' | 'png' | 'webp')[] | undefined;
}

const defaultAnswerModel = 'answer-base';
const MAX_TOKENS = 2048;
const HISTORY_TOKENS = 20_000;

/**
 * An answer of the service from the web alone: no document is looked at, and none is sent. Its sources are links, not
 * citations. A deep model is asked for an answer that is fetched later: neither a connection nor this process has to
 * last for the minutes it takes.
 * @throws IbidError INVALID_ARGUMENT, BUDGET_EXCEEDED, NOT_READY, and what the service throws before the first word;
 * OPERATION_RETIRED among it
 */
export async function* answerByService(
  question: string,
  service: SearchService,
  options: WebAnswerOptions,
): AsyncGenerator<AnswerEvent, void, undefined> {
  wordsOf(question, 'the question');
  const request = requestOf(question, service, options);
  const { usd, maxUsd = usd } = service.answers.estimateCost(request);
  const asked: Asked = { question, request, maxUsd, writer: new LinkedWriter() };
  if (isDeep(service, request.model)) return yield* deepAnswer(asked, service, options);
  if (options.wait === false)
    throw new IbidError(
      'INVALID_ARGUMENT',
      `only the deep model works on without being waited for, not ${request.model}`,
    );
  const { signal, onSilence, meter = new Meter() } = options;
  const { writer } = asked;
  const reservation = meter.reserve(maxUsd);
  const model = findModel(service.profile.models, 'answer', request.model);
  // reasoning without its opening tag looks like an answer until its closing tag comes
  let isHeld = model?.reasons === true;
  let held = '';
  let end: WebAnswer | undefined;
  let failure: { readonly stop: Grounding['stop']; readonly error: Error } | undefined;
  yield { type: 'hits', hits: [], query: question };
  try {
    const stream = await service.answers.stream(request, { signal, onSilence });
    try {
      for await (const event of stream) {
        if (event.type === 'sources') writer.setPages(event.sources);
        else if (event.type === 'reasoning') {
          isHeld = false;
          yield { type: 'thinking', text: event.text };
        } else if (event.type === 'reclassified') {
          isHeld = false;
          held = '';
          yield { type: 'thinking', text: event.reasoning };
        } else if (event.type === 'step') yield stepEvent(event.step);
        else if (event.type === 'text') {
          held += event.text;
          if (isHeld) continue;
          yield* writer.write(held);
          held = '';
        } else if (event.type === 'done') end = event.answer;
      }
    } finally {
      await stream.cancel();
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof IbidError)) throw error;
    // the clients of answers put an answer there, and nothing else
    end = error instanceof PartialResultError ? (error.partial as WebAnswer) : undefined;
    const began = writer.text !== '' || held.trim() !== '';
    if (!began) {
      if (isRefusal(error)) reservation.cancel();
      throw error;
    }
    failure = { stop: 'broken', error };
  } finally {
    reservation.settle((failure ? undefined : costOf(end)) ?? maxUsd); // no effect when it is settled already
  }
  if (end) writer.setPages(end.sources);
  yield* writer.write(held);
  yield* concluded(asked, end, failure);
}

interface Asked {
  readonly question: string;
  readonly request: AnswerRequest;
  readonly maxUsd: number;
  readonly writer: LinkedWriter;
}

/** Queued under a key of ours, so that a second request with it, after a crash, is the same answer. */
async function* deepAnswer(
  asked: Asked,
  service: SearchService,
  options: WebAnswerOptions,
): AsyncGenerator<AnswerEvent, void, undefined> {
  const { signal, onSilence, meter = new Meter(), journal, wait = true } = options;
  if (!wait && !journal) throw new IbidError('INVALID_ARGUMENT', '`wait: false` needs a `journal` to resume from');
  const { question, request, maxUsd } = asked;
  const kept = { question, options: keptOptions(options), functions: [], budgetUsd: meter.budgetUsd };
  const log = await RunLog.open(journal, kept);
  try {
    const known = log.request(1);
    const key = known?.key ?? newRunKey();
    const reservation = meter.reserve(known ? 0 : maxUsd, key);
    let { id } = known ?? {};
    let ended = known?.ended;
    let costUsd = known?.usd ?? maxUsd;
    yield { type: 'hits', hits: [], query: question };
    try {
      if (id === undefined) {
        signal?.throwIfAborted();
        await log.sending(1, maxUsd, key);
        const grace = withGrace(signal);
        const call = { idempotencyKey: key, signal: grace.signal, onSilence };
        ({ id } = await service.answers.async.create(request, call).finally(grace.end));
        await log.started(key, id);
      }
      yield { type: 'started', run: id };
      if (!ended) {
        if (!wait) throw notWaitedFor(id);
        ended = { type: 'ended', key, ...(yield* fetched(service, id, options)) };
        await log.ended(ended);
      }
      costUsd = costOf(ended.answer) ?? costUsd;
    } catch (error) {
      if (isRefusal(error) && id === undefined) {
        costUsd = 0;
        await log.refused(key);
      }
      throw error;
    } finally {
      reservation.settle(costUsd);
    }
    const { answer, failure = 'it holds no answer' } = ended;
    if (!answer) throw new IbidError('RUN_FAILED', failure, { hint: 'Ask again.' });
    if (answer.reasoning) yield { type: 'thinking', text: answer.reasoning };
    for (const step of answer.reasoningSteps) yield stepEvent(step);
    asked.writer.setPages(answer.sources);
    yield* asked.writer.write(answer.text);
    await log.done();
    yield* concluded(asked, answer, undefined);
  } catch (error) {
    if (error instanceof IbidError && ['RUN_FAILED', 'REMOTE_NOT_FOUND'].includes(error.code)) await log.done();
    throw error;
  } finally {
    await log.close();
  }
}

/** The answer once it is there, or why it never will be. */
async function* fetched(
  service: SearchService,
  run: string,
  { signal, pollMs }: WebAnswerOptions,
): AsyncGenerator<AnswerEvent, Pick<EndedStep, 'answer' | 'failure'>, undefined> {
  const look = () => service.answers.async.get(run, { signal });
  const { answer, status, response } = yield* untilOver(
    { run, look, statusOf: (state) => state.status, isOver: isFinished },
    { signal, pollMs },
  );
  if (answer) {
    const { citations: _, via: __, response: ___, info: ____, ...kept } = answer;
    return { answer: kept };
  }
  const why = response.error_message ?? 'the service gives no reason';
  return { failure: `answer ${run} ended as ${status}: ${why}` };
}

/** What is plain data; a run is resumed with it. */
function keptOptions(options: WebAnswerOptions): Readonly<Record<string, unknown>> {
  const { model, contextSize, web, searchMode, language, images, relatedQuestions, maxTokens, effort } = options;
  const history = (options.history ?? []).map(({ role, text }) => ({ role, text }));
  const own = { model, contextSize, web, searchMode, language, images, relatedQuestions, maxTokens, effort };
  return { mode: 'answer', ...own, history };
}

/** The end of an answer, as far as it came. */
function* concluded(
  { question, request, maxUsd, writer }: Asked,
  end: KeptAnswer | undefined,
  failure: Pick<Grounding, 'stop' | 'error'> | undefined,
): Generator<AnswerEvent, void, undefined> {
  yield* writer.end();
  const stop = failure ?? { stop: end?.finishReason === 'length' ? ('length' as const) : ('end' as const) };
  const images = (end?.images ?? []).flatMap(imageOf);
  const grounding = {
    ...{
      model: end?.model || request.model,
      ...stop,
      usage: usageOf(end?.usage),
      costUsd: (failure ? undefined : costOf(end)) ?? maxUsd,
    },
    ...(images.length > 0 ? { images } : {}),
    ...(end && end.relatedQuestions.length > 0 ? { relatedQuestions: end.relatedQuestions } : {}),
  };
  const answer = writer.finish(question, [], grounding, { dropped: end?.notes ?? [] });
  if (writer.text === '') yield { type: 'text', text: answer.answer };
  yield { type: 'done', answer };
}

const isDeep = (service: SearchService, model: string): boolean =>
  findModel(service.profile.models, 'answer', model)?.deep === true;

function requestOf(question: string, service: SearchService, options: WebAnswerOptions): AnswerRequest {
  const { model = defaultAnswerModel, contextSize, web = {}, images, relatedQuestions, effort, history = [] } = options;
  const { searchMode, language } = options;
  if (typeof model !== 'string')
    throw new IbidError('INVALID_ARGUMENT', 'the answer service takes one model, and no chain of models', {
      hint: 'Name one; `fallback` names modes that answer instead.',
    });
  const deep = isDeep(service, model);
  if (effort !== undefined && !deep)
    throw new IbidError('INVALID_ARGUMENT', `of the answer service only the deep model takes an effort, not ${model}`, {
      hint: 'Name a deep model, such as answer-deep-research, or leave the effort out.',
    });
  const maxTokens = options.maxTokens ?? (deep ? undefined : MAX_TOKENS);
  const { domains, formats } = typeof images === 'object' ? images : {};
  return {
    ...answerFilters(web),
    model,
    messages: [
      ...recentTurns(history, HISTORY_TOKENS).map(({ role, text }) => ({ role, content: text })),
      { role: 'user', content: question },
    ],
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...(contextSize === undefined ? {} : { search_context_size: contextSize }),
    ...(searchMode === undefined ? {} : { search_mode: searchMode }),
    ...(language === undefined ? {} : { language_preference: language }),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    ...(images ? { return_images: true } : {}),
    ...(domains ? { image_domain_filter: domains } : {}),
    ...(formats ? { image_format_filter: formats } : {}),
    ...(relatedQuestions ? { return_related_questions: true } : {}),
  };
}

/** An address of the web, or none. */
function imageOf({ image_url: url, origin_url: origin, title, width, height }: AnswerImage): WebImage[] {
  if (typeof url !== 'string' || !/^https?:\/\//i.test(url)) return [];
  return [
    {
      url,
      ...(typeof origin === 'string' ? { origin } : {}),
      ...(typeof title === 'string' ? { title } : {}),
      ...(typeof width === 'number' ? { width } : {}),
      ...(typeof height === 'number' ? { height } : {}),
    },
  ];
}

function stepEvent({ thought, type }: { readonly thought?: string; readonly type?: string }): AnswerEvent {
  return { type: 'step', tool: type ?? 'step', input: thought ?? '', found: 0 };
}

/** Undefined while the service has not said what it used. */
function costOf(answer: Pick<KeptAnswer, 'usage' | 'cost'> | undefined): number | undefined {
  return answer?.usage ? answer.cost.usd : undefined;
}

function usageOf(usage: AnswerUsage | undefined): ModelUsage {
  return {
    inputTokens: usage?.prompt_tokens ?? 0,
    outputTokens: usage?.completion_tokens ?? 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
  };
}
