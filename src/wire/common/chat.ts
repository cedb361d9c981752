import { objectOf } from '../../core/arguments.ts';
import { isRecord } from '../../core/records.ts';
import { shaped } from '../http/answer.ts';
import type { Settled } from '../http/contract.ts';
import { ask } from '../http/endpoint.ts';
import { completionOf } from './accumulate.ts';
import { ChatStream } from './chat-stream.ts';
import { quantityOf, textOf } from './read.ts';
import type { CommonContext } from './routes.ts';
import type { ChatCompletion, ChatRequest, CommonCallOptions } from './types.ts';

export interface CommonChat {
  create(request: ChatRequest, options?: CommonCallOptions): Promise<ChatCompletion>;
  /** Nothing is sent before the stream is read. */
  stream(request: ChatRequest, options?: CommonCallOptions): ChatStream;
}

export function commonChat({ transport, routes }: CommonContext): CommonChat {
  const callOf = (request: ChatRequest, { extraBody, ...options }: CommonCallOptions, own: object) => {
    objectOf(request, 'the request');
    return {
      json: { ...request, ...own, ...extraBody },
      attributes: { 'gen_ai.request.model': request.model },
      settle: settled,
      options,
    };
  };
  return {
    async create(request, options = {}) {
      const { reply, where } = await routes.first('chat', ({ chat: operation }) => ({
        operation,
        send: () => ask({ wiring: { transport, profile: undefined }, operation, call: callOf(request, options, {}) }),
      }));
      const body = shaped<Record<string, unknown>>(where, reply.body, { choices: 'array' });
      return completionOf(where, body);
    },
    stream(request, options = {}) {
      return new ChatStream(() =>
        routes.first('chat', ({ chatStream: operation }) => ({
          operation,
          send: async () => ({
            operation,
            reply: await transport.events(operation, callOf(request, options, { stream: true })),
          }),
        })),
      );
    },
  };
}

const settled = (body: unknown): Settled | undefined => {
  if (!isRecord(body)) return undefined;
  const usage = isRecord(body.usage) ? body.usage : {};
  return {
    inputTokens: quantityOf(usage.prompt_tokens),
    outputTokens: quantityOf(usage.completion_tokens),
    model: textOf(body.model),
    id: textOf(body.id),
  };
};
