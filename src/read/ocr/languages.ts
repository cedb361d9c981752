import { languageOf } from '../../text/languages/detect.ts';

/** ISO 639-1 → names of tesseract, the first that is installed. */
const names: Readonly<Record<string, readonly string[]>> = {
  en: ['eng'],
  de: ['deu'],
  es: ['spa'],
  fr: ['fra'],
  it: ['ita'],
  pt: ['por'],
  nl: ['nld'],
  el: ['ell'],
  ru: ['rus'],
  he: ['heb'],
  ar: ['ara'],
  hi: ['hin'],
  th: ['tha'],
  ja: ['jpn'],
  zh: ['chi_sim', 'chi_tra'],
  ko: ['kor'],
};
/** More languages together are slow, and mistake one for another. */
const MOST_TOGETHER = 6;

/** The languages of a first look, when nobody said which. @param installed as tesseract lists them */
export function firstLook(installed: readonly string[]): string {
  const known = Object.values(names).flat();
  const rank = (name: string): number => (known.includes(name) ? known.indexOf(name) : known.length);
  return [...installed]
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, MOST_TOGETHER)
    .join('+');
}

/** The installed language of a text; undefined when it is not clear. */
export function installedLanguageOf(text: string, installed: readonly string[]): string | undefined {
  return names[languageOf(text)]?.find((name) => installed.includes(name));
}
