import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { overviewPage } from '../../src/overview/page.js';
import { makeTempFolder } from '../support/temp.js';
import { hostileText, script, spoken } from '../unit/overview/made.js';
import { chromiumPath, expectAccessible, launch, opened } from './support.js';

describe.skipIf(chromiumPath === undefined)(
  'the page of an overview in a browser (needs a Chromium in /usr/bin)',
  () => {
    const folder = makeTempFolder();
    const file = join(folder, 'overview.html');
    const address = pathToFileURL(file).href;
    let browser: Browser;
    beforeAll(async () => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, overviewPage(script, spoken));
      browser = await launch();
    });
    afterAll(() => browser?.close());

    it('asks nobody for anything, and its documents stay text', async () => {
      const { page, requests, complaints } = await opened(browser, address);
      expect(await page.title()).toContain('What the documents say');
      expect(await page.locator('h1').textContent()).toContain("</script><script>document.title = 'taken'</script>");
      expect(await page.locator('blockquote').nth(1).textContent()).toBe(hostileText.replace(/[\u202C\u202E]/g, ''));
      expect(await page.locator('img, svg, iframe, [autofocus], body style').count()).toBe(0);
      expect(await page.locator('script').count()).toBe(1);
      expect(requests.filter((one) => one !== address && !one.startsWith('data:'))).toEqual([]);
      expect(complaints).toEqual([]);
    });

    it('reads right-to-left sentences from right to left', async () => {
      const text = 'تُغلق المنارة في شهر مايو. (1)';
      const arabic = join(folder, 'arabic.html');
      const [first, ...turns] = script.turns;
      const said = { ...first!, sentences: [{ text, citations: [] }] };
      const sources = script.sources.map((source) => ({ ...source, quote: text }));
      writeFileSync(arabic, overviewPage({ ...script, turns: [said, ...turns], sources }, spoken));
      const { page } = await opened(browser, pathToFileURL(arabic).href);
      for (const place of ['.sentence', 'blockquote']) {
        const gap = await page
          .locator(place)
          .first()
          .evaluate((one) => {
            const range = document.createRange();
            range.setStart(one.firstChild!, 0);
            range.setEnd(one.firstChild!, 1);
            return one.closest('p, blockquote')!.getBoundingClientRect().right - range.getBoundingClientRect().right;
          });
        expect(gap, place).toBeLessThan(30); // the first letter stands at the right margin
      }
    });

    it('lets no other script run, and loads nothing', async () => {
      const { page } = await opened(browser, address);
      const ran = await page.evaluate(async () => {
        const blocked: string[] = [];
        document.addEventListener('securitypolicyviolation', (event) => blocked.push(event.effectiveDirective));
        const added = document.createElement('script');
        added.textContent = 'globalThis.taken = true';
        document.body.append(added);
        const image = document.createElement('img');
        image.src = 'https://example.org/x.png';
        document.body.append(image);
        const reached = await fetch('https://example.org/').then(
          () => true,
          () => false,
        );
        await new Promise((done) => setTimeout(done, 100));
        return { taken: 'taken' in globalThis, reached, blocked: blocked.sort() };
      });
      expect(ran).toEqual({ taken: false, reached: false, blocked: ['connect-src', 'img-src', 'script-src-elem'] });
    });

    it('marks the sentence that is said, and what it cites, as the sound goes on', async () => {
      const { page, complaints } = await opened(browser, address);
      const said = (): Promise<string[]> => page.locator('.sentence.said').allTextContents();
      const sources = (): Promise<(string | null)[]> =>
        page.locator('li.said').evaluateAll((items) => items.map(({ id }) => id));
      expect(await said()).toEqual([]);
      const length = await page.locator('audio').evaluate(async (audio: HTMLAudioElement) => {
        if (audio.readyState < 1) await new Promise((done) => audio.addEventListener('loadedmetadata', done));
        return audio.duration;
      });
      expect(length).toBeCloseTo(4, 2);
      for (const [seconds, text, cited] of [
        [0.5, 'This is what the documents say.', []],
        [1.2, 'Raw data are kept for five years.1', ['s1']],
        [2.9, 'It says', ['s1', 's2']],
        [3.1, 'Averages are kept for ever.2', ['s2']],
      ] as const) {
        await page.locator('audio').evaluate(async (audio: HTMLAudioElement, at) => {
          const sought = new Promise((done) => audio.addEventListener('seeked', done, { once: true }));
          audio.currentTime = at;
          await sought;
        }, seconds);
        const [only, ...more] = await said();
        expect(only).toContain(text);
        expect(more).toEqual([]);
        expect(await sources()).toEqual(cited);
      }
      // played from a click on a sentence, the mark follows by itself
      await page.getByText('Raw data are kept for five years.').first().click();
      await page.locator('.sentence.said', { hasText: 'It says' }).waitFor({ timeout: 5000 });
      expect(complaints).toEqual([]);
    });

    it('is used without a mouse, in the dark and on a narrow screen', async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        const { page } = await opened(browser, address, { viewport: { width: 340, height: 700 }, colorScheme });
        await expectAccessible(page, colorScheme);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(340);
        await page.getByRole('button', { name: 'Play from 0:03' }).focus();
        await page.keyboard.press('Enter');
        await page.locator('.sentence.said', { hasText: 'Averages' }).waitFor({ timeout: 5000 });
        await expectAccessible(page, `${colorScheme}, playing`);
      }
    });
  },
);
