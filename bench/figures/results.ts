import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const folder: string = join(import.meta.dirname, '../results');

// biome-ignore lint/suspicious/noExplicitAny: figures of many shapes, each read below by the names its bench writes
export type Figures = any;

export interface ResultFile {
  readonly command: string;
  readonly commit: string;
  readonly date: string;
  readonly machine: string;
  readonly node: string;
  readonly results: Figures;
}

export const results = (name: string): ResultFile =>
  JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as ResultFile; // our own benches

export const three = (value: number): string => value.toFixed(3);

export const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;

export function rangeOf(values: readonly number[], show: (value: number) => string): string {
  return `${show(Math.min(...values))}–${show(Math.max(...values))}`;
}

/** Lines of a table with a figure and its command each. */
export class FigureTable {
  readonly #lines: string[] = ['| what | measured | command |', '| --- | --- | --- |'];

  add(what: string, measured: string, { command }: ResultFile): void {
    this.#lines.push(`| ${what} | ${measured} | \`${command}\` |`);
  }

  toString(): string {
    return this.#lines.join('\n');
  }
}
