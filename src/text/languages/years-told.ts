/** The year before this one, by language. */
const lastYear: Readonly<Record<string, RegExp>> = {
  ru: /(?:поза)?прошл(?:ом|ого) год[ау]/iu,
  uk: /минул(?:ого|ому) ро(?:ку|ці)/iu,
  pl: /(?:zeszł|ubiegł|poprzedni)\p{L}+ rok[u]/iu,
  cs: /(?<!\p{L})(?:loni|vloni|minulý rok)(?!\p{L})/iu,
  it: /anno (?:scorso|passato)/iu,
  pt: /ano passado/iu,
  nl: /vorig jaar/iu,
  tr: /geçen (?:yıl|sene)/iu,
  ar: /العام الماضي|السنة الماضية/u,
  ja: /昨年|去年/u,
  zh: /去年/u,
};

const year = String.raw`(?<!\p{N})(?<year>(?:1\d|20)\d\d)(?!\p{N})`;
const asYear = new RegExp(
  String.raw`(?:(?<!\p{L})(?:em|nel|dal|do ano de|in|w|v|rok|roce|عام|سنة) )${year}|${year.replace('year', 'before')}(?: ?年| (?:год|г\.|roku|року|рік|roce)|['’][dt][ea])`,
  'iu',
);

/** The year that a question in one of these languages is about, be it as a word; undefined where it has none. */
export function yearTold(language: string, question: string): string | undefined {
  const word = lastYear[language];
  if (word === undefined) return undefined;
  const { year, before } = asYear.exec(question)?.groups ?? {};
  return year ?? before ?? word.exec(question)?.[0];
}
