import { contentWords, questionWords } from '../text/analysis/words.ts';
import {
  askingFirst,
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
  for (let i = 0; i < mostLeads && !askingFirst.test(lower(bare)); i++) {
    const before = bare;
    bare = behind(greeting, bare);
    const asked = behind(request, bare);
    if (asked !== bare) isTold = true;
    bare = asked;
    const greeted = behind(greetingWord, bare);
    if (greeted !== bare && (behind(request, greeted) !== greeted || askingStart.test(greeted))) bare = greeted;
    if (bare === before) break;
  }
  const end = closing.exec(lower(bare));
  if (end !== null) bare = `${bare.slice(0, end.index)}${/[?？]/u.test(end[0]) ? '?' : ''}`;
  if (isTold) bare = direct(bare.replace(/[\s.]+$/u, ''));
  if (bare === question || !saysMore(bare)) return question;
  return /^[\s¡¿]*\p{Lu}/u.test(question) ? bare.replace(/^\p{Ll}/u, (first) => first.toUpperCase()) : bare;
}

/** What stands behind a lead. */
function behind(lead: Pick<RegExp, 'exec'>, text: string): string {
  return text.slice(lead.exec(lower(text))?.[0].length ?? 0);
}

/** In lower case, where no offset changes by that. */
function lower(text: string): string {
  const low = text.toLowerCase();
  return low.length === text.length ? low : text;
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
