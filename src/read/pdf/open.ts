/** The only file that uses pdf.js: opening, fonts, items, outline, metadata, and the meaning of its errors. */
import { getDocumentProxy } from 'unpdf';
import { IbidError, messageOf } from '../../core/errors.ts';
import { readAnnotations } from './annotations.ts';
import { type Attachment, listedAttachments } from './attachments.ts';
import type { OutlineEntry } from './blocks.ts';
import { brokenStreams } from './broken-streams.ts';
import { CMapFactory } from './cmaps.ts';
import { lettersOfBitmap, lettersOfGlyph } from './glyph-names.ts';
import { glyphsOf, type Operators } from './glyphs.ts';
import { mayHaveLamAlef, turnLamAlef } from './lam-alef.ts';
import { mayBeLetterspaced, withoutLetterspacing } from './letterspaced.ts';
import { isPictured, mayBeStamped } from './pictured.ts';
import { withoutPrivateSigns } from './private-signs.ts';
import { mayHaveColumns, mayHaveTable, type Rule, rulesOf } from './rules.ts';
import type { DrawnText, FontFace } from './runs.ts';
import { withTags } from './tagged-text.ts';
import { isTagged, tagsOf } from './tags.ts';

type Proxy = Awaited<ReturnType<typeof getDocumentProxy>>;
type Page = Awaited<ReturnType<Proxy['getPage']>>;

export interface PdfInfo {
  readonly title?: string;
  readonly author?: string;
  /** ISO 8601. */
  readonly created?: string;
  readonly modified?: string;
}

interface Font extends FontFace {
  /** pdf.js writes texts of fonts of one name as one text. */
  readonly name: string;
  /** Names of glyphs by code, where the file gives them. */
  readonly glyphs?: readonly unknown[] | undefined;
}

interface OpenPage {
  readonly items: readonly DrawnText[];
  readonly fonts: ReadonlyMap<string, FontFace>;
  /** The lines that it draws; absent where they were not sought. */
  readonly rules: readonly Rule[] | undefined;
  readonly comments: readonly string[];
  /** Files that are pinned to it. */
  readonly attachments: readonly Attachment[];
  /** Whether it is a picture with no text but a stamp. */
  readonly isStamped: boolean;
  /** The visible part of the page in user space: [x0, y0, x1, y1]. */
  readonly box: readonly number[];
}

export interface OpenPdf {
  readonly pageCount: number;
  /** Defects of a file that opens nevertheless, a sentence each. */
  readonly defects: readonly string[];
  /**
   * @param page from 1
   * @param seeksRules whether to look for lines, which takes as long as the text, also where no columns are to be seen
   */
  readPage(page: number, seeksRules: boolean): Promise<OpenPage>;
  outline(): Promise<readonly OutlineEntry[]>;
  /** The files of its list. */
  attachments(): Promise<readonly Attachment[]>;
  /** The bytes of an attached file. @param id of a file of the list or of a page */
  attached(id: string): Promise<Uint8Array>;
  info(): Promise<PdfInfo>;
  close(): Promise<void>;
}

const MAX_OUTLINE = 5000;

/**
 * @throws IbidError FILE_EMPTY; FILE_ENCRYPTED when a password is needed; FILE_DAMAGED when pdf.js finds no document
 */
