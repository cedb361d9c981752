/** The displayed text of a cell: numbers with their units, dates and percentages, from the stored value and the number format. */
import { attribute, type XmlHandler } from '../markup/xml.ts';
import { readNumberFormat } from './number-format.ts';

type Kind = 'general' | 'date' | 'time' | 'dateTime' | 'elapsed' | 'percent';

/** Number formats without a definition in the file. @see ECMA-376 part 1, 18.8.30 */
function builtIn(id: number): Kind {
  if (id === 9 || id === 10) return 'percent';
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58)) return 'date';
  if (id === 46) return 'elapsed';
  if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || (id >= 45 && id <= 47)) return 'time';
  return id === 22 ? 'dateTime' : 'general';
}

/** The kind of a format code such as `yyyy\-mm\-dd;@` or `[Red]0.0%`. */
export function kindOfFormat(code: string): Kind {
  const bare = code
    .replace(/"[^"]*"|\\.|_.|\*./gu, '')
    .replace(/\[(?!(?:h+|m+|s+)\])[^\]]*\]/giu, '')
    .split(';')[0]!
    .toLowerCase();
  if (/general/u.test(bare)) return 'general';
  if (/\[[hms]/u.test(bare)) return 'elapsed';
  const day = /[dy]|mmm/u.test(bare) || (/m/u.test(bare) && !/[hs]/u.test(bare));
  const time = /[hs]/u.test(bare);
  if (day) return time ? 'dateTime' : 'date';
  if (time) return 'time';
  return bare.includes('%') ? 'percent' : 'general';
}

export class CellFormats {
  readonly #codes = new Map<number, string>();
  readonly #kinds: Kind[] = [];
  readonly #written: ReturnType<typeof readNumberFormat>[] = [];
  #inCells = false;
  readonly handler: XmlHandler = {
    open: (name, attributes) => {
      if (name === 'numFmt') {
        this.#codes.set(Number(attribute(attributes, 'numFmtId')), attribute(attributes, 'formatCode') ?? '');
      } else if (name === 'cellXfs') this.#inCells = true;
      else if (name === 'xf' && this.#inCells) {
        this.addStyle(Number(attribute(attributes, 'numFmtId') ?? 0));
      }
    },
    close: (name) => {
      if (name === 'cellXfs') this.#inCells = false;
    },
  };

  /** For files that are not XML: the number format of the next style, and the code of a number format. */
  addStyle(format: number): void {
    const code = this.#codes.get(format);
    const kind = code === undefined ? builtIn(format) : kindOfFormat(code);
    this.#kinds.push(kind);
    this.#written.push(kind === 'general' && code !== undefined ? readNumberFormat(code) : undefined);
  }

  addCode(format: number, code: string): void {
    this.#codes.set(format, code);
  }

  /** @param style the `s` attribute of the cell @param from1904 whether day 0 is 1904-01-01 */
  show(value: string, style: number, from1904: boolean): string {
    const number = Number(value);
    if (value.trim() === '' || !Number.isFinite(number)) return value.trim();
    switch (this.#kinds[style] ?? 'general') {
      case 'percent':
        return `${plain(number * 100)}%`;
      case 'date':
        return showSerial(number, from1904, true, false);
      case 'dateTime':
        return showSerial(number, from1904, true, true);
      case 'time':
        return showSerial(number, from1904, number >= 1 && number < 2 ? false : number >= 2, true);
      case 'elapsed':
        return showElapsed(number);
      default:
        return this.#written[style]?.(number) ?? plain(number);
    }
  }
}

/** Removes the error of binary fractions: 0.1 + 0.2 gives 0.3. */
export function plain(number: number): string {
  return String(Number(number.toPrecision(15)));
}

/** A length of time, such as a sum of hours in a time sheet: days are hours, too. */
export function showElapsed(days: number): string {
  const seconds = Math.round(Math.abs(days) * 86_400);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const clock = parts.map((part) => String(part).padStart(2, '0')).join(':');
  return `${days < 0 ? '-' : ''}${clock.replace(/(?<=:\d\d):00$/u, '')}`;
}

/**
 * A serial day as ISO date, time, or both. Day 60 is 29 February 1900, which did not exist, so earlier days count from
 * another epoch, as in Excel.
 */
export function showSerial(serial: number, from1904: boolean, date: boolean, time: boolean): string {
  const epoch = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 60 ? 31 : 30);
  const at = new Date(epoch + Math.round(serial * 86_400) * 1000);
  if (Number.isNaN(at.getTime()) || serial < 0) return plain(serial);
  const iso = at.toISOString();
  const clock = iso.slice(17, 19) === '00' ? iso.slice(11, 16) : iso.slice(11, 19);
  if (!date) return clock;
  const midnight = iso.slice(11, 19) === '00:00:00';
  return time && !midnight ? `${iso.slice(0, 10)} ${clock}` : iso.slice(0, 10);
}
