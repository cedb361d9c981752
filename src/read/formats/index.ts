import type { ParseContext, ParsedDocument, Parser } from '../contract.ts';
import type { Format } from '../detect.ts';

/** Decoded text → document, for formats that are text. */
export type TextParser = (source: string, context: ParseContext) => ParsedDocument | Promise<ParsedDocument>;

/** Loaded on first use, so that `--help` and a folder of Markdown pay for no PDF engine. */
export const textParsers: Partial<Record<Format, () => Promise<TextParser>>> = {
  text: async () => (await import('./text.ts')).parseText,
  markdown: async () => (await import('./markdown.ts')).parseMarkdown,
  html: async () => (await import('./html.ts')).parseHtml,
  csv: async () => (await import('./csv.ts')).parseCsv,
  json: async () => (await import('./json.ts')).parseJson,
  jsonl: async () => (await import('./json.ts')).parseJsonLines,
  code: async () => (await import('./code.ts')).parseCode,
  subtitles: async () => (await import('./subtitles.ts')).parseSubtitles,
  notebook: async () => (await import('./notebook.ts')).parseNotebook,
  rst: async () => (await import('./markup.ts')).parseRst,
  org: async () => (await import('./markup.ts')).parseOrg,
  asciidoc: async () => (await import('./markup.ts')).parseAsciidoc,
  tex: async () => (await import('./markup.ts')).parseTex,
  yaml: async () => (await import('./markup.ts')).parseYaml,
  xml: async () => (await import('./xml-document.ts')).parseXml,
};

/** Formats whose parser wants the bytes. */
export const byteParsers: Partial<Record<Format, () => Promise<Parser>>> = {
  pdf: async () => (await import('./pdf.ts')).parsePdf,
  doc: async () => (await import('./doc.ts')).parseDoc,
  docx: async () => (await import('./docx.ts')).parseDocx,
  pptx: async () => (await import('./pptx.ts')).parsePptx,
  xlsx: async () => (await import('./xlsx.ts')).parseXlsx,
  odt: async () => (await import('./odt.ts')).parseOdt,
  epub: async () => (await import('./epub.ts')).parseEpub,
  eml: async () => (await import('./mail.ts')).parseEml,
  mbox: async () => (await import('./mail.ts')).parseMbox,
  rtf: async () => (await import('./rtf.ts')).parseRtf,
};

/**
 * Formats whose parsers are ibid's own, linear and small: short files of these are read where the caller is,
 * because a message to another process would cost more than the work.
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
  'rst',
  'org',
  'asciidoc',
  'tex',
  'yaml',
  'xml',
]);
