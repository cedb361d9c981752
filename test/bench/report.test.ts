import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { lineChart } from '../../bench/report/charts.ts';
import { newestRuns, writeReport } from '../../bench/report/main.ts';
import { writeRunFile } from '../../bench/support/run-file.ts';
import { linearScale, logScale, textWidth } from '../../src/quality/svg.ts';
import { browserPath, type Page, withPage } from '../support/browser.ts';
import { reportRuns } from '../support/report-runs.ts';
import { makeTempFolder, tempFolder } from '../support/temp.ts';

describe('scales', () => {
  it('put values where arithmetic puts them, with ticks at round numbers', () => {
    const x = linearScale([0, 10], [100, 200], 5);
    expect([x(0), x(2.5), x(10)]).toEqual([100, 125, 200]);
    expect(x.ticks).toEqual([0, 2, 4, 6, 8, 10]);
    expect(linearScale([0.313, 0.327], [0, 1], 3).ticks).toEqual([0.315, 0.32, 0.325]);
    const log = logScale([1, 1000], [0, 300]);
    expect(log(1)).toBe(0);
    expect(log(10)).toBeCloseTo(100, 9);
    expect(log(1000)).toBe(300);
    expect(log.ticks.length).toBeGreaterThanOrEqual(2);
    for (const [low, high] of [
      [0.42, 0.44],
      [3, 8],
      [1e-3, 1e9],
      [5, 5],
    ] as const) {
      const { ticks } = logScale([low, high], [0, 1]);
      expect(ticks.length, `${low} to ${high}`).toBeGreaterThanOrEqual(2);
      expect(ticks.length).toBeLessThanOrEqual(7);
    }
  });
});

describe('more curves than colours', () => {
  it('are told apart by dashes, in the plot and in its legend', () => {
    const series = Array.from({ length: 12 }, (_, i) => {
      const points = [
        { x: 1, y: i },
        { x: 2, y: i + 1 },
      ];
      return { name: `engine ${i}`, points };
    });
    const plot = lineChart({ id: 'x', title: 't', description: 'd' }, series, { label: 'x' }, { label: 'y' });
    const { body } = plot.draw(700);
    expect(body.filter((part) => part.includes('stroke-dasharray'))).toHaveLength(4); // of eight colours
    expect(body.filter((part) => part.includes('(dashed)'))).toHaveLength(4);
  });
});

