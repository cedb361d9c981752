/** What a document says of itself in a line of its own: `Author: Ann Moor`, `Stand: 3. Mai 2024`. In English, German, French and Spanish. */
const fields = [
  'author|authors|written by|prepared by|compiled by|editor|edited by|date|dated|version|revision|status|licen[cs]e|copyright|from|to|cc|subject|re|owner|maintainer|contact|last updated|updated|last modified|published|created|effective|effective date|reviewed|approved by|tags|keywords|category|department|language|reference|ref',
  'autor(?:in|en)?|verfasst von|verfasser(?:in)?|erstellt von|datum|stand|fassung|lizenz|von|an|betreff|verantwortlich|ansprechpartner(?:in)?|zuletzt geändert|veröffentlicht|gültig ab|schlagwörter|abteilung|sprache|aktenzeichen',
  'auteure?s?|rédigé par|date|licence|de|à|objet|responsable|mis à jour(?: le)?|publié(?: le)?|mots[- ]clés|service|langue|référence',
  'autor(?:a|es)?|escrito por|fecha|versión|licencia|para|asunto|responsable|actualizado(?: el)?|publicado(?: el)?|etiquetas|departamento|idioma|referencia',
].join('|');

/** Such a line, which heads nothing. */
export const documentField: RegExp = new RegExp(`^[\\s*_>-]*(?:${fields})[*_]*[ \\t]*[:：][*_]*[ \\t]*\\S`, 'iu');

/** A line that names who wrote its document. */
export const authorField: RegExp =
  /^[\s*_>-]*(?:authors?|written by|prepared by|compiled by|autor(?:in|en|a|es)?|verfasst von|verfasser(?:in)?|erstellt von|auteure?s?|rédigé par|escrito por)[*_]*[ \t]*[:：]/iu;

const authorsOf: readonly RegExp[] = [
  /^\P{L}*who (?:wrote|drafted|authored|prepared|compiled) (?<of>[^?]{3,80}?)\s*\?*$/iu,
  /^\P{L}*who (?:is|are|was|were) the authors? of (?<of>[^?]{3,80}?)\s*\?*$/iu,
  /^\P{L}*wer hat (?<of>[^?]{3,80}?) (?:geschrieben|verfasst|erstellt)\s*\?*$/iu,
  /^\P{L}*qui (?:a écrit|a rédigé|est l['’]auteure? (?:de |du |des )?)(?<of>[^?]{3,80}?)\s*\?*$/iu,
  /^\P{L}*quién (?:escribió|redactó|es el autor de|es la autora de) (?<of>[^?]{3,80}?)\s*\?*$/iu,
];

/** What a question asks the author of: `the hiring policy`; undefined for other questions. */
export function writtenAsked(question: string): string | undefined {
  for (const pattern of authorsOf) {
    const of = pattern.exec(question)?.groups?.of;
    if (of !== undefined) return of;
  }
  return undefined;
}
