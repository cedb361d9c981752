/** Grey on a terminal that knows it, plain elsewhere and under NO_COLOR. */
export function dim(text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return stream.isTTY && !isPlain() ? `\u001b[2m${text}\u001b[22m` : text;
}

/** Bold where `dim` is grey. */
export function bold(text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return stream.isTTY && !isPlain() ? `\u001b[1m${text}\u001b[22m` : text;
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

/** Shows nothing and can hide whole sentences from whoever copies the text: it is left out. */
const hidden = /[\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;
/** Moves the cursor, retitles the window, hides what follows, or turns the direction of writing. */
const steering = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Cs}/gu;

/** Text of documents and pages as a terminal may be given it. */
export function printable(text: string): string {
  return text.replace(hidden, '').replace(steering, '\ufffd');
}

/** The same in one line: a name of a file with a line break in it does not forge a line of ours. */
export function printableLine(text: string): string {
  return printable(text).replace(/[\n\t]/g, '\ufffd');
}

/** A value as JSON in which what steers or hides is escaped: the value is the same, and the text can be shown. */
export function jsonText(value: unknown, indent?: number): string {
  const escaped = (char: string): string =>
    [...Array(char.length).keys()].map((i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');
  return JSON.stringify(value, null, indent).replace(hidden, escaped).replace(steering, escaped);
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

/** `0:14:03`. */
export function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

export interface OcrOptions {
  /** False for a run that was to read no pictures. */
  readonly ocr?: boolean | undefined;
  /** Languages of scans, where they were named: tesseract may be there without them. */
  readonly ocrLanguages?: string | undefined;
}

/** What to do about scans and pictures that nothing has read yet. */
export function waitingLine(files: number, { ocr = true, ocrLanguages }: OcrOptions): string {
  const named = ocrLanguages?.split('+') ?? [];
  const models = named.map((name) => ` tesseract-ocr-${name.replaceAll('_', '-')}`).join('');
  const what = named.length > 0 ? `tesseract with ${named.join(', ')}` : 'tesseract';
  const brew = `brew install tesseract${named.length > 0 ? ' tesseract-lang' : ''} poppler`;
  const way = ocr
    ? `install ${what} (apt-get install tesseract-ocr${models} poppler-utils, ${brew}) and ingest again`
    : 'ingest again without --no-ocr';
  return `${files === 1 ? '1 file waits' : `${files} files wait`} for OCR: ${way}`;
}

/** What to do about recordings without words. */
export function untranscribedLine(files: number): string {
  return `${files === 1 ? '1 recording waits' : `${files} recordings wait`} for a transcript: put it beside (talk.vtt, .srt or .json for talk.mp3), or ingest with --transcribe`;
}
