import type { Parser } from '../contract.ts';

/** Every format ibid reads, and how its parser is loaded: on first use, so that plain text pays for no PDF engine. */
export const parsers: Readonly<Record<string, () => Promise<Parser>>> = {
  pdf: async () => (await import('./pdf.ts')).parsePdf,
  docx: async () => (await import('./docx.ts')).parseDocx,
  pptx: async () => (await import('./pptx.ts')).parsePptx,
  xlsx: async () => (await import('./xlsx.ts')).parseXlsx,
  odt: async () => (await import('./odt.ts')).parseOdt,
  epub: async () => (await import('./epub.ts')).parseEpub,
};
