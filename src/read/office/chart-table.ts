/** What a chart shows as rows: a row for each category, a column for each series. */
import { type Attributes, attribute } from '../markup/xml.ts';

type Points = Map<number, string>;

interface Series {
  name: string;
  /** Of a level of categories each, the innermost first. */
  readonly levels: Points[];
  readonly values: Points;
  readonly sizes: Points;
}

/** The elements of a series that hold points. */
const PARTS: ReadonlySet<string> = new Set(['tx', 'cat', 'xVal', 'val', 'yVal', 'bubbleSize']);
const MOST_POINTS = 10_000;

/** Takes all elements of a chart. */
export class ChartTable {
  readonly #series: Series[] = [];
  #isOpen = false;
  #part = '';
  #index = 0;
  #next = 0;

  open(name: string, attributes: Attributes): void {
    if (name === 'ser') {
      this.#series.push({ name: '', levels: [], values: new Map(), sizes: new Map() });
      this.#isOpen = true;
    } else if (!this.#isOpen) return;
    else if (this.#part === '' && PARTS.has(name)) {
      this.#part = name;
      this.#next = 0;
      if (name === 'cat' || name === 'xVal') this.#series.at(-1)!.levels.push(new Map());
    } else if (name === 'lvl') {
      this.#next = 0;
      const { levels } = this.#series.at(-1)!;
      if (levels.at(-1)?.size !== 0) levels.push(new Map());
    } else if (name === 'pt') {
      this.#index = Number(attribute(attributes, 'idx') ?? this.#next);
      this.#next = this.#index + 1;
    }
  }

  /** @param value of a point, as the chart shows it @returns whether a table will have it */
  value(value: string): boolean {
    const series = this.#series.at(-1);
    if (this.#part === '' || !series) return false;
    if (this.#part === 'tx') series.name = `${series.name} ${value}`.trim();
    else if (this.#part === 'cat' || this.#part === 'xVal') series.levels.at(-1)!.set(this.#index, value);
    else if (this.#part === 'val' || this.#part === 'yVal') series.values.set(this.#index, value);
    else series.sizes.set(this.#index, value);
    return true;
  }

  close(name: string): void {
    if (name === 'ser') this.#isOpen = false;
    if (name === this.#part || name === 'ser') this.#part = '';
  }

  /** Tables with a header row each; undefined where values have no categories. Series of the same categories share one. */
  tables(): string[][][] | undefined {
    const tables: { readonly labels: Points; readonly rows: string[][] }[] = [];
    for (const series of this.#series) {
      if (series.values.size === 0) continue;
      const own = labelsOf(series.levels);
      const labels = own.size > 0 ? own : tables.at(-1)?.labels;
      if (labels === undefined || series.values.size > MOST_POINTS) return undefined;
      let table = tables.find((one) => areSame(one.labels, labels));
      if (!table) {
        const rows = [[''], ...[...labels].map(([, label]) => [label])];
        table = { labels, rows };
        tables.push(table);
      }
      const indexes = [...labels.keys()];
      if ([...series.values.keys()].some((index) => !labels.has(index))) return undefined;
      for (const points of [series.values, series.sizes]) {
        if (points.size === 0) continue;
        table.rows[0]!.push(series.name);
        for (const [i, index] of indexes.entries()) table.rows[i + 1]!.push(points.get(index) ?? '');
      }
    }
    return tables.length === 0 ? undefined : tables.map(({ rows }) => rows);
  }
}

/** A name of an outer level stands for all points up to its next one. */
function labelsOf(levels: readonly Points[]): Points {
  const [inner, ...outer] = levels;
  const labels: Points = new Map();
  const current = outer.map(() => '');
  for (const index of [...(inner?.keys() ?? [])].sort((a, b) => a - b)) {
    for (const [i, level] of outer.entries()) current[i] = level.get(index) ?? current[i]!;
    labels.set(index, [...[...current].reverse(), inner!.get(index)!].filter((name) => name !== '').join(' '));
  }
  return labels;
}

function areSame(a: Points, b: Points): boolean {
  return a === b || (a.size === b.size && [...a].every(([index, label]) => b.get(index) === label));
}
