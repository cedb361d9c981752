import { describe, expect, test } from 'vitest';
import { decodeBytes } from '../../../src/read/encoding.ts';
import { decodeWords } from '../../../src/read/mail/mime.ts';

/**
 * An encoder for any encoding that Node can only decode: every one- and two-byte sequence, decoded and turned around.
 */
function encoderOf(encoding: string): (text: string) => Uint8Array {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const table = new Map<string, number[]>();
  const learn = (bytes: number[]): void => {
    try {
      const text = decoder.decode(Uint8Array.from(bytes));
      if ([...text].length === 1 && !table.has(text)) table.set(text, bytes);
    } catch {
      // Not a character of this encoding.
    }
  };
  for (let first = 0; first < 256; first++) learn([first]);
  for (let first = 0x81; first < 0xff; first++) for (let second = 0x40; second < 0xff; second++) learn([first, second]);
  return (text) =>
    Uint8Array.from(
      [...text].flatMap((character) => {
        const bytes = table.get(character);
        if (bytes === undefined) throw new Error(`${encoding} has no "${character}"`);
        return bytes;
      }),
    );
}

const german =
  'Die Größe der Häuser überschreitet das zulässige Maß. Für Änderungen müssen Anträge gestellt werden. '.repeat(3);
const russian =
  'Поисковая система разбивает документы на части и хранит для каждой из них вектор. Ответы цитируются точно. ';
const japanese = '日本語の検索エンジンは文書を小さな部分に分け、それぞれのベクトルを保存します。正確な引用を返します。';
const chinese = '检索增强生成把文档切分成段落，为每个段落保存一个向量，然后用准确的引用来回答问题。';
const korean = '검색 증강 생성은 문서를 여러 조각으로 나누고 각 조각의 벡터를 저장한 뒤 정확한 인용으로 답합니다.';
const cases: [string, string][] = [
  ['windows-1252', german],
  ['windows-1251', russian],
  ['koi8-r', russian],
  ['shift_jis', japanese],
  ['euc-jp', japanese],
  ['gb18030', chinese],
  ['euc-kr', korean],
];

describe('encodings without a declaration are detected, and said to be guessed', () => {
  test.each(cases)('%s', (encoding, text) => {
    const decoded = decodeBytes(encoderOf(encoding)(text));
    expect(decoded.text).toBe(text);
    expect(decoded.warnings.map(({ code }) => code)).toEqual(['ENCODING_GUESSED']);
  });

  test.each(cases)('%s after 100 kB of ASCII', (encoding, text) => {
    const ascii = 'plain words come first. '.repeat(5000);
    const decoded = decodeBytes(Buffer.concat([Buffer.from(ascii), encoderOf(encoding)(text)]));
    expect(decoded.text).toBe(ascii + text);
  });

  test.each(['utf16le', 'utf16be', 'utf32le', 'utf32be'])('%s with and without a byte order mark', (encoding) => {
    const text =
      'The quick indexer splits the folder, und zwar ganz genau: 日本 😀.\nSecond line with more words in it.\n';
    expect(decodeBytes(wide(`\ufeff${text}`, encoding))).toMatchObject({ text, warnings: [] });
    expect(decodeBytes(wide(text, encoding)).text).toBe(text);
  });
});

function wide(text: string, encoding: string): Uint8Array {
  const size = encoding.startsWith('utf32') ? 4 : 2;
  const units = size === 4 ? [...text].map((c) => c.codePointAt(0)!) : Array.from(text, (_, i) => text.charCodeAt(i));
  const flat = size === 4 ? units : Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
  const view = new DataView(new ArrayBuffer(flat.length * size));
  flat.forEach((unit, i) => {
    if (size === 4) view.setUint32(i * 4, unit, encoding.endsWith('le'));
    else view.setUint16(i * 2, unit, encoding.endsWith('le'));
  });
  return new Uint8Array(view.buffer);
}

describe('declarations', () => {
  test('one that fits is believed, without a warning', () => {
    expect(decodeBytes(encoderOf('iso-8859-2')('Zażółć gęślą jaźń'), 'ISO-8859-2')).toEqual({
      text: 'Zażółć gęślą jaźń',
      encoding: 'iso-8859-2',
      warnings: [],
    });
  });

  test('valid UTF-8 that declares something else is UTF-8', () => {
    expect(decodeBytes(Buffer.from(german), 'latin1')).toMatchObject({ text: german, encoding: 'utf-8', warnings: [] });
  });

  test('one that lies is named and overruled', () => {
    const { text, warnings } = decodeBytes(encoderOf('windows-1252')(german), 'utf-8');
    expect(text).toBe(german);
    expect(warnings.map(({ code }) => code)).toEqual(['ENCODING_LIES', 'ENCODING_GUESSED']);
  });

  test('an unknown one is named', () => {
    const { warnings } = decodeBytes(encoderOf('windows-1252')(german), 'x-martian');
    expect(warnings[0]).toMatchObject({ code: 'ENCODING_UNKNOWN', message: expect.stringContaining('x-martian') });
  });
});

