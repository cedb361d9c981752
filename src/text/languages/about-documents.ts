/** Questions for what a whole document is about, each with its name in `of`. */
const about: readonly RegExp[] = [
  /^\P{L}*what(?:['’]s| is| are| was| were) (?<of>[^?]{3,80}?) (?:all )?about\s*\?*$/iu,
  /^\P{L}*what (?:does|do) (?<of>[^?]{3,80}?) (?:say|cover|contain|deal with|describe|talk about)\s*\?*$/iu,
  /^\P{L}*(?:worum|um was) geht(?: es|['’]s) in (?<of>[^?]{3,80}?)\s*\?*$/iu,
  /^\P{L}*worum geht(?: es|['’]s) im (?<of>[^?]{3,80}?)\s*\?*$/iu,
  /^\P{L}*(?:wovon handel[tn]|was steht in|was steht im) (?<of>[^?]{3,80}?)\s*\?*$/iu,
  /^\P{L}*de quoi (?:parle(?:nt)?|traite(?:nt)?) (?<of>[^?]{3,80}?)\s*\?*$/iu,
  /^\P{L}*de quoi s['’]agit-il dans (?<of>[^?]{3,80}?)\s*\?*$/iu,
  /^\P{L}*(?:de|sobre) qué (?:trata[n]?|habla[n]?) (?<of>[^?]{3,80}?)\s*\?*$/iu,
];
/** Requests for a summary. */
const points: readonly RegExp[] = [
  /^\P{L}*(?:please )?(?:summari[sz]e|sum up|outline) (?<of>[^?]{3,80}?)(?: (?:for me|in short|briefly))?\s*[?.!]*$/iu,
  /^\P{L}*(?:(?:give|write|show)(?: me)? |i need |what(?:['’]s| is) )?(?:an?|the) (?:(?:short|brief|quick) )?(?:summary|overview|outline|gist) of (?<of>[^?]{3,80}?)\s*[?.!]*$/iu,
  /^\P{L}*what (?:are|were) the (?:main|key|most important|central) (?:points|topics|ideas|takeaways|messages|themes) (?:of|in|from) (?<of>[^?]{3,80}?)\s*\?*$/iu,
  /^\P{L}*(?:bitte )?fass(?:e|en sie)? (?<of>[^?]{3,80}?)(?: (?:bitte|kurz))? zusammen\s*[?.!]*$/iu,
  /^\P{L}*(?:gib mir |geben sie mir )?(?:einen|eine) (?:kurze[nr]? )?(?:überblick über|zusammenfassung (?:von|über|zu)) (?<of>[^?]{3,80}?)\s*[?.!]*$/iu,
  /^\P{L}*(?:résume[zr]?|résumer)(?:-moi)? (?<of>[^?]{3,80}?)\s*[?.!]*$/iu,
  /^\P{L}*quels sont les (?:points|thèmes|sujets) (?:principaux|essentiels|clés) (?:de|du|des|dans) (?<of>[^?]{3,80}?)\s*\?*$/iu,
  /^\P{L}*(?:resum(?:e|a|ir)|haz un resumen de) (?<of>[^?]{3,80}?)\s*[?.!]*$/iu,
  /^\P{L}*cuáles son los (?:puntos|temas) (?:principales|clave) (?:de|del|en) (?<of>[^?]{3,80}?)\s*\?*$/iu,
];

/** What a question asks of a whole document. */
export interface AboutAsked {
  /** What it calls the document: `the lease`. */
  readonly subject: string;
  /** It asks for the main points, not only for what it is about. */
  readonly asksPoints: boolean;
}

/** Whether a question asks what a document is about, or for its main points; undefined for others. English, German, French, Spanish. */
export function aboutAsked(question: string): AboutAsked | undefined {
  for (const [list, asksPoints] of [[points, true] as const, [about, false] as const])
    for (const pattern of list) {
      const subject = pattern.exec(question)?.groups?.of;
      if (subject !== undefined) return { subject, asksPoints };
    }
  return undefined;
}

/** What a document may be called that has no such word in its title. */
export const kindOfDocument: RegExp =
  /^(?:documents?|files?|papers?|notes?|pages?|letters?|e-?mails?|reports?|articles?|texts?|guides?|books?|chapters?|dokumente?s?|datei|texte?s?|berichte?s?|briefe?s?|seite|notiz|artikels?|fichiers?|rapports?|lettres?|pages?|articles?|documentos?|archivos?|informes?|cartas?|páginas?|artículos?|md|txt|pdf|docx?|html?)$/iu;

/** The heading of what sums a document up. */
export const summaryHeading: RegExp =
  /^\P{L}*(?:abstract|(?:executive |short )?summary|overview|in short|in brief|at a glance|tl;dr|key points|zusammenfassung|kurzfassung|überblick|auf einen blick|résumé|sommaire|aperçu|en bref|resumen|sumario|en breve)\P{L}*$/iu;

/** Begins a sentence that says what its document is: `This lease is made between …`. */
export const saysWhatItIs: RegExp =
  /^(?:this|the present|diese[rs]?|das vorliegende|der vorliegende|ce(?:t|tte)?|le présent|la présente|est[ea]|el presente|la presente) (?:\p{L}+ ){0,2}?(?:agreement|article|book|chapter|contract|document|guide|guideline|handbook|lease|letter|manual|memo|note|page|paper|policy|post|procedure|proposal|readme|report|review|section|specification|statement|study|tutorial|abkommen|anleitung|artikel|bericht|buch|dokument|handbuch|leitfaden|mietvertrag|richtlinie|schreiben|seite|studie|vereinbarung|vertrag|accord|bail|charte|contrat|convention|courrier|étude|guide|lettre|livre|manuel|rapport|règlement|acuerdo|artículo|carta|contrato|documento|estudio|guía|informe|manual|página|política)(?!\p{L})/iu;
/** Says in its first words what something is about: `The film is about a gardener`. */
export const saysAbout: RegExp =
  /^(?:\p{L}+ ){1,4}(?:(?:is|tells) about|deals with|tells the story of|handelt von|parle d|traite d|raconte|trata de|trata sobre|cuenta)/iu;
