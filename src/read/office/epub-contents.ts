/** The contents of a book say how its sections nest, which headings in files of their own often do not. */
import type { Block } from '../../core/types.ts';
import { oneLine } from '../../text/one-line.ts';
import type { ParsedDocument } from '../contract.ts';
import { attribute, readXml } from '../markup/xml.ts';
import type { ZipArchive } from '../zip.ts';
import { resolvePart } from './ooxml.ts';

interface Entry {
  readonly part: string;
  readonly label: string;
  /** From 1. */
  readonly depth: number;
}

/** Name of a part → its sections by their labels, with the level of each. */
export type Contents = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** @param part of the navigation (`nav.xhtml`, `toc.ncx`) */
export function readContents(zip: Pick<ZipArchive, 'read'>, part: string): Contents {
  const entries: Entry[] = [];
  let depth = 0;
  let navigation = false;
  let href: string | undefined;
  let label = '';
  let isLabel = false;
  const add = (): void => {
    if (href !== undefined && label.trim() !== '' && depth > 0)
      entries.push({ part: resolvePart(part, partOf(href)), label: comparable(label), depth });
    href = undefined;
  };
  const bytes = zip.read(part) ?? new Uint8Array(0);
  // Damage is no loss: the text is in the chapters.
  readXml(bytes, {
    open(name, attributes) {
      if (name === 'navPoint' || (name === 'ol' && navigation)) depth++;
      if (name === 'nav') navigation = /(?:^|\s)toc(?:\s|$)/.test(attribute(attributes, 'type') ?? '');
      if (name === 'navLabel' || (name === 'a' && navigation)) {
        label = '';
        isLabel = true;
        href = name === 'a' ? attribute(attributes, 'href') : undefined;
      }
      if (name === 'content') {
        href = attribute(attributes, 'src');
        add();
      }
    },
    text(text) {
      if (isLabel) label += text;
    },
    close(name) {
      if (name === 'navPoint' || (name === 'ol' && navigation)) depth--;
      if (name === 'nav') navigation = false;
      if (name === 'navLabel' || name === 'a') isLabel = false;
      if (name === 'a' && navigation) add();
    },
  });
  // Where one entry, the book, holds all others, they begin at the first level.
  const above = entries.filter((entry) => entry.depth === 1).length === 1 && entries.length > 1 ? 1 : 0;
  const contents = new Map<string, Map<string, number>>();
  for (const entry of entries) {
    const sections = contents.get(entry.part) ?? new Map<string, number>();
    contents.set(entry.part, sections);
    if (!sections.has(entry.label)) sections.set(entry.label, Math.max(1, entry.depth - above));
  }
  return contents;
}

function partOf(href: string): string {
  const path = href.split('#', 1)[0] ?? '';
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function comparable(label: string): string {
  return oneLine(label).toLowerCase();
}

/** A chapter whose headings have at least the depth that the contents give them, and those below them with them. */
export function nested(chapter: ParsedDocument, sections: ReadonlyMap<string, number> | undefined): ParsedDocument {
  if (sections === undefined) return chapter;
  let shift = 0;
  const blocks = chapter.blocks.map((block): Block => {
    if (block.kind !== 'heading' || block.level === undefined) return block;
    const level = levelOf(comparable(block.label ?? ''), sections);
    if (level !== undefined) shift = Math.max(0, level - block.level);
    return shift === 0 ? block : { ...block, level: Math.min(6, block.level + shift) };
  });
  return { ...chapter, blocks };
}

/** Contents leave out the word before a number: `Chapter 4. Cranes` is `4. Cranes` there. */
function levelOf(label: string, sections: ReadonlyMap<string, number>): number | undefined {
  return sections.get(label) ?? sections.get(label.replace(/^\p{L}+\s+(?=[\divxlc]+\b)/u, ''));
}
