import fs, { renameSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { openIndex } from '../../../src/index.ts';
import { type DeviceOf, disksOf, missingDisk } from '../../../src/search-index/disks.ts';
import { fakeEmbedder } from '../../../src/testing.ts';
import { tempFolder } from '../../support/temp.ts';

/** Lets a folder stand on a disk of its own. */
function mount(folder: string): Disposable {
  const { statSync } = fs;
  const spy = vi.spyOn(fs, 'statSync').mockImplementation(((path: string, ...options: []) => {
    const stat = statSync(path, ...options);
    return `${path}/`.startsWith(`${folder}/`) ? Object.assign(stat, { dev: stat.dev + 1 }) : stat;
  }) as typeof statSync);
  syncBuiltinESMExports();
  return {
    [Symbol.dispose]: () => {
      spy.mockRestore();
      syncBuiltinESMExports();
    },
  };
}

/** A machine with these mounts, and all folders anybody asks for. */
const machine =
  (...mounts: string[]): DeviceOf =>
  (path) =>
    Math.max(0, ...mounts.map((mount, i) => (`${path}/`.startsWith(`${mount}/`) ? i + 1 : 0)));

describe('the disks of the folders of an index', () => {
  const home = '/home/ann';

  it('are the mounts above the folders, but for that of the index and that of the system', () => {
    const device = machine('/home', '/media/usb', '/media/usb/inner');
    const paths = ['/home/ann/docs', '/media/usb/docs', '/media/usb/mail', '/media/usb/inner', '/srv/docs'];
    expect(disksOf(home, paths, device)).toEqual(['../../media/usb', '../../media/usb/inner']);
    expect(disksOf('/media/usb', ['/media/usb/docs', '/home/ann/docs'], device)).toEqual(['../../home']);
  });

  it('are away, where the mount point is gone or an empty folder of the disk above', () => {
    const disks = ['../../media/usb'];
    const missing = (uri: string, device: DeviceOf) => missingDisk(home, disks, uri, { device, isEmpty: () => true });
    const empty = machine();
    const gone: DeviceOf = (path) => (path.startsWith('/media/usb') ? undefined : 0);
    for (const device of [empty, gone]) {
      expect(missing('../../media/usb/docs', device)).toBe('../../media/usb');
      expect(missing('../../media/usb2/docs', device)).toBeUndefined();
      expect(missing('docs', device)).toBeUndefined();
    }
    expect(missing('../../media/usb/docs', machine('/media/usb'))).toBeUndefined();
    const full = { device: empty, isEmpty: () => false };
    expect(missingDisk(home, disks, '../../media/usb/docs', full)).toBeUndefined();
  });
});

describe('a backup that is ingested', () => {
  const docs = { 'docs/a.md': 'The anchor holds.', 'docs/b.md': 'The buoy floats.' };

  it.each([false, true])('is a copy while the disk of the original is away: rebuild %s', async (rebuild) => {
    const folder = tempFolder(docs);
    await using index = await openIndex(join(folder, '.ibid'), { create: true, embedder: fakeEmbedder(16) });
    using _disk = mount(join(folder, 'docs'));
    await index.ingest(join(folder, 'docs'));
    renameSync(join(folder, 'docs'), join(folder, 'backup'));
    const uris = async () => (await Array.fromAsync(index.documents(), ({ uri }) => uri)).sort();
    const summary = await index.ingest(join(folder, 'backup'), { rebuild });
    expect(summary).toMatchObject({ documents: 4, moved: [{ from: 'docs', documents: 2, found: 2, disk: 'docs' }] });
    expect(await uris()).toEqual(['backup/a.md', 'backup/b.md', 'docs/a.md', 'docs/b.md']);
    renameSync(join(folder, 'backup'), join(folder, 'docs'));
    expect(await index.ingest(join(folder, 'docs'))).toMatchObject({ unchanged: 2, added: 0 });
  });
});

describe('a mount point without its disk', () => {
  it.each([false, true])('removes nothing, and is told: rebuild %s', async (rebuild) => {
    const files = {
      'docs/a.md': 'The anchor.',
      'docs/b.md': 'The buoy.',
      'docs/c.md': 'The crane.',
      'nas/d.md': 'The dock.',
    };
    const folder = tempFolder(files);
    const paths = [join(folder, 'docs'), join(folder, 'nas')];
    await using index = await openIndex(join(folder, '.ibid'), { create: true, embedder: fakeEmbedder(16) });
    {
      using _disk = mount(join(folder, 'nas'));
      await index.ingest(paths);
    }
    rmSync(join(folder, 'nas/d.md')); // the folder stays, empty
    const failed = [{ uri: 'nas', code: 'FILE_UNREADABLE' }];
    const finding = (await index.check()).find(({ check }) => check === 'files');
    expect(finding?.detail).toBe('none has changed, not there: nas (1 document)');
    for (const _ of [1, 2])
      expect(await index.ingest(paths, { rebuild })).toMatchObject({ removed: 0, documents: 4, failed });
    expect(await Array.fromAsync(index.documents(), ({ uri }) => uri)).toContain('nas/d.md');
  });

  it('is a folder like any other, where files are in it', async () => {
    const folder = tempFolder({ 'docs/a.md': 'The anchor.', 'docs/b.md': 'The buoy.', 'docs/c.md': 'The crane.' });
    await using index = await openIndex(join(folder, '.ibid'), { create: true, embedder: fakeEmbedder(16) });
    {
      using _disk = mount(join(folder, 'docs'));
      await index.ingest(join(folder, 'docs'));
    }
    rmSync(join(folder, 'docs/b.md'));
    expect(await index.ingest(join(folder, 'docs'))).toMatchObject({ removed: 1, documents: 2, failed: [] });
  });
});
