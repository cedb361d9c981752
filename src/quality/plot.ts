import { objectOf } from '../core/arguments.ts';
import { bootstrapInterval } from '../eval/statistics.ts';
import type { Measured } from './choose.ts';
import type { Score } from './score.ts';
import { FONT, fitText, line, linearScale, type PlotFrame, plotFile, px, SMALL, text, textWidth } from './svg.ts';
import type { TuneReport } from './tune-contract.ts';

interface SettingsPlot {
  readonly frame: PlotFrame;
  readonly body: readonly string[];
}

const WIDTH = 720;
const ROW = 24;
const LABEL = 210;
const RIGHT = 64;
const TOP = 74;

/** The settings of a tuning, as an SVG file. */
export function tunePlot(report: TuneReport): string {
  const { settings, split, search } = objectOf(report, 'the report', 'settings', 'split', 'search');
  const { frame, body } = settingsPlot(settings, split.heldOut, 'ndcg', search.best, 'nDCG@10 of each setting');
  return plotFile(frame, body);
}

/**
 * Every setting's difference to the defaults on the held-out questions, with its 95 % interval: those that reach across
 * the line are noise.
 * @param settings the defaults first
 */
function settingsPlot(
  settings: readonly Measured[],
  heldOut: readonly number[],
  measure: keyof Score,
  chosen: string | undefined,
  title: string,
): SettingsPlot {
  const [defaults, ...others] = settings;
  const rows = others.map(({ name, scores }) => {
    const differences = heldOut.map((i) => scores[i]![measure] - defaults!.scores[i]![measure]);
    return { name, ...bootstrapInterval(differences, { resamples: 1000 }) };
  });
  const reach = Math.max(0.01, ...rows.flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)])) * 1.05;
  const height = TOP + rows.length * ROW + 48;
  const bottom = TOP + rows.length * ROW;
  const x = linearScale([-reach, reach], [LABEL + 16, WIDTH - RIGHT], 6);
  const body = [text(16, 26, title, { size: 15, className: 'strong' })];
  body.push(
    text(16, 46, `${heldOut.length} held-out questions; a bar across the dashed line is noise`, {
      size: FONT,
      className: 'muted',
    }),
  );
  for (const tick of x.ticks) {
    body.push(line(x(tick), TOP - 8, x(tick), bottom, tick === 0 ? 'reference' : 'grid'));
    const label = tick === 0 ? 'defaults' : `${tick > 0 ? '+' : '−'}${Math.abs(tick)}`;
    body.push(text(x(tick), bottom + 18, label, { size: SMALL, anchor: 'middle', className: 'muted' }));
  }
  rows.forEach(({ name, mean, low, high }, i) => {
    const y = TOP + i * ROW + ROW / 2;
    const colour = low > 0 ? 2 : high < 0 ? 1 : 7;
    const own = name === chosen;
    body.push(text(16, y + 4, fitText(name, LABEL - 20), { className: own ? 'strong' : 'ink' }));
    body.push(line(x(low), y, x(high), y, `s${colour}`));
    body.push(`<circle cx="${px(x(mean))}" cy="${px(y)}" r="${own ? 6 : 4}" class="f${colour}"/>`);
    const figure = `${mean < 0 ? '−' : '+'}${Math.abs(mean).toFixed(3)}`;
    body.push(text(WIDTH - 10, y + 4, figure, { anchor: 'end', size: SMALL, className: own ? 'strong' : 'muted' }));
  });
  const caption = 'difference to the defaults';
  body.push(
    text(Math.max(LABEL, x(0) - textWidth(caption, SMALL) / 2), bottom + 36, caption, {
      size: SMALL,
      className: 'muted',
    }),
  );
  const best = [...rows].sort((a, b) => b.mean - a.mean)[0];
  const description = best
    ? `${rows.length} settings; the largest mean difference is ${best.mean.toFixed(3)}, of ${best.name}.`
    : 'No setting was measured.';
  return { frame: { id: 'settings', width: WIDTH, height, title, description }, body };
}
