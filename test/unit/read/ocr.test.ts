import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { locate } from '../../../src/core/location.ts';
import type { Document } from '../../../src/core/types.ts';
import { describePlace } from '../../../src/index.ts';
import type { OcrOptions, Reader } from '../../../src/read/contract.ts';
import type { Scan } from '../../../src/read/ocr/contract.ts';
import { readTsv } from '../../../src/read/ocr/tsv.ts';
import { parseBytes } from '../../../src/read/parse.ts';
import { createReader } from '../../../src/read/reader.ts';
import { hasTesseract, tesseractModels } from '../../support/has-tesseract.ts';
import { tempFolder } from '../../support/temp.ts';
import { type StandIn, standInTesseract, table } from '../../support/tesseract.ts';
import { at, makePdf, makeZip, scannedPdf } from './formats-make.ts';
import { codes, expectSound } from './helpers.ts';

const withoutCrc = Buffer.alloc(4);
/** A grey PNG of one shade. */
const png: Uint8Array = Buffer.concat([
  Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
  ...(
    [
      ['IHDR', Buffer.from([0, 0, 0, 40, 0, 0, 0, 30, 8, 0, 0, 0, 0])],
      ['IDAT', deflateSync(Buffer.alloc(30 * 41, 200))],
      ['IEND', Buffer.alloc(0)],
    ] as const
  ).flatMap(([name, data]) => {
    const size = Buffer.alloc(4);
    size.writeUInt32BE(data.length);
    return [size, Buffer.from(name, 'latin1'), data, withoutCrc];
  }),
]);

function readerWith(
  answers: readonly string[],
  options: OcrOptions = {},
  languages?: readonly string[],
): [Reader, StandIn] {
  const standIn = standInTesseract(tempFolder(), answers, languages);
  const reader = createReader({ ocr: { program: standIn.program, concurrency: 1, ...options } });
  onTestFinished(() => reader.close());
  return [reader, standIn];
}

const without = (): Reader => {
  const reader = createReader({ ocr: { program: join(tempFolder(), 'tesseract') } });
  onTestFinished(() => reader.close());
  return reader;
};

function placed(document: Document, words: string): string {
  const start = document.text.indexOf(words);
  const whole = { ...document, span: { start: 0, end: document.text.length } };
  return describePlace(locate(whole, { start, end: start + words.length }));
}

describe('the table of tesseract', () => {
  test('words become lines and paragraphs, with shares of the page and confidences', () => {
    expect(readTsv(table([['Total due', '42 EUR'], ['Thank you']], 91))).toEqual([
      {
        paragraphs: [
          [
            { text: 'Total due', region: [0.1, 0.05, 0.28, 0.06], confidence: 0.91 },
            { text: '42 EUR', region: [0.1, 0.07, 0.28, 0.08], confidence: 0.91 },
          ],
          [{ text: 'Thank you', region: [0.1, 0.12, 0.28, 0.13], confidence: 0.91 }],
        ],
      },
    ]);
  });

  test('grain of the picture is no text, scripts without blanks get none, and each page of a TIFF is a page', () => {
    const [grain] = readTsv(table([['~~ |'], ['ab']], 12));
    expect(grain!.paragraphs).toEqual([]);
    expect(readTsv(table([['| ~']]))[0]!.paragraphs).toEqual([]);
    expect(readTsv(table([['日 本 語']]))[0]!.paragraphs[0]![0]!.text).toBe('日本語');
    expect(readTsv(table([['one']]) + table([['two']])).map(({ paragraphs }) => paragraphs[0]![0]!.text)).toEqual([
      'one',
      'two',
    ]);
  });

  test.each(['', 'garbage', '5\t1\t1', '1\t1\t0\t0\t0\t0\t0\t0\t0\t0\t-1\t\n5\t1\t1\t1\t1\t1\tx\ty\tz\tw\t90\tword'])(
    'a broken table (%j) breaks nothing',
    (broken) => {
      for (const { paragraphs } of readTsv(broken))
        for (const line of paragraphs.flat()) expect(line.text).toBe('word');
    },
  );
});

