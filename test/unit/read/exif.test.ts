import { deflateSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Document } from '../../../src/core/types.ts';
import { detectFormat } from '../../../src/read/detect.ts';
import { readExif } from '../../../src/read/image/exif.ts';
import { sizeOf } from '../../../src/read/image/size.ts';
import { createReader } from '../../../src/read/reader.ts';
import { tempFolder } from '../../support/temp.ts';
import { standInTesseract, table } from '../../support/tesseract.ts';

type Entry = readonly [tag: number, type: number, value: string | readonly number[]];

/** TIFF data with a main directory, an Exif and a GPS directory, written as CIPA DC-008 says. */
function tiff(main: readonly Entry[], exif: readonly Entry[], gps: readonly Entry[], little = true): Buffer {
  const out = Buffer.alloc(4000);
  const u16 = (at: number, value: number): number =>
    little ? out.writeUInt16LE(value, at) : out.writeUInt16BE(value, at);
  const u32 = (at: number, value: number): number =>
    little ? out.writeUInt32LE(value, at) : out.writeUInt32BE(value, at);
  out.write(little ? 'II' : 'MM', 0, 'latin1');
  u16(2, 42);
  u32(4, 8);
  let data = 2000;
  const write = (at: number, entries: readonly Entry[]): void => {
    u16(at, entries.length);
    for (const [i, [tag, type, value]] of entries.entries()) {
      const entry = at + 2 + 12 * i;
      u16(entry, tag);
      u16(entry + 2, type);
      if (typeof value === 'string') {
        u32(entry + 4, value.length + 1);
        const where = value.length + 1 > 4 ? data : entry + 8;
        if (where === data) u32(entry + 8, data);
        out.write(`${value}\0`, where, 'latin1');
        data += value.length + 1;
      } else if (type === 5) {
        u32(entry + 4, value.length / 2);
        u32(entry + 8, data);
        for (const number of value) data = u32(data, number);
      } else {
        u32(entry + 4, 1);
        if (type === 3) u16(entry + 8, value[0]!);
        else u32(entry + 8, value[0]!);
      }
    }
  };
  write(8, [...main, [0x8769, 4, [600]], [0x8825, 4, [1200]]]);
  write(600, exif);
  write(1200, gps);
  return out;
}

const camera = tiff(
  [
    [0x010e, 2, 'The old harbour at dawn'],
    [0x010f, 2, 'Nikon'],
    [0x0110, 2, 'Z 6'],
    [0x0100, 3, [4000]],
    [0x0101, 4, [3000]],
  ],
  [
    [0x9003, 2, '2024:05:17 06:30:10'],
    [0x9011, 2, '+02:00'],
  ],
  [
    [1, 2, 'S'],
    [2, 5, [33, 1, 51, 1, 3000, 100]],
    [3, 2, 'E'],
    [4, 5, [151, 1, 12, 1, 0, 1]],
  ],
);
const facts = {
  taken: '2024-05-17T06:30:10+02:00',
  latitude: -33.85833,
  longitude: 151.2,
  camera: 'Nikon Z 6',
  caption: 'The old harbour at dawn',
};

function jpeg(exif: Buffer): Buffer {
  const size = Buffer.alloc(2);
  size.writeUInt16BE(exif.length + 8);
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 30, 0, 40, 1, 1, 0x11, 0, 0xff, 0xd9]);
  return Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe1]), size, Buffer.from('Exif\0\0'), exif, frame]);
}

function png(exif: Buffer): Buffer {
  const part = (name: string, data: Buffer): Buffer => {
    const size = Buffer.alloc(4);
    size.writeUInt32BE(data.length);
    return Buffer.concat([size, Buffer.from(name), data, Buffer.alloc(4)]);
  };
  const head = part('IHDR', Buffer.from([0, 0, 0, 40, 0, 0, 0, 30, 8, 0, 0, 0, 0]));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    head,
    part('eXIf', exif),
    part('IDAT', deflateSync(Buffer.alloc(30 * 41))),
  ]);
}

function webp(exif: Buffer): Buffer {
  const part = (name: string, data: Buffer): Buffer => {
    const size = Buffer.alloc(4);
    size.writeUInt32LE(data.length);
    return Buffer.concat([Buffer.from(name), size, data, Buffer.alloc(data.length & 1)]);
  };
  const body = Buffer.concat([part('VP8X', Buffer.from([8, 0, 0, 0, 39, 0, 0, 29, 0, 0])), part('EXIF', exif)]);
  return Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBP', 'latin1'), body]);
}

