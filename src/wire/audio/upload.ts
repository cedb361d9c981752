import { createReadStream, statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { IbidError } from '../../core/errors.ts';
import { exactlyOne, refuse } from '../http/check.ts';
import type { FileContent, FormPart } from '../http/contract.ts';

/**
 * A file to send: bytes, a Blob, a stream (read once, so the call is not repeated), a function that opens a stream anew
 * for every attempt, or a path on disk.
 */
export type Upload =
  | FileContent
  | { readonly path: string; readonly filename?: string | undefined; readonly type?: string | undefined }
  | { readonly content: FileContent; readonly filename?: string | undefined; readonly type?: string | undefined };

const types: Readonly<Record<string, string>> = {
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
  '.m4a': 'audio/mp4',
  '.aac': 'audio/aac',
  '.flac': 'audio/flac',
  '.ogg': 'audio/ogg',
  '.opus': 'audio/ogg',
  '.webm': 'video/webm',
  '.mp4': 'video/mp4',
  '.mov': 'video/quicktime',
  '.mkv': 'video/x-matroska',
  '.pcm': 'application/octet-stream',
  '.pls': 'application/pls+xml',
  '.txt': 'text/plain',
  '.md': 'text/markdown',
  '.pdf': 'application/pdf',
  '.html': 'text/html',
  '.epub': 'application/epub+zip',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
};

const typeOf = (filename: string): string => types[extname(filename).toLowerCase()] ?? 'application/octet-stream';

/**
 * The part of a form for a file; it always has a name and a type.
 * @throws IbidError INVALID_ARGUMENT for an empty or a missing file, FILE_UNREADABLE for a path that cannot be opened
 */
export function filePart(name: string, upload: Upload | undefined, fallbackName = 'audio'): FormPart {
  if (upload === undefined || upload === null) refuse(name, 'is missing');
  if (typeof upload === 'object' && 'path' in upload && typeof upload.path === 'string') {
    const { path } = upload;
    let size: number;
    try {
      size = statSync(path).size;
    } catch (cause) {
      throw new IbidError('FILE_UNREADABLE', `${name}: ${path} cannot be opened`, { cause });
    }
    if (size === 0) refuse(name, `${path} is empty`);
    const filename = upload.filename ?? basename(path);
    return { name, file: () => createReadStream(path), filename, type: upload.type ?? typeOf(filename) };
  }
  const given = typeof upload === 'object' && 'content' in upload ? upload : { content: upload as FileContent }; // the other two shapes are excluded above
  const { content } = given;
  checkContent(name, content);
  const blobName = content instanceof Blob && 'name' in content ? String(content.name) : undefined;
  const filename = ('filename' in given ? given.filename : undefined) ?? blobName ?? fallbackName;
  const blobType = content instanceof Blob && content.type !== '' ? content.type : undefined;
  const type = ('type' in given ? given.type : undefined) ?? blobType ?? typeOf(filename);
  return { name, file: content, filename, type };
}

function checkContent(name: string, content: unknown): void {
  if (content instanceof Uint8Array) {
    if (content.length === 0) refuse(name, 'is empty');
    return;
  }
  if (content instanceof Blob) {
    if (content.size === 0) refuse(name, 'is empty');
    return;
  }
  const readable = typeof content === 'object' && content !== null && Symbol.asyncIterator in content;
  if (!readable && typeof content !== 'function') {
    refuse(name, 'is not bytes, a Blob, a stream, a function that opens one, or a path');
  }
}

export type FieldValue = string | number | boolean | undefined;

/** Text parts; what is undefined is left out, for a part that says `null` is an error to the service. */
export function fieldParts(fields: Readonly<Record<string, FieldValue>>): FormPart[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [{ name, value: String(value) }],
  );
}

/** One part per entry. */
export function repeatedParts(name: string, values: readonly string[] | undefined): FormPart[] {
  return (values ?? []).map((value) => ({ name, value }));
}

/** One part that holds JSON. */
export function jsonPart(name: string, value: unknown): FormPart[] {
  return value === undefined ? [] : [{ name, value: JSON.stringify(value) }];
}

/**
 * The parts of a source: a file, or an address that the service fetches. @throws IbidError INVALID_ARGUMENT for none,
 * or for both
 */
export function sourceParts(file: Upload | undefined, source_url: string | undefined): FormPart[] {
  exactlyOne({ file, source_url });
  return [...fieldParts({ source_url }), ...(file === undefined ? [] : [filePart('file', file, 'media')])];
}
