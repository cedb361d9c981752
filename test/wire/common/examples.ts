/**
 * One short example per operation: the body of its function without the `return`. Type-checked here, run against the
 * loopback server by `contract.test.ts`, printed in the reference.
 */
import type { CommonService } from '../../../src/wire/common/index.ts';

type Example = (client: CommonService) => Promise<unknown>;

const recording: Uint8Array = new TextEncoder().encode('the ferry leaves at seven');

export const examples: Readonly<Record<string, Example>> = {
  embeddings: async (client) => {
    const { vectors, tokens } = await client.embeddings({ model: 'embedder', input: ['ferry', 'harbour'] });
    const dimensions = vectors[0]?.length;
    return { dimensions, tokens };
  },
  chat: async (client) => {
    const answer = await client.chat.create({
      model: 'writer',
      messages: [{ role: 'user', content: 'When does the ferry leave?' }],
      max_tokens: 100,
    });
    const { text, toolCalls, usage } = answer;
    return { text, toolCalls, usage };
  },
  chatStream: async (client) => {
    const stream = client.chat.stream({
      model: 'writer',
      messages: [{ role: 'user', content: 'When does the ferry leave?' }],
      stream_options: { include_usage: true },
    });
    let text = '';
    for await (const delta of stream) text += delta.text;
    const { usage } = stream.completion;
    return { text, usage };
  },
  rerank: async (client) => {
    const documents = ['Prune the roses in March.', 'The ferry leaves the harbour at seven.'];
    const { scores } = await client.rerank({ model: 'reranker', query: 'ferry harbour', documents });
    return scores;
  },
  models: async (client) => {
    const models = await client.models();
    const names = models.map(({ id }) => id);
    return names;
  },
  transcribe: async (client) => {
    const { text, words } = await client.transcribe({ model: 'writer', file: recording, filename: 'ferry.wav' });
    return { text, words };
  },
  speech: async (client) => {
    const sound = await client.speech({ model: 'writer', input: 'At seven.', voice: 'alloy', response_format: 'wav' });
    const pieces: Uint8Array[] = [];
    for await (const piece of sound) pieces.push(piece);
    return Buffer.concat(pieces);
  },
};
