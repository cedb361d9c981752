/** PowerPoint 97 to 2003 ([MS-PPT]): slides in the order of the show, each a `page`, with its title as heading. */
import { IbidError } from '../../core/errors.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { openCompoundFile } from './compound-file.ts';
import { guessHeaderRows, writeTable } from './ooxml.ts';
import { type Atom, atoms } from './ppt-atoms.ts';
import { FIELD, linesOf } from './ppt-lists.ts';
import { tableRows } from './ppt-table.ts';
import { writeShape } from './slides.ts';
import { readSummary } from './summary.ts';

const DOCUMENT = 0x03e8;
const SLIDE = 0x03ee;
const NOTES = 0x03f0;
const SLIDE_LIST = 0x0ff0;
const SLIDE_REFERENCE = 0x03f3;
const NOTES_ATOM = 0x03f1;
const TEXT_HEADER = 0x0f9f;
const TEXT_WIDE = 0x0fa0;
const TEXT_NARROW = 0x0fa8;
const TEXT_STYLE = 0x0fa1;
/** The character of a text at an offset stands for a number, a date, a header or a footer. */
const FIELDS = new Set([0x0fd8, 0x0ff7, 0x0ff8, 0x0ff9, 0x0ffa]);
const OUTLINE_REFERENCE = 0x0f9e;
const CLIENT_TEXT_BOX = 0xf00d;
const RUNNING = 0x0fd9;
const RUNNING_FLAGS = 0x0fda;
const RUNNING_TEXT = 0x0fba;
/** Of the document: for its slides. */
const FOR_SLIDES = 3;
/** Of a date that is written, and of a footer: the number of its text, and the flag that a slide shows it. */
const SHOWN_ON_SLIDES = [
  [0, 4],
  [2, 32],
] as const;
const USER_EDIT = 0x0ff5;
const PERSIST_DIRECTORY = 0x1772;
/** Kinds of text of a slide's title, and the kind of notes. */
const TITLES = new Set([0, 6]);
const NOTE_TEXT = 2;
const OTHER_TEXT = 4;
const MAX_DEPTH = 30;
const MAX_EDITS = 1000;

interface SlideText {
  readonly kind: number;
  text: string;
  /** What the file says of its paragraphs. */
  style?: Buffer | undefined;
  /** Of a table, whose text is that of its cells. */
  readonly rows?: string[][] | undefined;
}

/** Where a file for PowerPoint 95 and for later ones keeps what the later ones read. */
const BOTH = 'PP97_DUALSTORAGE/';
const CONTENT = 'PowerPoint Document';
/** What only PowerPoint 95 and 4 write. */
const OLD = ['Text_Content', 'PP40'];

/** @throws IbidError FILE_ENCRYPTED, FILE_UNSUPPORTED (PowerPoint 95 alone), FILE_DAMAGED, FILE_EMPTY, FILE_TOO_LARGE */
export async function parsePpt(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const file = openCompoundFile(bytes);
  if (file.has('EncryptedSummary')) throw new IbidError('FILE_ENCRYPTED', 'the slides need a password');
  const folder = file.has(BOTH + CONTENT) ? BOTH : '';
  const stored = file.stream(folder + CONTENT);
  if (folder === '' && OLD.some((name) => file.has(name))) {
    throw new IbidError('FILE_UNSUPPORTED', 'a file of PowerPoint 95 or earlier', { hint: 'Save it as .pptx.' });
  }
  if (!stored) throw damaged('it has no slides');
  const stream = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const builder = new DocumentBuilder('ppt', context);
  readSummary(file, builder);
  const offsets = persistOffsets(stream, file.stream(`${folder}Current User`));
  const slides = slidesOf(stream, offsets);
  for (const [index, texts] of slides.entries()) {
    const page = index + 1;
    const title = texts.find(({ kind }) => TITLES.has(kind));
    if (title) {
      const said = title.text.replaceAll(FIELD, '').replace(/\s+/g, ' ');
      builder.block({ kind: 'heading', level: 1 }, said, { page });
      if (builder.title === '') builder.title = said.trim();
    }
    for (const one of texts) {
      if (one.rows) writeTable(builder, one.rows, guessHeaderRows(one.rows), { page });
      else if (one !== title) {
        const lines = linesOf(one.text, one.kind, one.style);
        writeShape(builder, { role: 'other', lines, rows: undefined }, page);
      }
    }
  }
  if (builder.length === 0) throw new IbidError('FILE_EMPTY', 'the slides hold no text');
  builder.metadata.pages = slides.length;
  return builder.build();
}

