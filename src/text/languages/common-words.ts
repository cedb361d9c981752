/**
 * English words that any text may have, whatever it is about: verbs that lean on a noun, words that ask how much, and
 * words of time and amount. Those without any subject are function words (`function-words.ts`).
 */
const common = new Set(
  `able allow allowed ask asked become began begin big bring called change come day cover covers deal deals different easy ever every exactly far fast
  find first follow full gave get gets getting give given gives go goes going gone good got handle handled handles happen happened happening
  happens hard held help high hold keep kept know known large last late leave left let like likely little long look
  made main make makes making many mean means most much must need needed needs new next normally now often old
  once only open other own part people person place possible put responsible right run said same saw say see seen set should show
  small stand stands start started still stop sure take taken takes taking tell thing things time took try turn use used usually want wanted
  way well went whole wide work works year years you`.split(/\s+/),
);

/** Whether a lower-case word says little about the subject of a question, however rare it is in a small collection. */
export function isCommonWord(word: string): boolean {
  return common.has(word);
}
