import { expect, onTestFinished } from 'vitest';
import type { Answer, AnswerEvent } from '../../src/answer/contract.ts';
import type { Hit, StoredChunk } from '../../src/core/types.ts';
import { answerAsAgent } from '../../src/modes/agent/agent.ts';
import type { AgentOptions } from '../../src/modes/agent/contract.ts';
import type { AgentIndex } from '../../src/modes/agent/tools.ts';
import { createMessagesService, type MessagesService } from '../../src/wire/messages/index.ts';
import { chunkOf, hitOf } from '../unit/answer/hits.ts';
import type { Rule } from '../wire/service/faults.ts';
import { extractiveAnswerer } from '../wire/service/messages/extractive.ts';
import type { StandIn } from '../wire/service/messages/model.ts';
import { type ToolUserOptions, toolUser } from '../wire/service/messages/tool-user.ts';
import { type Service, startService } from '../wire/service/service.ts';

export const model = 'assistant-medium-4-6';
export const manual: readonly string[] = [
  'The pump is water cooled. ',
  'Its rated pressure is 40 bar. ',
  'The valve opens above 45 bar. ',
  'Nobody may open it under load.',
];
export const chunks: readonly StoredChunk[] = manual.map((text, position) =>
  chunkOf(text, { uri: 'manual.md', title: 'Manual', position, at: manual.slice(0, position).join('').length }),
);

/** Finds chunks that hold the query as it is, and remembers what it was asked. */
export class FakeIndex implements AgentIndex {
  readonly asked: string[] = [];
  async search(query: string, { limit }: { limit: number }): Promise<readonly Hit[]> {
    this.asked.push(query);
    return chunks
      .filter(({ text }) => text.includes(query))
      .map((chunk) => hitOf(chunk))
      .slice(0, limit);
  }
  async read(uri: string, from: number, to: number): Promise<readonly Hit[]> {
    return uri === 'manual.md' ? chunks.slice(from, to).map((chunk) => hitOf(chunk, 0)) : [];
  }
}

export async function started(
  standIn: StandIn,
  rules: readonly Rule[] = [],
  eventMs: number = 0,
): Promise<{ service: Service; messages: MessagesService }> {
  const service = await startService({ only: ['messages'], messages: { model: standIn, eventMs } });
  service.script(...rules);
  const messages = createMessagesService({ apiKey: 'test-key', baseUrl: service.url });
  onTestFinished(async () => {
    await messages.close();
    await service.close();
  });
  return { service, messages };
}

export interface Ran {
  readonly events: readonly AnswerEvent[];
  readonly answer: Answer;
}

export async function run(
  messages: MessagesService,
  options: Partial<AgentOptions> = {},
  index: AgentIndex = new FakeIndex(),
): Promise<Ran> {
  const events: AnswerEvent[] = [];
  for await (const event of answerAsAgent('At which pressure does the valve open?', index, messages, {
    model,
    ...options,
  }))
    events.push(event);
  const last = events.at(-1)!;
  if (last.type !== 'done') throw new Error('no answer');
  const told = events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');
  expect(told).toBe(last.answer.answer);
  for (const { uri, span, quote } of last.answer.citations) {
    expect(uri).toBe('manual.md');
    expect(manual.join('').slice(span.start, span.end)).toBe(quote);
  }
  return { events, answer: last.answer };
}

export const search = (query: string): { name: string; input: unknown } => ({ name: 'search_index', input: { query } });
export const answerer = (options: Omit<ToolUserOptions, 'answer'>): StandIn =>
  toolUser({ ...options, answer: extractiveAnswerer({ sentences: 2 }).model });
export const stepsOf = ({ events }: Ran): readonly (readonly [string, number])[] =>
  events.flatMap((event) => (event.type === 'step' ? [[event.tool, event.found] as const] : []));
