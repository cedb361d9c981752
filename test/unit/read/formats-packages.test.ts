import { describe, expect, it } from 'vitest';
import { readXml } from '../../../src/read/markup/xml.ts';
import { resolvePart } from '../../../src/read/office/ooxml.ts';
import { openZip } from '../../../src/read/zip.ts';
import { makeZip } from './formats-make.ts';

const LIMITS = { maxUnpackedBytes: 1 << 29 };

describe('openZip', () => {
  it('reads what was packed', () => {
    const zip = openZip(makeZip({ 'a.txt': 'alpha', 'b/c.txt': 'gamma'.repeat(1000) }), LIMITS);
    expect(zip.entries.map((entry) => entry.name)).toEqual(['a.txt', 'b/c.txt']);
    expect(Buffer.from(zip.read('a.txt')!).toString()).toBe('alpha');
    expect(zip.read('b/c.txt')!.length).toBe(5000);
    expect(zip.read('missing')).toBeUndefined();
  });

  it('finds a part whatever its capitals, the one with the same capitals first', () => {
    const zip = openZip(makeZip({ 'xl/Sheet1.xml': 'one', 'xl/sheet1.XML': 'two' }), { maxUnpackedBytes: 1000 });
    const textAt = (name: string): string => Buffer.from(zip.read(name) ?? []).toString();
    expect(['xl/Sheet1.xml', 'xl/sheet1.XML', 'XL/SHEET1.xml', 'xl/sheet2.xml'].map(textAt)).toEqual([
      ...['one', 'two', 'one', ''],
    ]);
    expect([zip.has('XL/sheet1.xml'), zip.has('xl/sheet2.xml')]).toEqual([true, false]);
  });

  it('finds the archive behind bytes that do not belong to it', () => {
    const zip = openZip(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), makeZip({ 'a.txt': 'alpha' })]), LIMITS);
    expect(zip.entries.map((entry) => entry.name)).toEqual(['a.txt']);
  });

  it('stops a bomb before it is unpacked, whatever size it declares', () => {
    const bytes = Buffer.from(makeZip({ 'bomb.xml': Buffer.alloc(80 * 1024 * 1024, 32) }));
    const declared = bytes.indexOf(Buffer.from('PK\x01\x02', 'latin1')) + 24;
    bytes.writeUInt32LE(10, declared);
    const started = process.memoryUsage().arrayBuffers;
    expect(() => openZip(bytes, LIMITS).read('bomb.xml')).toThrow(expect.objectContaining({ code: 'FILE_TOO_LARGE' }));
    expect(process.memoryUsage().arrayBuffers - started).toBeLessThan(60 * 1024 * 1024);
  });

  it('counts all that is read against the limit', () => {
    const zip = openZip(makeZip({ a: Buffer.alloc(700), b: Buffer.alloc(700) }), { maxUnpackedBytes: 1000 });
    expect(zip.read('a')?.length).toBe(700);
    expect(() => zip.read('b')).toThrow(expect.objectContaining({ code: 'FILE_TOO_LARGE' }));
  });

  it('tells encrypted, cut and foreign files apart', () => {
    const code = (bytes: Uint8Array): unknown => {
      try {
        const zip = openZip(bytes, LIMITS);
        return zip.read('a') ?? 'absent';
      } catch (error) {
        return (error as { code?: string }).code; // only IbidError is thrown here; anything else shows as undefined
      }
    };
    const good = makeZip({ a: 'text' });
    expect(code(makeZip({ a: 'text' }, 1))).toBe('FILE_ENCRYPTED');
    expect(code(good.subarray(0, good.length - 30))).toBe('FILE_DAMAGED');
    expect(code(Buffer.from('not an archive'))).toBe('FILE_DAMAGED');
    expect(code(new Uint8Array())).toBe('FILE_DAMAGED');
  });
});

describe('readXml', () => {
  const texts = (xml: string | Uint8Array): { text: string; problem: string | undefined } => {
    let text = '';
    const problem = readXml(typeof xml === 'string' ? new TextEncoder().encode(xml) : xml, {
      text: (part) => (text += part),
    });
    return { text, problem };
  };

  it('never expands entities of a document type', () => {
    const bomb = `<!DOCTYPE a [<!ENTITY x "${'ha'.repeat(50)}"><!ENTITY y "&x;&x;&x;&x;"><!ENTITY f SYSTEM "file:///etc/hostname">]><a>&y;&f;</a>`;
    const { text, problem } = texts(bomb);
    expect(text).toBe('&y;&f;');
    expect(problem).toContain('entity');
  });

  it('reads UTF-16 and names what is broken', () => {
    expect(texts(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<a>größer</a>', 'utf16le')]))).toEqual({
      text: 'größer',
      problem: undefined,
    });
    expect(texts('<a>&lt;<b>cut').problem).toContain('unclosed');
  });

  it('does not run out of stack on deep nesting', () => {
    expect(texts(`${'<a>'.repeat(200_000)}deep${'</a>'.repeat(200_000)}`).text).toBe('deep');
  });

  it('decodes characters cut by a chunk of input', () => {
    const long = `<a>${'ü'.repeat(100_000)}</a>`;
    expect(texts(long).text).toBe('ü'.repeat(100_000));
  });
});

it('resolves part names, never above the package', () => {
  expect(resolvePart('ppt/slides/slide1.xml', '../notesSlides/n1.xml')).toBe('ppt/notesSlides/n1.xml');
  expect(resolvePart('word/document.xml', '/word/styles.xml')).toBe('word/styles.xml');
  expect(resolvePart('a.xml', '../../../etc/passwd')).toBe('etc/passwd');
});
