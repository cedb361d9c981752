import { GuardedPattern } from '../guarded-pattern.ts';
import { languageOf } from './detect.ts';
import { asksMostAllowed } from './limits.ts';

/** The kinds of answers that the wording of a question may ask for. */
export const answerTypes = [
  'number',
  'date',
  'person',
  'place',
  'reason',
  'steps',
  'definition',
  'choice',
  'list',
  'code',
  'other',
] as const;
export type AnswerType = (typeof answerTypes)[number];

type Pattern = readonly [AnswerType, Pick<RegExp, 'source' | 'test'>];

const inWord = '[\\p{L}\\p{M}\\p{N}_]';
/** Where a word ends, and where it begins, in every alphabet: `\b` knows the letters of English alone. */
const wordEnd = /\\b(?=$|[|)\s]|\(\?[!=])/g;
const wordBegin = /\\b/g;
const typesOf = (list: readonly Pattern[]): readonly Pattern[] =>
  list.map(([type, { source }]) => {
    const own = source.replace(wordEnd, `(?!${inWord})`).replace(wordBegin, `(?<!${inWord})`);
    return [type, new GuardedPattern(own, 'u')];
  });

/** What somebody is called by what they are or do. */
const people =
  'director|author|writer|president|king|queen|emperor|minister|chancellor|actor|actress|singer|musician|scientist|player|coach|captain|officer|manager|teacher|professor|founder|inventor|judge|justice|senator|governor|mayor|poet|painter|composer|philosopher|explorer|engineer|employee|person|man|woman|colleague|doctor|trustee|chairman|chairwoman';
const auxiliaries = 'is|are|was|were|do|does|did|has|have|had|can|could|will|would|may|must|should';
const irregular =
  'began|became|brought|built|came|chose|drew|fought|found|gave|got|held|knew|led|left|lost|made|met|ran|said|sang|saw|sent|sold|spent|spoke|stood|taught|thought|took|went|won|wrote';
/** `Which director was …`, and not `Which director training …` */
const asksWhichPerson = new RegExp(
  String.raw`\b(?:which|what) (?:(?!(?:${auxiliaries}) )[\w-]+ ){0,2}(?:${people})s? (?:${auxiliaries}|of|in|at|from|who|that|first|also|\w+ed|${irregular}|leads|lives|owns|plays|runs|teaches|works|writes)\b`,
);

