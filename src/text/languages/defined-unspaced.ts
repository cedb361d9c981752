const quotes = '["\'“”‘’「」『』《》（）()\\s]*';
/** What a question of Japanese, Chinese or Thai wants explained, and whether it asks what that is for. */
const asked: readonly (readonly [source: string, asksUse: boolean])[] = [
  ['(.+?)\\s*は?\\s*何のため.*', true],
  ['(.+?)\\s*(?:とは|って|は)\\s*(?:何|なん|誰|だれ)(?:のこと)?(?:です|でしょう|なの)?か?', false],
  ['(.+?)\\s*とは', false],
  ['(.+?)\\s*(?:有什[么麼](?:用途?|作用)|是(?:做|干)什[么麼]用?的|用[来來]做什[么麼])', true],
  ['(?:什[么麼]是|何[为為謂谓])\\s*(.+?)', false],
  ['(.+?)\\s*(?:是(?:什[么麼](?:意思|东西|東西)?|[谁誰])|指(?:的是)?什[么麼])', false],
  ['(.+?)\\s*(?:มีไว้ทำอะไร|ใช้ทำอะไร)', true],
  ['(.+?)\\s*(?:คือ|หมายถึง|แปลว่า)\\s*(?:อะไร|ใคร)', false],
];
const patterns = asked.map(([source, asksUse]) => ({
  pattern: new RegExp(`^\\s*${quotes}${source}${quotes}[\\s?？。]*$`, 'diu'),
  asksUse,
}));
const closing = /["'”’」』》]+$/;
const script = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;
/** A longer one is no name of a thing. A word of letters with blanks beside it counts as two characters. */
const longest = 24;
const spacedWord = /[\p{sc=Latin}\p{N}][\p{sc=Latin}\p{N}'’._-]*\s*/gu;

interface UnspacedTerm {
  readonly start: number;
  readonly end: number;
  readonly asksUse: boolean;
}

/** Where a question of a script without blanks has the term that it wants explained. */
export function unspacedTerm(question: string): UnspacedTerm | undefined {
  if (!script.test(question)) return undefined;
  for (const { pattern, asksUse } of patterns) {
    const place = pattern.exec(question)?.indices?.[1];
    if (place === undefined) continue;
    const [start, last] = place;
    const term = question.slice(start, last).replace(closing, '');
    const end = start + term.length;
    const isLong = term.replace(spacedWord, '##').length > longest;
    return isLong || /[、，,]/.test(term) ? undefined : { start, end, asksUse };
  }
  return undefined;
}

/** Of a list that explains one thing in each item. */
const itemMark = '(?:\\s*(?:[-*+•‣▪・]|[(（]?\\d{1,3}[.)）．])\\s*)?';

/** `パッケージ用語で「依存」は` */
const inWords = '[^。，、,]{1,24}(?:用語|言葉|世界|分野)では?[、\\s]*';

/** Tells of sentences how far they say what a term is: 1 a definition, half of it as likely as not, 0 not at all. */
export function saidOfUnspaced(term: string, asksUse: boolean): (sentence: string) => number {
  const name = term.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const begins = new RegExp(
    `^${itemMark}${quotes}(?:[^。，、,]{1,16}[，、,]\\s*|${inWords})?${quotes}${name}["'”’」』》\\s]*(?:[（(][^）)]*[）)])?\\s*`,
    'iu',
  );
  return (sentence) => {
    const start = begins.exec(sentence);
    return start === null ? 0 : saidBehind(sentence.slice(start[0].length), asksUse);
  };
}

function saidBehind(behind: string, asksUse: boolean): number {
  if (/^(?:とは|というのは)/.test(behind)) return 1;
  if (/^は/.test(behind)) return isNoun.test(behind) ? 1 : asksUse && serves.test(behind) ? 1 : 0;
  if (/^(?:[是即]?指|即|คือ|หมายถึง|แปลว่า|เป็น(?!ต้น))/.test(behind)) return 1;
  if (asksUse && /^(?:可以?|能够?|允许|用于|用来|用來|負責|负责)/.test(behind)) return 1;
  return /^是(?![否不])/.test(behind) ? (/的[。.\s]*$/.test(behind) ? 0.4 : 1) : 0;
}

/** A sentence of Japanese that ends with what its subject is. */
const isNoun =
  /(?<![いう])(?:です|である|であり、.*|を(?:指し|意味し|いい)ます|を(?:指|意味)して(?:いる|います)|を(?:指|意味)する?|のこと)[。.\s]*$/u;
const serves = /(?:ため|使(?:わ|用さ)れ|可能|でき)/u;
