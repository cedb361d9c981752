/** EPUB: the chapters of the spine in order, then pages that only links lead to, each read as HTML; `part` is the chapter's title, else its file name. */

import { IbidError } from '../../core/errors.ts';
import { oneLine } from '../../text/one-line.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { type InnerPicture, includePictures, isOfPictures, withoutText } from '../image/inside.ts';
import { attribute } from '../markup/xml.ts';
import type { ZipArchive } from '../zip.ts';
import { type Contents, nested, readContents } from './epub-contents.ts';
import { openPackage, readPart, resolvePart } from './ooxml.ts';

const HINT = 'Open it in a reader and export it again.';

/** @throws IbidError FILE_ENCRYPTED (copy protection), FILE_DAMAGED, FILE_EMPTY, FILE_TOO_LARGE */
export async function parseEpub(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const builder = new DocumentBuilder('epub', context);
  const zip = openPackage(bytes, context, builder);
  const book = readBook(zip, builder);
  refuseProtected(zip, builder, book.chapters);
  const failures: IbidError[] = [];
  for (const chapter of book.chapters) {
    const data = zip.read(chapter);
    if (!data) {
      builder.warn('CHAPTER_MISSING', `${chapter} is not in the file`);
      continue;
    }
    try {
      const name = chapter.split('/').at(-1) ?? chapter;
      const inner = await context.parseInner(name, data, { isWhole: true });
      if (inner.text.trim() !== '')
        builder.include(nested(inner, book.contents.get(chapter)), { part: inner.title === '' ? name : inner.title });
    } catch (error) {
      if (!(error instanceof IbidError)) throw error;
      if (error.code === 'FILE_EMPTY') continue; // a cover with pictures only
      failures.push(error);
      builder.warn('CHAPTER_UNREADABLE', `${chapter}: ${error.message}`);
    }
  }
  let waits = false;
  if (isOfPictures(builder.length, book.pictures)) {
    const pictures = picturesOf(zip, book, new DocumentBuilder('epub', context));
    waits = await includePictures(pictures, builder.length, builder, context);
  }
  if (builder.length === 0) throw failures[0] ?? withoutText('the book', waits);
  builder.title = book.title;
  if (book.author !== '') builder.metadata.author = book.author;
  if (book.language !== '') builder.metadata.language = book.language;
  return builder.build();
}

/** What the chapters show, in their order. @param unsaid gets what is wrong with chapters, which is said already */
function* picturesOf(zip: ZipArchive, { chapters }: Book, unsaid: DocumentBuilder): Generator<InnerPicture> {
  const parts = new Set<string>();
  for (const chapter of chapters)
    readPart(zip, chapter, unsaid, {
      open(name, attributes) {
        const link = name === 'img' ? 'src' : name === 'image' ? 'href' : undefined;
        const shown = link === undefined ? undefined : attribute(attributes, link);
        if (shown !== undefined) parts.add(resolvePart(chapter, decode(shown)));
      },
    });
  for (const part of parts) {
    const bytes = zip.read(part);
    if (bytes) yield { name: part.split('/').at(-1)!, bytes };
  }
}

interface Book {
  readonly title: string;
  readonly author: string;
  readonly language: string;
  /** Part names in reading order. */
  readonly chapters: readonly string[];
  readonly pictures: number;
  readonly contents: Contents;
}

function readBook(zip: ZipArchive, builder: DocumentBuilder): Book {
  let opf = '';
  readPart(zip, 'META-INF/container.xml', builder, {
    open(name, attributes) {
      if (name === 'rootfile' && opf === '') opf = attribute(attributes, 'full-path') ?? '';
    },
  });
  if (!zip.has(opf)) opf = zip.entries.find((entry) => entry.name.endsWith('.opf'))?.name ?? '';
  if (opf === '') throw new IbidError('FILE_DAMAGED', 'the book has no package document', { hint: HINT });
  const manifest = new Map<string, string>();
  const listed = new Set<string>();
  const spine: string[] = [];
  const pages: string[] = [];
  let pictures = 0;
  let navigation = '';
  const values = new Map<string, string>();
  let field = '';
  readPart(zip, opf, builder, {
    open(name, attributes) {
      field = name;
      // A book may have several authors and languages, and a title of two parts.
      const before = values.get(name)?.trim();
      if (before) values.set(name, `${before}${name === 'title' ? ': ' : ', '}`);
      if (name === 'item') {
        listed.add(attribute(attributes, 'id') ?? '');
        const type = attribute(attributes, 'media-type') ?? '';
        const properties = attribute(attributes, 'properties') ?? '';
        const isNavigation = /\bnav\b/u.test(properties);
        if (isNavigation || (/dtbncx/u.test(type) && navigation === ''))
          navigation = resolvePart(opf, decode(attribute(attributes, 'href') ?? ''));
        if (type.startsWith('image/')) pictures++;
        // The navigation document only repeats headings.
        if (/html|xml/u.test(type) && !isNavigation) {
          const part = resolvePart(opf, decode(attribute(attributes, 'href') ?? ''));
          manifest.set(attribute(attributes, 'id') ?? '', part);
          if (/html/u.test(type)) pages.push(part);
        }
      } else if (name === 'itemref') {
        const id = attribute(attributes, 'idref') ?? '';
        const part = manifest.get(id);
        if (part !== undefined) spine.push(part);
        else if (!listed.has(id)) builder.warn('CHAPTER_MISSING', `the book names "${id}" and lists no such part`);
      }
    },
    text(text) {
      if (field === 'title' || field === 'creator' || field === 'language') {
        values.set(field, `${values.get(field) ?? ''}${text}`);
      }
    },
    close() {
      field = '';
    },
  });
  const value = (name: string): string => oneLine(values.get(name) ?? '');
  if (spine.length === 0) throw new IbidError('FILE_DAMAGED', 'the book lists no chapters', { hint: HINT });
  return {
    title: value('title'),
    author: value('creator'),
    language: value('language'),
    chapters: [...new Set([...spine, ...pages])],
    pictures,
    contents: navigation === '' ? new Map() : readContents(zip, navigation),
  };
}

function decode(href: string): string {
  const path = href.split('#', 1)[0] ?? '';
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Refuses copy-protected books. Encrypted fonts are allowed, encrypted chapters are copy protection. */
function refuseProtected(zip: ZipArchive, builder: DocumentBuilder, chapters: readonly string[]): void {
  const encrypted = new Set<string>();
  readPart(zip, 'META-INF/encryption.xml', builder, {
    open(name, attributes) {
      if (name === 'CipherReference') encrypted.add(decode(attribute(attributes, 'URI') ?? ''));
    },
  });
  if (chapters.some((chapter) => encrypted.has(chapter))) {
    throw new IbidError('FILE_ENCRYPTED', 'the book is copy-protected', {
      hint: 'Only unprotected books can be read.',
    });
  }
}
