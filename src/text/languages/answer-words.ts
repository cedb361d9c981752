/**
 * Function words and question words by language: what a question is made of besides its subject.
 * Chinese and Japanese entries are characters; a bigram made only of them says nothing.
 */
const byLanguage: Readonly<Record<string, string>> = {
  en: `a an the and or but nor if then than that this these those there here of in on at to from by for with without about into as per
    is am are was were be been being do does did done doing have has had having can could will would shall should may might must
    i me my we us our you your he him his she her it its they them their who whom whose what whats which when where why how
    not no so such some any just also too s t vs`,
  de: `der die das den dem des ein eine einer einem einen eines und oder aber doch wenn als wie dass ob ist sind war waren wird werden wurde
    wurden sein hat haben hatte hatten kann können konnte soll muss darf ich du er sie es wir ihr man sich mich dir ihm ihn ihnen ihre ihrer
    ihrem ihren seine seiner seinem seinen in im an am auf aus bei beim mit nach von vom zu zum zur für über unter um durch gegen ohne
    wer wen wem wessen was wann wo woher wohin warum weshalb wieso welche welcher welches welchen welchem viel viele vielen nicht kein
    keine auch nur noch so es gab gibt diese dieser dieses diesem diesen`,
  es: `el la los las lo un una unos unas y e o u pero ni si que como cuando donde de del a al en por para con sin sobre entre desde hasta
    es son era eran fue fueron ser sido está están estaba ha han había hay tiene tenía tuvo se su sus le les me te nos mi tu yo él ella
    qué quién quiénes cuál cuáles cuándo dónde cómo cuánto cuánta cuántos cuántas este esta estos estas ese esa eso no más muy también`,
  fr: `le la les l un une des du de d et ou mais ni si que qu qui quoi dont où quand comment pourquoi combien quel quelle quels quelles à au aux
    en dans par pour avec sans sur sous entre vers chez est sont était étaient fut furent être été a ont avait avaient se s sa son ses leur
    leurs il elle ils elles on nous vous je tu me te ce c cet cette ces ne n pas plus y`,
  it: `il lo la i gli le l un uno una e ed o ma né se che chi cui come quando dove perché quanto quanta quanti quante quale quali qual cosa
    di del dello della dei degli delle d a al allo alla ai agli alle da dal dalla dai in nel nello nella nei nelle con su sul sulla per tra fra
    è sono era erano fu furono essere stato stata ha hanno aveva si suo sua suoi sue non più questo questa c`,
  pt: `o a os as um uma uns umas e ou mas nem se que quem qual quais quando onde como porque quanto quanta quantos quantas de do da dos das
    em no na nos nas por pelo pela para com sem sobre entre até é são era eram foi foram ser sido está tem tinha há seu sua seus suas
    não mais este esta isso ao à às`,
  nl: `de het een en of maar dat die dit deze wie wat waar wanneer waarom hoe hoeveel welke welk is zijn was waren wordt werd werden heeft
    hebben had in op aan uit bij met naar van voor over onder door om te er niet ook`,
  ru: `и в во на с со к ко у о об от до из за по для при под над без через между не ни но а или что чтобы как так это этот эта эти тот та те
    он она оно они его её ее их ему ей им я ты мы вы кто кого кому кем чем чей какой какая какое какие каким каких какую каком когда где куда
    откуда почему зачем сколько был была было были есть быть ли же бы после`,
  ar: `في من على إلى الى عن مع هو هي هم هن ما ماذا متى أين كيف كم لماذا أي أية هل التي الذي الذين هذا هذه ذلك تلك كان كانت يكون تم قد لا لم لن و أو ثم
    بين بعد قبل عند كل منذ ومن وما به بها له لها`,
  hi: `का की के को में से पर और या है हैं था थी थे हो हुआ हुई हुए ने एक यह वह ये वे इस उस इन उन किस किन कौन क्या कब कहाँ कहां कैसे क्यों कितना कितनी
    कितने किसने किसे किसका जो तो भी ही लिए द्वारा साथ कर किया गया गई गए कि तक बाद अपने उनके इसके`,
  zh: '什 么 哪 谁 何 几 多 少 怎 的 了 是 在 和 与 有 被 个 些 为',
  ja: 'は が を に で と も へ か の た だ て い る れ し す ま せ ん う な ど こ つ く ら 何 誰 よ',
};

const sets = new Map(Object.entries(byLanguage).map(([language, list]) => [language, new Set(list.split(/\s+/))]));
const functionWords = new Set([...sets.values()].flatMap((set) => [...set]));

/** @param word lower case; `unspaced` when it is a run of Han, kana or Thai characters */
export function isFunctionWord(word: string, unspaced: boolean): boolean {
  if (functionWords.has(word)) return true;
  if (!unspaced) return false;
  for (const c of word) if (!functionWords.has(c)) return false;
  return true;
}

/** What a question asks for, as far as its wording shows. */
export type AnswerType = 'number' | 'date' | 'person' | 'place' | 'other';

