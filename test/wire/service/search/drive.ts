import { onTestFinished } from 'vitest';
import { type Harness, serve } from '../harness.ts';
import { type SearchService, type SearchServiceOptions, searchService } from './search-service.ts';

/** What came back, as the kind of body that a test expects there. */
export interface Answered<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Body;
}

export interface Driven {
  readonly service: SearchService;
  readonly harness: Harness;
  send<Body>(method: string, path: string, body?: unknown): Promise<Answered<Body>>;
  /** The JSON of every event of a stream. */
  events<Event>(method: string, path: string, body?: unknown): Promise<Event[]>;
}

/** Starts the stand-in for one test, which sends it plain requests. */
export async function drive(options: SearchServiceOptions = {}): Promise<Driven> {
  const service = searchService(options);
  const harness = await serve([service]);
  onTestFinished(() => harness.close());
  const send = async <Body>(method: string, path: string, body?: unknown): Promise<Answered<Body>> => {
    const response = await fetch(`${harness.url}${path}`, {
      method,
      headers: { authorization: 'Bearer test-search-key', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { status, headers } = response;
    const text = await response.text();
    return { status, headers, text, body: (text.startsWith('{') ? JSON.parse(text) : undefined) as Body };
  };
  return {
    service,
    harness,
    send,
    async events<Event>(method: string, path: string, body?: unknown): Promise<Event[]> {
      const { text } = await send(method, path, body);
      const lines = text.split('\n').filter((line) => line.startsWith('data: {'));
      return lines.map((line) => JSON.parse(line.slice(6)) as Event);
    },
  };
}
