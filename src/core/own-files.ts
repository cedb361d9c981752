import { IbidError } from './errors.ts';

/** What stands at the beginning of files that ibid makes of documents; `parquet`: who made the file, as it says. */
export const ownMarks = {
  html: '<meta name="generator" content="ibid">',
  captions: 'NOTE Made by ibid',
  markdown: '<!-- Made by ibid.',
  parquet: 'ibid',
} as const;

const HEAD_CHARS = 2000;

/** Refuses a file of ours: in an index it would be a second, less exact source of what documents say. */
export function refuseOwn(text: string, mark: string): void {
  if (!text.slice(0, HEAD_CHARS).includes(mark)) return;
  throw new IbidError('FILE_OWN', 'ibid made this file of documents');
}
