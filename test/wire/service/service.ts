import { type AudioService, type AudioServiceOptions, audioService } from './audio/audio-service.ts';
import type { Dialect, ServiceName } from './contract.ts';
import { type Harness, serve } from './harness.ts';
import { type MessagesService, messagesService } from './messages/messages-service.ts';
import type { MessagesOptions } from './messages/options.ts';
import { type SearchService, type SearchServiceOptions, searchService } from './search/search-service.ts';

export interface ServiceOptions {
  /** Of all services that do not say their own. @default 'reference' */
  readonly dialect?: Dialect | undefined;
  /** Which services to serve. @default all three */
  readonly only?: readonly Exclude<ServiceName, 'common'>[] | undefined;
  readonly search?: SearchServiceOptions | undefined;
  readonly messages?: MessagesOptions | undefined;
  readonly audio?: AudioServiceOptions | undefined;
}

/** The stand-in services on one loopback port, with what steers each. */
export interface Service extends Harness {
  readonly search: SearchService;
  readonly messages: MessagesService;
  readonly audio: AudioService;
}

/**
 * Starts the services side by side. Where they share a path the key header decides: bearer token = search,
 * `x-api-key` = messages, `x-audio-api-key` = audio. `serve([…])` of `harness.ts` starts services made by hand.
 */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const { dialect = 'reference', only = ['search', 'messages', 'audio'] } = options;
  const services = {
    search: searchService({ dialect, ...options.search }),
    messages: messagesService({ dialect, ...options.messages }),
    audio: audioService({ dialect, ...options.audio }),
  };
  return Object.assign(await serve(only.map((name) => services[name])), services);
}
