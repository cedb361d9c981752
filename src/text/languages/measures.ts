import { demandedElsewhere } from './measures-elsewhere.ts';

/** The units of a number, by its kind. */
export const unitsSaid: Readonly<Record<string, RegExp>> = {
  money:
    /[$€£¥₹]|\b(?:usd|eur|dollars?|euros?|pounds?|yen|crowns?|cents?|rupees?|yuan|francs?)\b|元|円|ريال|דולר|₺|₪|₫|₴|(?<!\p{L})(?:zł|kč|kron\p{L}|грн|гривень|đồng|rupiah)(?!\p{L})|تومان|ریال|ש"ח|원|บาท/iu,
  percent:
    /%|percent|per cent|prozent|por ciento|pour cent|процент|百分|प्रतिशत|بالمئة|درصد|אחוז|procent|prosent|yüzde|(?<!\p{L})persen(?!\p{L})|відсот|phần trăm|퍼센트|ร้อยละ/iu,
  time: /\b(?:seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?|ms|sekunden?|minuten?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?|segundos?|minutos?|horas?|días?|semanas?|meses|años?|jours?|heures?|ans|mois|semaines?|second[oi]|minut[oi]|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]|dias?|anos?)\b|年|天|小时|分钟|秒|лет|года?|дней|недел|месяц|час|سنة|سنوات|يوم|साल|वर्ष|दिन|(?<!\p{L})(?:jaar|jaren|dagen|weken|maanden|uur|uren|år|dagar|dager|timmar|månader|måneder|veckor|uker|lata|dni|godzin\p{L}*|miesi\p{L}+|minut\p{L}*|dnů|hodin\p{L}*|měsíc\p{L}*|рок(?:и|ів)|днів|годин\p{L}*|χρόνια|έτη|η?μέρες|ώρες|μήνες|λεπτά|năm|ngày|giờ|tháng|phút|yıl\p{L}*|gün|saat|tahun|hari|bulan|menit)(?!\p{L})|سال|روز|ماه|ساعت|שנ(?:ה|ים)|ימים|שעות|חודשים|דקות|\d\s?(?:년|일|시간|개월|분)|ปี|วัน|ชั่วโมง|เดือน|นาที/iu,
  length:
    /\d\s?(?:mm|cm|m|km|ft|in|mi)\b|\b(?:met(?:er|re)s?|kilomet(?:er|re)s?|centimet(?:er|re)s?|miles?|feet|foot|inch(?:es)?|yards?|metros?|mètres?|kilómetros?|meter|hectares?|acres?)\b|米|公里|метр|км|متر|मीटर|किलोमीटर|μέτρ|χιλιόμετρ|kilometr|(?<!\p{L})(?:metr\p{L}{0,2}|mét)(?!\p{L})|מטר|미터|เมตร/iu,
  speed: /\d\s?(?:mm\/s|m\/s|km\/h|mph|rpm|knots|[kmg]bit\/s|[kmg]bps)\b/iu,
  size: /\d\s?(?:[kmgt]i?b(?:ytes?)?|[kmgt]o|ha|m²|m2|km²|sq)(?![\p{L}\p{Nd}])|\d\s?[кмгт]и?б(?!\p{L})|\b(?:bytes?|(?:kilo|mega|giga|tera)bytes?|pixels?|hectares?|acres?|square|quadrat\p{L}*|metros cuadrados|mètres carrés|persegi)\b|τετραγωνικ|квадратн|kwadratow|čtverečn|vuông|مربع|קמ"ר|제곱|ตาราง/iu,
  temperature: /\d\s?°|\bdegrees?\b|\bgrad\b|\bgrados?\b|\bdegrés?\b/iu,
  mass: /\d\s?(?:kg|g|mg|t|lb)\b|\b(?:kilograms?|grams?|tons?|tonnes?|pounds?|kilogramm|kilos?)\b|公斤|吨|кг|тонн/iu,
};

/** Kinds of units, by the words that ask for them; the first that is found is meant. */
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
export function unitAskedIn(question: string): string | undefined {
  return unitsAsked.find(([, pattern]) => pattern.test(question))?.[0];
}

/** A question for a sum, a share or a time, and what a sentence says one with. */
interface DemandedMeasure {
  readonly asks: RegExp;
  readonly holds: RegExp;
  /** Cells of a table may stand without it: their header says `Price`. */
  readonly bareInTables: boolean;
}

const price =
  'prices?|costs?|fees?|salary|salaries|wages?|pay|rent|revenues?|turnover|fine|deposit|net (?:income|profit)';
