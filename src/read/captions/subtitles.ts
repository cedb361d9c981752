import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';

const TIMES =
  /^\s*((?:\d+:)?\d{1,3}:\d{1,2}[.,]\d{1,3}|(?:\d+:)?\d{1,3}:\d{1,2})\s*(?:-->|,)\s*((?:\d+:)?\d{1,3}:\d{1,2}(?:[.,]\d{1,3})?)(?:\s|$)/;

/** The time at which the next word begins, inside a cue. */
export const INNER_TIME: RegExp = /<((?:\d+:)?\d{1,3}:\d{1,2}\.\d{1,3})>/;

/** A caption that comes again so soon is still shown; later, the same words are said again. */
const REPEAT_MS = 250;

/** One caption. */
interface Cue {
  /** As it is written, with its tags. */
  readonly raw: string;
  /** Without times and styling; `<v Name>` is `Name: `. */
  readonly text: string;
  /** Absent: they cannot be read. */
  readonly timeMs?: readonly [start: number, end: number];
  /** Line of the source where the cue begins with its number or times, and the lines of its text; from 1. */
  readonly firstLine: number;
  readonly lines: readonly [first: number, last: number];
}

/**
 * SubRip, WebVTT and SBV → one block for each cue, without numbers, times and styling; `<v Name>` becomes `Name: `.
 * Locators carry `timeMs` and the source `lines`. A cue with unreadable times keeps its text, with a warning.
 * @see https://www.w3.org/TR/webvtt1/
 */
export function parseSubtitles(source: string, context: Pick<ParseContext, 'maxTextChars'>): ParsedDocument {
  const builder = new DocumentBuilder('subtitles', context);
  builder.title = /^\ufeff?WEBVTT[ \t-]+(.+)/.exec(source)?.[1]?.trim() ?? '';
  for (const { text, timeMs, firstLine, lines } of cuesOf(source)) {
    if (timeMs === undefined)
      builder.warn('CUE_WITHOUT_TIME', `line ${firstLine}: the times of this cue cannot be read`);
    builder.block({ kind: 'cue' }, text, { lines, ...(timeMs ? { timeMs } : {}) }, '\n');
  }
  return builder.build();
}

/**
 * The cues that hold text, in order. Rolling captions repeat a cue with a later end, or its last line above the next
 * one: the first times stay.
 */
export function* cuesOf(source: string): Generator<Cue> {
  const lines = source.replace(/\r\n?/g, '\n').split('\n');
  let at = 0;
  const isWebVtt = /^\ufeff?WEBVTT/.test(lines[0] ?? '');
  if (isWebVtt) while (at < lines.length && lines[at]!.trim() !== '') at++;
  let last: string | undefined;
  let lastTimes: readonly [start: number, end: number] | undefined;
  while (at < lines.length) {
    while (at < lines.length && lines[at]!.trim() === '') at++;
    const first = at;
    // Without an empty line before it, a cue begins with its times, or with its number above them.
    const begins = (line: number): boolean => {
      const times = /^\s*\d+\s*$/.test(lines[line]!) ? line + 1 : line;
      return line > first + (times > line ? 0 : 1) && isTimes(lines[times]);
    };
    // YouTube writes a line of one blank below the times; in WebVTT only an empty line ends a cue.
    const goesOn = (): boolean => isWebVtt && lines[at] !== '' && at > first && TIMES.test(lines[at - 1]!);
    while (at < lines.length && (lines[at]!.trim() !== '' || goesOn()) && !begins(at)) at++;
    if (first === at) break;
    const group = lines.slice(first, at);
    if (/^(?:NOTE|STYLE|REGION)(?:\s|$)/.test(group[0]!)) continue;
    let timeLine = group.findIndex((line) => TIMES.test(line));
    if (timeLine > 1) timeLine = -1; // times are on the first line or below the number of the cue
    const broken = timeLine === -1 && group.slice(0, 2).findIndex((line) => line.includes('-->'));
    let textFrom = timeLine !== -1 ? timeLine + 1 : typeof broken === 'number' && broken !== -1 ? broken + 1 : 0;
    if (isRolled(group.slice(textFrom), last)) textFrom++;
    const raw = group.slice(textFrom).join('\n');
    const text = cueText(raw);
    if (text === '') continue;
    // In SubRip, text behind an empty line belongs to the caption above it.
    const goesOnAbove = !isWebVtt && timeLine === -1 && textFrom === 0 && !group[0]!.includes('-->');
    const timeMs = timeLine !== -1 ? timesOf(group[timeLine]!) : goesOnAbove ? lastTimes : undefined;
    const isShown = text === last && (timeMs === undefined || timeMs[0] - (lastTimes?.[1] ?? 0) < REPEAT_MS);
    last = text;
    lastTimes = timeMs ?? lastTimes;
    if (isShown) continue;
    yield { raw, text, ...(timeMs ? { timeMs } : {}), firstLine: first + 1, lines: [first + textFrom + 1, at] };
  }
}

function isTimes(line: string | undefined): boolean {
  return line?.includes('-->') === true && TIMES.test(line);
}

/** Whether the first line was said by the cue before: it is shown at once, while the words below it come one by one. */
function isRolled([shown = '', ...coming]: readonly string[], last: string | undefined): boolean {
  const text = cueText(shown);
  return (
    text !== '' &&
    last?.split('\n').at(-1) === text &&
    !INNER_TIME.test(shown) &&
    coming.some((line) => INNER_TIME.test(line))
  );
}

function timesOf(line: string): readonly [number, number] | undefined {
  const match = TIMES.exec(line);
  if (!match) return undefined;
  const start = milliseconds(match[1]!);
  const end = milliseconds(match[2]!);
  return end >= start ? [start, end] : undefined;
}

/** `1:02:03,500` and `02:03.5` in milliseconds; the fraction has one to three digits. */
export function milliseconds(time: string): number {
  const [clock, fraction = ''] = time.split(/[.,]/) as [string, string?];
  const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return seconds * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3) || 0);
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
  lrm: '',
  rlm: '',
  quot: '"',
  apos: "'",
};

/**
 * @param name of an entity, or `#39`, `#x27`
 * @returns undefined for an unknown name, and for what is no character of a text
 */
function characterOf(name: string): string | undefined {
  if (!name.startsWith('#')) return Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined;
  const code = Number(name.slice(1).replace(/^x/i, '0x'));
  const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return isControl || isSurrogate || code > 0x10ffff ? undefined : String.fromCodePoint(code);
}

/** The text of a cue without times and styling; `<v Name>` becomes `Name: `. */
export function cueText(raw: string): string {
  return raw
    .replace(/<v(?:\.[^\s<>]*)?\s+([^<>]+)>/g, (_, name: string) => `${name.trim()}: `)
    .replace(/<\/?(?:[a-z][\w.]*|\d\d:[\d:.]+)(?:\s[^<>]*)?>/gi, '')
    .replace(/\{\\[^{}\n]*\}/g, '')
    .replace(/\[br\]|\\N/g, '\n') // SBV, and captions that were converted from SubStation Alpha
    .replace(/&(#x[\da-f]{1,6}|#\d{1,7}|\w+);/gi, (whole, name: string) => characterOf(name) ?? whole)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim();
}