const xmp = Buffer.from(`<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF><rdf:Description>
 <dc:description><rdf:Alt><rdf:li xml:lang='de'>Der Kran</rdf:li><rdf:li xml:lang='x-default'>The old crane &amp; its hook</rdf:li></rdf:Alt></dc:description>
 <dc:subject><rdf:Bag><rdf:li>crane</rdf:li><rdf:li>demolition</rdf:li></rdf:Bag></dc:subject>
 <dc:title><rdf:Alt><rdf:li xml:lang='x-default'>Crane 3</rdf:li></rdf:Alt></dc:title>
</rdf:Description></rdf:RDF></x:xmpmeta>`);

/** Records of IPTC in a block of Photoshop, in Latin-1. */
function iptc(records: readonly (readonly [number, string])[]): Buffer {
  const data = Buffer.concat(
    records.map(([number, text]) =>
      Buffer.from(`\x1c\x02${String.fromCharCode(number, 0, text.length)}${text}`, 'latin1'),
    ),
  );
  return Buffer.concat([
    Buffer.from('Photoshop 3.0\x008BIM\x04\x04\0\0\0\0', 'latin1'),
    Buffer.from([0, data.length]),
    data,
  ]);
}

describe('what a camera writes into a picture', () => {
  test.each([
    ['JPEG', jpeg(camera), [40, 30]],
    ['PNG', png(camera), [40, 30]],
    ['WebP', webp(camera), [40, 30]],
    ['TIFF', camera, [4000, 3000]],
  ] as const)('date, place, camera and caption of a %s', (_, bytes, size) => {
    expect(readExif(bytes)).toEqual(facts);
    expect(sizeOf(bytes)).toEqual(size);
  });

  test('the size of JPEG 2000, in its boxes and as a codestream alone', () => {
    const size = (...numbers: number[]): Buffer => {
      const bytes = Buffer.alloc(4 * numbers.length);
      for (const [i, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * i);
      return bytes;
    };
    const signature = Buffer.from('0000000c6a5020200d0a870a00000014667479706a703220000000006a703220', 'hex');
    const header = Buffer.concat([size(45), Buffer.from('jp2h'), size(22), Buffer.from('ihdr'), size(2339, 1653)]);
    const boxed = Buffer.concat([signature, header]);
    const stream = Buffer.concat([Buffer.from('ff4fff5100290000', 'hex'), size(1700, 2400, 47, 61)]);
    for (const bytes of [boxed, stream]) {
      expect(sizeOf(bytes)).toEqual([1653, 2339]);
      expect(detectFormat('page.jp2', bytes)).toEqual({ format: 'image' });
    }
    expect(sizeOf(boxed.subarray(0, 50))).toBeUndefined();
  });

  test('the other byte order, and dates and places that are none', () => {
    const other = tiff([[0x0132, 2, '2020:01:02 03:04:05']], [[0x9003, 2, '    :  :     :  :  ']], [], false);
    expect(readExif(other)).toEqual({ taken: '2020-01-02T03:04:05' });
    const zero = tiff(
      [],
      [[0x9003, 2, '0000:00:00 00:00:00']],
      [
        [2, 5, [1, 0, 0, 0, 0, 0]],
        [4, 5, [999, 1, 0, 1, 0, 1]],
      ],
    );
    expect(readExif(zero)).toEqual({});
  });

  test('no cut and no changed byte makes it throw or run on', () => {
    for (const whole of [jpeg(camera), png(camera), webp(camera), camera]) {
      for (let end = 0; end < 1500; end += 7) {
        readExif(whole.subarray(0, end));
        sizeOf(whole.subarray(0, end));
      }
      for (let at = 0; at < 700; at += 3) {
        const changed = Buffer.from(whole);
        changed[at] = 0xff;
        readExif(changed);
        sizeOf(changed);
      }
    }
  });

  // A word on a page of 1000 × 2000 dots as it is stored, from 100, 100 to 180, 120.
  test.each([
    ['upright', 1, jpeg, [0.1, 0.05, 0.18, 0.06]],
    ['upside down', 3, jpeg, [0.82, 0.94, 0.9, 0.95]],
    ['to be turned right', 6, jpeg, [0.94, 0.1, 0.95, 0.18]],
    ['to be turned left', 8, jpeg, [0.05, 0.82, 0.06, 0.9]],
    ['a TIFF file, which tesseract turns itself', 6, (exif: Buffer) => exif, [0.1, 0.05, 0.18, 0.06]],
  ] as const)(
    'a citation of a picture that is %s names the region as it is seen',
    async (_, orientation, make, region) => {
      const sizes = [
        [0x0100, 3, [40]],
        [0x0101, 3, [30]],
        [0x0112, 3, [orientation]],
      ] as const;
      const reader = createReader({ ocr: { program: standInTesseract(tempFolder(), [table([['Receipt']])]).program } });
      onTestFinished(() => reader.close());
      const document = await reader.read({ bytes: make(tiff(sizes, [], [])), uri: 'photo' });
      expect(document.locators.map(({ ocr }) => ocr!.region)).toEqual([region]);
      expect(document.metadata).not.toHaveProperty('orientation');
    },
  );

  test('stands in the metadata, and makes a photo without text a document', async () => {
    const silent = standInTesseract(tempFolder(), [table([])]);
    const reader = createReader({ ocr: { program: silent.program } });
    onTestFinished(() => reader.close());
    const photo = await reader.read({ bytes: jpeg(camera), uri: 'harbour.jpg' });
    expect(photo.text).toBe(
      'Caption: The old harbour at dawn\nTaken: 2024-05-17T06:30:10+02:00\nPlace: -33.85833, 151.2\nCamera: Nikon Z 6',
    );
    const { caption, ...rest } = facts;
    expect(photo.metadata).toEqual({ width: 40, height: 30, ...rest });
    const plain = tiff([], [[0x9003, 2, '2024:05:17 06:30:10']], []);
    expect((await reader.read({ bytes: jpeg(plain), uri: 'a.jpg' })).text).toBe('Taken: 2024-05-17T06:30:10');
    const placed = tiff(
      [],
      [],
      [
        [1, 2, 'N'],
        [2, 5, [57, 1, 0, 1, 0, 1]],
        [3, 2, 'W'],
        [4, 5, [2, 1, 30, 1, 0, 1]],
      ],
    );
    expect((await reader.read({ bytes: jpeg(placed), uri: 'a.jpg' })).text).toBe('Place: 57, -2.5');
    const described = (packets: Buffer): Promise<Document> =>
      reader.read({ bytes: Buffer.concat([jpeg(tiff([], [], [])), packets]), uri: 'a.jpg' });
    const both = await described(
      Buffer.concat([
        iptc([
          [5, 'Crane'],
          [120, 'An old text'],
        ]),
        xmp,
      ]),
    );
    expect(both.text).toBe('Title: Crane 3\nCaption: The old crane & its hook\nKeywords: crane, demolition');
    expect(both.title).toBe('Crane 3');
    const press = iptc([
      [25, 'tug'],
      [25, 'launch'],
      [120, 'Launch of the Größe'],
    ]);
    const copied = Buffer.from(xmp.toString().replace('The old crane &amp; its hook', 'OLYMPUS DIGITAL CAMERA'));
    expect((await described(copied)).text).toBe('Title: Crane 3\nKeywords: crane, demolition');
    expect((await described(press)).text).toBe('Caption: Launch of the Größe\nKeywords: tug, launch');
  });

  test('names of cameras are said once, their default caption is none, and old captions keep their letters', () => {
    const of = (...main: Entry[]): unknown => readExif(tiff(main, [], []));
    expect(of([0x010f, 2, 'Canon'], [0x0110, 2, 'Canon EOS R6'])).toEqual({ camera: 'Canon EOS R6' });
    expect(of([0x010f, 2, 'OLYMPUS'], [0x0110, 2, 'E-M1'])).toEqual({ camera: 'OLYMPUS E-M1' });
    expect(of([0x010e, 2, 'OLYMPUS DIGITAL CAMERA         '])).toEqual({});
    expect(of([0x010e, 2, 'Prüfung in Göteborg'])).toEqual({ caption: 'Prüfung in Göteborg' });
  });

  test('a bitmap says its size, with the first row at the bottom or at the top', () => {
    const bmp = (width: number, height: number): Buffer => {
      const file = Buffer.alloc(54);
      file.write('BM');
      file.writeUInt32LE(40, 14);
      file.writeInt32LE(width, 18);
      file.writeInt32LE(height, 22);
      return file;
    };
    expect(sizeOf(bmp(40, 30))).toEqual([40, 30]);
    expect(sizeOf(bmp(40, -30))).toEqual([40, 30]);
  });
});
