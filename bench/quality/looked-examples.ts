/** Questions of `../shared/data-train`, each with the sentences that a search finds and the answerer looks at. */
import { analyseQuestion, candidatesOf, collectionStatistics, lookCloser, rank } from '../../src/internal.ts';
import { type AnswerQuestion, isGold, openSet } from './answer-sets.ts';
import { loadTrainingSet } from './answer-training-sets.ts';

export type Looked = ReturnType<typeof lookCloser>[number];

export interface LookedExample {
  readonly set: string;
  readonly question: ReturnType<typeof analyseQuestion>;
  /** In the order of the linear model. */
  readonly looked: readonly Looked[];
  /** Which of them answer. */
  readonly gold: readonly boolean[];
  /** Short answers, where the set has them. */
  readonly answers: readonly string[];
}

/** @param limit questions at most, by a hash of their ids */
export async function lookedExamples(root: string, name: string, limit: number): Promise<LookedExample[]> {
  const set = loadTrainingSet(root, name, { answerable: limit, unanswerable: 0 });
  const open = await openSet(set);
  const out: LookedExample[] = [];
  for (const [i, { text, golds, answers }] of set.questions.entries()) {
    // People type questions without capitals and marks too.
    const asked = i % 3 === 0 ? text.toLowerCase().replace(/[?？؟]\s*$/, '') : text;
    const question = analyseQuestion(asked, await collectionStatistics(open.snapshot.lexical, asked));
    const looked = lookCloser(question, rank(candidatesOf(question, await open.ask(asked))));
    out.push({ set: name, question, looked, gold: looked.map((one) => isGoldSentence(one, golds)), answers });
  }
  console.error(`${name}: ${out.length} questions`);
  return out;
}

function isGoldSentence({ scored: { candidate } }: Looked, golds: AnswerQuestion['golds']): boolean {
  const { hit } = candidate.passage;
  const at = hit.chunk.span.start;
  const span = { start: at + candidate.unit.start, end: at + candidate.unit.end };
  return golds.some((list) => isGold(hit.chunk.uri, span, list));
}
