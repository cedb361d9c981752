/** Word: paragraphs, headings by style, lists with their numbers, tables by row, notes after their reference. */
import { IbidError, messageOf } from '../../core/errors.ts';
import type { BlockKind, Span } from '../../core/types.ts';
import type { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { includePictures, isOfPictures, withoutText } from '../image/inside.ts';
import { attribute } from '../markup/xml.ts';
import type { ZipArchive } from '../zip.ts';
import { BodyReader, type Item } from './docx-body.ts';
import { createNumbering } from './docx-numbering.ts';
import { Styles } from './docx-styles.ts';
import { joinWrapped } from './docx-wrapped.ts';
import { textsBeside, writeBeside } from './drawings.ts';
import { includeEmbedded, picturesIn } from './embedded.ts';
import { tellHidden } from './hidden.ts';
import { openOffice, type Relationship, readPart, writeTable } from './ooxml.ts';
import { headWideCells } from './wide-cells.ts';

/**
 * Reads the text with all changes accepted: insertions are kept, deletions and hidden text are not. `page` locators are
 * the pages of Word's last layout, where Word left marks of them.
 * @throws IbidError FILE_ENCRYPTED, FILE_DAMAGED, FILE_EMPTY, FILE_TOO_LARGE
 */
export async function parseDocx(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const { zip, builder, main, relations } = openOffice(bytes, context, 'docx', 'word/document.xml');
  const related = [...relations.values()];
  const part = (type: string): string => related.find((relation) => relation.type === type)?.target ?? '';
  const styles = new Styles();
  readPart(zip, part('styles'), builder, styles.handler);
  const numbering = createNumbering();
  readPart(zip, part('numbering'), builder, numbering.handler);
  const notes = new Map<string, Item[]>();
  for (const kind of ['footnote', 'endnote', 'comment'] as const) {
    const reader = new BodyReader(styles, numbering, kind);
    readPart(zip, part(`${kind}s`), builder, reader);
    for (const [id, items] of reader.notes) notes.set(`${kind} ${id}`, items);
  }
  const furniture = (type: string): Item[] =>
    distinct(
      related
        .filter((relation) => relation.type === type)
        .flatMap(({ target }) => {
          const reader = new BodyReader(styles, numbering);
          readPart(zip, target, builder, reader);
          return reader.finish();
        }),
    );
  const header = furniture('header');
  const footer = furniture('footer');
  const body = new BodyReader(styles, numbering);
  readPart(zip, main, builder, body);
  const items = joinWrapped(body.finish());
  const writer = new Writer(
    builder,
    notes,
    items.some((item) => item.page > 1 || item.breaks),
  );
  for (const item of header) writer.write({ ...item, page: 0 });
  const before = builder.length;
  for (const item of items) {
    if (item.inner === undefined) writer.write(item);
    else await includeInner(zip, relations.get(item.inner)?.target ?? '', builder, context);
  }
  for (const beside of textsBeside(zip, related.filter(isDrawn), builder)) writeBeside(builder, beside);
  writer.writeUnplaced();
  await includeEmbedded(zip, related, builder, context);
  const chars = builder.length - before;
  const waits =
    isOfPictures(chars, related.filter(({ type }) => type === 'image').length) &&
    (await includePictures(picturesIn(zip, shownIn(zip, main, relations, builder)), chars, builder, context));
  for (const item of footer) writer.write({ ...item, page: 0 });
  if (builder.length === 0) {
    const broken = builder.warnings[0];
    if (broken) throw new IbidError('FILE_DAMAGED', broken.message, { hint: 'Open it in Word and save it again.' });
    throw withoutText('the document', waits);
  }
  tellHidden(builder, body.hidden.size);
  if (writer.unsaid.size > 0)
    builder.warn('NOTE_MISSING', `not in the file: ${[...writer.unsaid].slice(0, 20).join(', ')}`);
  if (builder.title === '') builder.title = writer.title;
  return builder.build();
}

/** Relations of what the text shows, in its order. */
function shownIn(
  zip: ZipArchive,
  main: string,
  relations: ReadonlyMap<string, Relationship>,
  builder: DocumentBuilder,
): Relationship[] {
  const shown: Relationship[] = [];
  readPart(zip, main, builder, {
    open(name, attributes) {
      if (name !== 'blip' && name !== 'imagedata') return;
      const id = attribute(attributes, name === 'blip' ? 'embed' : 'id', 'r');
      const relation = relations.get(id ?? '');
      if (relation) shown.push(relation);
    },
  });
  return shown;
}

/** Writes a document that Word shows as a part of this one: programs that turn HTML into Word put all of it there. */
async function includeInner(
  zip: ZipArchive,
  part: string,
  builder: DocumentBuilder,
  context: ParseContext,
): Promise<void> {
  try {
    const bytes = zip.read(part);
    if (!bytes) throw new IbidError('FILE_DAMAGED', 'it is not in the file');
    builder.include(await context.parseInner(part.split('/').at(-1)!, bytes));
  } catch (error) {
    if (error instanceof IbidError && error.code === 'FILE_TOO_LARGE') throw error;
    builder.warn('PART_UNREAD', `${part}: ${messageOf(error)}`);
  }
}

/** Comments of a text hang on its paragraphs. */
function isDrawn({ type }: { readonly type: string }): boolean {
  return type !== 'comments';
}

function distinct(items: readonly Item[]): Item[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = item.paragraph?.text ?? JSON.stringify(item.rows);
    if (key === '' || /^\W*(?:page )?\d*\W*$/iu.test(key) || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

class Writer {
  title = '';
  /** Notes and comments that the text names and the file does not hold. */
  readonly unsaid: Set<string> = new Set();
  readonly #builder: DocumentBuilder;
  readonly #notes: Map<string, Item[]>;
  readonly #said = new Set<string>();
  readonly #paged: boolean;
  #last: BlockKind | undefined;

  constructor(builder: DocumentBuilder, notes: Map<string, Item[]>, paged: boolean) {
    this.#builder = builder;
    this.#notes = notes;
    this.#paged = paged;
  }

  write(item: Item): void {
    const place = this.#paged && item.page > 0 ? { page: item.page } : undefined;
    if (item.paragraph) {
      const { kind, level, text } = item.paragraph;
      if (this.title === '' && text !== '' && (item.title || (kind === 'heading' && level === 1))) this.title = text;
      const separator = kind === 'list' && this.#last === 'list' ? '\n' : '\n\n';
      const shape = kind === 'heading' ? { kind, level } : { kind };
      const wrote = this.#builder.block(shape, text, undefined, separator);
      if (wrote) this.#last = kind;
      if (wrote && item.isBold && item.page > 0 && (kind === 'paragraph' || kind === 'list'))
        this.#builder.setBold(wrote);
      if (wrote && place) this.#locate(wrote, item);
    } else if (item.rows) {
      this.#last = 'table';
      const columns = Math.max(0, ...item.rows.map((row) => row.length));
      const places = place && item.rows.map((_, row) => ({ page: item.rowPages?.[row] ?? item.page }));
      if (columns <= 1)
        for (const [row, [cell = '']] of item.rows.entries())
          this.#builder.block({ kind: 'paragraph' }, cell, places?.[row]);
      else writeTable(this.#builder, item.rows, headWideCells(item.rows, item.wide ?? [], item.headerRows), places);
    }
    this.#writeNotes(item);
  }

  /** Writes the comments that hang on no place of the text. */
  writeUnplaced(): void {
    const ids = [...this.#notes.keys()].filter((id) => id.startsWith('comment ') && !this.#said.has(id));
    this.#writeNotes({ page: 0, notes: ids });
  }

  #locate({ start, end }: Span, { page, breaks = [] }: Item): void {
    let from = start;
    let current = page;
    for (const next of breaks) {
      const to = Math.max(from, end - next.left);
      this.#builder.locate({ start: from, end: to }, { page: current });
      from = to;
      current = next.page;
    }
    this.#builder.locate({ start: from, end }, { page: current });
  }

  #writeNotes(item: Item): void {
    for (const id of item.notes) {
      const note = this.#notes.get(id);
      if (note === undefined) this.unsaid.add(id);
      if (note === undefined || this.#said.has(id)) continue;
      this.#said.add(id);
      for (const part of note) this.write({ ...part, page: item.page, title: false });
    }
  }
}
