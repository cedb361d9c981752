/**
 * Turns the drawn pieces of text of a PDF page into segments: words on one baseline without a wide gap. All lengths are
 * in points. x grows in reading direction, y grows downwards, both rotated with the text.
 */
import { RaisedText } from '../raised.ts';
import { composeAccents, placeAccents } from './accents.ts';
import { isRaised, settleLowered } from './lowered.ts';
import { columnEdges, columnOfNumbers, stretch, WORD_GAP } from './narrow-gaps.ts';
import { hasRtlLetters, isMirrored, leaning, mirror, rightToLeft } from './right-to-left.ts';
import type { RuledRow } from './ruled.ts';
import type { Rule } from './rules.ts';
import type { TaggedCell } from './tags.ts';

/** The used fields of a drawn piece of text; `transform` is [a, b, c, d, e, f] in PDF user space (y upwards). */
export interface DrawnText {
  readonly str: string;
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
  readonly fontName: string;
  readonly dir: string;
  readonly cell?: TaggedCell;
}

export interface FontFace {
  readonly bold: boolean;
  readonly italic: boolean;
  readonly mono: boolean;
  readonly vertical: boolean;
}

export interface Segment {
  readonly x0: number;
  readonly x1: number;
  /** Baseline. */
  readonly y: number;
  /** Font size of most characters. */
  readonly size: number;
  readonly text: string;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly mono: boolean;
  readonly rtl: boolean;
  /** Of a segment that stands for a row of a ruled table. */
  readonly ruled?: RuledRow;
  /** Of text that the file says to stand in a table. */
  readonly cell?: TaggedCell;
}

/** All text of a page in one direction. */
export interface Layer {
  /** Degrees counter-clockwise, or 'vertical' for scripts from top to bottom. */
  readonly direction: number | 'vertical';
  readonly characters: number;
  readonly segments: readonly Segment[];
}

interface Run {
  text: string;
  x: number;
  readonly y: number;
  /** Baseline of its line; differs from `y` for super- and subscripts. */
  lineY: number;
  width: number;
  readonly size: number;
  readonly face: FontFace;
  readonly rtl: boolean;
  /** Whether a blank is drawn beside it. */
  spaceLeft: boolean;
  spaceRight: boolean;
  readonly cell?: TaggedCell | undefined;
}

const PLAIN: FontFace = { bold: false, italic: false, mono: false, vertical: false };
/** Gap between two segments (columns, table cells), in font sizes; the gap between words is about 0.25. */
const SEGMENT_GAP = 0.95;
const NUMBER_GAP = 0.5;

/**
 * @param box the visible part of the page, [x0, y0, x1, y1] in user space; text completely outside is left out
 * @param rules upright lines of tables
 * @returns one layer for each text direction, the one with most characters first
 */
export function pageLayers(
  items: readonly DrawnText[],
  fonts: ReadonlyMap<string, FontFace>,
  box: readonly number[],
  rules: readonly Rule[] = [],
): Layer[] {
  const groups = new Map<number | 'vertical', Run[]>();
  let before: Run | undefined;
  for (const item of placeAccents(items)) {
    const face = fonts.get(item.fontName) ?? PLAIN;
    const direction = face.vertical ? 'vertical' : directionOf(item.transform);
    if (item.str.trim() === '') {
      if (before && item.str !== '') {
        // Right-to-left text may be drawn from its left end.
        if (before.rtl && placeOf(item, direction).x > before.x) before.spaceRight = true;
        else if (before.rtl) before.spaceLeft = true;
        else before.spaceRight = true;
      }
      continue;
    }
    if (outside(item, box)) continue;
    const runs = groups.get(direction) ?? [];
    groups.set(direction, runs);
    const made = toRuns(item, face, direction);
    runs.push(...made);
    before = made.at(-1);
  }
  return [...groups]
    .map(([direction, runs]): Layer => {
      const kept = dropOverprints(runs);
      settleScripts(kept);
      const rtlPage = leaning(kept) > 0;
      return {
        direction,
        characters: kept.reduce((sum, run) => sum + run.text.length, 0),
        segments: toSegments(kept, rtlPage, direction === 0 ? rules : []),
      };
    })
    .filter((layer) => layer.segments.length > 0)
    .sort((a, b) => b.characters - a.characters);
}

function outside({ transform, width, height }: DrawnText, box: readonly number[]): boolean {
  const x = transform[4] ?? 0;
  const y = transform[5] ?? 0;
  const reach = Math.max(width, height, 1);
  return (
    x + reach < (box[0] ?? 0) ||
    y + reach < (box[1] ?? 0) ||
    x - reach > (box[2] ?? Infinity) ||
    y - reach > (box[3] ?? Infinity)
  );
}

/** Text direction in degrees, rounded to a quarter turn within 3 degrees of one, because scans are slightly rotated. */
function directionOf([a = 1, b = 0]: readonly number[]): number {
  const degrees = (Math.round((Math.atan2(b, a) * 180) / Math.PI) + 360) % 360;
  const quarter = Math.round(degrees / 90) * 90;
  return Math.abs(degrees - quarter) <= 3 ? quarter % 360 : degrees;
}

