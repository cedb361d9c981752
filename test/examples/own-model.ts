import type { LanguageModel } from '../../src/index.ts';

/** Stands for a model that writes text, piece by piece, and knows no citations: a local server, a gateway. */
async function* complete(system: string, prompt: string): AsyncGenerator<string> {
  if (system === '') throw new Error('a model is told its rules');
  // a real model would be sent both; this one repeats the first passage of the prompt with its mark
  const passage = /\[(s\d+\.\d+)\]\s*(.+)/.exec(prompt);
  for (const word of (passage ? `${passage[2]} [${passage[1]}]` : 'Nothing is known of that.').split(' '))
    yield `${word} `;
}

/**
 * A model of one's own: ibid writes marks such as [s1.2] before the passages, and proves each mark the model repeats.
 */
export const ownModel: LanguageModel = {
  id: 'parrot-1',
  contextTokens: 32_000,
  maxOutputTokens: 1000,
  citesPassages: false,
  estimateUsd: () => 0, // `undefined` for a model without a price
  async *write({ instructions, turns }, { signal } = {}) {
    signal?.throwIfAborted();
    const prompt = turns.map(({ role, text }) => `${role}: ${text}`).join('\n\n');
    let length = 0;
    for await (const text of complete(instructions, prompt)) {
      length += text.length;
      yield { type: 'text', block: 0, text };
    }
    yield { type: 'blockEnd', block: 0 };
    const usage = {
      inputTokens: prompt.length >> 2,
      outputTokens: length >> 2,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
    };
    yield { type: 'stop', stop: 'end', usage, costUsd: 0 };
  },
};
