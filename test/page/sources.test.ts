import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { documents, pdfOf } from './documents.ts';
import { chromiumPath, forAll, opened, served } from './support.ts';

const addressOf = (uri: string, start: number, end: number): string =>
  `/source?ref=${encodeURIComponent(`${uri}#${start}-${end}`)}`;

/**
 * Stands for pdf.js: pages of one line each, drawn when the test says so. Page n is `lines[n - 1]`; an empty line
 * cannot be drawn.
 */
const drawnWhenTold = (lines: readonly string[]): string => `
  const lines = ${JSON.stringify(lines)};
  globalThis.gates = lines.map(() => Promise.withResolvers());
  const viewport = { width: 600, height: 800, convertToViewportPoint: (x, y) => [x, 800 - y] };
  const page = (n) => ({
    getViewport: () => viewport,
    render: ({ canvasContext }) => ({
      promise: globalThis.gates[n - 1].promise.then(() => {
        if (lines[n - 1] === '') throw new Error('a broken page');
        canvasContext.fillStyle = 'rgb(' + n + ',0,0)';
        canvasContext.fillRect(0, 0, 600, 800);
      }),
    }),
    objs: [],
    commonObjs: [],
    getTextContent: async () => ({
      items: [{ str: lines[n - 1], dir: 'ltr', transform: [10, 0, 0, 10, 50, 700], width: 500, height: 10 }],
    }),
  });
  export const getDocument = () => ({
    destroy: async () => undefined,
    promise: Promise.resolve({ numPages: lines.length, getPage: async (n) => page(n) }),
  });`;