const pays = 'costs?|pays?|paid|earn(?:s|ed)?|spen[dt]|charged?|owed?|owes|fined|billed?|worth';

/** The words that express a time. */
const timeSaid =
  /(?:second|minute|hour|day|week|month|year|decade|centur|night|sekunde|stunde|tag|woche|monat|jahr|jour|heure|semaine|segundo|minuto|hora|día|semana|año|giorn|settiman|секунд|минут|недел|месяц|час|дн[еяй]|день|лет|год)|\b(?:mois|ans?|minut[oi]|or[ae]|ann[oi]|dias?|anos?|mesi|m[eé]s(?:es)?|mins?|hrs?|[hs])\b|\p{N}(?:ms|s|h|min)\b/iu;

/** Stricter than `unitsAsked`: what holds none is no answer. The first ones are of English, German, French, Spanish, Italian, Portuguese, Russian and Chinese. */
export const demandedMeasures: readonly DemandedMeasure[] = [
  {
    asks: /\bwhat time\b|\bum wie ?viel uhr\b|(?<!\p{L})à quelle heure\b|\ba qué hora\b|\ba che ora\b|\ba que horas\b/iu,
    holds:
      /\d{1,2}\s?[:.h]\s?\d\d|(?<![\d/.-])\d{1,2}\s?[-–]\s?\d{1,2}(?![\d/.-])|\d{1,2}\s?(?:[ap]\.?m\b|uhr|h\b|heures?|horas?|o['’]clock)|\d{3,4} ?hours|(?<![\p{L}\p{N}])(?:at|um|à|a las|alle|às|from|until|till|by|ab|bis|de|dalle|hasta las) (?:half past |quarter (?:past|to) )?(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight)\b|noon|midnight|mittag|mitternacht|midi|minuit|mediodía|medianoche|mezzogiorno|mezzanotte|meio-dia|sunset|sunrise|dawn|dusk/iu,
    bareInTables: false,
  },
  {
    asks: /\b(?:what|which) temperature\b|\bhow (?:hot|cold|warm)\b|\bwelche[rn]? temperatur|\bwie (?:heiß|kalt|warm)(?!\p{L})|\bquelle température|\bqué temperatura|\bquale temperatura|\bche temperatura/iu,
    holds:
      /°|\b(?:degrees?|grad|celsius|fahrenheit|kelvin|degrés?|grados?|gradi)\b|\d\s?[CFK]\b|\p{L}*temperatur\p{L}*/iu,
    bareInTables: true,
  },
  {
    asks: /\bhow (?:big|large) (?:is|are|was) .*\b(?:flat|apartment|room|house|garden|plot|site|hall|kitchen|office|farm|field)\b|\bwie groß (?:ist|sind|war) .*(?:wohnung|zimmer|haus|garten|grundstück|saal|raum|küche|büro|halle|fläche)|\bquelle est la (?:surface|superficie)|\bcuántos metros/iu,
    holds: /\d\s?(?:m²|m2|qm|ha|km²|sq|ft|×|x\s?\d|m\b)|quadrat|square|hectares?|acres?|hektar|mètres?|metros|meter/iu,
    bareInTables: true,
  },
  {
    asks: /\bwhat (?:percentage|percent|proportion|share)\b|\bhow many percent\b|wie ?viel prozent|quel pourcentage|qué porcentaje|quale percentuale|que porcentagem|какой процент|百分之[几多]/iu,
    holds:
      /[%‰]|per ?cent|percentage|prozent|pour ?cent|por cien|per cento|por cento|процент|百分|\p{N}\s?\/\s?\p{N}|(?<!\p{L})(?:half|halves|thirds?|quarters?|fourths?|fifths?|tenths?|one in|out of|hälfte|drittel|viertel|moitié|tiers|quart|mitad|tercio|metà|terzo|metade|terço)(?!\p{L})|половин|трет|четверт/iu,
    bareInTables: true,
  },
  {
    asks: new RegExp(
      [
        String.raw`\bhow much (?:is|are|was|were|do|does|did|can|could|must|should|has|have|will|would)\b.*\b(?:${pays})\b`,
        String.raw`\bwhat (?:do|does|did|will|would) .*\bcost\b`,
        String.raw`\bfor how much\b|\bhow many (?:us |american )?(?:dollars|euros|francs|yen|rupees|cents)\b`,
        String.raw`\bwhat(?:['’]s| is| was| are| were) (?:[\p{L}\p{N}'’.-]+ ){0,4}(?:${price})(?: (?:of|for|per|to|at|on|in)\b|[?\s]*$)`,
        String.raw`\b(?:was|wie ?viel) kost(?:en|et|ete)\b|\bwie teuer\b|\bcombien .{0,30}(?:coût|gagn|paye)|\bquel(?:le)?s? (?:est|était|sont) l(?:e|a|es) (?:prix|coûts?|loyers?|salaires?|tarifs?|frais)`,
        String.raw`\bwie hoch (?:ist|sind|war|waren) (?:der |die |das )?(?:preise?|kosten|miete|gehalt|gehälter|lohn|löhne|gebühr)`,
        String.raw`\bcuál(?:es)? (?:es|son|era) (?:el|la|los|las) (?:precio|coste|costo|alquiler|salario|sueldo|tarifa)`,
        String.raw`\bqual[ei]?['’]? ?(?:è|era|sono) (?:il|lo|la|i|gli|le) (?:prezz|cost|affitt|stipend|salari|tariff)`,
        String.raw`\bqua(?:l|is) (?:é|era|são) (?:o|a|os|as) (?:preço|custo|aluguel|aluguer|salário|ordenado|tarifa)`,
        String.raw`как(?:ая|ова|ой|ов|ую|овы) (?:\S+ )?(?:зарплат|цен[аы]|стоимост|плат[аы]|аренд|оклад)`,
        `(?:給料|給与|料金|価格|値段|家賃|費用|時給|予算|\\p{sc=Han}[費代](?=[はが])).*(?:いくら|何円|どのくらい|何です)|(?:工资|薪水|薪资|价格|价钱|租金|房租|费用).*(?:多少|几)`,
        String.raw`\bcuánto .{0,20}(?:cuesta|costó|gana|paga|cobra)|\bquanto .{0,20}(?:cost|custa)|сколько сто|多少钱`,
      ].join('|'),
      'iu',
    ),
    holds:
      /\p{Sc}|\b(?:price|cost|fee|rent|salary|wage|total)s?\W{1,4}\p{N}|\b(?:AUD|CAD|CHF|CNY|EUR|GBP|INR|JPY|RMB|SEK|USD|k[rč]|rs|zł|dollars?|euros?|pounds?|yen|cents?|pence|pesos?|rupees?|rubles?|yuan|francs?|franken|crowns?|kron(?:a|er?|or)|marks?|shillings?|lire|reais|crores?|lakhs?|free(?: of charge)?|gratis|kostenlos|gratuite?s?)(?!\p{L})|руб|бесплатн|[元円]|免[费費]|無料/iu,
    bareInTables: true,
  },
  {
    asks: /\bhow many (?:seconds|minutes|hours|days|weeks|months|years)\b|wie ?viele (?:sekunden|minuten|stunden|tage|wochen|monate|jahre)|combien d(?:e |['’])(?:secondes|minutes|heures|jours|semaines|mois|années)|cuánt[oa]s (?:segundos|minutos|horas|días|semanas|meses|años)|quant[ie] (?:secondi|minuti|ore|giorni|settimane|mesi|anni)|quant[oa]s (?:segundos|minutos|horas|dias|semanas|meses|anos)|сколько (?:секунд|минут|часов|дней|недель|месяцев|лет)/iu,
    holds: timeSaid,
    bareInTables: false,
  },
  {
    asks: /\bhow long (?:will|do|does|did|have|has|had|can|may|must|should)\b(?!.*\b(?:grow|get|(?:need|have|has) to be)\W*$)|\bwie lange (?:wird|werden|dauer|darf|dürfen|muss|müssen|kann|können|bleib)/iu,
    holds: new RegExp(
      `${timeSaid.source}|\\b(?:1[0-9]|20)\\d\\d\\b|\\b(?:until|till|forever|always|indefinitely|as long as|permanent(?:ly)?|never|for life|since|from|bis|solange|immer|seit|ab)\\b|evening|lesson|session|abend|termin|sitzung`,
      'iu',
    ),
    bareInTables: true,
  },
  {
    // an age, a birth or another beginning, or a number that counts nothing: `was 13 when`
    asks: /\bhow old\b|\b(?:at )?(?:what|which) age\b/iu,
    holds:
      /\b(?:age[ds]?|old(?:er|est)?|young(?:er|est)?|born|births?|birthday|turn(?:s|ed)|teen(?:age|ager|s)?|infan(?:t|cy)|child(?:hood)?|since|founded|established|built|opened|constructed|made|begun|began|dat(?:es?|ing|ed)|ago|centur(?:y|ies)|(?:twen|thir|for|fif|six|seven|eigh|nine)ties)\b|\byears? of\b|(?<!\d)(?:1\d|20)\d\d(?!\d)|(?<![\d.,$€£])\d{1,3}(?=[.,;)]|$| (?:when|and|at|as|while|or|in|by)\b)|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\p{L}+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty)(?:[.,;)]|$| (?:when|and|at|as|while|or|in|by)\b)/iu,
    bareInTables: true,
  },
  {
    // of a network, not of the sea
    asks: /\b(?:tcp|udp|default|network|server|ssh|https?)[ -]ports?\b|\bport numbers?\b|\b(?:what|which)(?: [\p{L}]+)? ports? (?:do(?:es)?|must|should|can|is|are|has to|have to)\b.*\b(?:use[ds]?|listens?|open(?:ed)?|forward(?:ed)?|need(?:s|ed)?|required?|reachable|bound|run(?:s|ning)?)\b/iu,
    holds: /\p{Nd}{2,5}/u,
    bareInTables: true,
  },
  ...demandedElsewhere,
];

/** A time of one, without a figure: `for a week`, in English, German, French, Spanish, Italian and Portuguese. */
export const oneUnitOfTime: RegExp =
  /(?<!\p{L})(?:an?|half an|ein(?:en?|er|em|es)?|une?|una?|uma?) (?:minute|hour|day|night|week|weekend|fortnight|month|year|decade|century|stunde|tag(?:es)?|nacht|woche|monat(?:e?s)?|jahr(?:es)?|jahrzehnt(?:e?s)?|jahrhunderts?|heure|jour|nuit|semaine|mois|an|année|siècle|minuto|hora|día|noche|semana|mes|año|siglo|ora|giorno|notte|settimana|mese|anno|dia|noite|mês|ano)(?!\p{L})/iu;

const everyPeriod = '(?:per|an?|each|every|pro|je|im|in der|par|por|al|alla|a la)';

/** `£14 a day`, `2.5 % per year`: what so much of time costs or yields, which says neither when nor how often. */
export const rates: RegExp = new RegExp(
  String.raw`(?:[$€£¥]\s?\p{N}[\p{N}.,]*|\p{N}[\p{N}.,]*\s?(?:[%$€£¥]|(?:per ?cent|prozent|euros?|pounds?|dollars?|pence|cents?|EUR|USD|GBP|CHF|francs?|franken)(?!\p{L})))(?:\s\p{L}+){0,2}?\s${everyPeriod}\s(?<period>\p{L}+)(?!\p{L})`,
  'giu',
);

/** `requests_per_minute` */
const keyPerPeriod = /(?<=\p{L}[_-]per[_-])(?<period>\p{L}+)(?!\p{L})/giu;

/** `500 projects a year` */
const countsPerPeriod = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,])\p{N}[\p{N}.,]*(?:\s\p{L}+){1,2}?\s${everyPeriod}\s(?<period>\p{L}+)(?!\p{L})`,
  'giu',
);

const periodSaid = new RegExp(String.raw`(?<!\p{L})${everyPeriod}\s(?<period>\p{L}+)(?!\p{L})`, 'giu');

/** Words for the times that sums are reckoned by; a night counts as a day. */
const periods = new Map(
  [
    'second sekunde seconde segundo secondo',
    'minute minuto minuta',
    'hour stunde heure hora ora',
    'day night tag nacht jour nuit día noche giorno notte',
    'week woche semaine semana settimana',
    'month monat mois mes mese',
    'year annum jahr an année año anno',
  ].flatMap((words) => words.split(' ').map((word, _, [name = '']): [string, string] => [word, name])),
);

const periodsOf = (text: string, pattern: RegExp): Set<string> =>
  new Set(Array.from(text.matchAll(pattern)).flatMap(({ groups }) => periods.get(groups!.period!.toLowerCase()) ?? []));

/** The times that a text reckons by, in English, German, French, Spanish and Italian: `week` for `pro Woche`. */
export const periodsSaid = (text: string): Set<string> => periodsOf(text, periodSaid);

/** Those that its sums and its counts are for. */
export const periodsOfRates = (text: string): Set<string> =>
  new Set([rates, countsPerPeriod, keyPerPeriod].flatMap((pattern) => [...periodsOf(text, pattern)]));
