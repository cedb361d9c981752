/**
 * Asks what follows from a case; behind it stands the case. In English, German, French, Spanish, Italian and Portuguese.
 */
export const asksConsequence: RegExp =
  /^\W*(?:and |but )?(?:what (?:happens|will happen|would happen|happened)|what (?:is|are) the (?:consequences?|effects?)|was (?:passiert|geschieht)|que se passe-t-il|qu['’]arrive-t-il|qué (?:pasa|ocurre|sucede)|(?:che )?cosa (?:succede|accade)|o que acontece)\s*,?\s*(?:if|when|once|unless|wenn|falls|si|quand|lorsque|cuando|se|quando)(?!\p{L})/iu;

/** Begins a case: `If the tank is empty, the pump stops.` */
export const beginsCase: RegExp =
  /(?:^|(?<=[\s,;:(—–"“„«]))(?:if|when(?:ever)?|once|unless|wenn|falls|sobald|si|quand|lorsque|cuando|se|qualora|quando|caso)(?!\p{L})/giu;

/** Says that something follows from what stands before, in the same languages. */
export const followsFromBefore: RegExp =
  /^\W*(?:as a (?:result|consequence)|therefore|consequently|hence|thus|for (?:this|that|these|those|which) reasons?|(?:this|that) is why|because of (?:this|that)|accordingly|deshalb|daher|darum|deswegen|folglich|infolgedessen|aus diese[mn] gr[uü]nd(?:en)?|par conséquent|(?:c['’]est|voilà) pourquoi|c['’]est (?:la raison pour laquelle|pour (?:cela|ça|cette raison))|pour (?:cela|cette raison|ces raisons)|(?:es )?por (?:(?:lo )?tanto|eso|es[ae] (?:motivo|razón)|est[ae] (?:motivo|razón)|ello)|por consiguiente|de ahí que|ecco perché|(?:è )?per (?:questo|quest[ao] (?:motivo|ragione))|pertanto|perciò|di conseguenza|por isso|portanto)(?!\p{L})/iu;

/** Says of a case that something is too much, or late: `What happens if I call too often?` */
export const asksExcess: RegExp =
  /(?<!\p{L})(?:too (?:often|many|much|long|large|big|high|fast|frequently|heavy)|zu (?:oft|viele?|lang|groß|hoch|schnell|schwer|häufig)|late|zu spät|verspätet|trop|en retard|demasiad\p{L}+|tarde|troppo|troppi|in ritardo|demais)(?!\p{L})/iu;

/** Says that something is more than it may be, or later, in the same languages. */
export const tellsExcess: RegExp =
  /(?<!\p{L})(?:too|more|longer|larger|greater|bigger|higher|faster|heavier|over\p{L}*|above|beyond|late[rs]?|delay\p{L}*|overdue|expire\p{L}*|lapse\p{L}*|fees?|penalt\p{L}+|fine[ds]?|interest|(?:sur)?charge[ds]?|reject\p{L}*|refuse[ds]?|lose[ds]?|lost|exceed\p{L}*|excess\p{L}*|surpass\p{L}*|limit\p{L}*|maximum|at most|up to|zu|mehr|länger|größer|höher|schneller|schwerer|über\p{L}*|später?|verspätet\p{L}*|verfäll\p{L}*|mahn\p{L}*|zinsen|gebühr\p{L}*|trop|retard\p{L}*|frais|pénalit\p{L}+|intérêts|plus|dépass\p{L}*|excè?d\p{L}*|demasiad\p{L}+|más|tarde|retras\p{L}*|recargo|multa|intereses|super\p{L}+|exced\p{L}+|tropp[oi]|più|ritard\p{L}*|interessi|ecced\p{L}+|demais|mais|ultrapass\p{L}+)(?!\p{L})|[>≥]/iu;

/** Is the purpose or the reason of what stands before: it begins so in English and German, and ends so in Japanese. */
export const tellsPurpose: RegExp =
  /^\W*(?:(?:this|that|it) (?:is|was) (?:to|so (?:that|as)|because|due to|in order|for (?:the|this|that) reason|done (?:to|so|because|for)|(?:intended|meant|needed|necessary|required) to)|the (?:reason|purpose) (?:for|of|behind) (?:this|that|it) is|das (?:ist|war) (?:so, )?(?:weil|damit|nötig, um)|der (?:grund|zweck) (?:dafür|davon) ist)(?!\p{L})|(?:ため|から|おそれ)(?:です|である|だ|があります|がある)。?$|(?:の原因に(?:なります|なる))。?$/iu;

/** Says what else would happen, of what stands before, in English and German. */
export const tellsOtherwise: RegExp =
  /^\W*(?:otherwise|or else|if you (?:do|did)(?! not\b)|doing (?:so|this|that)|(?:this|that|it) (?:would|will|could|can|may|might)(?! not be (?:used|done|needed))|sonst|andernfalls|ansonsten|wer das tut|wenn (?:du|sie|man) (?:das|dies|es) tu(?:st|n|t))(?!\p{L})/iu;
