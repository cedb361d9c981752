const recurring =
  /(?<![\p{L}\p{N}])(?:(?:[12]?\d|3[01])(?:st|nd|rd|th)|[012]?\d[:.][0-5]\d(?!\.?\d|\s?[%$€£¥])|\d{1,2} ?[ap]\.?m|every|each|once|twice|noon|midnight|dawn|daybreak|dusk|nightfall|sunrise|sunset|(?:high|low) (?:tide|water)|morgengrauen|sonnen(?:auf|unter)gang|l['’]aube|crépuscule|amanecer|atardecer|all['’]alba|tramonto|mittags|mitternacht|midi|minuit|mediodía|medianoche|\d{1,2} ?(?:o['’]clock|uhr|h(?:[0-5]\d)?|heures?|uur|часов)|daily|weekly|monthly|quarterly|yearly|annual(?:ly)?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|sonnabends?|(?:täg|wöchent|monat|jähr)lich|jede[nrms]?|einmal|zweimal|lundis?|mardis?|mercredis?|jeudis?|vendredis?|samedis?|dimanches?|chaque|tous les|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|cada|elke|iedere|dagelijks|varje|dagligen|hver|daglig|każd\p{L}+|codziennie|každ\p{L}+|denně|кожн\p{L}+|щодня|κάθε|mỗi|hằng|her (?:gün|hafta|ay|yıl)|setiap|هر (?:روز|هفته|ماه|سال)|כל (?:יום|שבוע|חודש|שנה))(?!\p{L})|(?:open|clos|start|begin|leav|arriv|depart|öffn|schließ|beginn|ouvr|ferm|commenc|abr|cierr|apr|chiud)\p{L}*(?: \p{L}+){0,2} (?:at|um|à|a las|alle) (?:1?\d|2[0-4])(?![\p{L}\p{N}.:,%])(?! ?(?:\p{Sc}|°|%))|\d\s?[時时点點시]|매[일주월년]|ทุก(?:วัน|ปี|เดือน|สัปดาห์)/iu;

/** Days of the week and how often, in other languages. */
const recurringElsewhere: readonly string[] = [
  "(?<!\\p{L})(?:(?:понедельник|вторник|четверг|пятниц|суббот|воскресень|кажд)\\p{L}*|сред(?:а|у|ам)|ежедневно|еженедельно|ежемесячно|ежегодно|по (?:будням|выходным)|(?:понеділ|вівтор|четвер|п['’]ятниц|субот|неділ)\\p{L}*|щотижня|щомісяця|щороку)(?!\\p{L})",
  '(?<!\\p{L})(?:(?:poniedział|sobot|niedziel)\\p{L}*|wtor(?:ek|ki|ku)|środ(?:a|ę|y|ach)|czwart(?:ek|ki|ku)|piąt(?:ek|ki|ku)|co (?:tydzień|miesiąc|rok)|pondělí|úter(?:ý|ky)|střed[auy]|čtvrt(?:ek|ky)|pát(?:ek|ky)|neděl\\p{L})(?!\\p{L})',
  '(?<!\\p{L})(?:lunedì|martedì|mercoledì|giovedì|venerdì|sabat[oi]|domenic(?:a|he)|ogni|(?:segundas?|terças?|quartas?|quintas?|sextas?)-feiras?|[àa]s (?:segundas|terças|quartas|quintas|sextas)|tod[oa]s [oa]s|diariamente|semanalmente|(?:maan|dins|woens|donder|vrij|zater|zon)dag(?:en|s)?|pazartesi|çarşamba|perşembe|cuma|cumartesi)(?!\\p{L})',
  '(?<!\\p{L})ال(?:جمعة|سبت|أحد|اثنين|إثنين|ثلاثاء|أربعاء|خميس)(?!\\p{L})|(?:يومي|أسبوعي|شهري|سنوي)\\p{M}*ا|كل (?:يوم|أسبوع|شهر|سنة|عام)',
  '[月火水木金土日]曜|毎[日週月年朝晩]|平日|(?:周|星期|礼拜)[一二三四五六日天]|每[天日周年月晚逢]|工作日',
];
/** A time of the day, a day of the week or of the month, or how often: `on the 26th of each month`. */
export const recurrence: RegExp = new RegExp([recurring.source, ...recurringElsewhere].join('|'), 'iu');

/** `after five days`, `within 3 weeks`, `two days before`: a time by what it is counted from. */
export const countedFrom: RegExp =
  /(?<![\p{L}\p{N}])(?:(?:after|within|until|nach|innerhalb von|binnen|après|d['’]ici|después de|dentro de|tras|a los)\s+(?<after>\p{N}{1,3}|\p{L}+)(?![\p{L}\p{N}])|(?<before>\p{N}{1,3}|\p{L}+)\s+(?:working\s+)?(?:minutes?|hours?|days?|weeks?|months?|years?|minuten?|stunden?|tage?|wochen?|monate?|jahre?|jours?|heures?|semaines?|mois|ans|días?|horas?|semanas?|meses|años?)\s+(?:before|after|ahead|later|earlier|in advance|vor|nach|vorher|zuvor|später|avant|après|antes|después)(?!\p{L}))/giu;

/** Asks how long something takes, in English, German, French, Spanish and Italian. */
export const asksDuration: RegExp =
  /^\W*(?:how long (?:is|are|was|were|does|do|did)\b|wie lange? (?:ist|sind|war|waren|dauer[tn]|dauerten?)\b|quelle est la durée|combien de temps dure|cuánto dura[n]?\b|quanto dura(?:no)?\b)/iu;

/** Before the time in which something else is told: `during the regatta`. */
export const beforeTime: RegExp =
  /^(?:during|after|before|throughout|while|since|until|während|nach|vor|seit|in|innerhalb|pendant|après|avant|durant|durante|después|antes|tras|dopo|prima)$/u;

/** Asks how long somebody did something, in English. */
export const asksHowLongDone: RegExp = /^\W*(?:for )?how long (?:did|was|were|has|have|had|is|are) /iu;

/** Two ends of a time: `from April 1996 until December 1997`; their years stand in the groups `since` or `after`, and `until`. */
export const spansTime: RegExp =
  /(?<!\p{L})(?:from [^.;]{0,30}?(?<since>\p{N}{4}) (?:until|till|to|through)|between [^.;]{0,30}?(?<after>\p{N}{4}) and) [^.;]{0,20}?(?<until>\p{N}{4})(?!\p{N})/iu;

/** Asks until when something will be so, in English and German. */
export const asksHowLongToCome: RegExp =
  /^\W*(?:(?:for )?how long (?:will|shall|can|may) |wie lange (?:wird|werden|darf|dürfen) )/iu;
/** The end of a time: `through the year 2050`, `bis Ende 2030`. */
export const endsInYear: RegExp =
  /(?<!\p{L})(?:through|until|till|up to|to|bis) (?:(?:at least|mindestens|the|end of|ende|year|das jahr|\p{Lu}\p{Ll}+) ){0,3}(?:1[0-9]|20)\d\d(?!\p{N})/iu;

/** A word for how long something takes. */
export const lastsWord: RegExp = /^(?:lange?|dauer\p{L}*|durée|dure|duran?|lasts?|lasted|takes?|took)$/u;

/** Behind a number it makes years of it, though it also names one: `3 года`. */
export const yearsWord: RegExp = /^(?:centuries|года|سنة|عام)$/u;

/** A word of time or condition in English, German, French, Spanish, Italian and Portuguese. */
const condition =
  /(?<!\p{L})(?:when|whenever|if|unless|after|before|once|until|till|during|while|since|as soon as|as long as|always|never|at any time|any time|immediately|straight away|at once|now|today|tomorrow|tonight|yesterday|daily|weekly|monthly|yearly|annually|hourly|weekends?|weekdays?|mornings?|evenings?|afternoons?|nights?|noon|midnight|dawn|daybreak|dusk|nightfall|sunrise|sunset|(?:high|low) (?:tide|water)|morgengrauen|sonnen(?:auf|unter)gang|l['’]aube|crépuscule|amanecer|atardecer|all['’]alba|tramonto|days?|weeks?|months?|years?|hours?|minutes?|seconds?|centur\p{L}+|seasons?|springs?|summers?|autumns?|winters?|recently|soon|later|early|late|end of|beginning of|wenn|falls|sobald|solange|nachdem|bevor|während|bis(?! zu \p{N})|seit|nach|vor|ab|immer|nie|jederzeit|sofort|heute|morgens?|abends?|mittags?|nachts?|täglich|wöchentlich|monatlich|jährlich|tage?n?|wochen?|monate?n?|jahre?n?|stunden?|minuten?|quand|lorsque|si|dès|après|avant|pendant|jusqu\p{L}+|toujours|jamais|aujourd|jours?|semaines?|mois|ans|années?|heures?|matin|soir|midi|cuando|después|antes|durante|mientras|hasta|siempre|nunca|hoy|días?|semanas?|mes(?:es)?|años?|horas?|mañana|tarde|noche|quando|dopo|prima|mentre|fino|sempre|mai|oggi|giorn\p{L}+|settiman\p{L}+|mes[ei]|ann[oi]|or[ae]|mattin\p{L}+|sera|após|depois|enquanto|até|desde|no período|a partir|semestr\p{L}+|mês|meses|dias?|anos?|noite)(?!\p{L})/iu;

/** A word of time or condition in other languages. */
const conditionElsewhere: readonly string[] = [
  '(?<!\\p{L})(?:когда|если|как только|после|перед|пока|во время|сразу|всегда|никогда|коли|якщо|щойно|після|поки|під час|завжди|ніколи|одразу|відразу)(?!\\p{L})',
  '(?<!\\p{L})(?:kiedy|gdy|jeśli|jeżeli|zanim|podczas|dopóki|natychmiast|zawsze|nigdy|przed|když|pokud|jakmile|během|dokud|ihned|vždy|nikdy|před)(?!\\p{L})',
  '(?<!\\p{L})(?:wanneer|als|zodra|nadat|voordat|tijdens|totdat|altijd|nooit|meteen|när|innan|efter|medan|tills|alltid|aldrig|genast|når|hvis|før|etter|mens|inntil|indtil|straks)(?!\\p{L})',
  '(?<!\\p{L})(?:όταν|μόλις|αν|εάν|πριν|αφού|μετά|μέχρι|πάντα|ποτέ|αμέσως|khi|nếu|luôn|ngay|lúc|cho đến)(?!\\p{L})',
  '(?<!\\p{L})(?:zaman|sonra|önce|eğer|hemen|sürece|\\p{L}+(?:[dt][iıuü]ğ[iıuü]nda|[dt][iıuü]ğ[iıuü]nde|[iıuü]nc[ae]|ken))(?!\\p{L})',
  'عندما|إذا|(?<!\\p{L})(?:بعد|قبل|حين|أثناء|خلال|طالما|دائما|فور|كلما)(?!\\p{L})|وقتی|هنگام|اگر|پس از|زمانی که|همیشه|بلافاصله|به محض|قبل از|پیش از',
  'כאשר|(?<!\\p{L})(?:כש\\p{L}+|אם|אחרי|לפני|לאחר|בזמן|במהלך|תמיד|מיד)(?!\\p{L})|जब|यदि|अगर|के बाद|से पहले|दौरान|हमेशा|तुरंत|เมื่อ|หาก|ถ้า|หลังจาก|ก่อน|ระหว่าง|ขณะ|ทันที',
  '(?:とき|時|場合|際|後|前|まで)(?=[には、。でのも]|$)|たら|れば|すると|いつも|常に|すぐに|(?<=[가-힣])(?:때|면)(?=[\\s,.]|에|마다)|(?:때|경우|후|전에|동안|항상|즉시)(?=[\\s,.에는]|$)',
  '(?<!\\p{sc=Hiragana})[时時後后](?=[，,、。]|$)|之[前後后]|以[前後后]|如果|一旦|直到|[总總]是|立即|期[间間]|[当當].{1,30}[时時]',
];
/** A word of time or condition, which may say when something is so. */
export const conditionWord: RegExp = new RegExp([condition.source, ...conditionElsewhere].join('|'), 'iu');

/** Asks when, and for no year or day, in other languages than English: words may say it. */
export const asksWhen: RegExp =
  /(?<!\p{L})(?:wann|quand|cuándo|quando|когда|коли|kiedy|kdy|wanneer|när|når|πότε|ne zaman|khi nào|lúc nào|bao giờ|متى|چه (?:زمان|وقت|موقع)ی?|מתי|कब|milloin|mikor)(?!\p{L})|いつ|什[么麼][时時]候|何[时時](?!間)|언제|เมื่อ(?:ไ|ใด)/iu;

/** `from 1915 to 1918`, `since the 1960s`: a time with a beginning or an end, in years. */
export const lastingYears: RegExp =
  /(?<!\p{L})(?:since|from|between|until|till|through|seit|von|zwischen|bis|depuis|de|entre|jusqu['’]en|desde|hasta|dal|dall['’]|fra|tra|fino al?|até)(?!\p{L})[^.;]{0,40}(?<!\p{N})(?:1[0-9]|20)\d\d/iu;

/** Asks when somebody can or should do something, in English, German, French, Spanish and Italian. */
export const asksWhenToAct: RegExp =
  /(?<!\p{L})(?:when (?:can|could|may|should|must|do|will) (?:i|we|you|one|people|guests?|visitors?|members?|\p{L}+s)|wann (?:kann|können|darf|dürfen|soll|sollen|muss|müssen)|quand (?:puis-je|peut-on|pouvons-nous|dois-je|doit-on|faut-il)|cuándo (?:puedo|podemos|se puede|debo|debemos)|quando (?:posso|possiamo|si può|devo|dobbiamo))(?!\p{L})/iu;

/** Asks when somebody, of whatever name, can or should do something, in English. */
export const asksWhenRuled: RegExp =
  /^\W*when (?:(?:can|may|might|must|should) |(?:is|are) [^?]{3,80}\p{L}(?:[^e]ed|wn|ght|ept|taken|given|written|eaten|chosen|frozen)\W*$)/iu;

/** Ends with when: `The fare is free until when?` */
export const endsWithWhen: RegExp = /\bwhen\W*$/iu;

/** Asks when something was, in English. */
export const asksWhenWas: RegExp = /^\W*when (?:was|were|did|had) /iu;

/** A time by the name it has in history: `during the Second World War`, `under the reign of Ann`, `after Lenin’s death`. */
export const namedTime: RegExp =
  /(?<!\p{L})(?:[Dd]uring|[Ss]ince|[Aa]fter|[Uu]ntil|[Bb]efore|[Uu]nder|[Ii]n) (?:the )?(?:(?:\p{Lu}[\p{L}-]{1,20} (?:and |or )?){1,4}(?:[Ww]ars?|[Dd]ynast(?:y|ies)|[Ee]ra|[Pp]eriod|[Aa]ges?|[Rr]evolution|[Rr]enaissance|[Cc]onquests?|[Cc]rusades?)(?!\p{L})|reign of \p{Lu}|\p{Lu}\p{L}{1,20}['’]s (?:death|birth|reign)(?!\p{L}))/u;

/** Stands before the first day of a time without a stated end, and before the last of one, in English, German, French and Spanish. */
export const beginsTime: RegExp =
  /(?<!\p{L})(?:after|from|since|as of|starting(?: on)?|ab|nach|seit|après|depuis|dès|à partir du|desde|después del?|a partir del?)(?: the| dem| der| den| le| el)? ?$/iu;
export const endsTime: RegExp =
  /(?<!\p{L})(?:before|until|till|by|up to|bis(?: zum)?|vor|avant|jusqu['’]au|antes del?|hasta)(?: the| dem| den| le| el)? ?$/iu;
/** Stands between the first day of a time and its last. */
export const toTime: RegExp =
  /^\s*(?:to|until|till|through|bis(?: zum)?|au|jusqu['’]au|al|hasta|[-–—])(?: the| den| dem| le| el)?\s*$/iu;

/** Behind a year: `387 BC`, `387 v. Chr.`, `387 av. J.-C.`, `387 a. C.` */
export const eraBehind: RegExp =
  /^\s?(?:BCE?|CE|A\.?D\.?|B\.C\.|[vn]\. ?Chr|av(?:ant)?\.? J|ap(?:rès)?\.? J|a\. ?C|d\. ?C)(?!\p{L})/u;
/** Before a year: `AD 80` */
export const eraBefore: RegExp = /(?<!\p{L})A\.?D\.?\s$/u;
