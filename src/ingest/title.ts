import { basename, extname } from 'node:path';
import { codeLanguages } from '../read/names.ts';

/** The title of a file that has none: its name, without extension unless it is code: `pump.c` is not `pump.h`. */
export function titleFromName(uri: string): string {
  const isCode = Object.hasOwn(codeLanguages, extname(uri).slice(1).toLowerCase());
  return isCode ? basename(uri) : nameWithoutExtension(uri);
}

/** The whole name when nothing else would be left. */
function nameWithoutExtension(uri: string): string {
  const name = basename(uri);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}

/** The document with a title, for readers and for the search. */
export function titled<D extends { readonly title: string }>(document: D, uri: string): D {
  return document.title === '' ? { ...document, title: titleFromName(uri) } : document;
}