describe('damage', () => {
  test('a few bad bytes in UTF-8 become U+FFFD, counted in a warning; the rest stays UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from(german), Buffer.from([0xff]), Buffer.from(russian), Buffer.from([0xd0])]);
    const { text, encoding, warnings } = decodeBytes(bytes);
    expect(encoding).toBe('utf-8');
    expect(text).toBe(`${german}\ufffd${russian}\ufffd`);
    expect(warnings).toEqual([{ code: 'ENCODING_DAMAGED', message: '2 places are not valid utf-8 and became U+FFFD' }]);
  });

  test('plain UTF-8 and the empty file need no words', () => {
    expect(decodeBytes(Buffer.from('a\u00e9\u{1f600}'))).toEqual({ text: 'aé😀', encoding: 'utf-8', warnings: [] });
    expect(decodeBytes(new Uint8Array(0))).toEqual({ text: '', encoding: 'utf-8', warnings: [] });
  });
});

describe('encodings of DOS and old Macs, which statistics do not know', () => {
  const german850 = '477294e1652081626572204d61e12c208e7066656c2066817220616c6c652e';
  const polish852 =
    '57737a79736379206c75647a696520726f647aa5207369a920776f6c6e6920692072a2776e6920706f6420777a676ca964656d207377656a20676f646e6f986369206920737779636820707261772e';
  const written: [encoding: string, text: string, bytes?: string][] = [
    ['macintosh', german],
    ['macintosh', 'The café’s “best” résumé costs £5 – naïve, isn’t it?'],
    ['ibm866', russian],
    ['koi8-u', 'Всі люди народжуються вільними і рівними у своїй гідності та правах.'],
    ['ibm850', 'Größe über Maß, Äpfel für alle.', german850], // written by Python
    ['ibm852', 'Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw.', polish852],
  ];

  test.each(written)('%s %s', (encoding, text, bytes) => {
    const decoded = decodeBytes(bytes === undefined ? encoderOf(encoding)(text) : Buffer.from(bytes, 'hex'));
    expect([decoded.text, decoded.encoding]).toEqual([text, encoding]);
    expect(decoded.warnings.map(({ code }) => code)).toEqual(['ENCODING_GUESSED']);
  });

  test('a label of DOS is known', () => {
    for (const label of ['cp850', 'IBM850', 'cp-850', 'cspc850multilingual'])
      expect(decodeBytes(Buffer.from(german850, 'hex'), label)).toMatchObject({ encoding: 'ibm850', warnings: [] });
  });

  test.each([
    'A matrix of M×N, a try…catch and Foo™Bar: M×N, try…catch.',
    'Déjà vu « à Paris », l’Été 2024 – 5 € le kg, naïveté ; œuvre.',
    'Die Größe „des Hauses“ – 20 °C, 5 m², ½ Liter, © 2024 Müller®.',
  ])('signs of windows-1252 stay what they are: %s', (text) => {
    expect(decodeBytes(encoderOf('windows-1252')(text)).text).toBe(text);
  });

  test('two escapes of ISO-2022-JP that follow each other are no damage', () => {
    const words = '=?iso-2022-jp?B?GyRCJTkbKEI=?= =?iso-2022-jp?B?GyRCJVElYBsoQg==?=';
    expect(decodeWords(words)).toBe('スパム');
    const bytes = Buffer.from('\x1b$B%9\x1b(B\x1b$B%Q%`\x1b(B', 'latin1');
    expect(decodeBytes(bytes, 'iso-2022-jp')).toEqual({ text: 'スパム', encoding: 'iso-2022-jp', warnings: [] });
  });

  test('Korean of Windows has all syllables, of ISO-2022-KR as well', () => {
    // "똠방각하, 됬다" and the first, one in the middle and the last of the added syllables
    const bytes = Buffer.from('8c63b9e6b0a2c7cf2c2089e7b4d9', 'hex');
    expect(decodeBytes(bytes, 'ks_c_5601-1987')).toEqual({ text: '똠방각하, 됬다', encoding: 'euc-kr', warnings: [] });
    expect(decodeBytes(Buffer.from('8141208ce620c65220a2e6', 'hex'), 'euc-kr').text).toBe('갂 뚧 힣 €');
    const long = Buffer.concat([
      bytes,
      Buffer.from(' '),
      Buffer.from('b3aab4c220c7d0b1b3bfa120b0a3b4d92e20b1d7b8aeb0ed20c1fdc0b8b7ce20b5b9bec6bfd4b4d92e', 'hex'),
    ]);
    expect(decodeBytes(long).encoding).toBe('euc-kr');
    const old = Buffer.from('\x1b$)C\x0e0!\x0f A\n\x0e0!0"\x0f', 'latin1');
    expect(decodeBytes(old, 'iso-2022-kr')).toEqual({ text: '가 A\n가각', encoding: 'iso-2022-kr', warnings: [] });
  });
});
