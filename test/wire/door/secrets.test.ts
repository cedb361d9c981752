import { inspect } from 'node:util';
import { trace } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type AttemptEvent,
  createAudioService,
  createMessagesService,
  createSearchService,
} from '../../../src/wire/index.ts';
import { scripted } from '../http/support.ts';

const exporter = new InMemorySpanExporter();
beforeAll(() => {
  const spanProcessors = [new SimpleSpanProcessor(exporter)];
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }));
});
beforeEach(() => exporter.reset());
afterAll(() => trace.disable());

const apiKey = 'sk-door/secret+0123456789';
const told = 'a private question';
/** Every spelling in which the key could be found again. */
const spellings = [apiKey, encodeURIComponent(apiKey), Buffer.from(apiKey).toString('base64'), told];
const hides = (text: string): void => {
  for (const spelling of spellings) expect(text).not.toContain(spelling);
};

interface Options {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly maxRetries: number;
  readonly onAttempt: (event: AttemptEvent) => void;
}
type Client = AsyncDisposable & { readonly client: unknown };

/** Each client, calls of it that say something private, and what they are traced as. */
const clients: readonly {
  readonly name: string;
  readonly open: (options: Options) => {
    readonly service: AsyncDisposable;
    readonly calls: readonly (() => Promise<unknown>)[];
  };
  readonly spans: readonly string[];
}[] = [
  {
    name: 'search',
    open: (options) => {
      const service = createSearchService(options);
      const messages = [{ role: 'user' as const, content: told }];
      return {
        service,
        calls: [
          () => service.answers.create({ model: 'answer-base', messages }),
          () => service.answers.stream({ model: 'answer-base', messages }),
          () => service.research.create({ preset: 'fast-search', input: told }),
          () => service.search({ query: told }),
          () => service.embeddings.create({ model: 'embed-v1-4b', input: [told] }),
        ],
      };
    },
    spans: ['chat answer-base', 'chat answer-base', 'chat fast-search', 'search', 'embeddings embed-v1-4b'],
  },
  {
    name: 'messages',
    open: (options) => {
      const service = createMessagesService(options);
      const request = {
        model: 'assistant-small-4-5',
        max_tokens: 9,
        system: told,
        messages: [{ role: 'user' as const, content: told }],
      };
      return {
        service,
        calls: [
          () => service.create(request),
          () => service.stream(request).message(),
          () => service.countTokens({ model: request.model, messages: request.messages }),
          () => service.files.upload({ content: Buffer.from(told), filename: `${told}.txt`, type: 'text/plain' }),
        ],
      };
    },
    spans: ['chat assistant-small-4-5', 'chat assistant-small-4-5', 'messages.count_tokens', 'messages.files.upload'],
  },
  {
    name: 'audio',
    open: (options) => {
      const service = createAudioService(options);
      return {
        service,
        calls: [
          () => service.speech.create({ voice_id: 'v', text: told }),
          () => service.speech.stream({ voice_id: 'v', text: told }),
          () => service.voices.search({ search: told }),
          () =>
            service.transcripts.create({
              file: { content: Buffer.from(told), filename: `${told}.wav`, type: 'audio/wav' },
            }),
        ],
      };
    },
    spans: ['audio.speech.create', 'audio.speech.stream', 'audio.voices.search', 'audio.transcripts.create'],
  },
];

describe.each(clients)('the $name client', ({ open, spans }) => {
  it('says the key and what was asked in no error, trace, hook or print, though the service echoes both', async () => {
    const events: AttemptEvent[] = [];
    await using server = await scripted((response) => {
      response.writeHead(500, { 'content-type': 'application/json', 'x-request-id': `req ${apiKey}` });
      response.end(
        JSON.stringify({ error: { type: 'api_error', message: `key ${apiKey}` }, k: encodeURIComponent(apiKey) }),
      );
    });
    const { service, calls } = open({
      apiKey,
      baseUrl: server.baseUrl,
      maxRetries: 0,
      onAttempt: (event) => void events.push(event),
    });
    await using _closing: Client = { client: service, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
    hides(inspect(service, { depth: 20, showHidden: true }));
    for (const call of calls) {
      const error: unknown = await call().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: expect.stringMatching(/Error$/), code: 'SERVICE_FAILED', status: 500 });
      hides(inspect(error, { depth: 20, showHidden: true }));
      hides(JSON.stringify({ ...(error as object) }));
      hides(String((error as Error).stack));
    }
    expect(server.seen.map(({ headers }) => JSON.stringify(headers)).every((text) => text.includes(apiKey))).toBe(true);
    const finished = exporter.getFinishedSpans();
    expect(finished.map(({ name }) => name)).toEqual(spans);
    for (const { name, attributes, events: marks, status } of finished) {
      expect(attributes).toMatchObject({ 'error.type': 'SERVICE_FAILED', 'http.response.status_code': 500 });
      hides(JSON.stringify([name, attributes, marks, status]));
    }
    expect(events).toHaveLength(calls.length);
    hides(JSON.stringify(events));
  });
});

describe('in a browser', () => {
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'window');
    Reflect.deleteProperty(globalThis, 'document');
  });

  it.each([createSearchService, createMessagesService, createAudioService] as const)('%O takes no key', (create) => {
    Object.assign(globalThis, { window: {}, document: {} });
    expect(() => create({ apiKey, baseUrl: 'https://api.example.test' })).toThrow('keys are not used in a browser');
  });
});