function toRuns(item: DrawnText, face: FontFace, direction: number | 'vertical'): Run[] {
  const [a = 1, b = 0, c = 0, d = 1] = item.transform;
  const size = Math.hypot(c, d) || Math.hypot(a, b) || item.height || 1;
  const { x, y } = placeOf(item, direction);
  const width = direction === 'vertical' ? item.height : item.width;
  const rtl = item.dir === 'rtl';
  const str = item.str.replace(/[\u00a0\u2000-\u200a\u202f\u3000\t]/gu, ' ').replace(/[\u200b\u2060]/gu, '');
  const each = width / Math.max(str.length, 1);
  const runs: Run[] = [];
  // Several blanks in one string separate columns set by hand; positions are estimated from the mean character width.
  for (const match of str.matchAll(/\S+(?: {1,2}\S+)*/gu)) {
    const text = match[0];
    const offset = rtl ? str.length - match.index - text.length : match.index;
    const whole = text.length === str.length;
    const blankAfter = match.index + text.length < str.length;
    runs.push({
      text: fixLigatures(text),
      x: whole ? x : x + offset * each,
      y,
      lineY: y,
      width: whole ? width : text.length * each,
      size,
      face,
      rtl,
      spaceLeft: rtl && blankAfter,
      spaceRight: rtl ? match.index > 0 : blankAfter,
      cell: item.cell,
    });
  }
  return runs;
}

function placeOf({ transform }: DrawnText, direction: number | 'vertical'): { readonly x: number; readonly y: number } {
  const [, , , , e = 0, f = 0] = transform;
  if (direction === 'vertical') return { x: -f, y: -e };
  const turn = (direction * Math.PI) / 180;
  return { x: e * Math.cos(turn) + f * Math.sin(turn), y: e * Math.sin(turn) - f * Math.cos(turn) };
}

/** Latin and Armenian ligatures, Hebrew and Arabic presentation forms. */
const PRESENTATION = /[\ufb00-\ufb06\ufb13-\ufb17\ufb1d-\ufb4f\ufb50-\ufdfb\ufe70-\ufefc]/gu;

/**
 * Replaces ligatures and presentation forms by their letters. NFKC applies to these alone, because it also turns ² into
 * 2 and ™ into TM.
 */
export function fixLigatures(text: string): string {
  return text.replace(PRESENTATION, (form) => form.normalize('NFKC'));
}

/** Removes text that is drawn twice, slightly shifted, to imitate bold. */
function dropOverprints(runs: readonly Run[]): Run[] {
  const seen = new Map<string, Run[]>();
  return runs.filter((run) => {
    const same = seen.get(run.text);
    if (!same) {
      seen.set(run.text, [run]);
      return true;
    }
    const near = run.size * 0.2;
    if (same.some((other) => Math.abs(other.x - run.x) < near && Math.abs(other.y - run.y) < near)) return false;
    same.push(run);
    return true;
  });
}

/** Gives super- and subscripts the baseline of the larger text that they touch. */
function settleScripts(runs: readonly Run[]): void {
  const byY = [...runs].sort((a, b) => a.y - b.y || a.x - b.x);
  let from = 0;
  const tallest = Math.min(
    byY.reduce((most, run) => Math.max(most, run.size), 0),
    72,
  );
  for (const run of byY) {
    while (from < byY.length && byY[from]!.y < run.y - tallest) from++;
    let best: Run | undefined;
    let bestGap = Infinity;
    for (let i = from; i < byY.length && byY[i]!.y <= run.y + tallest; i++) {
      const host = byY[i]!;
      if (host.size < run.size * 1.15 || host.size > run.size * 2.6) continue;
      const rise = host.y - run.y;
      if (Math.abs(rise) < 0.02 * host.size || rise > 0.65 * host.size || rise < -0.4 * host.size) continue;
      const gap = Math.min(
        Math.abs(run.x - (host.x + host.width)),
        Math.abs(host.x - (run.x + run.width)),
        run.x > host.x && run.x + run.width < host.x + host.width ? 0 : Infinity,
      );
      const reach = /^[\d*†‡§¶,[\]]{1,6}$/u.test(run.text) ? 0.6 : 0.35;
      if (gap < reach * host.size && gap < bestGap) {
        best = host;
        bestGap = gap;
      }
    }
    if (best) run.lineY = best.lineY;
  }
  settleLowered(byY);
  // A second mark touches only the first one: [21][22].
  for (let i = 1; i < byY.length; i++) {
    for (const [run, other] of [
      [byY[i]!, byY[i - 1]!],
      [byY[i - 1]!, byY[i]!],
    ] as const) {
      if (run.lineY !== run.y || other.lineY === other.y) continue;
      const same = Math.abs(run.y - other.y) < 0.1 * run.size && Math.abs(run.size - other.size) < 0.1 * run.size;
      const gap = Math.min(Math.abs(run.x - other.x - other.width), Math.abs(other.x - run.x - run.width));
      if (same && gap < run.size) run.lineY = other.lineY;
    }
  }
}

