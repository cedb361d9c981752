/** Words for the place in an order, of English, German, French, Spanish and Italian; equal numbers are one place. */
const places: ReadonlyMap<string, number> = new Map(
  [
    'first 1st erste erster ersten erstes premier première primer primera primero primo prima',
    'second 2nd zweite zweiter zweiten zweites deuxième seconde segundo segunda secondo seconda',
    'third 3rd dritte dritter dritten drittes troisième tercer tercera tercero terzo terza',
    'fourth 4th vierte vierter vierten viertes quatrième cuarto cuarta quarto quarta',
    'fifth 5th fünfte fünfter fünften fünftes cinquième quinto quinta',
    'last final letzte letzter letzten letztes dernier dernière último última ultimo ultima',
  ].flatMap((words, i) => words.split(' ').map((word) => [word, i] as const)),
);

/** The place that a lower-case word says; undefined for other words. */
export function placeInOrder(word: string): number | undefined {
  return places.get(word);
}
