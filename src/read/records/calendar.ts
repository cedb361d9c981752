import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { parseHtml } from '../markup/html.ts';
import { type ContentLine, contentLines, unescapeText } from './content-lines.ts';
import { durationText, ruleText } from './recurrence.ts';

type Context = Pick<ParseContext, 'name' | 'maxTextChars'>;

const KINDS: Readonly<Record<string, string>> = {
  VEVENT: 'Event',
  VTODO: 'Task',
  VJOURNAL: 'Journal',
  VFREEBUSY: 'Busy times',
};
/** Property → what a reader calls it. Others (ids, stamps, alarms, time zones) say nothing about the matter. */
const SHOWN: Readonly<Record<string, string>> = {
  DTSTART: 'Start',
  DTEND: 'End',
  DUE: 'Due',
  DURATION: 'Duration',
  FREEBUSY: 'Busy',
  RRULE: 'Repeats',
  RDATE: 'Also on',
  EXDATE: 'Not on',
  'RECURRENCE-ID': 'Instead of',
  COMPLETED: 'Completed',
  LOCATION: 'Place',
  STATUS: 'Status',
  ORGANIZER: 'Organiser',
  ATTENDEE: 'Attendee',
  CONTACT: 'Contact',
  CATEGORIES: 'Categories',
  RESOURCES: 'Resources',
  PRIORITY: 'Priority',
  'PERCENT-COMPLETE': 'Percent done',
  GEO: 'Coordinates',
  URL: 'Link',
  CONFERENCE: 'Conference',
  'X-GOOGLE-CONFERENCE': 'Conference',
  ATTACH: 'Attachment',
};
/** Properties with several times, or periods. */
const TIMES: ReadonlySet<string> = new Set(['EXDATE', 'RDATE', 'FREEBUSY']);

/**
 * iCalendar → a heading for each event, task or journal entry, its times, place and people as lines, and its
 * description. Times stay in their zone. @see RFC 5545
 */
export function parseCalendar(source: string, context: Context): ParsedDocument {
  const builder = new DocumentBuilder('ics', context);
  let open: ContentLine[] | undefined;
  let depth = 0;
  let entries = 0;
  const close = (): void => {
    if (open === undefined) return;
    writeEntry(builder, open, context);
    entries++;
    open = undefined;
  };
  for (const line of contentLines(source)) {
    const kind = line.value.trim().toUpperCase();
    if (line.name === 'BEGIN' && KINDS[kind] !== undefined) {
      close(); // the entry before has no end: none stands in another
      open = [line];
      depth = 0;
    } else if (line.name === 'BEGIN') depth++;
    else if (line.name === 'END' && depth > 0) depth--;
    else if (line.name === 'END' && open !== undefined) {
      close();
    } else if (open !== undefined && depth === 0) open.push(line);
    else if (line.name === 'X-WR-CALDESC') builder.block({ kind: 'paragraph' }, unescapeText(line.value));
    else if (line.name === 'X-WR-CALNAME') builder.title = unescapeText(line.value);
  }
  if (open !== undefined) {
    builder.warn('CALENDAR_CUT', 'the last entry has no end: the file is cut short');
    close();
  }
  builder.metadata.entries = entries;
  return builder.build();
}

/** Calendars of web sites and Outlook write descriptions in HTML. */
const TAGS = /<(?:!doctype|html|br|p|a|b|i|u|ul|ol|span|div|html-blob)(?:\s[^<>]*)?\/?>/i;

function withoutTags(text: string, context: Context): string {
  if (!TAGS.test(text)) return text;
  // The line ends of a text with a few tags are its own; those of a page are not.
  const page = /<(?:p|div|html|ul|ol)[\s>]/i.test(text) ? text : text.replace(/\n/g, '<br>');
  // Where to call stands in the address of a link.
  const linked = page.replace(
    /<a\s[^<>]{0,200}?href="([^"<>]{1,2000})"[^<>]{0,500}>([^<>]{0,500})<\/a>/gi,
    (link, to: string, name: string) => (name.includes(to) ? link : `${name} (${to})`),
  );
  return parseHtml(linked, { ...context, surroundings: { isWhole: true } }).text;
}

