import { wholeOf } from '../../core/arguments.ts';
import type { Hit, Span } from '../../core/types.ts';
import type { CollectionStatistics } from '../../retrieve/collection-statistics.ts';
import { documentsAsked } from '../../text/languages/documents-asked.ts';
import { confidenceOf, judgeSentences } from '../answerability/answerability.ts';
import type { Answer, AnswerOptions } from '../contract.ts';
import { isDoubtful } from '../sentences/checks/doubts.ts';
import { codeGain } from '../sentences/manuals/code-asked.ts';
import { gainOfRelease, releaseAtEnd } from '../sentences/manuals/latest-release.ts';
import { settlesManualEntry } from '../sentences/manuals/manual-entry.ts';
import { settlesMember } from '../sentences/manuals/member-entry.ts';
import { releaseDayGain } from '../sentences/manuals/release.ts';
import type { Candidate, Scored, WholeDocuments } from '../sentences/question/candidate.ts';
import type { Question } from '../sentences/question/question.ts';
import { type Choice, choose } from '../sentences/ranking/select.ts';
import { settlesBeginning } from '../sentences/rules/beginning.ts';
import { namesakeGain } from '../sentences/rules/called.ts';
import { countsAll, settlesHowOften } from '../sentences/rules/counted.ts';
import { headedListAround, headedListGain } from '../sentences/rules/headed-list.ts';
import { settlesLabel } from '../sentences/rules/labelled.ts';
import { letterGain } from '../sentences/rules/letter.ts';
import { lifeGain } from '../sentences/rules/life-dates.ts';
import { settlesLimit } from '../sentences/rules/limit-said.ts';
import { listGain } from '../sentences/rules/list-lead.ts';
import { asksHowMany } from '../sentences/rules/listed-rows.ts';
import { settlesPermission } from '../sentences/rules/permission.ts';
import { procedureAround, showsWay, wayFound } from '../sentences/rules/procedure.ts';
import { settlingRows } from '../sentences/rules/row-settles.ts';
import { saysNoMore } from '../sentences/rules/says-no-more.ts';
import { settlesDictionaryEntry, settlesHeading } from '../sentences/rules/section.ts';
import { signKeyGain } from '../sentences/rules/sign-key.ts';
import { settlesLetters } from '../sentences/rules/spelled-out.ts';
import { stepsFound } from '../sentences/rules/step-asked.ts';
import { tenureGain } from '../sentences/rules/tenure.ts';
import { validFromGain } from '../sentences/rules/valid-from.ts';
import { leadsToSteps } from '../sentences/rules/way.ts';
import { highlightOf } from '../sentences/spans/highlight.ts';
import { phrasesFor } from '../set-phrases.ts';
import { compose } from './compose.ts';
import { type Apart, composeApart, contradictionOf } from './contradiction.ts';

const usualSentences = 3;
/** A list that is asked for has all of its rows, or is none. */
const mostRows = 12;

/**
 * Answers with sentences of the hits, each cited, or says that the index does not know. What else comes near stands
 * beside the answer as related passages.
 * @param hits best first; their chunks' texts are what is quoted
 * @param statistics must know the terms of `contentTerms(question)`
 * @param whole documents all of whose passages are among the hits, so that their tables can be compared
 * @throws IbidError INVALID_ARGUMENT for a bad option
 */
export function answerExtractive(
  question: string,
  hits: readonly Hit[],
  statistics: CollectionStatistics,
  { sentences: given, ...thresholds }: AnswerOptions = {},
  whole?: WholeDocuments,
): Answer {
  const sentences = given ?? usualSentences;
  wholeOf(sentences, 'sentences', 1);
  const phrases = phrasesFor(question, hits);
  const { analysed, ranked, judged, support } = judgeSentences(question, hits, statistics);
  const choice = choose(analysed, ranked, judged, sentences, whole, given ?? mostRows);
  const byRule = ruledBy(analysed, choice, ranked, whole);
  const supported = byRule.isSettled ? 'high' : confidenceOf(support, thresholds, choice.sureness);
  const isLow =
    supported === 'high'
      ? !byRule.isCertain && !choice.isTogether && isDoubtful(analysed, choice, ranked)
      : supported === 'none' && byRule.isFound;
  const confidence = isLow ? 'low' : supported;
  if (confidence !== 'none') {
    const highlight = (candidate: Candidate): Span | undefined => highlightOf(analysed, candidate);
    const apart = choice.isTogether ? undefined : contradictionOf(analysed, choice, ranked);
    const { text, citations, related, contradiction } =
      apart && !apart.replaces && confidence === 'high'
        ? composeApart(apart, phrases.otherwise, { highlight })
        : {
            ...compose(withRivals(choice, apart, sentences), {
              opening: confidence === 'low' ? phrases.doubt : countOf(analysed, choice),
              titled: choice.isTogether && (documentsOf(choice).size > 1 || documentsAsked(question) !== undefined),
              highlight,
              saysNoMore: (candidate) =>
                saysNoMore(analysed, candidate) || leadsToSteps(analysed, candidate) || showsWay(analysed, candidate),
              together: (candidate) => [
                ...procedureAround(analysed, candidate),
                ...headedListAround(analysed, candidate),
              ],
              isHeaded: (candidate) => headedListGain(analysed, candidate) > 0,
            }),
            contradiction: undefined,
          };
    const beside = contradiction && { contradiction };
    if (citations.length > 0)
      return { question, answer: text, abstained: false, confidence, support, citations, ...beside, related, hits };
  }
  const { related } = compose({ answer: [], related: [...choice.answer, ...choice.related] });
  return {
    question,
    answer: phrases.refusal,
    abstained: true,
    confidence: 'none',
    support,
    citations: [],
    related,
    hits,
  };
}

