import { objectOf } from '../../core/arguments.ts';
import { shaped } from '../http/answer.ts';
import { filled, integer, list, number, partly, record, required, string, text, textOr } from '../http/check.ts';
import type { OpenOptions, ServiceDialect, StreamReply } from '../http/contract.ts';
import { ask } from '../http/endpoint.ts';
import { createTransport } from '../http/transport.ts';
import { commonSpeech, commonTranscribe } from './audio.ts';
import { type CommonChat, commonChat } from './chat.ts';
import { commonEmbeddings } from './embeddings.ts';
import { commonRerank } from './rerank.ts';
import { type CommonContext, CommonRoutes, splitVersion } from './routes.ts';
import type {
  CommonCallOptions,
  CommonEmbeddingsReply,
  CommonEmbeddingsRequest,
  CommonModel,
  CommonRerankReply,
  CommonRerankRequest,
  SpeechRequest,
  Transcription,
  TranscriptionRequest,
} from './types.ts';

/** Groups for `limits`: `embeddings`, `chat`, `chatStream`, `rerank`, `models`, `transcribe`, `speech`. */
export type CommonServiceOptions = OpenOptions;

/**
 * The client of any server that speaks the common dialect: Ollama, llama.cpp, vLLM, LM Studio, TEI, Infinity, LiteLLM,
 * and gateways. Close it when it is no longer needed.
 */
export interface CommonService extends AsyncDisposable {
  embeddings(request: CommonEmbeddingsRequest, options?: CommonCallOptions): Promise<CommonEmbeddingsReply>;
  readonly chat: CommonChat;
  rerank(request: CommonRerankRequest, options?: CommonCallOptions): Promise<CommonRerankReply>;
  models(options?: CommonCallOptions): Promise<readonly CommonModel[]>;
  transcribe(request: TranscriptionRequest, options?: CommonCallOptions): Promise<Transcription>;
  speech(request: SpeechRequest, options?: CommonCallOptions): Promise<StreamReply<Uint8Array>>;
  close(): Promise<void>;
}

/** Servers of one's own have no limits that a client must know; how much one carries is learned from its refusals. */
const dialect: ServiceDialect = {
  service: 'common',
  keyless: true,
  auth: (key) => ({ authorization: `Bearer ${key}` }),
  // some servers name a rejected key like any wrong request
  readError: (_, status) => (status === 401 ? { code: 'KEY_REJECTED' } : undefined),
};

/**
 * @param options `baseUrl` with or without `/v1` at its end, which means the same
 * @throws WireError UNSAFE_ADDRESS; IbidError INVALID_ARGUMENT
 */
export function createCommonService(options: CommonServiceOptions): CommonService {
  objectOf(options, 'the options');
  const { baseUrl, prefix } = splitVersion(String(options.baseUrl));
  const transport = createTransport(dialect, { ...options, baseUrl });
  const context: CommonContext = { transport, routes: new CommonRoutes(prefix) };
  const embeddings = commonEmbeddings(context);
  const chat = commonChat(context);
  const rerank = commonRerank(context);
  const transcribe = commonTranscribe(context);
  const speech = commonSpeech(context);
  return {
    async embeddings(request, call) {
      checks.embeddings('', request);
      return await embeddings(request, call);
    },
    chat: {
      async create(request, call) {
        checks.chat('', request);
        return await chat.create(request, call);
      },
      stream(request, call) {
        checks.chat('', request);
        return chat.stream(request, call);
      },
    },
    async rerank(request, call) {
      checks.rerank('', request);
      return await rerank(request, call);
    },
    async models(call) {
      const { reply, where } = await context.routes.first('models', ({ models: operation }) => ({
        operation,
        send: () => ask({ wiring: { transport, profile: undefined }, operation, call: { options: call } }),
      }));
      return shaped<{ data: readonly CommonModel[] }>(where, reply.body, { data: [{ id: 'string' }] }).data;
    },
    async transcribe(request, call) {
      checks.transcribe('', request);
      return await transcribe(request, call);
    },
    async speech(request, call) {
      checks.speech('', request);
      return await speech(request, call);
    },
    close: () => transport.close(),
    [Symbol.asyncDispose]: () => transport.close(),
  };
}

const message = partly({ role: required(text) });
/** Of each request what every server needs; the rest is the server's to judge. */
const checks = {
  embeddings: partly({ model: required(text), input: required(textOr(filled(string))), dimensions: integer(1) }),
  chat: partly({
    model: required(text),
    messages: required(filled(message)),
    max_tokens: integer(1),
    max_completion_tokens: integer(1),
    temperature: number(0, 2),
    tools: list(record),
  }),
  rerank: partly({ model: text, query: required(text), documents: required(filled(string)) }),
  transcribe: partly({ model: required(text), filename: required(text) }),
  speech: partly({ model: required(text), input: required(text), voice: required(text) }),
};
