/** Notices of a page about itself, above and below its text, in English, German, French, Spanish and Italian. */
export const pageNotice: RegExp = new RegExp(
  [
    /^\W*this (?:is an old (?:revision|version) of|(?:page|article) (?:was last (?:edited|modified|changed|updated)|is about|needs)|section (?:needs|does not cite))\b/,
    /\bmay differ (?:significantly )?from the (?:current|latest) (?:revision|version)\b/,
    /^\W*(?:from wikipedia, the free encyclop(?:a?e)dia|jump to (?:navigation|search|content)|for other uses, see|not to be confused with|last (?:updated|modified|edited)\b|all rights reserved|copyright ©)/,
    /\bredirects here\b/,
    /^\W*(?:dies ist eine alte version dieser seite|diese seite wurde zuletzt|zur navigation springen)\b/,
    /^\W*(?:ceci est une ancienne version de cette page|(?:la dernière modification de )?cette page a été (?:modifiée|faite))/,
    /^\W*(?:esta es una versión antigua de esta página|esta página se editó por última vez)\b/,
    /^\W*questa pagina è stata modificata\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'iu',
);

/** Questions about the page itself: its notices answer them. */
export const asksForPage: RegExp =
  /\b(?:pages?|articles?|revisions?|versions?|edited|updated|modified|copyright|rights|licen[cs]ed?|seite|página|pagina)\b/iu;

/** `On 12 Oct 2025, Ann Moor wrote:` over an earlier message, with or without the words that follow. */
export const attribution: RegExp =
  /^[\s>]*(?:(?:on|am|le|el|il|em|op)\s[^\n]{6,120}?(?:wrote|schrieb[^\n:]*|a écrit|escribió|ha scritto|escreveu)\s?:|-{2,} ?(?:original message|forwarded message|ursprüngliche nachricht|message d['’]origine|mensaje original))/iu;

/** Asks for what the head of a mail has. */
export const asksForSender: RegExp = /\b(?:address|contact|reach|adresse|kontakt|contacter|dirección|indirizzo)\b/iu;

/** Says where more is told, and tells nothing itself, in English, German, French, Spanish and Italian. */
export const sendsElsewhere: RegExp =
  /^\W*(?:to (?:find out|learn|know|read) more\b|for (?:(?:some|any|much) )?(?:more|further|additional|detailed|complete) (?:information|details|help|instructions)\b|(?:more|further|additional) (?:information|details|instructions)\b|(?:you|one) can (?:learn|find out|read) more\b|(?:please )?(?:see|refer to|consult) (?:also )?(?:the )?(?:section|chapter|appendix|page|manual|documentation)\b|(?:weitere|nähere|mehr) (?:informationen|einzelheiten|angaben)\b|pour (?:plus|davantage) d|(?:para|per) (?:más|maggiori|ulteriori) inform)/iu;

/** What a figure, a table or a formula is called, and nothing else: `Equation 12.1.`, `Abbildung 3`. */
export const captionNumber: RegExp =
  /^\W*(?:eq|equation|fig|figure|table|listing|example|plate|scheme|abb|abbildung|tab|tabelle|gleichung|beispiel|équation|tableau|exemple|ecuación|figura|tabla|cuadro|ejemplo|equazione|tabella|esempio|equação|tabela|exemplo|vergelijking|afbeelding|tabel|voorbeeld)\.?\s+(?:\p{L}{1,2}[.-]?)?\p{N}+(?:[.-]\p{N}+)*\W*$/iu;
