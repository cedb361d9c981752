import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { createTransport, parseStreamEvent } from '../../src/internal.ts';
import { createMessagesService, createSearchService, type Operation } from '../../src/wire.ts';

/** One way to do a job: `run` consumes `count` items, telling of each, and returns how many there were. */
export interface Variant {
  readonly name: string;
  /** The official variant that does the same work. @default the first of the workload */
  readonly beside?: string;
  readonly run: (base: string, count: number, onItem: (item: number) => void) => Promise<number>;
}

const apiKey = 'sk-bench';
const model = 'assistant-small-4-5';
const messages = [{ role: 'user' as const, content: 'Hello' }];
const at = (base: string, count: number): string => `${base}/n/${count}`;

async function count<T>(
  source: AsyncIterable<T>,
  onItem: (item: number) => void,
  of: (piece: T) => number,
): Promise<number> {
  let items = 0;
  for await (const piece of source) {
    const before = items;
    items += of(piece);
    for (let item = before + 1; item <= items; item++) onItem(item);
  }
  return items;
}

const each = (): number => 1;

interface ResultLine {
  readonly custom_id: string;
  readonly result: {
    readonly type: string;
    readonly message?: { readonly content: readonly unknown[]; readonly usage: { readonly output_tokens: number } };
  };
}

/** What a reader of results looks at, in each variant alike: whose it is, how it went, the text and what it took. */
const looked = ({ custom_id, result }: ResultLine): number => {
  if (!custom_id.startsWith('doc-')) return 0;
  if (result.message === undefined) return result.type === 'errored' ? 1 : 0;
  const { content, usage } = result.message;
  const [first] = content as readonly { readonly text?: string }[]; // blocks of text, the server's only kind
  return result.type === 'succeeded' && first!.text!.length > usage.output_tokens ? 1 : 0;
};

/** The same number of requests, so many at a time. */
async function many(
  total: number,
  lanes: number,
  onItem: (item: number) => void,
  send: () => Promise<unknown>,
): Promise<number> {
  let done = 0;
  let left = total;
  const lane = async (): Promise<void> => {
    while (left-- > 0) {
      await send();
      onItem(++done);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return done;
}

const official = (base: string, n: number): Anthropic => new Anthropic({ apiKey, baseURL: at(base, n) });
const ours = (base: string, n: number) => createMessagesService({ apiKey, baseUrl: at(base, n) });

const requests = (lanes: number): readonly Variant[] => [
  {
    name: 'anthropic',
    run: (base, n, onItem) => {
      const client = official(base, n);
      return many(n, lanes, onItem, () => client.messages.create({ model, max_tokens: 9, messages }));
    },
  },
  {
    name: 'openai',
    run: (base, n, onItem) => {
      const client = new OpenAI({ apiKey, baseURL: at(base, n) });
      return many(n, lanes, onItem, () => client.chat.completions.create({ model: 'answer-base', messages }));
    },
  },
  {
    name: 'ibid messages',
    run: async (base, n, onItem) => {
      await using service = ours(base, n);
      return await many(n, lanes, onItem, () => service.create({ model, max_tokens: 9, messages }));
    },
  },
];

/** What is not said to stand `beside` another is compared with the first of its workload. */
export const workloads: Readonly<Record<string, readonly Variant[]>> = {
  chat: [
    {
      name: 'openai',
      run: async (base, n, onItem) => {
        const client = new OpenAI({ apiKey, baseURL: at(base, n) });
        return count(
          await client.chat.completions.create({ model: 'answer-base', messages, stream: true }),
          onItem,
          each,
        );
      },
    },
    {
      name: 'ibid transport',
      run: async (base, n, onItem) => {
        await using transport = createTransport(
          { service: 'search', auth: (key) => ({ authorization: `Bearer ${key}` }) },
          { apiKey, baseUrl: at(base, n) },
        );
        const stream = await transport.events(chat, { json: { model: 'answer-base', messages, stream: true } });
        return await count(stream, onItem, ({ data }) => (data === '[DONE]' || JSON.parse(data) === null ? 0 : 1));
      },
    },
    {
      name: 'ibid messages.chat',
      run: async (base, n, onItem) => {
        await using service = ours(base, n);
        return await count(service.chat.stream({ model, messages }), onItem, each);
      },
    },
    {
      name: 'ibid answers',
      run: async (base, n, onItem) => {
        await using service = createSearchService({ apiKey, baseUrl: at(base, n) });
        return await count(await service.answers.stream({ model: 'answer-base', messages }), onItem, (event) =>
          event.type === 'text' ? 1 : 0,
        );
      },
    },
  ],
  messages: [
    {
      name: 'anthropic events',
      run: async (base, n, onItem) =>
        count(await official(base, n).messages.create({ model, max_tokens: 9, messages, stream: true }), onItem, each),
    },
    {
      name: 'anthropic accumulated',
      run: async (base, n, onItem) =>
        count(official(base, n).messages.stream({ model, max_tokens: 9, messages }), onItem, each),
    },
    {
      // Typed events and nothing else, as the official client gives them.
      name: 'ibid events',
      run: async (base, n, onItem) => {
        await using transport = createTransport(
          { service: 'messages', auth: (key) => ({ 'x-api-key': key }) },
          { apiKey, baseUrl: at(base, n) },
        );
        const operation = { ...chat, service: 'messages', path: '/v1/messages' } as const;
        const stream = await transport.events(operation, { json: { model, max_tokens: 9, messages, stream: true } });
        return await count(stream, onItem, (event) => (parseStreamEvent(event, {}).type === 'ping' ? 0 : 1));
      },
    },
    {
      // Typed events and the accumulated message in one.
      name: 'ibid messages',
      beside: 'anthropic accumulated',
      run: async (base, n, onItem) => {
        await using service = ours(base, n);
        return await count(service.stream({ model, max_tokens: 9, messages }), onItem, each);
      },
    },
  ],
  results: [
    {
      name: 'anthropic',
      run: async (base, n, onItem) => count(await official(base, n).messages.batches.results('b1'), onItem, looked),
    },
    {
      name: 'ibid messages',
      run: async (base, n, onItem) => {
        await using service = ours(base, n);
        return await count(service.batches.results('b1'), onItem, looked);
      },
    },
    {
      // No client at all: what `fetch`, cutting the text into lines and `JSON.parse` take by themselves.
      name: 'floor',
      run: async (base, n, onItem) => {
        const response = await fetch(`${at(base, n)}/v1/messages/batches/b1/results`);
        const decoder = new TextDecoder();
        let rest = '';
        let lines = 0;
        for await (const chunk of response.body!) {
          const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
          rest = parts.pop()!;
          for (const part of parts) {
            if (looked(JSON.parse(part) as ResultLine) === 1) onItem(++lines);
          }
        }
        return rest === '' ? lines : lines + 1;
      },
    },
  ],
  requests: requests(16),
  sequential: requests(1),
};

const chat: Operation = {
  name: 'bench.chat',
  service: 'search',
  method: 'POST',
  path: '/chat/completions',
  repeat: 'refused',
  group: 'bench',
};
