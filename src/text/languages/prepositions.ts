/** Whether a word is a part of `à partir de`, `a partir de`, `a partire da`, and no verb. */
export function isOfPreposition(before: string | undefined, word: string): boolean {
  return (word === 'partir' || word === 'partire') && (before === 'à' || before === 'a');
}
