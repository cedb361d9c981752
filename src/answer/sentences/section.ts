import { type AnalysedWord, analyseWords } from '../../text/analysis/words.ts';
import { nameOfTitle } from '../../text/title-line.ts';
import { lineCommentMark } from './code.ts';
import { askedTerm, kindOfThing } from './defined.ts';
import type { Candidate } from './features.ts';
import { describedBy, statementName } from './headings.ts';
import { identifiersIn, lacksMember } from './identifiers.ts';
import { matchTerms, type Question, sameWord } from './question.ts';
import { asksForPart } from './signature.ts';
import { announcesExamples } from './unfit.ts';
import { holdsWanted } from './wanted.ts';

/** On the scale of the trees: what a section says first seldom repeats the words of its heading. */
const gain = 2;
/** A comment has still fewer, and the line that it stands above has the name. */
const gainOfComment = 4;
const gainOfDescription = 8;
/** How a thing is used, not what it does: `This rule takes an object.` */
const saysOfUse = /^this \p{L}+ (?:has|takes|accepts|supports|needs|requires|was) /iu;
const fewestWords = 5;
const explains: ReadonlySet<Question['type']> = new Set(['definition', 'other']);
const figures: ReadonlySet<Question['type']> = new Set(['number', 'date']);
/** `The default is 12.` below `Maximum number of guests`, `Lifts the hook.` below `Description` */
const fewestOfFigure = 3;
/** `MIT` is all that stands below `License`. */
const sectionEnd = /^\s*(?:$|#{1,6}\s)/;
/** Below a heading that asks the question itself, as in a list of frequent questions. */
const gainBelowQuestion = 5;
const asks = /[?？؟]\s*$/;
/** Behind a heading: marks of bold letters, and pictures with or without a link, as badges of projects. */
const afterHeading =
  /(?:\*\*|__)?(?:\s*\[?!\[[^\]\n]*\](?:\([^)\n]*\)|\[[^\]\n]*\])(?:\](?:\([^)\n]*\)|\[[^\]\n]*\]))?)*\s*$/;
/** `Yes, it does.` */
const fewestAlone = 3;

