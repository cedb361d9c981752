import { COLOURS, fitText, line, linearScale, logScale, px, SMALL, text, textWidth } from '../../src/internal.ts';
import { axes, colourOf, type Drawing, labelColumn, legend, type Plot, short, xAxis } from './plot.ts';

export type Chart = Pick<Plot, 'id' | 'title' | 'description'>;

export interface LineSeries {
  readonly name: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

export interface Axis {
  readonly label: string;
  readonly log?: boolean;
  /** @default what the points need */
  readonly domain?: readonly [number, number];
}

/** Curves: recall over latency, cost over size. */
export function lineChart(chart: Chart, series: readonly LineSeries[], x: Axis, y: Axis): Plot {
  return {
    ...chart,
    draw(width): Drawing {
      // more curves than colours: the second time round a colour is dashed, and its name says so
      const isDashed = (i: number): boolean => i >= COLOURS;
      const names = series.map(({ name }, i) => ({
        name: isDashed(i) ? `${name} (dashed)` : name,
        colour: colourOf(i),
      }));
      const head = legend(names, width, 16);
      const top = head.height + 36;
      const frame = { left: 58, right: width - 16, top, bottom: top + Math.min(300, width * 0.62) };
      const scaleOf = (axis: Axis, values: readonly number[], range: readonly [number, number], count: number) => {
        const [low, high] = axis.domain ?? padded(values, axis.log === true);
        return axis.log ? logScale([low, high], range, count) : linearScale([low, high], range, count);
      };
      const all = series.flatMap(({ points }) => points);
      const xs = scaleOf(
        x,
        all.map((point) => point.x),
        [frame.left, frame.right],
        Math.floor(width / 70),
      );
      const ys = scaleOf(
        y,
        all.map((point) => point.y),
        [frame.bottom, frame.top],
        6,
      );
      const body = [
        ...head.body,
        ...axes(frame, { scale: xs, label: x.label, format: short }, { scale: ys, label: y.label, format: short }),
      ];
      for (const [i, { points }] of series.entries()) {
        const colour = colourOf(i);
        const places = points.map((point) => `${px(xs(point.x))},${px(ys(point.y))}`);
        if (places.length > 1)
          body.push(
            `<polyline points="${places.join(' ')}" class="s${colour}"${isDashed(i) ? ' stroke-dasharray="6 4"' : ''}/>`,
          );
        for (const place of places) {
          const [cx, cy] = place.split(',');
          body.push(`<circle cx="${cx}" cy="${cy}" r="3.5" class="f${colour}"/>`);
        }
      }
      return { height: frame.bottom + 46, body };
    },
  };
}

/** A little room around the values; above 0 for logarithms. */
function padded(values: readonly number[], log: boolean): [number, number] {
  const usable = log ? values.filter((value) => value > 0) : values;
  const low = Math.min(...usable);
  const high = Math.max(...usable);
  if (log) return [low / 1.25, high * 1.25];
  const room = (high - low || Math.abs(high) || 1) * 0.06;
  return [low - room, high + room];
}

export interface IntervalRow {
  readonly name: string;
  readonly value: number;
  readonly low?: number;
  readonly high?: number;
  readonly colour: number;
}

export interface IntervalOptions {
  /** Below the axis. */
  readonly label: string;
  /** Bars from here; without it, dots. */
  readonly from?: number;
  readonly format?: (value: number) => string;
  /** What the colours mean, where the rows do not say it. */
  readonly colours?: readonly { readonly name: string; readonly colour: number }[];
}

const ROW = 26;
/** Of a row whose name stands above its bar. */
const TALL_ROW = 42;

/** One value with its interval a row; what is best is easy to see, what is noise too. */
export function intervalChart(chart: Chart, rows: readonly IntervalRow[], options: IntervalOptions): Plot {
  const { label, from, format = short, colours = [] } = options;
  return {
    ...chart,
    draw(width): Drawing {
      const head = colours.length > 1 ? legend(colours, width, 16) : { height: 0, body: [] };
      const names = rows.map(({ name }) => name);
      const stacked = labelColumn(names, width) < labelColumn(names, Number.POSITIVE_INFINITY) && width < 500;
      const column = stacked ? 2 : labelColumn(names, width);
      const row = stacked ? TALL_ROW : ROW;
      const figures = Math.max(0, ...rows.map(({ value }) => textWidth(format(value), SMALL))) + 14;
      const top = head.height + 14;
      const frame = { left: column + 10, right: width - 12 - figures, top, bottom: top + 6 + rows.length * row };
      const values = rows.flatMap(({ value, low = value, high = value }) => [low, high]);
      const [low, high] = padded(values, false);
      const domain: [number, number] = from === undefined ? [low, high] : [from, Math.max(high, from + 1e-9)];
      const x = linearScale(
        domain,
        [frame.left, frame.right],
        Math.max(3, Math.floor((frame.right - frame.left) / 64)),
      );
      const body = [...head.body, ...xAxis(frame, { scale: x, label, format: short })];
      rows.forEach(({ name, value, low: least, high: most, colour }, i) => {
        const y = frame.top + 6 + i * row + row - 13;
        if (stacked) body.push(text(12, y - 14, fitText(name, width - 24)));
        else body.push(text(12, y + 4, fitText(name, column - 8)));
        if (from !== undefined) {
          const size = Math.max(1, x(value) - x(from));
          body.push(
            `<rect x="${px(x(from))}" y="${px(y - 8)}" width="${px(size)}" height="16" rx="3" class="f${colour}"/>`,
          );
          if (least !== undefined && most !== undefined && most > least)
            body.push(line(x(least), y, x(most), y, 'whisker'));
        } else {
          if (least !== undefined && most !== undefined) body.push(line(x(least), y, x(most), y, `s${colour}`));
          body.push(`<circle cx="${px(x(value))}" cy="${px(y)}" r="4.5" class="f${colour}"/>`);
        }
        body.push(text(width - 10, y + 4, format(value), { size: SMALL, anchor: 'end', className: 'muted' }));
      });
      return { height: frame.bottom + 44, body };
    },
  };
}

/** Per-query differences, sorted: how many gain, how many lose, and by how much. */
export function deltaChart(chart: Chart, differences: readonly number[], label: string): Plot {
  const sorted = [...differences].sort((a, b) => b - a);
  const gained = sorted.filter((value) => value > 1e-9).length;
  const lost = sorted.filter((value) => value < -1e-9).length;
  return {
    ...chart,
    draw(width): Drawing {
      const reach = Math.max(0.05, ...sorted.map(Math.abs));
      const frame = { left: 58, right: width - 12, top: 46, bottom: 46 + Math.min(220, width * 0.5) };
      const y = linearScale([-reach, reach], [frame.bottom, frame.top], 5);
      const body = [
        text(12, 16, `${gained} gain, ${lost} lose, ${sorted.length - gained - lost} stay`, { className: 'strong' }),
      ];
      body.push(text(12, 34, fitText(label, width - 24, SMALL), { size: SMALL, className: 'muted' }));
      for (const tick of y.ticks) {
        body.push(line(frame.left, y(tick), frame.right, y(tick), tick === 0 ? 'axis' : 'grid'));
        const name = `${tick > 0 ? '+' : ''}${short(tick)}`.replace('-', '−');
        body.push(text(frame.left - 8, y(tick) + 4, name, { size: SMALL, anchor: 'end', className: 'muted' }));
      }
      const step = (frame.right - frame.left) / sorted.length;
      sorted.forEach((value, i) => {
        if (Math.abs(value) <= 1e-9) return;
        const [from, to] = value > 0 ? [y(value), y(0)] : [y(0), y(value)];
        body.push(
          `<rect x="${px(frame.left + i * step)}" y="${px(from)}" width="${px(Math.max(0.4, step * 0.92))}" height="${px(Math.max(0.4, to - from))}" class="f${value > 0 ? 2 : 1}"/>`,
        );
      });
      body.push(
        text(frame.right, frame.bottom + 18, fitText('queries, those that gain most first', width - 70, SMALL), {
          size: SMALL,
          anchor: 'end',
          className: 'muted',
        }),
      );
      return { height: frame.bottom + 32, body };
    },
  };
}

export interface FlameRow {
  readonly name: string;
  readonly phases: readonly { readonly name: string; readonly ms: number; readonly parent?: string }[];
}

const BAR = 24;
/** How much wider the strong face is set. */
const BOLD = 1.12;

/** Where the time went: a bar of phases for each row, parts of a phase below it. */
export function flameChart(chart: Chart, rows: readonly FlameRow[]): Plot {
  const names = [...new Set(rows.flatMap(({ phases }) => phases.map(({ name }) => name)))];
  return {
    ...chart,
    draw(width): Drawing {
      const head = legend(
        names.map((name, i) => ({ name, colour: colourOf(i) })),
        width,
        16,
      );
      const totals = rows.map(({ phases }) => sumOf(phases.filter(({ parent }) => parent === undefined)));
      const most = Math.max(...totals, 1e-9);
      const frame = { left: 12, right: width - 12, top: head.height + 16, bottom: 0 };
      const x = linearScale([0, most], [frame.left, frame.right], Math.floor(width / 80));
      const body = [...head.body];
      let y = frame.top;
      rows.forEach(({ name, phases }, r) => {
        const total = `${short(totals[r]!)} ms`;
        body.push(
          text(12, y + 14, fitText(name, (width - 40 - textWidth(total, SMALL)) / BOLD), { className: 'strong' }),
        );
        body.push(text(width - 12, y + 14, total, { size: SMALL, anchor: 'end', className: 'muted' }));
        y += 22;
        const starts = new Map<string, { readonly at: number; readonly depth: number }>();
        let depth = 0;
        const filled = new Map<string | undefined, number>();
        for (const { name: phase, ms, parent } of phases) {
          const above = parent === undefined ? undefined : starts.get(parent);
          const level = above === undefined ? 0 : above.depth + 1;
          const at = (above?.at ?? 0) + (filled.get(parent) ?? 0);
          filled.set(parent, (filled.get(parent) ?? 0) + ms);
          starts.set(phase, { at, depth: level });
          depth = Math.max(depth, level);
          const [from, to] = [x(at), x(at + ms)];
          const top = y + level * (BAR + 2);
          const size = Math.max(0.5, to - from - 1);
          body.push(
            `<rect x="${px(from)}" y="${px(top)}" width="${px(size)}" height="${BAR}" rx="2" class="f${colourOf(names.indexOf(phase))}"/>`,
          );
          const label = `${phase} ${short(ms)}`;
          if (textWidth(label, SMALL) * BOLD + 12 < size)
            body.push(text(from + 6, top + 16, label, { size: SMALL, className: 'on' }));
        }
        y += (depth + 1) * (BAR + 2) + 12;
      });
      const end = { ...frame, top: y - 4, bottom: y };
      body.push(...xAxis(end, { scale: x, label: 'milliseconds', format: short }));
      return { height: y + 44, body };
    },
  };
}

function sumOf(phases: readonly { readonly ms: number }[]): number {
  return phases.reduce((sum, { ms }) => sum + ms, 0);
}
