/**
 * A process that uses an index and must end by itself, or is killed at its work:
 *   life.ts close FOLDER    opens, ingests, asks, closes, says `closed`, and does nothing to end
 *   life.ts train           trains a model for some seconds, and says `added` when the trainer has everything
 *   life.ts parse FOLDER    ingests a file that its parser process reads for some seconds
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EmbedDocument } from '../../../src/index.ts';
import { openIndex } from '../../../src/index.ts';
import { trainLocalEmbedder } from '../../../src/internal.ts';
import { chanceOf } from '../chance.ts';
import { libraryOf, writeLibrary } from '../chaos/library.ts';

const [what, folder = ''] = process.argv.slice(2);

async function close(): Promise<void> {
  writeLibrary(folder, libraryOf(1));
  const index = await openIndex(join(folder, '.ibid'), { create: true });
  await index.ingest(join(folder, 'docs'));
  await index.search('turbine');
  await index.ask('What is at quaybb?');
  await index.close();
  process.send?.('closed');
  process.disconnect?.();
}

async function train(): Promise<void> {
  const chance = chanceOf(1);
  const word = (): string => `w${chance.below(400) * chance.below(400)}`;
  const text = (): string => Array.from({ length: 200 }, word).join(' ');
  async function* documents(): AsyncGenerator<EmbedDocument> {
    for (let i = 0; i < 300; i++) {
      yield { title: `Document ${i}`, chunks: Array.from({ length: 20 }, () => ({ text: text(), headings: [] })) };
    }
    process.send?.('added');
  }
  await trainLocalEmbedder(documents());
}

async function parse(): Promise<void> {
  const rows = Array.from({ length: 300_000 }, (_, i) => `<p>Row <b>${i}</b> of a long page.</p>`);
  writeFileSync(join(folder, 'docs', 'long.html'), rows.join('\n'));
  await using index = await openIndex(join(folder, '.ibid'), { create: true });
  await index.ingest(join(folder, 'docs'));
}

await { close, train, parse }[what as 'close' | 'train' | 'parse'](); // named by `soak.ts`
