import { analyseWords } from '../../../text/analysis/words.ts';
import {
  asksMeaning,
  asksWhatNameIs,
  asksWhatOneIs,
  copula,
  explainsMeaning,
  isDone,
} from '../../../text/languages/definitions.ts';
import { beginsAsked } from '../manuals/manual-entry.ts';
import type { Candidate } from '../question/candidate.ts';
import { askedTerm, definitionGain } from '../question/defined.ts';
import { holdsAnyTerm, type Question } from '../question/question.ts';
import { isProgram } from '../structure/code.ts';
import { commentLine } from '../structure/comment-over.ts';
import { withTerm } from '../structure/definitions.ts';
import { entryHead } from '../structure/dictionary.ts';
import { textOf } from '../structure/unit-text.ts';
import { sectionGain } from './section.ts';
import { spelledGain } from './spelled-out.ts';

const asks = [asksMeaning, asksWhatOneIs, asksWhatNameIs];

/** `Note:` explains nothing. */
const noticeLabel = /^\W*(?:note|tip|hint|warning|caution|important|example):/iu;

/** Whether it is asked what a word means, or what such a thing is, and a sentence only uses the word. */
export function lacksMeaning(question: Question, candidate: Candidate): boolean {
  const term = asks.some((pattern) => pattern.test(question.text)) ? askedTerm(question) : undefined;
  if (term === undefined || term.asksUse || candidate.unit.kind === 'row') return false;
  if (entryHead.test(textOf(candidate))) return true;
  if (
    explainsMeaning.test(textOf(candidate).replace(noticeLabel, '')) ||
    beginsAsked(question, candidate) ||
    isExplained(candidate) ||
    isOfTerm(question, candidate)
  )
    return false;
  if (definitionGain(question, term, candidate) > 0) return false;
  if (!asksMeaning.test(question.text) && saysWhatItIs(question, candidate)) return false;
  if (asksWhatNameIs.test(question.text) && beginsWithName(question, candidate)) return false;
  return spelledGain(question, candidate) === 0 && sectionGain(question, candidate) === 0;
}

/** `Tern OS runs on barges.`, of what Tern is. */
function beginsWithName(question: Question, { tokens }: Candidate): boolean {
  return holdsAnyTerm(
    question,
    tokens.find(({ empty }) => !empty),
  );
}

/** `A typical rig is light.`, not `Rigs are often used`: the word is the subject of what it is. */
function saysWhatItIs(question: Question, { tokens }: Candidate): boolean {
  return tokens.some(({ word }, i) => {
    if (i === 0 || !copula.test(word) || isDone.test(tokens[i + 1]?.word ?? '')) return false;
    return holdsAnyTerm(question, tokens[i - 1]);
  });
}

/** `Hook` over what it is, in a glossary: a term whose words are all of the question. */
function isOfTerm(question: Question, { passage, unit }: Candidate): boolean {
  const { text } = passage.hit.chunk;
  const own = text.slice(unit.start, unit.end);
  if (withTerm(own, text.slice(0, unit.start)) === own) return false;
  const name = analyseWords(own.slice(0, own.indexOf('\n'))).filter(({ empty }) => !empty);
  return name.length > 0 && name.every((token) => question.terms.some(({ term }) => term === token.term));
}

/** `-- litres per pulse` over the name: a comment in a program, together with what it explains. */
function isExplained({ passage, unit }: Candidate): boolean {
  const own = textOf({ passage, unit });
  return isProgram(passage.hit.chunk.format) && own.includes('\n') && commentLine.test(own);
}
