import { readdirSync } from 'node:fs';
import { type Figures, FigureTable, folder, results } from './results.ts';

/** One row for each recorded run of attacks: attempts and findings of all its sets, and the worst of each measure. */
export function attackTable(): string {
  const table = new FigureTable();
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
    const run = results(name.replace(/\.json$/, ''));
    if ((run as Figures).kind !== 'trials') continue;
    const sets: Figures[] = run.results.sets;
    const sum = (count: (set: Figures) => number): string =>
      sets.reduce((all, set) => all + count(set), 0).toLocaleString('en');
    const measures = [...new Set(sets.flatMap(({ figures }) => Object.keys(figures)))].filter(
      (one) => /^[^,]+(?:, \S+)+$/.test(one), // "longest, s"
    );
    const worst = measures.map((measure) => {
      const most = Math.max(...sets.map(({ figures }) => figures[measure] ?? 0));
      const [what, ...unit] = measure.split(', ');
      return `${what} ${Number(most.toPrecision(3))} ${unit.join(' ')}`;
    });
    const measured = [
      `${sum(({ attempts }) => attempts)} attempts, ${sum(({ findings }) => findings.length)} findings`,
      ...worst,
    ];
    const names = sets.map((set) => set.name);
    const named = names.length > 6 ? `${names.slice(0, 3).join(', ')}, and ${names.length - 3} more` : names.join(', ');
    table.add(named, measured.join('; '), run);
  }
  return `${table}`;
}
