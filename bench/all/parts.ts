/** The parts of a full run. Each part keeps within its time, and leaves the figures that it has measured by then. */
import { join } from 'node:path';
import type { RunOf } from '../support/run-file.ts';
import { neighbours } from './neighbours.ts';
import { bench, graceOf, keep, LEAST_MS, MINUTE, type Part, runAt, seconds } from './part.ts';

const quality: Part = {
  name: 'quality',
  share: 14,
  async run(context) {
    const limitMs = context.leftMs();
    const minutes = (limitMs - graceOf(limitMs)) / MINUTE;
    await bench(
      context,
      'quality',
      [
        'bench/quality/run.ts',
        `--minutes=${minutes.toFixed(2)}`,
        `--queries=${Math.max(50, Math.round(1500 * Math.min(1, context.scale)))}`,
        `--seed=${context.seed}`,
        `--out=${join(context.folder, 'quality.json')}`,
        ...(context.record ? ['--write'] : []),
      ],
      { limitMs },
    );
  },
};

const answers: Part = {
  name: 'answers',
  share: 5,
  async run(context) {
    const limitMs = context.leftMs();
    const minutes = (limitMs - graceOf(limitMs)) / MINUTE;
    await bench(
      context,
      'answers',
      [
        'bench/quality/answers.ts',
        `--minutes=${minutes.toFixed(2)}`,
        ...(context.scale < 0.5 ? [`--questions=${Math.max(20, Math.round(400 * context.scale))}`] : []),
        `--out=${join(context.folder, 'answers.json')}`,
        ...(context.record ? ['--write'] : []),
      ],
      { limitMs },
    );
  },
};

/**
 * What prints its figures instead of writing a run file; in the report as it is printed. Short ones first: what a
 * long one is cut off in costs no other. About so many seconds of CPU each: 5, 7, 20, 20, 35, 60, 60, 190.
 */
const others: readonly { readonly name: string; readonly args: (scale: number) => readonly string[] }[] = [
  { name: 'conversation', args: () => ['bench/quality/conversation.ts'] },
  { name: 'chunk-sizes', args: () => ['bench/quality/chunk-sizes.ts'] },
  { name: 'rerank', args: (scale) => ['bench/quality/rerank.ts', `--queries=${atLeast(10, 60 * scale)}`] },
  { name: 'grounded', args: (scale) => ['bench/quality/grounded.ts', `--questions=${atLeast(10, 60 * scale)}`] },
  { name: 'grounded-cache', args: () => ['bench/quality/grounded-cache.ts'] },
  { name: 'service-edits', args: () => ['bench/quality/service-edits.ts', '--only=chunk-spans'] },
  {
    name: 'web',
    args: (scale) => ['bench/quality/web.ts', '--engine=words', `--every=${Math.max(1, Math.round(6 / scale))}`],
  },
  { name: 'service-packing', args: () => ['bench/quality/service-packing.ts'] },
];

const atLeast = (least: number, value: number): number => Math.max(least, Math.round(value));

const services: Part = {
  name: 'services',
  share: 5,
  async run(context) {
    for (const [i, { name, args }] of others.entries()) {
      if (context.signal.aborted) return;
      if (context.leftMs() < LEAST_MS) {
        context.skip(name, 'no time was left');
        continue;
      }
      // twice an equal part of what is left, but enough to come to something; a quick one leaves the rest to those
      // after it
      const limitMs = Math.min(context.leftMs(), Math.max(20_000, (2 * context.leftMs()) / (others.length - i)));
      const flags = args(Math.min(1, context.scale));
      const { stdout, status, cut } = await bench(context, name, flags, { limitMs, prefix: `${name}: ` });
      const whole = status === 0 && cut === undefined;
      if (stdout.trim() !== '')
        context.note({
          title: whole ? name : `${name} (not whole)`,
          command: `node ${flags.join(' ')}`,
          text: stdout.trim(),
        });
    }
  },
};

const speed: Part = {
  name: 'speed',
  share: 9,
  async run(context) {
    // a round of all systems over SciFact's abstracts takes a minute or two; short runs take fewer documents
    const documents = context.leftMs() > 5 * MINUTE ? 5183 : context.leftMs() > 2 * MINUTE ? 1500 : 300;
    const flags = ['--rounds=1', `--documents=${documents}`, `--queries=${documents > 1000 ? 100 : 30}`];
    const command = `node bench/speed/run.ts ${flags.join(' ')}, as many times as there was time`;
    const runs: RunOf<'speed'>[] = [];
    let longest = 0;
    for (let round = 1; round <= 7; round++) {
      if (context.signal.aborted) return;
      if (round > 1 && context.leftMs() < 1.15 * longest) {
        context.say(`${round - 1} rounds; another would take about ${seconds(longest)}`);
        break;
      }
      const out = join(context.workplace, `speed-${round}.json`);
      const { ms } = await bench(context, `speed: round ${round}`, ['bench/speed/run.ts', ...flags, `--out=${out}`], {
        limitMs: context.leftMs(),
        prefix: `round ${round}: `,
      });
      longest = Math.max(longest, ms);
      const found = runAt(out, 'speed');
      runs.push(...found);
      keep(context, 'speed', runs, command);
      if (found.length === 0) break;
    }
  },
};

/** Sizes in the order they are wanted; each is measured beside the smallest, which every line goes through. */
const sizes = [10_000, 100_000, 1_000_000, 250_000, 40_000];
const smallSizes = [4000, 10_000, 40_000, 100_000];
const SMALLEST = 1000;
/**
 * Time over chunks grows with this power, by a cautious reading of bench/results/scale.json; a line through 100,000
 * would foresee no million.
 */
const GROWTH = 0.85;

const scaling: Part = {
  name: 'scale',
  share: 13,
  async run(context) {
    const runs: RunOf<'scale'>[] = [];
    let last: { readonly chunks: number; readonly ms: number } | undefined;
    for (const chunks of context.leftMs() > 3 * MINUTE ? sizes : smallSizes) {
      if (context.signal.aborted) return;
      const expected = Math.max(LEAST_MS, last === undefined ? 0 : 1.2 * last.ms * (chunks / last.chunks) ** GROWTH);
      const left = context.leftMs();
      if (expected > left) {
        context.skip(
          `scale: ${chunks.toLocaleString('en')} chunks`,
          `would take about ${seconds(expected)}, ${seconds(left)} were left`,
        );
        continue;
      }
      const out = join(context.workplace, `scale-${chunks}.json`);
      const args = ['bench/speed/scale.ts', `--chunks=${SMALLEST},${chunks}`, `--out=${out}`];
      const prefix = `${chunks.toLocaleString('en')} chunks: `;
      context.say(`${prefix}begun`);
      const { ms } = await bench(context, `scale: ${chunks.toLocaleString('en')} chunks`, args, {
        limitMs: left,
        prefix,
      });
      const found = runAt(out, 'scale');
      runs.push(...found);
      keep(context, 'scale', runs, `node bench/speed/scale.ts --chunks=${SMALLEST},N for each size`);
      if (found.length > 0) last = { chunks, ms };
    }
  },
};

/** In their order. */
export const parts: readonly Part[] = [quality, answers, services, speed, scaling, neighbours];
