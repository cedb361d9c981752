/** Common parts of the plots. A plot is drawn anew for each width: its text keeps its size on a phone. */
import { COLOURS, FONT, fitText, line, type Scale, SMALL, text, textWidth } from '../../src/internal.ts';

export interface Drawing {
  readonly height: number;
  readonly body: readonly string[];
}

export interface Plot {
  /** Unique in the report; letters, digits and '-'. */
  readonly id: string;
  readonly title: string;
  /** What it shows, in words. */
  readonly description: string;
  draw(width: number): Drawing;
}

export const colourOf = (i: number): number => i % COLOURS;

/** Rows of names with their colours, broken where the width ends. */
export function legend(
  names: readonly { readonly name: string; readonly colour: number }[],
  width: number,
  top: number,
): Drawing {
  const body: string[] = [];
  let x = 12;
  let y = top;
  for (const { name, colour } of names) {
    const label = fitText(name, width - 44);
    const needed = 18 + textWidth(label) + 16;
    if (x > 12 && x + needed > width) [x, y] = [12, y + 20];
    body.push(`<rect x="${x}" y="${y - 9}" width="12" height="10" rx="2" class="f${colour}"/>`);
    body.push(text(x + 18, y, label));
    x += needed;
  }
  return { height: y + 12 - top, body };
}

export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Grid and labels of both axes; labels of x that would touch are left out. */
export function axes(
  frame: Frame,
  x: { readonly scale: Scale; readonly label: string; readonly format: (value: number) => string },
  y: { readonly scale: Scale; readonly label: string; readonly format: (value: number) => string },
): string[] {
  const { left, right, top } = frame;
  const body: string[] = [text(12, top - 12, y.label, { size: SMALL, className: 'muted' })];
  for (const tick of y.scale.ticks) {
    body.push(line(left, y.scale(tick), right, y.scale(tick), 'grid'));
    body.push(text(left - 8, y.scale(tick) + 4, y.format(tick), { size: SMALL, anchor: 'end', className: 'muted' }));
  }
  body.push(...xAxis(frame, x));
  return body;
}

export function xAxis(
  { left, right, top, bottom }: Frame,
  {
    scale,
    label,
    format,
  }: { readonly scale: Scale; readonly label: string; readonly format: (value: number) => string },
): string[] {
  const body = [line(left, bottom, right, bottom, 'axis')];
  let free = Number.NEGATIVE_INFINITY;
  for (const tick of scale.ticks) {
    const name = format(tick);
    const half = textWidth(name, SMALL) / 2;
    body.push(line(scale(tick), top, scale(tick), bottom, 'grid'));
    if (scale(tick) - half < free || scale(tick) + half > right + 12) continue;
    free = scale(tick) + half + 6;
    body.push(text(scale(tick), bottom + 16, name, { size: SMALL, anchor: 'middle', className: 'muted' }));
  }
  body.push(
    text(right, bottom + 34, fitText(label, right - 12, SMALL), { size: SMALL, anchor: 'end', className: 'muted' }),
  );
  return body;
}

/** 0.0012, 3.4, 120, 45k, 1.2M. */
export function short(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e9) return `${Number((value / 1e9).toPrecision(3))}G`;
  if (size >= 1e6) return `${Number((value / 1e6).toPrecision(3))}M`;
  if (size >= 1e4) return `${Number((value / 1e3).toPrecision(3))}k`;
  return String(Number(value.toPrecision(3)));
}

/** Width of a column for the names of rows; of names that need more than it leaves, the ends are cut. */
export function labelColumn(names: readonly string[], width: number): number {
  const longest = Math.max(0, ...names.map((name) => textWidth(name, FONT)));
  return Math.min(longest + 20, width * 0.42);
}
