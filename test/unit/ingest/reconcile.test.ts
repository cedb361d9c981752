import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../src/ingest/content-hash.ts';
import type { SourceItem } from '../../../src/ingest/contract.ts';
import { ListedItems } from '../../../src/ingest/items.ts';
import { type Plan, reconcile as planOf, type ReconcileOptions, skippedHash } from '../../../src/ingest/reconcile.ts';
import type { ManifestEntry } from '../../../src/store/contract.ts';
import { ManifestMap } from '../../../src/store/manifest-map.ts';

const item = (uri: string, content: string, mtimeMs = 1): SourceItem & { hashed: number } => ({
  uri,
  sizeBytes: content.length,
  mtimeMs,
  hashed: 0,
  async hash() {
    this.hashed++;
    return sha256(content);
  },
  load: () => Promise.reject(new Error('reconciling reads nothing')),
});
const entry = (uri: string, content: string, mtimeMs = 1): ManifestEntry => ({
  uri,
  sizeBytes: content.length,
  mtimeMs,
  contentHash: sha256(content),
  chunks: 1,
});
const manifest = (...entries: ManifestEntry[]): ManifestMap => new ManifestMap(entries);
const uris = (list: readonly { uri: string }[]): string[] => list.map(({ uri }) => uri);
const everything = (): boolean => true;

type Listed = Omit<Plan, 'added' | 'updated' | 'touched'> & Record<'added' | 'updated' | 'touched', SourceItem[]>;

/** A plan with the items in place of their numbers. */
async function reconcile(
  items: readonly SourceItem[],
  known: ManifestMap,
  covers: (uri: string) => boolean,
  options?: ReconcileOptions,
): Promise<Listed> {
  const plan = await planOf(new ListedItems([...items]), known, covers, options);
  const of = (numbers: Uint32Array): SourceItem[] => Array.from(numbers, (number) => items[number]!);
  return { ...plan, added: of(plan.added), updated: of(plan.updated), touched: of(plan.touched) };
}

