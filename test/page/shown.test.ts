import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openIndex } from '../../src/index.ts';
import { serve } from '../../src/serve.ts';
import { tempFolder } from '../support/temp.ts';
import { documents } from './documents.ts';
import { chromiumPath, forAll, opened, served } from './support.ts';

const question = 'How long does a full tank of the lamp last?';
const asked = `?q=${encodeURIComponent(question)}`;

describe.skipIf(chromiumPath === undefined)('what a reader sees, copies and prints (needs a Chromium)', () => {
  const its = forAll(documents);

  it('prints an answer and the source beside it one after the other, dark on white', async () => {
    const { page } = await opened(its.browser, `${its.server.url}/${asked}`, { colorScheme: 'dark' });
    await page.locator('.answer.done').waitFor();
    await page.locator('a.n').first().click();
    await page.locator('#source mark').first().waitFor();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    for (const width of [794, 1123]) {
      await page.setViewportSize({ width, height: 600 }); // paper, upright and across
      const { answer, source, ink } = await page.evaluate(() => ({
        answer: document.querySelector('#results')!.getBoundingClientRect().bottom,
        source: document.querySelector('#source')!.getBoundingClientRect().top,
        ink: getComputedStyle(document.querySelector('.said')!).color.match(/\d+/g)!.map(Number),
      }));
      expect(source, `${width} pixels wide`).toBeGreaterThanOrEqual(answer);
      expect(Math.max(...ink)).toBeLessThan(100);
    }
  });

  it('an answer that is copied keeps its marks apart from its words', async () => {
    const { page } = await opened(its.browser, `${its.server.url}/${asked}`);
    await page.locator('.answer.done').waitFor();
    const copied = await page.evaluate(() => {
      getSelection()!.selectAllChildren(document.querySelector('.said')!);
      return getSelection()!.toString();
    });
    expect(copied).toBe('A full tank lasts nine nights. [1]');
  });

  it('a mark stands apart from the words before it, from right to left too', async () => {
    await using other = await served({ 'a.md': '# المنارة\n\nتُغلق المنارة في شهر مايو لأعمال الصيانة.\n' });
    for (const [server, asking] of [
      [its.server, question],
      [other.server, 'متى تغلق المنارة؟'],
    ] as const) {
      const { page } = await opened(its.browser, `${server.url}/?q=${encodeURIComponent(asking)}`);
      await page.locator('.answer.done').waitFor();
      const gap = await page.evaluate(() => {
        const range = document.createRange();
        range.selectNodeContents(document.querySelector('.said')!.firstChild!);
        const words = range.getBoundingClientRect();
        const mark = document.querySelector('.said a.n')!.getBoundingClientRect();
        return Math.max(mark.left - words.right, words.left - mark.right);
      });
      expect(gap, asking).toBeGreaterThan(3);
    }
  });

  it('the score of a hit stands in one line beside a title that fills the width', async () => {
    const title = 'Donaudampfschifffahrtsgesellschaft'.repeat(8);
    await using other = await served({ 'long.md': `# ${title}\n\nThe kestrel flew north.\n` });
    const { page } = await opened(its.browser, `${other.server.url}/?q=kestrel&view=search`, {
      viewport: { width: 360, height: 740 },
    });
    const score = page.locator('.score').first();
    await score.waitFor();
    const lines = await score.evaluate((one) => {
      const range = document.createRange();
      range.selectNodeContents(one);
      return range.getClientRects().length;
    });
    expect(lines).toBe(1);
  });

  it('long names of indexes and of metadata stay within a phone', async () => {
    await using index = await openIndex(`${tempFolder()}/.ibid`, { create: true });
    const metadata = { [`key_of_a_machine_${'x'.repeat(60)}`]: 'y'.repeat(120), team: 'ops' };
    const document = { text: 'The heron stands at the weir.', metadata };
    await index.add([
      { ...document, uri: 'note:1' },
      { ...document, uri: 'note:2' },
    ]);
    const indexes = { 'minutes-and-reports-of-the-north-harbour-authority-since-1998': index, other: index };
    await using server = await serve({ port: 0, indexes });
    const { page } = await opened(its.browser, `${server.url}/?q=heron&view=search`, {
      viewport: { width: 360, height: 740 },
    });
    const width = (selector: string): Promise<number> => page.locator(selector).evaluate((one) => one.scrollWidth);
    await page.getByLabel('Index', { exact: true }).and(page.locator('select')).waitFor();
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.locator('#filters .pick').first().waitFor();
    expect(await width('html')).toBeLessThanOrEqual(360);
    await page.locator('.hit a').first().click();
    await page.locator('.facts summary').click();
    expect(await width('#source')).toBeLessThanOrEqual(360);
    const names = page.locator('.facts dd');
    for (let i = 0; i < (await names.count()); i++)
      expect((await names.nth(i).boundingBox())!.width).toBeGreaterThan(100);
  });

  it('at 400 % the line at the top leaves room to read', async () => {
    const { page } = await opened(its.browser, `${its.server.url}/?q=lamp+oil+pump+ships&view=search`, {
      viewport: { width: 320, height: 256 }, // 1280 by 1024 pixels
    });
    await page.locator('.hit').first().waitFor();
    const room = await page.evaluate(() => {
      scrollTo(0, 600);
      return innerHeight - Math.max(0, document.querySelector('#top')!.getBoundingClientRect().bottom);
    });
    expect(room).toBeGreaterThan(256 * 0.75);
  });

  it('a source that stands alone on a phone leaves the field at the top', async () => {
    const address = `/source?ref=${encodeURIComponent('reports/annual-report-2024.pdf#0-20')}`;
    const { page } = await opened(its.browser, `${its.server.url}${address}`, {
      viewport: { width: 360, height: 700 },
    });
    await page.locator('.region').first().waitFor();
    const uppermost = await page.evaluate(() => {
      scrollTo(0, 100);
      const { left, top, width, height } = document.querySelector('#question')!.getBoundingClientRect();
      return document.elementFromPoint(left + width / 2, top + height / 2)?.id;
    });
    expect(uppermost).toBe('question');
  });

  it('what the server refuses is told in sentences', async () => {
    const { page } = await opened(its.browser, 'about:blank');
    const error = { code: 'OVERLOADED', message: 'too many requests are waiting', hint: 'Ask again in a moment.' };
    await page.route('**/api/search', (route) => route.fulfill({ status: 429, json: { error } }));
    await page.goto(`${its.server.url}/${asked}&view=search`);
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toBe('Too many requests are waiting. Ask again in a moment.');
  });

  it('an answer that this page does not understand leaves nothing that seems to go on', async () => {
    const { page } = await opened(its.browser, 'about:blank');
    await page.route('**/api/search', (route) => route.fulfill({ json: { of: 'another version' } }));
    await page.goto(`${its.server.url}/${asked}&view=search`);
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await page.locator('.waiting').count()).toBe(0);
  });

  it('why a hit was found is told of that hit, where another index has a place of the same name', async () => {
    const open = async (text: string) => {
      const index = await openIndex(`${tempFolder()}/.ibid`, { create: true });
      await index.add([{ uri: 'note:1', text }]);
      return index;
    };
    await using north = await open('The Gannet turbine was painted yellow in spring.');
    await using south = await open('The Petrel lighthouse is painted white each May.');
    await using server = await serve({ port: 0, indexes: { north, south } });
    const { page } = await opened(its.browser, `${server.url}/?q=Petrel+lighthouse+painted&view=search`);
    const wanted = (await (await fetch(`${server.url}/api/search?query=Petrel+lighthouse+painted&explain=true`)).json())
      .hits as readonly { index: string; trace: readonly { list: string; value: number; weight: number }[] }[];
    await page.locator('.hit').nth(1).waitFor();
    for (const [i, { trace }] of wanted.entries()) {
      const hit = page.locator('.hit').nth(i);
      await hit.getByRole('button', { name: 'Why this hit' }).click();
      await hit.locator('.why').waitFor();
      const points = trace.map(({ value, weight }) => value * weight).filter((one) => Math.abs(one) >= 0.005);
      expect((await hit.locator('.why .bars + .figure').allTextContents()).sort(), `hit ${i}`).toEqual(
        points.map((one) => one.toFixed(2)).sort(),
      );
    }
  });

  it('a hit names its index, and why it was found is asked of the index that answered', async () => {
    const open = async (...texts: readonly string[]) => {
      const index = await openIndex(`${tempFolder()}/.ibid`, { create: true });
      await index.add(texts.map((text, i) => ({ uri: `note:${i}`, text })));
      return index;
    };
    await using north = await open('The Gannet turbine was painted yellow in spring.', 'A turbine hums.');
    await using south = await open('The Petrel lighthouse is white.');
    await using server = await serve({ port: 0, indexes: { north, south } });
    const question = encodeURIComponent('When was the Gannet turbine painted?');
    const { page } = await opened(its.browser, `${server.url}/?q=${question}`);
    await page.locator('.looked-at summary').click();
    const hit = page.locator('.looked-at .hit').first();
    expect(await hit.locator('.quiet').first().textContent()).toContain('north');
    // asked of all, hits of the others would take the places of its own
    const [asked_] = await Promise.all([
      page.waitForRequest('**/api/search'),
      hit.getByRole('button', { name: 'Why this hit' }).click(),
    ]);
    expect(asked_.postDataJSON().index).toEqual(['north']);
    await hit.locator('.why').waitFor();
  });

  it('the answer to a question of a thousand words is in sight', async () => {
    const long = `${'Please read this with care. '.repeat(140)}How wide is it?`;
    const { page } = await opened(its.browser, `${its.server.url}/?q=${encodeURIComponent(long)}`);
    const answer = page.locator('.answer.done');
    await answer.waitFor();
    expect((await answer.boundingBox())!.y).toBeLessThan(600);
    expect(await page.locator('#question').inputValue()).toBe(long);
  });

  it('a mode and a filter of a link that the page does not offer are shown, and can be left', async () => {
    const filter = encodeURIComponent('{"uri":{"like":"guide/%"}}');
    const { page } = await opened(its.browser, `${its.server.url}/${asked}&mode=grounded&where=${filter}`);
    await page.getByRole('alert').waitFor();
    const mode = page.getByLabel('Answered by');
    await expect.poll(() => mode.inputValue()).toBe('grounded');
    await page.getByRole('button', { name: 'Filters (1)' }).click();
    await page.locator('#filters').getByText('guide/%').waitFor();
    await mode.selectOption('extractive');
    await page.locator('.answer.done').waitFor();
    await expect.poll(() => mode.isVisible()).toBe(false);
    await page.getByLabel('markdown').check();
    await page.waitForURL(/format/);
    expect(JSON.parse(new URL(page.url()).searchParams.get('where')!)).toEqual({
      format: 'markdown',
      uri: { like: 'guide/%' },
    });
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await page.getByRole('button', { name: 'Filters', exact: true }).waitFor();
    await expect.poll(() => page.locator('#filters').getByText('guide/%').count()).toBe(0);
  });

  /** The page with a status of its own, which may change. */
  const withStatus = async (status: () => object): Promise<Page> => {
    const { page } = await opened(its.browser, 'about:blank');
    const none = { name: 'default', documents: 0, chunks: 0, formats: {}, failed: [], skipped: [], warnings: [] };
    await page.route('**/api/status', (route) =>
      route.fulfill({
        json: { version: '1', modes: ['extractive'], watching: true, indexes: [{ ...none, ...status() }] },
      }),
    );
    await page.goto(its.server.url);
    return page;
  };

  it('the beginning counts the documents that have come since it was opened', async () => {
    let documents = 0;
    const page = await withStatus(() => ({ documents, ingest: { running: true, files: 9, done: documents } }));
    await page.getByText('0 documents').waitFor();
    documents = 7;
    await page.locator('#results').getByText('7 documents').waitFor();
  });

  it('an index that must be rebuilt says so', async () => {
    const page = await withStatus(() => ({ rebuild: 'the words are told apart in another way' }));
    await page.getByRole('button', { name: 'Status' }).click();
    await page.getByText('until the index is rebuilt: the words are told apart in another way.').waitFor();
  });

  it('parts of an index that cannot be read are told', async () => {
    const page = await withStatus(() => ({ shards: { asked: 4, missing: ['INDEX_NOT_FOUND'] } }));
    await page.getByRole('button', { name: 'Status' }).click();
    await page.getByText('1 of 4 parts of the index cannot be read; their documents are not counted.').waitFor();
  });

  it('an index that cannot be read is told beside those that can', async () => {
    const unread = { documents: undefined, chunks: undefined, formats: undefined, failed: undefined };
    const page = await withStatus(() => ({ ...unread, error: { message: 'the index is damaged' } }));
    await page.getByText('0 documents').waitFor();
    await page.getByRole('button', { name: 'Status' }).click();
    await page.getByText('The index is damaged.').waitFor();
  });

  it('files that could not be read are counted where they are too many to be listed', async () => {
    const failed = Array.from({ length: 1234 }, (_, i) => ({ uri: `file-${i}.pdf`, code: 'FILE_BROKEN' }));
    const page = await withStatus(() => ({ failed }));
    await page.getByRole('button', { name: 'Status' }).click();
    await page.getByText('1,234 files could not be read').click();
    const rows = await page.locator('.problems li').allTextContents();
    const listed = rows.filter((row) => row.startsWith('file-')).length;
    expect(rows.at(-1)).toBe(`and ${(1234 - listed).toLocaleString('en')} more`);
    expect(listed).toBeLessThan(1234);
  });
});