describe('pictures', () => {
  test('are documents whose places show region and confidence', async () => {
    const [reader, standIn] = readerWith([table([['The pump is ser-', 'viced in May'], ['Signed by Ada']])]);
    const document = await reader.read({ bytes: png, uri: 'scan.png' });
    expectSound(document);
    expect(document.format).toBe('image');
    expect(document.text).toBe('The pump is serviced in May\n\nSigned by Ada');
    expect(document.metadata).toMatchObject({ width: 40, height: 30, ocr: true, ocrConfidence: 0.97 });
    expect(placed(document, 'Signed')).toBe('by OCR (97 % sure), 10–38 % from the left, 12–13 % from the top');
    expect(placed(document, 'serviced in')).toBe('by OCR (97 % sure), 10–48 % from the left, 5–8 % from the top');
    const [call] = standIn.calls();
    expect(call!.args).toEqual(['stdin', 'stdout', '-l', 'eng', '--psm', '1', '-c', 'tessedit_create_tsv=1']);
    expect(call!.input).toContain('\x89PNG');
  });

  test('the program sees no key of the environment', async () => {
    process.env.IBID_TEST_API_KEY = 'secret';
    onTestFinished(() => {
      delete process.env.IBID_TEST_API_KEY;
    });
    const [reader, standIn] = readerWith([table([['words']])]);
    await reader.read({ bytes: png, uri: 'scan.png' });
    expect(standIn.calls()[0]!.environment).toContain('PATH');
    expect(standIn.calls()[0]!.environment).not.toContain('IBID_TEST_API_KEY');
  });

  test('the language is found from the first page, read again where it was another, and kept for the next', async () => {
    const german = table([['Der Vertrag ist nicht von der Firma und wird mit dem Kunden für die Zeit geschlossen']]);
    const [reader, standIn] = readerWith([german], {}, ['deu', 'eng', 'fra', 'osd']);
    await reader.read({ bytes: scannedPdf([undefined, undefined]), uri: 'scan.pdf' });
    expect(standIn.calls().map(({ args }) => args[3])).toEqual(['eng+deu+fra', 'deu', 'deu']);
    const [chosen, calls] = readerWith([german], { languages: ['fra'] }, ['deu', 'fra']);
    await chosen.read({ bytes: png, uri: 'scan.png' });
    expect(calls.calls().map(({ args }) => args.slice(3, 6))).toEqual([['fra', '--psm', '3']]);
  });

  test('the script of a picture says which languages read it, of the first page and of one that is not clear', async () => {
    const script = (name: string): string => `Page number: 0\nScript: ${name}\nScript confidence: 2.00\n`;
    const russian = table([['Городской совет решил отремонтировать старый мост через реку и это не всё']]);
    const nonsense = table([['Topoyckow cosem pewun ompemoumupooamb']], 45);
    const greek = table([['Το δημοτικό συμβούλιο αποφάσισε να επισκευάσει την παλιά γέφυρα']]);
    const answers = [script('Cyrillic'), russian, nonsense, script('Greek'), greek];
    const [reader, standIn] = readerWith(answers, {}, ['deu', 'ell', 'eng', 'osd', 'rus']);
    const document = await reader.read({ bytes: scannedPdf([undefined, undefined]), uri: 'scan.pdf' });
    expect(document.text).toMatch(/^Городской .*\n\nΤο δημοτικό .*γέφυρα$/);
    const asked = standIn.calls().map(({ args }) => args.slice(2, 4).join(' '));
    expect(asked).toEqual(['--psm 0', '-l rus', '-l rus', '--psm 0', '-l ell']);
  });

  test('where the script is mistaken, the surer reading is taken', async () => {
    const french = table([['Le conseil municipal a décidé de rénover les écoles du quartier et la mairie']]);
    const nonsense = table([['Ле сопзей тишстра!']], 30);
    const [reader, standIn] = readerWith(['Script: Cyrillic\n', nonsense, 'Script: Cyrillic\n', french], {}, [
      'fra',
      'osd',
      'rus',
    ]);
    expect((await reader.read({ bytes: png, uri: 'a.png' })).text).toContain('Le conseil municipal');
    expect(standIn.calls().map(({ args }) => args[3])).toEqual(['0', 'rus', '0', 'fra+rus']);
  });

  test.each([
    ['swe', 'Det är inte så att vi har en ny lag och den ska gälla för alla som bor här'],
    ['pol', 'Prace rozpoczną się w kwietniu, a każdy właściciel zapłaci za okna, które są w budynku'],
    ['ces', 'Městská rada se rozhodla opravit starý most, který je přes řeku, a také školu'],
    ['tur', 'Belediye eski köprüyü onarmaya karar verdi ve bu işler için bir ay daha gerekiyor'],
  ])('a text of %s is read with its own model', async (model, text) => {
    const [reader, standIn] = readerWith([table([[text]])], {}, ['eng', model]);
    await reader.read({ bytes: png, uri: 'a.png' });
    expect(standIn.calls().map(({ args }) => args[3])).toEqual([`eng+${model}`, model]);
  });

  test.each([
    ['scan.png', (): Uint8Array => png],
    ['scan.pdf', (): Uint8Array => scannedPdf([undefined])],
  ])('without tesseract %s waits, and the hint says what to install', async (uri, bytes) => {
    const reader = without();
    const error = await reader.read({ bytes: bytes(), uri }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'FILE_SCANNED',
      hint: expect.stringContaining('apt-get install tesseract-ocr'),
    });
    expect(await reader.readsPictures!()).toBe(false);
  });

  test('a program is found on the PATH that is given', async () => {
    const folder = tempFolder();
    standInTesseract(folder, [table([['Found on the path']])]);
    const reader = createReader({ ocr: { environment: { PATH: folder } } });
    onTestFinished(() => reader.close());
    expect((await reader.read({ bytes: png, uri: 'a.png' })).text).toBe('Found on the path');
  });

  test('a language that tesseract does not have keeps the file waiting, and is named', async () => {
    const [reader] = readerWith([table([['words']])], { languages: ['deu'] });
    await expect(reader.read({ bytes: png, uri: 'a.png' })).rejects.toMatchObject({
      code: 'FILE_SCANNED',
      message: 'OCR failed: tesseract has no language deu, only eng',
      hint: 'Install it (`apt-get install tesseract-ocr-deu`), or name another.',
    });
    expect(await reader.readsPictures!()).toBe(false);
    const mixed = await reader.read({ bytes: scannedPdf(['Typed', undefined]), uri: 'a.pdf' });
    expect(mixed.warnings.find(({ code }) => code === 'WAITS_FOR_OCR')?.message).toBe(
      'a page or picture waits for OCR: tesseract has no language deu, only eng. Install it (`apt-get install tesseract-ocr-deu`), or name another.',
    );
  });

  test('what tesseract fails at waits, what it finds no text in is empty', async () => {
    const [failing] = readerWith(['fail']);
    await expect(failing.read({ bytes: png, uri: 'a.png' })).rejects.toMatchObject({
      code: 'FILE_SCANNED',
      message: expect.stringContaining('Error during processing.'),
    });
    const [blank] = readerWith([table([])]);
    await expect(blank.read({ bytes: png, uri: 'a.png' })).rejects.toMatchObject({ code: 'FILE_EMPTY' });
  });

  test('a page that takes too long is given up, and an abort ends the program at once', {
    timeout: 20_000,
  }, async () => {
    const [slow] = readerWith(['sleep'], { pageTimeoutMs: 500 });
    await expect(slow.read({ bytes: png, uri: 'a.png' })).rejects.toMatchObject({
      code: 'FILE_SCANNED',
      message: expect.stringContaining('500 ms'),
    });
    const [reader, standIn] = readerWith(['sleep']);
    const abort = new AbortController();
    const reading = reader.read({ bytes: png, uri: 'a.png' }, { signal: abort.signal });
    while (standIn.calls().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const abortedAt = performance.now();
    abort.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
    expect(performance.now() - abortedAt).toBeLessThan(2000);
  });

  test('a cut head is damaged, a bomb too large, HEIC unsupported', async () => {
    const reader = without();
    const code = async (bytes: Uint8Array, uri: string): Promise<unknown> =>
      await reader.read({ bytes, uri }).then(
        ({ text }) => text,
        (error: { code: string; message: string }) => [error.code, error.message],
      );
    expect(await code(png.subarray(0, 18), 'a.png')).toEqual(['FILE_DAMAGED', expect.any(String)]);
    const bomb = Buffer.from(png);
    bomb.writeUInt32BE(100_000, 16);
    bomb.writeUInt32BE(100_000, 20);
    expect(await code(bomb, 'a.png')).toEqual(['FILE_TOO_LARGE', expect.stringContaining('100000 × 100000')]);
    const heic = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic'), Buffer.alloc(40)]);
    expect(await code(heic, 'a.heic')).toEqual(['FILE_UNSUPPORTED', expect.stringContaining('HEIC')]);
  });
});

