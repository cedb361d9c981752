import type {
  LanguageModel,
  ModelCitation,
  ModelEvent,
  ModelMedia,
  ModelRequest,
  ModelSource,
  ModelStop,
  ModelUsage,
} from '../answer/language-model.ts';
import type { ToolModel } from '../answer/tool-model.ts';
import { IbidError } from '../core/errors.ts';
import type { CallOptions } from '../core/types.ts';
import type { Cost } from '../wire/http/cost.ts';
import type {
  Citation,
  DocumentBlockParam,
  ImageBlockParam,
  Message,
  MessageParam,
  MessageRequest,
  MessagesService,
  SearchResultBlockParam,
  StreamEvent,
  TextBlockParam,
  Usage,
} from '../wire/messages/index.ts';
// not through the door, behind which is what speaks HTTP: `ibid` exports what reads this
import { billedRounds, priceFactors } from '../wire/messages/prices.ts';
import { modelLimits } from './model-limits.ts';

export interface ServiceModelOptions {
  /** @default the writer of the service's profile */
  readonly model?: string | undefined;
  /** False: the service (or its dialect) has no citations, and the model writes marks. @default true */
  readonly citations?: boolean | undefined;
  /** How thorough the model is. @default the model's */
  readonly effort?: MessageRequest['effort'] | undefined;
  /** Whether the model thinks before it writes; what it thinks is paid as output. @default the model's */
  readonly thinking?: MessageRequest['thinking'] | undefined;
  /**
   * How long the service keeps a conversation to read it again: writing costs 1.25 times the input for five minutes,
   * twice for an hour, and reading a tenth. @default '5m'
   */
  readonly cache?: '5m' | '1h' | undefined;
  /** Where the model works: 'us' costs 1.1 times as much. Refused by models before 4-6. @default anywhere, 'global' */
  readonly inferenceGeo?: MessageRequest['inference_geo'] | undefined;
  /** 'standard_only' leaves capacity that the account has bought with priority alone. @default 'auto' */
  readonly serviceTier?: MessageRequest['service_tier'] | undefined;
}

/** Fields of a request that the options name. */
export function modelFields({
  effort,
  thinking,
  inferenceGeo,
  serviceTier,
}: ServiceModelOptions): Pick<MessageRequest, 'effort' | 'thinking' | 'inference_geo' | 'service_tier'> {
  return {
    ...(effort ? { effort } : {}),
    ...(thinking ? { thinking } : {}),
    ...(inferenceGeo === undefined ? {} : { inference_geo: inferenceGeo }),
    ...(serviceTier === undefined ? {} : { service_tier: serviceTier }),
  };
}

/** Adaptive thinking takes its tokens from the answer's: room is made for about as much. */
const ADAPTIVE_TOKENS = 4096;

/**
 * A model of the messages service behind the `LanguageModel` contract. Sources go in as search_result blocks, one
 * passage a block.
 */
export function serviceLanguageModel(service: MessagesService, options: ServiceModelOptions = {}): LanguageModel {
  const { model = service.profile.defaults.writer, citations = true, cache } = options;
  const known = modelLimits(service, model);
  const own = { model, ...modelFields(options) };
  const requestOf = (request: ModelRequest): MessageRequest => messageRequest(request, own, citations, cache);
  return {
    id: model,
    ...known.offline,
    limits: known.ask,
    citesPassages: citations,
    looks: citations,
    estimateUsd: (request) => service.estimateCost(requestOf(request))?.usd,
    countedUsd: (request, leftUsd, call) => countedUsd(service, requestOf(request), leftUsd, call),
    write: (request, call) => write(service, requestOf(request), documentIds(request), call),
  };
}

/**
 * The rules and the conversation so far are marked for the cache; sources and question come last, and are marked when
 * they will be sent again with the next question. A mark on less than the service caches costs nothing.
 */
export function messageRequest(
  { instructions, turns, sources, media = [], maxTokens, continues = false }: ModelRequest,
  own: Pick<MessageRequest, 'model'> & ReturnType<typeof modelFields>,
  citations: boolean,
  ttl?: ServiceModelOptions['cache'],
): MessageRequest {
  const last = turns.length - 1;
  const cache = { type: 'ephemeral', ...(ttl === '1h' ? { ttl } : {}) } as const;
  const messages = turns.map(({ role, text, sources: kept = [], media: seen = [] }, i): MessageParam => {
    const isMarked = i === last - 1 || (i === last && continues);
    const question = { type: 'text', text, ...(isMarked ? { cache_control: cache } : {}) } as const;
    return role === 'user'
      ? {
          role,
          content: [
            ...(i === last ? sources : kept).map(sourceBlock),
            ...(i === last ? media : seen).flatMap(mediaBlocks),
            question,
          ],
        }
      : { role, content: [question] };
  });
  const hasSources =
    sources.length + media.length > 0 ||
    turns.some(({ sources: kept = [], media: seen = [] }) => kept.length + seen.length > 0);
  return {
    ...own,
    max_tokens: maxTokens + thinkingTokens(own.thinking),
    system: [{ type: 'text', text: instructions, cache_control: cache }],
    messages,
    ...(hasSources ? { citations } : {}),
  };
}

