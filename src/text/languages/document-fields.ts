/** What a document says of itself in a line of its own: `Author: Ann Moor`, `Stand: 3. Mai 2024`. In English, German, French and Spanish. */
const fields = [
  'author|authors|written by|prepared by|compiled by|editor|edited by|date|dated|version|revision|status|licen[cs]e|copyright|from|to|cc|subject|re|owner|maintainer|contact|last updated|updated|last modified|published|created|effective|effective date|reviewed|approved by|tags|keywords|category|department|language|reference|ref',
  'autor(?:in|en)?|verfasst von|verfasser(?:in)?|erstellt von|datum|stand|fassung|lizenz|von|an|betreff|verantwortlich|ansprechpartner(?:in)?|zuletzt geändert|veröffentlicht|gültig ab|schlagwörter|abteilung|sprache|aktenzeichen',
  'auteure?s?|rédigé par|date|licence|de|à|objet|responsable|mis à jour(?: le)?|publié(?: le)?|mots[- ]clés|service|langue|référence',
  'autor(?:a|es)?|escrito por|fecha|versión|licencia|para|asunto|responsable|actualizado(?: el)?|publicado(?: el)?|etiquetas|departamento|idioma|referencia',
].join('|');

/** Such a line, which heads nothing. */
export const documentField: RegExp = new RegExp(`^[\\s*_>-]*(?:${fields})[*_]*[ \\t]*[:：][*_]*[ \\t]*\\S`, 'iu');
