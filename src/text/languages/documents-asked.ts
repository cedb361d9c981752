const general =
  'documents?|files?|papers?|pages?|notes?|texts?|dokumente?n?|dateien|datei|seiten?|notizen|fichiers?|documentos?|archivos?|ficheros?|páginas?';
const mails = '(?:e-?)?mails?|courriels?|correos?';
const special = `letters?|reports?|contracts?|articles?|minutes|invoices?|manuals?|memos?|briefe?n?|berichte?n?|verträgen?|vertrag|protokolle?n?|rechnung(?:en)?|lettres?|rapports?|contrats?|factures?|comptes rendus|cartas?|informes?|contratos?|facturas?|actas?|${mails}`;
const kinds = `${general}|${special}`;
const tell =
  'mentions?|talks? about|speaks? (?:of|about)|says? (?:something|anything) about|tells? (?:something )?about|describes?|discuss(?:es)?|covers?|deals? with|contains?|(?:is|are) about|refers? to|concerns?|explains?|erwähn(?:t|en)|beschreib(?:t|en)|behandel[tn]|enthält|enthalten|handel[tn] von|erklär(?:t|en)|mentionnent?|mentionne|parlent? d(?:e|es|u)|parle d(?:e|es|u)|décri(?:t|vent)|contien(?:t|nent)|traitent? d(?:e|es|u)|mencionan?|hablan? de|trata[n]? de|describen?|contienen?|explican?';
const told =
  'described|mentioned|explained|discussed|covered|documented|beschrieben|erwähnt|erklärt|behandelt|dokumentiert|décrite?s?|mentionnée?s?|expliquée?s?|descrit[oa]s?|mencionad[oa]s?|explicad[oa]s?';
const which = '(?:which|what|welche[rs]?|quel(?:le)?s?|qué)(?: of (?:the|my|our|these))?';
const inWhich = '(?:in|auf|dans|en|sur) (?:which|what|welche[mnr]|quel(?:le)?s?|qué)';
const word = '(?:the )?(?:words?|phrase|terms?) ';
const subject = '(?<subject>[^?]+?)';

const patternOf = (source: string): RegExp => new RegExp(`^\\P{L}*${source}\\s*[?.]*$`, 'iu');

/** Each has the kind of document in `kind`, and what is looked for in `subject`. */
const bySubject: readonly RegExp[] = [
  // `Which documents mention the deposit?`
  `${which} (?<kind>${kinds}) (?:${tell}) (?:${word})?${subject}`,
  // `Which documents do we have about the deposit?`
  `${which} (?<kind>${kinds}) (?:do (?:we|you|I) have|are there|gibt es|haben wir|y a-t-il|avons-nous|hay|tenemos) (?:about|on|über|zum?|zur|sur|sobre) ${subject}`,
  // `List all documents that mention the deposit.`
  `(?:please )?(?:list|show|find|give|name)(?: me)?(?: all| every| any)?(?: of)?(?: the| my| our)? (?<kind>${kinds}) (?:(?:that|which) (?:${tell})|mentioning|containing|about) (?:${word})?${subject}`,
  // `Are there any documents about the deposit?`, `Do any documents mention the deposit?`
  `(?:is|are) there (?:any |an? |some )?(?<kind>${kinds}) (?:(?:that|which) (?:${tell})|mentioning|about) ${subject}`,
  `do(?:es)? any(?: of)?(?: the| my| our)? (?<kind>${kinds}) (?:${tell}) (?:${word})?${subject}`,
  // `In which file is the parking described?`, `Where is the parking described?`
  `(?:${inWhich} (?<kind>${kinds})|where|wo|où|dónde) (?:is|are|was|were|do you find|do I find|can I find|ist|sind|wird|werden|est|sont|está|están) ${subject} (?:${told})`,
  // the subject behind the verb: `En qué documento se menciona el motor`
  `(?:${inWhich} (?<kind>${kinds})|où|dónde) (?:(?:est|sont) (?:${told})|est-il question d(?:e|es|u)|parle-t-on d(?:e|es|u)|se (?:mencionan?|describen?|explican?|habla de[l]?)|steht (?:et)?was (?:über|zum?|zur)|geht es um) ${subject}`,
].map(patternOf);
/** The same, with the name of an author in `subject`. */
const byAuthor: readonly RegExp[] = [
  `${which} (?<kind>${kinds}) (?:(?:is|are|was|were|come|comes|came) (?:from|(?:written|sent|signed) by)|(?:ist|sind|stammt|stammen|kommt|kommen) von|(?:est|sont|viennent) de|(?:es|son) de) ${subject}`,
  `${which} (?<kind>${kinds}) (?:did|has|have|hat) ${subject} (?:write|written|sent|send|geschrieben|geschickt|gesendet)`,
].map(patternOf);

/** Ends of the words for several. */
const several = /s$|^(?:dokumente|dateien|notizen|seiten|briefe|berichte|verträge|protokolle|rechnungen)n?$/iu;
const mail: RegExp = new RegExp(`^(?:${mails})$`, 'iu');
const anyKind: RegExp = new RegExp(`^(?:${general})$`, 'iu');
/** Before a name. */
const address =
  /^(?:mrs?|ms|miss|dr|prof(?:essor)?|herrn?|frau|m|mme|madame|monsieur|señora?|sra?|don|doña)\.? (?=\p{Lu})/iu;

/** What a question looks for documents by. */
export interface DocumentsAsked {
  /** `the deposit` in `Which documents mention the deposit?` */
  readonly subject: string;
  /** It asks for all of them, not for one. */
  readonly isForAll: boolean;
  /** `letters`; undefined where any document is meant. */
  readonly kind: string | undefined;
  readonly isMail: boolean;
  /** The subject is who wrote them. */
  readonly isByAuthor: boolean;
}

/** Whether a question asks in which documents something stands, or whose they are, in English, German, French and Spanish. */
export function documentsAsked(question: string): DocumentsAsked | undefined {
  return askedBy(question, bySubject, false) ?? askedBy(question, byAuthor, true);
}

function askedBy(question: string, patterns: readonly RegExp[], isByAuthor: boolean): DocumentsAsked | undefined {
  for (const pattern of patterns) {
    const groups = pattern.exec(question)?.groups;
    if (groups === undefined) continue;
    const { kind, subject: named } = groups;
    return {
      subject: isByAuthor ? named!.replace(address, '') : named!,
      isForAll: kind !== undefined && several.test(kind),
      kind: kind === undefined || anyKind.test(kind) ? undefined : kind,
      isMail: kind !== undefined && mail.test(kind),
      isByAuthor,
    };
  }
  return undefined;
}
