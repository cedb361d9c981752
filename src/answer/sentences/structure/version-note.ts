/** `3.1`, `v2.0.1` */
const dotted = /(?<![\p{L}\p{N}.])v?\d+(?:\.\d+)+(?![\p{L}\p{N}])/iu;
/** `Changed in version 3.7: `, at the beginning of a paragraph. */
const noteOfVersion =
  /^[\s*_>]*((?:new|added|changed|deprecated|removed)[*_]*\s+(?:in|since)\s+(?:\p{L}+\s+)?v?\d+(?:\.\d+)*)[*_]*\s*[:：]/iu;

/** A section number stands before words: `2.1. Processing order`. */
const sectionNumber = /^\s*\d+(?:\.\d+)*\.?\s+\p{L}/u;
const beside =
  /\d{4}-\d\d-\d\d|\d+(?:\.\d+)+(?:-[\p{L}\p{N}.]+)?|https?:\S+|\b(?:v|versions?|releases?|notes|changes? in|what['’]s new in|unreleased|january|february|march|april|may|june|july|august|september|october|november|december)\b|(?<!\p{L})(?:released|published|erschienen|veröffentlicht|publiée?|publicad[oa]|on|am|vom|le|du|el|del?|januar|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)(?!\p{L})/giu;
const mostLetters = 12;

/** The heading of a version over a sentence, as change logs have it: `2.3.0`, `## [2.3.0] - 2024-12-03`, `v2.3`. */
export function versionHeading(headings: readonly string[]): string | undefined {
  return headings.findLast((heading) => {
    if (!dotted.test(heading) || sectionNumber.test(heading)) return false;
    return (heading.replace(beside, '').match(/\p{L}/gu) ?? []).length <= mostLetters;
  });
}

/** Whether a line begins with a note on a version, and so is no heading, though no mark ends it. */
export function isVersionNote(line: string): boolean {
  return noteOfVersion.test(line);
}

/** The note that a sentence goes on with, behind its first one: `Changed in version 3.7` */
export function noteBefore(before: string): string | undefined {
  return noteOfVersion.exec(before.split(/\n\s*\n/).at(-1)!)?.[1]?.replace(/[*_]+/g, '');
}
