/** Whether a word is a part of `à partir de`, `a partir de`, `a partire da`, and no verb. */
export function isOfPreposition(before: string | undefined, word: string): boolean {
  return (word === 'partir' || word === 'partire') && (before === 'à' || before === 'a');
}

const gap = String.raw`[\s_]+`;

/** Between a thing and whose it is, with or without an article: ` of the ` in `Bank of the North`. */
export const ofBetween: string = `${gap}(?:of|de|du|des|del|della|dello|di|do|da|von|van)${gap}(?:(?:the|la|le|les|los|las|der|den)${gap})?`;

/** Before whose a thing is. */
export const ofWord: RegExp = /^(?:of|de|du|des|del|della|dello|dell|di|do|da|von|vom|van)$/u;

/** Without an article behind it, before what kind of thing it is. */
export const ofKind: RegExp = /^(?:de|di)$/u;

/** Before what does something to a thing, what it is guarded against or for, in English, German, French and Spanish. */
export const causedBy: RegExp = /^(?:by|against|for|durch|gegen|für|contre|pour|contra|para)$/u;

/** A line that breaks off before what it leads to, as a command on a line of its own: `It can be changed with`. */
export const breaksOff: RegExp =
  /(?<!\p{L})(?:with|using|by (?:running|typing)|via|mit|mittels|durch|avec|en (?:faisant|exécutant|utilisant|tapant|lançant)|con|mediante|usando|utilizando|ejecutando|eseguendo|tramite)\s*$/iu;
