// Makes the generated parts of the READMEs from bench/results and the error codes, and src/wire/README.md from the
// operation tables.
//
//   node bench/table.ts [--write]
//
// A part stands between `<!-- name -->` and `<!-- /name -->`, in one of `readmes`. Without `--write` the parts are
// printed.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodes } from '../src/index.ts';
import { mean } from '../src/internal.ts';
import { referencePath, wireReference } from '../test/support/wire-readme.ts';
import { neighboursSection } from './ann/table.ts';

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

/**
 * nDCG@10 of a row of the retrieval table, from the variants of one collection; undefined where it was not measured.
 */
type Ndcg = (variants: Figures) => number | undefined;

const ndcgOf =
  (name: string): Ndcg =>
  (variants) =>
    variants[name]?.['nDCG@10'];

const bestPackage: Ndcg = (variants) => {
  const others = Object.values<Figures>(variants).filter(({ family }) => family === 'alternative');
  return others.length === 0 ? undefined : Math.max(...others.map((one) => one['nDCG@10']));
};

const retrievalRows: readonly (readonly [name: string, ndcg: Ndcg])[] = [
  ['plain BM25', ndcgOf('BM25')],
  ['best of the text-search packages', bestPackage],
  ['lexical', ndcgOf('lexical')],
  ['dense', ndcgOf('dense')],
  ['hybrid', ndcgOf('hybrid')],
  ['hybrid, weights fitted on the others', ndcgOf('hybrid, weights fitted on the others')],
];

/** One value a collection, then their mean, which takes all of them. */
function retrievalValues(ndcg: Ndcg): (number | undefined)[] {
  const { results: collections } = results('quality');
  const values = Object.keys(collections)
    .sort()
    .map((set) => ndcg(collections[set].variants));
  const known = values.filter((value) => value !== undefined);
  return [...values, known.length === values.length ? mean(known) : undefined];
}

const cellOf = (value: number | undefined): string => (value === undefined ? '–' : three(value));

/** Ranking of every collection. */
function retrievalTable(): string {
  const { command, machine, node, results: collections } = results('quality');
  const sets = Object.keys(collections).sort();
  return [
    `nDCG@10, embedder trained on the collection, no model (\`${command}\`):`,
    '',
    `| | ${sets.join(' | ')} | mean |`,
    `| --- |${' --: |'.repeat(sets.length + 1)}`,
    ...(['documents', 'chunks', 'queries'] as const).map(
      (size) => `| ${size} | ${sets.map((set) => collections[set][size].toLocaleString('en')).join(' | ')} | |`,
    ),
    ...retrievalRows.map(([name, ndcg]) => `| ${name} | ${retrievalValues(ndcg).map(cellOf).join(' | ')} |`),
    '',
    `${machine}, Node ${node}. The commit of each figure stands in \`bench/results/\`.`,
  ].join('\n');
}

/** Lines of a table with a figure and its command each. */
class FigureTable {
  readonly #lines: string[] = ['| what | measured | command |', '| --- | --- | --- |'];

  add(what: string, measured: string, { command }: ResultFile): void {
    this.#lines.push(`| ${what} | ${measured} | \`${command}\` |`);
  }

  toString(): string {
    return this.#lines.join('\n');
  }
}

function rangeOf(values: readonly number[], show: (value: number) => string): string {
  return `${show(Math.min(...values))}–${show(Math.max(...values))}`;
}

/** Questions of the other collections, asked of each index. */
function addOutOfDomain(table: FigureTable): void {
  const answers = results('answers');
  const judged = Object.keys(results('quality').results).map((set) => answers.results[set].all);
  const measured = [
    rangeOf(
      judged.map((all) => all.auroc.foreign),
      three,
    ),
    rangeOf(
      judged.map((all) => all.foreign.answered),
      percent,
    ),
    rangeOf(
      judged.map((all) => all.own.refused),
      percent,
    ),
  ];
  table.add(
    'questions of another collection, over eight indexes: AUROC; answered plainly; own questions refused',
    measured.join('; '),
    answers,
  );
}

/** An ingest of 100,000 chunks, and queries on its index. */
function addIngest(table: FigureTable): void {
  const ingest = results('ingest-100k');
  const { chunks, query, peakRssMb, chunksPerSecond } = ingest.results;
  const count = chunks.toLocaleString('en');
  table.add(
    `warm hybrid query at ${count} chunks, p50 and p95`,
    `${query.hybrid.p50.toFixed(1)} and ${query.hybrid.p95.toFixed(1)} ms`,
    ingest,
  );
  table.add(
    `ingest of ${count} chunks in a plain program: peak memory; chunks a second`,
    `${Math.round(peakRssMb)} MiB; ${Math.round(chunksPerSecond).toLocaleString('en')}`,
    ingest,
  );
}

function addUnchangedFolder(table: FigureTable): void {
  const reingest = results('reingest');
  const { median, min, max } = reingest.results.ratioToSyncWalk;
  table.add(
    'unchanged folder of 10,000 files, ratio to a walk that reads size and time of each',
    `${median.toFixed(2)} (${min.toFixed(2)}–${max.toFixed(2)})`,
    reingest,
  );
}

