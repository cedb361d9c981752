import { readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { IbidError } from '../core/errors.ts';
import { uriOf, within } from '../ingest/folder-source.ts';
import { isIndexFolder } from '../store/index.ts';

/** What stands in the folder of an index, by its own parts and by the command line. */
const ours: ReadonlySet<string> = new Set([
  ...['lance', 'locks', 'checksums', 'copies', 'parts', 'runs', 'shards', 'tune.svg'],
  ...['shards.json', 'settings.json', 'gate.json', 'tokens.json', 'spent.json', 'conversation.jsonl'],
]);

/**
 * Refuses a folder inside an index, where no other index belongs; a shard is one.
 * @throws IbidError INVALID_ARGUMENT with the folder of the index
 */
export function checkOutside(directory: string): void {
  if (isIndexFolder(directory)) return;
  for (let folder = dirname(directory); ; folder = dirname(folder)) {
    const [first = ''] = relative(folder, directory).split(sep);
    if (ours.has(first) && isIndexFolder(folder))
      throw new IbidError('INVALID_ARGUMENT', `${directory} is inside the index ${folder}`, {
        hint: `Give the folder of the index: ${folder}.`,
      });
    if (dirname(folder) === folder) return;
  }
}

/**
 * Refuses to make an index among the documents that it is made of: no ingest would read what is in its folder, and one
 * of the folder itself would read the index's files. Refuses a path inside the index for the same reason.
 * @param paths absolute paths to ingest
 * @throws IbidError INVALID_ARGUMENT
 */
export function checkApart(directory: string, paths: readonly string[]): void {
  if (isIndexFolder(directory)) {
    const inside = paths.find((path) => path !== directory && within(uriOf(directory, path), ''));
    if (inside === undefined) return;
    throw new IbidError('INVALID_ARGUMENT', `${inside} is inside the index ${directory}`, {
      hint: 'Name the folders of the documents.',
    });
  }
  if (!paths.some((path) => within(uriOf(path, directory), ''))) return;
  const other = entriesOf(directory).find((name) => !ours.has(name) && !name.startsWith('.') && name !== 'lost+found');
  if (other === undefined) return;
  throw new IbidError('INVALID_ARGUMENT', `${directory} has documents in it, like ${other}, and is no index`, {
    hint: `An index needs a folder of its own, like ${join(directory, '.ibid')}.`,
  });
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // not there yet, or the first write says why
  }
}
