import { execFileSync } from 'node:child_process';
import fs, { chmodSync, existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { walk } from '../../../src/ingest/walk.ts';
import { tempFolder, writeFiles } from '../../support/temp.ts';

/** Names and patterns that some matcher has once read otherwise than git. */
const someNames = ['a', 'b', 'A', 'lib', 'Lib', 'x.md', 'y.txt', 'a b', '[z]', '#q', '!n', 'ab'].concat(
  process.platform === 'win32' ? [] : ['\\w', 'v\\u'],
);
const somePatterns = ['a', 'b', '/a', 'a/', 'lib/', '/lib', '*.md', '!x.md', '!a', '!a/', 'a/*', '!a/b', '**/b'].concat(
  ['a/**', 'a/**/b', '*', '!*/', '!*.md', '[ab]', '[!a]', '\\#q', '\\!n', 'a b', '\\[z\\]', '/lib/**', '!lib/', 'a?'],
  ['/*', '!/lib', '!/lib/', 'lib/a', '!lib/a', 'lib/*', '**/lib/a', '!\\[z\\]/', '!a b/', '!\\#q/', '!\\!n'],
);

const names = async (root: string, options = {}): Promise<string[]> =>
  (await walk(root, options)).files.map((file) => relative(root, file.path)).sort();

type Patterns = readonly [first: string, second: string];

/** Folders and files below `tree <number>`, with ignore files that git reads. @returns their two halves, by folder */
function plantTree(parent: string, number: number, some: fc.GeneratorValue): ReadonlyMap<string, Patterns> {
  const pick = <T>(list: readonly T[]): T => some(fc.constantFrom, ...list);
  const patterns = () => [pick(somePatterns), pick(somePatterns)].join('\n');
  const root = join(parent, `tree ${number}`);
  const folders = [''];
  for (let i = 0; i < 6; i++) folders.push(join(pick(folders), pick(someNames)));
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
  for (let i = 0; i < 14; i++) {
    const path = join(root, pick(folders), pick(someNames));
    if (!existsSync(path)) writeFileSync(path, 'x');
  }
  const ignored = new Map(Array.from({ length: 3 }, () => [pick(folders), [patterns(), patterns()] as const]));
  for (const [folder, two] of ignored) writeFileSync(join(root, folder, '.gitignore'), two.join('\n'));
  return ignored;
}

describe('walk', () => {
  it.each(['docs', 'docs/sub'])('cannot list a folder that goes while it is listed: %s', async (gone) => {
    const root = tempFolder({ 'docs/a.md': 'a', 'docs/sub/b.md': 'b', 'docs/sub/c.md': 'c' });
    const { lstatSync } = fs;
    const spy = vi.spyOn(fs, 'lstatSync').mockImplementation(((path: string, ...options: []) => {
      if (path.includes('b.md') && existsSync(path)) renameSync(join(root, gone), join(root, 'away'));
      return lstatSync(path, ...options);
    }) as typeof lstatSync);
    syncBuiltinESMExports();
    try {
      const { unreadable, files } = await walk(join(root, 'docs'));
      expect(unreadable.map((path) => relative(root, path))).toEqual(['docs/sub']);
      expect(files.map((file) => relative(root, file.path))).toEqual(['docs/a.md']);
    } finally {
      spy.mockRestore();
      syncBuiltinESMExports();
    }
  });

  it('lists what git would list: nested .gitignore files, negation, anchored and folder patterns', async () => {
    const root = tempFolder({
      '.gitignore': '*.log\n/only-here.txt\nbuild/\n!keep.log\ndocs/*.tmp\n**/cache/**\n',
      'a.txt': 'a',
      'b.log': 'b',
      'keep.log': 'k',
      'only-here.txt': 'x',
      'sub/only-here.txt': 'x',
      'sub/build/out.txt': 'x',
      'sub/.gitignore': '!b.log\nsecret.txt\n',
      'sub/b.log': 'b',
      'sub/secret.txt': 's',
      'sub/deeper/secret.txt': 's',
      'sub/deeper/build': 'a file named like the folder',
      'docs/a.tmp': 't',
      'docs/deep/a.tmp': 't',
      'x/cache/y/z.txt': 'z',
      'brackets [1]/c.txt': 'c',
    });
    execFileSync('git', ['init', '-q'], { cwd: root });
    const git = execFileSync('git', ['ls-files', '--others', '--exclude-standard', '-z'], {
      cwd: root,
      encoding: 'utf8',
    });
    const expected = git.split('\0').filter((name) => name && !name.split('/').some((part) => part.startsWith('.')));
    expect(await names(root)).toEqual(expected.sort());
    expect(expected).toContain('keep.log');
  });

  it('obeys the .gitignore above a scanned subfolder of a repository', async () => {
    const root = tempFolder({ '.gitignore': '*.log\n', 'sub/a.log': 'a', 'sub/a.txt': 'a', '.git/HEAD': 'x' });
    expect(await names(join(root, 'sub'))).toEqual(['a.txt']);
  });

  it('reads a named folder that files above it leave out, by their patterns for what is inside', async () => {
    const root = tempFolder({ '.gitignore': 'build/\n*.log\n/notes\n', '.git/HEAD': 'x' });
    writeFiles(root, { 'build/a.txt': 'a', 'build/b.log': 'b', 'build/notes/c.txt': 'c', 'build/build/d.txt': 'd' });
    expect(await names(root)).toEqual([]);
    expect(await names(join(root, 'build'))).toEqual(['a.txt']);
    const { leftOut } = await walk(join(root, 'build'));
    expect(leftOut).toEqual([{ reason: 'ignored', by: join(root, '.gitignore'), entries: 3 }]);
  });

  it('counts what is left out and why', async () => {
    const root = tempFolder({ '.env': 's', 'a.txt': 'a', 'yarn.lock': 'l', 'app.min.js': 'm', 'app.js.map': 'm' });
    writeFiles(root, { 'other/lance/meta.lance/x': 'i', 'other/notes.json': '{}', 'lance/a.txt': 'a' });
    symlinkSync('a.txt', join(root, 'link.txt'));
    const { files, leftOut } = await walk(root);
    expect(files.map(({ path }) => relative(root, path)).sort()).toEqual(['a.txt', 'lance/a.txt']);
    expect(leftOut).toEqual(
      expect.arrayContaining([
        { reason: 'machine-made', entries: 3 },
        { reason: 'hidden', entries: 1 },
        { reason: 'symbolic link', entries: 1 },
        { reason: 'an index', entries: 1 },
      ]),
    );
    expect(leftOut).toHaveLength(4);
    expect(await names(join(root, 'yarn.lock'))).toEqual(['']); // a file that is named is read
  });

  it('reads machine-made files that an ignore file takes back', async () => {
    const root = tempFolder({ '.ibidignore': '!yarn.lock\n', 'yarn.lock': 'l', 'go.sum': 's' });
    expect(await names(root)).toEqual(['yarn.lock']);
  });

  it('lets .ibidignore leave out what git keeps, and take back what git leaves out', async () => {
    const root = tempFolder({ '.gitignore': '*.pdf\n', '.ibidignore': '!report.pdf\ndrafts/\n' });
    writeFiles(root, { 'report.pdf': 'r', 'other.pdf': 'o', 'drafts/a.txt': 'a', 'final/a.txt': 'a' });
    expect(await names(root)).toEqual(['final/a.txt', 'report.pdf']);
  });

  it('obeys an ignore file in whatever encoding an editor has saved it', async () => {
    const utf16 = Buffer.from('\ufeffprivate/\r\nGehälter/\r\n', 'utf16le');
    const latin1 = Buffer.from('private/\nGehälter/\n', 'latin1');
    for (const patterns of [utf16, latin1]) {
      const root = tempFolder({ '.ibidignore': patterns, 'a.md': 'a', 'private/b.md': 'b', 'Gehälter/c.md': 'c' });
      expect(await names(root)).toEqual(['a.md']);
    }
  });

  it('takes back a whole folder, too', async () => {
    const root = tempFolder({ '.gitignore': 'build/\n*.tmp\n', '.ibidignore': '!build/\n', 'a.txt': 'a' });
    writeFiles(root, { 'build/b.md': 'b', 'build/deep/c.md': 'c', 'build/d.tmp': 'd', 'src/build/e.md': 'e' });
    expect(await names(root)).toEqual(['a.txt', 'build/b.md', 'build/deep/c.md', 'src/build/e.md']);
  });

  it('agrees with git about any tree, with both ignore files as one', async () => {
    // git is asked about several trees at once, in one repository: starting it costs more than all else here
    const repository = tempFolder();
    execFileSync('git', ['init', '-q', '--template=', repository]);
    const listed = (root: string): string[] => {
      const where = [`--git-dir=${join(repository, '.git')}`, `--work-tree=${root}`, '-c', 'core.excludesFile='];
      const args = [...where, 'ls-files', '--others', '--exclude-standard', '-z'];
      return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0');
    };
    const properties = fc.asyncProperty(fc.gen(), async (some) => {
      const root = tempFolder();
      const trees = Array.from({ length: 5 }, (_, i) => ({ name: `tree ${i}`, ignored: plantTree(root, i, some) }));
      const git = listed(root);
      for (const { name, ignored } of trees) {
        for (const [folder, [first, second]] of ignored) {
          writeFileSync(join(root, name, folder, '.gitignore'), first);
          writeFileSync(join(root, name, folder, '.ibidignore'), second);
        }
        const inside = git.filter((path) => path.startsWith(`${name}/`) && !path.endsWith('.gitignore'));
        const expected = inside.map((path) => path.slice(name.length + 1)).sort();
        expect(await names(join(root, name)), JSON.stringify([...ignored])).toEqual(expected);
      }
    });
    await fc.assert(properties, { numRuns: 6 });
  });

  it.skipIf(process.platform !== 'linux')(
    'a file that a folder lists and does not let anybody look at is told, and all others are read',
    async () => {
      const root = tempFolder({ 'a.txt': 'a' });
      // as long as a path may be, so that a name in it is one too many; root may look at all others
      const room = 4090 - root.length;
      const folder = root + '/xxxxxxxxx'.repeat(Math.floor(room / 10)) + 'x'.repeat(room % 10);
      mkdirSync(folder, { recursive: true });
      execFileSync('touch', ['b.txt', 'long-name.txt'], { cwd: folder });
      const result = await walk(root).finally(() => execFileSync('rm', ['long-name.txt'], { cwd: folder }));
      expect(result.unreadable).toEqual([folder]);
      expect(result.files.map(({ path }) => path)).toContain(join(root, 'a.txt'));
    },
  );

  it('leaves out hidden files unless asked, and never enters the index or node_modules', async () => {
    const root = tempFolder({ '.hidden.md': 'h', 'a.md': 'a', 'node_modules/p/r.md': 'r', '.ibid/x.txt': 'i' });
    writeFiles(root, { 'idx/x.txt': 'i' });
    expect(await names(root, { exclude: join(root, 'idx') })).toEqual(['a.md']);
    expect(await names(root, { exclude: join(root, 'idx'), hidden: true })).toEqual(['.hidden.md', 'a.md']);
  });

  it.skipIf(process.platform !== 'linux')('says how many names are not UTF-8', async () => {
    const root = tempFolder({ 'a.txt': 'a' });
    writeFileSync(Buffer.concat([Buffer.from(`${root}/gr`), Buffer.from([0xfc]), Buffer.from('n.txt')]), 'green');
    const { files, leftOut } = await walk(root);
    expect(files.map(({ path }) => relative(root, path))).toEqual(['a.txt']);
    expect(leftOut).toEqual([{ reason: 'with a name that is not UTF-8', entries: 1 }]);
    mkdirSync(Buffer.concat([Buffer.from(`${root}/stra`), Buffer.from([0xdf]), Buffer.from('e')]));
    expect(await walk(root)).toMatchObject({ unreadable: [], leftOut: [{ entries: 2 }] });
  });

  it.skipIf(process.platform === 'win32')('reads no ignore file that is a pipe: it would wait for ever', () => {
    const root = tempFolder({ 'a.txt': 'a' });
    execFileSync('mkfifo', ['.gitignore', '.ibidignore'], { cwd: root });
    // in a process of its own, which can be stopped: a thread that waits for a pipe cannot
    const script = `import { walk } from ${JSON.stringify(new URL('../../../src/ingest/walk.ts', import.meta.url).href)};
      console.log((await walk(process.argv[1])).files.length);`;
    const args = ['--input-type=module', '--no-warnings', '-e', script, root];
    const said = execFileSync(process.execPath, args, { encoding: 'utf8', timeout: 20_000, killSignal: 'SIGKILL' });
    expect(said.trim()).toBe('1');
  });

  it('does not follow symbolic links out of the folder', async () => {
    const outside = tempFolder({ 'secret.txt': 's' });
    const root = tempFolder({ 'a.txt': 'a' });
    symlinkSync(join(outside, 'secret.txt'), join(root, 'link.txt'));
    symlinkSync(outside, join(root, 'folder-link'));
    expect(await names(root)).toEqual(['a.txt']);
  });

  it('takes a single file, and refuses a path that is not there', async () => {
    const root = tempFolder({ 'a.txt': 'abc' });
    expect((await walk(join(root, 'a.txt'))).files).toMatchObject([{ path: join(root, 'a.txt'), sizeBytes: 3 }]);
    await expect(walk(join(root, 'nothing'))).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
  });

  it.skipIf(process.getuid?.() === 0)('names folders it may not list (skipped as root, who may list all)', async () => {
    const root = tempFolder({ 'shut/a.txt': 'a', 'b.txt': 'b' });
    chmodSync(join(root, 'shut'), 0);
    const result = await walk(root);
    chmodSync(join(root, 'shut'), 0o755);
    expect(result.unreadable).toEqual([join(root, 'shut')]);
    expect(result.files).toHaveLength(1);
  });
});
