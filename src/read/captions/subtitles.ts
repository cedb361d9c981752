import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';

const TIMES =
  /^\s*((?:\d+:)?\d{1,3}:\d{1,2}[.,]\d{1,3}|(?:\d+:)?\d{1,3}:\d{1,2})\s*(?:-->|,)\s*((?:\d+:)?\d{1,3}:\d{1,2}(?:[.,]\d{1,3})?)(?:\s|$)/;

/**
 * SubRip, WebVTT and SBV → one block for each cue, without numbers, times and styling; `<v Name>` becomes `Name: `.
 * Locators carry `timeMs` and the source `lines`. A cue with unreadable times keeps its text, with a warning.
 * @see https://www.w3.org/TR/webvtt1/
 */
export function parseSubtitles(source: string, context: Pick<ParseContext, 'maxTextChars'>): ParsedDocument {
  const builder = new DocumentBuilder('subtitles', context);
  const lines = source.replace(/\r\n?/g, '\n').split('\n');
  let at = 0;
  if (/^\ufeff?WEBVTT/.test(lines[0] ?? '')) {
    const title = /^\ufeff?WEBVTT[ \t-]+(.+)/.exec(lines[0]!)?.[1]?.trim();
    if (title) builder.title = title;
    while (at < lines.length && lines[at]!.trim() !== '') at++;
  }
  let lastText = '';
  while (at < lines.length) {
    while (at < lines.length && lines[at]!.trim() === '') at++;
    const first = at;
    while (at < lines.length && lines[at]!.trim() !== '') at++;
    if (first === at) break;
    const group = lines.slice(first, at);
    if (/^(?:NOTE|STYLE|REGION)(?:\s|$)/.test(group[0]!)) continue;
    let timeLine = group.findIndex((line) => TIMES.test(line));
    if (timeLine > 1) timeLine = -1; // times are on the first line or below the number of the cue
    const broken = timeLine === -1 && group.slice(0, 2).findIndex((line) => line.includes('-->'));
    const textFrom = timeLine !== -1 ? timeLine + 1 : typeof broken === 'number' && broken !== -1 ? broken + 1 : 0;
    const text = cueText(group.slice(textFrom).join('\n'));
    const times = timeLine === -1 ? undefined : timesOf(group[timeLine]!);
    if (text === '') continue;
    if (times === undefined)
      builder.warn('CUE_WITHOUT_TIME', `line ${first + 1}: the times of this cue cannot be read`);
    const sourceLines = [first + textFrom + 1, at] as const;
    if (text === lastText) {
      // Rolling captions repeat a cue with a later end. The first times stay.
      continue;
    }
    lastText = text;
    builder.block({ kind: 'cue' }, text, { lines: sourceLines, ...(times ? { timeMs: times } : {}) }, '\n');
  }
  return builder.build();
}

function timesOf(line: string): readonly [number, number] | undefined {
  const match = TIMES.exec(line);
  if (!match) return undefined;
  const start = milliseconds(match[1]!);
  const end = milliseconds(match[2]!);
  return end >= start ? [start, end] : undefined;
}

/** `1:02:03,500` and `02:03.5` in milliseconds; the fraction has one to three digits. */
function milliseconds(time: string): number {
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
};

function cueText(raw: string): string {
  return raw
    .replace(/<v(?:\.[^\s<>]*)?\s+([^<>]+)>/g, (_, name: string) => `${name.trim()}: `)
    .replace(/<\/?(?:[a-z][\w.]*|\d\d:[\d:.]+)(?:\s[^<>]*)?>/gi, '')
    .replace(/\{\\an?\d+\}/g, '')
    .replace(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim();
}
