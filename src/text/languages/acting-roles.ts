const must = '(?:has to|have to|must|may|can|should|shall|needs? to|will)';

/** `Who has to` before `approve it?` */
export const whoActs: RegExp = new RegExp(String.raw`^\W*who (?:else )?${must}\s`, 'iu');

/** `Your team lead has to approve it`: somebody who is known by what they do, not by a name. */
export const roleActs: RegExp = new RegExp(
  String.raw`^\W*(?:your|the|an?|our|each|only (?:the|an?)) (?:\p{L}[\p{L}-]* ){1,4}?${must}\s`,
  'iu',
);

/** Asks who does something, or may or must do it; the verb follows. */
export const asksWhoActs: RegExp =
  /^\W*(?:who(?: else)?(?: (?:may|can|could|must|should|shall|will|has to|have to|needs? to|is (?:allowed|permitted|entitled|required) to))?|wer(?: (?:darf|kann|muss|soll))?|qui(?: (?:peut|doit))?|quién(?:es)?(?: (?:puede|debe)n?)?|chi(?: (?:può|deve))?)\s+(?!(?:is|are|was|were|ist|sind|war|est|sont|es|son|è)\s)/iu;

const determiner =
  "(?:the|an?|any|each|every|all|either|one of the|der|dem|den|die|einem|einer|jede[mnr]?|le|la|les|l[’']|une?|chaque|el|los|las|un[ao]?|cada|il|lo|gli)(?!\\p{L})";
/** `by the end` says when, `by a vote` how. */
const noAgent =
  '(?:(?:the|an?|der|dem|die|einem|einer|la|le|une?|el|un[ao]?) )?(?:end|time|dates?|way|means|use|vote|votes|majority|same|first|last|beginning|default|hand|mail|post|e-?mail|ende|zeit|mehrheit|majorité|fin|mayoría)(?!\\p{L})';
const agent = new RegExp(
  String.raw`(?<!\p{L})(?:(?:by|von|durch|par|por|da)\s+(?!${noAgent})${determiner}|(?:vom|dal|dalla|pelo|pela)\s+(?!${noAgent}))`,
  'iu',
);
/** Not behind `that`, which is said of another thing, and not of the past, which tells what happened once. */
const passiveBefore =
  /(?<!(?<!\p{L})(?:that|which|who|what|qui|que|che)\s)(?<!\p{L})(?:is|are|be|est|sont|être|es|son|ser|sea|sean|è|sono|essere)(?:\s+(?:not|only|also|then|always|aussi|seulement|toujours|también|solo|\p{L}+ly|\p{L}+ed and))?\s+$/iu;
const passiveOf = /(?<!\p{L})(?:wird|werden)(?!\p{L})/iu;

const agentName = /(?<!\p{L})(?:by|von|durch|par|por|da)\s+\p{Lu}\p{Ll}/u;

/** Whether what stands around a verb says by whom it is done: `kept by the mate`, `vom Maat verwahrt`. */
export function agentBehind(before: string, behind: string): boolean {
  if (passiveBefore.test(before)) {
    const next = /^(?:\s+\p{L}+){0,5}/u.exec(behind)![0];
    return agent.test(next) || agentName.test(next);
  }
  return passiveOf.test(before + behind.slice(0, 20)) && (agent.test(before) || agentName.test(before));
}

const may =
  '(?:may|can|must|should|shall|ha(?:s|ve) to|needs? to|(?:is|are) (?:allowed|permitted|entitled|required) to)';
const onlyThose = new RegExp(
  String.raw`(?<!\p{L})(?:only (?:people|persons|ones|members)|those|people|persons) (?:that|who) ${may}\s+$`,
  'iu',
);

/** `the only people that may` before a verb, and who they are behind it. */
export function mayOnly(before: string, behind: string): boolean {
  return onlyThose.test(before) && /(?<!\p{L})(?:is|are)\s+(?!\p{L}+ed\b)/iu.test(behind);
}

const pronoun =
  '(?:you|we|i|they|he|she|it|one|this|that|there|these|those|which|who|sie|wir|ich|man|er|es|vous|nous|on|ils?|elles?|je|usted(?:es)?|se)';

/** `Any member may` before a verb, at the beginning of a sentence. */
export const entitles: RegExp = new RegExp(
  String.raw`^\W*(?:(?:only|nur|seuls?|solo) )?(?!${pronoun}\s)(?:\p{L}[\p{L}-]* ){1,5}?(?:${may}|d[aü]rf(?:en)?|können|kann|muss|müssen|peu(?:t|vent)|doi(?:t|vent)|pueden?|deben?)\s+(?:only |also )?$`,
  'iu',
);
