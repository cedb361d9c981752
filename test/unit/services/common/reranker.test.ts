import { describe, expect, it } from 'vitest';
import { Meter } from '../../../../src/core/meter.ts';
import { rerankHits } from '../../../../src/retrieve/rerank.ts';
import type { ChatDraft, SentChat } from '../../../wire/service/common/chat-model.ts';
import type { CommonStandInOptions } from '../../../wire/service/common/common-service.ts';
import { chunkOf, hitOf } from '../../answer/hits.ts';
import { ownModels } from './support.ts';

const texts = ['The kettle is filled by whoever leaves.', 'Its pressure is 40 bar.', 'The valve opens above 45 bar.'];
const hits = texts.map((text, i) => hitOf(chunkOf(text, { position: i, title: 'Manual' }), 0.9 - i / 10));
const query = 'At which pressure does the valve open?';
const scores = [
  { passage: 1, score: 0 },
  { passage: 2, score: 60 },
  { passage: 3, score: 100 },
];
const answer = JSON.stringify({ scores });

const scoring = async (chat: (request: SentChat) => ChatDraft, options: CommonStandInOptions = {}) => {
  const own = await ownModels({ reranks: false, models: [{ id: 'writer' }], chat, ...options });
  const reranker = own.models.reranker({ model: 'writer', usdPerMillionTokens: 1000 });
  const paths = (): string[] => own.server.requests.map(({ path }) => path);
  const chats = (): SentChat[] =>
    own.server.requests.flatMap(({ path, body }) => (path.endsWith('chat/completions') ? [body as SentChat] : []));
  return { ...own, reranker, paths, chats };
};

describe('a reranker of a server that has no path for it', () => {
  it('is a model that writes, asked by a schema; that is found out once, said, and paid for', async () => {
    const { models, reranker, server, paths, chats } = await scoring(() => ({ content: answer }));
    const meter = new Meter(1);
    const first = await rerankHits(query, hits, reranker, { meter });
    expect(first.error).toBeUndefined();
    expect(first.hits.map(({ chunk }) => chunk.position)).toEqual([2, 1, 0]);
    const { inputTokens, outputTokens } = server.ledger.totals('chat');
    expect(inputTokens + outputTokens).toBeGreaterThan(100);
    expect(meter.spentUsd).toBeCloseTo((inputTokens + outputTokens) / 1000, 9);
    const looked = paths().length;
    await rerankHits(query, hits, reranker);
    expect(paths().slice(looked)).toEqual(['/v1/chat/completions']);
    const [{ response_format: format, stream_options: options }] = chats() as [SentChat];
    expect([format, options]).toMatchObject([{ type: 'json_schema', json_schema: { strict: true } }, undefined]);
    expect(models.unable).toEqual(['"writer" has no path for reranking: it scores by chat']);
  });

  it('does without the schema where the server takes none', async () => {
    const { models, reranker, chats } = await scoring(
      () => ({ content: `<think>{1}</think>Well:\n${answer}\nDone.` }),
      {
        refuses: ['response_format'],
      },
    );
    for (let i = 0; i < 2; i++) {
      const { hits: found } = await rerankHits(query, hits, reranker);
      expect(found.map(({ chunk }) => chunk.position)).toEqual([2, 1, 0]);
    }
    expect(chats().map((request) => 'response_format' in request)).toEqual([true, false, false]);
    expect(models.unable.join()).toContain('does not take a JSON schema');
  });

  it('leaves room for what a model thinks, once it was cut', async () => {
    const cut = (request: SentChat): ChatDraft =>
      request.max_tokens! < 1000 ? { content: '', finish_reason: 'length' } : { content: answer };
    const { reranker, chats } = await scoring(cut);
    expect((await rerankHits(query, hits, reranker)).error).toBeUndefined();
    expect(chats()).toHaveLength(2);
  });

  it.each([
    ['no JSON', 'The third.'],
    ['a passage left out', JSON.stringify({ scores: scores.slice(1) })],
    ['a score beyond all', JSON.stringify({ scores: scores.map((one) => ({ ...one, score: 101 })) })],
  ])('keeps the order of the search for %s', async (_, content) => {
    const { reranker } = await scoring(() => ({ content }));
    const { error, hits: found } = await rerankHits(query, hits, reranker);
    expect(error).toMatchObject({ code: 'RESPONSE_INVALID' });
    expect(found.map(({ chunk }) => chunk.position)).toEqual([0, 1, 2]);
  });

  it('names the model where the server does not have it at all', async () => {
    const { reranker } = await scoring(() => ({ content: answer }), { models: [{ id: 'other' }] });
    const { error } = await rerankHits(query, hits, reranker);
    expect(error).toMatchObject({ code: 'REMOTE_NOT_FOUND', message: expect.stringContaining('"writer" not found') });
  });
});
