import { expect } from 'vitest';
import type { ParseContext, ParsedDocument } from '../../src/read/contract.ts';
import { parsePdf } from '../../src/read/pdf/pdf.ts';
import { context, makePdf, offsetFaults } from '../unit/read/formats-make.ts';

/** Two columns of prose, a line of the page each. */
export const LEFT: readonly string[] = [
  'The keeper of the lighthouse wrote down every',
  'ship that passed the rocks before the storm and',
  'the time at which its lamp was seen from the',
  'gallery above the lantern room of the tower.',
];
export const RIGHT: readonly string[] = [
  'Years later the books were found in a chest that',
  'nobody had opened since the station was closed',
  'and the names of forty ships thought lost were',
  'read aloud in the harbour town on a Sunday.',
];

/** Makes a PDF and reads it; the offsets of the document are sound. */
export async function readPdf(
  parts: Parameters<typeof makePdf>[0],
  limits: Partial<ParseContext> = {},
): Promise<ParsedDocument> {
  const document = await parsePdf(makePdf(parts), context('file.pdf', limits));
  expect(offsetFaults(document)).toEqual([]);
  return document;
}
