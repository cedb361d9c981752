import type { Place, Span } from '../../core/types.ts';
import { oneLine } from '../../text/one-line.ts';
import type { DocumentBuilder } from '../builder.ts';
import { joinCells } from '../join-cells.ts';
import { shownValue } from '../markup/html-values.ts';

/** Longer runs of printable ASCII without a space are cut: they are data for programs, such as pictures in base64. */
const MOST_DATA_CHARS = 20_000;
/** What HTML in a cell may show at most. */
const SHORT = { maxTextChars: Number.MAX_SAFE_INTEGER };

/** A table of a database as lines: the names of the columns, then a line for each row, with its number. */
export class RowWriter {
  readonly #builder: DocumentBuilder;
  readonly #part: Pick<Place, 'part'>;
  readonly #start: number;
  #header: Span | undefined;
  #rows = 0;
  #cut = 0;

  /** @param name heading of the table; absent when the file is one table */
  constructor(builder: DocumentBuilder, columns: readonly string[], name?: string) {
    this.#builder = builder;
    this.#part = name === undefined ? {} : { part: name };
    if (name !== undefined) builder.block({ kind: 'heading', level: 1 }, name, this.#part);
    if (builder.length > 0) builder.append('\n\n');
    this.#start = builder.length;
    const header = builder.append(this.#lineOf(columns));
    if (header.end > header.start) {
      this.#header = header;
      if (name !== undefined) builder.locate(header, this.#part);
    }
  }

  get rows(): number {
    return this.#rows;
  }

  write(values: readonly unknown[]): void {
    this.#rows++;
    const line = this.#lineOf(values);
    if (line === '') return;
    if (this.#builder.length > this.#start) this.#builder.append('\n');
    this.#builder.locate(this.#builder.append(line), { ...this.#part, rows: [this.#rows, this.#rows] });
  }

  #lineOf(values: readonly unknown[]): string {
    const cells = values.map((value) => {
      const text = typeof value === 'string' ? oneLine(shownValue(value, SHORT)) : cellText(value);
      if (text.length <= MOST_DATA_CHARS) return text;
      const kept = text.replace(/[!-~]+/g, (run) => run.slice(0, MOST_DATA_CHARS));
      if (kept.length < text.length) this.#cut++;
      return kept;
    });
    return joinCells(cells);
  }

  end(): void {
    if (this.#cut > 0) {
      const cells = this.#cut === 1 ? '1 cell' : `${this.#cut} cells`;
      this.#builder.warn(
        'CELL_CUT',
        `of ${cells}, runs of more than ${MOST_DATA_CHARS} characters without a space are cut`,
      );
    }
    const header = this.#header ? { header: this.#header } : {};
    this.#builder.mark({ start: this.#start, end: this.#builder.length }, { kind: 'table', ...header });
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Bytes are text if they are that of a text; others are said by their number. */
function bytesText(bytes: Uint8Array): string {
  try {
    const text = utf8.decode(bytes);
    if (/[\p{L}\p{N}]/u.test(text) && !/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text)) return cellText(text);
  } catch {
    // no text
  }
  return `(${bytes.length} bytes)`;
}

/** A value as a reader writes it: dates in ISO 8601, nested values as JSON. */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return oneLine(value);
  const said = saidOf(value);
  if (said !== undefined) return said;
  if (typeof value !== 'object') return String(value);
  const json = JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, key, inner: unknown) {
    return saidOf(this[key]) ?? inner; // `inner` is what a date or bytes make of themselves
  });
  return (json ?? '').replace(/\s+/gu, ' ');
}

/** What JSON has no form of. */
function saidOf(value: unknown): string | undefined {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return bytesText(value);
  if (!(value instanceof Date)) return undefined;
  return Number.isNaN(value.getTime()) ? '' : value.toISOString().replace('T00:00:00.000Z', '');
}

/** A decimal number that is stored as a whole one: 1234 with a scale of 2 is `12.34`. */
export function decimalText(units: bigint, scale: number): string {
  if (scale <= 0) return String(units * 10n ** BigInt(-scale));
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

const SINGLE_DIGITS = [6, 7, 8, 9];

/** A number of 32 bits with the digits that tell it from its neighbours: 0.1, not 0.10000000149011612. */
export function singleOf(value: unknown): unknown {
  if (typeof value !== 'number' || !Number.isFinite(value) || Math.fround(value) !== value) return value;
  const short = SINGLE_DIGITS.map((digits) => Number(value.toPrecision(digits)));
  return short.find((number) => Math.fround(number) === value) ?? value;
}

/** A time of a day, stored as the number of its parts of a second. @param digits 0 for seconds, 3 for milliseconds … */
export function timeText(count: bigint, digits: number): string {
  const second = 10n ** BigInt(digits);
  const whole = count / second;
  const clock = [whole / 3600n, (whole / 60n) % 60n, whole % 60n]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
  const rest = String(count % second)
    .padStart(digits, '0')
    .replace(/0+$/, '');
  return rest === '' ? clock : `${clock}.${rest}`;
}
