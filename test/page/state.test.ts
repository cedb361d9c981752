import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type LanguageModel, openIndex } from '../../src/index.ts';
import { type RunningServer, serve } from '../../src/serve.ts';
import { ownModel } from '../examples/own-model.ts';
import { tempFolder, writeFiles } from '../support/temp.ts';
import { documents } from './documents.ts';
import { chromiumPath, expectAccessible, forAll, opened, served, unlessAborted } from './support.ts';

const question = 'How long does a full tank of the lamp last?';
const asked = `?q=${encodeURIComponent(question)}`;
const focused = (page: Page): Promise<string> => page.evaluate(() => document.activeElement?.outerHTML ?? '');

/** Two indexes, each with a document of the same name and length. */
async function twoServed(): Promise<{ readonly server: RunningServer } & AsyncDisposable> {
  const open = async (text: string) => {
    const folder = tempFolder();
    writeFiles(folder, { 'readme.md': text });
    const index = await openIndex(join(folder, '.ibid'), { create: true });
    await index.ingest(folder);
    return index;
  };
  const north = await open('# Gannet\n\nThe Gannet turbine was painted yellow in spring.\n');
  const south = await open('# Petrel\n\nThe Petrel lighthouse is painted white each May.\n');
  const server = await serve({ port: 0, indexes: { north, south } });
  return {
    server,
    async [Symbol.asyncDispose]() {
      await server.stop(0);
      await Promise.all([north.close(), south.close()]);
    },
  };
}