describe.skipIf(chromiumPath === undefined)('a source in a browser (needs a Chromium in /usr/bin)', () => {
  const its = forAll(documents);

  it('is read to its beginning and its end, however long it is', async () => {
    const lines = Array.from({ length: 9000 }, (_, i) => `Line ${i} of the log, which says ${'x'.repeat(20)} 😀.`);
    const text = lines.join('\n');
    await using other = await served({});
    await other.index.add([{ uri: 'log:long', text, title: 'The log' }]);
    const start = text.indexOf('Line 4500 ');
    const { page } = await opened(its.browser, `${other.server.url}${addressOf('log:long', start, start + 9)}`);
    const shown = page.locator('#source .text');
    const lit = page.locator('#source mark');
    await lit.waitFor();
    const top = (): Promise<number> => lit.evaluate((mark) => Math.round(mark.getBoundingClientRect().top));
    for (const name of ['Show what follows', 'Show what stands before']) {
      const more = page.getByRole('button', { name });
      for (let clicks = 0; clicks < 12 && (await more.count()) > 0; clicks++) {
        const before = (await shown.textContent())!.length;
        await more.focus();
        const stood = await top();
        await page.keyboard.press('Enter');
        await page.keyboard.press('Enter'); // once too often
        await page.waitForFunction(
          (length) => document.querySelector('#source .text')!.textContent!.length > length,
          before,
        );
        const moved = async (): Promise<number> => Math.abs((await top()) - stood);
        // the second press may have asked for more, after which the button may be gone
        await page.waitForFunction(() => document.querySelector('#source .more[aria-busy="true"]') === null);
        await expect.poll(moved, { message: `${name}, ${clicks}: what was in sight stays there` }).toBeLessThan(3);
        expect(await page.evaluate(() => document.activeElement?.closest('#source .document') !== null)).toBe(true);
      }
      expect(await more.count(), name).toBe(0);
      expect(await page.locator('#source .document .warning').allTextContents()).toEqual([]);
    }
    expect(await shown.textContent()).toBe(text);
    expect(await lit.textContent()).toBe('Line 4500');
  });

  it('whose table began before what is shown has no row as its names', async () => {
    const rows = Array.from({ length: 900 }, (_, i) => `Part ${i} | Shelf A-${i} | Bay ${i * 3}`);
    const text = `part | shelf | bay\n${rows.join('\n')}`;
    await using other = await served({});
    await other.index.add([{ uri: 'sheet:stock', text, title: 'Stock' }]);
    const start = text.indexOf('Part 800 ');
    const { page } = await opened(its.browser, `${other.server.url}${addressOf('sheet:stock', start, start + 8)}`);
    await page.locator('#source mark').waitFor();
    expect(await page.locator('#source tbody tr').count()).toBeGreaterThan(100);
    expect(await page.locator('#source th').allTextContents()).toEqual([]);
    await page.getByRole('button', { name: 'Show what stands before' }).click();
    await page.waitForFunction(() => document.querySelectorAll('#source th').length > 0);
    expect(await page.locator('#source th').allTextContents()).toEqual(['part', 'shelf', 'bay']);
  });

  it('without a title is called by its address, and can be opened', async () => {
    await using other = await served({});
    await other.index.add([{ uri: 'note:1', text: 'The pump of the north quay is serviced in May.' }]);
    const { page, complaints } = await opened(its.browser, `${other.server.url}/?q=pump&view=search`);
    await page.getByRole('link', { name: 'note:1' }).click();
    await page.locator('#source').getByRole('heading', { name: 'note:1' }).waitFor();
    expect(await page.locator('#source .warning').count()).toBe(0); // nothing is wrong with what is no file
    await expect.poll(() => page.locator('#live').textContent()).toBe('Source: note:1');
    expect(complaints).toEqual([]); // a file that cannot be there is not asked for
  });

  it('that turns its title around turns nothing else', async () => {
    await using other = await served({ 'invoice.md': '# safe \u202Efdp.exe\n\nThe otter sleeps at night.\n' });
    const { page } = await opened(its.browser, `${other.server.url}/?q=otter+sleeps`);
    await page.locator('.answer.done').waitFor();
    await page.locator('.looked-at summary').click();
    await page.locator('a.n').first().click();
    await page.locator('#source mark').first().waitFor();
    /** The letters of each line that names the file, as they stand from left to right. */
    const seen = await page.locator('.quiet', { hasText: 'invoice.md' }).evaluateAll((lines) =>
      lines.map((line) => {
        const letters: { letter: string; x: number }[] = [];
        const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode())
          for (let i = 0; i < node.textContent!.length; i++) {
            const range = document.createRange();
            range.setStart(node, i);
            range.setEnd(node, i + 1);
            letters.push({ letter: node.textContent![i]!, x: range.getBoundingClientRect().left });
          }
        return letters
          .sort((a, b) => a.x - b.x)
          .map(({ letter }) => letter)
          .join('');
      }),
    );
    expect(seen.length).toBe(3); // of the answer's source, of the hit, of the open source
    for (const line of seen) expect(line).toContain('invoice.md · line');
  });

  it('marked in the names of a table is read as well in the dark', async () => {
    const { page } = await opened(its.browser, `${its.server.url}${addressOf('data/harvest.csv', 0, 20)}`, {
      colorScheme: 'dark',
    });
    const mark = page.locator('#source th mark').first();
    await mark.waitFor();
    const { ink, paper } = await mark.evaluate((one) => {
      const { color, backgroundColor } = getComputedStyle(one);
      return { ink: color, paper: backgroundColor };
    });
    expect(contrast(ink, paper)).toBeGreaterThan(4.5);
  });

  describe('that is a PDF', () => {
    const uri = 'reports/annual-report-2024.pdf';
    const words = 'A damaged export cable stopped both machines for nine days in November.';
    const open = async (lines: readonly string[]): Promise<{ page: Page; complaints: readonly string[] }> => {
      const { page, complaints } = await opened(its.browser, 'about:blank');
      await page.route('**/pdf.mjs', (route) =>
        route.fulfill({ contentType: 'text/javascript', body: drawnWhenTold(lines) }),
      );
      const start = (await its.index.document(uri))!.text.indexOf(words);
      await page.goto(`${its.server.url}${addressOf(uri, start, start + words.length)}`);
      return { page, complaints };
    };
    const draw = (page: Page, number: number): Promise<void> =>
      page.evaluate((n) => (globalThis as unknown as Gates).gates[n - 1]!.resolve(), number);
    /** The number of the page that is drawn. */
    const drawn = (page: Page): Promise<number> =>
      page.evaluate(() => document.querySelector('canvas')?.getContext('2d')?.getImageData(5, 5, 1, 1).data[0] ?? 0);
    const turn = (page: Page): Promise<void> => page.getByRole('button', { name: 'Next page' }).click();

    it('shows the page that was turned to last, whichever is drawn first', async () => {
      const { page } = await open([words, 'two', 'three']);
      await page.getByText('Page 1 of 3').waitFor();
      await draw(page, 1);
      await expect.poll(() => drawn(page)).toBe(1);
      await turn(page);
      await turn(page);
      await page.getByText('Page 3 of 3').waitFor();
      await draw(page, 3);
      await expect.poll(() => drawn(page)).toBe(3);
      await draw(page, 2);
      await page.waitForTimeout(200);
      expect(await drawn(page)).toBe(3);
    });

    it('marks the same words on the next page only where the quote ends there', async () => {
      const half = words.length >> 1;
      for (const [lines, marks] of [
        [[words, words], 0],
        [[words.slice(0, half), words.slice(half)], 1],
      ] as const) {
        const { page } = await open(lines);
        await page.getByText('Page 1 of 2').waitFor();
        await draw(page, 1);
        await page.locator('.region').waitFor();
        await draw(page, 2);
        await turn(page);
        await expect.poll(() => drawn(page)).toBe(2);
        expect(await page.locator('.region').count()).toBe(marks);
      }
    });

    it('says that a scan cannot be drawn, and lets it be saved', async () => {
      await using other = await served({ 'scan.pdf': scan() });
      const { page, complaints } = await opened(its.browser, `${other.server.url}${addressOf('scan.pdf', 0, 9)}`);
      await page.getByText('A picture on this page cannot be drawn here.').waitFor();
      expect(await page.getByRole('link', { name: 'Save the file' }).isVisible()).toBe(true);
      expect(complaints).toEqual([]);
      const whole = await opened(its.browser, `${its.server.url}${addressOf(uri, 0, 9)}`);
      await whole.page.locator('.region').first().waitFor();
      expect(await whole.page.getByText('cannot be drawn').count()).toBe(0);
    });

    it('says that letters cannot be drawn for which there is no font', async () => {
      const hex = [...'水泵在五月检修'].map((c) => c.charCodeAt(0).toString(16).padStart(4, '0')).join('');
      const drawing = `BT /F 18 Tf 20 150 Td <${hex}> Tj ET`;
      const font = '/BaseFont/STSong-Light';
      const pdf = pdfOf([
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
        `<</Length ${drawing.length}>>stream\n${drawing}\nendstream`,
        `<</Type/Font/Subtype/Type0${font}/Encoding/UniGB-UCS2-H/DescendantFonts[6 0 R]>>`,
        `<</Type/Font/Subtype/CIDFontType0${font}/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 2>>>>`,
      ]);
      await using other = await served({ 'pump.pdf': pdf });
      const { page } = await opened(its.browser, `${other.server.url}${addressOf('pump.pdf', 0, 7)}`);
      await page.getByText('Some letters of this document cannot be drawn here').waitFor();
      await page.getByRole('button', { name: 'As text' }).click();
      expect(await page.locator('#source mark').textContent()).toBe('水泵在五月检修');
    });

    it('draws a page that is as long as a roll', async () => {
      const lines = Array.from({ length: 900 }, (_, i) => `1 0 0 1 20 ${14_000 - i * 15} Tm (Line ${i} of it.) Tj`);
      const drawing = `BT /F 12 Tf ${lines.join(' ')} ET`;
      const pdf = pdfOf([
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 226 14200]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
        `<</Length ${drawing.length}>>stream\n${drawing}\nendstream`,
        '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      ]);
      await using other = await served({ 'roll.pdf': pdf });
      const start = (await other.index.document('roll.pdf'))!.text.indexOf('Line 850 ');
      const { page } = await opened(
        its.browser,
        `${other.server.url}${addressOf('roll.pdf', start, start + 'Line 850 of it.'.length)}`,
        { deviceScaleFactor: 2 },
      );
      await page.locator('.region').waitFor();
      const { darkest, pixels } = await page.evaluate(() => {
        const canvas = document.querySelector('canvas')!;
        const [mark, paper] = ['.region', 'canvas'].map((one) => document.querySelector(one)!.getBoundingClientRect());
        const scale = canvas.width / paper!.width;
        const at = [mark!.left - paper!.left, mark!.top - paper!.top, mark!.width, mark!.height] as const;
        const [x, y, wide, high] = at.map((one) => one * scale);
        const { data } = canvas.getContext('2d')!.getImageData(x!, y!, wide!, high!);
        const red = Array.from(data).filter((_, i) => i % 4 === 0 && data[i + 3] === 255);
        return { darkest: Math.min(255, ...red), pixels: canvas.width * canvas.height };
      });
      expect(darkest).toBeLessThan(100);
      expect(pixels).toBeLessThanOrEqual(2 ** 24); // what every browser gives a canvas
    });

    it('says of a page that it cannot be drawn, and goes on to the next', async () => {
      const { page, complaints } = await open(['', 'two']);
      await page.getByText('Page 1 of 2').waitFor();
      await draw(page, 1);
      await page.getByText('This page cannot be drawn here').waitFor();
      await draw(page, 2);
      await turn(page);
      await expect.poll(() => drawn(page)).toBe(2);
      await page.getByRole('button', { name: 'As text' }).click();
      expect(await page.locator('#source mark').first().textContent()).toContain('A damaged export cable');
      expect(complaints).toEqual([]);
    });
  });
});

