/** Whether a word is a part of `à partir de`, `a partir de`, `a partire da`, and no verb. */
export function isOfPreposition(before: string | undefined, word: string): boolean {
  return (word === 'partir' || word === 'partire') && (before === 'à' || before === 'a');
}

const gap = String.raw`[\s_]+`;

/** Between a thing and whose it is, with or without an article: ` of the ` in `Bank of the North`. */
export const ofBetween: string = `${gap}(?:of|de|du|des|del|della|dello|di|do|da|von|van)${gap}(?:(?:the|la|le|les|los|las|der|den)${gap})?`;
