import { mean } from '../../src/internal.ts';
import { type Figures, FigureTable, percent, rangeOf, results, three } from './results.ts';
import { cellOf, type Ndcg, retrievalRows, retrievalValues } from './retrieval.ts';

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

/** Short documents of a generator: what grows with their number. */
function addMemory(table: FigureTable): void {
  const memory = results('memory');
  for (const { from, shards, bytesADocument, now } of memory.results as Figures[]) {
    const sizes = now.map(({ documents }: Figures) => `${documents / 1000}k`).join(', ');
    table.add(
      `peak memory of an ingest of ${sizes} short documents, ${from === 'given' ? 'by `index.add` from a generator' : 'in files'}, ${shards} ${shards === 1 ? 'shard' : 'shards'}; slope, and that of documents as objects`,
      `${now.map(({ peakMiB }: Figures) => peakMiB).join(', ')} MiB; ${bytesADocument.now} and ${bytesADocument.before} bytes a document`,
      memory,
    );
  }
}

/** A command's whole process. */
function addShell(table: FigureTable): void {
  const shell = results('shell');
  const { chunks, searchMs, nodeMs } = shell.results;
  table.add(
    `\`ibid search\` from the shell, ${chunks.toLocaleString('en')} chunks, all told: p50 (p10–p90); a node that does nothing`,
    `${Math.round(searchMs.p50)} (${Math.round(searchMs.p10)}–${Math.round(searchMs.p90)}) ms; ${Math.round(nodeMs.p50)} ms`,
    shell,
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
export function headlineTable(): string {
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
  addMemory(table);
  addUnchangedFolder(table);
  return `${table}`;
}

/** Everything else that is recorded. */
export function measuredTable(): string {
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
  addMemory(table);
  addShell(table);
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
