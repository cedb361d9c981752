/** What must hold for every document that a reader gives, and for every error. */
import { chunkDocument, type Document, IbidError } from '../../../src/index.ts';

/** What is wrong with a document; empty when all holds. */
export function faultsOf(document: Document): string[] {
  const faults: string[] = [];
  const { text, title, blocks, locators, metadata } = document;
  if (text.trim() === '') faults.push('no text');
  if (!text.isWellFormed() || !title.isWellFormed()) faults.push('a lone surrogate');
  if (/[\r\0]/.test(text)) faults.push('a carriage return or NUL');
  if (title.length > 500) faults.push(`a title of ${title.length} characters`);
  for (const [what, spans] of [
    ['block', blocks],
    ['locator', locators],
  ] as const) {
    let end = 0;
    for (const span of spans) {
      if (span.start < end || span.end <= span.start || span.end > text.length) {
        faults.push(`${what} ${span.start}-${span.end} after ${end} of ${text.length}`);
        break;
      }
      end = span.end;
    }
  }
  for (const value of Object.values(metadata)) {
    if (value !== null && !['string', 'number', 'boolean'].includes(typeof value))
      faults.push('metadata that is no scalar');
    if (typeof value === 'string' && !value.isWellFormed()) faults.push('a lone surrogate in metadata');
  }
  const chunks = chunkDocument(document);
  if (chunks.map((chunk) => chunk.text).join('') !== text) faults.push('the chunks do not join to the text');
  for (const { span, text: own, locators: places, tokens } of chunks) {
    if (text.slice(span.start, span.end) !== own || !(tokens > 0)) faults.push(`chunk ${span.start}-${span.end}`);
    if (places.some(({ start, end }) => start < span.start || end > span.end))
      faults.push(`places of chunk ${span.start}`);
  }
  return faults.slice(0, 5);
}

/** Undefined for an error that a file may have. */
export function faultOfError(error: unknown): string | undefined {
  if (!(error instanceof IbidError)) return `no error of ibid: ${String(error)}`;
  return error.code.startsWith('FILE_') ? undefined : `${error.code}: ${error.message}`;
}
