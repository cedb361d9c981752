/** Text of a page outside its content: form fields, button captions, typed notes, reviewers' comments. */
import { type getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import { type Attachment, attachmentOf } from './attachments.ts';
import type { DrawnText } from './runs.ts';

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>['getPage']>>;

interface Annotations {
  /** At their place on the page. */
  readonly items: readonly DrawnText[];
  /** Comments, which a viewer shows only on a click. */
  readonly comments: readonly string[];
  readonly attachments: readonly Attachment[];
}

const SHOWN = new Set(['Widget', 'FreeText', 'Stamp']);
const COMMENTS = new Set([
  'Text',
  'Highlight',
  'Underline',
  'Squiggly',
  'StrikeOut',
  'Ink',
  'Caret',
  'Square',
  'Circle',
  'Line',
  'Polygon',
  'PolyLine',
]);
const TICKED = '☒';
const HIDDEN_FLAGS = 1 | 2 | 32; // invisible, hidden, no view

/** @param printed the page's own text: a box stands on the line that it belongs to */
export async function readAnnotations(page: Page, printed: readonly DrawnText[]): Promise<Annotations> {
  const items: DrawnText[] = [];
  const boxes: DrawnText[] = [];
  const comments: string[] = [];
  const attachments: Attachment[] = [];
  const annotations: unknown[] = await page.getAnnotations();
  const drawn: { id: string; rect: readonly number[]; size: number }[] = [];
  for (const annotation of annotations) {
    const field = (name: string): unknown => Reflect.get(Object(annotation), name);
    const subtype = String(field('subtype'));
    const flags = Number(field('annotationFlags')) || 0;
    if ((flags & HIDDEN_FLAGS) !== 0 || field('hidden') === true) continue;
    const rect = rectangle(field('rect'));
    const size = Number(Reflect.get(Object(field('defaultAppearanceData')), 'fontSize')) || 0;
    const contents = stringOf(Reflect.get(Object(field('contentsObj')), 'str'));
    const file = subtype === 'FileAttachment' ? attachmentOf(field('fileId'), field('file')) : undefined;
    if (file) attachments.push(contents === '' || file.description !== '' ? file : { ...file, description: contents });
    if (COMMENTS.has(subtype) && contents !== '') comments.push(contents);
    if (!SHOWN.has(subtype) || !rect) continue;
    const box = boxOf(annotation);
    if (box !== undefined) {
      boxes.push(onLine(place(box, rect, 0)[0]!, printed));
      continue;
    }
    const value = subtype === 'Widget' ? fieldValue(annotation) : subtype === 'FreeText' ? contents : '';
    if (value !== '') items.push(...place(value, rect, size));
    else if (field('fieldType') !== 'Tx' && field('fieldType') !== 'Ch' && field('hasAppearance') === true) {
      drawn.push({ id: String(field('id')), rect, size });
    }
  }
  if (drawn.length > 0) {
    const texts = await appearanceTexts(page);
    for (const { id, rect, size } of drawn) {
      const text = texts.get(id) ?? '';
      if (text.trim() !== '') items.push(...place(text, rect, size));
    }
  }
  // The empty boxes of a form say something only beside a ticked one.
  if (boxes.some(({ str }) => str === TICKED)) items.push(...boxes);
  return { items, comments, attachments };
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value.replace(/\r\n?/gu, '\n').trim() : '';
}

/** A ticked or empty box; undefined for what is no box. */
function boxOf(annotation: unknown): string | undefined {
  const field = (name: string): unknown => Reflect.get(Object(annotation), name);
  const isCheckBox = field('checkBox') === true;
  if (!isCheckBox && field('radioButton') !== true) return undefined;
  const on = field(isCheckBox ? 'exportValue' : 'buttonValue');
  return typeof on === 'string' && field('fieldValue') === on ? TICKED : '☐';
}

/** A box on the baseline of the nearest text beside it. */
function onLine(box: DrawnText, printed: readonly DrawnText[]): DrawnText {
  const [, , , , x = 0, y = 0] = box.transform;
  let nearest: DrawnText | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const text of printed) {
    const [a = 0, b = 0, , , tx = 0, ty = 0] = text.transform;
    if (b !== 0 || a <= 0 || text.str.trim() === '' || Math.abs(ty - y) > box.height / 2) continue;
    const distance = Math.max(tx - x, x - tx - text.width);
    if (distance < least) [nearest, least] = [text, distance];
  }
  return nearest ? { ...box, transform: [...box.transform.slice(0, 5), nearest.transform[5]!] } : box;
}

