import { countTokens } from '../../../../src/text/tokens/tokens.ts';
import { wavFile } from '../audio/formats.ts';
import { type Exchange, Refusal, type Reply, type Route, type SseEvent, type WireService } from '../contract.ts';
import { type Check, isRecord, Misfit } from '../shape.ts';
import { type ChatDraft, type ChatStandIn, marksAnswerer, type SentChat } from './chat-model.ts';
import { hashedFloats } from './embed-model.ts';
import { bodies, formFields } from './requests.ts';

export interface CommonStandInOptions {
  /** Without one, requests with a key are refused too: a server without keys must not be sent any. */
  readonly apiKey?: string | undefined;
  /** Where the paths begin. @default '/v1' */
  readonly prefix?: string | undefined;
  /** `/rerank` as text-embeddings-inference has it, beside the paths of `prefix`. @default false */
  readonly tei?: boolean | undefined;
  /** A path for reranking. @default true */
  readonly reranks?: boolean | undefined;
  readonly models?: readonly { readonly id: string; readonly [field: string]: unknown }[] | undefined;
  /** Of the embedding model. @default 20 */
  readonly dimensions?: number | undefined;
  /** Makes vectors; as long as `dimensions`. @default words by their hashes */
  readonly embed?: ((text: string, dimensions: number) => readonly number[]) | undefined;
  /** Longest text in tokens; longer ones are refused. @default Infinity */
  readonly maxTokens?: number | undefined;
  /** Fields of a request that this server does not know, and refuses by their names. */
  readonly refuses?: readonly string[] | undefined;
  readonly chat?: ChatStandIn | undefined;
  /** Prompt tokens that are read; what is longer is cut without a word. @default Infinity */
  readonly windowTokens?: number | undefined;
  /** Scores as the model's raw numbers. @default false */
  readonly rawScores?: boolean | undefined;
}

export interface CommonStandIn extends WireService {
  /** May be changed at any time. */
  chat: ChatStandIn;
}

