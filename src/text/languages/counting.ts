/** Asks for things, which no sum of money counts; `how much` may ask for money. */
export const asksForThings: RegExp =
  /(?<!\p{L})(?:how many|wie ?viele|cuánt[oa]s|combien d(?:e|['’])|quant[ie]|quant[oa]s|hur många|hvor mange)(?!\p{L})/iu;

/** Asks how many of several, which a part of them answers. */
export const asksOfAll: RegExp =
  /(?<!\p{L})(?:how many of|wie ?viele (?:der|dieser|von)|combien (?:des|de ces|d['’]entre|parmi)|cuánt[oa]s de|quant[ie] de(?:i|gli|lle)|quant[oa]s d[oa]s)(?!\p{L})/iu;

/** Asks how much there is of something that is no time, in English, German and French. */
export const asksAmount: RegExp =
  /(?<!\p{L})(?:how much (?!time|longer|more|notice|leave|holiday)\p{L}+ (?:can|could|does|do|did|is|are|was|will|should|may|must)|how much (?:is|are|was|were) (?!(?:it|this|that|he|she|they)\b)\p{L}|wie ?viel (?!zeit|urlaub)\p{L}|combien d(?:e |['’])(?!temps|fois|heure|jour|semaine|mois|an)(?:eau|lait|place|mémoire|farine|sucre|beurre|sel|huile))/iu;

/** Asks how many there are of something that is named. */
export const asksCount: RegExp =
  /(?<!\p{L})(?:how many|wie ?viele[nr]?|cuánt[oa]s|combien(?: de(?=\s+[\p{L}-]+[sx](?!\p{L}))|(?=\s+d['’][\p{L}-]+[sx](?!\p{L})))|quant[ie]|quant[oa]s|скольк(?:о|их|ими?)|hur många|hvor mange)(?!\p{L})\s*|(?:多少|[几幾])[个個名位种種台]\s*/iu;

/** `何人`: what is counted stands before it, and its counter behind the number. */
export const asksCounter: RegExp = /何(人|回|個|本|件|台|枚|種類|冊|匹|歳|年間|日間|時間)/u;

/** A word that asks how much of something there is. */
export const asksDegree: RegExp =
  /^(?:many|much|long|often|far|old|high|tall|deep|wide|heavy|fast|big|large|hot|costs?|viele?|hoch|groß|lange?|oft|weit|alt|teuer|kostet|kosten|cuánt[oa]s?|cuesta|combien|coûte|quant[ieoa]s?|costa(?:no)?|custa[mv]?a?|custou|ile|ilu|сколько|скольких|сто(?:ит|ят)|стоил[аои]?|кошту(?:є|ють)|kosztuj(?:e|ą)|kosztował[aoy]?|kost|تبلغ|يبلغ|تكلف|يكلف)$/iu;

/** Asks for the number that names a thing. */
export const asksForName: RegExp = /\bnumber\b|\bnummer\b|numéro|número/iu;

/** A number with what stands between it and all the things that it counts a part of: `one of`, `two of the employees`. */
export const partitive: RegExp =
  /^(?:one of|\S+ (?:of (?:the|these|those|its|our|your|his|her|their|my)|der|dieser|des|ces|de (?:los|las|sus|nuestr[oa]s)|de[gi]|delle))(?!\p{L})/u;

/** `two months' rent` is a price. */
export const paidFor: RegExp =
  /^(?:rents?|pay|salary|wages?|fees?|charges?|miete|pacht|gehalt|lohn|loyers?|salaire|alquiler|renta|sueldo|affitto|stipendio)$/u;

/** `3` in `week 3` and in `release 3` names one of them. */
export const countedThings: RegExp =
  /^(?:articles?|chapters?|figures?|fig|items?|levels?|lines?|no|nr|pages?|paragraphs?|phases?|releases?|rooms?|rows?|sections?|steps?|tables?|versions?|weeks?|woche|seite|kapitel|abschnitt|absatz|raum|zimmer|stufe|schritt|tabelle|abbildung|zeile|ausgabe|semaine|chambre|salle|étape|chapitre|tableau|niveau|ligne|semana|página|sala|capítulo|artículo|versión|tabla|figura|nivel|línea|versione|capitolo|pagina|tabella|livello|riga|settimana|versão|tabela|linha|верси[яиюей]|глав[аеуы]|раздел[ае]?|страниц[аеуы]|таблиц[аеуы]|рисун\p{L}+|пункт[ае]?|шаг|уров\p{L}+|строк[аеи]|выпуск[ае]?|релиз[ае]?)$/u;

/** Words that are numbered though they are no names, in English, German, French, Spanish and Italian. */
export const numberedWords: RegExp =
  /^(?:annex|appendix|article|channel|chapter|clause|code|error|figure|grade|lesson|level|line|page|paragraph|phase|pin|port|question|release|requirement|room|rule|section|status|step|table|type|unit|value|version|abschnitt|artikel|kapitel|klasse|raum|regel|seite|stufe|tabelle|chapitre|niveau|règle|salle|étape|artículo|capítulo|nivel|página|sala|articolo|capitolo|livello|pagina)$/iu;

/** Words of which a letter tells one from another. */
export const letteredWords: RegExp =
  /^(?:annex|appendix|block|building|entrance|gate|grade|group|hall|lot|part|schedule|stand|team|terminal|tower|type|wing|anlage|aufgang|eingang|gebäude|gruppe|halle|haus|klasse|tor|annexe|bâtiment|escalier|groupe|porte|anexo|bloque|edificio|escalera|grupo|allegato|gruppo|scala)$/iu;

/** `How many people were enrolled …?` asks for a number of those with whom something was done. English. */
export const countedDone: RegExp =
  /\bhow many (?:[\p{L}-]+ ){1,4}(?:were|was|are|have been|had been) (?:\p{L}+ly )?(?<verb>\p{L}{2,}(?:ed|en|wn|nt|ght|ade|ound))\b/iu;
