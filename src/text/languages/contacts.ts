/** What is written in one way alone, by what asks for it. */
export const contacts: readonly (readonly [asks: RegExp, holds: RegExp])[] = [
  [
    /\b(?:(?:tele)?phone|mobile|cell|fax) (?:numbers?|nos?)\b|\b(?:which|what) number (?:(?:do|should|can|must|may) (?:i|we|you|one)|to) (?:call|dial|ring|phone)\b|\bwelche nummer (?:muss|soll|kann|wähle|rufe)\b|\bquel numéro (?:dois-je|faut-il|puis-je|doit-on|peut-on|appeler|composer)(?!\p{L})|\bqué número (?:debo|hay que|puedo|tengo que) (?:llamar|marcar)\b|\bquale numero (?:devo|posso|bisogna) (?:chiamare|comporre)\b|\b(?:telefon|handy|mobil|fax)nummern?\b|n[uú]m[eé]ro de (?:t[eé]l[eé](?:phone|fon[oe])|fax|portable|m[oó]vil|telem[oó]vel|celular)|numero di (?:telefono|cellulare|fax)|(?:телефонный|номер) (?:номер|телефона|факса)|电话号码|電話號碼|電話番号/iu,
    // no day, no span of years, no sum of money, no postcode before its town or behind its state
    /(?<![\p{L}\p{Nd}-]|\p{Nd}[./–]|[$€£¥₹]\s?|(?<!\p{Lu})\p{Lu}{2} (?=\p{Nd}{5}(?!\p{Nd})))(?!\p{Nd}{5} \p{Lu}\p{Ll}|\p{Nd}{1,2}[./-]\p{Nd}{1,2}[./-]\p{Nd}{2,4}(?![./-]?\p{Nd})|\p{Nd}{4}[./-]\p{Nd}{2}[./-]\p{Nd}{2}(?![./-]?\p{Nd})|(?:19|20)\p{Nd}{2}\s?[/–-]\s?(?:19|20)?\p{Nd}{2}(?![./-]?\p{Nd}))\p{Nd}(?:[\s()./–-]{0,3}\p{Nd}){4}/u,
  ],
  [
    /\be-?mail[- ]?(?:address|adress)|adresse (?:e-?mail|électronique)|correo electrónico|indirizzo e-?mail|endereço de e-?mail|(?:электронн\p{L}+ почт|адрес e-?mail)|メールアドレス|(?:电子)?邮箱|电子邮件地址/iu,
    /@/,
  ],
];

/** Says that a number to call is asked for, and not whose. */
export const contactWord: RegExp =
  /^(?:numbers?|nos?|(?:tele)?phones?|calls?|dial|ring|nummern?|telefon(?:nummern?)?|anrufen|wählen|num[ée]ros?|númer[oa]s?|t[ée]l[ée](?:phone|fon[oe])|e-?mails?|mails?|address|adresse|électronique|correo|electrónico|indirizzo|appeler|composer|llamar|marcar|chiamare|comporre)$/u;
