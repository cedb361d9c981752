/** What a table has under a word of a file; nothing under names that every object has (`constructor`). */
export function known<T>(table: Readonly<Record<string, T>>, word: string | undefined): T | undefined {
  return word !== undefined && Object.hasOwn(table, word) ? table[word] : undefined;
}
