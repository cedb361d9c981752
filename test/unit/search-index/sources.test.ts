import { readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inCommandWords } from '../../../src/cli/hints.ts';
import { type Finding, openIndex, type SearchIndex } from '../../../src/index.ts';
import { notes } from '../../support/sea-notes.ts';
import { tempFolder, writeFiles } from '../../support/temp.ts';
import { randomSource } from '../vector/random.ts';

const filesOf = async (index: SearchIndex): Promise<Finding | undefined> =>
  (await index.check()).find(({ check }) => check === 'files');

/** Changes some files in ways that an ingest tells apart. */
function change(docs: string, random: ReturnType<typeof randomSource>, step: number): void {
  const names = readdirSync(docs).filter((name) => name.endsWith('.md'));
  const any = (): string => join(docs, names.splice(random.integer(0, names.length - 1), 1)[0]!);
  const at = new Date(1_700_000_000_000 + step * 1000);
  const ways = [
    () => writeFileSync(any(), `# Changed\n\nThe ferry of step ${step} in ${random.integer(0, 1e6)}.`),
    () => rmSync(any()),
    () => renameSync(any(), join(docs, `moved-${step}-${random.integer(0, 1e6)}.md`)),
    () => utimesSync(any(), at, at),
    () => writeFileSync(join(docs, `new-${step}-${random.integer(0, 1e6)}.md`), `A new note of ${step}.`),
    () => writeFileSync(join(docs, '.hidden.md'), 'left out'),
  ];
  for (let n = random.integer(0, 4); n > 0; n--) ways[random.integer(0, ways.length - 1)]!();
}

describe('the files of an index, as check finds them', () => {
  it.each([
    { seed: 1, shards: undefined },
    { seed: 2, shards: 2 },
  ])('are those that the next ingest finds changed, gone, new and renamed (seed $seed)', async ({ seed, shards }) => {
    const base = tempFolder(notes(0, 30));
    const docs = join(base, 'docs');
    const random = randomSource(seed);
    await using index = await openIndex(join(base, '.ibid'), { create: true, base, shards });
    await index.ingest(docs);
    for (let step = 0; step < 8; step++) {
      if (step === 4) await index.ingest(docs, { rebuild: true, force: true }); // what is noted outlives a generation
      change(docs, random, step);
      const found = await filesOf(index);
      const { added, updated, removed, renamed } = await index.ingest(docs, { force: true });
      const counts = Object.entries({ changed: updated, gone: removed, new: added, renamed });
      const said = counts.flatMap(([how, count]) => (count > 0 ? [`${count} ${how}`] : []));
      const hint = said.length > 0 ? { hint: 'Ingest the same folders again.' } : {};
      expect(found).toEqual({ check: 'files', ok: true, detail: said.join(', ') || 'none has changed', ...hint });
    }
  });

  it('are looked for as they were read: hidden ones, without what was left out, and no file that was not named', async () => {
    const base = tempFolder({
      'docs/.a.md': 'A hidden note.',
      'docs/drafts/b.md': 'A draft.',
      'notes/c.md': 'A note that is read.',
      'notes/d.md': 'A note that is not.',
      'broken/e.pdf': 'no pdf',
    });
    const at = (...names: string[]): string[] => names.map((name) => join(base, name));
    await using index = await openIndex(join(base, '.ibid'), { create: true, base });
    await index.add([{ uri: 'note:1', text: 'A note of a program.' }]);
    const unknown = 'not compared, since no ingest of a folder has come to its end';
    expect((await filesOf(index))?.detail).toBe(unknown);
    await index.ingest(at('docs'), { hidden: true, leaveOut: ['drafts'] });
    await index.ingest(at('notes/c.md', 'broken'));
    expect((await filesOf(index))?.detail).toBe('none has changed');
    writeFiles(base, { 'docs/.z.md': 'Another hidden note.', 'notes/c.md': 'No longer the same note.' });
    expect((await filesOf(index))?.detail).toBe('1 changed, 1 new');
    rmSync(join(base, 'docs'), { recursive: true });
    const finding = await filesOf(index);
    expect(finding?.detail).toBe('1 changed, not there: docs (1 document)');
    expect(inCommandWords(finding!.hint!)).toContain('moved, or the index was, run `ibid ingest` over its folder');
  });
});
