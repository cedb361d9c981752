/** Invisible characters of a word: soft hyphens, U+200D, selectors of variants; the frame of a keycap. */
const unseen = /\p{Variation_Selector}|[\u00ad\u200d]|\u034f|\u20e3/gu;
/** All but what stands above the line: m² is not m2, and 10⁵ not 105. What stands below is only small: CO₂. */
const compatible = /[^\p{No}\p{Lm}ªºŉ]+|[\u2080-\u2089]+/gu;
/** Vowel points and marks of recitation of Hebrew and Arabic, and the stroke that makes Arabic words longer. */
const points =
  /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u08d3-\u08e1\u08e3-\u08ff]/g;
/** Marks of stress; those of й and ќ are one with their letters. */
const stress = /(?<=\p{sc=Cyrillic})[\u0300\u0301]+/gu;
const apostrophes = '\u00b4\u02b9\u02bb\u02bc\u05f3\u2018\u2019\u201b\u2032\uff07';
const apostrophe = new RegExp(`[${apostrophes}]`, 'g');

export function isApostrophe(unit: number): boolean {
  return unit === 0x27 || (unit > 0x7f && apostrophes.includes(String.fromCharCode(unit)));
}

export function isUnseen(character: string): boolean {
  return character.search(unseen) === 0;
}

/**
 * A word without differences that its letters do not make: width, ligatures, styles, joined and pointed forms, kinds of
 * apostrophes, and digits of other scripts. Keeps case, accents, and superscripts.
 */
export function plainWord(word: string): string {
  const normal = word.normalize('NFC');
  return mayChange(normal) ? plain(normal) : normal;
}

function plain(word: string): string {
  return word
    .replace(unseen, '')
    .replace(apostrophe, "'")
    .replace(compatible, (run) => run.normalize('NFKC'))
    .normalize('NFC')
    .replace(points, '')
    .replace(stress, '')
    .replace(/\p{Nd}/gu, asciiDigit)
    .replace(/\s/g, ''); // NFKC sets a lone mark on a space
}

/** The digits of a script follow each other, and every run of digits begins with a zero. */
function asciiDigit(digit: string): string {
  const point = digit.codePointAt(0)!;
  if (point < 0x80) return digit;
  let zero = point;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String((point - zero) % 10);
}

/** Letters that stand for each other in one language, by habit or because the other case has no such letter. */
const same: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', ı: 'i', ς: 'σ', ё: 'е' },
  ...{ أ: 'ا', إ: 'ا', آ: 'ا', ٱ: 'ا', ى: 'ي', ی: 'ي', ک: 'ك', ۀ: 'ه' },
};
const letters = new RegExp(`[${Object.keys(same).join('')}]`, 'g');
const greek = /[\u0370-\u03ff\u1f00-\u1fff]/;

/**
 * Makes letters equal that readers of a language take for one: ß and ss, Turkish i with and without dot, both sigmas,
 * Greek letters with and without the accents that capitals lack, ё and е, forms of alef, yeh and kaf.
 * @param word from `plainWord`, in lower case
 */
export function foldLetters(word: string): string {
  return mayChange(word) ? folded(word) : word;
}

function folded(word: string): string {
  const bare = greek.test(word) ? word.normalize('NFD').replace(/(?<=\p{sc=Greek}\p{M}*)\p{M}/gu, '') : word;
  return bare
    .normalize('NFC')
    .replace(/(?<=[iı])\u0307+/g, '') // İ in lower case
    .replace(letters, (letter) => same[letter]!)
    .normalize('NFC');
}

/** A word in lower case, plain and folded. @param word in NFC */
export function foldWord(word: string): string {
  return mayChange(word) ? folded(plain(word).toLowerCase()) : word.toLowerCase();
}

const STAYS = 1;
const CHANGES = 2;
/** Of each code unit, whether it changes in a word; 0 = not known yet. */
const changes = new Uint8Array(0x10000);

/** Most words have no letter that changes: looking at each unit takes a tenth of the time. @param word in NFC */
export function mayChange(word: string): boolean {
  for (let at = 0; at < word.length; at++) {
    const unit = word.charCodeAt(at);
    if (changes[unit] === 0) changes[unit] = changesAlone(unit) ? CHANGES : STAYS;
    if (changes[unit] === CHANGES) return true;
  }
  return false;
}

function changesAlone(unit: number): boolean {
  if (unit < 0x80) return false;
  const letter = String.fromCharCode(unit);
  if (/[\u0300-\u036f\u3099\u309a\ud800-\udfff\uff66-\uff9fΣ]/.test(letter)) return true; // its neighbours tell
  const lower = letter.toLowerCase();
  return plain(letter) !== letter || folded(lower) !== lower;
}

/** A run of a script without spaces, in one line, in NFC and with letters of full width. */
export function plainRun(run: string): string {
  const normal = run.replace(/\s+/g, '').normalize('NFC');
  if (!mayChange(normal)) return normal;
  return normal
    .replace(unseen, '')
    .replace(/[\uff66-\uff9f]+/g, (half) => half.normalize('NFKC'))
    .normalize('NFC');
}