export async function openPdf(bytes: Uint8Array): Promise<OpenPdf> {
  if (bytes.length === 0) throw new IbidError('FILE_EMPTY', 'the file holds no bytes');
  let proxy: Proxy;
  try {
    proxy = await getDocumentProxy(new Uint8Array(bytes), {
      // A copy, because pdf.js takes over the array; it refuses a Buffer.
      verbosity: 0,
      disableFontFace: true,
      useSystemFonts: false,
      stopAtErrors: false,
      fontExtraProperties: true, // the names of a font's glyphs
      maxImageSize: 1, // images are skipped: only font names of an operator list are needed
      isOffscreenCanvasSupported: false,
      enableXfa: false,
      useWorkerFetch: false,
      cMapPacked: false,
      BinaryDataFactory: CMapFactory,
    });
  } catch (error) {
    throw refusal(error);
  }
  const fonts = new Map<string, Font>();
  const tagged = await isTagged(proxy);
  return {
    pageCount: proxy.numPages,
    defects: findDefects(bytes),
    readPage: (page, seeksRules) => readPage(proxy, page, fonts, seeksRules, tagged),
    outline: () => readOutline(proxy),
    attachments: () => listedAttachments(proxy).catch(() => []),
    attached: async (id) => (await proxy.getAttachmentContent(id)) ?? new Uint8Array(),
    info: () => readInfo(proxy),
    close: () => proxy.loadingTask.destroy(),
  };
}

/**
 * pdf.js repairs damaged files silently; the target of `startxref` shows whether it had to. Images of more than 2^30
 * pixels are decompression bombs: they are never unpacked, and the user is told.
 */
function findDefects(bytes: Uint8Array): string[] {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const defects: string[] = [];
  const junk = Math.max(0, file.subarray(0, 1024).indexOf('%PDF-'));
  const at = file.lastIndexOf('startxref');
  const offset = at === -1 ? Number.NaN : Number.parseInt(file.toString('latin1', at + 9, at + 40), 10);
  const target = (from: number): boolean =>
    /^\s*(?:xref|\d+\s+\d+\s+obj)/u.test(file.toString('latin1', from, from + 40));
  if (!(offset >= 0 && (target(offset) || target(offset + junk)))) {
    defects.push('the cross-reference table is missing or broken; only recovered text was read');
  }
  const broken = brokenStreams(file);
  if (broken > 0) {
    const parts = broken === 1 ? 'one of its compressed parts is' : `${broken} of its compressed parts are`;
    defects.push(`${parts} damaged; text may be missing there`);
  }
  for (let image = file.indexOf('/Width '); image !== -1; image = file.indexOf('/Width ', image + 7)) {
    const near = file.toString('latin1', Math.max(0, image - 200), image + 200);
    const width = Number(/\/Width (\d+)/u.exec(near)?.[1] ?? 0);
    const height = Number(/\/Height (\d+)/u.exec(near)?.[1] ?? 0);
    if (width * height > 2 ** 30) {
      defects.push(`an image of ${width} × ${height} pixels was left out`);
      break;
    }
  }
  return defects;
}

function refusal(error: unknown): IbidError {
  const name = error instanceof Error ? error.name : '';
  const message = messageOf(error);
  if (name === 'PasswordException' || /encrypt/iu.test(message)) {
    return new IbidError('FILE_ENCRYPTED', 'the PDF needs a password', {
      cause: error,
      hint: 'Save a copy without a password and ingest that.',
    });
  }
  return new IbidError('FILE_DAMAGED', `the PDF cannot be opened: ${message}`, {
    cause: error,
    hint: 'Open it in a viewer and save or print it to a new PDF.',
  });
}

