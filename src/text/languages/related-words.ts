import { plainWord } from '../analysis/fold.ts';
import { dutch, english, german, nordic, type RelatedWords } from './related-germanic.ts';
import { french, italian, portuguese, spanish } from './related-romance.ts';
import { russian } from './related-slavic.ts';

/** By the codes of `languageOf`. */
const lists = new Map<string, RelatedWords>([
  ['en', english],
  ['de', german],
  ['nl', dutch],
  ['sv', nordic],
  ['no', nordic],
  ['da', nordic],
  ['fr', french],
  ['es', spanish],
  ['it', italian],
  ['pt', portuguese],
  ['ru', russian],
]);

const none: readonly string[] = [];
/** Subjects by word, of each list that was asked for. */
const tables = new Map<RelatedWords, ReadonlyMap<string, readonly string[]>>();

function tableOf(list: RelatedWords): ReadonlyMap<string, readonly string[]> {
  const table = new Map<string, string[]>();
  for (const [subject, words] of Object.entries(list)) {
    for (const word of new Set(words.split(' ').map((written) => plainWord(written).toLowerCase())))
      table.set(word, [...(table.get(word) ?? []), subject]);
  }
  return table;
}

/**
 * Subjects of a lower-case word: words of one subject are related.
 * @param language of the question; English where there is no list
 */
export function subjectsOfWord(word: string, language: string): readonly string[] {
  const list = lists.get(language) ?? english;
  let table = tables.get(list);
  if (table === undefined) {
    table = tableOf(list);
    tables.set(list, table);
  }
  return table.get(word) ?? none;
}
