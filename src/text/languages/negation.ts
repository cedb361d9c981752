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