/** The error body of most servers of the dialect. */
const failure = (status: number, message: string, param: string | null = null): Reply => ({
  status,
  json: { error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error', param, code: null } },
});

/** A server of the common dialect: strict in what it takes; misbehaves by the harness's script. */
export function commonService(options: CommonStandInOptions = {}): CommonStandIn {
  const { prefix = '/v1', apiKey, dimensions = 20, embed = hashedFloats, maxTokens = Infinity } = options;
  const { models = [{ id: 'embedder' }, { id: 'writer' }, { id: 'reranker' }], refuses = [], rawScores } = options;
  const { windowTokens = Infinity } = options;

  const admit = ({ request }: Exchange): void => {
    const given = request.headers.authorization;
    if (apiKey === undefined && given === undefined) return;
    if (given !== `Bearer ${apiKey}`) throw new Refusal(failure(401, 'Incorrect API key provided'));
  };
  const bodyOf = (exchange: Exchange, check: Check): Record<string, unknown> => {
    admit(exchange);
    const { body, headers } = exchange.request;
    if (!/^application\/json\b/.test(headers['content-type'] ?? '')) {
      throw new Refusal(failure(415, 'expected application/json'));
    }
    const unknown = isRecord(body) ? refuses.find((name) => name in body) : undefined;
    if (unknown !== undefined) {
      throw new Refusal(failure(400, `Unsupported parameter: '${unknown}' is not supported with this model.`, unknown));
    }
    try {
      check(body, []);
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      throw new Refusal(failure(422, `${error.field}: ${error.message}`, error.field));
    }
    const named = isRecord(body) ? body.model : undefined;
    if (typeof named === 'string' && !models.some(({ id }) => id === named)) {
      throw new Refusal(failure(404, `model "${named}" not found, try pulling it first`));
    }
    return body as Record<string, unknown>; // the checks are of objects
  };

  const embeddings = (exchange: Exchange): Reply => {
    const body = bodyOf(exchange, bodies.embeddings);
    const input = [body.input].flat() as string[];
    const long = input.findIndex((text) => countTokens(text) > maxTokens);
    if (long >= 0) {
      return failure(413, `input ${long} has ${countTokens(input[long]!)} tokens, maximum context length ${maxTokens}`);
    }
    const length = (body.dimensions as number | undefined) ?? dimensions;
    const tokens = input.reduce((sum, text) => sum + countTokens(text), 0);
    exchange.ledger.add({ service: 'common', operation: 'embeddings', inputTokens: tokens, usd: 0, items: input });
    const data = input.map((text, index) => {
      const vector = embed(text, length);
      const embedding =
        body.encoding_format === 'base64' ? Buffer.from(Float32Array.from(vector).buffer).toString('base64') : vector;
      return { object: 'embedding', index, embedding };
    });
    return {
      json: { object: 'list', data, model: body.model, usage: { prompt_tokens: tokens, total_tokens: tokens } },
    };
  };

  const score = (query: string, text: string): number => {
    const words = new Set(text.toLowerCase().match(/\w{3,}/g));
    const asked = query.toLowerCase().match(/\w{3,}/g) ?? [''];
    const share = asked.filter((word) => words.has(word)).length / asked.length;
    return rawScores ? 8 * share - 4 : share;
  };

  const rerank = (exchange: Exchange): Reply => {
    const { query, documents, model } = bodyOf(exchange, bodies.rerank);
    const results = (documents as string[])
      .map((text, index) => ({ index, relevance_score: score(query as string, text) }))
      .sort((a, b) => b.relevance_score - a.relevance_score);
    return { json: { model, results, usage: { total_tokens: 7 } } };
  };

  const teiRerank = (exchange: Exchange): Reply => {
    const { query, texts } = bodyOf(exchange, bodies.teiRerank);
    const list = (texts as string[]).map((text, index) => ({ index, score: score(query as string, text) }));
    return { json: list.sort((a, b) => b.score - a.score) };
  };

  const chat = (exchange: Exchange): Reply => {
    const body = bodyOf(exchange, bodies.chat) as unknown as SentChat; // as was checked
    const draft = service.chat(body);
    const prompt = body.messages.reduce((sum, { content }) => sum + countTokens(String(content ?? '')), 0);
    const promptTokens = Math.min(windowTokens, prompt);
    const completionTokens = countTokens(`${draft.thinking ?? ''}${draft.content ?? ''}`);
    const usage = {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    };
    exchange.ledger.add({
      ...{ service: 'common', operation: 'chat', usd: 0 },
      ...{ inputTokens: promptTokens, outputTokens: completionTokens },
    });
    const head = { id: 'chatcmpl-1', created: 1_790_000_000, model: body.model };
    if (body.stream) return { events: streamOf(head, draft, body.stream_options?.include_usage ? usage : undefined) };
    const message = {
      ...{ role: 'assistant', content: draft.content ?? null },
      ...(draft.thinking === undefined ? {} : { reasoning_content: draft.thinking }),
      ...(draft.tool_calls ? { tool_calls: draft.tool_calls } : {}),
    };
    const choices = [{ index: 0, message, finish_reason: reasonOf(draft) }];
    return { json: { ...head, object: 'chat.completion', choices, usage } };
  };

  const transcribe = (exchange: Exchange): Reply => {
    admit(exchange);
    const { parts } = exchange.request;
    const wrong = parts.find(({ name }) => !formFields.includes(name));
    if (wrong) return failure(400, `Unknown field ${wrong.name}`, wrong.name);
    const file = parts.find(({ name }) => name === 'file');
    if (!file?.filename || !parts.some(({ name }) => name === 'model'))
      return failure(400, 'file and model are required');
    const words = file.text.split(/\s+/).map((word, i) => ({ word, start: i / 2, end: i / 2 + 0.4 }));
    const isVerbose = parts.some(({ name, text }) => name === 'response_format' && text === 'verbose_json');
    if (!isVerbose) return { json: { text: file.text } };
    const times = parts.filter(({ name }) => name === 'timestamp_granularities[]').map(({ text }) => text);
    const segments = [{ id: 0, text: file.text, start: 0, end: words.at(-1)!.end }];
    return {
      json: {
        ...{ task: 'transcribe', language: 'english', duration: words.at(-1)!.end, text: file.text },
        ...(times.includes('segment') ? { segments } : {}),
        ...(times.includes('word') ? { words } : {}),
      },
    };
  };

  const speech = (exchange: Exchange): Reply => {
    const { input, response_format } = bodyOf(exchange, bodies.speech);
    if (response_format === 'wav') {
      // 60 ms a character, as the stand-in of the audio service
      const samples = Int16Array.from(
        { length: Math.round(String(input).length * 0.06 * 24_000) },
        (_, i) => (i % 200) * 50,
      );
      return { bytes: wavFile(samples, 24_000, 1), headers: { 'content-type': 'audio/wav' } };
    }
    return { bytes: Buffer.from(`sound of ${String(input)}`), headers: { 'content-type': 'audio/mpeg' } };
  };

  const list = (exchange: Exchange): Reply => {
    admit(exchange);
    return { json: { object: 'list', data: models.map((model) => ({ object: 'model', created: 0, ...model })) } };
  };

  const routes: Route[] = [
    { method: 'POST', path: `${prefix}/embeddings`, handle: embeddings },
    { method: 'POST', path: `${prefix}/chat/completions`, handle: chat },
    { method: 'GET', path: `${prefix}/models`, handle: list },
    { method: 'POST', path: `${prefix}/audio/transcriptions`, handle: transcribe },
    { method: 'POST', path: `${prefix}/audio/speech`, handle: speech },
    ...(options.reranks === false
      ? []
      : options.tei
        ? [{ method: 'POST', path: '/rerank', handle: teiRerank } as const]
        : [{ method: 'POST', path: `${prefix}/rerank`, handle: rerank } as const]),
  ];
  const service: CommonStandIn = {
    name: 'common',
    chat: options.chat ?? marksAnswerer,
    routes,
    claims: () => 1,
    fail: (status, message) => failure(status, message),
  };
  return service;
}

const reasonOf = ({ finish_reason, tool_calls }: ChatDraft): string =>
  finish_reason ?? (tool_calls ? 'tool_calls' : 'stop');

/** An answer as events: a few characters each; a call's input in two halves. */
function* streamOf(head: object, draft: ChatDraft, usage: object | undefined): Generator<SseEvent> {
  const chunk = (delta: object, finish_reason: string | null = null): SseEvent => ({
    data: { ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] },
  });
  yield chunk({ role: 'assistant', content: '' });
  for (const piece of pieces(draft.thinking)) yield chunk({ reasoning_content: piece });
  for (const piece of pieces(draft.content)) yield chunk({ content: piece });
  for (const [index, { id, function: call }] of (draft.tool_calls ?? []).entries()) {
    const half = call.arguments.length >> 1;
    const first = { name: call.name, arguments: call.arguments.slice(0, half) };
    yield chunk({ tool_calls: [{ index, id, type: 'function', function: first }] });
    yield chunk({ tool_calls: [{ index, function: { arguments: call.arguments.slice(half) } }] });
  }
  yield chunk({}, reasonOf(draft));
  if (usage) yield { data: { ...head, object: 'chat.completion.chunk', choices: [], usage } };
  yield { data: '[DONE]' };
}

const pieces = (text: string | null | undefined): string[] =>
  [...(text ?? '').matchAll(/[\s\S]{1,7}/g)].map(([one]) => one);
