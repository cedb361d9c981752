import { join } from 'node:path';
import { expect, it } from 'vitest';
import { IbidError, type SearchIndex, watchFolders } from '../../../src/index.ts';
import { tempFolder } from '../../support/temp.ts';

it('a run that fails with the same, beside the name of a new file, is the same failure again', async () => {
  const folder = tempFolder({ 'docs/a.md': 'The ferry leaves at seven.\n' });
  let runs = 0;
  const index = {
    address: join(folder, '.ibid'),
    // a database names the file that it could not write
    async *ingest() {
      runs++;
      yield await Promise.reject(new IbidError('STORE_FAILED', `cannot write data/.tmp${runs}aBc: no room`));
    },
  } as unknown as SearchIndex; // what a watch needs of an index
  const again: boolean[] = [];
  for await (const event of watchFolders(index, join(folder, 'docs'))) {
    if (event.type === 'failed') again.push(event.again);
    if (again.length === 2) break;
  }
  expect(again).toEqual([false, true]);
}, 20_000);
