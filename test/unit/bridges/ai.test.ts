import { generateText, simulateReadableStream } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { aiWriter, searchTool } from '../../../src/ai.ts';
import { mayBeBilled } from '../../../src/core/errors.ts';
import { languageModelContract } from '../../../src/testing.ts';
import { askWithProof, askWithTool } from '../../examples/ai-sdk.ts';
import { marksAnswerer } from '../../wire/service/common/chat-model.ts';
import { noteIndex } from './support.ts';

type StreamResult = Awaited<ReturnType<MockLanguageModelV3['doStream']>>;
type Part = StreamResult['stream'] extends ReadableStream<infer P> ? P : never;
type Call = Parameters<MockLanguageModelV3['doStream']>[0];
type Reason = Extract<Part, { type: 'finish' }>['finishReason']['unified'];

const usage = {
  inputTokens: { total: 30, noCache: 20, cacheRead: 10, cacheWrite: undefined },
  outputTokens: { total: 7, text: 7, reasoning: undefined },
};

const finish = (unified: Reason): Part => ({ type: 'finish', usage, finishReason: { unified, raw: undefined } });
const written = (text: string, unified: Reason = 'stop'): Part[] => [
  { type: 'stream-start', warnings: [] },
  { type: 'reasoning-start', id: 'r' },
  { type: 'reasoning-delta', id: 'r', delta: 'Let me see.' },
  { type: 'reasoning-end', id: 'r' },
  { type: 'text-start', id: 't' },
  ...(text.match(/[\s\S]{1,9}/g) ?? []).map((delta): Part => ({ type: 'text-delta', id: 't', delta })),
  { type: 'text-end', id: 't' },
  finish(unified),
];

/** A model of the AI SDK that streams these parts; it keeps the calls it got. */
const streaming = (partsOf: (call: Call) => Part[]): MockLanguageModelV3 =>
  new MockLanguageModelV3({
    provider: 'mock',
    modelId: 'writer',
    doStream: async (call) => ({ stream: simulateReadableStream({ chunks: partsOf(call) }) }),
  });

/** Repeats the best passages with their marks, as the stand-in of an own server does. */
const answering = (): MockLanguageModelV3 =>
  streaming(({ prompt }) => {
    const messages = prompt.map(({ role, content }) => ({
      role: role as 'user',
      content:
        typeof content === 'string' ? content : content.map((part) => ('text' in part ? part.text : '')).join(''),
    }));
    return written(marksAnswerer({ model: 'writer', messages }).content!);
  });

describe('a tool of the AI SDK', () => {
  it('is called by a model and answers with passages and their citations', async () => {
    const { index } = await noteIndex();
    let step = 0;
    let shown = '';
    const model = new MockLanguageModelV3({
      doGenerate: async ({ prompt, tools }) => {
        expect(tools?.[0]).toMatchObject({ name: 'search', inputSchema: { required: ['query'] } });
        step += 1;
        shown = JSON.stringify(prompt.at(-1));
        const input = JSON.stringify({ query: 'ferry harbour' });
        return step === 1
          ? {
              content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'search', input }],
              finishReason: { unified: 'tool-calls', raw: undefined },
              usage,
              warnings: [],
            }
          : {
              content: [{ type: 'text', text: 'At seven.' }],
              finishReason: { unified: 'stop', raw: undefined },
              usage,
              warnings: [],
            };
      },
    });
    const { text, steps } = await generateText({
      ...{ model, prompt: 'When does the ferry leave?', tools: { search: searchTool(index) } },
      stopWhen: () => step === 2,
    });
    expect([text, steps.length]).toEqual(['At seven.', 2]);
    expect(shown).toContain('The ferry leaves the harbour at seven.');
    const [reference] = /note:ferry#\d+-\d+/.exec(shown)!;
    expect((await index.show(reference)).quote).toContain('leaves the harbour');
  });

  it('checks what a model asks for', async () => {
    const { index } = await noteIndex();
    const { inputSchema } = searchTool(index, { limit: 2 }) as unknown as {
      readonly inputSchema: { validate(value: unknown): { readonly success: boolean; readonly value?: unknown } };
    };
    expect(inputSchema.validate({ query: 'x', limit: 50 })).toEqual({ success: true, value: { query: 'x', limit: 2 } });
    for (const wrong of [{}, { query: '' }, { query: 3 }, { query: 'x', limit: 0 }, null, 'x']) {
      expect(inputSchema.validate(wrong)).toMatchObject({ success: false });
    }
  });
});

