/** The kind of answer that the wording of a question asks for. */
export type AnswerType =
  | 'number'
  | 'date'
  | 'person'
  | 'place'
  | 'reason'
  | 'steps'
  | 'definition'
  | 'choice'
  | 'list'
  | 'code'
  | 'other';

export const answerTypes: readonly AnswerType[] = [
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
];

type Pattern = readonly [AnswerType, RegExp];

const inWord = '[\\p{L}\\p{M}\\p{N}_]';
/** Where a word begins or ends, in every alphabet: `\b` knows the letters of English alone. */
const edge = `(?:(?<!${inWord})(?=${inWord})|(?<=${inWord})(?!${inWord}))`;
const typesOf = (list: readonly Pattern[]): readonly Pattern[] =>
  list.map(([type, { source }]) => [type, new RegExp(source.replaceAll('\\b', edge), 'u')]);

const patterns: Readonly<Record<string, readonly Pattern[]>> = {
  en: [
    [
      'date',
      /^(?!(?:what|which|who|whose|why|how|where)\b).*\bwhen\b|\b(?:and|or) when\b|\b(?:what|which) (?:year|date|day|month|decade|century|time)\b|\bhow old\b(?!.*\b(?:when|by the time)\b)|\bwhat (?:is|was|are|were) (?:the )?(?:\w+ ){0,2}(?:dates?|deadline|birthday)\b/,
    ],
    [
      'number',
      /\bhow old\b.*\b(?:when|by the time)\b|\bat what age\b|\bhow (?:many|much|long|far|tall|high|deep|large|big|often|fast|wide|heavy|cold|hot|warm|thick|loud|strong)\b|\bpercent(?:age)?\b|\b(?:what|which) (?:(?:is|was|are|were) )?(?:the )?(?:[\w'’]+ ){0,3}(?:number|amount|limit|population|rate|price|cost|total|size|length|height|distance|ratio|proportion|score|value|age|salary|fees?|revenues?|costs)\b|\bwhat (?:do|does|did) .{2,60} cost\b/,
    ],
    ['person', /\bwho(?:m|se)?\b/],
    [
      'place',
      /\bwhere\b|\b(?:what|which) (?:\w+ )?(?:country|city|state|place|town|region|county|continent|river|island|province|location)\b/,
    ],
  ],
  de: [
    ['date', /\bwann\b|\bwelche[ms] jahr\b/],
    [
      'number',
      /\bwie ?viele?[nr]?\b|\bwas kosten?t?\b|\bwie (?:lange?|hoch|groß|weit|alt|oft|schnell|teuer|tief|breit|schwer)\b|\bprozent|\banzahl\b/,
    ],
    ['person', /\bwe(?:r|m|n|ssen)\b/],
    ['place', /\bwo(?:her|hin)?\b|\bwelche[rsmn]? (?:stadt|land|ort|region|staat|fluss|insel)\b/],
  ],
  es: [
    ['date', /cuándo|qué (?:año|fecha|día|mes|siglo)/],
    ['number', /cuánt[oa]s?|porcentaje|número de|qué (?:tamaño|frecuencia)/],
    ['person', /quién(?:es)?/],
    ['place', /dónde|qué (?:ciudad|país|lugar|estado|región|río|isla)/],
  ],
  fr: [
    ['date', /\bquand\b|quelle (?:année|date)|quel (?:jour|mois|siècle)/],
    ['number', /\bcombien\b|pourcentage|nombre d|quelle (?:taille|fréquence)/],
    ['person', /\bqui (?!est-ce qui)/],
    ['place', /\boù\b|quel(?:le)? (?:ville|pays|région|endroit|fleuve|île|état)/],
  ],
  it: [
    ['date', /\bquando\b|(?:che|quale) (?:anno|data|giorno|secolo)/],
    ['number', /\bquant[oaie]\b|percentuale|numero di|che frequenza/],
    ['person', /\bchi\b/],
    ['place', /\bdov(?:e|')|(?:quale|che) (?:città|paese|regione|stato|luogo)/],
  ],
  pt: [
    ['date', /\bquando\b|que (?:ano|data|dia|século)/],
    ['number', /\bquant[oa]s?\b|percentagem|porcentagem|que (?:tamanho|frequência)/],
    ['person', /\bquem\b/],
    ['place', /\bonde\b|que (?:cidade|país|lugar|estado)/],
  ],
  ru: [
    ['date', /когда|как(?:ом|ой) (?:году|год|дат|век)/],
    ['number', /скольк(?:о|их|ими?)(?=\s|$)|как (?:часто|долго)|какой процент|каково (?:число|количество)/],
    ['person', /(?:^|\s)(?:кто|кого|кому|кем|чь?[ейяё])(?=\s|\?|$)/],
    ['place', /(?:^|\s)(?:где|куда|откуда)(?=\s|$)|как(?:ом|ой) (?:городе|стране|штате|месте|регионе)/],
  ],
  ar: [
    ['date', /متى|أي (?:عام|سنة|تاريخ)/],
    ['number', /(?:^|\s)كم(?=\s)|عدد|نسبة/],
    ['person', /^من (?:هو|هي|الذي|قام|كان)?/],
    ['place', /أين|أي (?:مدينة|بلد|دولة|منطقة)/],
  ],
  hi: [
    ['date', /कब|किस (?:वर्ष|साल|तारीख|सन)/],
    ['number', /कितन|प्रतिशत|संख्या/],
    ['person', /कौन|किसने|किसे|किसका|किसके/],
    ['place', /कहाँ|कहां|किस (?:शहर|देश|राज्य|स्थान)/],
  ],
  zh: [
    ['date', /什么时候|何时|哪一?年|几年|日期|哪天|年份/],
    ['number', /多少|几[个名人种次]|比例|数量|多[长長大高远遠久重深宽寬快厚]/],
    ['person', /谁|哪位/],
    ['place', /哪里|何处|在哪|哪个?(?:城市|国家|地方|州|地区)/],
  ],
  ja: [
    ['date', /いつ|何[年月日](?!間)|時期/],
    ['number', /いくつ|いくら|どれくらい|どのくらい|何[人個本回歳%％つ]|何(?:年|日|時|週)間/],
    ['person', /誰|だれ/],
    ['place', /どこ|場所/],
  ],
};

/** Languages that `languageOf` does not tell apart, or that share a script with another. */
const otherLanguages: readonly Pattern[] = [
  [
    'date',
    /\b(?:när|når|ne zaman|kapan|hangi (?:yıl|tarih)|vilket år|hvilket år|tahun berapa)|چه (?:زمان|سال|تاریخ)|מתי|באיזו שנה|เมื่อใด|เมื่อไ|ปีใด|ปีไหน|언제|몇 ?년|(?:何|哪)年|何時/,
  ],
  [
    'number',
    /\b(?:hur (?:många|mycket|stor|lång)|hvor (?:mange|mye|stor|lang)|kaç|berapa)|چند|چقدر|چه تعداد|כמה|กี่|เท่าไ|เท่าใด|몇|얼마|幾|多少/,
  ],
  ['person', /\b(?:vem|hvem|kim(?:dir|in|e|ler)?|siapa)\b|چه کسی|کدام شخص|(?:^|\s)מי(?=\s)|ใคร|누구|누가|誰/],
  [
    'place',
    /\b(?:nere(?:de|ye|den|si)\p{L}*|di ?mana|hvor|hangi (?:şehir|ülke)\p{L}*)\b|^var\s|کجا|کدام (?:شهر|کشور)|איפה|היכן|ที่ไหน|어디|哪裡|哪裏/u,
  ],
  [
    'reason',
    /\b(?:why|warum|weshalb|wieso|por ?qu[eé]|pourquoi|perché|varför|hvorfor|neden|niçin|mengapa|kenapa|waarom)\b|почему|зачем|لماذا|چرا|מדוע|למה|क्यों|为什么|為什麼|为何|なぜ|ทำไม|왜/,
  ],
];

const englishOnly: readonly Pattern[] = [
  ['reason', /\bwhy\b|\bwhat (?:causes?|caused|is the reason|was the reason|are the reasons)\b|\bfor what reason\b/],
  [
    'code',
    /\bwhich (?:function|method|flag|option|command|setting|variable|parameter|rule|class|file)\b|\bwhat (?:command|flag|function|method|option|setting)\b/,
  ],
  ['steps', /\bhow (?:do|can|should|to|would|must)\b(?! (?:many|much))/],
  [
    'list',
    /\b(?:what|which) (?:\w+ ){0,2}(?:are|were)\b|\b(?:list|name) (?:the|all|some)\b|\b(?:types|kinds|parts|names|examples) of\b/,
  ],
  [
    'definition',
    /^(?:what|who)(?: (?:is|are|was|were|does)|['’]s) (?:an? |the )?[\p{L}\p{N}' -]{2,40}(?: mean| stand for)?\??$|\bmeaning of\b|\bdefin/u,
  ],
  ['choice', /^(?:is|are|was|were|do|does|did|can|could|may|must|should|will|has|have|had)\b/],
];

const byLanguage = new Map<string, readonly Pattern[]>([['en', [...patterns.en!, ...englishOnly]]]);

/** Made at the first question in the language: to make them for all languages takes 70 ms. */
function patternsOf(language: string): readonly Pattern[] {
  const made = byLanguage.get(language) ?? typesOf([...(patterns[language] ?? patterns.en!), ...otherLanguages]);
  byLanguage.set(language, made);
  return made;
}

export function answerTypeOf(question: string, language: string): AnswerType {
  const text = question.toLowerCase().trim();
  for (const [type, pattern] of patternsOf(language)) if (pattern.test(text)) return type;
  return 'other';
}

const numberWords = new Set(
  `one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
  sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand
  thousands million millions billion trillion half dozen dozens twice third quarter zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig dreißig
  vierzig fünfzig sechzig siebzig achtzig neunzig hundert dutzend
  tausend millionen dos tres cuatro cinco seis siete ocho nueve diez decena docena centenar centenares millar millares doce trece catorce quince veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien mil millones deux trois quatre cinq sept huit neuf dix onze douze treize quatorze quinze seize vingt trente quarante cinquante soixante cent mille dizaine dizaines douzaine quinzaine vingtaine trentaine quarantaine cinquantaine soixantaine
  centaine centaines millier milliers
  due tre quattro cinque sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti quaranta sessanta
  settanta ottanta novanta decina decine dozzina ventina trentina cinquantina centinaio centinaia migliaio migliaia cento mila milioni dois três quatro sete oito dez onze treze catorze dezesseis dezasseis vinte trinta quarenta cinquenta oitenta noventa cem milhões
  dezena dezenas dúzia centena centenas milhar milhares два две три четыре пять шесть семь восемь девять десять двадцать тридцать сорок пятьдесят шестьдесят семьдесят
  восемьдесят девяносто сто десяток десятки сотня сотни дюжина двух трех трёх четырех четырёх
  тысяч тысячи миллионов миллиона اثنين ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة عشرة مليون ألف दो तीन चार पाँच पांच छह सात आठ नौ दस लाख करोड़ हजार हज़ार`.split(
    /\s+/,
  ),
);
const dateWords = new Set(
  `january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
  monday tuesday wednesday thursday friday saturday sunday century centuries decade spring summer autumn winter januar februar märz mai juni juli
  oktober dezember jahrhundert enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre siglo janvier février mars
  avril juin juillet août septembre octobre novembre décembre siècle gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre secolo
  января февраля марта апреля мая июня июля августа сентября октября ноября декабря году года века يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر
  أكتوبر نوفمبر ديسمبر عام سنة القرن जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर शताब्दी सदी`.split(
    /\s+/,
  ),
);

export function isNumberWord(word: string): boolean {
  return numberWords.has(word);
}
/** Months in capitals, verbs in small letters: a contract says on every line what somebody may do. */
export const monthVerbs: ReadonlySet<string> = new Set(['may', 'march']);
export function isDateWord(word: string): boolean {
  return dateWords.has(word);
}
const figureWords = new Set([...numberWords, ...dateWords]);
/** English days and months with what calendars and tables write for them. */
const calendar = new Map(
  `monday mon|tuesday tue tues|wednesday wed|thursday thu thur thurs|friday fri|saturday sat|sunday sun|january jan|february feb|march mar|april apr|june jun
  |july jul|august aug|september sep sept|october oct|november nov|december dec`
    .split('|')
    .flatMap((names) => {
      const [whole = '', ...short] = names.trim().split(' ');
      return [whole, ...short].map((name): [string, string] => [name, whole]);
    }),
);
/** The whole name of a day or a month, in lower case: `thursday` for `thu`; undefined for other words. */
export function calendarName(word: string): string | undefined {
  return calendar.get(word);
}
/** A number or a part of a date, in letters. */
export function isFigureWord(word: string): boolean {
  return figureWords.has(word);
}
export function isYear(word: string): boolean {
  return /^(?:1[0-9]\d\d|20\d\d)(?:s|年)?$/.test(word);
}
/** A preposition of place before a name. */
export const placeCue: RegExp =
  /(?:^|\s)(?:in|at|near|from|of|on|to|between|north|south|east|west|nach|bei|aus|an|en|au|à|a|nel|em|в|на)\s+(?:the\s+|la\s+|los\s+|der\s+|dem\s+)?\p{Lu}/u;

/** What stands on the label of a value of each kind, as in `Number of seats | 9`. */
const labels: Readonly<Partial<Record<string, RegExp>>> = {
  number:
    /\b(?:number|count|total|amount|quantity|population|size|no)\b|^(?:anzahl|zahl|menge|nombre|quantité|número|cantidad|numero|quantità|quantidade|число|количество)$/iu,
  time: /\b(?:length|duration|terms?|tenure|period|age|time|years?|months?|days?|hours?|minutes?|notice)\b|^(?:dauer|laufzeit|frist|alter|durée|délai|âge|duración|plazo|edad|durata|scadenza|età|duração|prazo|idade|срок|продолжительность|возраст)$/iu,
  money:
    /\b(?:price|cost|fee|rent|charge|total|amount|sum)s?\b|^(?:preise?|kosten|miete|gebühr(?:en)?|betrag|summe|prix|coûts?|loyers?|frais|montant|tarifs?|precios?|costes?|costos?|alquiler|importe|tarifas?|prezz[oi]|affitto|importo|tariff[ae]|preços?|custos?|aluguel|aluguer|цена|стоимость|сумма|плата)$/iu,
  length:
    /\b(?:height|length|width|depth|distance|dimensions?|size)\b|^(?:höhe|länge|breite|tiefe|entfernung|größe|hauteur|longueur|largeur|profondeur|taille|altura|longitud|anchura|profundidad|tamaño|altezza|lunghezza|larghezza|profondità|comprimento|largura|profundidade|tamanho|высота|длина|ширина|глубина|размер)$/iu,
  mass: /\b(?:weight|mass)\b|^(?:gewicht|masse|poids|peso|масса|вес)$/iu,
  speed: /\b(?:speed|rate|pace)\b|^(?:geschwindigkeit|vitesse|velocidad|velocità|velocidade|скорость)$/iu,
  date: /\b(?:date|year|since|established|founded|formed|opened|released?|published|born|died|starts?|begins?|ends?|expires?|due|effective|valid|incorporated|created|updated)\b|^(?:datum|jahr|seit|gegründet|eröffnet|veröffentlicht|geboren|gestorben|beginn|ende|gültig|année|depuis|fondée?|naissance|décès|début|fin|fecha|año|desde|fundad[oa]|nacimiento|muerte|inicio|data|anno|dal|fondat[oa]|nascita|morte|inizio|ano|fundação|nascimento|início|fim|дата|год|основана?|начало|конец)$/iu,
  person:
    /\b(?:author|director|writer|president|chair(?:man|woman|person)?|chief|head|leader|owner|founder|manager|contact|editor|architect|designer|developer|landlord|tenant)\b|^(?:autor(?:in)?|leiter(?:in)?|leitung|vorsitz(?:ende[rn]?)?|besitzer(?:in)?|eigentümer(?:in)?|gründer(?:in)?|ansprechpartner(?:in)?|mieter(?:in)?|vermieter(?:in)?|auteure?|directeur|directrice|président|propriétaire|fondateur|autora?|directora?|presidente|propietari[oa]|fundadora?|autore|direttore|direttrice|proprietari[oa]|fondatore|diretora?|автор|директор|председатель|владелец|основатель)$/iu,
  definition:
    /^(?:description|purpose|summary|meaning|definition|effect|beschreibung|zweck|bedeutung|wirkung|définition|signification|effet|descripción|propósito|significado|definición|efecto|descrizione|scopo|significato|definizione|effetto|descrição|propósito|definição|efeito|описание|назначение|значение|определение)$/iu,
  place:
    /\b(?:location|place|address|headquarters|city|country|region|venue|seat|site|residence|birthplace)\b|^(?:ort|sitz|adresse|anschrift|stadt|land|lieu|siège|ville|pays|lugar|sede|dirección|ciudad|país|luogo|indirizzo|città|paese|endereço|cidade|место|адрес|город|страна)$/iu,
};

/** Recognises labels of values of a kind: an `AnswerType`, or `time` for how long. */
export function labelFor(kind: string): RegExp | undefined {
  return labels[kind];
}

/** English words for one subject, in questions and in documents. A word may belong to several groups. */
const groups: readonly string[] = [
  'write wrote written writer author novel book poem pen penned',
  'sing sang sung singer song record recorded perform performed vocals',
  'play played plays portray portrayed star starring starred cast actor actress role voice voiced',
  'born birth birthplace native',
  'die died death dead kill killed',
  'begin began begun start started founded founder establish established launch opened originate originated origin',
  'end ended final finish finished close closed last',
  'film filmed shot shoot shooting location movie picture',
  'release released air aired premiere premiered publish published debut',
  'locate located location situated lies',
  'win won winner champion victory title',
  'marry married wife husband spouse wedding',
  'invent invented inventor discover discovered discovery create created creator develop developed design designed',
  'make made produce produced manufacture manufactured composed consist consists',
  'name named call called known',
  'mean means meaning refer refers definition defined term',
  'live lived lives reside inhabit habitat home',
  'lead leader head chief chair',
  'cost price fee pay paid earn earned compensation salary',
  'population people inhabitants residents census',
  'purpose function role use used serve',
  'own owned owner owns belong acquired',
  'build built construct constructed construction',
  'cause caused causes reason because due',
  'kind type form variety category',
  'buy bought purchase purchased sell sold',
  'war battle conflict',
  'large larger largest big bigger biggest great size',
  'fast speed quick quickly rapid rate',
  'long length duration last lasts',
  'heavy weight weigh weighs',
  'tall high height',
  'deep depth',
  'wide width',
  'cold hot warm temperature',
  'old age',
  'often frequency frequently',
  'annual annually yearly year annum',
  'day days daily',
  'most maximum limit',
  'least minimum',
  'deadline due until',
  'responsible responsibility charge role manage manages managed manager',
  'teach teaches taught teacher teachers lecturer instructor tutor professor',
  'deputy substitute replace replaced replacement',
  'allow allowed permit permitted permission',
  'forbid forbidden prohibit prohibited ban banned',
  'compulsory mandatory obligatory required',
  'cancel cancelled cancellation terminate termination resign resignation withdraw',
  'meeting assembly session',
  'repair repaired fix fixed mend mended',
  'phone telephone call ring',
  'fund funds funded funding finance financed sponsor sponsored grant',
  'delete deleted remove removed erase',
  'usa us united states america american',
  'uk britain british kingdom england',
];
const noGroups: readonly number[] = [];
const groupsOf = new Map<string, number[]>();
groups.forEach((group, g) => {
  for (const word of group.split(' ')) {
    const list = groupsOf.get(word);
    if (list) list.push(g);
    else groupsOf.set(word, [g]);
  }
});

/** Groups of a lower-case word: words of one group are related. */
export function groupsOfWord(word: string): readonly number[] {
  return groupsOf.get(word) ?? noGroups;
}

const asking =
  /(?<![\p{L}\p{M}])(?:what|which|who(?:m|se)?|when|where|why|how|was|we(?:r|n|m|ssen)|wann|wo(?:her|hin|rin|von|mit|durch|für|ran|rauf|raus)?|warum|weshalb|wieso|wie|welche[mnrs]?|qu[eé]|quién(?:es)?|cuál(?:es)?|cuándo|d[oó]nde|c[oó]mo|cuánt[oa]s?|quoi|qui|quand|où|comment|pourquoi|combien|quel(?:le)?s?|che|cosa|chi|quale|quali|quando|dove|come|perché|quant[oaie]s?|qua(?:l|is)|quem|onde|что|чем|чего|кто|кого|кому|кем|чь?[ейяё]|как|каки[емх]|каким|какими|как(?:ой|ая|ое|ую|ого|ому|ом)|каков[аоы]?|сколько|скольких|когда|где|куда|откуда|почему|зачем|vad|vem|vilk(?:en|et|a)|var|när|hur|varför|hva|hvem|hvilke[nt]?|når|hvor(?:dan|for)?|ne(?:dir|den|rede|reye|reden|resi\p{L}*|yi)?|kim\p{L}*|kaç\p{L}*|hangi\p{L}*|nasıl|niçin|apa(?:kah)?|siapa(?:kah)?|kapan(?:kah)?|mana(?:kah)?|berapa(?:kah)?|bagaimana|mengapa|ما|ماذا|من|متى|أين|كم|كيف|لماذا|أي|أية|بماذا|بم|चه|چه|چی|کدام|کجا\p{L}*|کی|چند|چگونه|چرا|מהו|מהי|מהם|מהן|מה|מי|מיהו|מיהי|איז[הו]|אילו|מתי|איפה|היכן|כמה|איך|כיצד|מדוע|למה|क्या|कौन|कौनसी|कौनसा|किस(?:ने|के|का|की|से|में|को|पर)?|किन|कब|कहाँ|कहां|कैसे|कितन[ाीे]|क्यों)(?![\p{L}\p{M}])|什[么麼]|怎[么麼样樣]|如何|[谁誰]|哪[个個位里裡裏些年]?|何[时時处處]|[为為]何|何|多少|多[长長大高远遠久]|[几幾]|いつ|どこ|どの|どれ|どう|なぜ|いくつ|いくら|誰|อะไร|ใคร|ที่ไหน|ไหน|เมื่อใด|เมื่อไ|เท่าใด|เท่าไ|กี่|อย่างไร|ทำไม|ใด|무엇|무슨|누구|누가|어디|언제|몇|어느|어떤|어떻게|얼마|왜/iu;

/** The first asking word of a question, in UTF-16 units; undefined where it has none that is known. */
export function askingWord(question: string): { readonly start: number; readonly end: number } | undefined {
  const match = asking.exec(question);
  return match === null ? undefined : { start: match.index, end: match.index + match[0].length };
}
