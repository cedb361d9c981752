import type { Place } from '../index.ts';

/** Grey on a terminal that knows it, plain elsewhere and under NO_COLOR. */
export function dim(text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return stream.isTTY && !isPlain() ? `\u001b[2m${text}\u001b[22m` : text;
}

/** The user or the terminal wants no control sequences. */
export function isPlain({ NO_COLOR, TERM }: NodeJS.ProcessEnv = process.env): boolean {
  return Boolean(NO_COLOR) || TERM === 'dumb';
}

/** `1 document`, `2 documents`, `3 queries`. */
export function counted(count: number, noun: string, plural: string = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** `288 KiB`, `4.2 MiB`. */
export function size(bytes: number): string {
  return bytes < 2 ** 20 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

/** `+0.012`, `−0.003`. */
export function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}

/**
 * Text of documents and pages as a terminal may be given it: without control characters, which could move the cursor,
 * retitle the window or hide what follows, and without those that turn the direction of writing.
 */
export function printable(text: string): string {
  return text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Cs}/gu, '\ufffd');
}

export function snippet(text: string, maxChars: number): string {
  const flat = printable(text.replace(/\s+/gu, ' ').trim());
  return flat.length <= maxChars
    ? flat
    : `${flat
        .slice(0, maxChars)
        .toWellFormed()
        .replace(/\s\S*$/u, '')} …`;
}

/** `page 3`, `lines 10–14`, `sheet Costs, rows 2–9`, `0:01:05–0:01:09`. */
export function describePlace(place: Place): string {
  const parts: string[] = [];
  if (place.part !== undefined) parts.push(place.part);
  if (place.page !== undefined) parts.push(`page ${place.page}`);
  if (place.sheet !== undefined) parts.push(`sheet ${place.sheet}`);
  if (place.rows) parts.push(range('row', place.rows));
  if (place.lines) parts.push(range('line', place.lines));
  if (place.timeMs) parts.push(`${clock(place.timeMs[0])}–${clock(place.timeMs[1])}`);
  return parts.join(', ');
}

function range(unit: string, [first, last]: readonly [number, number]): string {
  return first === last ? `${unit} ${first}` : `${unit}s ${first}–${last}`;
}

function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