function atomAt(stream: Buffer, offset: number | undefined): Atom | undefined {
  if (offset === undefined || offset + 8 > stream.length) return undefined;
  return atoms(stream.subarray(offset)).next().value ?? undefined;
}

/** Number of an object → its offset. A saved change adds a directory, whose objects take the place of older ones. */
function persistOffsets(stream: Buffer, currentUser: Uint8Array | undefined): Map<number, number> {
  const offsets = new Map<number, number>();
  const user = currentUser && Buffer.from(currentUser.buffer, currentUser.byteOffset, currentUser.byteLength);
  let edit = user && user.length >= 20 ? user.readUInt32LE(16) : 0;
  for (let left = MAX_EDITS; left > 0 && edit !== 0; left--) {
    const atom = atomAt(stream, edit);
    if (atom?.type !== USER_EDIT || atom.data.length < 16) break;
    const directory = atomAt(stream, atom.data.readUInt32LE(12));
    if (directory?.type === PERSIST_DIRECTORY) {
      for (let at = 0; at + 4 <= directory.data.length; ) {
        const head = directory.data.readUInt32LE(at);
        at += 4;
        for (let i = 0; i < head >>> 20 && at + 4 <= directory.data.length; i++, at += 4) {
          const id = (head & 0xfffff) + i;
          if (!offsets.has(id)) offsets.set(id, directory.data.readUInt32LE(at));
        }
      }
    }
    const before = atom.data.readUInt32LE(8);
    if (before >= edit) break; // offsets only go back
    edit = before;
  }
  return offsets;
}

/** The date and the footer that a slide shows. */
function runningOf(slide: Buffer, document: Buffer): string[] {
  const own = [...atoms(slide)].find(({ type }) => type === RUNNING);
  const common = [...atoms(document)].find(({ type, instance }) => type === RUNNING && instance === FOR_SLIDES);
  const parts = [...atoms((own ?? common)?.data ?? Buffer.alloc(0))];
  const flags = parts.find(({ type, data }) => type === RUNNING_FLAGS && data.length >= 4)?.data.readUInt16LE(2) ?? 0;
  return SHOWN_ON_SLIDES.flatMap(([number, flag]) => {
    const text = parts.find(({ type, instance }) => type === RUNNING_TEXT && instance === number);
    return text && flags & flag ? [text.data.toString('utf16le')] : [];
  });
}

/**
 * The texts of each slide: those of the outline, then those of its own boxes, then its notes. Dates and footers are said
 * once.
 */
function slidesOf(stream: Buffer, offsets: ReadonlyMap<number, number>): SlideText[][] {
  const documents = [...offsets.values()].map((offset) => atomAt(stream, offset));
  const document =
    documents.find((atom) => atom?.type === DOCUMENT) ?? [...atoms(stream)].find(({ type }) => type === DOCUMENT);
  if (!document) throw damaged('it has no document');
  const lists = [...atoms(document.data)].filter(({ type }) => type === SLIDE_LIST);
  const slides = referencesOf(lists.find(({ instance }) => instance === 0));
  const notes = new Map<number, SlideText[]>();
  for (const { persist } of referencesOf(lists.find(({ instance }) => instance === 2))) {
    const container = atomAt(stream, offsets.get(persist));
    if (container?.type !== NOTES) continue;
    const atom = [...atoms(container.data)].find(({ type }) => type === NOTES_ATOM);
    const slide = atom && atom.data.length >= 4 ? atom.data.readUInt32LE(0) : -1;
    notes.set(
      slide,
      textsOf(container.data).map(({ text }) => ({ kind: NOTE_TEXT, text })),
    );
  }
  const said = new Set<string>();
  return slides.map(({ persist, id, outline }) => {
    const container = atomAt(stream, offsets.get(persist));
    const boxes = container?.type === SLIDE ? textsOf(container.data) : [];
    const running = container?.type === SLIDE ? runningOf(container.data, document.data) : [];
    const first = running.filter((text) => !said.has(text)).map((text) => ({ kind: OTHER_TEXT, text }));
    for (const text of running) said.add(text);
    return [...outline, ...boxes, ...first, ...(notes.get(id) ?? [])].filter(
      ({ text }) => text.replaceAll(FIELD, '').trim() !== '',
    );
  });
}

