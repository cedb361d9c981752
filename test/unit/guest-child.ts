// Uses the library as a host would, and prints what it changed in this process.
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import v8 from 'node:v8';
import vm from 'node:vm';

const folder = process.argv[2]!;
const changes: string[] = [];
v8.setFlagsFromString = (flags) => void changes.push(`V8 flag ${flags}`);
const { runInNewContext } = vm;
vm.runInNewContext = (code, ...rest) => {
  changes.push(`vm ${code}`);
  return runInNewContext(code, ...rest) as unknown;
};
syncBuiltinESMExports();
const before = { ...process.env };
const args = process.execArgv.join(' ');

const { openIndex } = await import('../../src/index.ts');
await using index = await openIndex(join(folder, '.ibid'), { create: true, base: folder });
for await (const _ of index.ingest([join(folder, 'docs')]));
const { hits } = await index.search('which pump stands beside the rope');
await index.ask('Which pump stands beside the rope?', { mode: 'extractive' });
for await (const _ of index.ingest([join(folder, 'docs')], { rebuild: true }));

for (const name of new Set([...Object.keys(before), ...Object.keys(process.env)])) {
  if (before[name] !== process.env[name]) changes.push(`environment ${name}`);
}
if (process.execArgv.join(' ') !== args) changes.push('execArgv');
if ('gc' in globalThis) changes.push('gc');
console.log(JSON.stringify({ hits: hits.length, changes }));