/** A comment begins, as code has it on what follows or above it. */
const commentBegins = /(?:^|\n)[ \t]*(?:\/\*\*?|"{3}|'{3})[\s*]*$/;
/** Behind imports, so that it is no licence; and the passage ends before it does. */
const opensCut = /\bimport\b[\s\S]*\n[ \t]*\/\*\*[\s*]*$/;
const commentEnds = /\*\//;
const commentLine = new RegExp(String.raw`^[ \t]*${lineCommentMark}`);
/** The last line of a text has the mark of a comment, and nothing behind it yet. */
const markAlone = new RegExp(String.raw`^[ \t]*(${lineCommentMark})[\s/!#;-]*$`);
/** Of a comment, which may say `Withdraws money.` */
const fewestOfComment = 2;

/**
 * How much a sentence gains since its section begins with it and the section is what the question asks about: `What does
 * debounceTime do?`, answered by the first sentence below the heading `debounceTime`, or of the comment on the function
 * of that name; else 0. A heading that is a question is answered by it whatever is asked for; where a word or two are the
 * whole section, they are the value of what its heading names.
 */
export function sectionGain(question: Question, candidate: Candidate): number {
  const { passage, unit, tokens, headings } = candidate;
  const { text, format, title } = passage.hit.chunk;
  // a comment behind the imports of `delay.ts` is cut from what it explains
  const heading = headings.at(-1) ?? (format === 'code' ? title.replace(/\.\w+$/, '') : undefined);
  if (heading === undefined || unit.kind !== 'sentence') return 0;
  const isAsked = asks.test(heading);
  const before = text.slice(0, unit.start);
  const own = text.slice(unit.start, unit.end);
  const opens = /^[\s*/"'#;-]*/.exec(own)![0];
  const isComment =
    format === 'code' &&
    (headings.length === 0
      ? opensCut.test(before + opens) && !commentEnds.test(text.slice(unit.start))
      : commentBegins.test(before + opens) || heads(before + opens, text, unit, heading));
  // `Description` says nothing of what is described below it
  const named = headings.length === 0 ? heading : describedBy(title, headings);
  // `hoist — Ropes and hooks`
  const name = askedTerm(question)?.asksUse ? nameOfTitle(named) : named;
  const words = isComment ? own.replace(heading, '').match(/\p{L}+/gu)?.length : tokens.length;
  const isFigure = figures.has(question.type) && holdsWanted(question, candidate.holds) === 1;
  const isProse =
    (words ?? 0) >= (isComment ? fewestOfComment : isFigure || named !== heading ? fewestOfFigure : fewestWords) &&
    (isFigure || explains.has(question.type));
  const isValue = tokens.length < fewestWords && sectionEnd.test(text.slice(unit.end));
  const isWanted = explains.has(question.type) || holdsWanted(question, candidate.holds) > 0.3;
  if (!isAsked && !isProse && !(isValue && isWanted)) return 0;
  if (!isAbout(question, candidate, name) || lacksMember(question, name)) return 0;
  if (own.replace(afterHeading, '') === '' || note.test(`\n${own}`) || announcesExamples(candidate)) return 0;
  const begins =
    isComment ||
    withoutNotes(before).replace(afterHeading, '').endsWith(heading) ||
    statementName(before.trimEnd().split('\n\n').at(-1)!) === heading;
  const others = otherWords(question, name);
  if (!begins || !namesNothingElse(question, others)) return 0;
  if (isAsked) return gainBelowQuestion;
  if (isComment && !asksForPart(question)) return gainOfComment;
  const isDescribed = (named !== heading || name !== named) && others.every(({ word }) => kindOfThing.test(word));
  const describes = isDescribed && askedTerm(question)?.asksUse && !saysOfUse.test(own);
  return describes ? gainOfDescription : gain;
}

/** What stands below a heading and above the text: `Source code: lib/hoist.py`, `New in version 3.2.` */
const note = /\n\s*(?:source code|(?:new|added|changed|deprecated) (?:in|since)|availability|since)\b[^\n]*\s*$/iu;

function withoutNotes(before: string): string {
  let text = before;
  while (note.test(text)) text = text.replace(note, '');
  return text;
}

/** Whether a comment of lines begins here, and stands above what the heading names. */
function heads(before: string, text: string, { end }: { end: number }, heading: string): boolean {
  const lines = before.split('\n');
  const mark = markAlone.exec(lines.at(-1)!)?.[1];
  if (mark === undefined || lines.at(-2)?.trimStart().startsWith(mark)) return false;
  const below = text.slice(end).split('\n').slice(1);
  return below.find((line) => !commentLine.test(line) && !/^\s*[@[]/.test(line))?.includes(heading) ?? false;
}

/** Whether a sentence says too little to stand alone, as `No.` below the heading that asks. */
export function goesOn({ headings, tokens, unit }: Candidate): boolean {
  return unit.kind === 'sentence' && tokens.length <= fewestAlone && asks.test(headings.at(-1) ?? '');
}

/**
 * The heading has every word of the question; the address and what is above may have some, as in `What does debounceTime
 * do in RxJS?`, and in `What does the X-Frame-Options header do?`, asked of what stands below `Headers`.
 */
function isAbout(question: Question, candidate: Candidate, heading: string): boolean {
  const { terms, tokens } = question;
  if (terms.length === 0) return false;
  const { passage, titleMatch, headings } = candidate;
  const headingMatch =
    heading === headings.at(-1) ? candidate.headingMatch : matchTerms(question, analyseWords(heading));
  if (headingMatch.every((match) => match >= sameWord)) return true;
  const inAddress = matchTerms(question, analyseWords(passage.hit.chunk.uri));
  // `the hoist setting`: what it is called behind its name
  const kind = tokens.findLast(({ empty, term }) => !empty && terms.some((one) => one.term === term));
  const isNamed = identifiersIn(question.text).length > 0;
  const places = new Map<number, 'heading' | 'above' | undefined>();
  for (const { start, term } of tokens) {
    const j = terms.findIndex((one) => one.term === term);
    if (j < 0 || places.has(start)) continue; // the parts of an identifier stand at its place
    const isAbove =
      inAddress[j] === 1 ||
      (isNamed && titleMatch[j]! >= sameWord) ||
      (start === kind?.start && kindOfThing.test(kind.word));
    places.set(start, headingMatch[j]! >= sameWord ? 'heading' : isAbove ? 'above' : undefined);
  }
  const words = [...places.values()];
  return words.includes('heading') && !words.includes(undefined);
}

/** `2.6. May I install it?` */
const sectionNumber = /^\s*(?:\p{L}\.)?\p{Nd}+(?:\.\p{Nd}+)*\.?\s+/u;

/** `pop [--index] <stash>` is about `pop`. */
const argument = /\[[^\]\n]*\]|<[^>\n]*>/g;

/** Of a word alone, `Split index` is not about the index; `The index file` and `Overview of the index` are. */
const saysNothingElse =
  /^(?:about|basics?|definitions?|descriptions?|general|introduction|overview|summary|using|usage|working|einführung|überblick|introducción|panoramica|aperçu|visão)$/u;

/** The words of a heading that a question has not; of an identifier, which it stands before, its parts as well. */
function otherWords({ known }: Question, heading: string): AnalysedWord[] {
  const isKnown = ({ term }: AnalysedWord): boolean => known.has(term);
  const words = analyseWords(heading.replace(sectionNumber, '').replace(argument, '')).filter(({ empty }) => !empty);
  const places = Object.values(Object.groupBy(words, ({ start }) => start)) as AnalysedWord[][];
  return places
    .filter(([whole, ...parts]) => !isKnown(whole!) && (parts.length === 0 || !parts.every(isKnown)))
    .flatMap(([whole, ...parts]) => [whole!, ...parts.filter((part) => !isKnown(part))]);
}

/** Whether all words of a heading that say something are the question's, but for one. */
function namesNothingElse({ terms, type }: Question, others: readonly AnalysedWord[]): boolean {
  if (terms.length > 1 || type !== 'definition') return others.length <= 1;
  return others.every(({ word }) => kindOfThing.test(word) || saysNothingElse.test(word));
}