describe.skipIf(chromiumPath === undefined)('what the page shows agrees with its address (needs a Chromium)', () => {
  const its = forAll(documents, { dailyBudgetUsd: 1 });

  it('a question that is being typed is not lost by a click elsewhere', async () => {
    const { page } = await opened(its.browser, `${its.server.url}/${asked}`);
    await page.locator('.answer.done').waitFor();
    const field = page.locator('#question');
    await field.fill('And who trims');
    await page.locator('a.n').first().click();
    await page.locator('#source mark').first().waitFor();
    expect(await field.inputValue()).toBe('And who trims');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('markdown').check();
    await page.waitForURL(/where=/);
    expect(await field.inputValue()).toBe('And who trims');
    await page.locator('#home').click();
    expect(await field.inputValue()).toBe('');
  });

  it('the mode and the filters that are shown are those that are asked', async () => {
    const { page } = await opened(its.browser, `${its.server.url}/${asked}&view=search`);
    await page.locator('.hits').waitFor();
    const mode = page.getByLabel('Answered by');
    await page.getByRole('button', { name: 'Filters' }).click();
    const markdown = page.getByLabel('markdown');
    await markdown.check();
    await page.waitForURL(/where=/);
    await mode.selectOption('grounded');
    await page.waitForURL(/mode=grounded/);
    await page.goBack();
    await expect.poll(() => mode.inputValue()).toBe('');
    await expect.poll(() => markdown.isChecked()).toBe(true);
    await page.goBack();
    await page.waitForFunction(() => !location.search.includes('where='));
    await expect.poll(() => markdown.isChecked()).toBe(false);
    await page.goForward();
    await page.waitForURL(/where=/);
    await expect.poll(() => markdown.isChecked()).toBe(true);
    await page.goForward();
    await page.waitForURL(/mode=/);
    await expect.poll(() => mode.inputValue()).toBe('grounded');
    await page.locator('#home').click();
    await expect.poll(() => mode.inputValue()).toBe('');
    await expect.poll(() => markdown.isChecked()).toBe(false);
  });

  it('a choice made beside a source that stands alone leaves no empty page', async () => {
    const { page } = await opened(
      its.browser,
      `${its.server.url}/source?ref=${encodeURIComponent('code/tide.py#0-20')}`,
    );
    await page.getByLabel('Answered by').selectOption('grounded');
    await page.getByRole('heading', { name: 'Ask your documents' }).waitFor();
    await opened(its.browser, `${its.server.url}/source`).then(({ page: bare }) =>
      bare.getByRole('heading', { name: 'Ask your documents' }).waitFor(),
    );
  });

  it('the skip link leads to the results, also beside an open source', async () => {
    const { page } = await opened(its.browser, `${its.server.url}/${asked}`);
    await page.locator('.answer.done').waitFor();
    await page.locator('a.n').first().click();
    await page.waitForFunction(() => document.activeElement?.id === 'source-title');
    const { href } = new URL(page.url());
    await page.locator('.skip').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${href}#results`);
    await page.waitForTimeout(300);
    await page.keyboard.press('Tab');
    expect(await focused(page)).toContain('data-reference');
  });

  it('a source of one of several indexes is shared and reloaded as the one that was opened', async () => {
    await using two = await twoServed();
    const { page } = await opened(its.browser, `${two.server.url}/?q=Petrel+lighthouse+painted&view=search`);
    const lit = page.locator('#source mark').first();
    await page.locator('.hit a', { hasText: 'Petrel' }).click();
    await lit.waitFor();
    expect(await lit.textContent()).toContain('Petrel');
    const link = await page.getByRole('link', { name: 'Link to this place' }).getAttribute('href');
    for (const address of [page.url(), new URL(link!, two.server.url).href]) {
      const shared = await opened(its.browser, address);
      await shared.page.locator('#source mark').first().waitFor();
      expect(await shared.page.locator('#source').textContent(), address).toContain('Petrel');
    }
    await page.goBack();
    expect(await page.locator('.hit').count()).toBe(2); // the search is still one of all indexes
  });

  it('what has the focus keeps it while an answer is written', async () => {
    const gate = Promise.withResolvers<void>();
    const slow: LanguageModel = {
      ...ownModel,
      async *write(request, options) {
        for await (const event of ownModel.write(request, options)) {
          if (event.type === 'stop')
            for (const block of [1, 2]) {
              yield { type: 'text', block, text: 'And so it goes on. ' };
              yield { type: 'blockEnd', block };
              await unlessAborted(gate.promise, options?.signal);
            }
          yield event;
        }
      },
    };
    await using other = await served(
      { 'lamp.md': documents['guide/lighthouse.md']! },
      { dailyBudgetUsd: 1 },
      { models: { writer: slow } },
    );
    const { page } = await opened(its.browser, `${other.server.url}/${asked}&mode=grounded`);
    await page.locator('.answer.writing a.n, .answer.writing ~ .sources .card').first().focus();
    const before = await focused(page);
    gate.resolve();
    await page.locator('.answer.done').waitFor();
    expect(before).toContain('data-reference');
    expect(await focused(page)).toBe(before);
  });

  it('the status can be read with the keyboard while a run goes on', async () => {
    const index = { name: 'default', documents: 3, chunks: 9, formats: {}, skipped: [], warnings: [] };
    const failed = Array.from({ length: 60 }, (_, i) => ({ uri: `file-${i}.pdf`, code: 'FILE_BROKEN' }));
    let done = 0;
    const { page } = await opened(its.browser, 'about:blank');
    await page.route('**/api/status', (route) =>
      route.fulfill({
        json: {
          ...{ version: '1', modes: ['extractive'], watching: true },
          indexes: [{ ...index, failed, ingest: { running: true, files: 10, done: ++done } }],
        },
      }),
    );
    await page.goto(its.server.url);
    await page.getByRole('button', { name: 'Status' }).click();
    await page.getByText('60 files could not be read').click();
    await page.locator('.problems').evaluate((list) => list.scrollTo(0, 200));
    const now = done;
    await page.waitForFunction(
      (at) => document.querySelector('dialog progress')!.getAttribute('value') !== at,
      `${now}`,
    );
    await page.waitForTimeout(1100);
    expect(await focused(page)).toContain('60 files could not be read');
    expect(await page.locator('.problems').evaluate((list) => list.scrollTop)).toBe(200);
    await expectAccessible(page, 'status in a run');
  });

  it('a source that covers the results keeps the focus to itself', async () => {
    const { page } = await opened(its.browser, `${its.server.url}/${asked}`, { viewport: { width: 360, height: 800 } });
    await page.locator('.answer.done').waitFor();
    await page.locator('a.n').first().click();
    await page.waitForFunction(() => document.activeElement?.id === 'source-title');
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press('Tab');
      const isCovered = await page.evaluate(() => {
        const one = document.activeElement!;
        return one !== document.body && one.closest('#source, .skip') === null;
      });
      expect(isCovered, await focused(page)).toBe(false);
    }
    await page.keyboard.press('Escape');
    expect(await focused(page)).toContain('class="n"');
  });

  for (const [width, height] of [
    [1280, 800],
    [320, 640],
  ] as const)
    it(`nothing that has the focus lies behind the line at the top, ${width} pixels wide`, async () => {
      const notes = Array.from({ length: 12 }, (_, i) => [
        `note-${i}.md`,
        `The lamp of tower ${i} was lit.\n`.repeat(3 * i),
      ]);
      await using many = await served(Object.fromEntries(notes));
      const address = `${many.server.url}/?q=lamp&view=search`;
      const { page } = await opened(its.browser, address, { viewport: { width, height } });
      await page.locator('.hit').first().waitFor();
      const links = page.locator('.hit a, .hit button');
      const count = await links.count();
      expect(count).toBeGreaterThan(8);
      await links.last().focus();
      for (let i = 0; i < count; i++) {
        const hidden = await page.evaluate(() => {
          const { top, left } = document.activeElement!.getBoundingClientRect();
          return document.elementFromPoint(left + 3, top + 3)?.closest('#top') !== null;
        });
        expect(hidden, await focused(page)).toBe(false);
        await page.keyboard.press('Shift+Tab');
      }
    });

  it('what has the focus in a source that covers the results lies below its own line', async () => {
    const { page } = await opened(its.browser, `${its.server.url}/${asked}`, { viewport: { width: 640, height: 360 } });
    await page.locator('.answer.done').waitFor();
    await page.locator('a.n').first().click();
    await page.locator('#source mark').first().waitFor();
    await page.locator('#source').evaluate((pane) => {
      pane.scrollBy(0, pane.querySelector('summary')!.getBoundingClientRect().top - 7); // below the line of the pane
      document.getElementById('source-title')!.focus({ preventScroll: true });
    });
    await page.keyboard.press('Tab');
    const [bar, one] = await page.evaluate(() =>
      [document.querySelector('.source-bar')!, document.activeElement!].map((each) => each.getBoundingClientRect()),
    );
    expect(await focused(page)).toContain('summary');
    expect(one!.top).toBeGreaterThanOrEqual(bar!.bottom);
  });

  it('says that a document is no longer the one that was cited', async () => {
    await using other = await served({});
    const uri = 'note:pump';
    await other.index.add([{ uri, title: 'Pump', text: 'The pump of the north quay is serviced in May.' }]);
    const { page } = await opened(its.browser, `${other.server.url}/?q=When+is+the+pump+serviced&view=search`);
    await page.locator('.hit').first().waitFor();
    await other.index.add([{ uri, title: 'Pump', text: 'Another text stands here now, about herring and nets.' }]);
    await page.locator('.hit a').first().click();
    await page.locator('#source mark').first().waitFor();
    expect(await page.locator('#source [role=alert]').textContent()).toContain('changed since it was cited');
    await page.goto(`${other.server.url}/?q=herring&view=search`);
    await page.locator('.hit a').first().click();
    await page.locator('#source mark').first().waitFor();
    expect(await page.locator('#source [role=alert]').count()).toBe(0);
  });

  it('reads right-to-left text from right to left', async () => {
    const arabic = 'تُغلق المنارة في شهر مايو. (1)';
    await using other = await served({ 'a.md': `# المنارة\n\n${arabic}\n`, 'b.csv': `الاسم,النص\nأحمد,${arabic}\n` });
    const { text } = (await other.index.document('a.md'))!;
    const start = text.indexOf(arabic);
    const { page } = await opened(
      its.browser,
      `${other.server.url}/source?ref=${encodeURIComponent(`a.md#${start}-${start + arabic.length}`)}`,
    );
    const mark = page.locator('#source mark');
    await mark.waitFor();
    // the first letter stands at the right margin of its paragraph, the bracket at the end left of all
    const { first, last, margin } = await mark.evaluate((one) => {
      const at = (start: number): DOMRect => {
        const range = document.createRange();
        range.setStart(one.firstChild!, start);
        range.setEnd(one.firstChild!, start + 1);
        return range.getBoundingClientRect();
      };
      const letters = one.firstChild!.textContent!;
      const { right } = one.closest('p')!.getBoundingClientRect();
      return { first: at(0).right, last: at(letters.length - 1).left, margin: right };
    });
    expect(margin - first).toBeLessThan(3);
    expect(last).toBeLessThan(first - 100);
  });
});
