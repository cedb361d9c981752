import type { Span } from '../../core/types.ts';

const end = '(?=[\\s。．.?？!！]*$)';
const noun = '\\p{sc=Han}\\p{sc=Katakana}ー';

/**
 * What is the meaning of X, what does the abbreviation X mean, que veut dire X; wie lautet X; was macht X, que fait X;
 * qu'est-ce que c'est que X, est-ce que X; che cos'è X, dov'è X; how often, how long, in what year.
 */
const joined =
  /(?<!\p{L})(?:what (?:is|are) the (?:meanings?|definitions?) of(?: the (?:term|word|expression|phrase|acronym|abbreviation))?|(?<=what do(?:es)? )the (?:term|word|expression|phrase|acronym|abbreviation)(?= .+ (?:mean|stand for))|(?<=^\W*what (?:does|do|did) .+ )(?:mean|stand for)(?=\W*$)|wie laute[tn](?!\p{L})|(?<=^[\s¿]*)(?:que f(?:ai|on)t|qu[eé] hacen?|(?:che )?cosa fa(?:nno)?|o que faz(?:em)?|was (?:macht|tut)|wat doe(?:t|n)|wie (?:oft|häufig)|que veu(?:t|lent) dire|qué quieren? decir|(?:che )?cosa (?:vuole?|vogliono) dire)(?!\p{L})|(?:qu['’])?est-ce (?:que |qu['’]|qui )(?:c['’]est (?:que |qu['’]))?|(?:che )?(?:cos|com|dov|quand)['’]\s?(?:è|era|erano)(?!\p{L})|(?:à quelle fréquence|pendant combien de temps|en quelle année|con qué frecuencia|durante cuánto tiempo|en qué año|con (?:che|quale) frequenza|(?:per )?quanto tempo|in (?:che|quale) anno|com que frequência|(?:por |durante )?quanto tempo|em que ano)(?!\p{L}))/giu;

const japanese = [
  // X とは何ですか, X はどこにありますか, X は何年ですか
  '(?:とは|って|は|が|を|に|で|の)?\\s*(?:どうすれば|どうやって|どのように|どうして|なぜ|何故|どのくらい|どれくらい|どれだけ|どこ|いつ(?!も)|いくつ|いくら|だれ|誰|どんな|どの|どれ|どちら|(?<![幾如任])何(?:年間?|月|日間?|時間?|分間?|秒間?|人|個|本|回|歳|件|種類|度|台|枚|つ|階|番)?)(?:から|まで|より|に|で|を|が|は|の)?',
  // 更新されますか, を使うにはどうすればよいですか, 教えてください
  `(?<=[${noun}]{2})[さしすれているらりわきけえせめべたでまあ]*(?:ます|ました|ません|です|でした|でしょう)か${end}`,
  `(?<=(?<![${noun}])[${noun}][きぎしちにびみりいえけげせてねべめれ]?)(?:ます|ました|ません|です|でした|でしょう)か${end}`, // 炊きますか
  `(?:(?:よい|いい)?(?:です|でしょう)か|を?教えて(?:ください|下さい)|か)${end}`,
  // つけてはいけないのですか, 使ってもいいですか, 借りることができますか
  `(?:[てで]は(?:いけ(?:ない|ません)|なら(?:ない|ません)|だめ|駄目)|[てで]も(?:いい|良い|よい|よろしい|かまいません|構いません)|ことが?でき(?:る|ます)|必要が?あ(?:る|ります))(?:[のん])?(?:です|でしょう)?か${end}`,
  // what joins two nouns, and is none: 使用するポート, ポートの値
  `(?<=[${noun}])(?:する|した|している|していた|される|された|されている)(?=[${noun}])`,
  `(?<=[${noun}A-Za-z\\d])\\s*[はがをにでのともへや](?=\\s*[${noun}A-Za-z\\d])`,
  '(?<=\\p{sc=Han}[いえきぎけげしせちてびみめりれ])の(?=[\\p{sc=Han}\\p{sc=Katakana}])', // 秋祭りの予算
].map((source) => new RegExp(source, 'gu'));

const chinese = [
  // 什么是 X, X 是谁, X 有多少个 Y, X 在哪里
  '(?:是|有|叫|在)?(?:什[么麼](?:时候|時候|地方)?|怎(?:[么麼]样?|样|樣)|如何|[为為](?:什[么麼]|何)|多少[个個名位种種次台]?|多久|多[长長大高远遠深重宽寬](?=[？?]|$)|哪(?:一?[年天月日个個些里裡位种種部条條款台次]|[儿兒])|[谁誰]|几[个個名位种種次年天])是?',
  `(?:[吗嗎呢]|的)${end}`,
  '(?<=[\\p{sc=Han}A-Za-z\\d]\\s*)(?<!目)的(?=\\s*[\\p{sc=Han}A-Za-z\\d])(?![确確士])',
].map((source) => new RegExp(source, 'gu'));

/** X คืออะไร, อยู่ที่ไหน, เมื่อใด */
const thai = [
  /(?:คือ|ว่า|เป็น|ได้แก่)?(?:อะไร|ใคร|(?:ที่|ตรง)?ไหน|เมื่อ(?:ใด|ไหร่|ไร)|เท่า(?:ใด|ไหร่|ไร)|กี่|อย่างไร|ยังไง|ทำไม|เพราะเหตุใด|(?:ที่|แห่ง|ข้อ)?ใด(?!\s?ๆ))(?:บ้าง)?(?:ครับ|คะ|ค่ะ)?/gu,
];

/** X는 무엇인가, 어디에서; the noun that stands for the answer: X의 이름은? */
const korean = [
  /(?<!\p{sc=Hangul})(?:무엇|무슨|누구|누가|누굴|어디|언제|얼마|어느|어떤|어떻게|왜)\p{sc=Hangul}*/gu,
  /(?<!\p{sc=Hangul})(?:것|이름)[은는]?(?=[\s?？]*$)/gu,
];

const asks = /[?？]|[か吗嗎呢][\s。．.]*$|什[么麼]|[谁誰怎哪何]|如何|多少|ください/u;
const kana = /[\p{sc=Hiragana}\p{sc=Katakana}]/u;
const han = /\p{sc=Han}/u;
const hangul = /\p{sc=Hangul}/u;
const thaiLetter = /\p{sc=Thai}/u;
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}ー]/u;

