import type { TrialResults } from '../support/run-file.ts';
import { lineChart } from './charts.ts';
import type { ReportPart } from './sections.ts';

/** One part for each attack: its figures, what it found, and what was watched meanwhile. */
export function trialParts({ sets }: TrialResults, id: string): ReportPart[] {
  return sets.map(({ name, invariant, attempts, figures, findings, series = [] }, i) => ({
    title: name,
    note: `Must hold: ${invariant} ${attempts.toLocaleString('en')} attempts, ${findings.length} findings.`,
    plots: series.map((one, s) =>
      lineChart(
        { id: `${id}-${i}-${s}`, title: `${name}: ${one.name}`, description: `${one.name} in ${one.unit} over time.` },
        [one],
        { label: 'seconds since the start' },
        { label: one.unit },
      ),
    ),
    table: {
      head: ['outcome', 'figure'],
      rows: [
        ...Object.entries(figures).map(([figure, value]) => [figure, value.toLocaleString('en')]),
        ...findings.map(({ what, command }) => [`found: ${what}`, command]),
      ],
    },
  }));
}
