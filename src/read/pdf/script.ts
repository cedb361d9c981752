import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The file of the pdf.js that reads PDFs: one module without imports, which draws pages in a browser too. */
export function pdfScript(): string {
  return join(dirname(createRequire(import.meta.url).resolve('unpdf')), 'pdfjs.mjs');
}