/** `What is the weight of the boat?`, and not `What is the speed limit?` or `… the weight that counts?` */
const asksQuantity =
  /\bwhat(?:['’]s| (?:is|was|are|were)) (?:the|its|their|his|her|[\w-]+['’]s) (?:[\w'’-]+ ){0,2}(?:weight|width|depth|thickness|diameter|radius|circumference|wingspan|speed|temperature|pressure|voltage|mass|density|volume|capacity|altitude|elevation|duration|wavelength|(?:tensile|yield|shear|compressive|breaking) strength|(?:melting|boiling|freezing|flash|yield) point)(?= (?:of|for|in|at|on|during|when|if)\b|\s*\??$)/;

const patterns: Readonly<Record<string, readonly Pattern[]>> = {
  en: [
    [
      'date',
      /^(?!(?:what|which|who|whose|why|how|where)\b)(?!(?!when (?:is|are|was|were|do|does|did|can|could|may|might|must|shall|should|will|would|has|have|had)\b).*\b(?:what|which|whom|how (?:many|much))\b).*\bwhen\b|\b(?:and|or) when\b|\b(?:what|which) (?:year|date|day|month|decade|century|time)\b|\bhow old\b(?!.*\b(?:when|by the time)\b)|\bwhat (?:is|was|are|were) (?:the )?(?:\w+ ){0,2}(?:dates?|deadline|birthday)\b/,
    ],
    [
      'number',
      /\bhow old\b.*\b(?:when|by the time)\b|\bat what age\b|\bhow (?:many|much|long|far|tall|high|deep|large|big|often|fast|wide|heavy|cold|hot|warm|thick|loud|strong)\b|\bpercent(?:age)?\b|\b(?:what|which) (?!caused? |causes |(?:is|was) an? |[\w'’]+ (?:sets?|controls?|limits?|changes?|defines?|determines?|specif(?:y|ies)|configures?|returns?|holds?|gives?) )(?:(?:is|was|are|were) )?(?:the )?(?:[\w'’]+ ){0,3}(?:number|amount|limit|population|rate|price|cost|total|size|length|height|distance|ratio|proportion|score|value|age|salary|fees?|revenues?|costs)\b|\bwhat (?:do|does|did) .{2,60} cost\b/,
    ],
    ['number', asksMostAllowed],
    ['number', asksQuantity],
    [
      'person',
      /^(?!(?:what (?:happens?|happened|must|may|can|should|do|does|did|will)|how|where|why)\b.*[a-z] who\b).*\bwho(?:m|se)?\b/,
    ],
    ['person', asksWhichPerson],
    [
      'place',
      /\bwhere\b|\b(?:what|which) (?:\w+ )?(?:country|city|state|place|town|region|county|continent|river|island|province|location)\b/,
    ],
  ],
  de: [
    ['date', /\bwann\b|\bwelche[ms] jahr\b/],
    [
      'number',
      /\bwie ?viele?[nr]?\b|\bwas kosten?t?\b|\bwie (?:lange?|hoch|groß|weit|alt|oft|schnell|teuer|tief|breit|schwer)\b|\bprozent|\banzahl\b|\bwelche[rn]? (?:nummer|zahl)\b/,
    ],
    ['person', /\bwe(?:r|m|n|ssen)\b/],
    ['place', /\bwo(?:her|hin)?\b|\bwelche[rsmn]? (?:stadt|land|ort|region|staat|fluss|insel)\b/],
  ],
  es: [
    ['date', /cuándo|qué (?:año|fecha|día|mes|siglo)\b/],
    ['number', /cuánt[oa]s?|porcentaje|número de|qué (?:tamaño|frecuencia|número)/],
    ['person', /quién(?:es)?/],
    ['place', /dónde|qué (?:ciudad|país|lugar|estado|región|río|isla)/],
  ],
  fr: [
    [
      'date',
      /^(?!(?:que|qu['’]|quel|quelle|qui|où|comment|pourquoi|combien)\b).*\bquand\b|quelle (?:année|date)\b|quel (?:jour|mois|siècle)\b/,
    ],
    ['number', /\bcombien\b|pourcentage|nombre d|quelle (?:taille|fréquence)|quel (?:numéro|nombre|chiffre)/],
    ['person', /\bqui (?!est-ce qui)/],
    ['place', /\boù\b|quel(?:le)? (?:ville|pays|région|endroit|fleuve|île|état)/],
  ],
  it: [
    [
      'date',
      /^(?!(?:che|cosa|chi|dove|come|quale?|quali|perché)\b).*\bquando\b|(?:che|quale) (?:anno|data|giorno|secolo)\b/,
    ],
    ['number', /\bquant[oaie]\b|percentuale|numero di|che frequenza|(?:che|quale) numero/],
    ['person', /\bchi\b/],
    ['place', /\bdov(?:e|')|(?:quale|che) (?:città|paese|regione|stato|luogo)/],
  ],
  pt: [
    ['date', /^(?!(?:o que|que|qual|quais|quem|onde|como|por que)\b).*\bquando\b|que (?:ano|data|dia|século)\b/],
    ['number', /\bquant[oa]s?\b(?! (?:aos?|às?) )|percentagem|porcentagem|que (?:tamanho|frequência|número)/],
    ['person', /\bquem\b/],
    ['place', /\bonde\b|que (?:cidade|país|lugar|estado)/],
  ],
  ru: [
    ['date', /когда|как(?:ом|ой) (?:году|год|дат|век)/],
    [
      'number',
      /скольк(?:о|их|ими?)(?=\s|$)|как (?:часто|долго)|какой процент|каково (?:число|количество)|как(?:ой|ого|ому|им|ом) (?:номер|размер)/,
    ],
    ['person', /(?:^|\s)(?:кто|кого|кому|кем|чь?[ейяё])(?=\s|\?|$)/],
    ['place', /(?:^|\s)(?:где|куда|откуда)(?=\s|$)|как(?:ом|ой) (?:городе|стране|штате|месте|регионе)/],
  ],
  ar: [
    ['date', /مت[ىي]|[أا]ي (?:عام|سنة|تاريخ|يوم|شهر|قرن)/],
    ['number', /(?:^|\s)[بل]?كم(?=\s)|عدد|نسبة/],
    ['person', /^من (?:هو|هي|الذي|قام|كان)?/],
    ['place', /(?:^|\s)[أا]ين(?=\s)|أين|[أا]ي (?:مدينة|بلد|دولة|منطقة)/],
  ],
  hi: [
    ['date', /कब|किस (?:वर्ष|साल|तारीख|सन)/],
    ['number', /कितन|प्रतिशत|संख्या/],
    ['person', /कौन|किसने|किसे|किसका|किसके/],
    ['place', /कहाँ|कहां|किस (?:शहर|देश|राज्य|स्थान)/],
  ],
  zh: [
    ['date', /什么时候|何时|哪一?年|(?:在|是|于)几年|日期|哪天|年份/],
    ['number', /多少|几[个名人种次年天]|比例|数量|多[长長大高远遠久重深宽寬快厚]|(?:哪个?|什么)(?:数字|号码)/],
    ['person', /谁|哪位/],
    ['place', /哪里|何处|在哪|哪个?(?:城市|国家|地方|州|地区)/],
  ],
  ja: [
    ['date', /いつ|(?<!期間は)何[年月日](?!間)|時期/],
    [
      'number',
      /期間は何[年月日]|いくつ|いくら|どれくらい|どのくらい|何[人個本回歳%％つ]|何(?:年|日|時|週)間|何番|(?:どの|何の)(?:番号|数字)/,
    ],
    ['person', /誰|だれ/],
    ['place', /どこ|場所/],
  ],
  nl: [
    ['date', /\bwanneer\b|\bwelk (?:jaar|moment|tijdstip)\b|\bwelke (?:datum|dag|maand|eeuw)\b/],
    [
      'number',
      /\bhoe ?veel\b|\bhoe (?:lange?|hoge?|grote?|groot|ver|oude?|vaak|snel|zwaar|diep|breed|duur)\b|\bpercentage\b|\baantal\b|\bwat kost(?:en|te)?\b|\bwelk (?:nummer|getal)\b/,
    ],
    ['person', /\bwie(?:ns)?\b/],
    [
      'place',
      /\bwaar(?:heen)?\b|\bwelk (?:land|eiland|dorp)\b|\bwelke (?:stad|plaats|provincie|rivier|regio|straat)\b/,
    ],
  ],
  sv: [
    [
      'date',
      /^(?!(?:vad|vem|vilk\p{L}+|hur|var|varför)\b).*\bnär\b|\bvilket (?:år|datum|århundrade)\b|\bvilken (?:dag|månad)\b/u,
    ],
    [
      'number',
      /\bhur (?:många|mycket|stora?|stort|långa?|långt|länge|gam(?:mal|la)|höga?|högt|ofta|snabbt?|djupt?|tunga?|tungt)\b|\bprocent|\bantalet?\b|\bvad kosta[rd]e?\b|\bvilket (?:nummer|tal)\b/,
    ],
    ['person', /\bvems?\b/],
    ['place', /^var(?:t|ifrån)?\b|\bvilken (?:stad|plats|ort|region|ö|flod)\b|\bvilket (?:land|län)\b/],
  ],
  no: [
    [
      'date',
      /^(?!(?:hva|hvem|hvilke\p{L}*|hvor\p{L}*)\b).*\bnår\b|\bhvilket år(?:hundrede)?\b|\bhvilken (?:dato|dag|måned)\b/u,
    ],
    [
      'number',
      /\bhvor (?:mange|mye|meget|stort?|store|langt?|lenge|længe|gam(?:mel|le|melt)|høyt?|højt?|ofte|fort|dypt?|tungt?)\b|\bprosent|\bantallet?\b|\bhva kost(?:er|et)\b|\bhvilket (?:nummer|tall?)\b/,
    ],
    ['person', /\bhvems?\b/],
    ['place', /\bhvor(?:hen|fra)?\b|\bhvilke[nt] (?:by|land|sted|kommune|fylke|øy?|elv)\b/],
  ],
  pl: [
    [
      'date',
      /\b(?:kiedy|odkąd)\b|\bw (?:którym|jakim) (?:roku|wieku|miesiącu|dniu|czasie|okresie)\b|\bktórego (?:roku|dnia)\b/,
    ],
    [
      'number',
      /\b(?:ile|ilu|iloma)\b|\bjak (?:długo|daleko|często|szybko|(?:wysok|duż|głębok|star|ciężk|dług)\p{L}+)\b|\bprocent|\bjak(?:a|i|ie) (?:jest|był[ao]?) (?:liczba|wysokość|długość|powierzchnia|odległość|cena|rozmiar)\b|\b(?:jak|któr)\p{L}+ (?:numer\p{L}*|liczb\p{L}+)\b/u,
    ],
    ['person', /\b(?:kto|kogo|komu|kim|czyj\p{L}*)\b/u],
    [
      'place',
      /\b(?:gdzie|dokąd|skąd)\b|\bw (?:którym|jakim|której|jakiej) (?:kraju|mieście|miejscu|województwie|państwie|miejscowości|prowincji)\b/,
    ],
  ],
  cs: [
    [
      'date',
      /\b(?:kdy|odkdy|dokdy)\b|\bve? (?:kterém|jakém) (?:roce|století|měsíci|období)\b|\bkterého (?:roku|dne)\b/,
    ],
    [
      'number',
      /\bkolik\p{L}*|\bjak (?:dlouho|daleko|často|rychle|(?:vysok|velk|hlubok|star|těžk|dlouh)[ýáéí]\p{L}*)\b|\bprocent|\bjak(?:ý|á) (?:je|byl[ao]?) (?:počet|výška|délka|rozloha|vzdálenost|cena|velikost)\b|\b(?:jak|kter)\p{L}+ čísl\p{L}+\b/u,
    ],
    ['person', /\b(?:kdo|koho|komu|kým|čí)\b/],
    ['place', /\b(?:kde|kam|odkud)\b|\bve? kter(?:ém|é) (?:městě|zemi|státě|místě|kraji|obci)\b/],
  ],
  hu: [
    ['date', /\bmikor\b|\b(?:melyik|milyen) (?:év\p{L}*|nap\p{L}*|hónap\p{L}*|század\p{L}*)\b|\bhányban\b/u],
    [
      'number',
      /\bmennyi\b|\bhány\b|\bhányan\b|\bmennyibe\b|\bmilyen (?:magas|hosszú|mély|nagy|messze|gyakran|régi)\b|\bszázalék/,
    ],
    ['person', /\bki(?:k|t|nek|vel)?\b/],
    ['place', /\b(?:hol|hová|honnan)\b|\bmelyik (?:város|ország|hely)\p{L}*/u],
    ['reason', /\bmiért\b/],
  ],
  fi: [
    ['date', /\b(?:milloin|koska)\b|\bminä (?:vuonna|päivänä)\b|\bmillä vuosisadalla\b/],
    [
      'number',
      /\bkuinka (?:monta|moni|paljon|kauan|usein|korkea|pitkä|syvä|suuri|kaukana|vanha|nopea)\p{L}*|\b(?:montako|paljonko)\b|\bprosent/u,
    ],
    ['person', /\b(?:kuka|ketkä|kenen|kenelle|ketä|kenet)\b/],
    ['place', /\b(?:missä|mistä|mihin|minne)\b(?! (?:vuonna|tapauksessa))/],
    ['reason', /\bmiksi\b/],
  ],
  uk: [
    ['date', /\bколи\b|\b(?:якому|котрому) (?:році|столітті|місяці)\b|\bякого (?:року|дня|числа)\b/],
    [
      'number',
      /\bскільк(?:и|ох|ом|ома)\b|\bяк (?:часто|довго|далеко|високо)\b|\bвідсот|\bяк(?:а|ий) (?:кількість|висота|довжина|площа|відстань|ціна|вартість|розмір)\b|\bяк(?:ий|ого|ому|им) номер/,
    ],
    ['person', /\b(?:хто|кого|кому|ким|чи(?:й|я|є|ї))\b/],
    ['place', /\b(?:де|куди|звідки)\b|\b(?:якому|якій) (?:місті|місці|районі|селі|країні|області)\b/],
  ],
  el: [
    ['date', /\bπότε\b|\b(?:ποιο|ποια|ποιον|τι) (?:έτος|χρονιά|χρόνο|ημερομηνία|αιώνα|ημέρα|μέρα|μήνα)\b/],
    ['number', /\bπόσ(?:ο[ςνιυ]?|ους|ων|[ηεα]ς?|ην)\b|ποσοστό/],
    // before a noun, `which`: ποιος επεξεργαστής
    ['person', /\bποιος (?!\p{L}+ς\b)|\bποιοι (?!\p{L}+οι\b)|\b(?:ποιον|τίνος|ποιανού)\b/u],
    ['place', /\bπού\b|\b(?:ποια|ποιο|ποιον|ποιαν) (?:πόλη|χώρα|μέρος|νησί|περιοχή|νομό|ήπειρο)\b/],
  ],
  vi: [
    ['date', /\b(?:khi|lúc) nào\b|\bbao giờ\b|\b(?:năm|ngày|tháng|thế kỷ) (?:nào|mấy|bao nhiêu)\b/],
    ['number', /\bbao (?:nhiêu|lâu|xa|lớn|cao)\b|\bmấy\b|\bphần trăm\b/],
    ['person', /\bai\b|\bngười nào\b/],
    ['place', /\bđâu\b|\b(?:nước|quốc gia|thành phố|tỉnh|huyện|đảo|nơi) nào\b/],
  ],
  tr: [
    ['date', /\bne zaman|\bhangi (?:yıl|tarih|yüzyıl|gün|ay|dönem)|\bkaç(?:ıncı)? yıl(?:da|ında)\b/],
    ['number', /\bkaç|\bne kadar\b|\bne sıklıkla\b|\byüzde\b/],
    ['person', /\bkim(?:dir|in|e|i|ler\p{L}*|den|le)?\b/u],
    ['place', /\bnere\p{L}*|\bhangi (?:şehir|şehr|ülke|kent|bölge|ada|köy|il)/u],
  ],
  fa: [
    ['date', /چه\s?(?:زمان|سال|تاریخ|روز|قرن|وقت|موقع)|کدام (?:سال|قرن)/],
    ['number', /\bچند|چقدر|چه (?:تعداد|میزان|مقدار|اندازه|مدت)|درصد/],
    ['person', /چه (?:کسی|کسانی|فردی|شخصی)|کدام (?:شخص|فرد)|\bکیست\b|\bکیستند\b|\bکه (?:بود|است|بودند)[\s؟?]*$/],
    ['place', /کجا|کدام (?:شهر|کشور|استان|روستا|منطقه|قاره)|چه (?:شهر|کشور|مکان|جایی|منطقه)/],
  ],
  he: [
    ['date', /\b[לבמו]?מתי\b|\b[לבמ]?איזו שנה\b|\b[לבמ]?איזה (?:תאריך|יום|חודש|עשור)\b|\bבאילו שנים\b/],
    ['number', /כמה|אחוז|\bמה (?:גובה\p{L}*|אורכ?\p{L}*|מספר\p{L}*|שיעור|גודל\p{L}*)\b/u],
    ['person', /\b[לבמשו]?מי\b|\bמי(?:הו|הי|הם|הן)\b/],
    [
      'place',
      /\b[מו]?(?:איפה|היכן)\b|\b(?:לאן|מאין)\b|\b[לבמ]?איזו (?:עיר|מדינה|ארץ|יבשת)\b|\b[לבמ]?איזה (?:מקום|אזור|יישוב|רחוב|אי)\b/,
    ],
  ],
  // a question often ends with what it asks for: 사망자 수는?
  ko: [
    [
      'date',
      /언제|몇\s?(?:년|월|일|시(?!간))|(?:어느|무슨)\s?(?:해|년도|날|요일)|(?:시기|날짜|연도|년도|시점)(?:는|은)?[\s?？]*$/,
    ],
    ['number', /몇|얼마|(?:(?<=\s)수|숫자|인원|비율|금액|가격|길이|높이|면적|크기|나이)(?:는|은)?[\s?？]*$/],
    ['person', /누구|누가|누굴|(?:사람|인물)(?:의 이름)?(?:은|는)?[\s?？]*$/],
    [
      'place',
      /어디|(?:어느|무슨) (?:나라|도시|지역|곳)|(?:장소|지역|나라|국가|도시|곳|위치|대륙)(?:의 이름)?(?:은|는)?[\s?？]*$/,
    ],
    ['reason', /(?:이유|원인|까닭)(?:은|는)?[\s?？]*$/],
  ],
  th: [
    [
      'date',
      /เมื่อใด|เมื่อไ|(?:ปี|เดือน|วัน|วันที่|ศตวรรษ|ศตวรรษที่|ช่วง|ช่วงเวลา)(?:ใด|ไหน|อะไร|เท่าไ|เท่าใด)|ปี\s?[พค]\.ศ\.\s?(?:ใด|อะไร|เท่าไ|เท่าใด)|ตอนไหน/,
    ],
    ['number', /กี่|เท่าไ|เท่าใด|ร้อยละ/],
    ['person', /ใคร|ผู้ใด/],
    ['place', /ที่ไหน|ที่ใด|แห่งใด|ตรงไหน|(?:จังหวัด|ประเทศ|เมือง|อำเภอ|ตำบล|เขต|ทวีป|รัฐ)(?:ใด|ไหน|อะไร)/],
  ],
};

/**
 * Languages that `languageOf` does not tell apart, or that share a script with another. Scripts without spaces stand
 * apart: their words are too short to guard a pattern.
 */
const otherLanguages: readonly Pattern[] = [
  ['date', /\b(?:når|kapan(?:kah)?|tahun (?:berapa|kapan)|tanggal berapa)\b/],
  ['date', /(?:何|哪)年|何時/],
  ['number', /\bberapa/],
  ['number', /幾|多少/],
  ['person', /\b(?:hvem|siapa(?:kah)?)\b/],
  ['person', /誰/],
  ['place', /\b(?:di|ke|dari) ?mana(?:kah)?\b|\bhvor\b/],
  ['place', /哪裡|哪裏/],
  [
    'reason',
    /\b(?:why|warum|weshalb|wieso|por ?qu[eé]|pourquoi|perché|varför|hvorfor|neden|niçin|niye|mengapa|kenapa|waarom|dlaczego|czemu|proč|чому|навіщо|למה)\b|tại sao|vì sao|почему|зачем|لماذا|چرا|به چه دلیل|מדוע|क्यों/,
  ],
  ['reason', /γιατί|为什么|為什麼|为何|なぜ|ทำไม|เพราะ(?:เหตุใด|อะไร)|왜/],
];

const englishOnly: readonly Pattern[] = [
  ['reason', /\bwhy\b|\bwhat (?:causes?|caused|is the reason|was the reason|are the reasons)\b|\bfor what reason\b/],
  [
    'code',
    /\bwhich (?:function|method|flag|option|command|setting|variable|parameter|rule|class|file)\b|\bwhat (?:command|flag|function|method|option|setting)\b/,
  ],
  [
    'steps',
    /\bhow (?:do|can|should|to|would|must)\b(?! (?:many|much))|\bwhat (?:must|should|do|can) (?:i|we|you|one) (?:have to |need to )?do (?:in order )?to\b|\bwhat is the (?:\w+ )?way to\b/,
  ],
  [
    'list',
    /\b(?:what|which) (?:\w+ ){0,2}(?:are|were)\b|\b(?:list|name) (?:the|all|some)\b|\b(?:types|kinds|parts|names|examples) of\b/,
  ],
  [
    'definition',
    /^(?:what|who)(?: (?:is|are|was|were|does)|['’]s) (?:an? |the )?[\p{L}\p{N}' _.:/#+*$@&()-]{2,40}(?: mean| stand for)?\??$|\bmeaning of\b|\bdefin/u,
  ],
  ['choice', /^(?:is|are|was|were|do|does|did|can|could|may|must|should|will|has|have|had)\b/],
];

const byLanguage = new Map<string, readonly Pattern[]>([['en', [...patterns.en!, ...englishOnly]]]);

/** Made at the first question in the language. */
function patternsOf(language: string): readonly Pattern[] {
  const made = byLanguage.get(language) ?? typesOf([...(patterns[language] ?? patterns.en!), ...otherLanguages]);
  byLanguage.set(language, made);
  return made;
}

/** `When seawater warms, what else changes?`: what stands before the comma says when, and asks nothing. */
const leadingClause =
  /^(?:when(?:ever)?|if|after|before|while|once|during|wenn|falls|nachdem|bevor|während|quand|lorsque|si|après|avant|pendant|cuando|después|antes|durante|quando|se|dopo|prima|depois)(?!\p{L})[^?]*?,\s+(?=(?:\p{L}{1,5}\s+)?(?:what|which|who(?:m|se)?|where|how|why|was|welche[mnrs]?|wer|wem|wen|wo|wie|warum|que|quel(?:le)?s?|qui|où|comment|pourquoi|combien|qu['’]|qué|quién(?:es)?|dónde|cómo|cuánt[oa]s?|cuál(?:es)?|cosa|chi|dove|come|quale|quali|quant[oaei]s?|o que|quem|onde|como|qual|quais)(?!\p{L}))/u;

/** The kind of answer that a question of a language asks for. */
export function answerTypeOf(question: string, language: string): AnswerType {
  const text = question.toLowerCase().trim().replace(leadingClause, '');
  for (const [type, pattern] of patternsOf(language)) if (pattern.test(text)) return type;
  return 'other';
}

const between = (words: string): RegExp => new RegExp(`(?<![\\p{L}\\p{M}])(?:${words})(?![\\p{L}\\p{M}])`, 'iu');
/** Words that mean something else in other languages, as `KDE` and `AI` do. */
const askingIn: Readonly<Record<string, RegExp>> = {
  nl: between('wat|wie|waar(?:heen)?|wanneer|welke?|hoe(?:veel)?|waarom'),
  pl: between(
    'co|czego|czym|kto|kogo|komu|kim|gdzie|kiedy|ile|ilu|jak|jak(?:i|a|ie|im|iej|ich|iego)|któr\\p{L}+|dlaczego|skąd|dokąd',
  ),
  cs: between(
    'co|čeho|čím|kdo|koho|komu|kým|kde|kdy|kolik\\p{L}*|jak|jak(?:ý|á|é|ým|ou|ém|ého)|kter\\p{L}+|proč|kam|odkud',
  ),
  vi: between('(?:khi|lúc) nào|bao (?:nhiêu|giờ|lâu|xa)|tại sao|vì sao|thế nào|ai|gì|đâu|nào|mấy'),
  uk: between(
    'що|чого|чим|хто|кого|кому|ким|де|коли|куди|звідки|скільк\\p{L}+|як|як(?:ий|а|е|і|ому|ій|ого|ої|у|им|их)|чому|навіщо',
  ),
  hu: between('mi|mit|ki(?:k|t)?|mennyi\\p{L}*|hány\\p{L}*|hol|hová|honnan|mikor|melyik\\p{L}*|milyen|hogyan|miért'),
  fi: between(
    'mikä|mitä|mitkä|kuka|kenen|ketkä|kuinka|montako|paljonko|missä|mistä|mihin|milloin|miksi|miten|millainen',
  ),
  el: between('τι|ποι(?:ος|α|ο|ον|οι|ες|ους|αν)|τίνος|πού|πότε|πώς|πόσ\\p{L}+|γιατί'),
};
const asking =
  /(?<![\p{L}\p{M}])(?:what|which|who(?:m|se)?|when|where|why|how|was|we(?:r|n|m|ssen)|wann|wo(?:her|hin|rin|von|mit|durch|für|ran|rauf|raus)?|warum|weshalb|wieso|wie|welche[mnrs]?|qu[eé]|quién(?:es)?|cuál(?:es)?|cuándo|d[oó]nde|c[oó]mo|cuánt[oa]s?|quoi|qui|quand|où|comment|pourquoi|combien|quel(?:le)?s?|che|cosa|chi|quale|quali|quando|dove|come|perché|quant[oaie]s?|qua(?:l|is)|quem|onde|что|чем|чего|кто|кого|кому|кем|чь?[ейяё]|как|каки[емх]|каким|какими|как(?:ой|ая|ое|ую|ого|ому|ом)|каков[аоы]?|сколько|скольких|когда|где|куда|откуда|почему|зачем|vad|vem|vilk(?:en|et|a)|var|när|hur|varför|hva|hvem|hvilke[nt]?|når|hvor(?:dan|for)?|ne(?:dir|den|rede|reye|reden|resi\p{L}*|yi)?|kim\p{L}*|kaç\p{L}*|hangi\p{L}*|nasıl|niçin|apa(?:kah)?|siapa(?:kah)?|kapan(?:kah)?|mana(?:kah)?|berapa(?:kah)?|bagaimana|mengapa|ما|ماه[ويى]|ماذا|من|مت[ىي]|[أا]ين|[بل]?كم|كيف|لماذا|[أا]ي|أية|بماذا|بم|چیست|کیست|چه|چی|کدام|کجا\p{L}*|کی|چند|چگونه|چرا|מהו|מהי|מהם|מהן|ב?מה|[לבמש]?מי|מיהו|מיהי|[לבמ]?איז[הו]|[לב]?אילו|[לבמ]?מתי|מ?(?:איפה|היכן)|לאן|כמה|איך|כיצד|מדוע|למה|क्या|कौन|कौनसी|कौनसा|किस(?:ने|के|का|की|से|में|को|पर)?|किन|कब|कहाँ|कहां|कैसे|कितन[ाीे]|क्यों)(?![\p{L}\p{M}])|什[么麼]|怎[么麼样樣]|如何|[谁誰]|哪[个個位里裡裏些年]?|何[时時处處]|[为為]何|何|多少|多[长長大高远遠久]|[几幾]|いつ|どこ|どの|どれ|どう|なぜ|いくつ|いくら|誰|อะไร|ใคร|ที่ไหน|ไหน|เมื่อใด|เมื่อไ|เท่าใด|เท่าไ|กี่|อย่างไร|ทำไม|ใด|무엇|무슨|누구|누가|어디|언제|몇|어느|어떤|어떻게|얼마|왜/iu;

/** The first asking word of a question, in UTF-16 units; undefined where it has none that is known. */
export function askingWord(question: string): { readonly start: number; readonly end: number } | undefined {
  const match = askingIn[languageOf(question)]?.exec(question) ?? asking.exec(question);
  return match === null ? undefined : { start: match.index, end: match.index + match[0].length };
}
