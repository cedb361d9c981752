import {
  createMessagesService,
  type MessagesProfile,
  type MessagesService,
  type MessagesServiceOptions,
} from '../../../src/wire/messages/index.ts';
import { type Harness, serve } from '../service/harness.ts';
import { messagesService, type MessagesService as StandIn } from '../service/messages/messages-service.ts';
import type { MessagesOptions } from '../service/messages/options.ts';
import type { FakeTransport } from './fake.ts';

/** A client over a scripted transport. */
export const clientOver = (transport: FakeTransport, profile?: Partial<MessagesProfile>): MessagesService =>
  createMessagesService({ apiKey: 'k', baseUrl: 'http://127.0.0.1:1', transport, profile });

export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const out: T[] = [];
  for await (const item of source) out.push(item);
  return out;
}

export interface Open extends AsyncDisposable {
  readonly server: Harness;
  readonly standIn: StandIn;
  readonly service: MessagesService;
}

/** A client of the stand-in service over the network, both in one dialect. */
export async function openService(
  options: MessagesOptions = {},
  own: Partial<MessagesServiceOptions> = {},
): Promise<Open> {
  const standIn = messagesService(options);
  const server = await serve([standIn]);
  const service = createMessagesService({
    apiKey: 'test-key',
    adminKey: 'test-admin-key',
    baseUrl: server.url,
    profile: options.dialect,
    ...own,
  });
  return {
    server,
    standIn,
    service,
    [Symbol.asyncDispose]: async () => {
      await service.close();
      await server.close();
    },
  };
}
