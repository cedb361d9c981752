import type { LanguageModel } from '../../answer/language-model.ts';
import { numberOf, objectOf } from '../../core/arguments.ts';
import type { CallOptions } from '../../core/types.ts';
import type { Embedder } from '../../embed/contract.ts';
import type { Reranker } from '../../retrieve/rerank.ts';
import type { Speaker } from '../../speak/contract.ts';
import type { Transcriber } from '../../transcribe/contract.ts';
import { type CommonService, createCommonService } from '../../wire/common/index.ts';
import type { ProxyOptions } from '../../wire/http/contract.ts';
import { Abilities } from './abilities.ts';
import type { CommonWriterOptions } from './chat.ts';
import { type CommonEmbedderOptions, commonEmbedder } from './embedder.ts';
import { type CommonRerankerOptions, commonReranker } from './reranker.ts';
import { type ServedModel, ServedModels } from './served-models.ts';
import { type CommonSpeakerOptions, commonSpeaker } from './speaker.ts';
import { type CommonTranscriberOptions, commonTranscriber } from './transcriber.ts';
import { commonWriter } from './writer.ts';

export interface ModelServerOptions {
  /** `http://localhost:11434`; with or without `/v1` at its end. */
  readonly baseUrl: string;
  /** Sent as a bearer token. @default no key */
  readonly apiKey?: string | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * How long the server may be silent, in ms: before an answer begins, and between two pieces of it. A model that is
   * loaded first takes minutes. @default 300,000
   */
  readonly timeoutMs?: number | undefined;
  /** `baseUrl` may be `http:` although it is not on this machine, if it is in a private network. @default false */
  readonly privateAddress?: boolean | undefined;
  /** For a server outside of the private network. @default none */
  readonly proxy?: ProxyOptions | undefined;
}

/**
 * Models of a server that speaks the common dialect, as the parts of an index. Close it when no index uses them any
 * more.
 */
export interface ModelServer extends AsyncDisposable {
  /** @throws IbidError INVALID_ARGUMENT */
  embedder(options: CommonEmbedderOptions): Embedder;
  /** @throws IbidError INVALID_ARGUMENT */
  writer(options: CommonWriterOptions): LanguageModel;
  /** @throws IbidError INVALID_ARGUMENT */
  reranker(options: CommonRerankerOptions): Reranker;
  /** @throws IbidError INVALID_ARGUMENT */
  transcriber(options: CommonTranscriberOptions): Transcriber;
  /** @throws IbidError INVALID_ARGUMENT */
  speaker(options: CommonSpeakerOptions): Speaker;
  /** The models that the server lists. @throws WireError */
  models(options?: CallOptions): Promise<readonly ServedModel[]>;
  /** The abilities that models turned out to lack, as sentences; the list grows with use. */
  readonly unable: readonly string[];
  /** For calls that are no part of an index: any chat, sound in any format. */
  readonly service: CommonService;
  close(): Promise<void>;
}

const TIMEOUT_MS = 300_000;

/**
 * Ollama, llama.cpp, vLLM, LM Studio, TEI, Infinity, LiteLLM and others, and gateways before them.
 * @throws WireError UNSAFE_ADDRESS; IbidError INVALID_ARGUMENT
 */
export function modelServer(options: ModelServerOptions): ModelServer {
  const {
    baseUrl,
    apiKey,
    headers,
    timeoutMs = TIMEOUT_MS,
    privateAddress,
    proxy,
  } = objectOf(options, 'the options', 'baseUrl');
  numberOf(timeoutMs, 'timeoutMs', 0, Infinity);
  const timeouts = { headersMs: timeoutMs, idleMs: timeoutMs };
  const service = createCommonService({ baseUrl, apiKey, headers, privateAddress, proxy, timeouts });
  const abilities = new Abilities();
  const served = new ServedModels(service);
  const isKeyless = apiKey === undefined;
  const writing = { service, abilities, served, isKeyless, thinkers: new Set<string>() };
  return {
    service,
    embedder: (chosen) => commonEmbedder(writing, chosen),
    writer: (chosen) => commonWriter(writing, chosen),
    reranker: (chosen) => commonReranker(writing, chosen),
    transcriber: (chosen) => commonTranscriber(service, isKeyless, chosen),
    speaker: (chosen) => commonSpeaker(service, isKeyless, chosen),
    models: (call) => served.list(call),
    get unable() {
      return abilities.said;
    },
    close: () => service.close(),
    [Symbol.asyncDispose]: () => service.close(),
  };
}
