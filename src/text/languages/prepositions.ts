const starting: ReadonlySet<string> = new Set(['partir', 'partire']);
const at: ReadonlySet<string> = new Set(['à', 'a']);

/** Whether a word is a part of `à partir de`, `a partir de`, `a partire da`, and no verb. */
export function isOfPreposition(before: string | undefined, word: string): boolean {
  return starting.has(word) && before !== undefined && at.has(before);
}
