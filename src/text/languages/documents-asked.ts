const kinds =
  'documents?|files?|papers?|notes?|pages?|letters?|e-?mails?|reports?|contracts?|articles?|dokumente?n?|dateien?|datei|notizen?|seiten?|briefe?n?|berichte?n?|verträgen?|fichiers?|pages?|notes?|lettres?|courriels?|rapports?|contrats?|documentos?|archivos?|ficheros?|páginas?|cartas?|correos?|informes?|contratos?';
const tell =
  'mentions?|talks? about|speaks? (?:of|about)|says? (?:something|anything) about|tells? (?:something )?about|describes?|discuss(?:es)?|covers?|deals? with|contains?|(?:is|are) about|refers? to|concerns?|explains?|erwähn(?:t|en)|beschreib(?:t|en)|behandel[tn]|enthält|enthalten|handel[tn] von|erklär(?:t|en)|mentionnent?|mentionne|parlent? d(?:e|es|u)|parle d(?:e|es|u)|décri(?:t|vent)|contien(?:t|nent)|traitent? d(?:e|es|u)|mencionan?|hablan? de|trata[n]? de|describen?|contienen?|explican?';
const told =
  'described|mentioned|explained|discussed|covered|documented|beschrieben|erwähnt|erklärt|behandelt|dokumentiert|décrite?s?|mentionnée?s?|expliquée?s?|descrit[oa]s?|mencionad[oa]s?|explicad[oa]s?';

/** `Which documents mention the deposit?` */
const whichTell: RegExp = new RegExp(
  `^\\P{L}*(?:which|what|welche[rs]?|quel(?:le)?s?|qué)(?: of (?:the|my|our|these))? (?<kind>${kinds}) (?:${tell}) (?<subject>[^?]+?)\\s*[?.]*$`,
  'iu',
);
/** `In which file is the parking described?`, `Where is the parking described?` */
const whereTold: RegExp = new RegExp(
  `^\\P{L}*(?:(?:in|auf|dans|en) (?:which|what|welche[mnr]|quel(?:le)?s?|qué) (?<kind>${kinds})|where|wo|où|dónde) (?:is|are|was|were|do you find|do I find|can I find|ist|sind|wird|werden|est|sont|está|están) (?<subject>[^?]+?) (?:${told})\\s*[?.]*$`,
  'iu',
);
/** Ends of the words for one document. */
const several = /s$|^(?:dokumente|dateien|notizen|seiten|briefe|berichte|verträge)n?$/iu;

/** What a question looks for documents by. */
export interface DocumentsAsked {
  /** `the deposit` in `Which documents mention the deposit?` */
  readonly subject: string;
  /** It asks for all of them, not for one. */
  readonly isForAll: boolean;
}

/** Whether a question asks in which documents something stands, in English, German, French and Spanish; undefined for others. */
export function documentsAsked(question: string): DocumentsAsked | undefined {
  const found = whichTell.exec(question) ?? whereTold.exec(question);
  if (found === null) return undefined;
  const { kind, subject } = found.groups!;
  return { subject: subject!, isForAll: kind !== undefined && several.test(kind) };
}