export function sourceBlock({ id, title, passages }: ModelSource): SearchResultBlockParam {
  return { type: 'search_result', source: id, title, content: passages.map((text) => ({ type: 'text', text })) };
}

/**
 * A page as a document that can be cited by its words, a picture as what can be seen. The id stands in front of a
 * document's title, which comes back with its citations; nothing of a document stands beside a picture.
 */
export function mediaBlocks({
  id,
  title,
  mediaType,
  bytes,
  fileId,
}: ModelMedia): readonly (DocumentBlockParam | ImageBlockParam | TextBlockParam)[] {
  const data =
    fileId === undefined ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64') : '';
  const file = fileId === undefined ? undefined : ({ type: 'file', file_id: fileId } as const);
  if (mediaType === 'application/pdf') {
    const source = file ?? ({ type: 'base64', media_type: mediaType, data } as const);
    return [{ type: 'document', source, title: `${id}: ${title}`.slice(0, MOST_TITLE).toWellFormed() }];
  }
  return [
    { type: 'text', text: `Picture ${id}:` },
    { type: 'image', source: file ?? { type: 'base64', media_type: mediaType, data } },
  ];
}

const MOST_TITLE = 500;

const documentIds = ({ turns, media = [] }: ModelRequest): readonly string[] =>
  [...turns.flatMap(({ media: seen = [] }) => seen), ...media].flatMap(({ id, mediaType }) =>
    mediaType === 'application/pdf' ? [id] : [],
  );

/** The tokens that `max_tokens` needs beside the answer. */
export function thinkingTokens(thinking: MessageRequest['thinking']): number {
  if (thinking?.type === 'enabled') return thinking.budget_tokens;
  return thinking?.type === 'adaptive' ? ADAPTIVE_TOKENS : 0;
}

async function* write(
  service: MessagesService,
  request: MessageRequest,
  documents: readonly string[] = [],
  { signal, onSilence }: CallOptions = {},
): AsyncGenerator<ModelEvent, void, undefined> {
  const stream = service.stream(request, { signal, onSilence });
  let wrote = false;
  try {
    for await (const event of stream) {
      for (const told of modelEvents(event, 0, documents)) {
        wrote = true;
        yield told;
      }
    }
    yield stopOf(service, await stream.message(), request);
  } catch (error) {
    signal?.throwIfAborted();
    const isBroken = wrote && error instanceof IbidError;
    if (!isBroken) throw error;
    const usage = stream.partial?.usage;
    yield { type: 'stop', stop: 'broken', usage: usageOf(usage), costUsd: priceOf(service, usage, request), error };
  } finally {
    await stream.cancel();
  }
}

/**
 * One event of the stream as the answer room understands it.
 * @param documents ids of the documents that were sent
 */
export function* modelEvents(
  event: StreamEvent,
  firstBlock: number = 0,
  documents: readonly string[] = [],
): Generator<ModelEvent, void, undefined> {
  if (event.type === 'content_block_start' && event.content_block.type === 'text') {
    const block = firstBlock + event.index;
    const { text } = event.content_block;
    if (typeof text === 'string' && text !== '') yield { type: 'text', block, text };
    for (const citation of listOf(event.content_block.citations)) yield citationEvent(block, citation, documents);
  } else if (event.type === 'content_block_delta') {
    const block = firstBlock + event.index;
    const { delta } = event;
    if (delta.type === 'text_delta') yield { type: 'text', block, text: delta.text };
    else if (delta.type === 'thinking_delta') yield { type: 'thinking', text: delta.thinking };
    else if (delta.type === 'citations_delta') yield citationEvent(block, delta.citation, documents);
  } else if (event.type === 'content_block_stop') {
    yield { type: 'blockEnd', block: firstBlock + event.index };
  }
}

/** A service may send anything. */
const listOf = <T>(value: readonly T[] | null | undefined): readonly T[] => (Array.isArray(value) ? value : []);

function citationEvent(block: number, citation: Citation | null, documents: readonly string[]): ModelEvent {
  const mapped = mapCitation(citation, documents);
  return typeof mapped === 'string'
    ? { type: 'unusable', block, why: mapped }
    : { type: 'citation', block, citation: mapped };
}

/** Search results were offered as sources, and pages as documents; a citation of anything else cannot be checked. */
function mapCitation(citation: Citation | null, documents: readonly string[]): ModelCitation | string {
  if (citation?.type === 'page_location') {
    const { document_index: index, document_title: title, cited_text: quoted } = citation;
    const { start_page_number: first, end_page_number: end } = citation;
    // where a tool shows documents, the service does not say how it counts them: the title tells which one is meant
    const source = documents.find((id) => typeof title === 'string' && title.startsWith(`${id}: `));
    if (source === undefined || !(index >= 0 && index < documents.length)) return `there is no document ${index}`;
    if (typeof quoted !== 'string') return `a citation of ${source} has no words`;
    return { source, first: first - 1, end: end - 1, quoted, isPart: true };
  }
  if (citation?.type !== 'search_result_location') return `a ${String(citation?.type)} is no source of this answer`;
  const { source, start_block_index: first, end_block_index: end, cited_text: quoted } = citation;
  if (typeof source !== 'string') return 'a citation names no source';
  // a server's model names a place alone: its marks have no words
  if (quoted !== undefined && typeof quoted !== 'string') return `a citation of ${source.slice(0, 80)} has no words`;
  return { source, first, end, quoted };
}