async function readPage(
  proxy: Proxy,
  number: number,
  fonts: Map<string, Font>,
  seeksRules: boolean,
  tagged: boolean,
): Promise<OpenPage> {
  const page = await proxy.getPage(number);
  let list: ReturnType<Operators> | undefined;
  const operators: Operators = () => (list ??= page.getOperatorList());
  try {
    const tags = tagged ? await tagsOf(page) : undefined;
    const content = await page.getTextContent({ disableNormalization: true, includeMarkedContent: tags !== undefined });
    let items: DrawnText[] = tags ? withTags(content.items, tags) : content.items.filter((item) => 'str' in item);
    const unknown = new Set<string>();
    for (const item of items) {
      if (item.str.trim() !== '' && !fonts.has(item.fontName)) unknown.add(item.fontName);
    }
    if (unknown.size > 0) await learnFonts(page, operators, unknown, content.styles, fonts);
    if (items.some(mayHaveLamAlef)) items = turnLamAlef(items, await glyphsOf(operators));
    if (items.some(mayBeLetterspaced)) items = withoutLetterspacing(items, await glyphsOf(operators));
    for (const [i, item] of items.entries()) {
      const str = spelledOut(item, fonts);
      if (str !== item.str) items[i] = { ...item, str };
    }
    const isLikely = mayHaveTable(items) && (seeksRules || mayHaveColumns(items));
    const rules = isLikely ? await rulesOf(operators) : undefined;
    const isStamped = mayBeStamped(items, page.view) && (await isPictured(operators, page.view));
    let comments: readonly string[] = [];
    let attachments: readonly Attachment[] = [];
    try {
      const annotations = await readAnnotations(page, items);
      items.push(...annotations.items);
      ({ comments, attachments } = annotations);
    } catch {
      // Broken annotations lose only their own text.
    }
    return { items, fonts, rules, comments, attachments, isStamped, box: page.view };
  } finally {
    page.cleanup();
  }
}

/** Where pdf.js knows no character for a glyph, it gives the glyph's code; as a control character that is no letter. */
const CODE = /[\0-\x08\x0e-\x1f\x7f-\x9f]/g;
const UPPER_CODE = /[\xa0-\xff]/g;

/** Signs as they are drawn in vertical lines; the signs that they are end sentences and open brackets. */
const UPRIGHT = /[\ufe10-\ufe19\ufe30-\ufe44\ufe47\ufe48]/g;
const DOTS: Readonly<Record<string, string>> = { '\ufe19': '…', '\ufe30': '‥' };

function spelledOut({ str, fontName }: DrawnText, fonts: ReadonlyMap<string, Font>): string {
  const font = fonts.get(fontName);
  if (!font) return withoutPrivateSigns(str, '');
  const horizontal = font.vertical
    ? str.replace(UPRIGHT, (sign) => DOTS[sign] ?? fullWidth(sign.normalize('NFKC')))
    : str; // elsewhere they are the braces above and below a formula
  const plain = withoutPrivateSigns(horizontal, font.name);
  return plain
    .replace(UPPER_CODE, (code) => (font.glyphs && lettersOfBitmap(code.charCodeAt(0), font.glyphs)) ?? code)
    .replace(CODE, (code) => lettersOfCode(code, font, fonts) ?? code);
}

function lettersOfCode(code: string, own: Font, fonts: ReadonlyMap<string, Font>): string | undefined {
  const alike = [own, ...[...fonts.values()].filter((font) => font !== own && font.name === own.name)];
  const number = code.charCodeAt(0);
  const { glyphs } = alike.find((font) => font.glyphs?.[number] !== undefined) ?? own;
  return glyphs && (lettersOfGlyph(String(glyphs[number])) ?? lettersOfBitmap(number, glyphs));
}

/** `(` → `（`, as such a line has it. */
function fullWidth(sign: string): string {
  return /^[!-~]$/.test(sign) ? String.fromCharCode(sign.charCodeAt(0) + 0xfee0) : sign;
}

/** pdf.js sends the name of a font with the first operator list that uses it. Without a name a font counts as plain. */
async function learnFonts(
  page: Page,
  operators: Operators,
  names: ReadonlySet<string>,
  styles: Readonly<Record<string, { readonly vertical?: boolean }>>,
  fonts: Map<string, Font>,
): Promise<void> {
  try {
    await operators();
  } catch {
    // The text is known; only font weights are not.
  }
  for (const id of names) {
    const vertical = styles[id]?.vertical === true;
    const { name, glyphs, isFixed } = factsOf(page, id);
    fonts.set(id, {
      name,
      vertical,
      glyphs,
      bold: /bold|black|heavy|semibold|demi|medi(?!um)|[-_, ]bd|bx\d|(?:^|[-,])b$|-medium|ultra|lin(?:libertine|biolinum)[ot]?[bz]/iu.test(
        name,
      ),
      italic: /ital|obli|slant|cmti|cmsl|sfti|lin(?:libertine|biolinum)[ot]?[bz]?i/iu.test(name),
      mono:
        isFixed || /courier|mono|consol|menlo|typewriter|tt\d+$|nimbusmonl|inconsolata|fixed|lucidacons/iu.test(name),
    });
  }
}

