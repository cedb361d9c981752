const numberWords = new Set(
  `one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
  sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand
  thousands million millions billion trillion half dozen dozens twice third quarter zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig dreißig
  vierzig fünfzig sechzig siebzig achtzig neunzig hundert dutzend
  tausend millionen dos tres cuatro cinco seis siete ocho nueve diez decena docena centenar centenares millar millares doce trece catorce quince veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien mil millones deux trois quatre cinq sept huit neuf dix onze douze treize quatorze quinze seize vingt trente quarante cinquante soixante cent mille dizaine dizaines douzaine quinzaine vingtaine trentaine quarantaine cinquantaine soixantaine
  centaine centaines millier milliers
  due tre quattro cinque sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti trenta quaranta cinquanta sessanta
  settanta ottanta novanta decina decine dozzina ventina trentina cinquantina centinaio centinaia migliaio migliaia cento mila milioni dois três quatro sete oito dez onze treze catorze dezesseis dezasseis vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem duas duzentos duzentas trezentos trezentas quatrocentos quinhentos milhões
  dezena dezenas dúzia centena centenas milhar milhares два две три четыре пять шесть семь восемь девять десять двадцать тридцать сорок пятьдесят шестьдесят семьдесят
  восемьдесят девяносто пяти шести семи восьми девяти десяти двадцати тридцати одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать сорока ста сто десяток десятки сотня сотни дюжина двух трех трёх четырех четырёх
  тысяч тысячи миллионов миллиона اثنان اثنتان اثنتين ثلاث أربع خمس ست سبع ثمان ثماني تسع عشر عشرون عشرين ثلاثون ثلاثين أربعون أربعين خمسون خمسين ستون ستين سبعون سبعين ثمانون ثمانين تسعون تسعين مئة مائة آلاف اثنين ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة عشرة مليون ألف twee drie vier vijf zes zeven acht negen tien twaalf twintig dertig veertig vijftig honderd duizend miljoen miljard två tre
  fyra sju åtta nio tio tolv tjugo trettio fyrtio femtio hundra tusen miljoner syv åtte tolv tjue tretti førti femti hundre millioner dwa dwie trzy
  cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście trzynaście czternaście piętnaście szesnaście siedemnaście osiemnaście dziewiętnaście dwadzieścia trzydzieści czterdzieści pięćdziesiąt sto dwóch trzech czterech pięciu sześciu siedmiu ośmiu dziesięciu tysiąc tysięcy milion miliony milionów dva dvě tři čtyři pět šest sedm osm devět deset
  dvacet třicet tisíc tisíce milionů iki üç dört beş altı yedi sekiz dokuz yirmi otuz kırk elli yüz milyon δύο τρεις τρία τέσσερις τέσσερα πέντε έξι επτά εφτά οκτώ οχτώ
  εννέα δέκα είκοσι τριάντα εκατό χίλια χιλιάδες εκατομμύρια bốn sáu bảy tám chín mười trăm nghìn triệu tỷ tiga empat enam tujuh delapan sembilan
  sepuluh seratus ribu juta дві чотири п'ять шість сім вісім дев'ять двадцять тридцять тисяча тисячі мільйон мільйонів שני שתי שלושה שלוש ארבעה ארבע חמישה חמש שישה
  שש שבעה שבע שמונה תשעה תשע עשרה עשר מאה מאות אלף אלפים אלפי מיליון دو سه چهار پنج شش هفت هشت صد هزار میلیون میلیارد दो तीन चार पाँच पांच छह सात आठ नौ दस लाख करोड़ हजार हज़ार`.split(
    /\s+/,
  ),
);
const dateWords = new Set(
  `january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
  monday tuesday wednesday thursday friday saturday sunday century centuries decade spring summer autumn winter januar februar märz mai juni juli
  oktober dezember jahrhundert enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre siglo janvier février mars
  avril juin juillet août septembre octobre novembre décembre siècle gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre secolo
  января февраля марта апреля мая июня июля августа сентября октября ноября декабря году года века يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر
  أكتوبر نوفمبر ديسمبر عام سنة القرن januari februari maart augustus eeuw århundradet desember agustus abad stycznia lutego kwietnia maja czerwca lipca sierpnia września października
  listopada grudnia ledna února března dubna května června července srpna září října prosince století ocak şubat nisan mayıs haziran temmuz ağustos
  eylül ekim kasım aralık yılında yüzyıl yüzyılda ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου
  αιώνα tháng січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня році року століття ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט
  ספטמבר אוקטובר נובמבר דצמבר בינואר בפברואר במרץ באפריל במאי ביוני ביולי באוגוסט בספטמבר באוקטובר בנובמבר בדצמבר בשנת שנת ژانویه فوریه مارس آوریل مه ژوئن ژوئیه اوت
  سپتامبر اکتبر نوامبر دسامبر فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند سال قرن जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर शताब्दी सदी
  janeiro fevereiro março maio junho julho setembro outubro novembro dezembro século maart mei oktober maj juni juli augusti
  январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре
  січень лютий березень квітень травень червень липень серпень вересень жовтень листопад грудень січні лютому березні квітні травні червні липні серпні вересні жовтні листопаді грудні
  styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień styczniu lutym marcu kwietniu maju czerwcu lipcu sierpniu wrześniu październiku listopadzie grudniu
  únor březen duben květen červen červenec srpen září říjen prosinec lednu únoru březnu dubnu květnu červnu červenci srpnu říjnu listopadu prosinci
  ιανουάριος φεβρουάριος μάρτιος απρίλιος μάιος ιούνιος ιούλιος αύγουστος σεπτέμβριος οκτώβριος νοέμβριος δεκέμβριος ιανουάριο φεβρουάριο μάρτιο απρίλιο μάιο ιούνιο ιούλιο αύγουστο σεπτέμβριο οκτώβριο νοέμβριο δεκέμβριο
  január február március április május június július augusztus szeptember október tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta
  tammikuussa helmikuussa maaliskuussa huhtikuussa toukokuussa kesäkuussa heinäkuussa elokuussa syyskuussa lokakuussa marraskuussa joulukuussa آذار نيسان أيار حزيران تموز أيلول شباط`.split(
    /\s+/,
  ),
);

