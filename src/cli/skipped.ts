import { extname } from 'node:path';
import type { IngestFailure, IngestLeftOut, IngestSummary } from '../index.ts';
import { counted, type OcrOptions, printableLine, untranscribedLine, waitingLine } from './text.ts';

const KINDS = 8;
/** How the message begins where the kind of the file is the reason. */
const UNREAD_KIND = 'ibid does not read this kind of file';

/** How the message begins where a program that is there could not read a file. */
const OCR_FAILED = 'OCR failed';

/**
 * Skipped files in a few lines: scans and recordings by name, the others counted by kind.
 * @param options of the run that skipped them
 */
export function skippedLines(skipped: readonly IngestFailure[], options: OcrOptions = {}): string[] {
  const of = (code: string): IngestFailure[] => skipped.filter((one) => one.code === code);
  const lines: string[] = [];
  const waits = (code: string, noun: string, what: (files: number) => string): void => {
    const files = of(code);
    for (const { uri, message } of files.slice(0, KINDS)) {
      lines.push(`waits   ${printableLine(uri)}: ${printableLine(message)} [${code}]`);
    }
    if (files.length > KINDS) lines.push(`        … and ${counted(files.length - KINDS, `more ${noun}`)}`);
    const waiting = files.filter(({ message }) => !message.startsWith(OCR_FAILED)).length;
    if (waiting > 0) lines.push(what(waiting));
  };
  waits('FILE_SCANNED', 'scan', (files) => waitingLine(files, options));
  waits('FILE_UNTRANSCRIBED', 'recording', untranscribedLine);
  const unsupported = Map.groupBy(of('FILE_UNSUPPORTED'), ({ message }) =>
    message.startsWith(UNREAD_KIND) ? ' of a kind that is not read' : `: ${printableLine(message)}`,
  );
  const said = Array.from(unsupported, ([reason, files]) => {
    return `${counted(files.length, 'file')}${reason} (${kindsOf(files)})`;
  });
  const empty = of('FILE_EMPTY');
  if (empty.length > 0) said.push(counted(empty.length, 'empty file'));
  const own = of('FILE_OWN');
  if (own.length > 0) said.push(`${counted(own.length, 'file')} that ibid made of documents (${kindsOf(own)})`);
  if (said.length > 0) lines.push(`skipped ${said.join(', ')}`);
  return lines;
}

const EMPTIED_SHOWN = 20;

/** Files that were searchable and hold no text now. */
export function emptiedLines({ emptied = [] }: Pick<IngestSummary, 'emptied'>): string[] {
  const lines = emptied.slice(0, EMPTIED_SHOWN).map((uri) => {
    return `emptied ${printableLine(uri)}: it holds no text now, and is no longer in the index`;
  });
  const hidden = emptied.length - EMPTIED_SHOWN;
  return hidden > 0 ? [...lines, `        … and ${hidden} more`] : lines;
}

function kindsOf(files: readonly IngestFailure[]): string {
  const counts = new Map<string, number>();
  for (const { uri } of files) {
    const kind = extname(uri).toLowerCase() || 'without extension';
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const kinds = [...counts].sort((a, b) => b[1] - a[1]);
  const named = kinds.slice(0, KINDS).map(([kind, files]) => `${files} ${printableLine(kind)}`);
  return kinds.length > KINDS ? `${named.join(', ')}, …` : named.join(', ');
}

/** "left out: 12 ignored by ../.gitignore, 3 symbolic links"; undefined when nothing was. */
export function leftOutLine(leftOut: readonly IngestLeftOut[]): string | undefined {
  if (leftOut.length === 0) return undefined;
  const said = leftOut.map(({ reason, entries }) => {
    const many = entries > 1;
    if (reason === 'symbolic link' || reason === 'special file') return `${entries} ${reason}${many ? 's' : ''}`;
    if (reason === 'an index') return many ? `${entries} other indexes` : 'another index';
    return `${entries} ${printableLine(reason)}`;
  });
  return `left out: ${said.join(', ')}`;
}
