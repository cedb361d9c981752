import type { LanguageModel } from '../answer/language-model.ts';
import { ownLanguageModel } from '../answer/own-model.ts';
import type { ToolModel } from '../answer/tool-model.ts';
import { IbidError } from '../core/errors.ts';
import { ownReranker } from '../retrieve/own-reranker.ts';
import type { Reranker } from '../retrieve/rerank.ts';
import type { Transcriber } from '../transcribe/contract.ts';
import { ownTranscriber } from '../transcribe/own-transcriber.ts';
import type { WebSearch } from '../web/contract.ts';
import { ownWebSearch } from '../web/own-web.ts';
import type { AudioService } from '../wire/audio/index.ts';
import type { MessagesService } from '../wire/messages/index.ts';
import type { SearchService } from '../wire/search/index.ts';
import { type ServiceModelOptions, serviceLanguageModel } from './language-model.ts';
import type { ServiceTranscriberOptions } from './transcriber.ts';

/**
 * Clients of the services, opened and closed by the caller. Without clients everything works from the documents alone.
 */
export interface IndexServices {
  readonly search?: SearchService | undefined;
  readonly messages?: MessagesService | undefined;
  readonly audio?: AudioService | undefined;
  /** Why a client is not there although there is a key: thrown by what needs it, in place of KEY_MISSING. */
  readonly unavailable?: { readonly [Name in 'search' | 'messages' | 'audio']?: IbidError | undefined } | undefined;
}

/** The caller's own parts, used in place of a service's. They stay the caller's to close. */
export interface IndexModels {
  /** Writes the answers of mode `grounded`, and rewrites follow-up questions. */
  readonly writer?: LanguageModel | undefined;
  readonly reranker?: Reranker | undefined;
  readonly web?: WebSearch | undefined;
  /** Makes the transcripts of recordings that have none beside them. */
  readonly transcriber?: Transcriber | undefined;
}

const hints = {
  search: 'Pass `services: { search }` to openIndex.',
  messages: 'Pass `services: { messages }` to openIndex.',
  audio: 'Pass `services: { audio }` or `models: { transcriber }` to openIndex.',
} as const;

/** @param need what cannot be done without the key, as the beginning of the sentence: "searching the web" */
export function keyMissing(service: keyof typeof hints, need: string, instead?: string): IbidError {
  return new IbidError('KEY_MISSING', `${need} needs the ${service} service, and there is no key for it`, {
    hint: [hints[service], instead].filter((part) => part !== undefined).join(' '),
  });
}

/** The parts that an index works with: the caller's own, else those of a service. */
export class Providers {
  readonly #services: IndexServices;
  readonly #models: IndexModels;

  constructor(services: IndexServices = {}, models: IndexModels = {}) {
    this.#services = services;
    this.#models = models;
  }

  /** Whether a model is meant to write: then `grounded` is the mode of a question that names none. */
  get canWrite(): boolean {
    const { messages, unavailable } = this.#services;
    return this.#models.writer !== undefined || messages !== undefined || unavailable?.messages !== undefined;
  }

  /** Why the client of the search service is not there although there is a key. */
  get searchProblem(): IbidError | undefined {
    return this.#services.unavailable?.search;
  }

  get hasSearch(): boolean {
    return this.#services.search !== undefined;
  }

  /** @throws IbidError KEY_MISSING */
  messages(need: string): MessagesService {
    if (this.#services.messages) return this.#services.messages;
    throw this.#services.unavailable?.messages ?? keyMissing('messages', need, 'Without it, answers are extractive.');
  }

  /** @throws IbidError KEY_MISSING */
  search(need: string): SearchService {
    if (this.#services.search) return this.#services.search;
    throw this.searchProblem ?? keyMissing('search', need);
  }

  /** The caller's own model, unless the question names one of the service. @throws IbidError KEY_MISSING */
  writer(options?: ServiceModelOptions): LanguageModel {
    if (this.#models.writer && options?.model === undefined) return ownLanguageModel(this.#models.writer);
    return serviceLanguageModel(this.messages('an answer written by a model'), options);
  }

  /**
   * What carries the mode `agent`: the caller's own model where it calls tools and no other is named, else the messages
   * service. @throws IbidError KEY_MISSING
   */
  agent(model?: string): { readonly tools: ToolModel; readonly model: string; readonly looks: boolean } {
    const { writer } = this.#models;
    const own = writer && model === undefined ? ownLanguageModel(writer) : undefined;
    if (own?.tools) return { tools: own.tools, model: own.id, looks: false };
    const service = this.messages(`an answer of an agent${own ? ` ("${own.id}" calls no tools)` : ''}`);
    return { tools: service, model: model ?? service.profile.defaults.writer, looks: true };
  }

  /**
   * @param model of the messages service; absent: the caller's own, else the service's default @throws IbidError
   * KEY_MISSING
   */
  async reranker(model?: string): Promise<Reranker> {
    if (this.#models.reranker && model === undefined) return ownReranker(this.#models.reranker);
    const messages = this.messages('reranking');
    const { serviceReranker } = await import('./reranker.ts'); // only now: the module brings what speaks HTTP
    return serviceReranker(messages, { model });
  }

  /** The caller's own, else the search service, else the tool of the messages service. @throws IbidError KEY_MISSING */
  async web(): Promise<WebSearch> {
    if (this.#models.web) return ownWebSearch(this.#models.web);
    const { search, messages } = this.#services;
    if (!search && messages) {
      const { messagesWebSearch } = await import('./messages-web-search.ts'); // only now, as above
      return messagesWebSearch(messages);
    }
    const { serviceWebSearch } = await import('./web-search.ts');
    return serviceWebSearch(this.search('searching the web'));
  }

  get hasOwnTranscriber(): boolean {
    return this.#models.transcriber !== undefined;
  }

  /** The caller's own, unless a model of the service is named. @throws IbidError KEY_MISSING */
  async transcriber(options: ServiceTranscriberOptions): Promise<Transcriber> {
    if (this.#models.transcriber && options.model === undefined) return ownTranscriber(this.#models.transcriber);
    const { audio } = this.#services;
    const instead = 'Without it, a transcript beside the recording is read.';
    if (!audio) throw this.#services.unavailable?.audio ?? keyMissing('audio', 'transcribing recordings', instead);
    const { serviceTranscriber } = await import('./transcriber.ts'); // only now, as above
    return serviceTranscriber(audio, options);
  }
}
