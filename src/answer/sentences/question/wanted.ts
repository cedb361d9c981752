import type { AnalysedWord } from '../../../text/analysis/words.ts';
import {
  isDateWord,
  isFigureWord,
  isNumberWord,
  isYear,
  monthVerbs,
  placeCue,
} from '../../../text/languages/question-words.ts';
import { type Placed, textOf } from '../structure/unit-text.ts';
import { asksHowOften, saysHowOften } from './how-often.ts';
import type { Question } from './question.ts';

/** `2000`, `3.5`, `20th`, and not `sqlite3`, which is a name. */
const startsNumber = /^\p{N}/u;
/** `2021-2025` counts nothing; its years are tokens of their own. */
const yearRange = /^(?:1\d|20)\d\d[-–](?:1\d|20)\d\d$/u;
const recurrence =
  /(?<![\p{L}\p{N}])(?:(?:[12]?\d|3[01])(?:st|nd|rd|th)|[012]?\d[:.][0-5]\d(?![.\d])|\d{1,2} ?[ap]\.?m|every|each|once|twice|noon|midnight|mittags|mitternacht|midi|minuit|mediodía|medianoche|\d{1,2} ?(?:o['’]clock|uhr|h(?:[0-5]\d)?|heures?|uur|часов)|daily|weekly|monthly|quarterly|yearly|annual(?:ly)?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|sonnabends?|(?:täg|wöchent|monat|jähr)lich|jede[nrms]?|einmal|zweimal|lundis?|mardis?|mercredis?|jeudis?|vendredis?|samedis?|dimanches?|chaque|tous les|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|cada|elke|iedere|dagelijks|varje|dagligen|hver|daglig|każd\p{L}+|codziennie|každ\p{L}+|denně|кожн\p{L}+|щодня|κάθε|mỗi|hằng|her (?:gün|hafta|ay|yıl)|setiap|هر (?:روز|هفته|ماه|سال)|כל (?:יום|שבוע|חודש|שנה))(?!\p{L})|\d\s?[時时点點시]|매[일주월년]|ทุก(?:วัน|ปี|เดือน|สัปดาห์)/iu;
/** `after five days`, `within 3 weeks`, `two days before`: a time by what it is counted from. */
const countedFrom =
  /(?<![\p{L}\p{N}])(?:(?:after|within|until|nach|innerhalb von|binnen|après|d['’]ici|después de|dentro de|tras|a los)\s+(?<after>\p{N}{1,3}|\p{L}+)(?![\p{L}\p{N}])|(?<before>\p{N}{1,3}|\p{L}+)\s+(?:working\s+)?(?:minutes?|hours?|days?|weeks?|months?|years?|minuten?|stunden?|tage?|wochen?|monate?|jahre?|jours?|heures?|semaines?|mois|ans|días?|horas?|semanas?|meses|años?)\s+(?:before|after|ahead|later|earlier|in advance|vor|nach|vorher|zuvor|später|avant|après|antes|después)(?!\p{L}))/giu;
/** Of an item of a list, or of a clause (`4.2 The keeper`): its number says nothing. */
const numbered = /^\s*(?:[([]?\d{1,3}[.)\]](?=\s)|\d{1,2}(?:\.\d{1,2}){1,3}\.?(?=\s+["'“„«]?(?:\p{Lu}\p{Ll}|[AI]\s)))/u;

/** What a sentence holds that the question does not have, as far as it can be the thing that is asked for. */
export interface Holdings {
  readonly numbers: number;
  /** Of these, where a number is asked for: days of dates, numbers that name a thing, as in `week 3`, and of another unit. */
  readonly idle: number;
  readonly years: number;
  readonly dates: number;
  /** A time of the day, a day of the week or of the month, or how often: `on the 26th of each month`. */
  readonly recurs: boolean;
  /** A time by what it is counted from: `after five days`. */
  readonly relative: boolean;
  /** Words with a capital letter, the first of the sentence as half a word; and how many follow another one. */
  readonly names: number;
  readonly runs: number;
  readonly place: boolean;
  readonly reason: boolean;
  readonly definition: boolean;
  readonly steps: boolean;
  readonly code: boolean;
  /** A number with a unit of the kind that is asked for. */
  readonly unit: boolean;
  /** Items parted by commas or semicolons. */
  readonly items: number;
}

const reasonCue =
  /\b(?:because|due to|since|therefore|thus|so that|in order to|as a result|caused|causes?|reasons?|owing to|weil|wegen|daher|deshalb|um zu|grund|gründe|porque|debido|por culpa|para que|causa|motivos?|razón|razones|se deben?|parce que|car|afin|raisons?|à cause|en raison|grâce|perché|poiché|fordi|eftersom|därför|derfor|çünkü|nedeniyle|sebebiyle|karena|omdat|doordat|vanwege|dlatego|protože|kvůli)\b|ponieważ|(?<!\p{L})vì(?!\p{L})|тому що|через те|επειδή|διότι|因为|由于|所以|因此|потому|из-за|поэтому|так как|לכן|בגלל|משום|כדי|لأن|بسبب|لذلك|زیرا|چون|به دلیل|क्योंकि|कारण|เพราะ|เนื่องจาก|때문|위해/iu;
const definitionCue =
  /^[^,.;]{2,80}?\b(?:is|are|was|were|means|refers? to|denotes?|ist|sind|war|bezeichnet|bedeutet|es|son|era|est|sont|désigne|è|sono|é|são|är|er)\s+(?:an?|the|any|one|ein|eine|der|die|das|una?|el|la|une?|le|il|uma?|o|en|ett|et)\b|是|指的?是|—|–/iu;
const stepCue =
  /^(?:[-*+•]|\d{1,2}[.)])\s|^(?:(?:to|for)\s[^,]{3,60},\s*)?(?:use|set|run|call|add|open|click|press|select|choose|install|create|enter|type|make|turn|remove|go|start|put|write|pass|first|then|next)\b|\b(?:you can|by \w+ing|must be|should)\b/i;
const codeCue = /`[^`]+`|\w\(\)|[a-z][A-Z]\w|\w_\w|--\w|[{};=]{1}\s*$|\w\.\w+\(|=>|\$\w/;

const units: Readonly<Record<string, RegExp>> = {
  money:
    /[$€£¥₹]|\b(?:usd|eur|dollars?|euros?|pounds?|yen|crowns?|cents?|rupees?|yuan|francs?)\b|元|円|ريال|דולר|₺|₪|₫|₴|(?<!\p{L})(?:zł|kč|kron\p{L}|грн|гривень|đồng|rupiah)(?!\p{L})|تومان|ریال|ש"ח|원|บาท/iu,
  percent:
    /%|percent|per cent|prozent|por ciento|pour cent|процент|百分|प्रतिशत|بالمئة|درصد|אחוז|procent|prosent|yüzde|(?<!\p{L})persen(?!\p{L})|відсот|phần trăm|퍼센트|ร้อยละ/iu,
  time: /\b(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|ms|sekunden?|minuten?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?|segundos?|minutos?|horas?|días?|semanas?|meses|años?|jours?|heures?|ans|mois|semaines?|second[oi]|minut[oi]|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]|dias?|anos?)\b|年|天|小时|分钟|秒|лет|года?|дней|недел|месяц|час|سنة|سنوات|يوم|साल|वर्ष|दिन|(?<!\p{L})(?:jaar|jaren|dagen|weken|maanden|uur|uren|år|dagar|dager|timmar|månader|måneder|veckor|uker|lata|dni|godzin\p{L}*|miesi\p{L}+|minut\p{L}*|dnů|hodin\p{L}*|měsíc\p{L}*|рок(?:и|ів)|днів|годин\p{L}*|χρόνια|έτη|η?μέρες|ώρες|μήνες|λεπτά|năm|ngày|giờ|tháng|phút|yıl\p{L}*|gün|saat|tahun|hari|bulan|menit)(?!\p{L})|سال|روز|ماه|ساعت|שנ(?:ה|ים)|ימים|שעות|חודשים|דקות|\d\s?(?:년|일|시간|개월|분)|ปี|วัน|ชั่วโมง|เดือน|นาที/iu,
  length:
    /\d\s?(?:mm|cm|m|km|ft|in|mi)\b|\b(?:met(?:er|re)s?|kilomet(?:er|re)s?|centimet(?:er|re)s?|miles?|feet|foot|inch(?:es)?|yards?|metros?|mètres?|kilómetros?|meter|hectares?|acres?)\b|米|公里|метр|км|متر|मीटर|किलोमीटर|μέτρ|χιλιόμετρ|kilometr|(?<!\p{L})(?:metr\p{L}{0,2}|mét)(?!\p{L})|מטר|미터|เมตร/iu,
  speed: /\d\s?(?:mm\/s|m\/s|km\/h|mph|rpm|knots|[kmg]bit\/s|[kmg]bps)\b/iu,
  size: /\d\s?(?:[kmgt]i?b(?:ytes?)?|[kmgt]o|ha|m²|m2|km²|sq)\b|\d\s?[кмгт]и?б(?!\p{L})|\b(?:bytes?|(?:kilo|mega|giga|tera)bytes?|pixels?|hectares?|acres?|square|quadrat\p{L}*|metros cuadrados|mètres carrés|persegi)\b|τετραγωνικ|квадратн|kwadratow|čtverečn|vuông|مربع|קמ"ר|제곱|ตาราง/iu,
  temperature: /\d\s?°|\bdegrees?\b|\bgrad\b|\bgrados?\b|\bdegrés?\b/iu,
  mass: /\d\s?(?:kg|g|mg|t|lb)\b|\b(?:kilograms?|grams?|tons?|tonnes?|pounds?|kilogramm|kilos?)\b|公斤|吨|кг|тонн/iu,
};
const unitsAsked: readonly (readonly [string, RegExp])[] = [
  [
    'percent',
    /percent|per cent|prozent|porcentaje|pourcentage|percentuale|процент|百分|比例|प्रतिशत|نسبة|درصد|אחוז|yüzde|(?<!\p{L})persen(?!\p{L})|відсот|ποσοστό|phần trăm|퍼센트|비율|ร้อยละ|share|proportion/iu,
  ],
  [
    'money',
    /how much (?:is|are) (?:it|an?|one)\b|how much.*\b(?:cost|pay|paid|earn|spent|worth|price|fees?|salary|revenue|money|charge)|\b(?:price|cost|fees?|salary|revenue|income|budget|deductible|rent|deposit|fine)\b|kostet|cuesta|coûte|costa|стоит|多少钱|wat kost|hoeveel kost|vad kosta|hva koste|ile kosztuj|kolik stoj|скільки кошту|πόσο κοστίζ|giá bao nhiêu|bao nhiêu tiền|berapa harga|כמה עול|가격|ราคา/iu,
  ],
  [
    'time',
    /how long|how old|how many (?:days|weeks|months|years|hours|minutes|seconds)|wie lange|cuánto tiempo|combien de temps|quanto tempo|сколько (?:лет|времени|дней)|как долго|何(?:年|日|時|週)間|多久|多长时间|hoe lang duur|hur länge|hvor lenge|jak długo|jak dlouho|як довго|скільки (?:років|часу|днів)|πόσο καιρό|πόσα χρόνια|πόση ώρα|bao lâu|berapa lama|چند (?:سال|روز|ماه|ساعت)|چه مدت|כמה (?:זמן|שנים|ימים)|몇 (?:년간|일간|시간|개월)|กี่(?:ปี|วัน|ชั่วโมง|เดือน)|كم (?:سنة|يوما|عاما)/iu,
  ],
  [
    'length',
    /how (?:far|tall|high|deep|wide)|\b(?:height|length|width|depth|distance)\b|wie (?:hoch|weit|tief|breit)|多[高远深]|hoe (?:hoog|ver|diep|breed)|hur (?:hög|djup|bred)|jak (?:wysok|głębok|daleko)|jak (?:vysok|hlubok|daleko)|яка (?:висота|довжина|глибина)|πόσο (?:ψηλ|βαθ)|(?:cao|dài|sâu) bao nhiêu|berapa (?:tinggi|panjang)|מה (?:גובה|אורך)|높이|길이|ความ(?:สูง|ยาว|ลึก)/iu,
  ],
  ['speed', /how fast|wie schnell/iu],
  [
    'size',
    /how (?:big|large)|\bsize\b|wie groß|wie ?viel (?:platz|speicher|festplatten)|combien d(?:['’]espace|e (?:place|mémoire))|quelle taille|cuánt[oa] (?:espacio|memoria)|qué tamaño|quant[oa] (?:spazio|memoria|espaço)|que tamanho|сколько (?:места|памяти)|какой размер|多大|多少(?:空间|空間|内存)|(?:容量|空き領域|メモリ).*(?:いくら|必要)|hoeveel (?:geheugen|ruimte)|hur mycket minne|ile (?:pamięci|miejsca)|kolik (?:\p{L}+ )?(?:paměti|místa)|скільки (?:пам['’]яті|місця)|πόσ(?:η μνήμη|ο χώρο)|bao nhiêu bộ nhớ|(?:berapa|berapakah) luas|oppervlakte|powierzchnia|rozloha|площа|έκταση|diện tích|yüzölçümü|مساحة|مساحت|שטח|면적/iu,
  ],
  ['temperature', /how (?:cold|hot|warm)|temperature|wie (?:kalt|heiß|warm)/iu],
  ['mass', /how heavy|\bweights?\b|\bweighs?\b|wie schwer/iu],
];

/** The kind of unit that a question asks for, if its words say so. */
export function unitAsked(question: string): string | undefined {
  return unitsAsked.find(([, pattern]) => pattern.test(question))?.[0];
}

/**
 * @param unit that the question asks for
 * @param from offset of the text where the tokens count from
 */
export function holdingsOf(
  question: Question,
  tokens: readonly AnalysedWord[],
  text: string,
  unit: string | undefined,
  from = 0,
): Holdings {
  let numbers = 0;
  let idle = 0;
  let years = 0;
  let dates = 0;
  let names = 0;
  let runs = 0;
  const numberEnd = from + (numbered.exec(text)?.[0].length ?? 0);
  tokens.forEach((token, i) => {
    if (token.start < numberEnd) return;
    if (!token.capital && !token.numeric && !isFigureWord(token.word)) return;
    if (question.known.has(token.term) || question.known.has(token.word)) return;
    const date = isDateWord(token.word) && (token.capital || !monthVerbs.has(token.word));
    if (date) dates++;
    if (token.numeric && isYear(token.word) && !isOfMoney(text, token.start - from, token.end - from)) years++;
    else if (!yearRange.test(token.word) && (startsNumber.test(token.word) || isNumberWord(token.word))) {
      numbers++;
      if (
        question.type === 'number' &&
        (countsNothing(question, tokens, i) ||
          (isCodeNumber.test(token.word) && !asksForName.test(question.text)) ||
          isOfOtherUnit(question, tokens, i, text, from) ||
          (asksForThings.test(question.text) && isOfCode(text, token.start - from, token.end - from)))
      )
        idle++;
    }
    if (!token.capital || token.empty || (date && i > 0)) return;
    names += i === 0 ? 0.5 : 1; // the first word of a sentence is capital anyway
    if (i > 0 && tokens[i - 1]!.capital) runs++;
  });
  return {
    numbers,
    idle,
    years,
    dates,
    names,
    runs,
    place: names > 0 && placeCue.test(text),
    // Most sentences are never asked for the others.
    get recurs() {
      return recurrence.test(text) || saysHowOften(text);
    },
    get relative() {
      return isRelative(text);
    },
    get reason() {
      return reasonCue.test(text);
    },
    get definition() {
      return definitionCue.test(text);
    },
    get steps() {
      return stepCue.test(text);
    },
    get code() {
      return codeCue.test(text);
    },
    get items() {
      return Math.min(8, (text.match(/[,;،、，；]/g) ?? []).length);
    },
    unit: unit !== undefined && numbers + years > 0 && units[unit]!.test(text),
  };
}

/** `3` in `week 3` and in `release 3` names one of them. */
const countedThings =
  /^(?:articles?|chapters?|figures?|fig|items?|levels?|lines?|no|nr|pages?|paragraphs?|phases?|releases?|rooms?|rows?|sections?|steps?|tables?|versions?|weeks?|woche|seite|kapitel|abschnitt|absatz|raum|zimmer|stufe|schritt|tabelle|abbildung|zeile|ausgabe|semaine|chambre|salle|étape|chapitre|tableau|niveau|ligne|semana|página|sala|capítulo|artículo|versión|tabla|figura|nivel|línea|versione|capitolo|pagina|tabella|livello|riga|settimana|versão|tabela|linha|верси[яиюей]|глав[аеуы]|раздел[ае]?|страниц[аеуы]|таблиц[аеуы]|рисун\p{L}+|пункт[ае]?|шаг|уров\p{L}+|строк[аеи]|выпуск[ае]?|релиз[ае]?)$/u;
/** `0600`, `0151`: how much or how many is not written so. */
const isCodeNumber = /^0\p{N}{2,}$/u;
const asksForName = /\bnumber\b|\bnummer\b|numéro|número/iu;

/** A number with what stands between it and all the things that it counts a part of: `one of`, `two of the employees`. */
const partitive =
  /^(?:one of|\S+ (?:of (?:the|these|those|its|our|your|his|her|their|my)|der|dieser|des|ces|de (?:los|las|sus|nuestr[oa]s)|de[gi]|delle))(?!\p{L})/u;

export function countsPart(tokens: readonly AnalysedWord[], at: number): boolean {
  const words = tokens.slice(at, at + 3).map(({ word }) => word);
  return partitive.test(words.join(' '));
}

/**
 * `737–9`, `2018-23-51` and `8:84` are names or times, and no number of things, as `5–10` is, where the smaller stands
 * first. Where no things are counted, they may be what is asked for: a score, the length of a song.
 * @param start of the number in the text, as `end`
 */
export function isOfCode(text: string, start: number, end: number): boolean {
  const from = start - (/[\p{N}–—:-]*$/u.exec(text.slice(Math.max(0, start - 16), start))?.[0].length ?? 0);
  const to = end + (/^[\p{N}–—:-]*/u.exec(text.slice(end, end + 16))?.[0].length ?? 0);
  const whole = text.slice(from, to);
  if (/\p{N}:\p{N}/u.test(whole)) return true;
  const parts = whole.split(/[-–—:]/).filter((part) => part !== '');
  return parts.length > 2 || (parts.length === 2 && Number(parts[0]) >= Number(parts[1]));
}

/** `4` in `Saturday 4 October` and in `4 de octubre`, `2025-10-04`, `3` in `week 3`, or a part: it counts nothing. */
function countsNothing(question: Question, tokens: readonly AnalysedWord[], at: number): boolean {
  if (countsPart(tokens, at)) return true;
  const before = tokens[at - 1];
  if (before !== undefined && countedThings.test(before.word) && !asksForName.test(question.text)) return true;
  return isOfDate(tokens, at);
}

/** Asks for things, which no sum of money counts; `how much` may ask for money. */
const asksForThings =
  /(?<!\p{L})(?:how many|wie ?viele|cuánt[oa]s|combien d(?:e|['’])|quant[ie]|quant[oa]s|hur många|hvor mange)(?!\p{L})/iu;
const behindCurrency = /(?:[$€£¥₹]|(?<!\p{L})(?:CAD|CHF|EUR|GBP|JPY|USD))\s?$/u;
const beforeCurrency = /^\s?(?:[$€£¥₹]|(?:CAD|CHF|EUR|GBP|JPY|USD)(?!\p{L}))/u;
/** `two months' rent` is a price. */
const paid =
  /^(?:rents?|pay|salary|wages?|fees?|charges?|miete|pacht|gehalt|lohn|loyers?|salaire|alquiler|renta|sueldo|affitto|stipendio)$/u;

/** A sum where things are counted, and days or metres where a price is asked for. */
function isOfOtherUnit(
  question: Question,
  tokens: readonly AnalysedWord[],
  at: number,
  text: string,
  from: number,
): boolean {
  if (unitAsked(question.text) === 'money') {
    const [next = '', behind = ''] = [tokens[at + 1]?.word, tokens[at + 2]?.word];
    return (units.time!.test(next) && !paid.test(behind)) || units.length!.test(next);
  }
  if (!asksForThings.test(question.text) || units.money!.test(question.text)) return false;
  return isOfMoney(text, tokens[at]!.start - from, tokens[at]!.end - from);
}

/** `USD 2000` is no year. */
function isOfMoney(text: string, start: number, end: number): boolean {
  return (
    behindCurrency.test(text.slice(Math.max(0, start - 5), start)) || beforeCurrency.test(text.slice(end, end + 5))
  );
}

/** `3 года` are three years. */
function isOfDate(tokens: readonly AnalysedWord[], at: number): boolean {
  if (/^\d{4}-\d\d(?:-\d\d)?$/.test(tokens[at]!.word)) return true;
  const isMonth = (token: AnalysedWord | undefined): boolean =>
    token !== undefined &&
    isDateWord(token.word) &&
    !/^(?:года|سنة|عام)$/u.test(token.word) &&
    (token.capital || !monthVerbs.has(token.word));
  const next = tokens[at + 1];
  return isMonth(next) || isMonth(tokens[at - 1]) || (next?.empty === true && isMonth(tokens[at + 2]));
}

function isRelative(text: string): boolean {
  for (const { groups: { after, before } = {} } of text.matchAll(countedFrom)) {
    const count = (after ?? before ?? '').toLowerCase();
    if (startsNumber.test(count) || isNumberWord(count)) return true;
  }
  return false;
}

/** Asks for a condition, not for a date. */
const condition =
  /\bwhen (?:(?:should|do|does|can|could|would|must|to|is it|using|i|you)\b|(?:is|are) .*\b(?:required|needed|necessary|allowed|permitted)\b)/i;

/** A number or a date is asked for, and a sentence has none of its own: it may well be no answer. */
export function lacksFigure(question: Question, held: Holdings): boolean {
  const { type, text } = question;
  if ((type === 'date' || asksHowOften.test(text)) && held.recurs) return false;
  if (type === 'date' && held.relative) return false;
  const wantsFigure = type === 'number' || (type === 'date' && !condition.test(text));
  if (type === 'date' && held.numbers > 0 && unitAsked(text) === 'time') return false; // an age
  return wantsFigure && (holdsWanted(question, held) <= 0.3 || countsNone(question, held));
}

/** What is written in one way alone, by what asks for it. */
const written: readonly (readonly [asks: RegExp, holds: RegExp])[] = [
  [
    /\b(?:(?:tele)?phone|mobile|cell|fax) (?:numbers?|nos?)\b|\b(?:telefon|handy|mobil|fax)nummern?\b|n[uú]m[eé]ro de (?:t[eé]l[eé](?:phone|fon[oe])|fax|portable|m[oó]vil|telem[oó]vel|celular)|numero di (?:telefono|cellulare|fax)|(?:телефонный|номер) (?:номер|телефона|факса)|电话号码|電話號碼|電話番号/iu,
    /(?<![\p{L}\p{Nd}-])\p{Nd}(?:[\s()./–-]{0,3}\p{Nd}){4}/u,
  ],
  [
    /\be-?mail[- ]?(?:address|adress)|adresse (?:e-?mail|électronique)|correo electrónico|indirizzo e-?mail|endereço de e-?mail|(?:электронн\p{L}+ почт|адрес e-?mail)|メールアドレス|(?:电子)?邮箱|电子邮件地址/iu,
    /@/,
  ],
];

/** A telephone number or an address of mail is asked for, and a sentence has none. */
export function lacksContact({ text }: Question, placed: Placed): boolean {
  const own = textOf(placed);
  return written.some(([asks, holds]) => asks.test(text) && !holds.test(own));
}

/** Has numbers where one is asked for, and none of them counts anything. */
export function countsNone({ type }: Question, { numbers, idle }: Holdings): boolean {
  return type === 'number' && numbers > 0 && numbers === idle;
}

const degree =
  /^(?:many|much|long|often|far|old|high|tall|deep|wide|heavy|fast|big|large|hot|costs?|viele?|hoch|groß|lang|oft|weit|alt|teuer|kostet|kosten|cuánt[oa]s?|cuesta|combien|coûte|quant[ieoa]s?|costa|сколько|скольких)$/iu;

/** A word that asks how much of something there is: no answer repeats it. */
export function isDegree(word: string): boolean {
  return degree.test(word);
}

/** How far a sentence holds what the question asks for, in [0, 1]; 0.5 where the question does not say. */
export function holdsWanted({ type }: Pick<Question, 'type'>, held: Holdings): number {
  const { numbers, years, dates, names, runs } = held;
  switch (type) {
    case 'number':
      return numbers > 0 ? 1 : years > 0 || dates > 0 ? 0.3 : 0;
    case 'date':
      return years > 0 || (dates > 0 && numbers > 0) ? 1 : dates > 0 ? 0.7 : numbers > 0 ? 0.2 : 0;
    case 'person':
      return runs > 0 ? 1 : names >= 1 ? 0.7 : names > 0 ? 0.3 : 0;
    case 'place':
      return held.place ? 1 : names > 0 ? 0.5 : 0;
    case 'reason':
      return held.reason ? 1 : 0.2;
    case 'steps':
      return held.steps || held.code ? 1 : 0.2;
    case 'definition':
      return held.definition ? 1 : 0.2;
    case 'list':
      return Math.min(1, held.items / 3);
    case 'code':
      return held.code ? 1 : 0;
    default:
      return 0.5;
  }
}