/** A server beside the library in process. */
function addServing(table: FigureTable): void {
  const serving = results('serve');
  const { chunks, overHttp, at16, duringIngest, firstEvent, memory, readyMs } = serving.results;
  const count = (value: number): string => value.toLocaleString('en');
  table.add(
    `\`ibid serve\`, ${count(chunks)} chunks: a search over HTTP, p50 beyond the library’s own; first event of \`ask\` beyond a search; from the start to ready`,
    `${overHttp.beyondP50.toFixed(1)} ms; ${firstEvent.beyondSearchP50.toFixed(1)} ms; ${(readyMs / 1000).toFixed(2)} s`,
    serving,
  );
  table.add(
    'the same: searches a second at 16 callers, times one caller in process; p99 while 10,000 files are ingested, times p99 without',
    `${at16.timesInProcess.toFixed(2)}; ${duringIngest.timesIdle.toFixed(1)}`,
    serving,
  );
  table.add(
    `the same: memory after ${count(memory.requests)} searches, times after ${count(memory.first)}; after the ingest too`,
    `${memory.ratio.toFixed(2)} (${Math.round(memory.firstMb)} to ${Math.round(memory.lastMb)} MB); ${Math.round(memory.afterIngestMb)} MB`,
    serving,
  );
}

/** The six figures of README.md. */
function headlineTable(): string {
  const table = new FigureTable();
  const quality = results('quality');
  const answers = results('answers');
  const last = (ndcg: Ndcg): string => cellOf(retrievalValues(ndcg).at(-1));
  const [plain, , , , hybrid, others] = retrievalRows.map(([, ndcg]) => last(ndcg));
  const sets = Object.keys(quality.results).length;
  table.add(
    `nDCG@10, mean of ${sets} collections: plain BM25; hybrid; hybrid, weights fitted on the other collections`,
    `${plain}; ${hybrid}; ${others}`,
    quality,
  );
  table.add(
    'answers without a model: a gold sentence cited (`clapnq-dev`); gold answer inside a cited span of the right file and page (8 PDFs)',
    `${three(answers.results['clapnq-dev'].all.goldCited)}; ${three(answers.results['pdf-qa'].cited)}`,
    answers,
  );
  addOutOfDomain(table);
  addIngest(table);
  addUnchangedFolder(table);
  return `${table}`;
}