/** A page with a line of text and a picture in JBIG2: one segment, which says that its 64 by 64 pixels are black. */
function scan(): Uint8Array {
  const number = (value: number): number[] => [0, 0, value >> 8, value & 255];
  const flags = { type: 0x30, black: 0x04 };
  const picture = [
    ...[...number(0), flags.type, 0, 1, ...number(19)],
    ...[...number(64), ...number(64), ...number(0), ...number(0), flags.black, 0, 0],
  ];
  const drawing = 'q 200 0 0 100 0 0 cm /I Do Q BT /F 12 Tf 10 150 Td (The heron was scanned at noon.) Tj ET';
  const image = '/Subtype/Image/Width 64/Height 64/BitsPerComponent 1/ColorSpace/DeviceGray/Filter/JBIG2Decode';
  const stream = (dictionary: string, bytes: Buffer): string =>
    `<<${dictionary}/Length ${bytes.length}>>stream\n${bytes.toString('latin1')}\nendstream`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>/Font<</F 6 0 R>>>>>>',
    stream('', Buffer.from(drawing)),
    stream(`/Type/XObject${image}`, Buffer.from(picture)),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ];
  return pdfOf(objects);
}

interface Gates {
  readonly gates: readonly { resolve(): void }[];
}

/** Contrast of two colours as `rgb(…)`, by WCAG 2.2. */
function contrast(...colours: readonly [string, string]): number {
  const [dark, light] = colours
    .map((colour) => {
      const [r, g, b] = colour.match(/\d+/g)!.map((part) => {
        const share = Number(part) / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
    })
    .sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}