/** `3: ` before the rows that a question counts. */
function countOf(question: Question, { answer, isTogether = false }: Choice): string {
  return isTogether && asksHowMany(question) && answer.every(({ candidate }) => candidate.unit.kind === 'row')
    ? `${answer.length}: `
    : '';
}

const documentsOf = ({ answer }: Choice): Set<string> =>
  new Set(answer.map(({ candidate }) => candidate.passage.hit.chunk.uri));

/** What rules say of an answer, by its first sentence, whatever its support. */
function ruledBy(
  question: Question,
  { answer, isTogether = false, isStated = false }: Choice,
  ranked: readonly Scored[],
  whole: WholeDocuments | undefined,
): Record<'isSettled' | 'isFound' | 'isCertain', boolean> {
  const [first] = answer;
  if (first === undefined) return { isSettled: isTogether, isFound: isStated, isCertain: false };
  const { candidate } = first;
  // a row of a list has little support, and so has a rule in other words than the question
  const isOfRow = settlingRows(question, ranked, whole).has(candidate);
  const isOfStep = stepsFound(question, ranked).wanted.has(candidate);
  const way = wayFound(question, ranked);
  const isWhole = way?.isWhole === true && way.begins === candidate; // of a procedure for just what is asked
  const isOfRelease = gainOfRelease(releaseAtEnd(question, ranked, whole ?? new Set()), candidate) > 0;
  const isPlaced = isOfRow || isOfStep || isOfRelease;
  return {
    isSettled: isPlaced || isWhole || isTogether || settling.some((settles) => settles(question, candidate)),
    // a common word alone gives little support, but what a rule states or counts is there
    isFound: isStated || countsAll(question, candidate),
    // so is the part of an entry that is asked for, whatever it leaves out, and a whole table
    isCertain: isPlaced || settlesMember(question, candidate) || headedListGain(question, candidate) > 0,
  };
}

/** What answers whatever else was found. */
const settling: readonly ((question: Question, candidate: Candidate) => boolean)[] = [
  settlesPermission, // says whether it may be done
  (question, candidate) => letterGain(question, candidate) > 0, // names who wrote a letter, or to whom
  (question, candidate) => signKeyGain(question, candidate) > 0, // is the row of the key that is written
  settlesLabel, // says it under a label
  settlesHowOften, // says how often just that happens
  settlesLetters, // spells out the abbreviation
  settlesManualEntry, // is the entry of the option, code, variable or file that is asked about
  (question, candidate) => codeGain(question, candidate) > 0, // is the code that is asked for by what it means
  (question, candidate) => releaseDayGain(question, candidate) > 0, // is the heading of a version with its day
  settlesMember, // is the part that is asked for, of the entry of a function
  (question, candidate) => listGain(question, candidate) > 0, // announces a list of all that is asked for
  (question, candidate) => headedListGain(question, candidate) > 0, // opens it
  settlesHeading, // stands first below a heading that asks just this
  settlesDictionaryEntry, // opens the entry of a dictionary
  settlesLimit, // sets the limit of just what is asked for
  settlesBeginning, // dates the beginning that is asked for, or names who began it
  (question, candidate) => validFromGain(question, candidate) > 0, // dates from when on it is valid
  (question, candidate) => namesakeGain(question, candidate) > 0, // tells after whom the thing is called
  (question, candidate) => tenureGain(question, candidate) > 0, // says who had the office in the year that is asked for
  (question, candidate) => lifeGain(question, candidate) > 0, // has the life of who is asked for
];

/**
 * A doubtful answer is that of the newest document; what says otherwise comes first of what stands beside it. Without
 * a date of its own the answer stays what it is.
 * @param limit sentences of both together
 */
function withRivals(choice: Choice, apart: Apart | undefined, limit: number): Choice {
  if (!apart) return choice;
  const [first] = choice.answer;
  const isDated = apart.replaces || apart.answers.some(({ judged, date }) => judged === first && date !== undefined);
  const newest = isDated ? apart.answers[0]!.judged : first;
  const answer = newest === undefined || newest === first ? choice.answer : [newest];
  const others = apart.answers.flatMap(({ judged }) => (judged === newest ? [] : [judged]));
  return { ...choice, answer, related: [...others, ...apart.related].slice(0, Math.max(0, limit - answer.length)) };
}