/** Everything else that is recorded. */
function measuredTable(): string {
  const table = new FigureTable();
  const answers = results('answers');
  const evaluated = results('eval');
  const scale = results('scale');
  const vector = results('vector');
  const store = results('store');
  const { 'codebase-chunks': codebase, scifact } = evaluated.results;
  table.add('`codebase-chunks` recall@10 through `ibid eval`', three(codebase.metrics['recall@10']), evaluated);
  table.add(
    'SciFact through `ibid eval`: nDCG@10; 5,183 documents ingested in',
    `${three(scifact.metrics['nDCG@10'])}; ${scifact.ingestSeconds.toFixed(1)} s`,
    evaluated,
  );
  const clapnq = answers.results['clapnq-dev'].all;
  table.add(
    '`clapnq-dev`: a gold sentence among the at most three of answer and related passages',
    three(clapnq.goldCited),
    answers,
  );
  table.add(
    '`clapnq-dev`: precision of the sentences of `answer`; their mean number; the first one is gold',
    `${three(clapnq.precision)}; ${clapnq.sentences.toFixed(2)}; ${three(clapnq.firstGold)}`,
    answers,
  );
  const goldAnswers = ['xquad-7', 'scifact', 'chunk-spans'].map((set) => answers.results[set].all);
  table.add(
    '`xquad-7`, `scifact`, `chunk-spans`: precision of the sentences of `answer`',
    goldAnswers.map(({ precision }) => three(precision)).join(', '),
    answers,
  );
  table.add(
    '`hotpotqa-100`: every gold sentence among three; `xquad-7`: F1 of the highlighted words',
    `${three(answers.results['hotpotqa-100'].all.everyGold)}; ${three(answers.results['xquad-7'].all.spanF1)}`,
    answers,
  );
  table.add('`clapnq-dev`: AUROC of support, look-alike passages as negatives', three(clapnq.auroc.lookAlike), answers);
  addOutOfDomain(table);
  table.add(
    '67 questions on 8 PDFs, end to end: gold answer inside a cited span of answer or related passages, right file and page; of the answer itself',
    `${three(answers.results['pdf-qa'].cited)}; ${three(answers.results['pdf-qa'].inAnswer)}`,
    answers,
  );
  const chosen = vector.results.filter((one: Figures) => String(one.method).startsWith('as chosen'));
  table.add(
    'int8 search, recall@10 against exact, 10k and 100k rows of 256 and 1,024 dimensions',
    rangeOf(
      chosen.map((one: Figures) => one.recall),
      three,
    ),
    vector,
  );
  const floats = results('floats');
  table.add(
    'int8 of the floats of a model, recall@10 against their exact cosine, 3,000 rows of 96, 384 and 1,024 dimensions in 4 shapes',
    rangeOf(
      floats.results.map((one: Figures) => one.spread),
      three,
    ),
    floats,
  );
  addUnchangedFolder(table);
  addIngest(table);
  const sizes: Figures[] = scale.results;
  const thousands = (chunks: number): string => `${Math.round(chunks / 1000).toLocaleString('en')}k`;
  table.add(
    `peak memory of ingest with its own processes, ${sizes.map(({ chunks }) => thousands(chunks)).join(', ')} chunks`,
    `${sizes.map(({ peakMiB }) => peakMiB).join(', ')} MiB`,
    scale,
  );
  table.add(
    'bytes on disk per chunk beyond its text, 256 and 1,024 dimensions',
    store.results.map((one: Figures) => one.bytesBeyondText).join(' and '),
    store,
  );
  const packing = results('service-packing');
  const folder: Figures = packing.results['docs, contextual'];
  table.add(
    `ingest with a service’s embedder of ${folder.documents.toLocaleString('en')} documents, ${folder.chunks.toLocaleString('en')} chunks: mean request, of the binding limit; foretold and receipt equal to the bill`,
    `${percent(folder.fill)}; ${folder.foretoldExactly && folder.receiptExact ? 'both' : 'not both'}`,
    packing,
  );
  addServing(table);
  const web = results('web');
  const differences: number[] = Object.values(web.results).map((one: Figures) => one.difference);
  table.add(
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
  table.add(
    'wire, a stream of 200,000 events against the official client that does the same work, by the clock / by CPU time: chat events; answers with their text; message events; events and message',
    [
      times('chat', 'ibid transport'),
      times('chat', 'ibid answers'),
      times('messages', 'ibid events'),
      times('messages', 'ibid messages'),
    ].join(', '),
    wire,
  );
  table.add(
    'wire, results file of 100,000 lines against the official client, by the clock / by CPU time; reading, cutting and `JSON.parse` alone',
    `${times('results', 'ibid messages')}; ${times('results', 'floor')}`,
    wire,
  );
  table.add(
    'wire, live memory gained between a quarter and three quarters of these: chat events, results',
    `${flat('chat', 'ibid messages.chat')}, ${flat('results', 'ibid messages')}`,
    wire,
  );
  table.add(
    'wire, small requests to loopback, 16 at a time: a second; less than the official client, by the clock / by CPU time',
    `${Math.round(wire.results.requests.variants['ibid messages'].perSecond).toLocaleString('en')}; ${times('requests', 'ibid messages')}`,
    wire,
  );
  return `${table}`;
}

/** The words of files by two ways, one row for each format. */
function readingTable(): string {
  const { results: formats } = results('reading');
  const share = (value: number): string => `${(100 * value).toFixed(2)} %`;
  return [
    '| format | files | words | missing | left out on purpose | invented | empty pages | order τ | most is left out as |',
    '| --- | --: | --: | --: | --: | --: | --: | --: | --- |',
    ...Object.keys(formats).map((name) => {
      const { files, words, missing, meant, invented, emptyPages, order, reasons } = formats[name];
      const cells = [
        name,
        files,
        words.toLocaleString('en'),
        share(missing),
        share(meant),
        share(invented),
        emptyPages,
      ];
      const most = Object.keys(reasons).slice(0, 3).join('; ');
      return `| ${[...cells, order.toFixed(3), most].join(' | ')} |`;
    }),
  ].join('\n');
}

/** One row for each recorded run of attacks: attempts and findings of all its sets, and the worst of each measure. */
function attackTable(): string {
  const table = new FigureTable();
  for (const name of readdirSync(join(root, 'bench/results')).filter((file) => file.endsWith('.json'))) {
    const run = results(name.replace(/\.json$/, ''));
    if ((run as Figures).kind !== 'trials') continue;
    const sets: Figures[] = run.results.sets;
    const sum = (count: (set: Figures) => number): string =>
      sets.reduce((all, set) => all + count(set), 0).toLocaleString('en');
    const measures = [...new Set(sets.flatMap(({ figures }) => Object.keys(figures)))].filter(
      (one) => /^[^,]+(?:, \S+)+$/.test(one), // "longest, s"
    );
    const worst = measures.map((measure) => {
      const most = Math.max(...sets.map(({ figures }) => figures[measure] ?? 0));
      const [what, ...unit] = measure.split(', ');
      return `${what} ${Number(most.toPrecision(3))} ${unit.join(' ')}`;
    });
    const measured = [
      `${sum(({ attempts }) => attempts)} attempts, ${sum(({ findings }) => findings.length)} findings`,
      ...worst,
    ];
    const names = sets.map((set) => set.name);
    const named = names.length > 6 ? `${names.slice(0, 3).join(', ')}, and ${names.length - 3} more` : names.join(', ');
    table.add(named, measured.join('; '), run);
  }
  return `${table}`;
}

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
  if (process.argv.includes('--write')) {
    for (const path of readmes) writeFileSync(join(root, path), renderReadme(readFileSync(join(root, path), 'utf8')));
    writeFileSync(join(root, referencePath), wireReference());
  } else for (const [name, part] of Object.entries(parts)) console.log(`${name}\n\n${part()}\n`);
}
