// Prints the README's generated parts from bench/results, the error codes and the wire's tables; `--write` puts them into README.md.
//
//   node bench/table.ts [--write]
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodes } from '../src/index.ts';
import { referencePath, wireReference, wireSection } from '../test/support/wire-readme.ts';
import { neighboursSection } from './ann/table.ts';
import { mean } from './support/report.ts';

const root = join(import.meta.dirname, '..');

// biome-ignore lint/suspicious/noExplicitAny: figures of many shapes, each read below by the names its bench writes
type Figures = any;

interface ResultFile {
  readonly command: string;
  readonly commit: string;
  readonly date: string;
  readonly machine: string;
  readonly node: string;
  readonly results: Figures;
}

const results = (name: string): ResultFile =>
  JSON.parse(readFileSync(join(root, 'bench/results', `${name}.json`), 'utf8')) as ResultFile; // our own benches

const three = (value: number): string => value.toFixed(3);
const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;

const ndcgOf =
  (name: string) =>
  (variants: Figures): unknown =>
    variants[name]?.['nDCG@10'];

/** Rows of the retrieval table, each with where its value stands among a collection's variants. */
const retrievalRows: readonly (readonly [name: string, ndcg: (variants: Figures) => unknown])[] = [
  ['plain BM25', ndcgOf('BM25')],
  [
    'best of the text-search packages',
    (variants) => {
      const others = Object.values<Figures>(variants).filter(({ family }) => family === 'alternative');
      return others.length === 0 ? undefined : Math.max(...others.map((one) => one['nDCG@10']));
    },
  ],
  ['lexical', ndcgOf('lexical')],
  ['dense', ndcgOf('dense')],
  ['hybrid', ndcgOf('hybrid')],
  ['hybrid, weights fitted on the others', ndcgOf('hybrid, weights fitted on the others')],
];

