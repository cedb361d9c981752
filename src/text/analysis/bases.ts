import { foldLetters } from './fold.ts';

const elided = '(?:[ldnscjmt]|qu|un|(?:de|ne|a|da|su)ll|quest)';
const elision = new RegExp(`^${elided}'(?=\\p{L}{3})`, 'u');
const article = new RegExp(`^${elided}$`, 'u');

/** `dell` of `dell'arte` */
export function isElidedArticle(word: string): boolean {
  return article.test(word);
}

/** Most words; nothing below changes them. */
const plain = /^[a-z\d_-]*$/;
const arabic = /^[\u0621-\u0652\u067e\u0686\u0698\u06af]/;
const hebrew = /^[\u05d0-\u05ea]/;
const hangul = /^\p{sc=Hangul}{3}/u;
/** Behind two syllables at least. */
const particle =
  /(?<=^..+)(?:에서[는도의]?|에게서?|에[는도]|께서|(?:으?로)(?:부터|[서써는도])?|부터|까지|마다|보다|처럼|만큼|이?라[는고]|이?란|이[며고다나]|이었다|였다|입니다|하고|들[이은을의에]?|[과와][의는]?|[은는이가을를의에도만])$/u;

/**
 * The word as it may stand without what its language writes on to it: a French or Italian word without its elided
 * article; an Arabic word without conjunction, preposition and article, and without its commonest endings, after the
 * light stemmer of Larkey, Ballesteros & Connell 2007; a Korean word without its particle. In Hebrew the letters of
 * `and the` may also be the word's own: it stands with and without up to two of them. Any other word is as it is.
 * @param word in lower case
 * @returns one, or more in Hebrew; the shortest last
 */
export function wordBases(word: string): readonly string[] {
  if (plain.test(word)) return [word];
  const letters = foldLetters(word);
  if (hebrew.test(letters)) return hebrewBases(letters);
  if (hangul.test(letters)) return [letters.replace(particle, '')];
  if (!arabic.test(letters)) return [letters.replace(elision, '')];
  const open = letters.replace(/^و?(?:ال|بال|كال|فال|لل)(?=..)|^[وبلف](?=...)/, '');
  return [open.replace(/(?<=...)(?:ها|ان|ات|ون|ين|يه|ية|ه|ة|ي)$/, '')];
}

function hebrewBases(word: string): string[] {
  const bases = [word];
  for (let rest = word; bases.length < 3 && rest.length > 3 && /^[והבלמשכ]/.test(rest); ) {
    rest = rest.slice(1);
    bases.push(rest);
  }
  return bases;
}
