import { isFunctionWord } from '../../text/languages/function-words.ts';
import { calendarName, isYear } from '../../text/languages/question-words.ts';
import type { Candidate } from './features.ts';
import type { Question } from './question.ts';

/** A word and its number: `Debian 10`, `RFC 2616`, `section 4.2`. */
const numbered =
  /(?<![\p{L}\p{M}\p{N}])([\p{L}][\p{L}\p{M}-]*)[ \u00a0](\p{Nd}+(?:\.\p{Nd}+)*\p{Ll}?)(?![\p{L}\p{N}%])/gu;
/** Words that are numbered though they are no names, in English, German, French, Spanish and Italian. */
const counted =
  /^(?:annex|appendix|article|chapter|clause|figure|grade|lesson|level|line|page|paragraph|phase|question|release|requirement|room|rule|section|step|table|type|unit|version|abschnitt|artikel|kapitel|klasse|raum|regel|seite|stufe|tabelle|chapitre|niveau|règle|salle|étape|artículo|capítulo|nivel|página|sala|articolo|capitolo|livello|pagina)$/iu;
const currency = /^(?:CAD|CHF|EUR|GBP|JPY|USD)$/;

const aNumber = /(?<![\p{L}\p{N}.])\p{Nd}+(?:\.\p{Nd}+)*\p{Ll}?(?![\p{L}\p{N}])/gu;

interface Numbered {
  readonly name: string;
  readonly number: string;
}

const numberedIn = (text: string): Numbered[] =>
  Array.from(text.matchAll(numbered), ([, name = '', number = '']) => ({ name, number }));

function isAsked({ name, number }: Numbered): boolean {
  if (isYear(number) || calendarName(name.toLowerCase()) !== undefined || currency.test(name)) return false;
  return counted.test(name) || (/^\p{Lu}/u.test(name) && !isFunctionWord(name.toLowerCase(), false));
}

/**
 * Whether a sentence speaks of another one than the question numbers: neither the sentence, nor its headings and title,
 * nor its passage behind a name has the number.
 */
export function lacksNumber({ text }: Question, { passage, unit, headings }: Candidate): boolean {
  const asked = numberedIn(text).filter(isAsked);
  if (asked.length === 0) return false;
  const { chunk } = passage.hit;
  const header = unit.header ? chunk.text.slice(unit.header.start, unit.header.end) : '';
  const own = [chunk.text.slice(unit.start, unit.end), header, ...headings, ...chunk.headings, chunk.title, chunk.uri];
  const held = new Set(own.join('\n').match(aNumber));
  const near = numberedIn(chunk.text).filter(isAsked);
  return asked.some(({ number }) => !held.has(number) && !near.some((one) => one.number === number));
}
