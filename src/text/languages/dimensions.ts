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

/** What a question asks the measure of in one direction, and the words by which a text gives it, in English and German. */
const directions: readonly (readonly [asks: RegExp, gives: RegExp])[] = [
  ['how long', 'wie lang', 'long|lengths?|lang\\p{L}*|länge'],
  ['how (?:high|tall)', 'wie hoch', 'high|tall|heights?|altitude|elevation|above|hoch|hohe[nrs]?|höhe'],
  ['how wide', 'wie breit', 'wide|widths?|breadth|broad|across|diameter|breit\\p{L}*|breite|durchmesser'],
  ['how deep', 'wie tief', 'deep|depths?|tief\\p{L}*|tiefe'],
  ['how thick', 'wie dick', 'thick|thickness|diameter|dick\\p{L}*|dicke|durchmesser'],
].map(([english, german, gives]) => [
  new RegExp(`(?<!\\p{L})(?:${english}|${german})(?!\\p{L})`, 'iu'),
  new RegExp(`(?<!\\p{L})(?:${gives})(?!\\p{L})`, 'iu'),
]);
const figure = /\p{N}/u;

/** Whether a text gives a length where its depth is asked for, and nothing of the depth. */
export function givesOtherDirection(question: string, text: string): boolean {
  const asked = figure.test(text) ? directions.find(([asks]) => asks.test(question)) : undefined;
  if (asked === undefined || asked[1].test(text)) return false;
  return directions.some(([, gives]) => gives !== asked[1] && gives.test(text));
}
