import type { Document, Span } from '../core/types.ts';
import type { QualityChunk } from './quality-index.ts';

/**
 * A heading with what stands below it up to the next heading of any level; the text before the first heading has none.
 */
export interface Section {
  readonly uri: string;
  /** The document's. */
  readonly title: string;
  /** '' without one. */
  readonly heading: string;
  /** The span of the heading's own text, in a document that has just been read. */
  readonly headingSpan?: Span;
  /** Of `text` in the document. */
  readonly start: number;
  readonly text: string;
}

export function sectionsOf({ uri, title, text, blocks }: Document): Section[] {
  const headings = blocks.filter(({ kind }) => kind === 'heading');
  const sections: Section[] = [];
  const push = (heading: (typeof blocks)[number] | undefined, start: number, end: number): void => {
    const label = heading && (heading.label ?? text.slice(heading.start, heading.end)).trim();
    const from = start + (/^\s*/.exec(text.slice(start, end))?.[0].length ?? 0);
    const body = text.slice(from, end).trimEnd();
    sections.push({
      uri,
      title,
      heading: label ?? '',
      ...(heading && { headingSpan: { start: heading.start, end: heading.end } }),
      start: from,
      text: body,
    });
  };
  const [first] = headings;
  if (first === undefined || first.start > 0) push(undefined, 0, first?.start ?? text.length);
  for (const [i, heading] of headings.entries()) push(heading, heading.end, headings[i + 1]?.start ?? text.length);
  return sections.filter((section) => section.text !== '');
}

/** The same from an index's chunks, in document and position order: as far as their headings tell. */
export async function* sectionsOfChunks(chunks: AsyncIterable<QualityChunk>): AsyncGenerator<Section, void, undefined> {
  let open: Section | undefined;
  let path = '';
  for await (const { uri, title, heading = '', span, text } of chunks) {
    if (open && open.uri === uri && path === heading && open.start + open.text.length === span.start) {
      open = { ...open, text: open.text + text };
      continue;
    }
    if (open) yield open;
    path = heading;
    open = { uri, title, heading: heading.split(' › ').at(-1) ?? '', start: span.start, text };
  }
  if (open) yield open;
}

/** The document as if it had never had these headings: blanks stand in their place, so that every offset stays. */
export function withoutHeadings(document: Document, spans: readonly Span[]): Document {
  if (spans.length === 0) return document;
  const taken = new Set(spans.map(({ start }) => start));
  let text = document.text;
  for (const { start, end } of spans) {
    text = text.slice(0, start) + text.slice(start, end).replace(/[^\n]/g, ' ') + text.slice(end);
  }
  return {
    ...document,
    text,
    blocks: document.blocks.filter(({ kind, start }) => kind !== 'heading' || !taken.has(start)),
  };
}