/** A pair of characters that counts: `三年`, `二十`. */
const hanNumber =
  /^(?:[二三四五六七八九十百千万两兩](?:[年月日人个個名岁歳天次元円座孔米层層周週时時本冊册台枚回间間度倍家只头頭匹艘辆条项]|[十百千万亿億])|十[一二三四五六七八九]|一[年天次回周週])$/u;
const firstHan = 0x4e00;

/** Whether a word in small letters is a number written out. */
export function isNumberWord(word: string): boolean {
  return numberWords.has(word) || (word.charCodeAt(0) >= firstHan && hanNumber.test(word));
}
/** Months in capitals, verbs in small letters: a contract says on every line what somebody may do. */
export const monthVerbs: ReadonlySet<string> = new Set(['may', 'march']);
/** Whether a word in small letters names a month, a day of the week, a season or a century. */
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
  return figureWords.has(word) || isNumberWord(word);
}
/** Whether a word is a year of four figures, or its decade: `1990s`. */
export function isYear(word: string): boolean {
  return /^(?:1[0-9]\d\d|20\d\d)(?:s|年)?$/.test(word);
}
/** A preposition of place before a name. */
export const placeCue: RegExp =
  /(?:^|\s)(?:in|at|near|from|of|on|to|between|north|south|east|west|nach|bei|aus|an|en|au|à|a|nel|em|в|на)\s+(?:the\s+|la\s+|los\s+|der\s+|dem\s+)?\p{Lu}/u;

/** Words on the label of a value, by the kind of the value, as in `Number of seats | 9`. */
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
    /\b(?:author|maintainer|contributor|director|writer|president|chair(?:man|woman|person)?|chief|head|leader|owner|founder|manager|contact|editor|architect|designer|developer|landlord|tenant)\b|^(?:autor(?:in)?|leiter(?:in)?|leitung|vorsitz(?:ende[rn]?)?|besitzer(?:in)?|eigentümer(?:in)?|gründer(?:in)?|ansprechpartner(?:in)?|mieter(?:in)?|vermieter(?:in)?|auteure?|directeur|directrice|président|propriétaire|fondateur|autora?|directora?|presidente|propietari[oa]|fundadora?|autore|direttore|direttrice|proprietari[oa]|fondatore|diretora?|автор|директор|председатель|владелец|основатель)$/iu,
  definition:
    /^(?:description|purpose|summary|meaning|definition|effect|beschreibung|zweck|bedeutung|wirkung|définition|signification|effet|descripción|propósito|significado|definición|efecto|descrizione|scopo|significato|definizione|effetto|descrição|definição|efeito|описание|назначение|значение|определение)$/iu,
  place:
    /\b(?:location|place|address|headquarters|city|country|region|venue|seat|site|residence|birthplace)\b|^(?:ort|sitz|adresse|anschrift|stadt|land|lieu|siège|ville|pays|lugar|sede|dirección|ciudad|país|luogo|indirizzo|città|paese|endereço|cidade|место|адрес|город|страна)$/iu,
};

