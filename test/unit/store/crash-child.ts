// node crash-child.ts <directory> <epoch>: brings the index to the state of the epoch, as an ingest would. Killed by
// its parent.
import { openWriter } from '../../../src/store/index.ts';
import { contentHash, desired, fingerprint, recordOf } from './crash-plan.ts';

const [directory, epoch] = process.argv.slice(2) as [string, string];
const wanted = desired(Number(epoch));
process.stdout.write('ready\n');
const writer = await openWriter(directory, { fingerprint, waitMs: 5000, copies: { from: 1 } });
const manifest = await writer.current.manifest();
const renames: { from: string; to: string }[] = [];
const stale: string[] = [];
const free = new Map(
  [...manifest.values()].filter(({ uri }) => !wanted.has(uri)).map((entry) => [entry.contentHash, entry.uri]),
);
for (const [uri, { document, version }] of wanted) {
  const hash = contentHash(document, version);
  if (manifest.get(uri)?.contentHash === hash) continue;
  const from = free.get(hash);
  if (manifest.has(uri) || from === undefined) stale.push(uri);
  else renames.push({ from, to: uri });
}
await writer.current.renameDocuments(renames);
await writer.current.removeDocuments([...manifest.keys()].filter((uri) => !wanted.has(uri)));
for (let at = 0; at < stale.length; at += 3) {
  await writer.current.replaceDocuments(
    stale.slice(at, at + 3).map((uri) => recordOf(uri, wanted.get(uri)!.document, wanted.get(uri)!.version)),
  );
}
await writer.finish();
await writer.close();
