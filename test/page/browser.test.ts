import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { LanguageModel } from '../../src/index.ts';
import { serve, TokenStore } from '../../src/serve.ts';
import { ownModel } from '../examples/own-model.ts';
import { tempFolder } from '../support/temp.ts';
import { documents, recording } from './documents.ts';
import { chromiumPath, expectAccessible, forAll, opened, served, unlessAborted } from './support.ts';

const question = 'How long does a full tank of the lamp last?';

const ask = async (page: Page, text: string): Promise<void> => {
  await page.locator('#question').fill(text);
  await page.keyboard.press('Enter');
};
/** The lit-up text of the open source. */
const lit = async (page: Page): Promise<string> => {
  await page.locator('#source mark:visible').first().waitFor();
  return (await page.locator('#source mark').allTextContents()).join('');
};
const where = (page: Page): URL => new URL(page.url());

describe.skipIf(chromiumPath === undefined)('the page in a browser (needs a Chromium in /usr/bin)', () => {
  const its = forAll(documents);

  it('is small, and asks nobody but its server', async () => {
    const { page, requests, complaints } = await opened(its.browser, its.server.url);
    await page.getByText('7 documents').waitFor();
    const bytes = await page.evaluate(() => {
      const entries = performance.getEntries().filter((one) => one instanceof PerformanceResourceTiming);
      return entries.reduce((sum, one) => sum + one.transferSize, 0);
    });
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(150_000);
    expect(requests.filter((address) => !address.startsWith(its.server.url))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('opens a source from a mark, goes back to it, and shares both', async () => {
    const { page, complaints } = await opened(its.browser, its.server.url);
    await ask(page, question);
    await page.locator('.answer.done').waitFor();
    expect(await page.locator('.said').first().textContent()).toContain('nine nights');
    expect(await page.locator('.sources strong').first().textContent()).toContain('nine nights');
    await page.locator('a.n').first().click();
    expect(await lit(page)).toContain('A full tank lasts nine nights.');
    expect(await page.locator('#source mark strong').first().textContent()).toContain('nine nights');
    const reference = where(page).searchParams.get('ref')!;
    expect(reference).toMatch(/^guide\/lighthouse\.md#\d+-\d+$/);
    const both = page.url();
    await page.goBack();
    expect(await page.locator('#source').isVisible()).toBe(false);
    expect(
      await page
        .locator('a.n')
        .first()
        .evaluate((link) => link === document.activeElement),
    ).toBe(true);
    for (const address of [both, `${its.server.url}/source?ref=${encodeURIComponent(reference)}`]) {
      const shared = await opened(its.browser, address);
      expect(await lit(shared.page)).toContain('A full tank lasts nine nights.');
    }
    expect(complaints).toEqual([]);
  });

  it('is used without a mouse', async () => {
    const { page } = await opened(its.browser, its.server.url);
    await page.getByText('7 documents').waitFor();
    await page.locator('#results').focus();
    await page.keyboard.press('/');
    await page.keyboard.type(question);
    await page.keyboard.press('Enter');
    await page.locator('.answer.done').waitFor();
    const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.outerHTML ?? '');
    for (let i = 0; i < 12 && !(await focused()).includes('data-reference'); i++) await page.keyboard.press('Tab');
    const first = await focused();
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toContain('data-reference');
    await page.keyboard.press('ArrowUp');
    expect(await focused()).toBe(first);
    await page.keyboard.press('Enter');
    await lit(page);
    await page.waitForFunction(() => document.activeElement?.id === 'source-title');
    expect(await page.locator('#live').textContent()).toBe('Source: The lighthouse');
    await page.keyboard.press('Escape');
    expect(await page.locator('#source').isVisible()).toBe(false);
    expect(await focused()).toContain('data-reference');
    await page.locator('#question').focus();
    await page.keyboard.press('Control+Enter');
    await page.locator('.hits').waitFor();
    expect(where(page).searchParams.get('view')).toBe('search');
  });

  it('shows each kind of source as what it is', async () => {
    const { page, requests, complaints } = await opened(its.browser, its.server.url);
    const open = async (uri: string, words: string): Promise<void> => {
      const start = (await its.index.document(uri))!.text.indexOf(words);
      expect(start, words).toBeGreaterThanOrEqual(0);
      await page.goto(`${its.server.url}/source?ref=${encodeURIComponent(`${uri}#${start}-${start + words.length}`)}`);
    };
    await open('data/harvest.csv', 'June | 63.25 | storm on the ninth');
    expect(await lit(page)).toBe('June63.25storm on the ninth');
    expect(await page.locator('#source th').allTextContents()).toEqual(['month', 'mussels t', 'note']);
    expect(await page.locator('#source tr.lit').allTextContents()).toEqual(['June63.25storm on the ninth']);
    await open('mail/pump.eml', 'The bilge pump of the Kestrel failed on Sunday.');
    expect(await lit(page)).toBe('The bilge pump of the Kestrel failed on Sunday.');
    expect(await page.locator('.headers p').first().textContent()).toContain(
      'From: Ines Okafor <ines@harbour.example>',
    );
    await open('code/tide.py', 'return SPRING_RANGE_M * factor');
    expect(await lit(page)).toBe('return SPRING_RANGE_M * factor');
    expect(
      await page
        .locator('.line', { has: page.locator('mark') })
        .locator('.number')
        .getAttribute('data-line'),
    ).toBe('8');
    await open('talks/council.vtt', 'Divers inspect its foundation first.');
    expect(await lit(page)).toBe('Divers inspect its foundation first.');
    expect(
      await page
        .locator('.cue', { has: page.locator('mark') })
        .locator('.time')
        .textContent(),
    ).toBe('1:04');
    await open('guide/lighthouse.md', 'lamp --trim');
    expect(await page.locator('#source pre').textContent()).toContain('lamp --trim\n\nlamp --light');
    expect(requests.some((address) => address.endsWith('/pdf.mjs'))).toBe(false);
    expect(complaints).toEqual([]);
  });

  it('shows HTML of a document as text', async () => {
    const { page, complaints } = await opened(its.browser, its.server.url);
    await ask(page, 'What must never be written on a buoy?');
    await page.locator('.answer.done').waitFor();
    await page.locator('a.n, .card').first().click();
    await lit(page);
    expect(await page.locator('#source').textContent()).toContain('<img src=x onerror=alert(1)>');
    expect(await page.locator('#source img, #source b, #source script').count()).toBe(0);
    expect(await page.title()).not.toContain('attacked');
    expect(complaints).toEqual([]);
  });

  it('draws the page of a PDF and marks the words on it', async () => {
    const words = 'A damaged export cable stopped both machines for nine days in November.';
    const start = (await its.index.document('reports/annual-report-2024.pdf'))!.text.indexOf(words);
    const address = `/source?ref=${encodeURIComponent(`reports/annual-report-2024.pdf#${start}-${start + words.length}`)}`;
    const { page, requests, complaints } = await opened(its.browser, `${its.server.url}${address}`);
    await page.locator('.region').first().waitFor();
    expect(requests.some((one) => one.endsWith('/pdf.mjs'))).toBe(true);
    // under each mark there is ink, and right of it, where the lines end, there is none
    const ink = await page.locator('.region').evaluateAll((regions) => {
      const canvas = document.querySelector('canvas')!;
      const scale = canvas.width / canvas.clientWidth;
      const origin = canvas.getBoundingClientRect();
      return regions.map((region) => {
        const { left, top, width, height } = region.getBoundingClientRect();
        const dark = (x: number, wide: number): number => {
          const at = [(x - origin.left) * scale, (top - origin.top) * scale, wide * scale, height * scale] as const;
          const { data } = canvas.getContext('2d')!.getImageData(...at);
          let count = 0;
          for (let i = 0; i < data.length; i += 4) if (data[i]! < 128) count++;
          return count / (data.length / 4);
        };
        return { under: dark(left, width), beyond: dark(left + width + 8, 60) };
      });
    });
    expect(ink.length).toBe(2); // the sentence stands on two lines
    for (const { under, beyond } of ink) {
      expect(under).toBeGreaterThan(0.05);
      expect(beyond).toBe(0);
    }
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('Page 2 of 3').waitFor();
    await page.waitForFunction(() => document.querySelectorAll('.region').length === 0);
    await page.getByRole('button', { name: 'As text' }).click();
    expect(await lit(page)).toBe(words);
    expect(complaints).toEqual([]);
  });

  it('plays a recording from the cited words on, and lights up what is heard', async () => {
    await using other = await served(recording);
    const { text } = (await other.index.document('talks/foghorn.wav'))!;
    const words = 'The relay was changed in March.';
    const start = text.indexOf(words);
    const address = `/source?ref=${encodeURIComponent(`talks/foghorn.wav#${start}-${start + words.length}`)}`;
    const { page, complaints } = await opened(its.browser, `${other.server.url}${address}`);
    expect(await lit(page)).toBe(words);
    const player = page.locator('audio');
    const at = (): Promise<number> => player.evaluate((media: HTMLAudioElement) => media.currentTime);
    await page.waitForFunction(() => document.querySelector('audio')!.currentTime > 0);
    expect(await at()).toBeCloseTo(0.5 + 8 * 0.25, 1); // eight words were said before
    await player.evaluate((media: HTMLAudioElement) => {
      media.currentTime = 0.5 + 9 * 0.25 + 0.1;
    });
    await page.waitForFunction(() => document.querySelector('.heard')?.textContent?.includes('relay'));
    expect(await page.locator('.heard').count()).toBe(1);
    await page
      .getByRole('button', { name: /^Play from/ })
      .first()
      .click();
    await page.waitForFunction(() => !document.querySelector('audio')!.paused);
    expect(await at()).toBeLessThan(2);
    expect(complaints).toEqual([]);
  });

  it('says that the documents do not know, with the nearest passages', async () => {
    const { page } = await opened(
      its.browser,
      `${its.server.url}/?q=${encodeURIComponent('How many ships did the mayor of Valparaíso buy?')}`,
    );
    await page.locator('.answer.refused').waitFor();
    expect(await page.locator('.verdict').textContent()).toBe('Not in these documents');
    expect(await page.getByRole('heading', { name: 'The nearest passages' }).isVisible()).toBe(true);
    await expectAccessible(page, 'a refusal');
  });

  it('filters by what the index has, and the link keeps it', async () => {
    const { page } = await opened(its.browser, `${its.server.url}/?q=pump+ships+mooring&view=search`);
    await page.locator('.hits').waitFor();
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('markdown').check();
    await page.waitForFunction(() => [...document.querySelectorAll('.hit')].length === 1);
    expect(JSON.parse(where(page).searchParams.get('where')!)).toEqual({ format: 'markdown' });
    await page.getByLabel('markdown').uncheck();
    await page.getByLabel('Folder').selectOption({ label: 'mail/ (1)' });
    await page.waitForFunction(() => document.querySelector('.hit h2')?.textContent?.startsWith('Bilge pump'));
    const shared = await opened(its.browser, page.url());
    await shared.page.getByRole('button', { name: 'Filters (1)' }).click();
    expect(await shared.page.getByLabel('Folder').inputValue()).toContain('mail/');
    await expectAccessible(shared.page, 'filters');
    await shared.page.getByRole('button', { name: 'Clear all filters' }).click();
    await shared.page.getByRole('button', { name: 'Filters', exact: true }).waitFor();
  });

  it('says why a hit was found, and what stands around it', async () => {
    const long = Array.from(
      { length: 60 },
      (_, i) => `## Part ${i}\n\nParagraph ${i} is about ${'many things and '.repeat(12)}number ${i}.`,
    );
    long[30] = '## Part 30\n\nThe albatross was seen here.';
    await using other = await served({ 'long.md': `# Long\n\n${long.join('\n\n')}\n` });
    const { page } = await opened(its.browser, `${other.server.url}/?q=albatross&view=search`);
    const hit = page.locator('.hit').first();
    await hit.getByRole('button', { name: 'Why this hit' }).click();
    await hit.locator('.why').waitFor();
    const bars = await hit
      .locator('.why .bar')
      .evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect().width));
    expect(bars.length).toBeGreaterThan(2);
    expect(bars).toEqual([...bars].sort((a, b) => b - a));
    await hit.getByRole('button', { name: 'Neighbours' }).click();
    await hit.locator('.near').first().getByText('Paragraph').first().waitFor();
    expect(await hit.locator('.passage b').first().textContent()).toBe('albatross');
    await expectAccessible(page, 'a hit with its trace');
  });

  it('writes the answer as it comes, and says when it broke off', async () => {
    let gate = Promise.withResolvers<void>();
    const slow: LanguageModel = {
      ...ownModel,
      async *write(request, options) {
        for await (const event of ownModel.write(request, options)) {
          if (event.type === 'blockEnd') await unlessAborted(gate.promise, options?.signal);
          yield event;
        }
      },
    };
    const lamp = { 'lamp.md': documents['guide/lighthouse.md']! };
    await using other = await served(lamp, { dailyBudgetUsd: 1 }, { models: { writer: slow } });
    const { page } = await opened(its.browser, `${other.server.url}/?q=${encodeURIComponent(question)}&mode=grounded`);
    await page.locator('.answer.writing .said').waitFor();
    expect(await page.locator('.answer').getAttribute('aria-busy')).toBe('true');
    gate.resolve();
    await page.locator('.answer.done').waitFor();
    expect(await page.getByLabel('Answered by').inputValue()).toBe('grounded');
    gate = Promise.withResolvers();
    await page.locator('#ask').click();
    await page.locator('.answer.writing .said').waitFor();
    await other.server.stop(0);
    await page.locator('.answer.failed .warning, .answer.done .warning').waitFor();
    expect(await page.locator('.said').isVisible()).toBe(true);
    await page.locator('#search').click();
    await page.getByText('The server cannot be reached.').waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).isVisible()).toBe(true);
  });

  it('asks for a token where one is needed', async () => {
    const tokens = new TokenStore(`${tempFolder()}/tokens.json`);
    const { secret } = tokens.create({ name: 'reader', scopes: ['read', 'ask'] });
    await using other = await serve({ port: 0, indexes: its.index, tokens });
    const { page } = await opened(its.browser, `${other.url}/?q=${encodeURIComponent(question)}`);
    await page.getByRole('textbox', { name: 'Token' }).fill('wrong');
    await page.getByRole('button', { name: 'Use it' }).click();
    await page.getByRole('textbox', { name: 'Token' }).fill(secret);
    await page.getByRole('button', { name: 'Use it' }).click();
    await page.locator('.answer.done').waitFor();
    await page.locator('a.n').first().click();
    expect(await lit(page)).toContain('nine nights');
  });

  it('tells what could not be read, and how far an ingest is', async () => {
    const { page } = await opened(its.browser, its.server.url);
    await page.getByRole('button', { name: 'Status' }).click();
    await page.getByText('1 file could not be read').click();
    expect(await page.locator('.problems').textContent()).toContain('reports/broken.pdf');
    await expectAccessible(page, 'status');
    const index = { name: 'default', documents: 3, chunks: 9, formats: {}, failed: [], skipped: [], warnings: [] };
    const status = {
      version: '1',
      modes: ['extractive'],
      watching: true,
      indexes: [{ ...index, ingest: { running: true, files: 10, done: 4 } }],
    };
    const running = await opened(its.browser, 'about:blank');
    await running.page.route('**/api/status', (route) => route.fulfill({ json: status }));
    await running.page.goto(its.server.url);
    await running.page.getByText('Reading files: 4 of 10').first().waitFor();
    await running.page.getByRole('button', { name: 'Status' }).click();
    expect(await running.page.locator('progress').evaluate((bar: HTMLProgressElement) => bar.value / bar.max)).toBe(
      0.4,
    );
  });

  it('keeps questions in this browser alone, until they are forgotten', async () => {
    const { page } = await opened(its.browser, `${its.server.url}/?q=${encodeURIComponent(question)}`);
    await page.locator('.answer.done').waitFor();
    await page.locator('#home').click();
    await page.getByRole('link', { name: question }).waitFor();
    const other = await opened(its.browser, its.server.url);
    await other.page.getByText('7 documents').waitFor();
    expect(await other.page.getByText(question).count()).toBe(0);
    await page.getByRole('button', { name: 'Forget these' }).click();
    await page.reload();
    await page.getByText('7 documents').waitFor();
    expect(await page.getByText(question).count()).toBe(0);
  });

  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1300, 360])
      it(`is accessible: ${colorScheme}, ${width} pixels wide`, async () => {
        const { page } = await opened(its.browser, its.server.url, { colorScheme, viewport: { width, height: 800 } });
        await page.getByText('7 documents').waitFor();
        await expectAccessible(page, 'the start');
        await ask(page, question);
        await page.locator('.answer.done').waitFor();
        await expectAccessible(page, 'an answer');
        await page.locator('.looked-at summary').click();
        await expectAccessible(page, 'passages');
        await page.locator('a.n').first().click();
        await lit(page);
        await expectAccessible(page, 'a source');
        await page.goto(`${its.server.url}/source?ref=code/tide.py%230-20`);
        await lit(page);
        await expectAccessible(page, 'code');
        await page.goto(`${its.server.url}/source?ref=reports/annual-report-2024.pdf%230-20`);
        await page.locator('.region').first().waitFor();
        await expectAccessible(page, 'a PDF');
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      });
});