describe('reconcile', () => {
  it('trusts size and time, and hashes nothing then', async () => {
    const a = item('a', 'alpha');
    const plan = await reconcile([a], manifest(entry('a', 'alpha')), everything);
    expect(plan).toMatchObject({ unchanged: 1, added: [], updated: [], removed: [], renamed: [], touched: [] });
    expect(a.hashed).toBe(0);
  });

  it('finds a moved folder whose files all have one size without a comparison of each with each', async () => {
    const contents = Array.from({ length: 20_000 }, (_, i) => String(i).padStart(9, '0'));
    const known = manifest(...contents.map((content) => entry(`old/${content}.md`, content)));
    const items = contents.map((content) => item(`new/${content}.md`, content));
    const startedAt = performance.now();
    const { renamed } = await reconcile(items.toReversed(), known, everything);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(renamed).toHaveLength(contents.length);
    for (const { from, item } of renamed) expect(from).toBe(item.uri.replace('new', 'old'));
  });

  it('takes copies of one content for moved files one by one, each once', async () => {
    const known = manifest(entry('a.md', 'same'), entry('b.md', 'same'), entry('c.txt', 'same'));
    const plan = await reconcile([item('x.md', 'same'), item('y.txt', 'same')], known, everything);
    expect(plan.renamed.map(({ from, item }) => [from, item.uri])).toEqual([
      ['a.md', 'x.md'],
      ['c.txt', 'y.txt'],
    ]);
    expect(uris(plan.removed)).toEqual(['b.md']);
  });

  it('asks the hash when only the time differs', async () => {
    const same = item('same', 'alpha', 2);
    const edited = item('edited', 'delta', 2);
    const plan = await reconcile(
      [same, edited],
      manifest(entry('same', 'alpha'), entry('edited', 'alpha')),
      everything,
    );
    expect(uris(plan.touched)).toEqual(['same']);
    expect(uris(plan.updated)).toEqual(['edited']);
    expect(plan.unchanged).toBe(1);
  });

  it('finds an edit that kept size and time only when told to verify', async () => {
    const items = [item('a', 'delta')];
    const known = manifest(entry('a', 'alpha'));
    expect(uris((await reconcile(items, known, everything)).updated)).toEqual([]);
    expect(uris((await reconcile(items, known, everything, { verify: true })).updated)).toEqual(['a']);
  });

  it('sees a rename as one, each missing file used once, and not across extensions', async () => {
    const known = manifest(entry('old.md', 'text'), entry('other.md', 'stay'), entry('note.txt', 'note'));
    const items = [item('new.md', 'text'), item('copy.md', 'text'), item('other.md', 'stay'), item('note.md', 'note')];
    const plan = await reconcile(items, known, everything);
    expect(plan.renamed.map(({ from, item: { uri } }) => [from, uri])).toEqual([['old.md', 'new.md']]);
    expect(uris(plan.added)).toEqual(['copy.md', 'note.md']);
    expect(uris(plan.removed)).toEqual(['note.txt']);
  });

  it('removes only inside the scope', async () => {
    const known = manifest(entry('in/a', 'a'), entry('in/b', 'b'), entry('in/c', 'c'), entry('out/d', 'd'));
    const plan = await reconcile([item('in/a', 'a'), item('in/b', 'b')], known, (uri) => uri.startsWith('in/'));
    expect(uris(plan.removed)).toEqual(['in/c']);
  });

  it('stops before removing more than half of the scope, and exactly half passes', async () => {
    const known = manifest(entry('a', 'a'), entry('b', 'b'), entry('c', 'c'), entry('d', 'd'), entry('e', 'e'));
    const kept = [item('a', 'a'), item('b', 'b')];
    await expect(reconcile(kept, known, everything)).rejects.toMatchObject({ code: 'DELETE_GUARD' });
    expect(uris((await reconcile(kept, known, everything, { force: true })).removed)).toEqual(['c', 'd', 'e']);
    known.delete('e');
    expect(uris((await reconcile(kept, known, everything)).removed)).toEqual(['c', 'd']);
  });

  it('does not count renamed documents as removed', async () => {
    const known = manifest(entry('a.md', 'alpha'), entry('b.md', 'bravo!'));
    const plan = await reconcile([item('x/a.md', 'alpha'), item('x/b.md', 'bravo!')], known, everything);
    expect(plan.renamed).toHaveLength(2);
    expect(plan.removed).toEqual([]);
  });

  it('looks at a skipped file again when it changes or when there are new formats, and at a scan when there is OCR', async () => {
    const skipped = (uri: string, code: string): ManifestEntry => ({
      ...entry(uri, 'x'),
      contentHash: skippedHash,
      chunks: 0,
      failure: { code, message: 'm' },
    });
    const known = manifest(
      skipped('same.iso', 'FILE_UNSUPPORTED'),
      skipped('grown.iso', 'FILE_UNSUPPORTED'),
      { ...skipped('older.iso', 'FILE_UNSUPPORTED'), contentHash: 'formats 1' },
      skipped('scan.pdf', 'FILE_SCANNED'),
      skipped('broken.docx', 'FILE_UNSUPPORTED'),
    );
    const items = ['same.iso', 'older.iso', 'scan.pdf', 'broken.docx'].map((uri) => item(uri, 'x'));
    const plan = await reconcile([...items, item('grown.iso', 'longer')], known, everything);
    expect(uris(plan.skipped)).toEqual(['same.iso']);
    expect(uris(plan.updated)).toEqual(['older.iso', 'scan.pdf', 'broken.docx', 'grown.iso']);
    const asked: boolean[] = [];
    const readsPictures = async (has: boolean): Promise<boolean> => {
      asked.push(has);
      return has;
    };
    const without = await reconcile(items, known, everything, { readsPictures: () => readsPictures(false) });
    expect(uris(without.skipped)).toEqual(['same.iso', 'scan.pdf']);
    const withOcr = await reconcile(items, known, everything, { readsPictures: () => readsPictures(true) });
    expect(uris(withOcr.updated)).toContain('scan.pdf');
    expect(asked).toEqual([false, true]);
    const verified = await reconcile([item('same.iso', 'x')], known, everything, { verify: true });
    expect(uris(verified.updated)).toEqual(['same.iso']);
  });

  it('tries a failed file again, and forgets a failure whose file is gone', async () => {
    const failed: ManifestEntry = { ...entry('bad', 'x'), chunks: 0, failure: { code: 'FILE_DAMAGED', message: 'm' } };
    expect(uris((await reconcile([item('bad', 'x')], manifest(failed), everything)).updated)).toEqual(['bad']);
    expect(uris((await reconcile([], manifest(failed), everything)).removed)).toEqual(['bad']);
  });
});