function toSegments(runs: readonly Run[], rtlPage: boolean, rules: readonly Rule[]): Segment[] {
  const sorted = [...runs].sort((a, b) => a.lineY - b.lineY || a.x - b.x);
  const lines: Run[][] = [];
  for (const run of sorted) {
    const first = lines.at(-1)?.[0];
    if (first && run.lineY - first.lineY <= 0.22 * Math.min(first.size, run.size)) lines.at(-1)!.push(run);
    else lines.push([run]);
  }
  for (const line of lines) line.sort((a, b) => a.x - b.x || a.width - b.width);
  const edges = columnEdges(lines);
  return lines.flatMap((line, i) => cutLine(line, edges[i]!, rtlPage, rules));
}

/**
 * @param edges where columns begin, behind gaps that are narrower than elsewhere
 * @param rules upright lines: they part the text at their sides, however near it is
 */
function cutLine(
  runs: readonly Run[],
  edges: ReadonlySet<number>,
  rtlPage: boolean,
  rules: readonly Rule[],
): Segment[] {
  const limit = SEGMENT_GAP * stretch(runs);
  const out: Segment[] = [];
  let current: Run[] = [];
  let end = -Infinity;
  for (const run of runs) {
    const size = Math.max(run.size, current.at(-1)?.size ?? 0);
    const isRuled = rules.some(
      ({ at, from, to }) =>
        at >= end - 1 && at <= run.x + 1 && from < run.lineY - size / 3 && to > run.lineY - size / 3,
    );
    const isApart = run.x - end > (columnOfNumbers(current.at(-1) ?? run, run) ? NUMBER_GAP : limit) * size;
    const isOther = run.cell !== current.at(-1)?.cell;
    if (current.length > 0 && (isRuled || isApart || isOther || edges.has(run.x))) {
      out.push(toSegment(current, rtlPage));
      current = [];
      end = -Infinity;
    }
    current.push(run);
    end = Math.max(end, run.x + run.width);
  }
  if (current.length > 0) out.push(toSegment(current, rtlPage));
  return out;
}

/** @param rtlPage whether most letters of the page are written from right to left */
function toSegment(runs: readonly Run[], rtlPage: boolean): Segment {
  let characters = 0;
  let bold = 0;
  let italic = 0;
  let mono = 0;
  let x1 = -Infinity;
  const sizes = new Map<number, number>();
  const baselines = new Map<number, number>();
  for (const run of runs) {
    const n = run.text.length;
    characters += n;
    if (run.face.bold) bold += n;
    if (run.face.italic) italic += n;
    if (run.face.mono) mono += n;
    x1 = Math.max(x1, run.x + run.width);
    sizes.set(run.size, (sizes.get(run.size) ?? 0) + n);
    baselines.set(run.lineY, (baselines.get(run.lineY) ?? 0) + n);
  }
  const rtl = isRtl(runs, rtlPage);
  return {
    x0: runs[0]!.x,
    x1,
    y: mostOf(baselines),
    size: mostOf(sizes),
    text: composeAccents(rtl ? joinRtl(runs) : joinRuns(runs, false)),
    bold: bold > characters * 0.6,
    italic: italic > characters * 0.6,
    mono: mono > characters * 0.9,
    rtl,
    ...(runs[0]!.cell && { cell: runs[0]!.cell }),
  };
}

function isRtl(runs: readonly Run[], rtlPage: boolean): boolean {
  if (runs.some(({ text }) => hasRtlLetters(text))) return rtlPage || leaning(runs) > 0;
  return rtlPage && !runs.some(({ text }) => /\p{L}/u.test(text));
}

function joinRtl(runs: readonly Run[]): string {
  const ordered = rightToLeft(runs);
  const text = joinRuns(ordered, true);
  if (!isMirrored(text)) return text;
  const turned = ordered.map((run) => (run.rtl ? { ...run, text: mirror(run.text) } : run));
  return joinRuns(turned, true);
}

function mostOf(counts: ReadonlyMap<number, number>): number {
  let best = 0;
  let most = -1;
  for (const [value, count] of counts) {
    if (count > most) {
      best = value;
      most = count;
    }
  }
  return best;
}

const WIDE_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u;

function joinRuns(runs: readonly Run[], rtl: boolean): string {
  let text = '';
  let before: Run | undefined;
  const raised = new RaisedText();
  for (const run of runs) {
    if (before) {
      const leftwards = rtl && run.x < before.x;
      const gap = leftwards ? before.x - run.x - run.width : run.x - before.x - before.width;
      const blank = leftwards ? before.spaceLeft || run.spaceRight : before.spaceRight || run.spaceLeft;
      const size = Math.min(run.size, before.size);
      const wide = WIDE_SCRIPT.test(text.at(-1) ?? '') && WIDE_SCRIPT.test(run.text[0] ?? '');
      if (gap > (wide ? 0.5 : WORD_GAP) * size || (blank && gap > -0.1 * size && !wide)) text += ' ';
    }
    text += rtl ? run.text : raised.read(text, run.text, isRaised(run));
    before = run;
  }
  return text;
}
