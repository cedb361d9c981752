/** When a message was sent, as its `Date` says. */

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const TIME = String.raw`(\d{1,2}):(\d{1,2})(?::(\d{1,2}))?(?:[.,]\d+)?\s*([AP]M\b)?`;
/** `Tue, 1 Oct 2024 12:34:56 +0200`, `01-Oct-24 12:34` */
const DAY_FIRST = new RegExp(String.raw`\b(\d{1,2})[\s-]+([A-Z]{3})[A-Z]*\.?[\s-]+(\d{2,4})[\s,]+${TIME}\s*(.*)$`, 'i');
/** `Tue Oct  1 12:34:56 CEST 2024`, `Oct 1, 2024 12:34 PM` */
const MONTH_FIRST = new RegExp(
  String.raw`\b([A-Z]{3})[A-Z]*\.?\s+(\d{1,2}),?\s+(?:(\d{4})[\s,]+)?${TIME}\s*(.*?)(?:\s*(?<![+-])\b(\d{4}))?\s*$`,
  'i',
);
/** `2024-10-01T12:34:56Z`, `2024/10/01 Tue 12:34` */
const YEAR_FIRST = new RegExp(
  String.raw`\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:T|[\s,]+(?:[A-Z]+[\s,]+)?)${TIME}\s*(.*)$`,
  'i',
);

/**
 * The moment of a `Date` field, also where programs write it their own way: a year of two or three digits, a zone
 * with a name, hours of twelve. A zone that is missing or unknown is UTC: the zone of this machine says nothing.
 * @see RFC 5322, 3.3 and 4.3
 */
export function momentOf(field: string): Date | undefined {
  const text = field.replace(/\([^()]*\)/g, ' ').trim();
  const day = DAY_FIRST.exec(text);
  if (day) return moment(day[3]!, monthOf(day[2]!), day[1]!, day.slice(4));
  const month = MONTH_FIRST.exec(text);
  if (month) return moment(month[3] ?? month[9] ?? '', monthOf(month[1]!), month[2]!, month.slice(4));
  const year = YEAR_FIRST.exec(text);
  return year ? moment(year[1]!, Number(year[2]), year[3]!, year.slice(4)) : undefined;
}

/** 1 to 12, or 0. */
function monthOf(name: string): number {
  return MONTHS.indexOf(name.toLowerCase()) + 1;
}

function moment(year: string, month: number, day: string, time: readonly (string | undefined)[]): Date | undefined {
  const [hour, minute, second, half, zone] = time;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0);
  const fields = [fullYear(year), month - 1, Number(day), hours, Number(minute), Number(second ?? 0)] as const;
  const at = new Date(Date.UTC(...fields));
  // 60 is a leap second.
  const isTime = hours < 24 && fields[4] < 60 && fields[5] <= 60 && fields[2] > 0;
  if (!isTime || at.getUTCMonth() !== month - 1) return undefined;
  return new Date(at.getTime() - minutesOf(zone ?? '') * 60_000);
}

/** Years of two digits are of 1950 to 2049; programs that count from 1900 write 102 for 2002. */
function fullYear(digits: string): number {
  const year = Number(digits);
  if (digits.length === 2 && year < 50) return 2000 + year;
  return year < 1000 ? 1900 + year : year;
}

/** Hours east of UTC; each name as in the place that most mail with the name comes from. */
const ZONES: Readonly<Record<string, number>> = {
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
  akst: -9,
  akdt: -8,
  hst: -10,
  ast: -4,
  adt: -3,
  wet: 0,
  west: 1,
  bst: 1,
  gdt: 1,
  cet: 1,
  met: 1,
  mez: 1,
  cest: 2,
  mest: 2,
  mesz: 2,
  eet: 2,
  sast: 2,
  eest: 3,
  msk: 3,
  msd: 4,
  jst: 9,
  kst: 9,
  aest: 10,
  aedt: 11,
  nzst: 12,
  nzdt: 13,
};

/** Minutes east of UTC. Windows spells names out: `Eastern Daylight Time`. */
function minutesOf(zone: string): number {
  const offset = /^(?:GMT|UTC|UT)?\s*(\+-?|-)\s*(\d{1,2}):?(\d\d)?\b/i.exec(zone);
  if (offset) {
    const [, sign, hours, minutes] = offset;
    const size = Number(hours) * 60 + Number(minutes ?? 0);
    return size >= 24 * 60 ? 0 : sign!.endsWith('-') ? -size : size;
  }
  const spelt = /(\w+) (Standard|Daylight) Time/i.exec(zone);
  const name = spelt ? `${spelt[1]![0]}${spelt[2]![0]}t` : (/^[A-Z]+/i.exec(zone)?.[0] ?? '');
  const known = spelt && !/^(?:Eastern|Central|Mountain|Pacific|GMT)$/i.test(spelt[1]!) ? '' : name.toLowerCase();
  return (Object.hasOwn(ZONES, known) ? ZONES[known]! : 0) * 60;
}
