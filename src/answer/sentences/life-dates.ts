import type { Candidate } from './features.ts';
import type { Question } from './question.ts';
import { textOf } from './unit-text.ts';

/** On the scale of the trees. */
const gain = 6;

const when = '(?:when|(?:in |on )?(?:what|which) (?:year|day|date))';
const where = '(?:where|in (?:what|which) (?:town|city|village|place))';
const born = '(?:born|birth|geboren|né|née|nacid?[oa]|nació|nat[oa])';
const died = '(?:die[ds]?|death|gestorben|starb|mort|morte|mourut|murió|morì|morreu)';
const asks = new RegExp(
  `^\\W*(?:${when}|(?<place>${where})|wann|quand|cuándo|quando|(?<ort>wo|où|dónde|dove|onde))(?!\\p{L})[^?]*(?<!\\p{L})(?:(?<birth>${born})|${died})(?!\\p{L})`,
  'iu',
);
/** `(4 May 1861 in Haven – 2 June 1938)` behind a name, from birth to death; `(born 4 May 1961)`. */
const life = /\(([^()]*\p{N}{3,4}[^()]*?)\s*[–—-]\s*([^()]*\p{N}{3,4}[^()]*)\)/u;
const birth = /\((?:born|b\.|geboren|geb\.|née?|nacid[oa]|nat[oa]|nascid[oa]|\*)\s[^()]*\p{N}{3,4}/iu;
const placeName = /(?:(?<!\p{L})(?:in|at|near|zu|bei|à|en|a|em)\s+|,\s*)\p{Lu}/u;

/**
 * How much a sentence gains since it has the life of who is asked for in brackets behind the name, as encyclopedias write
 * it, where it is asked when or where somebody was born or died.
 */
export function lifeGain(question: Question, candidate: Candidate): number {
  const asked = asks.exec(question.text)?.groups;
  if (asked === undefined) return 0;
  const text = textOf(candidate);
  const found = life.exec(text);
  const isBirth = asked.birth !== undefined;
  const said = found ? found[isBirth ? 1 : 2] : isBirth ? birth.exec(text)?.[0] : undefined;
  if (said === undefined) return 0;
  const isPlace = asked.place !== undefined || asked.ort !== undefined;
  if (isPlace && !placeName.test(said)) return 0;
  const before = candidate.unit.start + text.indexOf('(');
  const names = question.tokens.filter(({ capital, empty, start }) => capital && !empty && start > 0);
  const isNamed = names.every(({ term }) => candidate.tokens.some((one) => one.term === term && one.end <= before));
  return names.length > 0 && isNamed ? gain : 0;
}

/** Whether a sentence answers with the life of just who is asked for. */
export function settlesLife(question: Question, candidate: Candidate): boolean {
  return lifeGain(question, candidate) > 0;
}
