const word = (source: string): RegExp => new RegExp(String.raw`(?<!\p{L})(?:${source})`, 'iu');

/** What no list of steps answers: how something is called, is, or fares. */
const state = 'è|era|sono|va|stai?|si chiam\\p{L}+|mai|é|são|está|se cham\\p{L}+|es|son|fue|se llam\\p{L}+';

/** Asks how somebody does something, by language; English has `asksWay`. */
const asking: Readonly<Record<string, RegExp>> = {
  de: word(String.raw`wie (?:\p{L}+ )(?:ich|man|wir)(?!\p{L})`),
  fr: word(String.raw`comment (?:(?:puis-je|peut-on|pouvons-nous|dois-je|doit-on|faut-il|faire) |\p{L}+er(?!\p{L}))`),
  es: word(String.raw`cómo (?!(?:${state})(?!\p{L}))`),
  it: word(String.raw`come (?!(?:${state})(?!\p{L}))`),
  pt: word(String.raw`como (?!(?:${state})(?!\p{L}))`),
  nl: word(String.raw`hoe (?:\p{L}+ )(?:ik|je|men|we|wij|u)(?!\p{L})`),
  sv: word(String.raw`hur (?:\p{L}+ )(?:jag|man|vi|du)(?!\p{L})`),
  no: word(String.raw`hvordan (?:\p{L}+ )(?:jeg|man|vi|du)(?!\p{L})`),
  ru: word(String.raw`как (?:\p{L}+ ){0,2}?\p{L}+(?:ть|ться|ти|тись|чь)(?!\p{L})`),
  uk: word(String.raw`як (?:\p{L}+ ){0,2}?\p{L}+(?:ти|тися)(?!\p{L})`),
  pl: word(String.raw`jak (?:\p{L}+ ){0,2}?\p{L}+ć(?!\p{L})`),
  cs: word(String.raw`jak (?:\p{L}+ ){0,2}?\p{L}+t(?!\p{L})`),
  tr: word(String.raw`nasıl(?!\p{L})`),
  ar: word(String.raw`كيف(?!\p{L})`),
  fa: word(String.raw`(?:چگونه|چطور)(?!\p{L})`),
  he: word(String.raw`(?:איך|כיצד)(?!\p{L})`),
  hi: word(String.raw`कैसे(?![\p{L}\p{M}])`),
  ja: /どうやって|どのように|どうすれば|どうしたら|(?:方法|手順|[やりきみちえけせべ]方|仕方)(?:は|を|$)/u,
  zh: /怎[么麼](?![样樣])|怎[样樣](?=\p{sc=Han})|(?<!为)如何|步[骤驟](?=是|有|[？?]|$)/u,
  ko: /어떻게|방법/u,
};

/** Whether a question asks how somebody does something, in another language than English. */
export function asksWayIn(language: string, question: string): boolean {
  return asking[language]?.test(question) === true;
}
