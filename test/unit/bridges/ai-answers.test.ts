import { generateText, type ModelMessage, streamText } from 'ai';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { answerModel } from '../../../src/ai.ts';
import type { AnswerEvent } from '../../../src/answer/contract.ts';
import type { AskOptions } from '../../../src/modes/options.ts';
import { askAsModel } from '../../examples/ai-sdk.ts';
import { noteIndex } from './support.ts';

const question = 'When does the ferry leave the harbour?';

describe('an index as a model of the AI SDK', () => {
  it('answers in one piece and as a stream, with its citations as sources that are proven', async () => {
    const { index } = await noteIndex();
    const answer = await index.ask(question);
    const model = answerModel(index);
    const whole = await generateText({ model, prompt: question });
    const streamed = streamText({ model, prompt: question });
    expect(whole.text).toBe(answer.answer);
    expect(await streamed.text).toBe(answer.answer);
    expect(await streamed.sources).toEqual(whole.sources);
    expect(whole.warnings).toEqual([]);
    expect(whole.finishReason).toBe('stop');
    expect(whole.providerMetadata?.ibid).toMatchObject({ confidence: 'high', abstained: false, costUsd: 0 });
    const [source] = whole.sources;
    expect(source).toMatchObject({ sourceType: 'document', title: 'Ferry', filename: 'note:ferry' });
    const { reference, quote, n } = source!.providerMetadata!.ibid as { reference: string; quote: string; n: number };
    expect((await index.show(reference)).quote).toBe(quote);
    expect(whole.text).toContain(`[${n}]`);
  });

  it('takes the last message as the question, and the others as the conversation', async () => {
    vi.stubGlobal('AI_SDK_LOG_WARNINGS', false); // it prints them
    onTestFinished(() => void vi.unstubAllGlobals());
    const asked: { question: string; options: AskOptions | undefined }[] = [];
    const { index } = await noteIndex();
    const watched = {
      ask: (text: string, options?: AskOptions) => {
        asked.push({ question: text, options });
        return index.ask(text, options);
      },
    };
    const messages: ModelMessage[] = [
      { role: 'user', content: question },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'At ' },
          { type: 'text', text: 'seven. [1]' },
        ],
      },
      { role: 'user', content: 'And what does the lamp burn?' },
    ];
    const { text, warnings } = await generateText({
      ...{ model: answerModel(watched, { mode: 'extractive', sentences: 1 }), system: 'Rhyme.', messages },
      ...{ temperature: 1, maxOutputTokens: 5 },
    });
    expect(text).toContain('The lamp burns rapeseed oil.');
    expect(asked[0]).toMatchObject({
      question: 'And what does the lamp burn?',
      options: {
        ...{ mode: 'extractive', sentences: 1 },
        history: [
          { role: 'user', text: question },
          { role: 'assistant', text: 'At seven. [1]' },
        ],
      },
    });
    const told = (warnings ?? []).map((one) => (one.type === 'unsupported' ? one.feature : ''));
    expect(told).toEqual(['system', 'maxOutputTokens', 'temperature']);
  });

  it('tells thoughts, links, what was used, and how it ended', async () => {
    const { index } = await noteIndex();
    const answer = await index.ask(question);
    const usage = { inputTokens: 30, outputTokens: 7, cacheReadTokens: 10, cacheWriteTokens: 5 };
    const grounding = { model: 'm', stop: 'length', unsupported: [], dropped: [], usage, costUsd: 0.25 } as const;
    const url = 'https://example.org/a';
    const events: AnswerEvent[] = [
      { type: 'thinking', text: 'Let me see.' },
      { type: 'text', text: 'At ' },
      { type: 'link', link: { n: 1, url, title: 'A' } },
      { type: 'text', text: 'seven' },
      { type: 'done', answer: { ...answer, answer: 'At seven', grounding } },
    ];
    const index2 = { ask: () => ReadableStream.from(events) as AsyncIterable<AnswerEvent> };
    const result = await generateText({ model: answerModel(index2), prompt: question });
    expect(result).toMatchObject({ text: 'At seven', reasoningText: 'Let me see.', finishReason: 'length' });
    expect(result.sources).toMatchObject([{ sourceType: 'url', url, title: 'A' }]);
    expect(result.usage).toMatchObject({
      ...{ inputTokens: 30, outputTokens: 7 },
      inputTokenDetails: { noCacheTokens: 15, cacheReadTokens: 10, cacheWriteTokens: 5 },
    });
    expect(result.providerMetadata?.ibid).toMatchObject({ costUsd: 0.25 });
  });

  it('fails with the code of what failed, hears an abort, and wants a question', async () => {
    const { index } = await noteIndex();
    await expect(
      generateText({ model: answerModel(index, { mode: 'grounded' }), prompt: question }),
    ).rejects.toMatchObject({ code: 'KEY_MISSING' });
    const messages: ModelMessage[] = [{ role: 'assistant', content: 'Well?' }];
    await expect(generateText({ model: answerModel(index), messages })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    const reason = new Error('enough');
    await expect(
      generateText({ model: answerModel(index), prompt: question, abortSignal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason);
  });

  it('is used as in the example', async () => {
    const { address, index } = await noteIndex();
    await index.close();
    const { text, sources } = await askAsModel(address, question);
    expect(text).toContain('The ferry leaves the harbour at seven.');
    expect(sources[0]).toMatch(/^note:ferry#\d+-\d+$/);
  });
});
