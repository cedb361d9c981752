const edges = (list: string): RegExp => new RegExp(`(?<![\\p{L}\\p{M}])(?:${list})(?![\\p{L}\\p{M}])`, 'iu');

/** In English, German, French, Spanish, Italian, Dutch, Portuguese, Polish and Russian. */
const closing = new RegExp(
  `^\\P{L}*(?:${[
    '(?:yours |very )?(?:sincerely|faithfully|truly|respectfully)(?: yours)?|(?:kind|best|warm|with kind)(?: regards| wishes)?',
    'mit (?:freundlichen?|besten?|herzlichen?) (?:grüßen|gruß|grüssen)|(?:freundliche|beste|viele|herzliche) grüße|hochachtungsvoll',
    '(?:veuillez |nous vous prions ).*salutations.*|(?:bien )?cordialement|meilleures salutations',
    '(?:muy )?atentamente|(?:un )?(?:cordial|saludo)s?(?: saludos?)?|saludos(?: cordiales)?',
    '(?:cordiali|distinti) saluti|cordialmente',
    'met (?:vriendelijke|hartelijke) groet(?:en)?|hoogachtend',
    '(?:com )?os (?:meus |nossos )?(?:melhores )?cumprimentos|com os melhores cumprimentos|atenciosamente',
    'z (?:poważaniem|wyrazami szacunku)',
    'с уважением|искренне ваша?',
  ].join('|')})\\P{L}*$`,
  'iu',
);
const salutation = new RegExp(
  `^\\P{L}*(?:${[
    'dear|to(?=:)|for the attention of',
    'sehr geehrter?|liebe[rs]?|an(?=:)|zu händen',
    "à l[’']attention de|chère?|madame|monsieur",
    'estimad[oa]s?|querid[oa]s?|muy señor(?:es)? mío',
    'gentil(?:e|issim[oa])|egregi[oa]|spettabile|alla cortese attenzione',
    'geachte|beste|ter attentie van',
    'ex\\.?m[oa]s?\\.?|car[oa]|prezad[oa]',
    'szanown[yaei](?: pan\\p{L}*)?|drog[ia]',
    'уважаем(?:ый|ая|ые)|дорог(?:ой|ая)|кому(?=:)',
  ].join('|')})(?![\\p{L}\\p{M}])`,
  'iu',
);
const asksWriter = edges(
  "who(?:[’']s| is| are| was| were) the (?:authors?|writers?)(?= of)|wer (?:ist|sind|war|waren) (?:der|die) (?:autor|verfasser)\\p{L}*|qui (?:est|sont|était) (?:l[’']|les )aut(?:eur|rice)e?s?|quién(?:es)? (?:es|son|fue) (?:el|la|los|las) autor(?:a|es|as)?|chi è l[’']autor(?:e|rice)|who(?: has| have)? (?:wrote|written|writes|signed|signs|sent|sends)|wer hat(?= .*(?:geschrieben|unterschrieben|unterzeichnet|verfasst|geschickt))|wer (?:schrieb|unterschrieb|unterzeichnete)|qui (?:a|ont) (?:signé|écrit|envoyé)|qui (?:signe|écrit)|quién(?:es)? (?:firma|firmó|escribe|escribió|envió|ha (?:firmado|escrito|enviado))|chi (?:firma|scrive|ha (?:firmato|scritto|inviato|mandato))|wie heeft(?= .*(?:ondertekend|geschreven|gestuurd))|wie ondertekent|quem (?:assina|assinou|escreve|escreveu|enviou)|kto (?:podpisał|napisał|wysłał)|кто (?:подписал|написал|отправил)",
);
const asksAddressee = edges(
  'to whom|who is(?= .*\\baddressed to)|an wen|à qui|a quién(?:es)?|a chi|aan wie|a quem|do kogo|кому',
);
const ofLetter = edges(
  'authors?|writers?|aut(?:or|eur|eure|rice|ora|ore)|autorin|verfasser(?:in)?|letters?|address(?:ed)?|writ(?:e|es|ten)|wrote|sign(?:s|ed)?|sen[dt]s?|geschrieben|schrieb|unterschrieben|unterzeichnet|verfasst|geschickt|gerichtet|brief|schreiben|lettre|adressée?s?|signée?|écrite?|envoyée?|carta|dirigid[oa]|firm[aó]|firmado|escri(?:be|bió|to)|lettera|indirizzat[oa]|firmat[oa]|scritt[oa]|inviat[oa]|ondertekend|geschreven|gericht|gestuurd|assin(?:a|ou)|escreveu|dirigida|endereçad[oa]|pismo|list|podpisał|napisał|adresowan[eay]|письмо|письма|подписал|написал|адресован[оа]?|адресовано',
);

const byline =
  /^\P{L}*(?:(?:written |prepared |compiled )?by|authors?:|(?:verfasst |erstellt )?von|autor(?:in|en|a|es|e)?:|verfasser(?:in)?:|(?:rédigé )?par|auteure?s?:|por|di|door|автор:)\s+(?<name>\p{L}[\p{L}.'’-]*)/iu;
/** Whether a line says who wrote what is below it: `By Ann Moor, 3 June 2023`. */
export function namesAuthor(line: string): boolean {
  // `by hand` names nobody
  return line.length < 160 && /^\p{Lu}/u.test(byline.exec(line)?.groups?.name ?? '');
}

/** Whether a line ends a letter, so that the name of its writer follows. */
export function closesLetter(line: string): boolean {
  return line.length < 160 && closing.test(line);
}

/** Whether a line speaks to the addressee of a letter. */
export function opensLetter(line: string): boolean {
  return line.length < 160 && salutation.test(line);
}

/** `sent`, of anything but a letter. */
const sendsThing =
  /^(?!.*(?<!\p{L})(?:letters?|(?:e-?)?mails?|messages?|notes?|address(?:ed)?|writ(?:e|es|ten)|wrote|brief|schreiben|nachricht|geschrieben|lettre|courriels?|carta|correo|lettera|messaggio|escri\p{L}+|scritt\p{L}+)(?!\p{L})).*(?<!\p{L})(?:sen[dt]s?|geschickt|envoyée?s?|inviat[oa]|gestuurd)(?!\p{L})/iu;

/** Which side of a letter a question asks for. */
export function letterSideAsked(question: string): 'writer' | 'addressee' | undefined {
  if (asksWriter.test(question)) return 'writer';
  return asksAddressee.test(question) && ofLetter.test(question) && !sendsThing.test(question)
    ? 'addressee'
    : undefined;
}

/** Asks when a mail was sent, or somebody wrote one. */
const asksSent = new RegExp(
  [
    'when (?:did|do|does|has|have) .*\\b(?:write|written|send|sent|mail|e-?mail|reply|replied)\\b',
    'when (?:was|were|is) .*\\b(?:e-?mail|mail|message|letter)s?\\b.*\\b(?:sent|written)\\b',
    'wann (?:hat|haben|wurde|ist) .*(?:geschickt|gesendet|gesandt|geschrieben|gemailt|geantwortet)',
    'quand .*(?:envoyé|écrit|répondu)',
    'cuándo .*(?:envi[óa]|enviado|escribió|escrito|mandó)',
    'quando .*(?:inviat|scritt|mandat|scrisse)',
  ]
    .map((one) => `^\\W*${one}`)
    .join('|'),
  'iu',
);

/** Whether a question asks when a letter or a mail was sent. */
export function asksWhenSent(question: string): boolean {
  return asksSent.test(question);
}

/** Whether a word of a question says that it is about a letter, and nothing of which one. */
export function isOfLetter(word: string): boolean {
  return ofLetter.test(word);
}
