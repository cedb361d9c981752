import { expect, it } from 'vitest';
import { databaseFailed, unwritable } from '../../../src/store/failure.ts';

// as the database says it on a disk of one megabyte
it.each([
  'lance error: LanceError(IO): No space left on device (os error 28), /home/u/lance/src/x.rs:1:2',
  'lance error: LanceError(IO): Generic LocalFileSystem error: Unable to copy data to file: No space left on device (os error 28)',
])('a full disk is told in plain words, with the way on: %s', (words) => {
  expect(databaseFailed('cannot write the inverted index', new Error(words))).toMatchObject({
    code: 'STORE_FAILED',
    message: 'the database cannot write the inverted index: the disk is full',
    hint: expect.stringMatching(/Free space .* what was committed stays/),
  });
});

it('a file that may not be written is told without its name, which is another one each time', () => {
  const path = '/data/.ibid/lance/chunks_2.lance/data/.tmpsEiovY';
  const cause = new Error(`lance error: LanceError(IO): Permission denied (os error 13) at path "${path}"`);
  const { message, hint } = databaseFailed('cannot write chunks', cause);
  expect(message).not.toContain('.tmp');
  expect(message).toContain('no access');
  expect(hint).toContain('right to read and write');
});

it('a file system that is read-only is told, and other words of the database are kept', () => {
  const failed = (words: string) => databaseFailed('cannot write meta', new Error(words));
  expect(failed('LanceError(IO): Read-only file system (os error 30)').message).toMatch(
    /: the file system is read-only$/,
  );
  expect(failed('something else, /src/a.rs')).toMatchObject({
    message: 'the database cannot write meta: something else',
    hint: undefined,
  });
});

it.each([
  ['EROFS', 'the file system is read-only', /^Searching needs no write permission/],
  ['EACCES', 'this user may not write there', /^Searching needs no write permission/],
  ['ENOSPC', 'the disk is full', /^Free space/],
  ['EIO', 'EIO', /./], // the system has no plainer word
])('a folder that takes nothing says why: %s', (code, words, hint) => {
  const error = unwritable('/data/.ibid', Object.assign(new Error(`${code}: mkdir`), { code }));
  expect(error.message).toBe(`cannot write to the index folder /data/.ibid: ${words}`);
  expect(error.hint).toMatch(hint);
});
