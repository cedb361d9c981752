/** The text of a cell of OpenDocument: as that of Excel, from the stored value and from how the cell shows it. */
import { type Attributes, attribute } from '../markup/xml.ts';
import { SAYS } from './number-format.ts';
import { plain, showElapsed, showSerial } from './xlsx-values.ts';

/** @param shown the paragraphs of the cell; some programs write values alone */
export function showCell(attributes: Attributes, shown: string): string {
  const given = (name: string): string => attribute(attributes, name, 'office') ?? '';
  const value = Number(given('value') || Number.NaN);
  switch (given('value-type')) {
    case 'float':
      return Number.isNaN(value) ? shown : showNumber(value, shown);
    case 'currency':
      if (Number.isNaN(value)) return shown;
      return shown === '' ? `${plain(value)} ${given('currency')}`.trim() : showNumber(value, shown);
    case 'percentage':
      return Number.isNaN(value) ? shown : `${plain(value * 100)}%`;
    case 'date':
      return showDate(given('date-value'), shown);
    case 'time':
      return showTime(given('time-value'), shown);
    case 'boolean':
      return given('boolean-value') === '' ? shown : given('boolean-value').toUpperCase();
    default:
      return shown === '' ? given('string-value') : shown;
  }
}

const RUN = /\d(?:[\d.,'’\s]*\d)?/gu;

/** The whole number, with the unit beside it; a code (007, 12-34) and a word in place of a number as they are shown. */
function showNumber(value: number, shown: string): string {
  const size = Math.abs(value);
  const runs = [...shown.matchAll(RUN)].map(({ 0: text, index }) => ({
    text,
    index,
    digits: text.replace(/\D/gu, ''),
  }));
  if (runs.length === 0) return SAYS.test(shown) ? shown : plain(value);
  const all = runs.map(({ digits }) => digits).join('');
  const isCode = runs.length > 1 || /^0\d+$/u.test(shown);
  if (isCode && Number.isSafeInteger(value) && BigInt(all) === BigInt(size)) return shown;
  const run = runs.find(({ digits }) => saysNumber(digits, size));
  if (!run) return plain(value); // shown in thousands, as a fraction, or with an exponent
  const beside = (text: string): string => (SAYS.test(text) ? text.replace(/^[-−(]+|[-−()]+$/gu, '') : '');
  const before = beside(shown.slice(0, run.index)).trimStart();
  const behind = beside(shown.slice(run.index + run.text.length)).trimEnd();
  return `${value < 0 ? '-' : ''}${before}${plain(size)}${behind}`;
}

/** Whether the digits are those of the number, rounded somewhere. */
function saysNumber(digits: string, size: number): boolean {
  const bare = (text: string): string => text.replace(/^0+(?=\d)/u, '');
  for (let places = 0; places <= Math.min(digits.length, 100); places++) {
    if (bare(size.toFixed(places).replace('.', '')) === bare(digits)) return true;
  }
  return false;
}

/** @param value `2023-12-31` or `2023-12-31T14:30:00` */
function showDate(value: string, shown: string): string {
  const match = /^(-?\d{4,}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d)?)?/u.exec(value);
  if (!match) return shown;
  const [, day, time = '00:00', seconds = ':00'] = match;
  const isMidnight = time === '00:00' && seconds === ':00';
  const isTimed = shown === '' || shown.includes(':') || [...shown.matchAll(/\d+/gu)].length > 3;
  return isMidnight || !isTimed ? day! : `${day} ${time}${seconds === ':00' ? '' : seconds}`;
}

/** @param value `PT09H30M00S` */
function showTime(value: string, shown: string): string {
  const match = /^(-)?P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?)?$/u.exec(value);
  if (!match) return shown;
  const [days, hours, minutes, seconds] = match.slice(2).map((part) => Number((part ?? '0').replace(',', '.')));
  const length = days! + hours! / 24 + minutes! / 1440 + seconds! / 86_400;
  if (match[1]) return showElapsed(-length);
  // A time of a day that was counted on is shown without the days.
  const isElapsed = shown === '' || Number.parseInt(shown, 10) >= 24;
  return length < 1 || isElapsed ? showElapsed(length) : showSerial(length % 1, false, false, true);
}
