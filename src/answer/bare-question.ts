import { contentWords, questionWords } from '../text/analysis/words.ts';
import {
  closing,
  greeting,
  greetingWord,
  hasVerb,
  request,
  subjectAndHelp,
  verbBehind,
  whetherLead,
} from '../text/languages/courtesies.ts';
import { askingStart } from '../text/languages/follow-ups.ts';

/** `Hi! Sorry, can you tell me …` */
const mostLeads = 4;

/**
 * A question without greetings, thanks and the request to be told: `Hi! Can you tell me who the treasurer is, please?`
 * is `Who is the treasurer?`. What says nothing else stays as it is.
 */
export function bareQuestion(question: string): string {
  let bare = question.replace(/\s+/gu, ' ').trim();
  let isTold = false;
  for (let i = 0; i < mostLeads; i++) {
    const before = bare;
    bare = bare.replace(greeting, '');
    const asked = bare.replace(request, '');
    if (asked !== bare) isTold = true;
    bare = asked;
    const greeted = bare.replace(greetingWord, '');
    if (request.test(greeted) || askingStart.test(greeted)) bare = greeted;
    if (bare === before) break;
  }
  bare = bare.replace(closing, (end) => (/[?？]/u.test(end) ? '?' : ''));
  if (isTold) bare = direct(bare.replace(/[\s.]+$/u, ''));
  if (bare === question || !saysMore(bare)) return question;
  return /^[\s¡¿]*\p{Lu}/u.test(question) ? bare.replace(/^\p{Ll}/u, (first) => first.toUpperCase()) : bare;
}

/** `who the treasurer is` → `who is the treasurer`; `if I may leave` → `may I leave` */
function direct(told: string): string {
  const whether = told.replace(whetherLead, '');
  if (whether !== told) return whether.replace(subjectAndHelp, '$2 $1');
  const [, asking, subject, verb, rest] = verbBehind.exec(told) ?? [];
  return verb === undefined || hasVerb.test(subject!) ? told : `${asking} ${verb} ${subject}${rest}`;
}

function saysMore(text: string): boolean {
  return contentWords(questionWords(text)).some(({ empty }) => !empty);
}
