import { onTestFinished } from 'vitest';
import { seededRandom } from '../../src/eval/statistics.ts';
import type { IngestSummary } from '../../src/ingest/contract.ts';
import { openIndex } from '../../src/search-index/open-index.ts';
import type { OpenIndexOptions, SearchIndexIngestOptions } from '../../src/search-index/options.ts';
import type { SearchIndex } from '../../src/search-index/search-index.ts';
import { createMessagesService, type MessagesService } from '../../src/wire/messages/index.ts';
import { createSearchService, type SearchService } from '../../src/wire/search/index.ts';
import { type StandIn, textDraft } from '../wire/service/messages/model.ts';
import { type Service, type ServiceOptions, startService } from '../wire/service/service.ts';

export interface Keyed {
  readonly service: Service;
  readonly services: { readonly search: SearchService; readonly messages: MessagesService };
  open(address: string, options?: OpenIndexOptions): Promise<SearchIndex>;
}

/** The stand-in services with clients of ours on them; all closed when the test ends. */
export async function keyed(options: ServiceOptions = {}): Promise<Keyed> {
  const service = await startService({ only: ['search', 'messages'], ...options });
  const services = {
    search: createSearchService({ apiKey: 'test-search-key', baseUrl: service.url }),
    messages: createMessagesService({ apiKey: 'test-key', baseUrl: service.url }),
  };
  const opened: SearchIndex[] = [];
  onTestFinished(async () => {
    for (const index of opened) await index.close();
    await services.search.close();
    await services.messages.close();
    await service.close();
  });
  return {
    service,
    services,
    open: async (address, more = {}) => {
      const index = await openIndex(address, { create: true, services, ...more });
      opened.push(index);
      return index;
    },
  };
}

/** The last event's receipt. */
export async function ingestAll(
  index: SearchIndex,
  paths: readonly string[],
  options: SearchIndexIngestOptions = {},
): Promise<IngestSummary> {
  for await (const event of index.ingest(paths, options)) if (event.type === 'done') return event.summary;
  throw new Error('the run did not end');
}

const words =
  'tide turbine blade harbour winch cable gearbox salinity current mooring survey diver buoy sonar keel anchor'.split(
    ' ',
  );

/** Documents of some paragraphs each, no two alike, every paragraph named: `docs/0/document-0.md` and so on. */
export function library(documents: number, paragraphs: number = 6, version: number = 1): Record<string, string> {
  const random = seededRandom(version * 7919);
  return Object.fromEntries(
    Array.from({ length: documents }, (_, i) => {
      const parts = Array.from({ length: paragraphs }, (_, p) => {
        const sentence = Array.from({ length: 60 }, () => words[Math.floor(random() * words.length)]).join(' ');
        return `Version ${version} of document ${i}, paragraph ${p}: ${sentence}.`;
      });
      return [`docs/${i % 7}/document-${i}.md`, `# Document ${i}\n\n${parts.join('\n\n')}`];
    }),
  );
}

const keys = { search: 'test-search-key', messages: 'test-key', audio: 'test-audio-key' } as const;

/** What a child process needs to find the stand-ins of some services. */
export function serviceEnvironment(
  url: string,
  services: readonly (keyof typeof keys)[] = ['search'],
): NodeJS.ProcessEnv {
  const variables = services.flatMap((service) => {
    const name = `IBID_${service.toUpperCase()}`;
    return [
      [`${name}_API_KEY`, keys[service]],
      [`${name}_BASE_URL`, url],
    ];
  });
  return { ...process.env, ...Object.fromEntries(variables) };
}

/** Shares of the query's words, for each passage as it was sent. */
export const scoresByOverlap: StandIn = ({ question }) => {
  const passages = [...question.matchAll(/^\[p(\d+)\.1\] (.*)$/gm)];
  const asked = question
    .slice(question.lastIndexOf('Query: '))
    .toLowerCase()
    .match(/\w{4,}/g)!;
  const scores = passages.map(([, n, text]) => {
    const shared = asked.filter((word) => text!.toLowerCase().includes(word)).length;
    return { passage: Number(n), score: Math.round((100 * shared) / asked.length) };
  });
  return textDraft(JSON.stringify({ scores: scores.reverse() })); // the order of the list does not matter
};