function writeEntry(builder: DocumentBuilder, [begin, ...lines]: readonly ContentLine[], context: Context): void {
  const all = (name: string): string[] =>
    lines.filter((line) => line.name === name).map((line) => unescapeText(line.value));
  const kind = KINDS[begin!.value.trim().toUpperCase()]!;
  const place = { lines: [begin!.lines[0], (lines.at(-1) ?? begin!).lines[1]] as const };
  const title = all('SUMMARY')[0] || kind;
  builder.block({ kind: 'heading', level: 1 }, title.replace(/\s+/g, ' '), place);
  const start = lines.find((line) => line.name === 'DTSTART')?.value.trim() ?? '';
  const shown = lines.flatMap((line) => lastDay(line, start));
  const facts = Object.entries(SHOWN).flatMap(([name, label]) => {
    const values = shown.filter((line) => line.name === name && line.value.trim() !== '').map(showValue);
    if (values.length === 0 || (name === 'RRULE' && start !== '')) return [];
    // The first day alone would not say when the event is.
    const repeats = name === 'DTSTART' ? shown.filter((line) => line.name === 'RRULE').map(showValue) : [];
    return [`${label}: ${[...values, ...repeats.map((rule) => `repeats ${rule}`)].join(', ')}`];
  });
  builder.block({ kind: 'record' }, facts.join('\n'), place);
  const said = [...all('DESCRIPTION'), ...all('COMMENT')].filter((text) => text !== '');
  for (const text of (said.length > 0 ? said : all('X-ALT-DESC')).map((one) => withoutTags(one, context)))
    for (const paragraph of text.split(/\n\s*\n/)) builder.block({ kind: 'paragraph' }, paragraph, place);
}

/**
 * The end of an event of whole days is the day after it, and its duration counts the first day: both are shown as the
 * last day, and not at all where that is the first.
 */
function lastDay(line: ContentLine, start: string): ContentLine[] {
  const from = dayNumber(start);
  const length = /^P(?:(\d+)W)?(?:(\d+)D)?$/.exec(line.value.trim());
  let after: number | undefined;
  if (line.name === 'DTEND') after = dayNumber(line.value.trim());
  else if (line.name === 'DURATION' && length && from !== undefined)
    after = from + Number(length[1] ?? 0) * 7 + Number(length[2] ?? 0);
  if (from === undefined || after === undefined) return [line];
  if (after - 1 <= from) return [];
  const last = new Date((after - 1) * DAY_MS);
  if (!(last.getUTCFullYear() <= 9999)) return [line];
  return [{ ...line, name: 'DTEND', value: last.toISOString().slice(0, 10).replaceAll('-', '') }];
}

const DAY_MS = 86_400_000;

/** Days since 1970; undefined for what is not a date alone. */
function dayNumber(value: string): number | undefined {
  const date = /^(\d{4})(\d\d)(\d\d)$/.exec(value);
  return date ? Date.UTC(Number(date[1]), Number(date[2]) - 1, Number(date[3])) / DAY_MS : undefined;
}

function showValue({ name, value, parameters }: ContentLine): string {
  if (name === 'ORGANIZER' || name === 'ATTENDEE') {
    const address = value.replace(/^mailto:/i, '');
    const reply = /^(?:accepted|declined|tentative|delegated)$/i.exec(parameters.PARTSTAT ?? '')?.[0].toLowerCase();
    return (parameters.CN ? `${parameters.CN} <${address}>` : address) + (reply === undefined ? '' : ` (${reply})`);
  }
  if (name === 'ATTACH') {
    const isInside = parameters.VALUE?.toUpperCase() === 'BINARY';
    const file = parameters.FILENAME ?? parameters['X-FILENAME'];
    return [file, isInside ? undefined : value].filter((part) => part !== undefined).join(' ') || 'in the file';
  }
  if (name === 'RRULE') return ruleText(value, (time) => showTime(time, {}));
  if (name === 'DURATION') return durationText(value);
  if (TIMES.has(name))
    return value
      .split(',')
      .map((period) =>
        period
          .split('/')
          .map((one) => showTime(one, parameters))
          .join(' – '),
      )
      .join(', ');
  return showTime(value, parameters);
}

function showTime(value: string, parameters: ContentLine['parameters']): string {
  const time = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/.exec(value.trim());
  if (!time) return unescapeText(value).replace(/\s+/g, ' ');
  const [, year, month, day, hour, minute, , isUtc] = time;
  const zone = isUtc ? ' UTC' : parameters.TZID ? ` ${parameters.TZID}` : '';
  return `${year}-${month}-${day}${hour === undefined ? '' : ` ${hour}:${minute}${zone}`}`;
}
