import { valuesOf } from './values.ts';

/** The number that a cell is. */
export interface CellAmount {
  readonly amount: number;
  /** What stands before it and behind it, without spaces around: `€`, `kg`. */
  readonly before: string;
  readonly unit: string;
}

const amountCell =
  /^(?<before>[^\p{N}\p{L}(-]*)(?<minus>[-–−(]?)\s?(?<digits>\p{Nd}+(?:[.,'’ \u00a0\u202f]\p{Nd}+)*)\)?\s*(?<unit>[^\p{Nd}]*)$/u;

/** `17.03.2014` */
const isDate = /^\d{1,2}\.\d{1,2}\.(?:\d\d){1,2}$/u;

/** The number that a cell is, whatever its unit; undefined where it says more, or none. */
export function amountOf(cell: string, language: string): CellAmount | undefined {
  const groups = amountCell.exec(cell)?.groups;
  if (groups === undefined || isDate.test(groups.digits!)) return undefined;
  const amount = (groups.minus ? -1 : 1) * numberOf(groups.digits!, language);
  if (!Number.isFinite(amount)) return undefined;
  return { amount, before: groups.before!.trim(), unit: groups.unit!.trim() };
}

/** `12.870` is twelve thousand in most languages, and less than thirteen in English. */
function numberOf(digits: string, language: string): number {
  const plain = digits.replace(/['’ \u00a0\u202f]/gu, '');
  const marks = plain.match(/[.,]/g) ?? [];
  const last = marks.at(-1);
  if (last === undefined) return Number(plain);
  const behind = plain.length - plain.lastIndexOf(last) - 1;
  const isGrouping = marks.filter((mark) => mark === last).length > 1;
  const isThousands =
    behind === 3 && marks.length === 1 && !plain.startsWith('0') && (last === ',') === (language === 'en');
  const isDecimal = !isGrouping && !isThousands;
  const [mark, other] = last === '.' ? ['.', ','] : [',', '.'];
  const bare = plain.replaceAll(other, '');
  return Number(isDecimal ? bare.replace(mark, '.') : bare.replaceAll(mark, ''));
}

/** The first and the last day of a time, counted with `daysOfYear` to a year. */
export interface Time {
  readonly from: number;
  readonly to: number;
}

const daysOfMonth = 31;
const daysOfYear = 12 * daysOfMonth;
const dayNumber = (year: number, month: number, day: number): number =>
  year * daysOfYear + (month - 1) * daysOfMonth + (day - 1);

/** A year, a month of a year, or a day of it. */
export function timeOf(year: number, month?: number, day?: number): Time {
  return {
    from: dayNumber(year, month ?? 1, day ?? 1),
    to: dayNumber(year, month ?? 12, day ?? daysOfMonth),
  };
}

/** The year that a time begins in. */
export const yearOf = ({ from }: Time): number => Math.floor(from / daysOfYear);

/** The month that all days of a time are in, from 1 on; undefined for a longer time. */
export function monthOf({ from, to }: Time): number | undefined {
  const [first, last] = [from, to].map((day) => Math.floor(day / daysOfMonth));
  return first === last ? (first! % 12) + 1 : undefined;
}

const yearCell = /^(1\d{3}|20\d\d)$/;
const monthCell = /^(?:(1\d{3}|20\d\d)-(0[1-9]|1[0-2])|(0?[1-9]|1[0-2])[/.](1\d{3}|20\d\d))$/;
const slashedCell = /^(\d{1,2})\/(\d{1,2})\/(1\d{3}|20\d\d)$/;
/** Beside a date in its cell: the hour, the day of the week. */
const besideDate =
  /\d{1,2}:\d\d(?::\d\d)?|(?<!\p{L})(?:(?:mon|tue|wed|thu|fri|sat|sun)\p{L}{0,6}|mo|di|mi|do|fr|sa|so|uhr)(?!\p{L})/giu;
const isBeside = (text: string): boolean => /^[\s,.TZ]*$/u.test(text.replace(besideDate, ''));

/** Which number of `3/4/2024` comes first, where a column tells. */
type Order = 'day' | 'month' | undefined;

/** The times that the cells of a column are, undefined for an empty one; undefined where a cell is none, or all are empty. */
export function timesOf(cells: readonly string[]): readonly (Time | undefined)[] | undefined {
  const slashed = cells.map((cell) => slashedCell.exec(cell));
  const isDay = (group: number): boolean => slashed.some((found) => found !== null && Number(found[group]) > 12);
  const order = isDay(1) ? 'day' : isDay(2) ? 'month' : undefined;
  const times: (Time | undefined)[] = [];
  for (const cell of cells) {
    const time = cell === '' ? undefined : timeOfCell(cell, order);
    if (cell !== '' && time === undefined) return undefined;
    times.push(time);
  }
  return times.some((time) => time !== undefined) ? times : undefined;
}

/** The time that a cell is; undefined where it says more, or none, or no year. */
export function timeOfCell(cell: string, order?: Order): Time | undefined {
  const year = yearCell.exec(cell);
  if (year) return timeOf(Number(cell));
  const month = monthCell.exec(cell);
  if (month) return timeOf(Number(month[1] ?? month[4]), Number(month[2] ?? month[3]));
  const slashed = slashedCell.exec(cell);
  if (slashed) return timeOfSlashed(slashed, order);
  const [date, ...more] = valuesOf(cell).filter(({ kind }) => kind === 'date');
  if (date === undefined || more.length > 0) return undefined;
  if (!isBeside(cell.slice(0, date.start)) || !isBeside(cell.slice(date.end))) return undefined;
  return timeOfKey(date.key);
}

/** The day that `3/4/2024` is, or the time from one to the other of the two that it may be. */
function timeOfSlashed(slashed: RegExpExecArray, order: Order): Time | undefined {
  const [a, b, year] = slashed.slice(1).map(Number) as [number, number, number];
  const both = [
    ...(b <= 12 && order !== 'month' ? [timeOf(year, b, a)] : []),
    ...(a <= 12 && order !== 'day' ? [timeOf(year, a, b)] : []),
  ];
  if (both.length === 0) return undefined;
  return { from: Math.min(...both.map(({ from }) => from)), to: Math.max(...both.map(({ to }) => to)) };
}

/** The time of a date that `valuesOf` finds: its key is `2024-3-5`, with a day of 0 for a whole month; undefined without a year. */
export function timeOfKey(key: string): Time | undefined {
  const [year = '', month, day] = key.split('-');
  return year === '' ? undefined : timeOf(Number(year), Number(month), Number(day) || undefined);
}
