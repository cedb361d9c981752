import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Harness, serve } from './harness.ts';
import { neutralNames } from './messages/catalogue.ts';
import { type MessagesService, messagesService } from './messages/messages-service.ts';
import { toolUser } from './messages/tool-user.ts';

const model = 'assistant-large-4-6';
let messages: MessagesService;
let harness: Harness;

describe.each(['reference', 'public'] as const)(
  'the compatible chat endpoint (%s) works with a client of that format',
  (dialect) => {
    beforeEach(async () => {
      messages = messagesService({ dialect, ...neutralNames });
      harness = await serve([messages]);
    });
    afterEach(() => harness.close());

    const chat = (): OpenAI => new OpenAI({ apiKey: 'test-key', baseURL: `${harness.url}/v1`, maxRetries: 0 });
    const tools: OpenAI.ChatCompletionTool[] = [
      {
        type: 'function',
        function: { name: 'get_weather', parameters: { type: 'object', properties: { place: { type: 'string' } } } },
      },
    ];

    it('chats', async () => {
      const answer = await chat().chat.completions.create({
        model,
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Hello' },
          { role: 'developer', content: 'Be kind.' },
        ],
      });
      expect(answer.choices[0]?.message.content).toBe('You said: Hello');
      expect(messages.received[0]?.system).toBe('Be brief.\nBe kind.');
      expect(answer.usage?.total_tokens).toBe(
        (answer.usage?.prompt_tokens ?? 0) + (answer.usage?.completion_tokens ?? 0),
      );
    });

    it('streams, tools included, and ends the loop', async () => {
      messages.model = toolUser({
        rounds: [[{ name: 'get_weather', input: { place: 'Bonn' } }]],
        say: 'One moment. 😀',
      });
      const question: OpenAI.ChatCompletionMessageParam = { role: 'user', content: 'Weather?' };
      const stream = chat().chat.completions.stream({
        model,
        messages: [question],
        tools,
        stream_options: { include_usage: true },
      });
      const first = await stream.finalChatCompletion();
      expect(first.choices[0]?.message.content).toBe('One moment. 😀');
      expect(first.choices[0]?.finish_reason).toBe('tool_calls');
      const call = first.choices[0]?.message.tool_calls?.[0];
      expect(call).toMatchObject({ function: { name: 'get_weather', arguments: '{"place":"Bonn"}' } });
      const last = await chat().chat.completions.create({
        model,
        tools,
        messages: [
          question,
          {
            role: 'assistant',
            content: null,
            tool_calls: [
              { id: call!.id, type: 'function', function: { name: 'get_weather', arguments: '{"place":"Bonn"}' } },
            ],
          },
          { role: 'tool', tool_call_id: call!.id, content: 'sunny' },
        ],
      });
      expect(last.choices[0]?.message.content).toBe('Done after 1 rounds of tools.');
    });

    it('refuses a wrong key in a form the client understands', async () => {
      const stranger = new OpenAI({ apiKey: 'wrong', baseURL: `${harness.url}/v1`, maxRetries: 0 });
      await expect(
        stranger.chat.completions.create({ model, messages: [{ role: 'user', content: 'Hi' }] }),
      ).rejects.toMatchObject({ status: 401 });
    });
  },
);
