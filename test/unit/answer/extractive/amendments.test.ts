import { describe, expect, it } from 'vitest';
import { answerExtractive } from '../../../../src/answer/extractive/extractive.ts';
import { chunkOf, hitOf, statisticsOf } from '../hits.ts';

const lease = {
  text: '# Berth contract\n\nsigned on 4 March 2021\n\nThe yearly fee of the berth is 900 euros. The contract begins on 1 April 2021. The owner pays for ropes.\n',
  title: 'Berth contract',
  uri: 'berth.md',
};
const first = {
  text: '# Amendment no. 1 to the berth contract\n\nFrom 1 January 2023 the yearly fee of the berth is 980 euros. The contract is prolonged to 30 June 2027.\n',
  title: 'Amendment no. 1 to the berth contract',
  uri: 'berth-1.md',
};
const second = {
  text: '# Amendment no. 2 to the berth contract\n\nFrom 1 January 2025 the yearly fee of the berth is 1,050 euros.\n',
  title: 'Amendment no. 2 to the berth contract',
  uri: 'berth-2.md',
};

function ask(question: string, texts: readonly { text: string; title: string; uri: string }[]) {
  const hits = texts.map(({ text, ...rest }, i) => hitOf(chunkOf(text, rest), 1 - i / 20));
  const statistics = statisticsOf(texts.map(({ text }) => text));
  return answerExtractive(question, hits, statistics, { sentences: 2, refuseBelow: 0.1, answerFrom: 0.3 });
}

describe('an amendment', () => {
  const fee = 'How much is the yearly fee of the berth?';

  it('answers in place of what it changes, which stands beside it', () => {
    const { answer, citations, related, contradiction } = ask(fee, [lease, first]);
    expect(answer).toContain('980 euros');
    expect(answer).not.toContain('900 euros');
    expect(citations[0]!.uri).toBe('berth-1.md');
    expect(related?.some(({ quote }) => quote.includes('900 euros'))).toBe(true);
    expect(contradiction).toBeUndefined();
  });

  it('gives way to one with a higher number', () => {
    for (const texts of [
      [lease, first, second],
      [lease, second, first],
    ])
      expect(ask(fee, texts).citations[0]!.uri).toBe('berth-2.md');
  });

  it.each([
    'When does the contract begin?',
    'How much was the yearly fee of the berth in 2021?',
    'Who pays for ropes?',
  ])('changes nothing else: %s', (question) => {
    expect(ask(question, [lease, first]).citations[0]!.uri).toBe('berth.md');
  });
});
