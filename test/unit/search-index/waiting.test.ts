import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type IngestEvent, type IngestSummary, openIndex } from '../../../src/index.ts';
import { tempFolder } from '../../support/temp.ts';
import { standInTesseract, table } from '../../support/tesseract.ts';
import { scannedPdf } from '../read/formats-make.ts';

describe('scans without an OCR program', () => {
  test('wait, are not failed, cost later runs nothing, and are read once the program is there', {
    timeout: 60_000,
  }, async () => {
    const programs = tempFolder();
    const folder = tempFolder({
      'notes.md': 'The pump is serviced in May.',
      'scan.pdf': scannedPdf([undefined]),
      'mixed.pdf': scannedPdf(['Typed on the first page', undefined]),
    });
    const run = async (): Promise<{ events: IngestEvent[]; summary: IngestSummary }> => {
      await using index = await openIndex(join(folder, '.ibid'), {
        create: true,
        base: folder,
        reader: { ocr: { program: join(programs, 'tesseract') } },
      });
      const events: IngestEvent[] = [];
      for await (const event of index.ingest([folder])) events.push(event);
      const status = await index.status();
      const done = events.at(-1);
      if (done?.type !== 'done') throw new Error('no summary');
      expect(status.failed).toEqual([]);
      expect(status.skipped.map(({ uri }) => uri)).toEqual(done.summary.skipped.map(({ uri }) => uri));
      return { events, summary: done.summary };
    };
    const first = await run();
    expect(first.summary).toMatchObject({ added: 2, failed: [], skipped: [{ uri: 'scan.pdf', code: 'FILE_SCANNED' }] });
    expect(first.events.filter(({ type }) => type === 'skipped')).toMatchObject([{ uri: 'scan.pdf' }]);
    const second = await run();
    expect(second.summary).toMatchObject({ added: 0, updated: 0, unchanged: 2, skipped: [{ uri: 'scan.pdf' }] });
    expect(second.events.find(({ type }) => type === 'planned')).toMatchObject({ read: 0 });

    standInTesseract(programs, [table([['Read from the picture of an old lease']])]);
    expect((await run()).summary).toMatchObject({ added: 1, updated: 1, unchanged: 1, failed: [], skipped: [] });
    expect((await run()).summary).toMatchObject({ added: 0, updated: 0, unchanged: 3, skipped: [] });

    await using index = await openIndex(join(folder, '.ibid'), { reader: { ocr: false } });
    const { hits } = await index.search('old lease', { where: { 'metadata.ocr': true } });
    expect(new Set(hits.map(({ chunk }) => chunk.uri))).toEqual(new Set(['scan.pdf', 'mixed.pdf']));
    const passage = await index.show('scan.pdf#0-20');
    expect(passage.place).toMatchObject({ page: 1, ocr: { confidence: 0.965 } });
    expect(passage.source).toBe('same');
    const { citations } = await index.ask('What was read from the picture of the old lease?', { mode: 'extractive' });
    const cited = citations.find(({ uri }) => uri === 'scan.pdf' || uri === 'mixed.pdf');
    expect(cited?.place.ocr).toMatchObject({ confidence: 0.965, region: [0.1, 0.05, 0.88, 0.06] });
  });
});
