import { analyseWords } from '../../text/analysis/words.ts';
import { declaredBelow, isOfOtherEntry, isSameName, namesAsked } from './entry.ts';
import type { Candidate } from './features.ts';
import { isProgramTerm, paragraphTerm, termOfValue } from './headings.ts';
import { identifiersIn, namesOther } from './identifiers.ts';
import { heldShare, matchTerms, type Question, type QuestionTerm } from './question.ts';
import { isDegree } from './wanted.ts';

/** On the scale of the trees. */
const gain = 5;
/** Of the weight of what is asked about: with less, the value is that of something else. */
const leastHeld = 0.7;
/** The sentence says little more than the value: what has it stands before it in the paragraph. */
const mostBefore = 600;

const byDefault = String.raw`\bby default\b|\bstandardmäßig|\bvoreingestellt|\bpar défaut\b|\b(?:por defecto|predeterminad[oa]s?|predefinit[oaie]|por (?:omissão|omisión|predefinição|padrão)|predefinid[oa]s?)|по умолчанию|デフォルト|既定|默认|預設|缺省`;
const asks = new RegExp(String.raw`${byDefault}|\bdefaults?\b|\bstandard(?:wert|einstellung)|\bvoreinstellung`, 'iu');
/** `The default (value) (of this limit) is 3.0`, `It defaults to 8080`, `(default: 5)`, `Default 10.` */
const states =
  /(?<!\bnot (?:the )?|\bnon-)\bdefaults?(?:(?:\s+(?:values?|settings?))?(?:\s+(?:of|for)\s+(?:this|that|the)\s+\p{L}+)?\s+(?:here\s+|\p{L}+\s+)?(?:is|are|was)\b|\s*[:=]|\s+[\p{N}`"'“]|\s+(?:to|of)\s)|\bdefaulting to\b|\b(?:is|are|as) (?:the|its) defaults?\b|\bstandard(?:wert|einstellung)|\bvoreinstellung|\b(?:valeur|valore|valor|ambiente)\s\S*\s?(?:par défaut|por (?:defecto|omisi[óo]n|omissão|padrão)|predefinit[oa]|predeterminad[oa]|predefinid[oa])|значени\p{L}+ по умолчанию|(?:デフォルト|既定)(?:の?値)?は|(?:默认|預設|缺省)(?:值|[为為是])/iu;
/** `It is 2000 by default.` */
const mentions = new RegExp(byDefault, 'iu');
const gainOfMention = 2;
const lossOfNone = -1.5;
const lossOfOther = -6;
/** A figure, or a word that is set apart. */
const hasValue = /[\p{N}`"“„«_=]|(?<!\p{L})'/u;
/** `The default value is 12.`, which is said of what the section is about. */
const ofSection =
  /^\W*(?:(?:the|its)\s+defaults?(?:\s+(?:values?|settings?))?\s+(?!of\b|for\b)|(?:it|this(?:\s\p{L}+)?)\s+defaults\b|defaults?(?:\s+to\b|\s*:)|(?:der )?standardwert (?:ist|war)|la valeur par défaut est|el valor (?:por defecto|predeterminado) es|il valore predefinito è|o valor predefinido é)/iu;
/** In its own section: others tell it beside their own values. */
const gainOfOwn = 3;
const leastHeaded = 0.9;
/** Words that ask for the value and do not say whose it is. */
const asking =
  /^(?:defaults?|values?|settings?|standardwert|standardmäßig|voreinstellung|wert|défaut|valeur|defecto|valor(?:es)?|predeterminad[oa]s?|predefinit[oaie]|valore|omissão|omisión|predefinição|padrão|predefinid[oa]s?|modo|значение|умолчанию|デフ|フォ|ォル|ルト|既定|默认|預設|缺省)$/iu;

/** Words of a question that `Default: False` answers. */
const whether =
  /^(?:enabled?|disabled?|active|allowed|set|off|on|aktiv(?:iert)?|deaktiviert|erlaubt|gesetzt|activée?|désactivée?|activad[oa]|habilitad[oa]|desactivad[oa]|attiv[oa]|abilitat[oa]|disabilitat[oa]|ativad[oa]|desativad[oa]|включен[ао]?|выключен[ао]?)$/iu;

/** Whether a question asks what holds where nobody sets anything. */
export function asksDefault(question: string): boolean {
  return asks.test(question);
}

/**
 * How much a sentence gains since it says what holds where nobody sets anything, and the question asks for that: `The
 * default value is 3.0.`, in the paragraph about what is asked, and loses since it has no value; else 0. Such a sentence
 * has few words of the question.
 */
export function defaultGain(question: Question, candidate: Candidate): number {
  if (!asks.test(question.text)) return 0;
  if (isOfOtherEntry(question, candidate)) return lossOfOther;
  const { passage, unit, titleMatch, headings, headingMatch } = candidate;
  const { text, format } = passage.hit.chunk;
  const isCode = format === 'code';
  const own = text.slice(unit.start, unit.end);
  if (givesDefault(question, own)) return gain + gainOfOwn;
  if (seesElsewhere.test(own)) return lossOfOther;
  const most = states.test(own) ? gain : mentions.test(own) ? gainOfMention : 0;
  if (most === 0) return hasValue.test(own) || asks.test(own) ? 0 : lossOfNone;
  if (namesOther(question, own)) return 0;
  const before = text.slice(Math.max(0, unit.start - mostBefore), unit.start);
  const paragraph = ownItem(before.split(/\n\s*\n/).at(-1)!, own);
  const above = isCode ? declaredBelow(text, unit.start, unit.end) : termOfValue(before, own);
  const match = matchTerms(question, analyseWords(`${above ?? ''}\n${paragraph}`));
  const term = above ?? paragraphTerm(before + own);
  if (ofSection.test(own) && isOtherSetting(question, term ?? headings.at(-1) ?? '')) return 0;
  const named = term === undefined ? headingMatch : matchTerms(question, analyseWords(term));
  const isAbout = ({ word }: QuestionTerm): boolean =>
    !(isDegree(word) || asking.test(word) || (question.type === 'choice' && whether.test(word)));
  const held = heldShare(question, (j) => Math.max(match[j]!, titleMatch[j]!), isAbout);
  const headed = heldShare(question, (j) => named[j]!, isAbout);
  if (held === undefined || headed === undefined || held < leastHeld) return 0;
  const isOwn = term !== undefined && namesAsked(question).some((one) => isSameName(one, term.toLowerCase()));
  return most * held + (isOwn || headed >= leastHeaded ? gainOfOwn : 0);
}

/** `Default: See usage for details` */
const seesElsewhere = /\bdefaults?\W{0,4}[:|]\W{0,4}(?:see|siehe|voir|ver|vedi)\b/iu;

/** `open(name, mode='r', *, level=9)`, which may begin a sentence. */
const signature = /^(?:[a-z]+ )?([\p{L}_$][\p{L}\p{N}_$.:]*)\(([^()]*(?:\([^()]*\)[^()]*)*)\)/u;

/** Whether a declaration of the function that is asked about gives the parameter that is asked about a default. */
export function givesDefault(question: Question, own: string): boolean {
  const [, name, parameters] = signature.exec(own) ?? [];
  if (name === undefined || !asks.test(question.text)) return false;
  const words = new Set(question.text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu));
  if (!words.has(/[^.:]*$/.exec(name)![0])) return false;
  return Array.from(parameters!.matchAll(/([\p{L}_$][\p{L}\p{N}_$]*)\s*=(?!=)/gu)).some(([, one]) => words.has(one!));
}

/** Whether a section is about a setting of a name like that of the one which is asked about, and not about that one. */
function isOtherSetting({ text }: Question, heading: string): boolean {
  const asked = identifiersIn(text);
  const own = isProgramTerm(heading) ? identifiersIn(heading) : [];
  return asked.length > 0 && own.length > 0 && !own.some((one) => asked.includes(one));
}

const item = /^([ \t]*)[-*+][ \t]/;

/** A sentence with what stands before it in its paragraph; in a list, without the items beside its own. */
function ownItem(before: string, own: string): string {
  const lines = (before + own).split('\n');
  const last = before.split('\n').length - 1;
  const indent = item.exec(lines[last]!)?.[1]?.length;
  if (indent === undefined) return before + own;
  return lines.filter((line, i) => i >= last || /^[ \t]*/.exec(line)![0].length < indent).join('\n');
}
