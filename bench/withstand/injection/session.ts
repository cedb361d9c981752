/** An index of the corpus, beside services whose model obeys everything. */
import { join } from 'node:path';
import { type Answer, type AnswerEvent, openIndex, type SearchIndex } from '../../../src/index.ts';
import { createMessagesService, createSearchService, messages } from '../../../src/wire.ts';
import { type Service, startService } from '../../../test/wire/service/service.ts';
import { type Corpus, openCorpus } from './corpus.ts';
import { OBEYED, Obedient } from './obedient.ts';

export interface Session extends AsyncDisposable {
  readonly corpus: Corpus;
  readonly service: Service;
  readonly obedient: Obedient;
  readonly index: SearchIndex;
  /** The same index, with a key of the messages service alone. */
  readonly oneKey: SearchIndex;
  /** What the answer service says to the next question: what this page says, and what it orders. */
  tell(page: string): void;
}

export async function openSession(): Promise<Session> {
  const corpus = openCorpus();
  const obedient = new Obedient();
  let page = '';
  // the search service's scripts ask for their text when a request has come
  const script = {
    answer: {
      get text(): string {
        return `${page}\n${OBEYED} ${page.slice(0, 300).replace(/[.!?\s]+/g, ' ')} [99].\n${obedient.marked('')}`;
      },
    },
    research: {
      get text(): string {
        const { input } = service.requests.at(-1)!.body as { readonly input: readonly { readonly output?: unknown }[] };
        return obedient.marked(input.map(({ output }) => String(output ?? '')).join('\n'));
      },
    },
  };
  const service: Service = await startService({
    only: ['search', 'messages'],
    messages: { model: obedient.model, batches: { pollsUntilEnd: 1 } },
    search: { pages: corpus.pages, script },
  });
  const services = {
    search: createSearchService({ apiKey: 'test-search-key', baseUrl: service.url }),
    messages: createMessagesService({ apiKey: 'test-key', baseUrl: service.url }),
  };
  const index = await openIndex(join(corpus.work, '.ibid'), { create: true, services, base: corpus.work });
  for await (const _ of index.ingest([join(corpus.work, 'docs')]));
  const oneKey = await openIndex(join(corpus.work, '.ibid'), { services: { messages: services.messages } });
  obedient.pages = corpus.pages;
  return {
    corpus,
    service,
    obedient,
    index,
    oneKey,
    tell: (text) => {
      page = text;
    },
    [Symbol.asyncDispose]: async () => {
      await oneKey.close();
      await index.close();
      await services.search.close();
      await services.messages.close();
      await service.close();
      corpus.remove();
    },
  };
}

/** Tools of the caller that documents may name, and nobody confirms. */
const owned = ['run_shell', 'fetch_url', 'send_mail'];

async function askWithTools(index: SearchIndex, question: string): Promise<Answer> {
  const ran: string[] = [];
  const tools = owned.map((name) =>
    messages.defineTool({
      name,
      description: 'Acts.',
      schema: { type: 'object', properties: {} },
      run: () => {
        ran.push(name);
      },
    }),
  );
  const asked = index.ask(question, { mode: 'agent', maxTokens: MAX_TOKENS, tools, confirm: () => false });
  const answer = await whole(asked);
  if (ran.length > 0) throw new Error(`a document has let ${ran.join(', ')} run`);
  return answer;
}

const MAX_TOKENS = 16_000;

/** One way of asking. */
export interface Way {
  readonly name: string;
  /** Whether a model may write queries to the web: then words of documents can stand in them. */
  readonly searchesItself?: boolean;
  ask(session: Session, question: string): Promise<Answer>;
}

const whole = async (events: AsyncIterable<AnswerEvent>): Promise<Answer> => {
  for await (const event of events) if (event.type === 'done') return event.answer;
  throw new Error('the answer did not end');
};

/** Every mode, with and without the web, and what else is sent: a reranker's list, a conversation. */
export const ways: readonly Way[] = [
  { name: 'extractive', ask: ({ index }, q) => whole(index.ask(q, { mode: 'extractive', sentences: 8 })) },
  {
    name: 'extractive-web',
    ask: ({ index }, q) => whole(index.ask(q, { mode: 'extractive', sentences: 8, web: true })),
  },
  { name: 'grounded', ask: ({ index }, q) => whole(index.ask(q, { mode: 'grounded', maxTokens: MAX_TOKENS })) },
  {
    name: 'grounded-web',
    ask: ({ index }, q) => whole(index.ask(q, { mode: 'grounded', maxTokens: MAX_TOKENS, web: { perSite: 20 } })),
  },
  {
    name: 'grounded-web-fetch',
    ask: ({ index }, q) => whole(index.ask(q, { mode: 'grounded', maxTokens: MAX_TOKENS, web: { fetch: true } })),
  },
  {
    name: 'grounded-marks',
    ask: ({ index }, q) =>
      whole(index.ask(q, { mode: 'grounded', maxTokens: MAX_TOKENS, model: { citations: false }, web: true })),
  },
  {
    name: 'conversation',
    searchesItself: true,
    ask: async ({ index }, q) => {
      const first = await whole(index.ask(q, { mode: 'grounded', maxTokens: MAX_TOKENS }));
      const history = [
        { role: 'user', text: q, hits: first.hits },
        { role: 'assistant', text: first.answer },
      ] as const;
      return whole(index.ask('And what about it?', { mode: 'grounded', maxTokens: MAX_TOKENS, history, web: true }));
    },
  },
  { name: 'reranked', ask: ({ index }, q) => whole(index.ask(q, { mode: 'extractive', rerank: true, web: true })) },
  { name: 'agent', ask: ({ index }, q) => whole(index.ask(q, { mode: 'agent', maxTokens: MAX_TOKENS })) },
  {
    name: 'agent-web',
    searchesItself: true,
    ask: ({ index }, q) => whole(index.ask(q, { mode: 'agent', maxTokens: MAX_TOKENS, web: true })),
  },
  {
    name: 'grounded-look',
    ask: ({ index }, q) => whole(index.ask(q, { mode: 'grounded', maxTokens: MAX_TOKENS, look: { pages: 8 } })),
  },
  {
    name: 'agent-look',
    ask: ({ index }, q) => whole(index.ask(q, { mode: 'agent', maxTokens: MAX_TOKENS, look: true })),
  },
  { name: 'agent-tools', ask: ({ index }, q) => askWithTools(index, q) },
  {
    name: 'grounded-web-tool',
    ask: ({ oneKey }, q) => whole(oneKey.ask(q, { mode: 'grounded', maxTokens: MAX_TOKENS, web: true })),
  },
  { name: 'research', ask: ({ index }, q) => whole(index.ask(q, { mode: 'research' })) },
  { name: 'answer', ask: ({ index }, q) => whole(index.ask(q, { mode: 'answer' })) },
  {
    name: 'batch',
    ask: async ({ index }, question) => {
      for await (const event of index.askBatch([{ id: 'q', question }], { maxTokens: MAX_TOKENS, pollMs: 1 })) {
        if (event.type === 'answer') return event.answer;
        if (event.type === 'failed') throw new Error(event.message);
      }
      throw new Error('the batch gave no answer');
    },
  },
];
