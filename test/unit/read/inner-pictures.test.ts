import { describe, expect, onTestFinished, test } from 'vitest';
import { locate } from '../../../src/core/location.ts';
import type { Document } from '../../../src/core/types.ts';
import { describePlace } from '../../../src/index.ts';
import { createReader } from '../../../src/read/reader.ts';
import { tempFolder } from '../../support/temp.ts';
import { standInTesseract, table } from '../../support/tesseract.ts';
import { makeZip, relationships } from './formats-make.ts';
import { codes, expectSound } from './helpers.ts';

/** The head of a PNG: its size is all that is looked at before OCR. */
function png(width: number, height: number): Buffer {
  const head = Buffer.alloc(33);
  head.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);
  head.write('IHDR', 12, 'latin1');
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return head;
}

const large = png(1200, 800);
const logo = png(120, 60);
const long = 'The crane is red and strong. '.repeat(20).trim();

const text = (words: string): string => `<a:p><a:r><a:t>${words}</a:t></a:r></a:p>`;
const slide = (words: string): string => `<p:sld><p:sp><p:txBody>${text(words)}</p:txBody></p:sp></p:sld>`;
const show = (slides: readonly string[], pictures: readonly Buffer[]): Buffer =>
  makeZip({
    '_rels/.rels': relationships({ r1: ['officeDocument', 'ppt/presentation.xml'] }),
    'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${slides.map((_, i) => `<p:sldId r:id="s${i}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationships(
      Object.fromEntries(slides.map((_, i) => [`s${i}`, ['slide', `slides/slide${i}.xml`] as const])),
    ),
    ...Object.fromEntries(slides.map((words, i) => [`ppt/slides/slide${i}.xml`, slide(words)])),
    ...Object.fromEntries(
      slides.map((_, i) => [
        `ppt/slides/_rels/slide${i}.xml.rels`,
        relationships({ p: ['image', `../media/image${i}.png`] }),
      ]),
    ),
    ...Object.fromEntries(pictures.map((bytes, i) => [`ppt/media/image${i}.png`, bytes])),
  }) as Buffer;

const word = (words: string, pictures: Readonly<Record<string, Buffer>>, shown: readonly string[]): Buffer =>
  makeZip({
    '_rels/.rels': relationships({ r1: ['officeDocument', 'word/document.xml'] }),
    'word/document.xml': `<w:document><w:body><w:p><w:r><w:t>${words}</w:t></w:r></w:p>${shown
      .map((id) => `<w:p><w:r><w:drawing><a:blip r:embed="${id}"/></w:drawing></w:r></w:p>`)
      .join('')}</w:body></w:document>`,
    'word/_rels/document.xml.rels': relationships(
      Object.fromEntries(Object.keys(pictures).map((id) => [id, ['image', `media/${id}.png`] as const])),
    ),
    ...Object.fromEntries(Object.entries(pictures).map(([id, bytes]) => [`word/media/${id}.png`, bytes])),
  }) as Buffer;

const openDocument = (content: string): Buffer =>
  makeZip({
    'content.xml': `<office:document-content><office:body>${content}</office:body></office:document-content>`,
    'Pictures/a.png': large,
    'Pictures/b.png': large,
  }) as Buffer;
const frame = (name: string): string => `<draw:frame><draw:image xlink:href="Pictures/${name}.png"/></draw:frame>`;

const book = makeZip({
  'META-INF/container.xml': '<container><rootfiles><rootfile full-path="o.opf"/></rootfiles></container>',
  'o.opf': `<package><metadata><dc:title>Deed</dc:title></metadata><manifest>
    <item id="b" href="b.png" media-type="image/png"/><item id="a" href="a.png" media-type="image/png"/>
    <item id="one" href="one.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="one"/></spine></package>`,
  'one.xhtml': '<html><body><p>Deed</p><img src="a.png"/><img src="b.png"/></body></html>',
  'a.png': large,
  'b.png': large,
});

const attachment = (name: string, bytes: Buffer, head = ''): string =>
  `--x\r\nContent-Type: image/png; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\n${head}Content-Transfer-Encoding: base64\r\n\r\n${bytes.toString('base64')}\r\n`;
const mail = (...parts: readonly string[]): Buffer =>
  Buffer.from(
    `Subject: Invoice\r\nContent-Type: multipart/mixed; boundary="x"\r\n\r\n--x\r\n\r\nHere it is.\r\n${parts.join('')}--x--\r\n`,
  );

const answers = ['First page', 'Second page', 'Third page'].map((words) => table([[words]]));

async function read(uri: string, bytes: Uint8Array, said: readonly string[] = answers): Promise<Document> {
  const { program } = standInTesseract(tempFolder(), said);
  const reader = createReader({ ocr: { program, concurrency: 1 } });
  onTestFinished(() => reader.close());
  const document = await reader.read({ bytes, uri });
  expectSound(document);
  return document;
}

async function readWithout(uri: string, bytes: Uint8Array): Promise<Document> {
  const reader = createReader({ ocr: false });
  onTestFinished(() => reader.close());
  return await reader.read({ bytes, uri });
}

const placeOf = (document: Document, words: string): string => {
  const start = document.text.indexOf(words);
  const whole = { ...document, span: { start: 0, end: document.text.length } };
  return describePlace(locate(whole, { start, end: start + words.length }));
};

