import type { PlacedCell } from './table-grid.ts';

/** What RTF says about the cells of a row, before or after their text; it holds until the next `\trowd`. */
export class RtfRow {
  isHeader = false;
  #left = 0;
  #down: PlacedCell['down'];
  #cells: { readonly right: number; readonly down: PlacedCell['down'] }[] = [];

  /** @returns whether the word is one about a row */
  take(word: string, parameter: number): boolean {
    if (word === 'trowd') {
      this.isHeader = false;
      this.#left = 0;
      this.#down = undefined;
      this.#cells = [];
    } else if (word === 'trhdr') this.isHeader = true;
    else if (word === 'trleft') this.#left = parameter;
    else if (word === 'clvmgf') this.#down = 'first';
    else if (word === 'clvmrg') this.#down = 'more';
    else if (word === 'cellx') {
      this.#cells.push({ right: parameter, down: this.#down });
      this.#down = undefined;
    } else return false;
    return true;
  }

  place(texts: readonly string[]): PlacedCell[] {
    return texts.map((text, i) => {
      const cell = this.#cells[i];
      if (!cell) return { text };
      return { text, left: i === 0 ? this.#left : this.#cells[i - 1]!.right, down: cell.down };
    });
  }
}
