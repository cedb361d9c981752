import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees: a sentence of the right kind is about seven times as likely. */
const gain = 2;

const claim =
  /^(?!.*\?|(?:please|tell|show|list|give|explain|describe|find|summari[sz]e|name|compare|define)\b).{15,}\.\s*$/is;

/** `Aspirin lowers the risk of stroke.`: to be checked, not answered. */
export const isClaim: (question: Question) => boolean = once(({ text }) => claim.test(text));

const found =
  /^\W*(?:conclusions?|results?|findings|interpretation|significance|summary)\b|\b(?:we|results?|data|findings|study|studies|analys[ei]s|experiments?|evidence|here)\b[^.]{0,60}?\b(?:show(?:s|n|ed)?|found|find|suggest(?:s|ed)?|demonstrate[ds]?|indicate[ds]?|reveal(?:s|ed)?|conclude[ds]?|confirm(?:s|ed)?|observed|identif(?:y|ied)|report)\b|\b(?:was|were) (?:significantly|associated|increased|reduced|decreased|higher|lower)\b/i;
const aimed =
  /^\W*(?:objectives?|background|aims?|purpose|methods?|design|setting|participants|patients|introduction|context|materials)\b|\b(?:to|we) (?:determine|investigate[ds]?|examine[ds]?|assess(?:ed)?|evaluate[ds]?|explore[ds]?|study|studied|test(?:ed)?|compared?) (?:the|whether|if|how)\b|\b(?:aim|aimed|objective|purpose|goal) (?:of|was|is|to)\b|\b(?:remains?|is|are) (?:unknown|unclear|poorly understood|controversial)\b|\blittle is known\b/i;

/** `The difference was no longer significant`, `No effect on sleep was seen`, `(p = .31)` */
const compared =
  /\b(?:not|no longer|still|statistically) significant\b|\bsignificantly\b|\bno (?:\p{L}+ ){0,2}(?:association|benefit|change|difference|effect|improvement|increase|reduction)\b|\bdid not (?:affect|change|differ|improve|increase|reduce)\b|\bp ?[<=>≤] ?0?\.\d|\btimes as (?:common|fast|frequent|high|large|likely|long|low|many|much)\b/iu;

/**
 * How much a sentence gains or loses beside a claim. What was found bears on it; what was to be found out, and how,
 * repeats its words and does not. English, as reports of studies word it; 0 for questions.
 */
export function findingGain(question: Question, candidate: Candidate): number {
  if (!isClaim(question)) return 0;
  const text = textOf(candidate);
  return gain * ((found.test(text) || compared.test(text) ? 1 : 0) - (aimed.test(text) ? 1 : 0));
}