describe('pictures inside other files', () => {
  test('of a slide with little text are read where they stand; beside much text, or small, they are not', async () => {
    const document = await read('a.pptx', show(['Overview', long, 'End'], [large, large, logo]));
    expect(document.text).toBe(`Overview\n\nFirst page\n\n${long}\n\nEnd`);
    expect(placeOf(document, 'First page')).toMatch(/^page 1, by OCR/);
    expect(placeOf(document, 'End')).toBe('page 3');
  });

  test('of a document of pictures are read in the order in which it shows them, by their number', async () => {
    const document = await read('a.docx', word('Deed', { r1: large, r2: large }, ['r2', 'r1']));
    expect(document.text).toBe('Deed\n\nFirst page\n\nSecond page');
    expect(placeOf(document, 'Second page')).toMatch(/^picture 2, by OCR/);
    expect((await read('b.docx', word(long, { r1: large }, ['r1']))).text).toBe(long);
  });

  test.each([
    [
      'a.odt',
      openDocument(`<office:text><text:p>Deed${frame('a')}</text:p><text:p>${frame('b')}</text:p></office:text>`),
    ],
    ['a.epub', book],
  ])('of %s are read too', async (uri, bytes) => {
    const { text } = await read(uri, bytes);
    expect(text).toMatch(/^Deed\s+First page\n\nSecond page$/);
  });

  test('of slides of OpenDocument are read with their slide', async () => {
    const slides = ['a', 'b'].map((name) => `<draw:page>${frame(name)}</draw:page>`).join('');
    const document = await read('a.odp', openDocument(`<office:presentation>${slides}</office:presentation>`));
    expect(document.text).toBe('First page\n\nSecond page');
    expect(placeOf(document, 'Second page')).toMatch(/^page 2, by OCR/);
  });

  test('attached to a mail are read; what its text shows is read where it is no logo', async () => {
    const shown = 'Content-ID: <logo@x>\r\n';
    const document = await read(
      'a.eml',
      mail(
        attachment('scan.png', large),
        attachment('sign.png', png(600, 300), shown),
        attachment('page.png', large, shown),
      ),
    );
    expect(document.text).toBe(
      'Subject: Invoice\n\nHere it is.\n\nAttachment: scan.png\n\nFirst page\n\nAttachment: sign.png (image/png, 33 bytes)\n\nAttachment: page.png\n\nSecond page',
    );
    expect(placeOf(document, 'Second page')).toMatch(/^page\.png, by OCR/);
    expect(codes(document)).toEqual([]);
  });

  test('in which OCR finds nothing are named as before', async () => {
    const document = await read('a.eml', mail(attachment('photo.png', large)), [table([])]);
    expect(document.text).toContain('Attachment: photo.png (image/png, 33 bytes)');
    expect(codes(document)).toEqual([]);
  });

  test('wait for OCR: a file of them alone as a whole, any other one with a warning', async () => {
    await expect(readWithout('a.docx', word('', { r1: large }, ['r1']))).rejects.toMatchObject({
      code: 'FILE_SCANNED',
    });
    await expect(readWithout('b.docx', word('', { r1: logo }, ['r1']))).rejects.toMatchObject({ code: 'FILE_EMPTY' });
    const document = await readWithout('a.eml', mail(attachment('scan.png', large)));
    expect(document.text).toContain('Attachment: scan.png (image/png, 33 bytes)');
    expect(codes(document)).toEqual(['WAITS_FOR_OCR']);
  });

  test('at which OCR fails are told', async () => {
    const failing = ['fail', table([['Second page']])];
    const document = await read('a.eml', mail(attachment('one.png', large), attachment('two.png', large)), failing);
    expect(document.text).toContain('Attachment: one.png (image/png, 33 bytes)\n\nAttachment: two.png\n\nSecond page');
    expect(codes(document)).toEqual(['ATTACHMENT_UNREAD']);
    const word2 = await read('a.docx', word('', { r1: large, r2: large }, ['r1', 'r2']), failing);
    expect([word2.text, codes(word2)]).toEqual(['Second page', ['PICTURE_UNREAD']]);
  });

  test('of too many dots cost only themselves', async () => {
    const map = png(30_000, 20_000);
    const document = await read('a.eml', mail(attachment('map.png', map), attachment('scan.png', large)));
    expect(document.text).toContain('Attachment: map.png (image/png, 33 bytes)\n\nAttachment: scan.png\n\nFirst page');
    expect(codes(document)).toEqual(['ATTACHMENT_UNREAD']);
    const both = await read('a.docx', word('', { r1: map, r2: large }, ['r1', 'r2']));
    expect([both.text, codes(both)]).toEqual(['First page', ['PICTURE_UNREAD']]);
    const archive = await read('a.zip', makeZip({ 'map.png': map, 'a.md': 'A crane.' }));
    expect([archive.text, codes(archive)]).toEqual(['a.md\n\nA crane.', ['ENTRY_UNREAD']]);
    await expect(readWithout('map.png', map)).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
  });

  test('are not all read where there are very many, and the document says so', async () => {
    const document = await readWithout('a.eml', mail(...Array.from({ length: 502 }, () => attachment('a.png', large))));
    expect(document.warnings.map(({ code, message }) => [code, message.split(';')[0]])).toContainEqual([
      'OCR_PAGES_LEFT_OUT',
      'pictures inside the file are left out: 2',
    ]);
  });
});