describe('PDFs', () => {
  test('are read page by page: text as it is, scanned pages by OCR, in their order', async () => {
    const pages: string[] = [];
    const [reader] = readerWith([table([['Second page, scanned']]), table([['Fourth page, scanned']], 60)], {
      onPage: ({ uri, page, pages: all }) => pages.push(`${uri} ${page}/${all}`),
    });
    const bytes = scannedPdf(['First page, typed', undefined, 'Third page, typed', undefined]);
    const document = await reader.read({ bytes, uri: 'mixed.pdf' });
    expectSound(document);
    expect(document.text.split('\n\n')).toEqual([
      'First page, typed',
      'Second page, scanned',
      'Third page, typed',
      'Fourth page, scanned',
    ]);
    expect(placed(document, 'Third')).toBe('page 3');
    expect(placed(document, 'Fourth')).toMatch(/^page 4, by OCR \(60 % sure\)/);
    expect(document.metadata.ocrConfidence).toBeCloseTo(0.78, 2);
    expect(codes(document)).toEqual([]);
    expect(pages).toEqual(['mixed.pdf 1/2', 'mixed.pdf 2/2']);
  });

  test('a page that fails or is left out costs the others nothing', async () => {
    const [reader] = readerWith(['fail', table([['Read well']])]);
    const document = await reader.read({ bytes: scannedPdf([undefined, undefined]), uri: 'a.pdf' });
    expect(document.text).toBe('Read well');
    expect(document.warnings).toEqual([
      { code: 'OCR_FAILED', message: expect.stringMatching(/^page 1 was not read: .*tesseract: Error/) },
    ]);
    const [bounded] = readerWith([table([['Read well']])], { maxPages: 1 });
    const cut = await bounded.read({ bytes: scannedPdf([undefined, undefined]), uri: 'a.pdf' });
    expect(codes(cut)).toEqual(['PDF_PAGES_WITHOUT_TEXT']);
  });

  test('a mixed file without tesseract gives its text and waits for the rest', async () => {
    const document = await without().read({ bytes: scannedPdf(['Typed', undefined]), uri: 'a.pdf' });
    expect(document.text).toBe('Typed');
    expect(codes(document)).toEqual(['PDF_PAGES_WITHOUT_TEXT', 'WAITS_FOR_OCR']);
  });

  test('without pdftoppm the picture of the page is taken out', async () => {
    const [reader, standIn] = readerWith([table([['From the picture']])], { environment: { PATH: tempFolder() } });
    const document = await reader.read({ bytes: scannedPdf([undefined]), uri: 'a.pdf' });
    expect(document.text).toBe('From the picture');
    expect(standIn.calls()[0]!.input).toMatch(/^P6 64 32 255\n\x99|^P5 64 32 255\n\x99/);
  });

  test('a scan attached to a mail is read with the mail', async () => {
    const [reader] = readerWith([table([['Attached and scanned']])]);
    const mail = `Subject: Scan\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nSee below\n--b\nContent-Type: application/pdf\nContent-Disposition: attachment; filename=scan.pdf\nContent-Transfer-Encoding: base64\n\n${Buffer.from(scannedPdf([undefined])).toString('base64')}\n--b--\n`;
    const document = await reader.read({ bytes: Buffer.from(mail), uri: 'a.eml' });
    expect(document.text).toContain('Attached and scanned');
    expect(placed(document, 'Attached and')).toMatch(/^scan\.pdf, page 1, by OCR/);
  });
});

