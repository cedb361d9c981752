// Peak memory of an ingest against the number of documents, and its slope in bytes a document. The documents are short,
// of one chunk each, so that what grows with their number shows; each size is a process of its own.
//
//   node bench/speed/memory.ts [--documents=25000,100000,200000] [--from=given,folder] [--shards=1,4]
//                              [--against=FOLDER] [--save=memory]
//
// `given` are documents of a generator (`index.add`), `folder` are files. `--against` measures another checkout with
// this program too, in turn.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { GivenDocument } from '../../src/index.ts';
import { mean } from '../../src/internal.ts';
import { readFlags } from '../support/flags.ts';
import { writeResults } from '../support/report.ts';
import { syntheticDocument } from '../support/synthetic.ts';

const MIB = 2 ** 20;
const WORDS = 40;
const POOL = 2000;

const { values } = readFlags(import.meta.filename, {
  options: {
    documents: { type: 'string', default: '25000,100000,200000' },
    from: { type: 'string', default: 'given,folder' },
    shards: { type: 'string', default: '1,4' },
    against: { type: 'string' },
    save: { type: 'string' },
    child: { type: 'string' },
  },
});

const own = join(import.meta.dirname, '../..');

interface Case {
  readonly root: string;
  readonly from: string;
  readonly shards: number;
  readonly documents: number;
  readonly home: string;
}

interface Memory {
  readonly rssMiB: number;
  readonly heapMiB: number;
  readonly buffersMiB: number;
}

interface Measured {
  readonly peakMiB: number;
  readonly chunks: number;
  /** When all documents are known and none is read, when all are stored, and at the end. */
  readonly planned: Memory;
  readonly stored: Memory;
  readonly done: Memory;
}

function* made(documents: number): Generator<GivenDocument> {
  const pool = Array.from({ length: POOL }, (_, d) => {
    const { title, paragraphs } = syntheticDocument(d, 1);
    return { title, words: paragraphs[0]!.split(' ').slice(0, WORDS).join(' ') };
  });
  for (let d = 0; d < documents; d++) {
    const { title, words } = pool[d % POOL]!;
    yield { uri: `part-${d % 97}/document-${d}.md`, title, text: `${words} ${d}.` };
  }
}

function writeFiles(home: string, documents: number): void {
  for (const { uri, title, text } of made(documents)) {
    const path = join(home, 'docs', uri);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, `# ${title}\n\n${text}`);
  }
}

function memory(): Memory {
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  const [rssMiB, heapMiB, buffersMiB] = [rss, heapUsed, arrayBuffers].map((bytes) => Math.round(bytes / MIB));
  return { rssMiB: rssMiB!, heapMiB: heapMiB!, buffersMiB: buffersMiB! };
}

async function ingestChild({ root, from, shards, documents, home }: Case): Promise<void> {
  const { openIndex } = (await import(
    pathToFileURL(join(root, 'src/index.ts')).href
  )) as typeof import('../../src/index.ts');
  const options = { create: true, base: join(home, 'docs'), ...(shards > 1 ? { shards } : {}) };
  await using index = await openIndex(join(home, 'index'), options);
  const at: Record<string, Memory> = {};
  let chunks = 0;
  for await (const event of from === 'given' ? index.add(made(documents)) : index.ingest([join(home, 'docs')])) {
    if (event.type === 'planned') at.planned = memory();
    if (event.type === 'finishing') at.stored = memory();
    if (event.type === 'done') {
      at.done = memory();
      ({ chunks } = event.summary);
    }
  }
  console.log(JSON.stringify({ peakMiB: Math.round(process.resourceUsage().maxRSS / 1024), chunks, ...at }));
}

function measure(root: string, from: string, shards: number, documents: number): Measured {
  const home = mkdtempSync(join(tmpdir(), 'ibid-memory-'));
  try {
    mkdirSync(join(home, 'docs'));
    if (from === 'folder') writeFiles(home, documents);
    const one: Case = { root, from, shards, documents, home };
    const said = execFileSync(process.execPath, [import.meta.filename, `--child=${JSON.stringify(one)}`], {
      encoding: 'utf8',
    });
    return JSON.parse(said) as Measured; // our own child
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Least squares, in bytes a document. */
function slopeOf(points: readonly { readonly documents: number; readonly peakMiB: number }[]): number {
  const [x, y] = [mean(points.map(({ documents }) => documents)), mean(points.map(({ peakMiB }) => peakMiB))];
  const across = points.reduce((sum, { documents, peakMiB }) => sum + (documents - x) * (peakMiB - y), 0);
  const along = points.reduce((sum, { documents }) => sum + (documents - x) ** 2, 0);
  return Math.round((across / along) * MIB);
}

function measureAll(): void {
  const list = (text: string): string[] => text.split(',');
  const roots = { now: own, ...(values.against === undefined ? {} : { before: values.against }) };
  const results: unknown[] = [];
  for (const from of list(values.from))
    for (const shards of list(values.shards).map(Number)) {
      const rows = Object.fromEntries(
        Object.keys(roots).map((name) => [name, [] as (Measured & { documents: number })[]]),
      );
      for (const documents of list(values.documents).map(Number))
        for (const [name, root] of Object.entries(roots)) {
          const measured = { documents, ...measure(root, from, shards, documents) };
          console.log(from, shards, name, JSON.stringify(measured));
          rows[name]!.push(measured);
        }
      const slopes = Object.fromEntries(Object.entries(rows).map(([name, points]) => [name, slopeOf(points)]));
      console.log(from, shards, 'bytes a document', JSON.stringify(slopes));
      results.push({ from, shards, bytesADocument: slopes, ...rows });
      const { documents, from: sources, shards: counts } = values;
      const command = `node bench/speed/memory.ts --documents=${documents} --from=${sources} --shards=${counts}`;
      const compared = values.against === undefined ? '' : ' --against=FOLDER';
      if (values.save !== undefined) writeResults(values.save, command + compared, results);
    }
}

if (values.child !== undefined) await ingestChild(JSON.parse(values.child) as Case);
else measureAll();
