const UNITS: Readonly<Record<string, string>> = {
  SECONDLY: 'second',
  MINUTELY: 'minute',
  HOURLY: 'hour',
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
  YEARLY: 'year',
};
const DAYS: Readonly<Record<string, string>> = {
  MO: 'Monday',
  TU: 'Tuesday',
  WE: 'Wednesday',
  TH: 'Thursday',
  FR: 'Friday',
  SA: 'Saturday',
  SU: 'Sunday',
};
// biome-ignore format: one line
export const MONTHS: readonly string[] = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const ORDINALS = ['', 'the first ', 'the second ', 'the third ', 'the fourth ', 'the fifth '];

/**
 * `FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;COUNT=5` → `every 2 weeks on Tuesday, 5 times`. A rule with parts that are seldom
 * used stays as it is written. @see RFC 5545, 3.3.10
 */
export function ruleText(rule: string, showTime: (value: string) => string): string {
  const parts = new Map(rule.split(';').map((part) => part.trim().toUpperCase().split('=', 2) as [string, string]));
  const unit = UNITS[parts.get('FREQ') ?? ''];
  const every = Number(parts.get('INTERVAL') ?? 1);
  if (unit === undefined || !(every >= 1)) return rule;
  let text = every === 1 ? `every ${unit}` : `every ${every} ${unit}s`;
  const hours = parts.get('BYHOUR')?.split(',') ?? [];
  const minutes = parts.get('BYMINUTE')?.split(',') ?? [];
  for (const name of [
    'BYDAY',
    'BYMONTHDAY',
    'BYYEARDAY',
    'BYWEEKNO',
    'BYMONTH',
    'BYSETPOS',
    'BYHOUR',
    'UNTIL',
    'COUNT',
  ]) {
    const value = parts.get(name);
    if (value === undefined) continue;
    if (name === 'UNTIL') text += ` until ${showTime(value)}`;
    else if (name === 'COUNT') text += `, ${value} times`;
    else if (name === 'BYHOUR') {
      // Without minutes they are those of the start.
      const clock = hours.flatMap((hour) => minutes.map((minute) => `${pad(hour)}:${pad(minute)}`));
      text += ` at ${clock.length > 0 ? clock.join(', ') : hours.map((hour) => `${Number(hour)} h`).join(', ')}`;
      parts.delete('BYMINUTE');
    } else {
      const said = value.split(',').map((one) => placeIn(name, one));
      if (said.includes(undefined)) return rule;
      text +=
        name === 'BYSETPOS'
          ? `, only ${said.join(', ')} of these`
          : ` ${name === 'BYMONTH' || name === 'BYWEEKNO' ? 'in' : 'on'} ${said.join(', ')}`;
    }
    parts.delete(name);
  }
  for (const name of ['FREQ', 'INTERVAL', 'WKST', '']) parts.delete(name);
  return parts.size === 0 ? text : rule;
}

function pad(number: string): string {
  return number.padStart(2, '0');
}

function placeIn(name: string, value: string): string | undefined {
  if (name === 'BYYEARDAY' || name === 'BYWEEKNO') {
    if (!/^\+?[1-9]\d{0,2}$/.test(value)) return undefined;
    return name === 'BYWEEKNO' ? `week ${Number(value)}` : `day ${Number(value)} of the year`;
  }
  if (name === 'BYSETPOS') {
    const at = Number(value);
    return at < 0 ? fromEnd(at, '')?.trimEnd() : ORDINALS[at]?.trimEnd() || undefined;
  }
  if (name === 'BYMONTH') return MONTHS[Number(value) - 1];
  const [, number = '', day = ''] = /^\+?(-?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)?$/.exec(value) ?? [];
  const count = Number(number);
  if (name === 'BYMONTHDAY')
    return day !== '' || count === 0 ? undefined : count > 0 ? `day ${count}` : fromEnd(count, 'day');
  if (day === '') return undefined;
  return count < 0
    ? fromEnd(count, DAYS[day]!)
    : ORDINALS[count] === undefined
      ? undefined
      : ORDINALS[count] + DAYS[day]!;
}

function fromEnd(count: number, what: string): string | undefined {
  if (count === -1) return `the last ${what}`;
  return ORDINALS[-count] === undefined ? undefined : `${ORDINALS[-count]}last ${what}`;
}

/** `PT1H30M` → `1 h 30 min`; other texts stay. @see RFC 5545, 3.3.6 */
export function durationText(value: string): string {
  const match = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(value.trim());
  const units = ['weeks', 'days', 'h', 'min', 's'];
  const said = match
    ?.slice(1)
    .flatMap((count, i) => (Number(count ?? 0) === 0 ? [] : [`${Number(count)} ${units[i]}`]));
  return said === undefined || said.length === 0 ? value : said.join(' ').replace(/\b1 (week|day)s/g, '1 $1');
}