describe('pictures in archives', () => {
  test('are read, but not more of them than may be sent to another process', async () => {
    const files = Object.fromEntries(Array.from({ length: 4 }, (_, i) => [`${i}.png`, png]));
    const [reader, standIn] = readerWith([table([['Words of a photo']])]);
    const document = await reader.read({ bytes: makeZip(files), uri: 'photos.zip' });
    expect(document.text.match(/Words of a photo/g)).toHaveLength(4);
    expect(placed(document, 'Words of a')).toMatch(/^0\.png, by OCR/);
    expect(standIn.calls()).toHaveLength(4);
    const large = Buffer.concat([png, randomBytes(40 * 2 ** 20)]);
    const found: Scan[] = [];
    const limits = { maxTextChars: 1e8, maxUnpackedBytes: 2 ** 29 };
    const zip = makeZip({ 'a.png': large, 'b.png': large, 'c.png': png });
    await parseBytes('photos.zip', zip, limits, 0, undefined, { found }).catch(() => {});
    expect(found.map(({ file }) => file?.length)).toEqual([large.length, png.length]);
  });
});

test.skipIf(!hasTesseract)(
  'a folder with models alone is enough (skipped without tesseract, its English, or pdftoppm)',
  { timeout: 60_000 },
  async () => {
    const folder = tempFolder({ 'page.pdf': makePdf({ pages: [at(72, 700, 'The quick brown fox', { size: 24 })] }) });
    copyFileSync(join(tesseractModels, 'eng.traineddata'), join(folder, 'eng.traineddata'));
    const reader = createReader({ ocr: { environment: { PATH: process.env.PATH!, TESSDATA_PREFIX: folder } } });
    onTestFinished(() => reader.close());
    const picture = execFileSync('pdftoppm', ['-r', '200', '-png', join(folder, 'page.pdf')]);
    expect((await reader.read({ bytes: picture, uri: 'page.png' })).text).toBe('The quick brown fox');
  },
);

test.skipIf(!hasTesseract)(
  'tesseract itself reads a rendered page (skipped without tesseract, its English, or pdftoppm)',
  { timeout: 60_000 },
  async () => {
    const folder = tempFolder({ 'page.pdf': makePdf({ pages: [at(72, 700, 'The quick brown fox', { size: 24 })] }) });
    execFileSync('pdftoppm', ['-r', '200', '-png', join(folder, 'page.pdf'), join(folder, 'page')]);
    const reader = createReader();
    onTestFinished(() => reader.close());
    const document = await reader.read({ path: join(folder, 'page-1.png'), uri: 'page-1.png' });
    expect(document.text).toContain('quick brown fox');
    expect(document.locators[0]!.ocr!.region[1]).toBeLessThan(0.2);
  },
);
