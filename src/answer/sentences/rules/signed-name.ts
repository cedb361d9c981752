import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { wholeText } from '../structure/unit-text.ts';

/** `N+1`, `R&D`, `A/B`, `C++`, `F#`: letters too few for a word, which a sign makes a name. */
const signed =
  /(?<![\p{L}\p{N}+#&/.-])(?:(\p{L})([+&])([\p{L}\p{Nd}])|(\p{Lu})(\/)(\p{Lu})|\p{Lu}(?:\+\+|#))(?![\p{L}\p{N}+#&/-])/gu;
const joining = '(?:&|and|und|et|y|e|en|i|и)';
const loss = -4;

/** Each name of the question as a text may have it, with letters for the sign or spelled out. */
const namesOf: (question: Question) => readonly RegExp[] = once(({ text }) =>
  Array.from(text.matchAll(signed), ([whole, a, plus, b, c, , d]) => {
    const [first, last] = [a ?? c, b ?? d];
    if (first === undefined)
      return new RegExp(`(?<![\\p{L}\\p{N}])${whole.replaceAll('+', '\\+')}(?![\\p{L}+#])`, 'iu');
    const sign = plus === '+' ? '(?:\\+|plus)' : plus === '&' ? joining : '(?:/|-|to|and|or)';
    const end = last === '1' ? '(?:1|one)' : last!;
    const spelled = plus === '+' ? '' : `|${first}\\p{L}+\\s*(?:/|${joining})\\s*${last}\\p{L}+`;
    return new RegExp(`(?<![\\p{L}\\p{N}])(?:${first}\\s*${sign}\\s*${end}${spelled})(?![\\p{L}\\p{N}])`, 'iu');
  }),
);

/** Whether neither a sentence nor its passage has a name of the question that a sign makes. */
export function lacksSignedName(question: Question, { passage }: Candidate): boolean {
  const names = namesOf(question);
  if (names.length === 0) return false;
  const whole = wholeText(passage);
  return names.some((name) => !name.test(whole));
}

/** What a sentence loses by that. */
export function signedNameLoss(question: Question, candidate: Candidate): number {
  return lacksSignedName(question, candidate) ? loss : 0;
}
