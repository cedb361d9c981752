import type { JSONValue, LanguageModel } from 'ai';
import type { Answer, AnswerEvent, Citation, Grounding, WebLink } from '../answer/contract.ts';
import type { HistoryTurn } from '../answer/grounded/request.ts';
import { objectOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import type { AskOptions } from '../modes/options.ts';

/** A model as the AI SDK takes it. */
export type AiAnswerModel = Extract<LanguageModel, { readonly specificationVersion: 'v3' }>;

type Call = Parameters<AiAnswerModel['doStream']>[0];
type Generated = Awaited<ReturnType<AiAnswerModel['doGenerate']>>;
type Streamed = Awaited<ReturnType<AiAnswerModel['doStream']>>;
type Part = Streamed['stream'] extends ReadableStream<infer P> ? P : never;
type Warning = Generated['warnings'][number];
type FinishReason = Generated['finishReason']['unified'];

/** What a model of answers needs of an index: a `SearchIndex` has it. */
export interface AnsweringIndex {
  ask(question: string, options?: AskOptions): AsyncIterable<AnswerEvent>;
}

/** What `ask` takes; question, conversation and signal come from the call. */
export type AnswerModelOptions = OmitEach<AskOptions, 'history' | 'signal' | 'continues'>;

/** `Omit` that leaves the options of each mode apart. */
type OmitEach<One, Name extends PropertyKey> = One extends unknown ? Omit<One, Name> : never;

/**
 * An index as a model of the AI SDK: `streamText({ model: answerModel(index), messages })`. The last message of the user
 * is the question. Citations come as sources, each with its reference and quote under `providerMetadata.ibid`.
 * @throws IbidError INVALID_ARGUMENT when it is called without a question of the user; else as `ask`
 */
export function answerModel(index: AnsweringIndex, options: AnswerModelOptions = {}): AiAnswerModel {
  objectOf(index, 'the index', 'ask');
  objectOf(options, 'the options');
  const partsOf = (call: Call): AsyncGenerator<Part, void, undefined> => {
    const { question, history } = conversationOf(call.prompt);
    const asked = { ...options, history, signal: call.abortSignal } as AskOptions; // of the caller's own mode
    return parts(index.ask(question, asked), warningsOf(call));
  };
  return {
    specificationVersion: 'v3',
    provider: 'ibid',
    modelId: options.mode ?? 'ask',
    supportedUrls: {},
    doStream: async (call) => ({ stream: ReadableStream.from(partsOf(call)) as unknown as Streamed['stream'] }), // Node's own
    doGenerate: async (call) => await generated(partsOf(call)),
  };
}

/** @throws IbidError INVALID_ARGUMENT without a question */
function conversationOf(prompt: Call['prompt']): { readonly question: string; readonly history: HistoryTurn[] } {
  const turns = prompt.flatMap((message): HistoryTurn[] => {
    if (message.role !== 'user' && message.role !== 'assistant') return [];
    const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    return text.trim() === '' ? [] : [{ role: message.role, text }];
  });
  const last = turns.pop();
  if (last?.role === 'user') return { question: last.text, history: turns };
  throw new IbidError('INVALID_ARGUMENT', 'the last message is no question of the user');
}

/** What the AI SDK may ask of a model, and this one does not have. */
function warningsOf(call: Call): Warning[] {
  const { prompt, tools = [], responseFormat, maxOutputTokens, temperature } = call;
  const hasFiles = prompt.some(({ content }) => Array.isArray(content) && content.some(({ type }) => type === 'file'));
  const without: readonly (readonly [string, boolean, string])[] = [
    ['system', prompt.some(({ role }) => role === 'system'), 'answers follow the rules of ibid'],
    ['files', hasFiles, 'only the words of a question are read'],
    ['tools', tools.length > 0, 'give an agent its tools as `tools` of ibid'],
    ['responseFormat', responseFormat?.type === 'json', 'answers are text'],
    ['maxOutputTokens', maxOutputTokens !== undefined, 'it is `maxTokens` of ibid'],
    ['temperature', temperature !== undefined, 'ibid has none'],
  ];
  return without.flatMap(([feature, isAsked, details]) => (isAsked ? [{ type: 'unsupported', feature, details }] : []));
}

async function* parts(events: AsyncIterable<AnswerEvent>, warnings: Warning[]): AsyncGenerator<Part, void, undefined> {
  yield { type: 'stream-start', warnings };
  let open: { readonly kind: 'text' | 'reasoning'; readonly id: string } | undefined;
  let blocks = 0;
  function* say(kind: 'text' | 'reasoning' | undefined, delta: string = ''): Generator<Part> {
    if (open && open.kind !== kind) {
      yield { type: `${open.kind}-end`, id: open.id };
      open = undefined;
    }
    if (kind === undefined) return;
    if (!open) {
      open = { kind, id: String(blocks++) };
      yield { type: `${kind}-start`, id: open.id };
    }
    yield { type: `${kind}-delta`, id: open.id, delta };
  }
  for await (const event of events) {
    if (event.type === 'text') yield* say('text', event.text);
    else if (event.type === 'thinking') yield* say('reasoning', event.text);
    else if (event.type === 'citation') yield sourceOf(event.citation);
    else if (event.type === 'link') yield linkOf(event.link);
    else if (event.type === 'done') {
      yield* say(undefined);
      yield { type: 'finish', ...endOf(event.answer) };
    }
  }
}

function sourceOf({ n, reference, uri, title, quote, origin, place }: Citation): Part {
  const providerMetadata = { ibid: plain({ n, reference, quote, place }) };
  if (origin === 'web') return { type: 'source', sourceType: 'url', id: reference, url: uri, title, providerMetadata };
  const source = { sourceType: 'document', id: reference, title, filename: uri } as const;
  return { type: 'source', ...source, mediaType: 'text/plain', providerMetadata };
}

const linkOf = ({ n, url, title }: WebLink): Part => ({
  ...{ type: 'source', sourceType: 'url', id: `link-${n}`, url, title, providerMetadata: { ibid: { n } } },
});

function endOf(answer: Answer): Required<Pick<Generated, 'usage' | 'finishReason' | 'providerMetadata'>> {
  const { confidence, support, abstained, grounding } = answer;
  const { usage, stop, costUsd = 0 }: Partial<Grounding> = grounding ?? {};
  const { inputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0, outputTokens = 0 } = usage ?? {};
  const noCache = inputTokens - cacheReadTokens - cacheWriteTokens;
  return {
    usage: {
      inputTokens: { total: inputTokens, noCache, cacheRead: cacheReadTokens, cacheWrite: cacheWriteTokens },
      outputTokens: { total: outputTokens, text: undefined, reasoning: undefined },
    },
    finishReason: { unified: stop === undefined ? 'stop' : reasons[stop], raw: stop },
    providerMetadata: { ibid: { confidence, support, abstained, costUsd } },
  };
}

const reasons: Readonly<Record<Grounding['stop'], FinishReason>> = {
  ...{ end: 'stop', length: 'length', context: 'length', budget: 'length', steps: 'length' },
  ...{ refusal: 'content-filter', broken: 'error' },
};

/** Without what is undefined, which JSON has not. */
const plain = (value: object): Record<string, JSONValue> => JSON.parse(JSON.stringify(value));

/** The stream's parts as one answer. */
async function generated(stream: AsyncIterable<Part>): Promise<Generated> {
  const content: Generated['content'] = [];
  let warnings: Warning[] = [];
  let text: { readonly type: 'text' | 'reasoning'; text: string } | undefined;
  for await (const part of stream) {
    if (part.type === 'stream-start') warnings = part.warnings;
    else if (part.type === 'source') content.push(part);
    else if (part.type === 'text-start' || part.type === 'reasoning-start') {
      text = { type: part.type === 'text-start' ? 'text' : 'reasoning', text: '' };
      content.push(text);
    } else if ((part.type === 'text-delta' || part.type === 'reasoning-delta') && text) text.text += part.delta;
    else if (part.type === 'finish') {
      const { usage, finishReason, providerMetadata } = part;
      return { content, warnings, usage, finishReason, ...(providerMetadata ? { providerMetadata } : {}) };
    }
  }
  throw new IbidError('STREAM_BROKEN', 'the answer ended before its end');
}
