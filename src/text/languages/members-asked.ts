import { GuardedPattern } from '../guarded-pattern.ts';

/** A few words, as few as will do. */
const kind = "((?:[\\p{L}\\p{N}’'-]+ ){0,3}?[\\p{L}\\p{N}’'-]+)";

/** Says that there is a use for them, and not what they are. */
const states = 'allowed|available|necessary|needed|possible|required|supported|used';
export const stateOfMembers: RegExp = new RegExp(`^(?:${states}|need)$`, 'u');
/** `2.0.0` */
const version = '(\\p{N}[\\p{L}\\p{N}.-]*)';

/** What asks for all that is of a kind, in English, German, French, Spanish and Italian. */
const patterns: readonly GuardedPattern[] = [
  `^(?:what|which) (?:are|were) (?:all )?(?:the |its |their |our )?${kind}(?= (?:of|in|for|on|to|with|that|which|used|allowed|available|supported|possible)\\b|\\?|$)`,
  `^(?:what|which) ${kind} (?:are there|exist|(?:are|were) (?:${states})|(?:must|should|can|may|have to|need to) (?:be|i|we|you|one) \\p{L}+|(?:do|must|should|can|may) (?:i|we|you|one) (?:have to |need to )?\\p{L}+|(?:does|do) \\S.* (?:have|know|support|accept|take|return|define|need|use|contain|offer))\\b`,
  `^(?:list|name) (?:all )?(?:of )?(?:the )?${kind}(?= (?:of|in|for|on|to|with|that)\\b|[.?]|$)`,
  `^what(?:['’]s| is| was| has)? (?:new|changed) in (?:the )?(?:version |release )?${version}(?= ?\\?|$)`,
  `^was (?:ist neu in|hat sich (?:in|mit)) (?:version )?${version}(?= geändert|\\?|$)`,
  `^who (?:(?:are|were) (?:all )?(?:the |our )|(?:is|are|sits?|serves?) (?:on|in) (?:the |our )?)${kind}(?= (?:of|in|on|for)\\b|\\?|$)`,
  `^(?:was|welches?) (?:sind|waren) (?:alle )?(?:die |seine |ihre )?${kind}(?= (?:von|vom|de[rs]|des|eine[rs]|in|im|für|bei|zu[mr]?)\\b|\\?|$)`,
  `^welche ${kind} (?:gibt es|(?:hat|haben|kennt|unterstützt|umfasst|nennt) )`,
  `^wer (?:sind (?:die )?|(?:ist|sitzt|sitzen|gehört|gehören) (?:im|in der|in dem|zum|zur) )${kind}(?= (?:von|vom|de[rs]|des|im|in)\\b|\\?|$)`,
  `^qui (?:sont (?:les )?|(?:est|sont|siège|siègent) (?:au|dans le|dans la|à la) )${kind}(?= (?:de|du|des)\\b| d[’']| ?\\?|$)`,
  `^quel(?:le)?s (?:sont|étaient) (?:tou(?:te)?s )?(?:les |ses )?${kind}(?= (?:de|du|des|dans|pour|en)\\b| d[’']| ?\\?|$)`,
  `^¿?(?:cuáles|qué) (?:son|eran) (?:tod[oa]s )?(?:l[oa]s |sus )?${kind}(?= (?:del?|en|para)\\b|\\?|$)`,
  `^quali (?:sono|erano) (?:tutt[ie] )?(?:i |gli |le )?${kind}(?= (?:di|del\\p{L}*|in|per)\\b| dell[’']|\\?|$)`,
].map((source) => new GuardedPattern(source, 'iu'));

/** `exit codes` in `What are the exit codes of the crane?`: what all of are asked for; undefined for other questions. */
export function membersAsked(question: string): string | undefined {
  const asked = question.trim();
  for (const pattern of patterns) {
    const found = pattern.exec(asked)?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `members` of what is asked about: a sentence that says what it consists of names them. */
export const asksForParts: RegExp =
  /^(?:members?|parts?|components?|mitglieder|teile|bestandteile|membres|parties|miembros|partes|membri|parti)$/iu;
export const consistsOf: RegExp =
  /(?<!\p{L})(?:consists? of|(?:is|are) (?:made up|composed) of|comprises?|besteh(?:t|en) aus|setzt sich (?:aus|zusammen)|se compose(?:nt)? d|compren(?:d|nent)(?!\p{L})|se componen? de|consta(?:n)? de|(?:è|sono) compost[aeio] d|si compon(?:e|gono) d)/iu;

/** From two on. */
const counts: readonly string[] = [
  'two|zwei|deux|dos|due',
  'three|drei|trois|tres|tre',
  'four|vier|quatre|cuatro|quattro',
  'five|fünf|cinq|cinco|cinque',
  'six|sechs|seis|sei',
  'seven|sieben|sept|siete|sette',
  'eight|acht|huit|ocho|otto',
  'nine|neun|neuf|nueve|nove',
  'ten|zehn|dix|diez|dieci',
];

/** What a small number is, written as a word or in figures; undefined for other words. */
export function smallNumber(word: string): number | undefined {
  const at = counts.findIndex((words) => words.split('|').includes(word.toLowerCase()));
  if (at >= 0) return at + 2;
  return /^\d{1,3}$/.test(word) ? Number(word) : undefined;
}
