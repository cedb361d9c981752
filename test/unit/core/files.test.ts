import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeWhole } from '../../../src/core/files.ts';
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