type Pattern = readonly [AnswerType, RegExp];
const patterns: Readonly<Record<string, readonly Pattern[]>> = {
  en: [
    ['date', /\bwhen\b|\b(?:what|which) (?:year|date|day|month|decade|century|time)\b|\bhow old\b/],
    [
      'number',
      /\bhow (?:many|much|long|far|tall|high|deep|large|big|often|fast|wide|heavy)\b|\bpercent(?:age)?\b|\b(?:what|which) (?:(?:is|was|are|were) )?(?:the )?(?:\w+ ){0,2}(?:number|amount|population|rate|price|cost|total|size|length|height|distance|ratio|proportion|score|value|age|salary|fees?|revenues?|costs)\b/,
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
      /\bwie ?viele?\b|\bwie (?:lange?|hoch|groß|weit|alt|oft|schnell|teuer|tief|breit|schwer)\b|\bprozent|\banzahl\b/,
    ],
    ['person', /\bwe(?:r|m|n|ssen)\b/],
    ['place', /\bwo(?:her|hin)?\b|\bwelche[rsmn]? (?:stadt|land|ort|region|staat|fluss|insel)\b/],
  ],
  es: [
    ['date', /cuándo|qué (?:año|fecha|día|mes|siglo)/],
    ['number', /cuánt[oa]s?|porcentaje|número de/],
    ['person', /quién(?:es)?/],
    ['place', /dónde|qué (?:ciudad|país|lugar|estado|región|río|isla)/],
  ],
  fr: [
    ['date', /\bquand\b|quelle (?:année|date)|quel (?:jour|mois|siècle)/],
    ['number', /\bcombien\b|pourcentage|nombre d/],
    ['person', /\bqui (?!est-ce qui)/],
    ['place', /\boù\b|quel(?:le)? (?:ville|pays|région|endroit|fleuve|île|état)/],
  ],
  it: [
    ['date', /\bquando\b|(?:che|quale) (?:anno|data|giorno|secolo)/],
    ['number', /\bquant[oaie]\b|percentuale|numero di/],
    ['person', /\bchi\b/],
    ['place', /\bdov(?:e|')|(?:quale|che) (?:città|paese|regione|stato|luogo)/],
  ],
  pt: [
    ['date', /\bquando\b|que (?:ano|data|dia|século)/],
    ['number', /\bquant[oa]s?\b|percentagem|porcentagem/],
    ['person', /\bquem\b/],
    ['place', /\bonde\b|que (?:cidade|país|lugar|estado)/],
  ],
  ru: [
    ['date', /когда|как(?:ом|ой) (?:году|год|дат|век)/],
    ['number', /сколько|какой процент|каково (?:число|количество)/],
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
    ['number', /多少|几[个名人种次]|比例|数量|多[长大高远久]/],
    ['person', /谁|哪位/],
    ['place', /哪里|何处|在哪|哪个?(?:城市|国家|地方|州|地区)/],
  ],
  ja: [
    ['date', /いつ|何[年月日]|時期/],
    ['number', /いくつ|いくら|どれくらい|どのくらい|何[人個本回歳%％つ]/],
    ['person', /誰|だれ/],
    ['place', /どこ|場所/],
  ],
};

export function answerTypeOf(question: string, language: string): AnswerType {
  const text = question.toLowerCase();
  for (const [type, pattern] of patterns[language] ?? patterns.en!) if (pattern.test(text)) return type;
  return 'other';
}

const numberWords = new Set(
  `one two three four five six seven eight nine ten eleven twelve thirteen fifteen twenty thirty forty fifty sixty hundred hundreds thousand
  thousands million millions billion trillion half dozen dozens twice third quarter zwei drei vier fünf sechs sieben acht neun zehn elf zwölf hundert
  tausend millionen dos tres cuatro cinco seis siete ocho nueve diez cien mil millones deux trois quatre cinq sept huit neuf dix cent mille
  due tre quattro cinque sette otto nove dieci cento mila dois três quatro sete oito dez два две три четыре пять шесть семь восемь девять десять сто
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
export function isDateWord(word: string): boolean {
  return dateWords.has(word);
}
export function isYear(word: string): boolean {
  return /^(?:1[0-9]\d\d|20\d\d)(?:s|年)?$/.test(word);
}
/** A preposition of place before a name. */
export const placeCue: RegExp =
  /(?:^|\s)(?:in|at|near|from|of|on|to|between|north|south|east|west|nach|bei|aus|an|en|au|à|a|nel|em|в|на)\s+(?:the\s+|la\s+|los\s+|der\s+|dem\s+)?\p{Lu}/u;

/** English words for one thing: how questions and documents say it. A word may stand in several groups. */
const groups: readonly string[] = [
  'write wrote written writer author novel book poem pen penned',
  'sing sang sung singer song record recorded perform performed vocals',
  'play played plays portray portrayed star starring starred cast actor actress role voice voiced',
  'born birth birthplace native',
  'die died death dead kill killed',
  'begin began begun start started found founded establish established launch opened originate originated origin',
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
  'large largest big biggest great',
  'usa us united states america american',
  'uk britain british kingdom england',
];
const groupsOf = new Map<string, number[]>();
groups.forEach((group, g) => {
  for (const word of group.split(' ')) {
    const list = groupsOf.get(word);
    if (list) list.push(g);
    else groupsOf.set(word, [g]);
  }
});

/** Whether two different lower-case words stand in one group. */
export function areRelated(a: string, b: string): boolean {
  const left = groupsOf.get(a);
  const right = left && groupsOf.get(b);
  return left !== undefined && right !== undefined && left.some((g) => right.includes(g));
}
