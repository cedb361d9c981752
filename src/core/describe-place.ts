import { objectOf } from './arguments.ts';
import type { Place } from './types.ts';

/** `page 3`, `lines 10–14`, `sheet Costs, rows 2–9`, `0:01:05–0:01:09, Ailsa`, `page 2, by OCR (91 % sure), …`. */
export function describePlace(place: Place): string {
  objectOf(place, 'the place');
  const parts: string[] = [];
  if (place.part !== undefined) parts.push(place.part);
  if (place.page !== undefined) parts.push(`page ${place.page}`);
  if (place.sheet !== undefined) parts.push(`sheet ${place.sheet}`);
  if (place.rows) parts.push(range('row', place.rows));
  if (place.lines) parts.push(range('line', place.lines));
  if (place.timeMs) parts.push(`${clock(place.timeMs[0])}–${clock(place.timeMs[1])}`);
  if (place.speaker !== undefined) parts.push(place.speaker);
  if (place.ocr) parts.push(describeRecognition(place.ocr));
  return parts.join(', ');
}

/** `Title › Chapter › Section`, without empty parts; a heading that repeats the part before it is left out. */
export function describePath(path: { readonly title: string; readonly headings: readonly string[] }): string {
  const { title, headings } = objectOf(path, 'the path', 'title', 'headings');
  return [title, ...headings].filter((part, i, all) => part !== '' && part !== all[i - 1]).join(' › ');
}

function describeRecognition({ region, confidence }: NonNullable<Place['ocr']>): string {
  const [left, top, right, bottom] = region.map(percent);
  return `by OCR (${percent(confidence)} % sure), ${left}–${right} % from the left, ${top}–${bottom} % from the top`;
}

function percent(share: number): number {
  return Math.round(share * 100);
}

function range(unit: string, [first, last]: readonly [number, number]): string {
  return first === last ? `${unit} ${first}` : `${unit}s ${first}–${last}`;
}

function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
