import { describe, expect, it } from 'vitest';
import { commonOperationNames } from '../../../src/wire/common/index.ts';
import { examples } from './examples.ts';
import { served } from './support.ts';

/** The request that an example sends, and what must be true of its result. */
const contracts: Readonly<Record<string, { readonly request: string; readonly result: unknown }>> = {
  embeddings: { request: 'POST /v1/embeddings', result: { dimensions: 20, tokens: expect.any(Number) } },
  chat: {
    request: 'POST /v1/chat/completions',
    result: {
      text: 'The sources do not answer this.',
      toolCalls: [],
      usage: expect.objectContaining({ prompt_tokens: 6 }),
    },
  },
  chatStream: {
    request: 'POST /v1/chat/completions',
    result: { text: 'The sources do not answer this.', usage: expect.objectContaining({ prompt_tokens: 6 }) },
  },
  rerank: { request: 'POST /v1/rerank', result: [0, 1] },
  models: { request: 'GET /v1/models', result: ['embedder', 'writer', 'reranker'] },
  transcribe: {
    request: 'POST /v1/audio/transcriptions',
    result: {
      text: 'the ferry leaves at seven',
      words: expect.arrayContaining([{ word: 'ferry', start: 0.5, end: 0.9 }]),
    },
  },
  speech: { request: 'POST /v1/audio/speech', result: expect.toSatisfy(isSoundOfNineCharacters) },
};

/** RIFF, its 44 bytes of head, and 60 ms a character at 24,000 samples of two bytes a second. */
function isSoundOfNineCharacters(wav: Buffer): boolean {
  return wav.toString('latin1', 0, 4) === 'RIFF' && wav.length === 44 + 9 * 0.06 * 24_000 * 2;
}

describe('each example of the common dialect', () => {
  it.each(commonOperationNames)('%s', async (name) => {
    const key = name.replace(/^common\./, '');
    const { server, client } = await served();
    expect(await examples[key]!(client)).toEqual(contracts[key]!.result);
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([contracts[key]!.request]);
  });
});