describe('a model of the AI SDK as a writer', () => {
  for (const { name, run } of languageModelContract(() => aiWriter(answering()))) it(name, run);

  it('writes answers whose citations are proven', async () => {
    const { address } = await noteIndex();
    const quotes = await askWithProof(address, answering(), 'When does the ferry leave the harbour?');
    expect(quotes).toEqual(['The ferry leaves the harbour at seven.']);
  });

  it('keeps thoughts out of the answer, and books what was used', async () => {
    const writer = aiWriter(answering(), { usdPerMillionTokens: { input: 1, output: 100 } });
    const events = [];
    const request = {
      instructions: 'Be brief.',
      turns: [{ role: 'user' as const, text: 'Hello' }],
      sources: [],
      maxTokens: 9,
    };
    for await (const event of writer.write(request)) events.push(event);
    expect(events[0]).toEqual({ type: 'thinking', text: 'Let me see.' });
    expect(events.at(-1)).toEqual({
      ...{ type: 'stop', stop: 'end', costUsd: (30 + 700) / 1e6 },
      usage: { inputTokens: 30, outputTokens: 7, cacheReadTokens: 10, cacheWriteTokens: 0 },
    });
    expect(writer.id).toBe('mock:writer');
  });

  it.each<[Part[], string]>([
    [[...written('At seven', 'length')], 'length'],
    [[...written('No.', 'content-filter')], 'refusal'],
    [[...written('At seven', 'error')], 'broken'],
    [written('At seven').slice(0, -1), 'broken'],
    [[...written('At seven').slice(0, -2), { type: 'error', error: new Error('gone') }], 'broken'],
  ])('tells how it ended: %#', async (parts, stop) => {
    const events = [];
    const request = { instructions: 'x', turns: [{ role: 'user' as const, text: 'x' }], sources: [], maxTokens: 9 };
    for await (const event of aiWriter(streaming(() => parts)).write(request)) events.push(event);
    expect(events.at(-1)).toMatchObject({ type: 'stop', stop });
  });

  it('tells the message of an error that is a plain object, as streams of providers give it', async () => {
    const told = async (error: unknown): Promise<unknown> => {
      const model = aiWriter(streaming(() => [{ type: 'error', error }]));
      const request = {
        instructions: '',
        turns: [{ role: 'user', text: 'When?' }],
        sources: [],
        maxTokens: 9,
      } as const;
      return await Array.fromAsync(model.write(request)).catch(({ message }) => message);
    };
    expect(await told({ type: 'overloaded_error', message: 'Overloaded' })).toMatch(/failed: Overloaded$/);
    expect(await told({ error: { code: 7 } })).toMatch(/failed: \{ error: \{ code: 7 \} \}$/);
    expect(await told('gone')).toMatch(/failed: gone$/);
  });

  it('gives errors of a provider a code', async () => {
    const rejected = new MockLanguageModelV3({
      doStream: async () => {
        throw Object.assign(new Error('no such key'), { statusCode: 401 });
      },
    });
    const request = { instructions: 'x', turns: [{ role: 'user' as const, text: 'x' }], sources: [], maxTokens: 9 };
    const read = async (): Promise<void> => {
      for await (const _ of aiWriter(rejected).write(request));
    };
    await expect(read()).rejects.toMatchObject({ code: 'KEY_REJECTED' });
    const thinking = streaming(() => [
      { type: 'reasoning-start', id: '1' },
      { type: 'reasoning-delta', id: '1', delta: 'Let me see.' },
      { type: 'error', error: new Error('gone') },
    ]);
    const lost = async (): Promise<void> => {
      for await (const _ of aiWriter(thinking).write(request));
    };
    await expect(lost()).rejects.toSatisfy(mayBeBilled); // what it thought is billed
    await expect(read()).rejects.not.toSatisfy(mayBeBilled);
    expect(() => aiWriter('gpt' as never)).toThrow('not its name');
  });

  it('uses the tool of the example', async () => {
    const { address, index } = await noteIndex();
    await index.close();
    const model = new MockLanguageModelV3({
      doGenerate: async () => ({
        content: [{ type: 'text', text: 'Done.' }],
        finishReason: { unified: 'stop', raw: undefined },
        usage,
        warnings: [],
      }),
    });
    expect(await askWithTool(address, model, 'Hello')).toBe('Done.');
  });
});
