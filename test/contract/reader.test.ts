import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Reader } from '../../src/read/contract.ts';
import { createReader } from '../../src/read/reader.ts';
import { tempFolder } from '../support/temp.ts';

/** Small files are parsed here, larger ones in a process of their own: both keep one contract. */
const ways: Readonly<Record<string, (text: string) => string>> = {
  'a small file, parsed here': (text) => text,
  'a large file, parsed in a process of its own': (text) =>
    `${text}\n\n${'More of the same sentence. '.repeat(11_000).trimEnd()}`,
};

describe.each(Object.entries(ways))('a reader of %s', (_, sized) => {
  const opened = (): Reader => {
    const reader = createReader();
    onTestFinished(() => reader.close());
    return reader;
  };
  const text = sized('# Harbour\n\nThe ferry leaves at seven.');

  it('gives text, blocks and locators that fit the text', async () => {
    const document = await opened().read({ bytes: Buffer.from(text), uri: 'docs/harbour.md' });
    expect(document).toMatchObject({ uri: 'docs/harbour.md', title: 'Harbour', format: 'markdown' });
    expect(document.text).toBe(text);
    let at = 0;
    for (const { start, end } of document.blocks) {
      expect(start).toBeGreaterThanOrEqual(at);
      expect(end).toBeLessThanOrEqual(document.text.length);
      at = end;
    }
  });

  it('reads a path as it reads bytes', async () => {
    const path = join(tempFolder(), 'harbour.md');
    writeFileSync(path, text);
    const reader = opened();
    const bytes = await reader.read({ bytes: Buffer.from(text), uri: 'harbour.md' });
    expect(await reader.read({ path, uri: 'harbour.md' })).toEqual(bytes);
  });

  it('refuses with a code, and reads the next one', async () => {
    const reader = opened();
    const refused: [Parameters<Reader['read']>[0], string][] = [
      [{ bytes: new Uint8Array(0), uri: 'empty.md' }, 'FILE_EMPTY'],
      [{ path: join(tempFolder(), 'nowhere.md'), uri: 'nowhere.md' }, 'FILE_UNREADABLE'],
      [{ bytes: Buffer.from('%PDF-1.7 and no more'), uri: 'cut.pdf' }, 'FILE_DAMAGED'],
    ];
    for (const [source, code] of refused) await expect(reader.read(source), code).rejects.toMatchObject({ code });
    expect((await reader.read({ bytes: Buffer.from(text), uri: 'a.md' })).text).toBe(text);
  });

  it('ends when the caller leaves', async () => {
    const reason = new Error('the caller has left');
    const read = opened().read({ bytes: Buffer.from(text), uri: 'a.md' }, { signal: AbortSignal.abort(reason) });
    await expect(read).rejects.toBe(reason);
  });
});
