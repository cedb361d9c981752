/**
 * Words that any text may have, whatever it is about: verbs that lean on a noun, words that ask how much, and
 * words of time and amount, forms of address. Those without any subject are function words (`function-words.ts`).
 */
const address = 'dr mr mrs ms mister madam frau herr herrn monsieur madame mme mlle señor señora signor signora';
const foreign = `findet fand statt lautet braucht brauchen benötigt benötigen geht macht machen müssen sollte sollten lässt bekommt bekommen kommt verwendet verwenden benutzt
  nutzt nutzen neue neuer neues neuen große großen erste ersten hoch lange weit tief breit schnell schwer teuer spät früh vor seit neben zwischen
  dauert dauern dauerte gilt gelten gehört gehören
  lieu faut doit doivent peut peuvent faire fait utilise utiliser trouve trouvent donne nouveau nouvelle grand grande premier première longtemps loin vite
  temps dure durent mettre prendre
  debe deben puede pueden necesita necesitan hacer hace usan utiliza utilizan utilizar nuevo nueva primera lejos rápido
  tiempo dura duran tarda tardan poner lleva
  bisogna deve devono può possono fare usano utilizza occorre occorrono trova trovano nuovo nuova primo prima lontano tempo durano mettere
  devem pode podem precisa precisam fazer faz fica ficam novo nova primeiro primeira longe demora demoram
  нужно надо нужен нужна нужны можно может могут должен должна должны требуется требуются использует используется используют
  находится находятся сделать новый новая новые первый первая`;
const common = new Set(
  `able allow allowed ask asked become began begin big bring called change come day cover covers deal deals different during early easy ever every exactly far fast
  find first follow full gave get gets getting give given gives go goes going gone good got handle handled handles happen happened happening
  happens hard held help high hold keep kept know known large last late leave left let like likely little long look
  made main make makes making many mean means most much must need needed needs new next normally now often old
  once only open other own part people person place possible put responsible right run said same saw say see seen set should show
  small stand stands start started still stop sure take taken takes taking tell thing things time took try turn use used usually want wanted
  way well went while whole wide work works year years you
${address} ${foreign}`.split(/\s+/),
);

/** Whether a lower-case word says little about the subject of a question, however rare it is in a small collection. */
export function isCommonWord(word: string): boolean {
  return common.has(word);
}