export function figuresTable(): string {
  const quality = results('quality');
  const answers = results('answers');
  const evaluated = results('eval');
  const reingest = results('reingest');
  const ingest = results('ingest-100k');
  const scale = results('scale');
  const vector = results('vector');
  const store = results('store');
  const sets = Object.keys(quality.results).sort();
  const lines = [
    `Retrieval, nDCG@10, corpus-trained embedder, no model (\`${quality.command}\`):`,
    '',
    `| | ${sets.join(' | ')} | mean |`,
    `| --- |${' --: |'.repeat(sets.length + 1)}`,
    ...retrievalRows.map(([name, ndcg]) => {
      const values = sets.map((set) => ndcg(quality.results[set].variants) as number | undefined);
      const known = values.filter((value) => value !== undefined);
      const cells = [...values, known.length === values.length ? mean(known) : undefined];
      return `| ${name} | ${cells.map((value) => (value === undefined ? '–' : three(value))).join(' | ')} |`;
    }),
    '',
    '| what | measured | command |',
    '| --- | --- | --- |',
  ];
  const row = (what: string, measured: string, { command }: ResultFile): void => {
    lines.push(`| ${what} | ${measured} | \`${command}\` |`);
  };
  const { 'codebase-chunks': codebase, scifact } = evaluated.results;
  row('`codebase-chunks` recall@10 through `ibid eval`', three(codebase.metrics['recall@10']), evaluated);
  row(
    'SciFact through `ibid eval`: nDCG@10; 5,183 documents ingested in',
    `${three(scifact.metrics['nDCG@10'])}; ${scifact.ingestSeconds.toFixed(1)} s`,
    evaluated,
  );
  const clapnq = answers.results['clapnq-dev'].all;
  row('`clapnq-dev`: a gold sentence among the at most three cited', three(clapnq.goldCited), answers);
  row('`clapnq-dev`: AUROC of support, look-alike passages as negatives', three(clapnq.auroc.lookAlike), answers);
  const judged = sets.map((set) => answers.results[set].all);
  const range = (values: readonly number[], show: (value: number) => string): string =>
    `${show(Math.min(...values))}–${show(Math.max(...values))}`;
  row(
    'another collection’s questions, over eight indexes: AUROC; answered plainly; own questions refused',
    [
      range(
        judged.map((all) => all.auroc.foreign),
        three,
      ),
      range(
        judged.map((all) => all.foreign.answered),
        percent,
      ),
      range(
        judged.map((all) => all.own.refused),
        percent,
      ),
    ].join('; '),
    answers,
  );
  row(
    '67 questions on 8 PDFs, end to end: gold answer inside a cited span, right file and page',
    three(answers.results['pdf-qa'].cited),
    answers,
  );
  const chosen = vector.results.filter((one: Figures) => String(one.method).startsWith('as chosen'));
  row(
    'int8 search, recall@10 against exact, 10k and 100k rows of 256 and 1,024 dimensions',
    range(
      chosen.map((one: Figures) => one.recall),
      three,
    ),
    vector,
  );
  const { ratioToSyncWalk } = reingest.results;
  row(
    'unchanged folder of 10,000 files, ratio to walking and stat-ing it',
    `${ratioToSyncWalk.median.toFixed(2)} (${ratioToSyncWalk.min.toFixed(2)}–${ratioToSyncWalk.max.toFixed(2)})`,
    reingest,
  );
  const at = ingest.results;
  row(
    `warm hybrid query at ${at.chunks.toLocaleString('en')} chunks, p50 and p95`,
    `${at.query.hybrid.p50.toFixed(1)} and ${at.query.hybrid.p95.toFixed(1)} ms`,
    ingest,
  );
  row(
    `ingest of ${at.chunks.toLocaleString('en')} chunks: peak memory; chunks a second`,
    `${Math.round(at.peakRssMb)} MiB; ${Math.round(at.chunksPerSecond).toLocaleString('en')}`,
    ingest,
  );
  const sizes: Figures[] = scale.results;
  const thousands = (chunks: number): string => `${Math.round(chunks / 1000).toLocaleString('en')}k`;
  row(
    `peak memory of ingest with its own processes, ${sizes.map(({ chunks }) => thousands(chunks)).join(', ')} chunks`,
    `${sizes.map(({ peakMiB }) => peakMiB).join(', ')} MiB`,
    scale,
  );
  row(
    'bytes on disk per chunk beyond its text, 256 and 1,024 dimensions',
    store.results.map((one: Figures) => one.bytesBeyondText).join(' and '),
    store,
  );
  const packing = results('service-packing');
  const folder: Figures = packing.results['docs, contextual'];
  row(
    `ingest with a service’s embedder of ${folder.documents.toLocaleString('en')} documents, ${folder.chunks.toLocaleString('en')} chunks: mean request, of the binding limit; foretold and receipt equal to the bill`,
    `${percent(folder.fill)}; ${folder.foretoldExactly && folder.receiptExact ? 'both' : 'not both'}`,
    packing,
  );
  const web = results('web');
  const differences: number[] = Object.values(web.results).map((one: Figures) => one.difference);
  row(
    'half of each collection on a simulated web of plain BM25, merged: nDCG@10 beside one index over all, worst of eight, mean',
    [Math.min(...differences), mean(differences)].map((value) => value.toFixed(3).replace('-', '−')).join('; '),
    web,
  );
  const wire = results('wire');
  const times = (workload: string, variant: string): string => {
    const { timesFaster, timesLessCpu } = wire.results[workload].variants[variant];
    return `${timesFaster.toFixed(1)} / ${timesLessCpu.toFixed(1)}×`;
  };
  const flat = (workload: string, variant: string): string => {
    const { liveMb } = wire.results[workload].variants[variant];
    return `${(liveMb.at(-1) - liveMb[0]).toFixed(1)} MB`;
  };
  row(
    'wire, a stream of 200,000 events against the official client that does the same work, by the clock / by CPU time: chat events; answers with their text; message events; events and message',
    [
      times('chat', 'ibid transport'),
      times('chat', 'ibid answers'),
      times('messages', 'ibid events'),
      times('messages', 'ibid messages'),
    ].join(', '),
    wire,
  );
  row(
    'wire, results file of 100,000 lines against the official client, by the clock / by CPU time; reading, cutting and `JSON.parse` alone',
    `${times('results', 'ibid messages')}; ${times('results', 'floor')}`,
    wire,
  );
  row(
    'wire, live memory gained between a quarter and three quarters of these: chat events, results',
    `${flat('chat', 'ibid messages.chat')}, ${flat('results', 'ibid messages')}`,
    wire,
  );
  row(
    'wire, small requests to loopback, 16 at a time: a second; less than the official client, by the clock / by CPU time',
    `${Math.round(wire.results.requests.variants['ibid messages'].perSecond).toLocaleString('en')}; ${times('requests', 'ibid messages')}`,
    wire,
  );
  const { machine, node } = quality;
  lines.push(
    '',
    `${machine}, Node ${node}; commits stand in \`bench/results/\`. The machine is shared: read times as orders of size.`,
  );
  return lines.join('\n');
}

export function errorTable(): string {
  const rows = Object.entries(errorCodes).map(([code, sentence]) => `| \`${code}\` | ${sentence} |`);
  return ['| code | meaning |', '| --- | --- |', ...rows].join('\n');
}

/** The README with its generated parts brought up to date. */
export function renderReadme(readme: string): string {
  let text = readme;
  for (const [name, content] of [
    ['figures', figuresTable()],
    ['neighbours', neighboursSection()],
    ['errors', errorTable()],
    ['wire', wireSection()],
  ] as const) {
    const pattern = new RegExp(`<!-- ${name} -->[\\s\\S]*?<!-- /${name} -->`);
    if (!pattern.test(text)) throw new Error(`README.md has no place for ${name}`);
    text = text.replace(pattern, () => `<!-- ${name} -->\n${content}\n<!-- /${name} -->`);
  }
  return text;
}

if (import.meta.main) {
  const path = join(root, 'README.md');
  const rendered = renderReadme(readFileSync(path, 'utf8'));
  if (process.argv.includes('--write')) {
    writeFileSync(path, rendered);
    writeFileSync(join(root, referencePath), wireReference());
  } else console.log(rendered);
}
