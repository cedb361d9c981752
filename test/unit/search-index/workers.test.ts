import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@lancedb/lancedb';
import { tableToIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { syntheticDocument } from '../../../bench/support/synthetic.ts';
import { openIndex } from '../../../src/index.ts';
import type { IngestSummary } from '../../../src/ingest/contract.ts';

const home = mkdtempSync(join(tmpdir(), 'ibid-workers-'));
/** Bytes that make no text, so that a small corpus is worth threads. */
const style = `<style>${'p { margin: 0 }\n'.repeat(12_000)}</style>`;

function write(folder: string, from: number, to: number): void {
  for (let d = from; d < to; d++) {
    const { title, paragraphs } = syntheticDocument(d, 4);
    const html = `<html><head><title>${title}</title>${style}</head><body>${paragraphs.map((p) => `<p>${p}</p>`).join('')}</body></html>`;
    writeFileSync(join(folder, `page-${d}.html`), html);
    writeFileSync(
      join(folder, `note-${d}.md`),
      d % 3 === 0 ? paragraphs.join('\n\n') : `# ${title}\n\n${paragraphs[0]}`,
    );
  }
}

beforeAll(() => {
  for (const part of ['first', 'second']) mkdirSync(join(home, 'docs', part), { recursive: true });
  write(join(home, 'docs/first'), 0, 24);
  write(join(home, 'docs/second'), 24, 50);
  writeFileSync(join(home, 'docs/second/empty.md'), '');
  writeFileSync(join(home, 'docs/second/noise.txt'), Buffer.from([0, 1, 2, 3, 0, 255, 254]));
  writeFileSync(join(home, 'docs/second/large.txt'), 'A line of a long text.\n'.repeat(12_000));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** The content of every table that a reader sees, in the order of its rows. */
async function tablesOf(address: string): Promise<Record<string, string>> {
  const database = await connect(join(address, 'lance'));
  const found: Record<string, string> = {};
  for (const name of await database.tableNames()) {
    if (!/^(chunks|lexical|documents|blobs)_/.test(name)) continue;
    const table = await database.openTable(name);
    const rows = await table.query().toArrow();
    found[name] = Buffer.from(tableToIPC(rows)).toString('base64');
    table.close();
  }
  database.close();
  return found;
}

/** Two runs: in the second the embedder is trained, so documents are embedded while others are read. */
async function ingested(workers: number): Promise<{ tables: Record<string, string>; summaries: IngestSummary[] }> {
  const address = join(home, `index-${workers}`);
  const summaries: IngestSummary[] = [];
  for (const paths of [[join(home, 'docs/first')], [join(home, 'docs')]]) {
    await using index = await openIndex(address, { create: true, base: home });
    const commit = { chunks: 60, ageMs: Number.POSITIVE_INFINITY };
    summaries.push(await index.ingest(paths, { workers, commit }));
  }
  return { tables: await tablesOf(address), summaries };
}

describe('an index', () => {
  it('is the same to the byte with 1, 2 and 3 workers', async () => {
    const one = await ingested(1);
    expect(Object.keys(one.tables)).toHaveLength(4);
    expect(one.summaries[1]!.chunks).toBeGreaterThan(250);
    expect(one.summaries[1]!.skipped.map(({ uri }) => uri)).toEqual(['docs/second/empty.md', 'docs/second/noise.txt']);
    for (const workers of [2, 3]) {
      const many = await ingested(workers);
      expect({ ...many.summaries[1], elapsedMs: 0 }).toEqual({ ...one.summaries[1], elapsedMs: 0 });
      for (const [name, rows] of Object.entries(one.tables)) {
        expect(many.tables[name] === rows, `${name} with ${workers} workers`).toBe(true);
      }
    }
  }, 300_000);

  it.each([0, 1.5, 9, Number.NaN])('is not made with %d workers', async (workers) => {
    await using index = await openIndex(join(home, 'none'), { create: true, base: home });
    await expect(index.ingest([join(home, 'docs')], { workers })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});
