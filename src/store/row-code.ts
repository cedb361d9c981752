import type { Locator, Metadata, StoredChunk } from '../core/types.ts';

/** A chunk without the names of its fields. */
export function encodeRow({ span, ...rest }: StoredChunk): string {
  const { uri, title, format, metadata, position, text, headings, tokens, locators, context, firstLine } = rest;
  const { start, end } = span;
  return JSON.stringify([
    uri,
    title,
    format,
    metadata,
    position,
    start,
    end,
    text,
    headings,
    tokens,
    locators,
    context,
    firstLine,
  ]);
}

/** @param bytes as `encodeRow` wrote them */
export function decodeRow(bytes: Buffer): StoredChunk {
  const fields = JSON.parse(bytes.toString()) as EncodedRow;
  const [uri, title, format, metadata, position, start, end, text, headings, tokens, locators, context, firstLine] =
    fields;
  return {
    ...{ uri, title, format, metadata, position, span: { start, end }, text, headings, tokens, locators },
    ...(context !== null && { context }),
    ...(firstLine !== null && { firstLine }),
  };
}

type EncodedRow = [
  ...[uri: string, title: string, format: string, metadata: Metadata],
  ...[position: number, start: number, end: number, text: string, headings: string[], tokens: number],
  ...[locators: Locator[], context: string | null, firstLine: number | null],
];
