import { type AnalysedWord, analyseWords } from '../../../text/analysis/words.ts';
import { answerTypeOf, askingWord } from '../../../text/languages/answer-types.ts';
import { beginsCondition, indefiniteArticle, kindOfThing } from '../../../text/languages/definitions.ts';
import { saysNothingElse } from '../../../text/languages/heading-words.ts';
import { asksAtEnd } from '../../../text/languages/question-marks.ts';
import { nameOfTitle } from '../../../text/title-line.ts';
import { identifiersAsked, lacksMember } from '../manuals/identifiers.ts';
import { asksForPart } from '../manuals/signature.ts';
import type { Candidate } from '../question/candidate.ts';
import { askedTerm } from '../question/defined.ts';
import { matchTerms, positionOf, type Question, sameWord } from '../question/question.ts';
import { holdsWanted } from '../question/wanted.ts';
import { attributeOf } from '../structure/attribute-line.ts';
import { declaredIn } from '../structure/declaration-line.ts';
import { betweenNames } from '../structure/dictionary.ts';
import { beginsComment, beginsCutComment } from '../structure/doc-comment.ts';
import { describedBy, statementName } from '../structure/headings.ts';
import { textOf } from '../structure/unit-text.ts';
import { asksForAttribute } from './attribute.ts';
import { announcesExamples } from './unfit.ts';
import { tellsWay, wantsWay } from './way.ts';

/** On the scale of the trees: what a section says first seldom repeats the words of its heading. */
const gain = 2;
/** A comment has still fewer, and the line that it stands above has the name. */
const gainOfComment = 4;
const gainOfDescription = 8;
/** Of an entry of a dictionary, and more where the question writes its name in the same letters: `Mouse` is no `mouse`. */
const gainOfEntry = 7;
const gainOfSameName = 2;
const entryName = /(?:^|\n)\S[^\n]*\n[ \t]*\n[ \t]{2,}$/;
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
/** Below one that has all its words and no other. */
const gainBelowSame = 8;
/** Kinds of answers of which one is no answer to a question for another. */
const apart: ReadonlySet<Question['type']> = new Set([
  'number',
  'date',
  'person',
  'place',
  'reason',
  'steps',
  'choice',
]);
/** `These are the steps:` */
const announces = /[:：]\s*$/;
/** Behind a heading: marks of bold letters, and pictures with or without a link, as badges of projects. */
const afterHeading =
  /(?:\*\*|__)?(?:\s*\[?!\[[^\]\n]*\](?:\([^)\n]*\)|\[[^\]\n]*\])(?:\](?:\([^)\n]*\)|\[[^\]\n]*\]))?)*\s*$/;
/** `Yes, it does.` */
const fewestAlone = 3;

/** Of a comment, which may say `Withdraws money.` */
const fewestOfComment = 2;

/**
 * How much a sentence gains since its section begins with it and the section is what the question asks about: `What does
 * debounceTime do?`, answered by the first sentence below the heading `debounceTime`, or of the comment on the function
 * of that name; else 0. A heading that is a question is answered by it whatever is asked for; where a word or two are the
 * whole section, they are the value of what its heading names.
 */
export function sectionGain(question: Question, candidate: Candidate): number {
  const section = sectionOf(question, candidate);
  if (section === undefined || !mayAnswer(question, candidate, section)) return 0;
  const { heading, isComment } = section;
  const about = section.name.split(betweenNames).filter((one) => isAbout(question, candidate, one));
  const name = about.find((one) => namesNothingElse(question, otherWords(question, one)));
  if (name === undefined || lacksMember(question, name)) return 0;
  const { passage, unit } = candidate;
  const own = textOf(candidate);
  if (own.replace(afterHeading, '') === '' || note.test(`\n${own}`) || announcesExamples(candidate)) return 0;
  const others = otherWords(question, name);
  const before = passage.hit.chunk.text.slice(0, unit.start);
  if (!(isComment || beginsBelow(before, heading))) return 0;
  if (isAsking(heading)) {
    if (asksOther(question, heading)) return 0;
    const isSame = others.length === 0 && candidate.headingMatch.every((held) => held >= sameWord);
    return isSame ? gainBelowSame : gainBelowQuestion;
  }
  if (wantsWay(question) && (tellsWay(candidate) || announces.test(own)))
    return others.length === 0 ? gainBelowQuestion : 0;
  if (isComment && !asksForPart(question)) return gainOfComment;
  if (opensEntry(question, candidate)) return gainOfEntry + (isNamed(question, name) ? gainOfSameName : 0);
  const isDescribed = section.name !== heading && others.every(({ word }) => kindOfThing.test(word));
  const isBelowAttribute = attributeOf(lastLine(before)) !== undefined;
  if (opensFolder(question, candidate)) return gainOfDescription;
  if (isBelowAttribute && question.type === 'definition' && !asksForAttribute(question)) return gainOfDescription;
  if (others.length === 0 && opensDefinition(question, candidate)) return gainOfEntry;
  return isDescribed && askedTerm(question)?.asksUse && !saysOfUse.test(own) ? gainOfDescription : gain;
}

