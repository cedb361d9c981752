import { extname } from 'node:path';
import { formats } from '../read/names.ts';

/**
 * Types of files that a browser may show beside a page of ours: none can run a script. All other texts, HTML and SVG
 * among them, are shown as text, and the rest is only to be saved.
 */
const shown: Readonly<Record<string, string>> = {
  ...{
    '.pdf': 'application/pdf',
    '.png': 'image/png',
    '.jpg': 'image/jpeg',
    '.jpeg': 'image/jpeg',
    '.jpe': 'image/jpeg',
    '.jfif': 'image/jpeg',
    '.gif': 'image/gif',
  },
  ...{ '.webp': 'image/webp', '.tif': 'image/tiff', '.tiff': 'image/tiff', '.bmp': 'image/bmp' },
  ...{ '.jp2': 'image/jp2', '.jpf': 'image/jpx', '.j2k': 'image/j2c' },
  ...{ '.mp3': 'audio/mpeg', '.wav': 'audio/wav', '.ogg': 'audio/ogg', '.oga': 'audio/ogg', '.flac': 'audio/flac' },
  ...{ '.m4a': 'audio/mp4', '.m4b': 'audio/mp4', '.m4p': 'audio/mp4', '.aac': 'audio/aac', '.opus': 'audio/ogg' },
  ...{ '.mka': 'audio/x-matroska', '.mkv': 'video/x-matroska' },
  ...{ '.mp4': 'video/mp4', '.webm': 'video/webm', '.m4v': 'video/mp4', '.mov': 'video/quicktime' },
};

/** Formats that are no text. */
const BINARY = ['docx', 'pptx', 'xlsx', 'odt', 'ods', 'odp', 'epub', 'doc', 'xls', 'ppt', 'msg', 'rtf'] as const;
const DATA = ['sqlite', 'parquet', 'arrow', 'archive'] as const;
/** OpenDocument in one file of XML. */
const FLAT = /^fod[tsp]$/u;

const binary: ReadonlySet<string> = new Set([
  ...[...BINARY, ...DATA].flatMap((format) => formats[format].filter((e) => !FLAT.test(e)).map((e) => `.${e}`)),
  '.db',
  '.heic',
]);

/** The type a file is sent as, by its name. */
export function mediaTypeOf(uri: string): string {
  const extension = extname(uri).toLowerCase();
  const type = Object.hasOwn(shown, extension) ? shown[extension] : undefined;
  return type ?? (binary.has(extension) ? 'application/octet-stream' : 'text/plain; charset=utf-8');
}