function stopOf(service: MessagesService, message: Message, request: MessageRequest): ModelEvent {
  return {
    type: 'stop',
    stop: stopReason(message),
    usage: usageOf(message.usage),
    costUsd: costOf(service, message, request),
    savedUsd: savedBy(service, message, request),
  };
}

export function stopReason({ stop_reason: reason }: Message): ModelStop {
  if (reason === 'max_tokens') return 'length';
  if (reason === 'refusal') return 'refusal';
  return reason === 'model_context_window_exceeded' ? 'context' : 'end';
}

type Answered = Pick<Message, 'usage' | 'model'>;
type Asked = Pick<MessageRequest, 'model' | 'inference_geo'>;

/** The price of the model that answered, else of the one that was asked. */
export function costOf(service: ToolModel, answered: Answered, asked: Asked): number {
  return priced(service, answered, asked)?.usd ?? 0;
}

/** The price of a call. Where the service names no place of work, the requested place counts. */
function priced(service: ToolModel, { usage, model }: Answered, asked: Asked): Cost | undefined {
  const placed = { ...usage, inference_geo: usage.inference_geo ?? asked.inference_geo ?? null };
  return service.costOf({ usage: placed, model }) ?? service.costOf({ usage: placed, model: asked.model });
}

/** The saving of the cache: the price of the same tokens as plain input, less their real price. */
export function savedBy(service: ToolModel, answered: Answered, asked: Asked): number {
  return (priced(service, answered, asked)?.parts ?? []).reduce((sum, { name, usd = 0 }) => {
    const factor = cacheFactors[name];
    return factor === undefined ? sum : sum + usd / factor - usd;
  }, 0);
}

/** Of the parts of a price: how many times the price of plain input. */
const cacheFactors: Readonly<Record<string, number>> = {
  'cache-read': priceFactors.cacheRead,
  'cache-write-5m': priceFactors.cacheWrite5m,
  'cache-write-1h': priceFactors.cacheWrite1h,
};

/** All tokens that are billed: where the service has summed up a conversation, the rounds say more than the total. */
export function usageOf(usage: Usage | undefined): ModelUsage {
  const total = { fresh: 0, written: 0, read: 0, output: 0 };
  for (const round of usage ? billedRounds(usage) : []) {
    total.fresh += round.fresh;
    total.written += round.written;
    total.read += round.read;
    total.output += round.output;
  }
  return {
    inputTokens: total.fresh + total.written + total.read,
    outputTokens: total.output,
    cacheReadTokens: total.read,
    cacheWriteTokens: total.written,
  };
}

/** Above the count of the service, which calls it an estimate. */
const COUNT_MARGIN = 1.05;

/** Input tokens as the service counts them, for nothing; undefined where it cannot. @throws the caller's abort only */
export async function countedTokens(
  service: ToolModel,
  request: MessageRequest,
  { signal }: CallOptions = {},
): Promise<number | undefined> {
  const { model, messages, system, tools, tool_choice, thinking, effort, output_config, cache_control, citations } =
    request;
  const asked = {
    model,
    messages,
    system,
    tools,
    tool_choice,
    thinking,
    effort,
    output_config,
    cache_control,
    citations,
  };
  try {
    const { input_tokens: tokens } = await service.countTokens(asked, { signal });
    return typeof tokens === 'number' && tokens >= 0 ? Math.ceil(tokens * COUNT_MARGIN) : undefined;
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof IbidError) return undefined;
    throw error;
  }
}

/** The most a request can cost with its tokens counted. They are, where that may bring it below `leftUsd`. */
export async function countedUsd(
  service: ToolModel,
  request: MessageRequest,
  leftUsd: number,
  call: CallOptions = {},
): Promise<number> {
  const estimate = service.estimateCost(request)?.usd ?? 0;
  const least = service.estimateCost(request, { inputTokens: 0 })?.usd ?? 0;
  if (estimate <= leftUsd || least > leftUsd) return estimate;
  const inputTokens = await countedTokens(service, request, call);
  const counted = inputTokens === undefined ? estimate : (service.estimateCost(request, { inputTokens })?.usd ?? 0);
  return Math.min(estimate, counted);
}

/** A broken stream has told its input, but not all of its output: at worst all that was allowed. */
export function priceOf(service: ToolModel, usage: Usage | undefined, request: MessageRequest): number {
  if (!usage) return service.estimateCost(request)?.usd ?? 0;
  return costOf(service, { usage: { ...usage, output_tokens: request.max_tokens }, model: request.model }, request);
}
