import { type SegmentHeader, setDocumentBounds } from './header.ts';

/** What a reader holds for each row, by ordinal. */
interface RowColumns {
  readonly textLengths: Uint32Array;
  readonly titleLengths: Uint32Array;
  readonly headingLengths: Uint32Array;
  readonly documentFirst: Uint32Array;
  readonly documentEnd: Uint32Array;
}

export function emptyColumns(rows: number): RowColumns {
  return {
    textLengths: new Uint32Array(rows),
    titleLengths: new Uint32Array(rows),
    headingLengths: new Uint32Array(rows),
    documentFirst: new Uint32Array(rows),
    documentEnd: new Uint32Array(rows),
  };
}

/** Copies the rows of another reader behind `base`. */
export function copyColumns(to: RowColumns, from: RowColumns, base: number): void {
  to.textLengths.set(from.textLengths, base);
  to.titleLengths.set(from.titleLengths, base);
  to.headingLengths.set(from.headingLengths, base);
  to.documentFirst.set(
    from.documentFirst.map((first) => base + first),
    base,
  );
  to.documentEnd.set(
    from.documentEnd.map((end) => base + end),
    base,
  );
}

/** Copies the rows of a segment behind `base`. */
export function copyHeader(to: RowColumns, header: SegmentHeader, base: number): void {
  to.textLengths.set(header.textLengths, base);
  to.titleLengths.set(header.titleLengths, base);
  to.headingLengths.set(header.headingLengths, base);
  setDocumentBounds(header.documentRows, base, to.documentFirst, to.documentEnd);
}

/** What `LexicalReader` says of its live rows. */
interface LiveMeans {
  readonly liveRows: number;
  readonly averageTextLength: number;
  readonly averageTitleLength: number;
  readonly averageHeadingLength: number;
}

/** Live rows, and the sums of their lengths. */
export class LiveSums {
  rows = 0;
  text = 0;
  title = 0;
  headings = 0;

  add({ textLengths, titleLengths, headingLengths }: RowColumns, row: number): void {
    this.rows++;
    this.text += textLengths[row]!;
    this.title += titleLengths[row]!;
    this.headings += headingLengths[row]!;
  }

  addMeans({ liveRows, averageTextLength, averageTitleLength, averageHeadingLength }: LiveMeans): void {
    this.rows += liveRows;
    this.text += averageTextLength * liveRows;
    this.title += averageTitleLength * liveRows;
    this.headings += averageHeadingLength * liveRows;
  }

  /** The same in whole numbers, which the means were made of. */
  addWholeMeans({ liveRows, averageTextLength, averageTitleLength, averageHeadingLength }: LiveMeans): void {
    this.rows += liveRows;
    this.text += Math.round(averageTextLength * liveRows);
    this.title += Math.round(averageTitleLength * liveRows);
    this.headings += Math.round(averageHeadingLength * liveRows);
  }

  mean(sum: number): number {
    return this.rows === 0 ? 0 : sum / this.rows;
  }
}
