// Makes the generated parts of the READMEs from bench/results and the error codes, and src/wire/README.md from the
// operation tables.
//
//   node bench/table.ts [--write]
//
// A part stands between `<!-- name -->` and `<!-- /name -->`, in one of `readmes`. Without `--write` the parts are
// printed.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodes } from '../src/index.ts';
import { referencePath, wireReference } from '../test/support/wire-readme.ts';
import { neighboursSection } from './ann/table.ts';
import { attackTable } from './figures/attacks.ts';
import { headlineTable, measuredTable } from './figures/measured.ts';
import { readingTable } from './figures/reading.ts';
import { retrievalTable } from './figures/retrieval.ts';
import { readFlags } from './support/flags.ts';

const root = join(import.meta.dirname, '..');

function errorTable(): string {
  const rows = Object.entries(errorCodes).map(([code, sentence]) => `| \`${code}\` | ${sentence} |`);
  return ['| code | meaning |', '| --- | --- |', ...rows].join('\n');
}

/** Generated parts, by the name of their markers. */
export const parts: Readonly<Record<string, () => string>> = {
  figures: headlineTable,
  retrieval: retrievalTable,
  measured: measuredTable,
  neighbours: neighboursSection,
  errors: errorTable,
  attacks: attackTable,
  reading: readingTable,
};

/** Files that hold generated parts; each part stands in one of them, whichever suits its readers. */
export const readmes: readonly string[] = ['README.md', 'src/README.md', 'src/cli/README.md', 'bench/README.md'].filter(
  (path) => existsSync(join(root, path)),
);

/** A README with its generated parts brought up to date. */
export function renderReadme(readme: string): string {
  return readme.replace(/<!-- (\w+) -->[\s\S]*?<!-- \/\1 -->/g, (whole, name: string) => {
    const part = parts[name];
    return part === undefined ? whole : `<!-- ${name} -->\n${part()}\n<!-- /${name} -->`;
  });
}

if (import.meta.main) {
  const { values } = readFlags(import.meta.filename, { options: { write: { type: 'boolean', default: false } } });
  if (values.write) {
    for (const path of readmes) writeFileSync(join(root, path), renderReadme(readFileSync(join(root, path), 'utf8')));
    writeFileSync(join(root, referencePath), wireReference());
  } else for (const [name, part] of Object.entries(parts)) console.log(`${name}\n\n${part()}\n`);
}
