/**
 * A question made of a text: its rarest words, in the order of the text; of equally rare words the first.
 * @param words each once, in the order of the text, with how often it occurs in the collection
 */
export function rarestWords(words: readonly { readonly word: string; readonly count: number }[], most: number): string {
  const order = words.map((_, i) => i).sort((a, b) => words[a]!.count - words[b]!.count || a - b);
  return order
    .slice(0, most)
    .sort((a, b) => a - b)
    .map((i) => words[i]!.word)
    .join(' ');
}
