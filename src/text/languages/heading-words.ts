/** Over lists of other works and pages. */
export const referenceHeading: RegExp =
  /^[\d.\s]*(?:references|bibliography|works cited|literature cited|further reading|external links|see also|sources|footnotes|notes and references|literatur|einzelnachweise|weblinks|referencias|bibliografía|enlaces externos|véase también|références|bibliographie|liens externes|voir aussi|bibliografia|note|collegamenti esterni|referências|литература|примечания|ссылки|参考文献|外部链接|参考资料|脚注|المراجع|مراجع|सन्दर्भ|संदर्भ)\s*$/iu;

/** A heading that only says which part of a description stands below it. */
export const partOfDescription: RegExp =
  /^(?:(?:rule|function|command|class|module|task) )?(?:about|(?:short |brief )?descriptions?|details|general|introduction|overview|purpose|summary|beschreibung|überblick|descripción|descrizione|descrição|описание)$/iu;

/** Of a word alone, `Split index` is not about the index; `The index file` and `Overview of the index` are. */
export const saysNothingElse: RegExp =
  /^(?:about|basics?|definitions?|descriptions?|general|introduction|overview|summary|using|usage|working|einführung|überblick|introducción|panoramica|aperçu|visão)$/u;

const kinds =
  '(?:alphabetical|author|command|concept|file|function|general|key(?:stroke|word)?|macro|module|name|option|package|parameter|program|subject|symbol|term|topic|type|variable|word)s?';

/** Over the entries of a table of contents, or over their numbers. */
export const contentsHeading: RegExp =
  /^\W*(?:table of contents|contents|pages?|inhalt(?:sverzeichnis|sübersicht)?|seiten?|table des matières|sommaire|índice(?: de contenidos)?|contenido|página|indice|sommario|pagina|sumário)\W*$/iu;

/** What the index of a book is called, not one of data or of prices: `Index`, `Chapter 64 - Option Index`. */
export const indexHeading: RegExp = new RegExp(
  [
    `^(?:[^\\n]{0,40}?[-–—:.\\d]\\s+)?(?:(?:\\p{L}+ )?(?:${kinds} and )?${kinds} )?index$`,
    `^(?:[^\\n]{0,40}?[-–—:.\\d]\\s+)?index of (?:\\p{L}+ ){0,3}${kinds}$`,
    '^(?:stichwort|sach)(?:verzeichnis|register)$|^index (?:alphabétique|général|des \\p{L}+)$',
    '^índice (?:alfabético|remissivo|analítico)$|^indice analitico$|^(?:алфавитный|предметный) указатель$|^索引$',
  ].join('|'),
  'iu',
);

/** A heading with the number of its chapter in front: `3 Releases`, `Kapitel 3. Versionen`. */
export const numberedChapter: RegExp =
  /^\W*(?:(?:chapter|section|part|kapitel|abschnitt|teil|chapitre|partie|capítulo|sección|parte|capitolo|sezione)\s+)?(?<number>\d+(?:\.\d+)*)[.:]?\s/iu;
