import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { filesBelow, makeFolders, removeHalfWritten, writeWhole } from '../../../src/core/files.ts';
import { tempFolder } from '../../support/temp.ts';

it('writes a file in place of the old one, with its folder, and leaves nothing beside', () => {
  const folder = join(tempFolder(), 'a/b');
  const path = join(folder, 'file.json');
  writeWhole(path, 'one');
  writeWhole(path, 'two');
  expect(readFileSync(path, 'utf8')).toBe('two');
  expect(readdirSync(folder)).toEqual(['file.json']);
});

it('says that a file cannot be written, and leaves nothing beside', () => {
  const folder = tempFolder();
  mkdirSync(join(folder, 'taken'));
  expect(() => writeWhole(join(folder, 'taken'), 'x')).toThrow(expect.objectContaining({ code: 'FILE_UNREADABLE' }));
  expect(readdirSync(folder)).toEqual(['taken']);
});

it('removes what killed processes left half written, and nothing else', () => {
  const folder = tempFolder({ 'a.999999999.new': '', [`b.${process.pid}.new`]: '', 'c.new': '', 'd.json': '' });
  removeHalfWritten(folder);
  removeHalfWritten(join(folder, 'no such folder'));
  expect(readdirSync(folder)).toEqual([`b.${process.pid}.new`, 'c.new', 'd.json']);
});

it('lists files although folders are deleted meanwhile', async () => {
  const folder = tempFolder({ 'a/1': '', 'a/2': '', 'b/3': '', 'c/4': '' });
  const seen: string[] = [];
  for await (const path of filesBelow(folder)) {
    if (seen.length === 0) rmSync(join(folder, 'b'), { recursive: true });
    seen.push(path.slice(folder.length + 1));
  }
  expect(seen).toEqual(['a/1', 'a/2', 'c/4']);
  expect(await Array.fromAsync(filesBelow(join(folder, 'no such folder')))).toEqual([]);
});

it('makes a folder with those above it, and says which was the first', () => {
  const folder = tempFolder();
  expect(makeFolders(join(folder, 'a/b/c'))).toBe(join(folder, 'a'));
  expect(makeFolders(join(folder, 'a/b/d'))).toBe(join(folder, 'a/b/d'));
  expect(makeFolders(join(folder, 'a/b'))).toBeUndefined();
  writeFileSync(join(folder, 'file'), '');
  expect(() => makeFolders(join(folder, 'file'))).toThrow(expect.objectContaining({ code: 'EEXIST' }));
  expect(() => makeFolders(join(folder, 'file/a'))).toThrow(expect.objectContaining({ code: 'ENOTDIR' }));
});

it.skipIf(!existsSync('/proc/self'))('fails where a folder refuses one as if itself were not there', () => {
  expect(() => makeFolders('/proc/ibid/index')).toThrow(expect.objectContaining({ code: 'ENOENT' }));
});
