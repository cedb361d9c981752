/** Sizes of text in plots, in px of the plot's own coordinates. */
export const FONT = 12;
export const SMALL = 11;

export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

/** An upper estimate of how wide a text is set in a common sans-serif face. */
export function textWidth(text: string, size: number = FONT): number {
  let units = 0;
  for (const c of text) {
    if (/[\u1100-\u{10ffff}]/u.test(c) && !/[\u2000-\u2bff]/.test(c)) units += 1.05;
    else if (/[MWmw@%—…]/.test(c)) units += 0.9;
    else if (/[iljtfr.,:;|!' ()[\]/I-]/.test(c)) units += 0.37;
    else if (/[A-Z0-9+×±<>=]/.test(c)) units += 0.68;
    else units += 0.58;
  }
  return units * size;
}

/** The text, cut with an ellipsis where it would be wider. */
export function fitText(text: string, width: number, size: number = FONT): string {
  if (textWidth(text, size) <= width) return text;
  const characters = [...text];
  while (characters.length > 1 && textWidth(`${characters.join('')}…`, size) > width) characters.pop();
  return `${characters.join('').trimEnd()}…`;
}

interface TextOptions {
  readonly size?: number;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly className?: string;
}

export function text(x: number, y: number, content: string, options: TextOptions = {}): string {
  const { size = FONT, anchor = 'start', className = 'ink' } = options;
  return `<text x="${px(x)}" y="${px(y)}" font-size="${size}" text-anchor="${anchor}" class="${className}">${escapeXml(content)}</text>`;
}

export function line(x1: number, y1: number, x2: number, y2: number, className: string): string {
  return `<line x1="${px(x1)}" y1="${px(y1)}" x2="${px(x2)}" y2="${px(y2)}" class="${className}"/>`;
}

export function px(value: number): string {
  return String(Math.round(value * 100) / 100);
}

export interface Scale {
  (value: number): number;
  readonly ticks: readonly number[];
}

/** Values to places; about `count` ticks at round numbers. */
export function linearScale(
  [low, high]: readonly [number, number],
  [from, to]: readonly [number, number],
  count: number = 5,
): Scale {
  const range = high - low || 1;
  const rough = range / Math.max(1, count);
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * unit).find((size) => size >= rough * 0.999) ?? rough;
  const ticks: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * range; i++)
    ticks.push(Number((i * step).toPrecision(12)));
  return Object.assign((value: number) => from + ((value - low) / range) * (to - from), { ticks });
}

/**
 * As `linearScale` for values above 0, by their logarithm; ticks at powers of ten, and at 2 and 5 where there are few.
 */
export function logScale(
  [low, high]: readonly [number, number],
  [from, to]: readonly [number, number],
  count: number = 6,
): Scale {
  const [a, b] = [Math.log10(low), Math.log10(high)];
  const range = b - a || 1;
  const within = (factors: readonly number[]): number[] => {
    const ticks: number[] = [];
    for (let power = Math.floor(a); power <= Math.ceil(b); power++) {
      for (const factor of factors) {
        const value = Number((factor * 10 ** power).toPrecision(12));
        if (value >= low * 0.999 && value <= high * 1.001) ticks.push(value);
      }
    }
    return ticks;
  };
  const choices = [[1, 2, 5], [1, 3], [1]].map(within);
  let ticks = choices.find((found) => found.length <= count && found.length >= 2) ?? choices[2]!;
  if (ticks.length > count) ticks = ticks.filter((_, i) => i % Math.ceil(ticks.length / count) === 0);
  if (ticks.length < 2) ticks = [low, high].map((value) => Number(value.toPrecision(2)));
  return Object.assign((value: number) => from + ((Math.log10(value) - a) / range) * (to - from), { ticks });
}

/** The number of colours. */
export const COLOURS = 8;
const light = ['#1f5fa8', '#c2570c', '#1d7f4e', '#a8326b', '#6b4fc0', '#7d6215', '#0f7d8c', '#666f7a'];
const dark = ['#74b0f4', '#f59a58', '#5fcf95', '#f086b4', '#b29cf7', '#d9bc62', '#5cc8d6', '#a5adb8'];

const variables = (colours: readonly string[], ink: string, muted: string, grid: string, paper: string): string =>
  `--ink:${ink};--muted:${muted};--grid:${grid};--paper:${paper};${colours.map((colour, i) => `--c${i}:${colour}`).join(';')}`;

export const lightTheme: string = variables(light, '#1b2027', '#59626e', '#dfe3e8', '#ffffff');
export const darkTheme: string = variables(dark, '#e8ebef', '#a3acb8', '#343b45', '#15191f');

/** The style of the plots; variables give the colours. */
export const plotRules: string = [
  'text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums}',
  '.ink{fill:var(--ink)}.muted{fill:var(--muted)}.strong{fill:var(--ink);font-weight:600}.paper{fill:var(--paper)}',
  '.on{fill:var(--paper);font-weight:600}',
  '.grid{stroke:var(--grid);stroke-width:1}.axis{stroke:var(--muted);stroke-width:1}.whisker{stroke:var(--ink);stroke-width:1.5}',
  '.reference{stroke:var(--muted);stroke-width:1;stroke-dasharray:4 3}',
  ...Array.from(
    { length: COLOURS },
    (_, i) =>
      `.f${i}{fill:var(--c${i})}.s${i}{stroke:var(--c${i});fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}`,
  ),
].join('');

export interface PlotFrame {
  /** Unique on its page. */
  readonly id: string;
  readonly width: number;
  readonly height: number;
  readonly title: string;
  /** A description of the plot for readers who cannot see it. */
  readonly description: string;
}

/** A plot as an element of a page, which brings the rules. */
export function plotElement({ id, width, height, title, description }: PlotFrame, body: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${px(width)} ${px(height)}" width="${px(width)}" height="${px(height)}" role="img" aria-labelledby="${id}-title ${id}-desc">`,
    `<title id="${id}-title">${escapeXml(title)}</title><desc id="${id}-desc">${escapeXml(description)}</desc>`,
    ...body,
    '</svg>',
  ].join('\n');
}

/** A plot as a file of its own, light or dark as its reader likes. */
export function plotFile(frame: PlotFrame, body: readonly string[]): string {
  const style = `<style>svg{${lightTheme}}@media(prefers-color-scheme:dark){svg{${darkTheme}}}${plotRules}</style>`;
  const paper = `<rect width="${px(frame.width)}" height="${px(frame.height)}" class="paper"/>`;
  return `${plotElement(frame, [style, paper, ...body])}\n`;
}
