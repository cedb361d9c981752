import type { Answer } from '../../../../../src/answer/contract.ts';
import { answerExtractive } from '../../../../../src/answer/extractive/extractive.ts';
import type { Candidate } from '../../../../../src/answer/sentences/question/candidate.ts';
import { analyseQuestion, type Question } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { type ChunkOptions, chunkOf, hitOf, statisticsOf } from '../../hits.ts';

/** A question as a text of its own index has it, and the sentences of that text. */
export function analysed(
  question: string,
  text: string,
  options: ChunkOptions = {},
): { readonly asked: Question; readonly candidates: readonly Candidate[] } {
  const asked = analyseQuestion(question, statisticsOf([text]));
  return { asked, candidates: candidatesOf(asked, [hitOf(chunkOf(text, options))]) };
}

/** Sentences that gain by a rule, by their beginnings. */
export function gaining(
  rule: (question: Question, candidate: Candidate) => number,
  question: string,
  text: string,
  options: ChunkOptions = {},
): readonly string[] {
  const { asked, candidates } = analysed(question, text, options);
  return candidates
    .filter((candidate) => rule(asked, candidate) > 0)
    .map(({ passage, unit }) => passage.hit.chunk.text.slice(unit.start, unit.end).slice(0, 20));
}

/** An answer from one text, where all that it needs is support. */
export function answered(question: string, text: string, options: ChunkOptions = {}): Answer {
  const hits = [hitOf(chunkOf(text, options))];
  return answerExtractive(question, hits, statisticsOf([text]), { refuseBelow: 0, answerFrom: 0 });
}
