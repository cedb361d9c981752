import { showsExamples } from '../../../text/languages/examples.ts';
import { asksValueOf } from '../../../text/languages/names-given.ts';
import {
  asksForPage,
  asksForSender,
  attribution,
  captionNumber,
  pageNotice,
  sendsElsewhere,
} from '../../../text/languages/page-notices.ts';
import { endOfLine } from '../../../text/lines.ts';
import type { Candidate } from '../question/candidate.ts';
import { askedTerm } from '../question/defined.ts';
import { type Question, sameWord } from '../question/question.ts';
import { countsNone } from '../question/wanted.ts';
import { sourcesLine, statementName } from '../structure/headings.ts';
import { isHeader, textOf } from '../structure/unit-text.ts';
import { isIndexEntry } from './index-entry.ts';
import { isOfOtherColumn } from './row-asked.ts';

/** On the scale of the trees: only where nothing else is there. */
const loss = -6;

/** `1.7 How is it lit? . . . . . . . – 3`: an entry of a table of contents. */
const leaders = /(?:\.[ \u00a0]?){5,}[\s|–—-]*\p{N}{1,4}\s*$|(?:\.[ \u00a0]){5,}$/u;
/** `May I install it from the Internet?, 2.7.`: the same without dots. */
const questionEntry = /[?？؟]["'”’»)\]]*[\s,|–—-]+\p{N}+(?:\.\p{N}+)*\.?\s*$/u;
/** `See section 6.1, “How many are there?”` has the words of the question since it names a section that answers it. */
const namesQuestion = /\p{N}[^«»"“”„「」『』]{0,6}[«"“„「『〈《‘'][^«»"“”„「」『』?？]{6,}[?？]\s*[»"”“」』〉》’']/u;
const lossOfReference = -4;
const asksForSource =
  /source|reference|literature|bibliograph|cite|publish|paper|book|study|article|author|wrote|written|quelle|literatur|buch|titel|title/iu;
/** `The rules are these:` says less than what follows it. */
const announces = /[:：]["'”’*_`)\s]*$|^CREATE\b[^;]*\bAS\s*$/u;
const lossOfAnnouncement = -2;

/** Marks that prose has few of; a dash, a bracket and those that end something are not counted. */
const codeMark = /[^\p{L}\p{M}\p{N}\s.,;!?()’\-–—…。，、；！？（）]/gu;
/** `let rooms = [ 'hall', 'attic' ];`, `@see {@link of}`, `[logo]: https://…`: so many marks a word, and more. */
const marksOfCode = 0.6;
const fewestMarks = 4;
const lossOfCode = -4;
/** Lines that only name other things. */
const namesOthers =
  /^(?:[\s*/#]*(?:@see\b|import\b|export\s*\{|\{@link\b|\[[^\]\n]+\]:|(?:const|let|var)\s[^=\n]*=\s*require\b)[^\n]*)+$/;
/** Kinds of questions that a line of code does not answer, unless they ask for it. */
const wantsProse: ReadonlySet<Question['type']> = new Set(['reason', 'definition', 'choice', 'other']);
const asksForCode =
  /\b(?:code|examples?|import|syntax|snippet|command|option|flag|config\w*|regex\w*|urls?|links?|expression|query|formula|equation|signature)\b|[`{}=<>]/iu;
const asksForSyntax =
  /\b(?:syntax|synopsis|usage|use|call|write|specify|set|arguments?|parameters?|signature|examples?|values?|options?|levels?|(?:which|what) (?:directive|command)s?|how)\b/iu;
const mails: ReadonlySet<string> = new Set(['eml', 'mbox', 'msg']);
/** One of the lines at the head of a message, of which `From` is the first. */
const mailHeader = /^(From|To|Cc|Date|Subject):/;
const asksForMail = /\b(?:e-?mails?|mails?|messages?|subject|sent|wrote|written|nachricht|betreff|geschickt)\b/i;

const lossOfMailHeader = -4;

/** `"The crane" (https://…)`: an entry of a list of sources. A line that wraps leaves blanks in its address. */
const sourceEntry = /^["“„«][^"“”„«»\n]{6,}["”“»][.,]?\s*\(h ?t ?t ?p ?s? ?:/u;

/** A line that holds nothing but an address of data or of somebody. */
const address = /(?:\bdoi(?:\.org)?\b\W*)?\b10\.\d{4,9}\/\S+|\bhttps?:\/\/\S+|<?[\w.+-]+@[\w-]+\.[\w.-]+>?/giu;
/** `src/hold/lamp.ts – licence: MIT` lists a file. */
const path = /(?:[\w@.-]+\/){2,}[\w@.-]+|\S*::[\w@.-]+|[\w-]+\.html?#\S+/gu;
const fewestBesidePath = 5;
/** `@deprecated Use lift.`, `Deprecated since version 3: …` */
const tag = /^[\s/*]*(?:@(?:deprecated|see|internal|experimental|since|todo)\b|Deprecated (?:since|in)\b)/;
const asksForAddress = /\b(?:doi|address|urls?|links?|site|website|where|e-?mail|contact|reach|find|download|data)\b/iu;
const lossOfAddress = -4;
/** `In week 3`, `on 4 October`, where a number is asked for. */
const lossOfIdle = -1.5;
/** The names of columns answer nothing but a question for them. */
const lossOfHeader = -4;
const lossOfOtherColumn = -3;
const fewestSaid = 3;
const asksForColumns = /\b(?:columns?|fields?|headers?|headings?|spalten?|colonnes?|columnas?|colonne)\b/iu;

/**
 * How much a sentence loses since it is no answer. It speaks of the page that it stands on, not of the page's subject. It
 * is a row of a table where a reason is asked for, a row of figures where a thing is to be explained, or the header of a
 * table. It is the date or the subject of a mail, or a line of code where prose is asked for. Or it only announces what
 * follows.
 */
export function unfitLoss(asked: Question, candidate: Candidate): number {
  const { text: question, type } = asked;
  const { unit } = candidate;
  if (type === 'reason' && unit.kind === 'row') return loss;
  const text = textOf(candidate);
  if (!asksForPage.test(question) && pageNotice.test(text)) return loss;
  // dots lead to the figures of a statement too
  if (type !== 'number' && !unit.header && leaders.test(lineOf(candidate))) return loss;
  if (questionEntry.test(text) || captionNumber.test(text)) return loss;
  if ((sendsElsewhere.test(text) || sourceEntry.test(text)) && !asksForAddress.test(question)) return lossOfReference;
  if (namesQuestion.test(text) || isIndexEntry(asked, candidate)) return lossOfReference;
  if (candidate.headings.some((one) => sourcesLine.test(one)) && !asksForSource.test(question)) return lossOfReference;
  if (type === 'definition' && !asksForAddress.test(question) && (tag.test(text) || listsFile(text)))
    return lossOfAddress;
  if (unit.kind === 'row') {
    if (isHeader(candidate) && !asksForColumns.test(question)) return lossOfHeader;
    if (explainsNothing(asked, candidate)) return lossOfHeader;
    if (syntaxLine.test(text) && !asksForSyntax.test(question)) return lossOfCode;
    return isOfOtherColumn(asked, candidate) ? lossOfOtherColumn : 0;
  }
  if (attribution.test(text) && !asksForMail.test(question)) return lossOfMailHeader;
  const header = headerOfMail(candidate);
  if (header === undefined && isAddress(text) && !asksForAddress.test(question)) return lossOfAddress;
  if (header !== undefined && !isAskedOfMail(asked, header)) return lossOfMailHeader;
  if (countsNone(asked, candidate.holds)) return lossOfIdle;
  const wantsText = (wantsProse.has(type) || session.test(text)) && !asksForCode.test(question);
  const code = wantsText && (isCode(candidate, text) || announcesExamples(candidate)) ? lossOfCode : 0;
  return Math.min(code, announces.test(text) ? lossOfAnnouncement : 0);
}

/** Whether a sentence only announces examples. */
export function announcesExamples({ passage, unit }: Pick<Candidate, 'passage' | 'unit'>): boolean {
  return showsExamples.test(textOf({ passage, unit }));
}

/** A row of figures, where a thing is to be explained; not where a value is asked for, or one of what the row names. */
function explainsNothing(question: Question, candidate: Candidate): boolean {
  const term = askedTerm(question);
  if (question.type !== 'definition' && (term === undefined || question.type === 'number')) return false;
  const { match, titleMatch } = candidate;
  const isOfNamed = question.terms.some(
    (_, j) => term !== undefined && !term.terms.includes(j) && match[j]! >= sameWord && titleMatch[j]! < sameWord,
  );
  return !isOfNamed && isOfFigures(question, candidate);
}

/** Whether a sentence is no answer, however alone it stands: imports, links, addresses, the header of a mail. */
export function isUnfit(question: Question, candidate: Candidate): boolean {
  if (unfitLoss(question, candidate) > lossOfCode) return false;
  const text = textOf(candidate);
  return !isCode(candidate, text) || namesOthers.test(text) || isIndexEntry(question, candidate);
}

/** Who wrote to whom is asked for with or without a word for mail; when and about what, only with one. */
function isAskedOfMail({ text, type }: Question, header: string): boolean {
  if (asksForMail.test(text)) return true;
  return header !== 'Date' && header !== 'Subject' && (type === 'person' || asksForSender.test(text));
}

/** The name of the line that a mail says of itself, above its text: it is neither its subject's date nor its reason. */
export function headerOfMail({ passage, unit }: Pick<Candidate, 'passage' | 'unit'>): string | undefined {
  const { text, format } = passage.hit.chunk;
  if (!mails.has(format)) return undefined;
  const names: string[] = []; // from the last one upwards
  for (const line of text.slice(0, unit.end).split('\n').reverse()) {
    const [, name] = mailHeader.exec(line) ?? [];
    if (name === undefined) break;
    names.push(name);
  }
  return names.at(-1) === 'From' ? names[0] : undefined;
}

/** A sentence and what stands behind it in its line. */
function lineOf({ passage, unit }: Candidate): string {
  const { text } = passage.hit.chunk;
  return text.slice(unit.start, endOfLine(text, unit.end));
}

/** At most a label stands beside it. */
function isAddress(text: string): boolean {
  if (!/[@/]/.test(text)) return false;
  const rest = text.replace(address, '');
  return rest !== text && (rest.match(/[\p{L}\p{N}]+/gu) ?? []).length <= 2;
}

/** Little more than the path of a file. */
function listsFile(text: string): boolean {
  if (!/[/#]/.test(text)) return false;
  const rest = text.replace(path, '');
  return rest !== text && (rest.match(/\p{L}[\p{L}\p{N}.-]*/gu) ?? []).length < fewestBesidePath;
}

/** `Master ID: | 99359`, asked what the master ID of somebody is. */
function isAskedValue({ text }: Question, candidate: Pick<Candidate, 'passage' | 'unit'>): boolean {
  const value = asksValueOf.exec(text)?.groups?.value?.toLowerCase();
  if (value === undefined) return false;
  const [label = '', ...cells] = textOf(candidate).split('|');
  return cells.length > 0 && label.replace(/[\s:：*_]+$/u, '').toLowerCase() === value;
}

/** A name and its figures, which explain nothing. */
export function isOfFigures(question: Question, candidate: Pick<Candidate, 'passage' | 'unit' | 'tokens'>): boolean {
  const { unit, tokens } = candidate;
  const said = tokens.filter(({ term }) => !question.known.has(term));
  const isFigures = said.some(({ numeric }) => numeric) && said.filter((one) => !one.numeric).length < fewestSaid;
  return unit.kind === 'row' && isFigures && !isAskedValue(question, candidate);
}

/** `$ crane lift`, `SELECT name FROM cranes;` */
const command =
  /^(?:\$ \S|(?:ALTER|CREATE|DELETE|DROP|GRANT|INSERT|SELECT|UPDATE)\s(?![^;]*[.!?:]\s)[^;]*(?:;|\(\s*\n))/;

/** A block of code in Markdown. */
const fenced = /^[ \t>]*(?:```|~~~)/;

/** `Syntax: | lift [-s] <load>`, and `lift [-s]` in the line below `SYNOPSIS` */
const syntaxLine = /^[|\s*_`]*(?:syntax|synopsis|usage)[*_`]*[ \t]*(?:[:：|]|\n)/iu;

/** `**Default:** `: no marks of code. */
const emphasis = /\*\*|(?<![\p{L}\p{N}*])\*(?=[\p{L}\p{N}_]+\*)|(?<=[\p{L}\p{N}_])\*(?![\p{L}\p{N}*])|`/gu;
/** What is written as code within a sentence of so many other words. */
const codeSpan = /`[^`\n]+`/g;
const fewestOfProse = 5;

/** `>>> loads('{}')`: what was typed, and what came. */
const session = /^\s*>>> ?\S/;

/** Settings in lines with a name and a value, which are what is asked for where a document has nothing else. */
const ofSettings: ReadonlySet<string> = new Set(['toml', 'ini', 'properties', 'hcl']);
const setting = /^[\w.-]+[ \t]*[=:][ \t]*\S[^\n]*$/;

const link = /\[([^\][\n]*)\]\([^()\s]*\)/g;
const fewestBesideLinks = 2;

/** `Fix for [A-12](https://a.example/12)` without the address, if it says more than links do. */
function withoutTargets(text: string): string {
  if (!text.includes('](')) return text;
  const beside = text.replace(link, '').match(/\p{L}{2,}/gu)?.length ?? 0;
  return beside >= fewestBesideLinks ? text.replace(link, '$1') : text;
}

/** Whether a sentence is a line of a program, by its marks. */
export function isCode({ tokens, passage }: Candidate, text: string): boolean {
  const { language } = passage.hit.chunk.metadata;
  if (typeof language === 'string' && ofSettings.has(language) && setting.test(text)) return false;
  if (
    fenced.test(text) ||
    command.test(text) ||
    statementName(text) !== undefined ||
    syntaxLine.test(text) ||
    session.test(text)
  )
    return true;
  if (!/[=[{@*<]/.test(text)) return false; // most sentences: without counting
  const shown = withoutTargets(text);
  const prose = shown.replace(codeSpan, '');
  const own = (prose.match(/\p{L}{2,}/gu)?.length ?? 0) >= fewestOfProse ? prose : shown;
  const marks = own.replace(emphasis, '').match(codeMark)?.length ?? 0;
  const words = new Set(tokens.map(({ start }) => start)).size; // the parts of an identifier stand at its place
  return marks >= fewestMarks && marks >= marksOfCode * words;
}
