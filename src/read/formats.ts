import type { ParseContext, ParsedDocument, Parser } from './contract.ts';
import type { Format } from './names.ts';

/** Decoded text → document, for formats that are text. */
export type TextParser = (source: string, context: ParseContext) => ParsedDocument | Promise<ParsedDocument>;

/** Loaded on first use, so that `--help` or a folder of Markdown loads no PDF engine. */
export const textParsers: Partial<Record<Format, () => Promise<TextParser>>> = {
  text: async () => (await import('./text/text.ts')).parseText,
  markdown: async () => (await import('./markup/markdown.ts')).parseMarkdown,
  html: async () => (await import('./markup/html-file.ts')).parseHtmlFile,
  csv: async () => (await import('./data/csv.ts')).parseCsv,
  json: async () => (await import('./data/json.ts')).parseJson,
  jsonl: async () => (await import('./data/json.ts')).parseJsonLines,
  code: async () => (await import('./code/code.ts')).parseCode,
  subtitles: async () => (await import('./captions/subtitles.ts')).parseSubtitles,
  canvas: async () => (await import('./data/canvas.ts')).parseCanvas,
  notebook: async () => (await import('./data/notebook.ts')).parseNotebook,
  rst: async () => (await import('./markup/markup.ts')).parseRst,
  org: async () => (await import('./markup/org.ts')).parseOrg,
  asciidoc: async () => (await import('./markup/markup.ts')).parseAsciidoc,
  ics: async () => (await import('./records/calendar.ts')).parseCalendar,
  vcf: async () => (await import('./records/contacts.ts')).parseContacts,
  bib: async () => (await import('./records/bibliography.ts')).parseBibliography,
  po: async () => (await import('./records/translations.ts')).parsePo,
  man: async () => (await import('./markup/manual.ts')).parseManual,
  tex: async () => (await import('./markup/tex.ts')).parseTex,
  yaml: async () => (await import('./markup/markup.ts')).parseYaml,
  xml: async () => (await import('./markup/xml-document.ts')).parseXml,
};

/** Formats whose parser reads bytes. */
export const byteParsers: Partial<Record<Format, () => Promise<Parser>>> = {
  pdf: async () => (await import('./pdf/pdf.ts')).parsePdf,
  doc: async () => (await import('./office/doc.ts')).parseDoc,
  docx: async () => (await import('./office/docx.ts')).parseDocx,
  pptx: async () => (await import('./office/pptx.ts')).parsePptx,
  xlsx: async () => (await import('./office/xlsx.ts')).parseXlsx,
  odt: async () => (await import('./office/odt.ts')).parseOdt,
  ods: async () => (await import('./office/ods.ts')).parseOds,
  odp: async () => (await import('./office/odp.ts')).parseOdp,
  epub: async () => (await import('./office/epub.ts')).parseEpub,
  eml: async () => (await import('./mail/mail.ts')).parseEml,
  mbox: async () => (await import('./mail/mail.ts')).parseMbox,
  rtf: async () => (await import('./office/rtf.ts')).parseRtf,
  xls: async () => (await import('./office/xls.ts')).parseXls,
  ppt: async () => (await import('./office/ppt.ts')).parsePpt,
  msg: async () => (await import('./mail/outlook.ts')).parseOutlook,
  sqlite: async () => (await import('./data/sqlite.ts')).parseSqlite,
  parquet: async () => (await import('./data/parquet.ts')).parseParquet,
  arrow: async () => (await import('./data/arrow.ts')).parseArrow,
  archive: async () => (await import('./archive/archive.ts')).parseArchive,
  image: async () => (await import('./image/image.ts')).parseImage,
  recording: async () => (await import('./recording/recording.ts')).parseRecording,
};

/**
 * Formats with a small, linear parser of ibid's own. Short files of these are read in the caller's process, because a
 * message to another process costs more than the work.
 */
export const lightFormats: ReadonlySet<Format> = new Set([
  'text',
  'markdown',
  'html',
  'csv',
  'json',
  'jsonl',
  'code',
  'subtitles',
  'notebook',
  'canvas',
  'rst',
  'org',
  'asciidoc',
  'man',
  'tex',
  'ics',
  'vcf',
  'bib',
  'po',
  'yaml',
  'xml',
]);