describe('bench:report', () => {
  const folder = makeTempFolder();
  let page = '';
  beforeAll(() => {
    page = writeReport(reportRuns(), folder)[0]!;
  });

  it('writes a Markdown table of every figure, and a plot file for every plot it shows', () => {
    const markdown = readFileSync(join(folder, 'report.md'), 'utf8');
    for (const heading of ['Retrieval quality', 'Answers', 'Nearest neighbours', 'Speed', 'Scaling'])
      expect(markdown).toContain(`\n## ${heading}\n`);
    const named = [...markdown.matchAll(/\]\((plots\/[^)]+)\)/g)].map((match) => match[1]!);
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => !existsSync(join(folder, name)))).toEqual([]);
    expect(readdirSync(join(folder, 'plots'))).toHaveLength(named.length);
    expect(markdown).toContain('| sign plane and int8 | 100 candidates |');
    expect(markdown).toContain('1 M × 2,560 with hnswlib-node: needs more memory than the machine has');
    for (const table of markdown.split(/\n\n/).filter((part) => part.startsWith('|'))) {
      const columns = table
        .trim()
        .split('\n')
        .map((line) => line.replaceAll('\\|', '').split('|').length);
      expect(new Set(columns).size).toBe(1);
    }
  });

  it('tells the mean of the differences it draws, with its sign', () => {
    const html = readFileSync(page, 'utf8');
    expect(html).toContain('nDCG@10: mean +0.031 [+0.010, +0.050], p = 0.0012'); // the run has BM25 minus hybrid
    expect(html).not.toContain('per-query difference');
  });

  it('is one page that loads nothing and says nothing twice', () => {
    const html = readFileSync(page, 'utf8');
    expect(html).not.toMatch(/<script|src=|@import|url\(|https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
    expect(html).toContain('a package with &#60;a long&#62; name &#38; its documented defaults');
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]!);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, labels] of html.matchAll(/aria-labelledby="([^"]+)"/g))
      for (const label of labels!.split(' ')) expect(ids).toContain(label);
  });

  it('takes the newest run of each kind', () => {
    const runs = tempFolder();
    const [quality, answers] = reportRuns();
    for (const day of ['2026-01-03', '2026-01-01'])
      writeRunFile(
        { ...quality!, startedAt: `${day}T00:00:00.000Z` },
        join(runs, `quality-${day.replaceAll('-', '')}T000000Z.json`),
      );
    writeRunFile(answers!, join(runs, 'answers-20260101T000000Z.json'));
    expect(newestRuns(runs)).toEqual([
      join(runs, 'quality-20260103T000000Z.json'),
      join(runs, 'answers-20260101T000000Z.json'),
    ]);
    expect(newestRuns(join(runs, 'none'))).toEqual([]);
  });

  const cases = [
    { name: 'a desk', width: 1100, height: 900 },
    { name: 'a phone in the dark', width: 375, height: 700, dark: true },
    { name: 'a small phone', width: 320, height: 600 },
  ];
  const named =
    browserPath === undefined ? 'in a browser (skipped: no Chromium on the path, nor in IBID_BROWSER)' : 'in a browser';
  describe.skipIf(browserPath === undefined)(named, () => {
    it('looks right on a desk and on a phone', { timeout: 120_000 }, async () => {
      await withPage(browserPath!, async (browser) => {
        for (const { name, ...size } of cases) {
          await browser.open(`file://${page}`, size);
          await checkPage(browser, name, size.width);
        }
        expect(browser.complaints).toEqual([]);
        expect(browser.requests.filter((address) => !/^(file|data):/.test(address))).toEqual([]);
      });
    });

    it('looks right as a file of its own, every plot', { timeout: 120_000 }, async () => {
      await withPage(browserPath!, async (browser) => {
        for (const name of readdirSync(join(folder, 'plots'))) {
          await browser.open(`file://${join(folder, 'plots', name)}`, { width: 800, height: 700 });
          const { outside, touching } = await browser.evaluate<Faults>(faultsOf('[document.documentElement]'));
          expect(outside, name).toEqual([]);
          expect(touching, name).toEqual([]);
        }
        expect(browser.complaints).toEqual([]);
      });
    });

    it('notices a text that runs out of its plot, and two that touch', async () => {
      await withPage(browserPath!, async (browser) => {
        const svg =
          '<svg width="100" height="50"><text x="80" y="20">far too long</text><text x="5" y="40">one</text><text x="9" y="42">two</text></svg>';
        await browser.open(`data:text/html,${encodeURIComponent(svg)}`, { width: 400, height: 300 });
        const { outside, touching } = await browser.evaluate<Faults>(faultsOf('[...document.querySelectorAll("svg")]'));
        expect(outside).toEqual(['far too long']);
        expect(touching).toEqual(['one / two']);
      });
    });

    it('is never narrower set than estimated', async () => {
      const samples = [
        'hybrid, chunks of 480 tokens',
        'IVF_PQ over float32, refined',
        'documents/s',
        'MMWWmw@%',
        '0.123 → +4,567',
        'größer Straße',
      ];
      await withPage(browserPath!, async (browser) => {
        await browser.open(`file://${page}`, { width: 900, height: 700 });
        const widths = await browser.evaluate<number[]>(
          `${JSON.stringify(samples)}.map((text) => { const svg = document.querySelector('.wide svg'); const e = document.createElementNS(svg.namespaceURI, 'text'); e.setAttribute('font-size', '12'); e.textContent = text; svg.append(e); const width = e.getBBox().width; e.remove(); return width; })`,
        );
        widths.forEach((width, i) => {
          expect(width, samples[i]).toBeLessThanOrEqual(textWidth(samples[i]!) * 1.06);
        });
      });
    });
  });
});

interface Faults {
  readonly plots: number;
  readonly empty: number;
  readonly outside: readonly string[];
  readonly touching: readonly string[];
}

/** An expression: what is wrong with these plots as they are drawn. */
function faultsOf(plots: string): string {
  return `(() => {
    const faults = { plots: 0, empty: 0, outside: [], touching: [] };
    for (const svg of ${plots}) {
      const frame = svg.getBoundingClientRect();
      faults.plots++;
      if (frame.width < 100 || frame.height < 60) faults.empty++;
      const texts = [...svg.querySelectorAll('text')].map((e) => ({ text: e.textContent, box: e.getBoundingClientRect() }));
      for (const { text, box } of texts)
        if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
          faults.outside.push(text);
      texts.forEach((a, i) => {
        for (const b of texts.slice(i + 1)) {
          const x = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
          const y = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
          if (x > 1 && y > 3) faults.touching.push(a.text + ' / ' + b.text);
        }
      });
    }
    return faults;
  })()`;
}

async function checkPage(browser: Page, name: string, width: number): Promise<void> {
  const shown = '[...document.querySelectorAll("figure svg")].filter((e) => e.getBoundingClientRect().width > 0)';
  const { plots, empty, outside, touching } = await browser.evaluate<Faults>(faultsOf(shown));
  const figures = await browser.evaluate<number>('document.querySelectorAll("figure").length');
  expect(plots, name).toBe(figures); // of the two drawings of each plot exactly one
  expect(empty, name).toBe(0);
  expect(outside, name).toEqual([]);
  expect(touching, name).toEqual([]);
  await browser.evaluate('document.querySelectorAll("details").forEach((e) => { e.open = true; })');
  expect(await browser.evaluate<number>('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(width);
  const cut = await browser.evaluate<string[]>(
    `[...document.querySelectorAll('h1,h2,h3,p,figcaption,summary,dd,li')].filter((e) => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0).map((e) => e.textContent)`,
  );
  expect(cut, name).toEqual([]);
}