/** `When is it closed?`, `Why the gate is closed`, `3.2 How to open it` */
function isAsking(heading: string): boolean {
  return asksAtEnd.test(heading) || askingWord(heading.replace(sectionNumber, ''))?.start === 0;
}

/** `How often is it cleaned?`, asked how it is cleaned. */
function asksOther({ type, language }: Question, heading: string): boolean {
  const other = answerTypeOf(heading.replace(sectionNumber, ''), language);
  return type !== other && apart.has(type) && apart.has(other);
}

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1)!;

/** Whether it says what the folder is, first of all: below a heading that is the name which is asked about. */
function opensFolder({ type }: Question, candidate: Candidate): boolean {
  const { passage, headingMatch } = candidate;
  if (type !== 'definition' || passage.ofSubject !== 'own' || passage.hit.chunk.position > 0) return false;
  if (/^\W*!\[/u.test(textOf(candidate))) return false; // a badge
  return headingMatch.every((match) => match === 1);
}

/** Whether a sentence is the first one of an entry of a dictionary, where a definition is asked for. */
function opensEntry({ type }: Question, { passage: { hit }, unit }: Candidate): boolean {
  const { format, text } = hit.chunk;
  return format === 'text' && type === 'definition' && entryName.test(text.slice(0, unit.start));
}

/** `A part of a crane that holds the load.` below `Hook`, where a glossary leaves out `A hook is`. */
function opensDefinition(question: Question, { tokens }: Candidate): boolean {
  const term = askedTerm(question);
  return term?.asksUse === false && tokens[0] !== undefined && indefiniteArticle.test(tokens[0].word);
}

/** `PDA` in `What is a PDA?` */
function isNamed({ text }: Question, name: string): boolean {
  const at = text.indexOf(name);
  return at >= 0 && !/[\p{L}\p{N}]/u.test(`${text[at - 1] ?? ''}${text[at + name.length] ?? ''}`);
}

/** Whether a sentence opens the entry of just what is asked for, and answers so however few words of it are found. */
export function settlesDictionaryEntry(question: Question, candidate: Candidate): boolean {
  if (!opensEntry(question, candidate) || sectionGain(question, candidate) < gainOfEntry) return false;
  return candidate.headings
    .at(-1)!
    .split(betweenNames)
    .some((name) => isNamed(question, name));
}

/** Whether a sentence is the first one below a heading that asks the question. */
export function answersHeading(question: Question, candidate: Candidate): boolean {
  const heading = candidate.headings.at(-1);
  return heading !== undefined && isAsking(heading) && sectionGain(question, candidate) >= gainBelowQuestion;
}

/** Whether the heading over such a sentence has all words of the question and no other, so that nothing is left open. */
export function settlesHeading(question: Question, candidate: Candidate): boolean {
  return answersHeading(question, candidate) && sectionGain(question, candidate) === gainBelowSame;
}

interface Section {
  /** That stands over the sentence. */
  readonly heading: string;
  /** Of what is described below it, which `Description` does not say, and `hoist — Ropes and hooks` says with more. */
  readonly name: string;
  /** Of a program: a comment begins with the sentence. */
  readonly isComment: boolean;
}

function sectionOf(question: Question, { passage, unit, headings }: Candidate): Section | undefined {
  const { text, format, title } = passage.hit.chunk;
  if (unit.kind !== 'sentence') return undefined;
  const heading = headings.at(-1);
  if (heading === undefined) {
    const name = title.replace(/\.\w+$/, '');
    return format === 'code' ? { heading: name, name, isComment: beginsCutComment(text, unit) } : undefined;
  }
  const named = describedBy(title, headings);
  return {
    heading,
    name: askedTerm(question)?.asksUse ? (declaredIn(named)?.name ?? nameOfTitle(named)) : named,
    isComment: format === 'code' && beginsComment(text, unit, heading),
  };
}

/** Whether a sentence says enough, is the value that is all of its section, or stands below a question. */
function mayAnswer(question: Question, candidate: Candidate, { heading, name, isComment }: Section): boolean {
  if (isAsking(heading)) return true;
  if (wantsWay(question)) return tellsWay(candidate) || announces.test(textOf(candidate));
  const { type } = question;
  const { passage, unit, tokens, holds } = candidate;
  // `If a rope is new, it is stiff.` says not what it is
  if (askedTerm(question)?.asksUse === false && beginsCondition.test(textOf(candidate))) return false;
  const isFigure = figures.has(type) && holdsWanted(question, holds) === 1;
  if (isFigure || explains.has(type)) {
    const fewest = isComment ? fewestOfComment : isFigure || name !== heading ? fewestOfFigure : fewestWords;
    const words = isComment
      ? textOf(candidate)
          .replace(heading, '')
          .match(/\p{L}+/gu)?.length
      : tokens.length;
    if ((words ?? 0) >= fewest) return true;
  }
  if (tokens.length >= fewestWords) return false;
  if (!sectionEnd.test(passage.hit.chunk.text.slice(unit.end)) && !isValueAlone(candidate)) return false;
  return explains.has(type) || holdsWanted(question, holds) > 0.3;
}

/** `MIT.` before further sentences: no verb is in so few words, each with a capital or a figure. */
function isValueAlone(candidate: Candidate): boolean {
  const own = textOf(candidate);
  if (own.length > longestValue || !own.endsWith('.') || !valueAlone.test(own)) return false;
  // `Mit.` is a small word, `MIT.` is none
  return candidate.tokens.every(({ empty, word }) => !empty || own.includes(word.toUpperCase()));
}
const valueAlone = /^[\p{Lu}\p{N}]\S*(?: [\p{Lu}\p{N}]\S*){0,2}$/u;
const longestValue = 40;

/** Whether a text ends with a heading, but for notes, or with the forms of a statement that are one. */
function beginsBelow(before: string, heading: string): boolean {
  if (withoutNotes(before).replace(afterHeading, '').endsWith(heading.split(betweenNames).at(-1)!)) return true;
  return statementName(before.trimEnd().split('\n\n').at(-1)!) === heading;
}

/** What stands below a heading and above the text: `Source code: lib/hoist.py`, `New in version 3.2.`, `Type: number` */
const note =
  /\n\s*(?:[*_]*(?:types?|defaults?|values?|required|optional)[*_]*\s*:|source code|(?:new|added|changed|deprecated) (?:in|since)|availability|since)(?![\p{L}\p{N}])[^\n]*\s*$/iu;

function withoutNotes(before: string): string {
  let text = before;
  while (note.test(text)) text = text.replace(note, '');
  return text;
}

/** Whether a sentence says too little to stand alone, as `No.` below the heading that asks. */
export function goesOn({ headings, tokens, unit }: Candidate): boolean {
  return unit.kind === 'sentence' && tokens.length <= fewestAlone && asksAtEnd.test(headings.at(-1) ?? '');
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
  const kind = tokens.findLast((token) => !token.empty && positionOf(question, token) >= 0);
  const isNamed = identifiersAsked(question).length > 0 || passage.ofSubject === 'own';
  const places = new Map<number, 'heading' | 'above' | undefined>();
  for (const token of tokens) {
    const { start } = token;
    const j = positionOf(question, token);
    if (j < 0 || places.has(start)) continue; // the parts of an identifier stand at its place
    const isAbove =
      inAddress[j] === 1 ||
      (isNamed && titleMatch[j]! >= sameWord) ||
      (start === kind?.start && kindOfThing.test(kind.word)) ||
      kindsBefore.test(question.text.slice(start));
    places.set(start, headingMatch[j]! >= sameWord ? 'heading' : isAbove ? 'above' : undefined);
  }
  const words = [...places.values()];
  return words.includes('heading') && !words.includes(undefined);
}

/** `the option slow`, `option slow of crane`: what it is called stands before its name too. */
const kindsBefore = /^(?:option|parameter|argument|property|setting|field|flag|attribute)\s+[\p{L}_$`]/iu;

/** `2.6. May I install it?` */
const sectionNumber = /^\s*(?:\p{L}\.)?\p{Nd}+(?:\.\p{Nd}+)*\.?\s+/u;

/** `pop [--index] <stash>` is about `pop`. */
const argument = /\[[^\]\n]*\]|<[^>\n]*>/g;

/** `/etc/crane/` of `/etc/crane/hook.list` */
const folders = /(?<![\p{L}\p{N}])(?:~|\.{1,2})?\/[\w.+/-]*\/(?=[\w.+-])/gu;

/** The words of a heading that a question has not; of an identifier, which it stands before, its parts as well. */
function otherWords({ known }: Question, heading: string): AnalysedWord[] {
  const isKnown = ({ term }: AnalysedWord): boolean => known.has(term);
  const words = analyseWords(heading.replace(sectionNumber, '').replace(argument, '').replace(folders, '')).filter(
    ({ empty }) => !empty,
  );
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