interface FontFacts {
  readonly name: string;
  readonly glyphs?: Font['glyphs'];
  readonly isFixed?: boolean;
}

function factsOf(page: Page, id: string): FontFacts {
  try {
    const font: unknown = page.commonObjs.get(id);
    if (typeof font !== 'object' || font === null) return { name: '' };
    const name = 'name' in font && typeof font.name === 'string' ? font.name : '';
    return {
      name,
      isFixed: hasFixedPitch(font),
      ...('differences' in font && Array.isArray(font.differences) && { glyphs: font.differences }),
    };
  } catch {
    return { name: '' }; // the operator list did not reach this font
  }
}

/** More glyphs than the figures and their signs, which have one width in many fonts. */
const FEWEST_GLYPHS = 14;
/** Ideographs have one width too, that of the font size; in thousandths of it. */
const WIDEST_PITCH = 750;

/** Whether all glyphs that the file uses of a font have one width. */
function hasFixedPitch(font: object): boolean {
  if (!('widths' in font) || typeof font.widths !== 'object' || font.widths === null) return false;
  if ('isType3Font' in font && font.isType3Font === true) return false; // their widths have units of their own
  const widths = Object.values(font.widths).filter((width): width is number => typeof width === 'number' && width > 0);
  const [first = 0] = widths;
  return widths.length >= FEWEST_GLYPHS && first < WIDEST_PITCH && widths.every((width) => Math.abs(width - first) < 1);
}

interface OutlineItem {
  readonly title: string;
  readonly items: readonly OutlineItem[];
}

async function readOutline(proxy: Proxy): Promise<OutlineEntry[]> {
  const entries: OutlineEntry[] = [];
  const visit = (items: readonly OutlineItem[], level: number): void => {
    for (const item of items) {
      if (entries.length >= MAX_OUTLINE) return;
      if (item.title.trim().length > 1) entries.push({ title: item.title, level: Math.min(level, 6) });
      if (level < 10) visit(item.items, level + 1);
    }
  };
  try {
    visit((await proxy.getOutline()) ?? [], 1);
  } catch {
    return []; // a broken outline loses heading levels, no text
  }
  return entries;
}

async function readInfo(proxy: Proxy): Promise<PdfInfo> {
  try {
    const { info } = await proxy.getMetadata();
    const field = (name: string): string | undefined => {
      const value: unknown = Reflect.get(info, name);
      return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
    };
    const title = field('Title');
    const author = field('Author');
    const created = isoDate(field('CreationDate'));
    const modified = isoDate(field('ModDate'));
    return {
      ...(title === undefined ? {} : { title }),
      ...(author === undefined ? {} : { author }),
      ...(created === undefined ? {} : { created }),
      ...(modified === undefined ? {} : { modified }),
    };
  } catch {
    return {};
  }
}

/**
 * Parses a PDF date, `D:YYYYMMDDHHmmSSOHH'mm'`, where all after the year is optional.
 * @see ISO 32000-1, 7.9.4
 */
export function isoDate(text: string | undefined): string | undefined {
  const match = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([-+Zz])(?:(\d\d)'?(\d\d)?)?)?/u.exec(text ?? '');
  if (!match) return undefined;
  const [
    ,
    year,
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    sign = 'Z',
    zh = '00',
    zm = '00',
  ] = match;
  const zone = sign === '+' || sign === '-' ? `${sign}${zh}:${zm}` : 'Z';
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
