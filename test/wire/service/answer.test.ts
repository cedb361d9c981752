import { describe, expect, it } from 'vitest';
import { drive } from './search/drive.ts';
import type { Fields } from './shape.ts';

interface Body {
  readonly object?: string;
  readonly citations?: readonly string[] | null;
  readonly search_results?: readonly Fields[];
  readonly images?: readonly { readonly image_url: string }[];
  readonly usage?: {
    readonly completion_tokens: number;
    readonly cost?: { readonly total_cost: number; readonly request_cost?: number };
  };
  readonly choices: readonly {
    readonly finish_reason: string | null;
    readonly message?: { readonly content: string; readonly reasoning_steps?: readonly Fields[] };
    readonly delta?: { readonly content?: string; readonly reasoning_steps?: readonly Fields[] };
  }[];
  readonly error?: { readonly type: string; readonly param?: string };
}

async function start() {
  const { service, send, events } = await drive();
  const path = '/chat/completions';
  return {
    service,
    send,
    answer: (body: Fields) => send<Body>('POST', path, body),
    chunks: (body: Fields) => events<Body>('POST', path, { ...body, stream: true }),
  };
}

const messages = [{ role: 'user', content: 'How tall is the Harbour Tower?' }];
const base = { model: 'answer-base', messages };
const joined = (list: readonly Body[]): string => list.map(({ choices }) => choices[0]?.delta?.content ?? '').join('');

describe('the stand-in answer operation', () => {
  it('streams in both modes what it would have said at once', async () => {
    const { answer, chunks, service } = await start();
    const whole = (await answer(base)).body.choices[0]?.message?.content;
    for (const stream_mode of ['full', 'concise']) {
      for (const pieceLength of [undefined, 1, 4]) {
        service.script.answer = { pieceLength };
        expect(joined(await chunks({ ...base, stream_mode }))).toBe(whole);
      }
    }
  });

  it('counts up in usage and gives the cost with the last chunk only', async () => {
    const { chunks } = await start();
    const list = await chunks(base);
    const counts = list.map(({ usage }) => usage?.completion_tokens ?? -1);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    expect(list.slice(0, -1).every(({ usage }) => usage?.cost?.total_cost === 0)).toBe(true);
    expect(list.at(-1)?.usage?.cost?.request_cost).toBe(0.005);
    expect(list.at(-1)?.object).toBe('chat.completion.done');
  });

  it('keeps its sources for the end of a concise stream, and tells its steps on the way', async () => {
    const { chunks } = await start();
    const list = await chunks({ ...base, model: 'answer-pro', stream_mode: 'concise', search_type: 'pro' });
    expect([...new Set(list.map(({ object }) => object))]).toEqual([
      'chat.reasoning',
      'chat.reasoning.done',
      'chat.completion.chunk',
      'chat.completion.done',
    ]);
    expect(list.filter(({ citations }) => citations !== undefined)).toEqual([list.at(-1)]);
    expect(list.at(-1)?.choices[0]?.message?.reasoning_steps).toHaveLength(2);
  });

  it('ends as older services do, without message, citations, cost by script', async () => {
    const { chunks, answer, service } = await start();
    service.script.answer = { oldEnding: true, withoutMessage: true };
    const list = await chunks(base);
    expect(list.every(({ object }) => object === 'chat.completion.chunk')).toBe(true);
    expect(list.at(-1)?.choices[0]).toMatchObject({ finish_reason: 'stop' });
    expect(list.some(({ choices }) => choices[0]?.message !== undefined)).toBe(false);
    service.script.answer = { citations: 'null', usage: 'without-cost' };
    const { body } = await answer(base);
    expect([body.citations, body.usage?.cost]).toEqual([null, undefined]);
  });

  it('thinks aloud where the model does, with or without the opening tag, also around JSON', async () => {
    const { answer, service } = await start();
    const schema = { type: 'object', properties: { height: { type: 'integer' }, text: { type: 'string' } } };
    const body = {
      ...base,
      model: 'answer-reasoning-pro',
      response_format: { type: 'json_schema', json_schema: { schema } },
    };
    const content = async () => (await answer(body)).body.choices[0]?.message?.content ?? '';
    const whole = await content();
    expect(whole).toMatch(/^<think>\n.*\{.*<\/think>\n\n\{"height":330,/s);
    service.script.answer = { openThink: true };
    expect(await content()).toBe(whole.replace('<think>\n', ''));
  });

  it('returns images of the domains and formats asked for', async () => {
    const { answer } = await start();
    const images = async (filter: Fields) =>
      (await answer({ ...base, return_images: true, ...filter })).body.images?.map(({ image_url }) =>
        image_url.split('/').at(-1),
      );
    expect(await images({})).toEqual(expect.arrayContaining(['tower-night.jpg', 'tower-plan.png', 'skyline.webp']));
    expect(await images({ image_format_filter: ['png'] })).toEqual(['tower-plan.png']);
    expect(await images({ image_domain_filter: ['-images.example.org'] })).toEqual(['skyline.webp']);
  });

  it('stops at a word, and at the limit', async () => {
    const { answer } = await start();
    const first = (await answer({ ...base, stop: ' tall' })).body.choices[0];
    expect([first?.message?.content.includes('tall'), first?.finish_reason]).toEqual([false, 'stop']);
    expect((await answer({ ...base, max_tokens: 3 })).body.choices[0]?.finish_reason).toBe('length');
  });

  it.each<[string, Fields, string]>([
    ['pro search without a stream', { model: 'answer-pro', search_type: 'pro' }, 'invalid_parameter'],
    ['effort for a model that has none', { reasoning_effort: 'low' }, 'invalid_parameter'],
    ['an unknown model', { model: 'answer-max' }, 'invalid_model'],
    ['two users in a row', { messages: [...messages, ...messages] }, 'invalid_message'],
    [
      'a last word of the assistant',
      { messages: [...messages, { role: 'assistant', content: 'Tall.' }] },
      'invalid_message',
    ],
    ['only a system message', { messages: [{ role: 'system', content: 'x' }] }, 'invalid_message'],
    ['a late system message', { messages: [...messages, { role: 'system', content: 'x' }] }, 'invalid_message'],
    ['no tokens', { max_tokens: 0 }, 'invalid_request'],
    ['an unknown field', { top_k: 3 }, 'invalid_request'],
    [
      'an unknown part',
      { messages: [{ role: 'user', content: [{ type: 'audio_url', audio_url: { url: 'x' } }] }] },
      'invalid_request',
    ],
    ['eleven languages', { search_language_filter: Array.from({ length: 11 }, () => 'en') }, 'invalid_request'],
  ])('refuses %s', async (_, change, type) => {
    const { answer } = await start();
    const { status, body } = await answer({ ...base, ...change });
    expect([status, body.error?.type]).toEqual([400, type]);
  });

  it('is retired by script, the later kind too', async () => {
    const { send, service } = await start();
    service.script.answer = { retired: true };
    const answers = await Promise.all([
      send('POST', '/chat/completions', base),
      send('POST', '/async/chat/completions', { request: base }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    expect(answers[1]?.text).toContain('"type":"chat_completions_not_available"');
  });
});