interface SlideReference {
  /** Number of the object with the slide's boxes. */
  readonly persist: number;
  /** By which notes name their slide. */
  readonly id: number;
  readonly outline: SlideText[];
}

function referencesOf(list: Atom | undefined): SlideReference[] {
  const references: SlideReference[] = [];
  let kind = -1;
  for (const atom of list ? atoms(list.data) : []) {
    if (atom.type === SLIDE_REFERENCE && atom.data.length >= 16) {
      references.push({ persist: atom.data.readUInt32LE(0), id: atom.data.readUInt32LE(12), outline: [] });
    } else if (atom.type === TEXT_HEADER && atom.data.length >= 4) kind = atom.data.readUInt32LE(0);
    else if (atom.type === TEXT_STYLE) {
      const last = references.at(-1)?.outline.at(-1);
      if (last) last.style ??= atom.data;
    } else {
      const text = textOf(atom);
      if (text !== undefined) references.at(-1)?.outline.push({ kind, text });
    }
  }
  return references;
}

/** The texts in a slide's own boxes. A box that repeats the outline only refers to it. */
function textsOf(data: Buffer): SlideText[] {
  const found: SlideText[] = [];
  const visit = (part: Buffer, depth: number): void => {
    let kind = -1;
    let isReference = false;
    let last: SlideText | undefined;
    for (const atom of atoms(part)) {
      if (atom.isContainer || atom.type === CLIENT_TEXT_BOX) {
        const rows = depth < MAX_DEPTH ? tableRows(atom, cellText) : undefined;
        if (rows) found.push({ kind: -1, text: rows.flat().join(' '), rows });
        else if (depth < MAX_DEPTH) visit(atom.data, depth + 1);
      } else if (atom.type === OUTLINE_REFERENCE) isReference = true;
      else if (atom.type === TEXT_HEADER && atom.data.length >= 4) kind = atom.data.readUInt32LE(0);
      else if (atom.type === TEXT_STYLE) {
        if (last) last.style ??= atom.data;
      } else if (FIELDS.has(atom.type)) {
        const place = atom.data.length >= 4 ? atom.data.readUInt32LE(0) : Infinity;
        if (last && place < last.text.length)
          last.text = last.text.slice(0, place) + FIELD + last.text.slice(place + 1);
      } else {
        const text = textOf(atom);
        if (text === undefined) continue;
        last = isReference ? undefined : { kind, text };
        if (last) found.push(last);
      }
    }
  };
  visit(data, 0);
  return found;
}

function cellText(shape: Buffer): string {
  return textsOf(shape)
    .map(({ text }) => text.replaceAll(FIELD, '').replaceAll('\v', '\n'))
    .join(' ');
}

function textOf({ type, data }: Atom): string | undefined {
  if (type !== TEXT_WIDE && type !== TEXT_NARROW) return undefined;
  const text = data.toString(type === TEXT_WIDE ? 'utf16le' : 'latin1');
  return text.replaceAll('\r', '\n');
}

function damaged(what: string): IbidError {
  return new IbidError('FILE_DAMAGED', `the presentation is broken: ${what}`, {
    hint: 'Open it in PowerPoint and save it as .pptx.',
  });
}