function partsIn(text: string): readonly RegExp[] {
  if (hangul.test(text)) return korean;
  if (thaiLetter.test(text)) return thai;
  if (!asks.test(text)) return [];
  return kana.test(text) ? japanese : han.test(text) ? chinese : [];
}

/**
 * The parts of a question that ask or join and say nothing of its subject, where blanks do not part them from it:
 * `とは何ですか`, `是什么`, `Qu'est-ce que`. In order, without overlap. None leaves a letter of Han, kana or Thai alone, since
 * the index holds pairs.
 */
export function askingParts(text: string): Span[] {
  const found = [joined, ...partsIn(text)].flatMap((pattern) =>
    Array.from(text.matchAll(pattern), ({ 0: part, index }) => ({ start: index, end: index + part.length })),
  );
  found.sort((a, b) => a.start - b.start);
  const parts: { start: number; end: number }[] = [];
  for (const part of found) {
    const last = parts.at(-1);
    if (last && part.start <= last.end) last.end = Math.max(last.end, part.end);
    else parts.push(part);
  }
  const isLetter = (at: number): boolean => unspaced.test(text[at] ?? '');
  let from = 0;
  parts.forEach((part, i) => {
    if (isLetter(part.start - 1) && (part.start - 1 <= from || !isLetter(part.start - 2))) part.start++;
    from = part.end;
    const next = parts[i + 1]?.start ?? text.length;
    if (isLetter(part.end) && part.end + 1 >= next) part.end--;
    else if (isLetter(part.end) && !isLetter(part.end + 1)) part.end--;
  });
  return parts.filter((part) => part.end > part.start);
}

/** A question with blanks in place of its `askingParts`; as it is, where it has nothing else. */
export function withoutAsking(text: string): string {
  let out = '';
  let at = 0;
  for (const part of askingParts(text)) {
    out += text.slice(at, part.start) + ' '.repeat(part.end - part.start);
    at = part.end;
  }
  out += text.slice(at);
  return /[\p{L}\p{N}]/u.test(out) ? out : text;
}
