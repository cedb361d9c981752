/** Messages of a model that calls tools, and what it was told. */
import type { Message, MessageRequest } from '../../../src/wire/messages/index.ts';
import { message } from '../../wire/messages/emit.ts';
import type { FakeTransport } from '../../wire/messages/fake.ts';

export const request: MessageRequest = {
  model: 'assistant-small-4-5',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Add.' }],
};

export const use = (id: string, name = 'add', input: unknown = { a: 1, b: 2 }): Record<string, unknown> => ({
  type: 'tool_use',
  id,
  name,
  input,
});
export const text = (value: string): Record<string, unknown> => ({ type: 'text', text: value });
export const asks = (...content: unknown[]): Message => message(content, { stop_reason: 'tool_use' });
export const says = (value: string): Message => message([text(value)]);
/** The tool results of the n-th request's last message. */
export const answers = (transport: FakeTransport, n: number): unknown =>
  (transport.bodies[n]!.messages as { content: unknown }[]).at(-1)?.content;