/** Recognises labels of values of a kind: an `AnswerType`, or `time` for how long. */
export function labelFor(kind: string): RegExp | undefined {
  return labels[kind];
}

/** Tells a reason. */
export const reasonCue: RegExp =
  /(?<![\p{L}\p{N}_])(?:because|due to|since|therefore|thus|so that|in order to|as a result|caused|causes?|reasons?|owing to|weil|wegen|denn(?= (?:der|die|das|dies\p{L}*|e[rs]|sie|wir|ich|man|ein\p{L}*)(?!\p{L}))|aufgrund|infolge|daher|deshalb|um zu|grund|gründe|porque|debido|por culpa|para que|causa|motivos?|razón|razones|se deben?|ya que|puesto que|dado que|parce que|car|afin|raisons?|à cause|en raison|grâce|puisque|perché|poiché|siccome|affinché|dato che|visto che|fordi|eftersom|därför|derfor|çünkü|nedeniyle|sebebiyle|karena|omdat|doordat|vanwege|dlatego|protože|kvůli)(?![\p{L}\p{N}_])|ponieważ|(?<!\p{L})vì(?!\p{L})|тому що|через те|επειδή|διότι|因为|由于|所以|因此|потому|из-за|поэтому|так как|לכן|בגלל|משום|כדי|لأن|بسبب|لذلك|زیرا|چون|به دلیل|क्योंकि|कारण|เพราะ|เนื่องจาก|때문|위해|ため(?=[、。にで]|だ)|おそれがある|(?<=[いただるすくぐぶむぬうつ])(?:から(?=[、。だで])|ので(?=[、。]|す))|(?:が|の)?原因(?=[にでと])|によるもの/iu;

/** Asks for yes or no. */
export const asksYesOrNo: RegExp =
  /^(?:is|are|was|were|do|does|did|can|could|may|must|should|has|have|had|will|would|ist|sind|darf|dürfen|kann|können|muss|müssen|hat|haben|wird|werden|gibt)\b/i;

/** `…, and how many eggs does it lay?`, not at the beginning; or a second question. */
export const asksTwice: RegExp =
  /(?<=[\p{L}\p{N}][^\p{L}\p{N}]*)(?:\band|\bund|\by|\bet|\be|(?<!\p{L})и|و|और|以及)\s*(?:what|which|who|whom|where|when|why|how|was|wer|wann|wo|wie|warum|welche[rsnm]?|qué|quién|cuándo|dónde|cómo|cuánt[oa]s?|qui|quand|où|comment|combien|quelle?s?|chi|dove|quanti|quando|кто|когда|где|сколько|من|متى|أين|كم|谁|什么|哪|多少)(?!\p{L})|[\p{L}\p{N}]\s*[?？؟]\s*\p{L}[^?？؟]*[?？؟]/iu;

/** Asks where something is told, which an index tells. */
export const asksWhere: RegExp =
  /^\s*(?:where|(?:(?:in|on|at) )?(?:which|what) (?:chapter|section|page|part)s?|auf welcher seite|à quelle page|en qué página|a (?:che|quale) pagina|wo|où|dónde|dove|onde|где)(?!\p{L})/iu;

/** Words behind a number that multiply it. */
export const magnitudes: readonly (readonly [RegExp, number])[] = [
  [/^\s?(?:thousand|tausend|mille|mil)\b/iu, 1e3],
  [/^\s?(?:million(?:en|s)?|mio|millones|millón|milioni|milhões)\b/iu, 1e6],
  [/^\s?(?:billion|milliarden?|mrd|milliards?|miliardi)\b/iu, 1e9],
];

/** A word that asks for one of several. */
export const whichWord: RegExp =
  /^(?:what|which|whose|welche[mnrs]?|wessen|quel(?:le)?s?|qué|cuál(?:es)?|quale|quali|qual|quais)$/u;
