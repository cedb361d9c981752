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
  sv: ['swe'],
  no: ['nor'],
  pl: ['pol'],
  cs: ['ces'],
  tr: ['tur'],
  vi: ['vie'],
  id: ['ind'],
  uk: ['ukr'],
  fa: ['fas'],
};
/** Script, as the model `osd` names it → its languages. A language that is not here is written in Latin letters. */
const scripts: Readonly<Record<string, readonly string[]>> = {
  Arabic: ['ara', 'fas', 'urd', 'pus', 'snd', 'uig', 'kur_ara'],
  Armenian: ['hye'],
  Bengali: ['ben', 'asm'],
  Cyrillic: ['rus', 'ukr', 'bel', 'bul', 'srp', 'mkd', 'kaz', 'kir', 'mon', 'tat', 'tgk', 'uzb_cyrl', 'aze_cyrl'],
  Devanagari: ['hin', 'mar', 'nep', 'san'],
  Ethiopic: ['amh', 'tir'],
  Georgian: ['kat', 'kat_old'],
  Greek: ['ell', 'grc'],
  Gujarati: ['guj'],
  Gurmukhi: ['pan'],
  Han: ['chi_sim', 'chi_tra', 'chi_sim_vert', 'chi_tra_vert'],
  Hangul: ['kor', 'kor_vert'],
  Hebrew: ['heb', 'yid'],
  Japanese: ['jpn', 'jpn_vert'],
  Kannada: ['kan'],
  Khmer: ['khm'],
  Lao: ['lao'],
  Malayalam: ['mal'],
  Myanmar: ['mya'],
  Oriya: ['ori'],
  Sinhala: ['sin'],
  Tamil: ['tam'],
  Telugu: ['tel'],
  Thai: ['tha'],
  Tibetan: ['bod', 'dzo'],
};
/** Names that `osd` has for a script besides those above. */
const otherNames: Readonly<Record<string, string>> = {
  Fraktur: 'Latin',
  Hiragana: 'Japanese',
  Katakana: 'Japanese',
  Korean: 'Hangul',
};
/** More languages together are slow, and mistake one for another. */
const MOST_TOGETHER = 6;

/** The script of a model, of a language or of the script itself (`script/Greek`). */
function scriptOf(model: string): string {
  const [folder, name = ''] = model.split('/');
  if (folder === 'script') return otherNames[name] ?? name;
  return Object.keys(scripts).find((script) => scripts[script]!.includes(model)) ?? 'Latin';
}

/** Whether the script of a picture says which of the models read it. */
export function haveScripts(installed: readonly string[]): boolean {
  return new Set(installed.map(scriptOf)).size > 1;
}

/** The models of a script. Those of a script as a whole only where it has no other. */
export function modelsOf(script: string, installed: readonly string[]): readonly string[] {
  const own = installed.filter((model) => scriptOf(model) === (otherNames[script] ?? script));
  const languages = own.filter((model) => !model.startsWith('script/'));
  return languages.length > 0 ? languages : own;
}

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
