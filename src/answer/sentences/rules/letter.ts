import {
  asksWhenSent,
  closesLetter,
  isOfLetter,
  letterSideAsked,
  namesAuthor,
  opensLetter,
} from '../../../text/languages/letters.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { heldShare, type Question, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees. */
const gain = 8;
/** Of the weight of the words that say which letter. */
const leastHeld = 0.6;
const mostChars = 120;
/** The same of a day, which each mail has. */
const leastOfDay = 0.8;
const ofMail =
  /^(?:(?:e-?)?mails?|messages?|nachricht(?:en)?|courriels?|correos?|messaggi?o?|e-?mailed|repl(?:y|ied)|gesendet|gesandt|gemailt|geantwortet|répondu|envi[óa]\p{L}*|mandó|mandat[oa])$/u;
/** Stands above a line with the author at most. */
const mostAbove = 200;

const sideAsked = once(({ text }) => letterSideAsked(text));

/**
 * How much a line gains where a writer is asked for, or whom a letter is to: the name below `Yours sincerely`, the sender
 * of a mail, `By Ann Moor` below a title, or `Dear Ann Moor`, of a text that holds most other words of the question. Who
 * did what a mail is called after (`Complaint about the lift`) is its sender; else 0.
 */
export function letterGain(question: Question, candidate: Candidate): number {
  const side = sideAsked(question);
  if ((side === undefined && question.type !== 'person') || candidate.unit.kind === 'row') return 0;
  const { passage, titleMatch } = candidate;
  const own = textOf(candidate);
  if (own.length > mostChars || !/\p{Lu}/u.test(own)) return 0;
  const isSender = isSenderLine(candidate, own);
  if (side === undefined) return isSender && titleMatch.every((match) => match >= sameWord) ? gain : 0;
  const isIt = side === 'addressee' ? opensLetter(own) : isSender || isWriter(candidate, own);
  if (!isIt) return 0;
  const share = heldShare(
    question,
    (j) => (Math.max(passage.match[j]!, titleMatch[j]!) >= sameWord && isOfMessage(candidate, j) ? 1 : 0),
    ({ word }) => !isOfLetter(word) && !(isOfMailbox(candidate) && ofMail.test(word)),
  );
  return share !== undefined && share >= leastHeld ? gain : 0;
}

const isSentAsked = once(({ text }) => asksWhenSent(text));

/** How much the line `Date:` at the head of a mail gains, where it is asked when that mail was sent. */
export function sentGain(question: Question, candidate: Candidate): number {
  if (question.type !== 'date' || !isSentAsked(question)) return 0;
  const { passage, titleMatch } = candidate;
  if (!isAtHead(candidate) || !/^Date:\s*\S/u.test(textOf(candidate))) return 0;
  const share = heldShare(
    question,
    (j) => (Math.max(passage.match[j]!, titleMatch[j]!) >= sameWord && isOfMessage(candidate, j) ? 1 : 0),
    ({ word }) => !isOfLetter(word) && !ofMail.test(word),
  );
  return share !== undefined && share >= leastOfDay ? gain : 0;
}

/** `From: Ann Moor` at the head of a mail. */
function isSenderLine(candidate: Candidate, own: string): boolean {
  return isAtHead(candidate) && /^From:\s*\P{L}*\p{L}/u.test(own);
}

/** Whether a line has the name of who wrote its document: the sender of a mail, the name below a letter or its title. */
export function namesWriter(candidate: Candidate): boolean {
  const own = textOf(candidate);
  return own.length <= mostChars && (isSenderLine(candidate, own) || isWriter(candidate, own));
}

/** A mail has its head in its first chunk, a mailbox has many. */
function isAtHead(candidate: Candidate): boolean {
  const { format, position } = candidate.passage.hit.chunk;
  return isOfMailbox(candidate) || ((format === 'eml' || format === 'msg') && position === 0);
}

const isOfMailbox = ({ passage }: Candidate): boolean => passage.hit.chunk.format === 'mbox';

/** Of several messages the subject says which. */
function isOfMessage(candidate: Candidate, term: number): boolean {
  return !isOfMailbox(candidate) || candidate.headingMatch[term]! >= sameWord;
}

function isWriter({ passage, index, unit }: Candidate, own: string): boolean {
  const [line = '', name = ''] = own.split('\n');
  if (closesLetter(line) && /\p{Lu}/u.test(name)) return true;
  const before = passage.units[index - 1];
  if (before !== undefined && closesLetter(textOf({ passage, unit: before }))) return true;
  const { position } = passage.hit.chunk;
  return position === 0 && unit.start < mostAbove && namesAuthor(own);
}
