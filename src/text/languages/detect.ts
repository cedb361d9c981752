import { functionWords } from './function-words.ts';

/** Letters and letter groups of only one or two of these languages; each counts `tellTaleWeight` of a function word. */
const tellTales: Readonly<Record<string, RegExp>> = {
  de: /[äöüß]/g,
  es: /[ñ¿¡]|[áíóú]\p{L}*\b/gu,
  fr: /[êœèùëî]|ç|\b[dlnscjm]['’]|qu['’]/g,
  it: /[ìò]|\b(?:l|un|dell|nell|all|sull|quest)['’]/g,
  pt: /[ãõ]|ção|ções/g,
  nl: /ij|oe[nk]\b|aa[rnt]/g,
  sv: /å|ä(?!u)/g,
  no: /[åø]/g,
  pl: /[ąćęłńśźż]/g,
  cs: /[ěřů]|[čšžý]/g,
  tr: /[ğış]/g,
  vi: /[\u1ea0-\u1ef9đơư]/g,
  hu: /[őű]/g,
  fi: /ää|öö|yö|(?:ss|st|ll)ä\b/g,
};
const allTellTales = Object.entries(tellTales);
/** Those that a text of ASCII may have. */
const asciiTellTales = allTellTales.filter(([language]) => ['fr', 'it', 'nl'].includes(language));
const tellTaleWeight = 0.25;

/** The languages of a function word: a word of several languages counts a share for each. */
const votes = new Map<string, readonly string[]>();
for (const [language, words] of functionWords('detect')) {
  for (const word of words) votes.set(word, [...(votes.get(word) ?? []), language]);
}

const sampleChars = 2_000;

/**
 * Detects the language of a text, by script and, in Latin script, by function words. Reads at most 6,000 characters:
 * beginning, middle, end.
 * @returns an ISO 639-1 code: en de es fr it pt nl sv no pl cs hu fi tr vi id, by letters ru or uk and ar or fa, or by script
 * alone el he hi th ja zh ko; else `und`
 */
export function languageOf(text: string): string {
  const sample = text.length <= 3 * sampleChars ? text : sampleOf(text);
  const found = scriptsOf(sample);
  let [script = 'und'] = found;
  if (script === 'latin') {
    const language = latinLanguage(sample);
    // names in Latin letters may outweigh the words around them
    if (language !== 'und' || found.length < 2) return language;
    script = found[1]!;
  }
  for (const [other, own, letters, foreign] of sameScript) {
    if (script === other && count(sample, letters) > count(sample, foreign)) return own;
  }
  return script;
}

/** A language, another in the same script, the letters of the latter alone, and those of the former alone. */
const sameScript: readonly (readonly [string, string, RegExp, RegExp])[] = [
  [
    'ru',
    'uk',
    /[іїєґ]|(?<!\p{L})(?:хто|що|де (?:живе|знаход|є|можна|зберіга|розташ|лежить|взяти|знайти|народ)\p{L}*|коли|чому|навіщо|скільки|звідки|куди|чи|як|яка|яке|який|або|від)(?!\p{L})/giu,
    /[ыэъё]/giu,
  ],
  ['ar', 'fa', /[پچژگکی]/g, /[ةكيىأإ]/g],
];

function count(text: string, letters: RegExp): number {
  return text.match(letters)?.length ?? 0;
}

function sampleOf(text: string): string {
  const middle = (text.length - sampleChars) >> 1;
  return `${text.slice(0, sampleChars)} ${text.slice(middle, middle + sampleChars)} ${text.slice(-sampleChars)}`;
}

/** Beyond ASCII: first code unit, last code unit, language or `latin`, weight of one letter (a Han letter is often a word). */
const scripts: readonly (readonly [first: number, last: number, script: string, weight: number])[] = [
  [0xc0, 0x24f, 'latin', 1],
  [0x370, 0x3ff, 'el', 1],
  [0x400, 0x52f, 'ru', 1],
  [0x590, 0x5ff, 'he', 1.3],
  [0x600, 0x6ff, 'ar', 1.3],
  [0x750, 0x77f, 'ar', 1.3],
  [0x900, 0x97f, 'hi', 1.3],
  [0xe00, 0xe7f, 'th', 1.3],
  [0x1e00, 0x1eff, 'latin', 1],
  [0x3040, 0x30ff, 'ja', 3],
  [0x3400, 0x4dbf, 'zh', 3],
  [0x4e00, 0x9fff, 'zh', 3],
  [0xac00, 0xd7af, 'ko', 3],
  [0xd840, 0xd87f, 'zh', 3],
  [0xf900, 0xfaff, 'zh', 3],
];

/** The scripts of a text, or languages that have one of their own; most letters first. */
function scriptsOf(sample: string): string[] {
  const counts = new Map<string, number>();
  let ascii = 0;
  for (let i = 0; i < sample.length; i++) {
    const unit = sample.charCodeAt(i);
    if (unit < 0x80) {
      const small = unit | 0x20;
      if (small < 0x61 || small > 0x7a) continue;
      if (ascii === 0) counts.set('latin', counts.get('latin') ?? 0);
      ascii++;
      continue;
    }
    for (const [first, last, script, weight] of scripts) {
      if (unit < first) break;
      if (unit <= last) {
        counts.set(script, (counts.get(script) ?? 0) + weight);
        break;
      }
    }
  }
  if (ascii > 0) counts.set('latin', counts.get('latin')! + ascii);
  // Japanese mixes kana and Han. From a tenth of kana on, the Han letters count as Japanese too.
  const kana = counts.get('ja') ?? 0;
  const han = counts.get('zh') ?? 0;
  if (kana > 0 && kana >= 0.1 * (kana + han)) {
    counts.set('ja', kana + han);
    counts.delete('zh');
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([script]) => script);
}

/** `Was macht …` and no `Was it …`: the verb of a German question that has no other word of German. */
const germanWhat =
  /^\W*[Ww]as (?!(?:it|that|not|what|at|part|left|most|least|just|next|last|first|best|sent|built|kept|lost|met|cut|put|set|hit|hurt|let|shut|spent|meant|caught|taught|bought|brought|thought|great|art|east|west|client|government|parliament)\s)(?:\p{Ll}{2,}t|sind|haben|machen)\s/u;
/** `Que fait …` */
const frenchWhat = /^\W*[Qq]ue f(?:ai|on)t\s/u;
const openingWeight = 2;

/** Words that open or close questions of one language only; a text needs what the second pattern finds at once. */
const openings: readonly (readonly [language: string, pattern: RegExp, needs?: RegExp])[] = [
  ['de', germanWhat],
  ['fr', frenchWhat],
  ['pl', /^[^\p{L}]*(?:il[eu]|skąd|dokąd|czy|po co|co robi[ąa]?|jak działa) \p{L}/iu],
  ['cs', /^[^\p{L}]*(?:lze|mohu|můžu|čím|odkud|k čemu|co děla?jí|co dělá|jak se) \p{L}/iu],
  ['pt', /^[^\p{L}]*(?:o que|para que serve[m]?) \p{L}/iu],
  ['sv', /^[^\p{L}]*(?:(?:kan|får|måste|ska) jag|var (?:bor|finns|ligger|är)) \p{L}/iu],
  ['fi', /^[^\p{L}]*(?:voiko|voinko|onko|ovatko|pitääkö|saako|tarvitseeko|miten|mikä|kuka|missä) \p{L}/iu],
  [
    'hu',
    /^[^\p{L}]*(?:[Kk]i[kt]?(?= \p{Ll}{2,} (?:az?|egy) )|[Mm]i (?:az?|egy)|[Mm]it (?:csinál|jelent|tesz)|[Mm]ire való|[Hh]ogyan) /u,
  ],
  [
    'tr',
    /(?<!\p{L})(?:ne (?:yapar|kadar|zaman\p{L}*|işe yarar)[^?]*|\p{L}+ m(?:[ıü]|[ıiuü]y[ıiuü][mz]))\s*\?\s*$/iu,
    /\?\s*$/,
  ],
  [
    'vi',
    /(?<!\p{L})(?:làm (?:gì|sao)|thế nào|bao nhiêu|mấy (?:giờ|ngày|năm))(?!\p{L})|^[^\p{L}]*ai \p{L}*[ăâđêôơư\u1ea0-\u1ef9]/iu,
    /[^\0-\x7f]/,
  ],
];

/** The language of a question that its first words tell, or its last ones. */
export function openingLanguage(text: string): string | undefined {
  return openings.find(([, pattern, needs]) => needs?.test(text) !== false && pattern.test(text))?.[0];
}

/** Whether words in small letters have letters that few other languages have. */
export function hasOwnLetters(text: string, language: string): boolean {
  const own = tellTales[language];
  if (own === undefined || asciiTellTales.some(([other]) => other === language)) return false;
  return (text.normalize('NFC').match(/(?<!\p{L})\p{Ll}+(?!\p{L})/gu) ?? []).some((word) => word.search(own) >= 0);
}

function latinLanguage(sample: string): string {
  const lower = sample.toLowerCase().normalize('NFC');
  const scores = new Map<string, number>();
  const add = (language: string, weight: number) => scores.set(language, (scores.get(language) ?? 0) + weight);
  for (const word of lower.match(/\p{L}+/gu) ?? []) {
    const own = votes.get(word);
    if (own) for (const language of own) add(language, 1 / own.length);
  }
  const opening = openingLanguage(sample);
  if (opening !== undefined) add(opening, openingWeight);
  const isAscii = !/[^\0-\x7f]/.test(lower);
  for (const [language, pattern] of isAscii ? asciiTellTales : allTellTales) {
    const found = lower.match(pattern);
    if (found) add(language, found.length * tellTaleWeight);
  }
  let best = 'und';
  let most = 0;
  for (const [language, score] of scores) {
    if (score > most) {
      best = language;
      most = score;
    }
  }
  return best;
}

/** Letters that only one of the two ways to write Chinese has. */
const traditional =
  /[們個來說對時會這為與國後從經開關問實點發現應該還沒種麼無間給過動進運體數據檔檢設備節機電網覽區圖資訊選項標準號碼轉換遠連結議證權變見讀寫聽語義類錯誤處將並內]/g;
const simplified =
  /[们个来说对时会这为与国后从经开关问实点发现应该还没种么无间给过动进运体数据档检设备节机电网览区图资讯选项标准号码转换远连结议证权变见读写听语义类错误处将并内]/g;

/** Whether a text of Chinese is written with traditional letters. */
export function isTraditional(text: string): boolean {
  return count(text, traditional) > count(text, simplified);
}
