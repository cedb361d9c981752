const any = '에서(?:는|도)?|에게|께서|까지|부터|보다|처럼|만큼|으?로|이?라는|이?라고|입니다|[은는이가을를의에도만와과]';

/** What Korean writes on to a number, a date or a name in Latin letters, and longer particles behind two syllables. */
export const trailingParticle: RegExp = new RegExp(
  `(?<=[\\p{sc=Latin}\\p{N}%)])(?:${any})$|(?<=\\p{N}\\s?[년월일시분초명개원])(?:${any})$|(?<=\\p{sc=Hangul}{2})(?:에서(?:는|도)?|에게|까지|부터|보다|처럼|[을를])$`,
  'u',
);

const firm = '[\\p{sc=Han}\\p{sc=Katakana}\\p{N}\\p{sc=Latin}「『]';

/** What Japanese and Chinese write behind the word before, or before the word that answers: `は約50分`, `由林德茂`. */
export const leadingParticle: RegExp = new RegExp(
  `^(?:(?:[はがをにでとへもの]|から|まで|には|では|とは)、?(?=${firm})|是(?=\\p{sc=Han}|\\p{N})|由(?![于於来來])(?=\\p{sc=Han}))`,
  'u',
);

/** `である` behind what is said, and the verb behind who does it, where or how much: `山本さんが務める`, `12店を予定している`. */
export const trailingVerb: RegExp =
  /(?<=[\p{sc=Han}\p{sc=Katakana}\p{N}ん」])(?:である|であり|です|でした|(?:[がをでに]|から)\p{sc=Han}{1,4}(?:[すしさせれるたてでいうくぐつぬぶむめけげねべまり]{0,7}))$/u;

/** `円` of `35万円`: what is counted stands behind the number, without a blank. */
export const counterBehind: RegExp =
  /(?<=[\p{N}万億千百亿萬])(?:平方米|公里|千米|厘米|毫米|小时|小時|分钟|分鐘|公斤|週間|時間|か月|年間|日間|[円元人年月日時分秒個个本回台枚名歳岁度米瓦吨两頭匹世棟件点點層层根])/uy;

/** What stands before a reason in its sentence, in other languages than English: `… da piscina, porque`. */
export const beforeReason: RegExp =
  /^[^,，、;；]*[,，、;；]\s*(?=(?:因为|因為|由于|由於|لأن|بسبب)|(?:porque|pois|потому что|так как|из-за|поскольку|тому що|через те|ponieważ|gdyż|bo|protože|perché|poiché|omdat|doordat|çünkü)(?!\p{L}))/iu;

/** The first part of a number in Chinese signs that was cut in two: `三万` before `二千名`. */
export function numberCut(before: string, words: string): number {
  const signs = '〇一二三四五六七八九十百千万亿億两兩';
  if (!signs.includes(words.charAt(0) || ' ')) return 0;
  let from = before.length;
  while (from > 0 && signs.includes(before[from - 1]!)) from--;
  return before.length - from;
}
