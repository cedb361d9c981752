import type { Hit } from '../../../core/types.ts';
import { headerBefore } from './passage-text.ts';
import type { Unit } from './units.ts';

/** A sentence or row in the chunk that it stands in. */
export interface Placed {
  readonly passage: { readonly hit: Hit };
  readonly unit: Unit;
}

/** What a sentence or row says, as its chunk has it. */
export function textOf({ passage, unit }: Placed): string {
  return passage.hit.chunk.text.slice(unit.start, unit.end);
}

/** The cells of a row, with marks around it or without, where the last may be empty: `Ann | Quay 19 |`. */
export function rowCells(row: string): string[] {
  return row
    .trim()
    .replace(/^\|(.*)\|$/s, '$1')
    .split(/\||\t/)
    .map((cell) => cell.trim());
}

/** The header that a row is read under, also where its table began in the chunk before; '' without one. */
export function headerTextOf({ passage: { hit }, unit }: Placed): string {
  if (unit.header) return hit.chunk.text.slice(unit.header.start, unit.header.end);
  return unit.kind === 'row' ? headerBefore(hit.chunk) : '';
}

/** Whether a row is the header of others. */
export function isHeader({
  passage,
  unit,
}: Placed & { readonly passage: { readonly units: readonly Unit[] } }): boolean {
  const { text } = passage.hit.chunk;
  return passage.units.some(
    ({ header }) =>
      header !== undefined &&
      (header.start === unit.start ||
        (header.start < unit.start &&
          unit.end <= header.end &&
          overColumns.test(text.slice(header.start, unit.start)))),
  );
}

/** A name that reaches over columns is written in each: `January | January`. The lines below it are names as well. */
const overColumns = /(?:^|\|)[ \t]*([^\s|][^|\n]*?)[ \t]*\|[ \t]*\1[ \t]*(?:\||$)/m;

/** What stands over a sentence: its own headings, those of its chunk, the title. */
export function namesOver({
  passage: { hit },
  headings,
}: Pick<Placed, 'passage'> & { readonly headings: readonly string[] }): readonly string[] {
  return [...headings, ...hit.chunk.headings, hit.chunk.title];
}

/** A passage with the header of the table that it goes on with, and what its document is called. */
export function wholeText({ hit: { chunk } }: Placed['passage']): string {
  return [chunk.text, headerBefore(chunk), chunk.title, ...chunk.headings, chunk.uri].join('\n');
}
