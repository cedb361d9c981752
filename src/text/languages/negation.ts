/** Words that say no, in the languages whose answers are compared. */
export const negation: RegExp =
  /\b(?:not|no|never|nor|cannot|without|nicht|kein\p{L}*|nie|niemals|ne|pas|jamais|nunca|non|mai)\b|n['’]t\b/iu;

const each = new RegExp(negation, 'giu');

/** How often a text says no. */
export function countNegations(text: string): number {
  return text.match(each)?.length ?? 0;
}

/** Says that something is not there. */
export const without: RegExp =
  /(?<!\p{L})(?:without|no|ohne|kein\p{L}*|sans|sin|senza|sem|без)(?!\p{L})|[无無没沒不]|なし/iu;

/** Before a thing of which there is none, but for the English word, which is `in the` in Portuguese. */
export const none: RegExp = /^(?:kein\p{L}*|aucune?|ningun[ao]s?|ningún|nessun[ao]?|nenhuma?)$/u;

/** Asks what is not so, in English and German, where nothing but that is negated: not `What happens if I do not pay?` */
export function asksWhatIsNot(question: string): boolean {
  const at = denied.exec(question)?.index;
  return at !== undefined && asksWhich.test(question) && !beginsClause.test(question.slice(0, at));
}

const denied =
  /(?<!\p{L})(?:not|never|cannot|nicht|nie|niemals|kein(?:e[mnrs]?)?)(?!\p{L})|(?<=\p{Ll})n['’]t(?!\p{L})/u;
/** Begins as a question that no yes answers, in English and German. */
export const asksWhich: RegExp =
  /^\W*(?:\p{L}+ )?(?:what|which|who|where|when|how (?:many|much)|was|welche[mnrs]?|we[mnr]|wo|wann|wie ?viele?)(?!\p{L})/iu;
const beginsClause =
  /\p{L} (?:if|when|unless|because|although|while|that|than|who|wenn|falls|weil|obwohl|dass|während)(?!\p{L})/iu;

/** Behind these stands what a question denies: `allowed` in `is not allowed`, `shared` in `non-shared`. */
const before =
  /(?<!\p{L})(?:not|never|cannot|non|no|without|nicht|nie|niemals|kein(?:e[mnrs]?)?|ohne|sans|sin|senza)(?!\p{L})|(?<=\p{Ll})n['’]t(?!\p{L})/gu;

/** Where in a question what it denies begins; not in a clause that makes a condition, unless it is of a thing. */
export function deniedFrom(question: string): number[] {
  return Array.from(question.matchAll(before)).flatMap(({ 0: word, index }) =>
    ofThing.test(word) || !beginsClause.test(question.slice(0, index)) ? [index + word.length] : [],
  );
}

const ofThing = /^(?:non?|without|kein.*|ohne|sans|sin|senza)$/u;

/** By which a text says, in whatever words, that something is not so. */
export const deniesAnything: RegExp =
  /(?<!\p{L})(?:nothing|nobody|none|neither|except|exclu|exempt|only|other than|un(?!fold|anim|compromis|d(?!\p{L})|der|ter|til|it|ion|iv|iq|se?(?!\p{L}))|in(?:sufficien|valid|eligib|applicab|capab)|im(?:possib|proper)|ir(?:relevan|respect)|il(?:leg|lic)|non|dis(?:abl|allow|agre|contin|miss|put|qualif|regard)|lack|miss(?:es|ed|ing)|fail|refus|reject|den(?:y|ie)|prevent|avoid|prohibit|forb|bans?(?!\p{L})|banned|block(?:s|ed|ing)(?!\p{L})|stop|ceas|few|little|hard(?:ly)?(?!\p{L})|rare|seldom|absen|free (?:of|from)|instead|rather than|(?<!as )oppos|abandon|contrar|unlike|(?:vot|decid)\p{Ll}+ against|(?<![,;] )but(?!\p{L})|beyond|outside|nichts|niemand|weder|außer|aus(?:schl|genom|geschl)|nur(?!\p{L})|statt|verb(?:iet|ot)|fehl|selten|kaum|frei von)|less(?!\p{L})|los(?:e[mnrs]?)?(?!\p{L})/iu;

/** Lets something be so after all: `may not be sold unless`, `not only`. */
export const saysExcept: RegExp =
  /(?<!\p{L})(?:unless|unlike|except|until|till|only|but|other than|without|before|außer|nur|bis|sondern|sauf|sin|solo|sólo|mais|pero|if)(?!\p{L})/iu;

/** Before what is not done, in English, German, French and Spanish. */
export const notWord: RegExp = /^(?:not|never|cannot|\p{L}+n['’]t|nicht|nie|niemals|pas|jamais|nunca)$/u;