/** What a field shows: of a choice its words, not its code; of a field without a plain value what is drawn in it. */
function fieldValue(annotation: unknown): string {
  const field = (name: string): unknown => Reflect.get(Object(annotation), name);
  const list = (name: string): unknown[] => {
    const value = field(name);
    return Array.isArray(value) ? value : [];
  };
  const value = field('fieldValue');
  if (Array.isArray(value)) {
    const shown = new Map(
      list('options').map((option) => [
        Reflect.get(Object(option), 'exportValue'),
        stringOf(Reflect.get(Object(option), 'displayValue')),
      ]),
    );
    return value
      .map((code) => shown.get(code) || stringOf(code))
      .filter((part) => part !== '')
      .join(', ');
  }
  const plain = stringOf(value);
  return plain === '' && field('fieldType') === 'Tx' ? list('textContent').map(stringOf).join('\n').trim() : plain;
}

function rectangle(value: unknown): readonly number[] | undefined {
  if (!Array.isArray(value) || value.length !== 4) return undefined;
  const numbers = value.map(Number);
  return numbers.every(Number.isFinite) ? numbers : undefined;
}

/** Lines of a value inside its box, those that do not fit in the last one. Widths are estimates: half the font size for each character. */
function place(value: string, rect: readonly number[], given: number): DrawnText[] {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = rect;
  const lines = value.split('\n').filter((line) => line.trim() !== '');
  const height = Math.max(1, y1 - y0);
  const size = given > 0 ? given : Math.min(12, Math.max(4, (height / lines.length) * 0.75));
  const fitting = Math.max(1, Math.round(height / (size * 1.1)));
  if (lines.length > fitting) lines.push(lines.splice(fitting - 1).join(' '));
  const bottom = y0 + Math.max(0, (height - size * 1.2 * lines.length) / 2) + size * 0.25;
  return lines.map((str, i) => ({
    str,
    transform: [size, 0, 0, size, x0 + 2, bottom + (lines.length - 1 - i) * size * 1.2],
    width: Math.min(str.length * size * 0.5, Math.max(1, x1 - x0 - 2)),
    height: size,
    fontName: '',
    dir: 'ltr',
  }));
}

/** Text drawn by annotations, by annotation id: the glyphs of the operators between their begin and end. */
async function appearanceTexts(page: Page): Promise<Map<string, string>> {
  const { OPS } = await getResolvedPDFJS();
  const { fnArray, argsArray } = await page.getOperatorList();
  const texts = new Map<string, string>();
  let current: string | undefined;
  for (const [i, operator] of fnArray.entries()) {
    const args: unknown = argsArray[i];
    if (operator === OPS.beginAnnotation && Array.isArray(args)) current = String(args[0]);
    else if (operator === OPS.endAnnotation) current = undefined;
    else if (operator === OPS.showText && current !== undefined && Array.isArray(args)) {
      const shown = texts.get(current) ?? '';
      texts.set(current, `${shown}${shown === '' ? '' : ' '}${glyphText(args[0])}`);
    }
  }
  return texts;
}

/** The text of glyph objects. A number between them is a move; a wide move is a blank. */
function glyphText(glyphs: unknown): string {
  if (!Array.isArray(glyphs)) return '';
  let text = '';
  for (const glyph of glyphs) {
    if (typeof glyph === 'number') {
      if (glyph < -200 && !text.endsWith(' ')) text += ' ';
    } else {
      const unicode: unknown = Reflect.get(Object(glyph), 'unicode');
      if (typeof unicode === 'string') text += unicode;
    }
  }
  return text.trim();
}
