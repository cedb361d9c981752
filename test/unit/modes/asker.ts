import type { Answer } from '../../../src/answer/contract.ts';
import { answerExtractive } from '../../../src/answer/extractive/extractive.ts';
import { type ChunkOptions, chunkOf, hitOf, statisticsOf } from '../answer/hits.ts';

export interface Page extends ChunkOptions {
  readonly text: string;
  readonly title: string;
}

export interface Asker {
  readonly ask: (question: string) => Promise<Answer>;
  readonly asked: readonly string[];
}

/** Answers from all pages, those with most words of the question first, and notes what was asked. */
export function askerOf(pages: readonly Page[]): Asker {
  const asked: string[] = [];
  const ask = async (question: string): Promise<Answer> => {
    asked.push(question);
    const words = question.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
    const score = ({ text, title }: Page): number =>
      words.filter((word) => `${title} ${text}`.toLowerCase().includes(word)).length;
    const hits = pages
      .toSorted((a, b) => score(b) - score(a))
      .map((one, i) => hitOf(chunkOf(one.text, one), 1 - i * 0.3));
    const statistics = statisticsOf(pages.map(({ title, text }) => `${title} ${text}`));
    return answerExtractive(question, hits, statistics, { refuseBelow: 0.1, answerFrom: 0.3 });
  };
  return { ask, asked };
}
