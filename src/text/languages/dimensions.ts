/** What a question asks how much of there is, and the nouns by which a text measures it, in English and German. */
const dimensions: readonly (readonly [asks: RegExp, noun: RegExp])[] = [
  ['long', '(?<!\\bat (?:great |some )?)lengths?|duration'],
  ['(?:high|tall)', 'height|altitude|elevation'],
  ['wide', 'widths?|breadth'],
  ['deep', 'depths?'],
  ['thick', 'thickness'],
  ['heavy', 'weights?|mass'],
  ['(?:big|large)', 'sizes?|areas?|capacity|dimensions?'],
  ['fast', 'speeds?|velocity'],
  ['(?:hot|cold|warm)', 'temperatures?'],
  ['far', 'distances?'],
  ['strong', 'strength'],
].map(([asks, noun]) => [new RegExp(`\\bhow ${asks}\\b`, 'iu'), new RegExp(`\\b(?:${noun})\\b`, 'iu')]);

const german: readonly (readonly [asks: RegExp, noun: RegExp])[] = [
  ['lang', 'länge|dauer'],
  ['hoch', 'höhe'],
  ['breit', 'breite'],
  ['tief', 'tiefe'],
  ['dick', 'dicke'],
  ['schwer', 'gewicht|masse'],
  ['groß', 'größe|fläche'],
  ['schnell', 'geschwindigkeit|tempo'],
  ['(?:heiß|kalt|warm)', 'temperatur'],
  ['weit', 'entfernung|abstand'],
].map(([asks, noun]) => [
  new RegExp(`(?<!\\p{L})wie ${asks}(?!\\p{L})`, 'iu'),
  new RegExp(`(?:${noun})(?!\\p{L})`, 'iu'),
]);

/** The nouns for what `how long` asks for: `length`; undefined for another question. */
export function dimensionAsked(question: string): RegExp | undefined {
  return [...dimensions, ...german].find(([asks]) => asks.test(question))?.[1];
}

/** Only that: no word of its own. */
export const degreeWord: RegExp =
  /^(?:long|high|tall|wide|deep|thick|heavy|big|large|fast|hot|cold|warm|far|strong|lang|hoch|breit|tief|dick|schwer|groß|schnell|heiß|kalt|weit)$/u;
