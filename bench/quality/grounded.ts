/**
 * Answers through the messages API, with a stand-in in place of the model: an extractive answerer gets the same
 * requests as a real model, and cites the sentences that it repeats. The bench shows the limits that retrieval,
 * packing, citing, proof and refusal set. The bench cannot show how well a real model writes. Every question is asked
 * once more with half of the citations spoilt on purpose, in ten ways.
 *
 *   node bench/quality/grounded.ts [folder of data sets] [--only name,name] [--questions 150] [--write]
 *
 * gold shown: a gold sentence is among the sources that the model reads. gold cited: a proven citation holds a gold
 * sentence. precision, recall: of the cited sentences against the best annotator's; refusals count as 0. answer shown:
 * the short answer stands in a cited quote. refused: refused without a request, for questions with an answer, and for
 * the same questions after the gold passages were removed. planted: false citations that were shown, and true ones that
 * were lost (both must be 0).
 */
import type { Answer, Hit } from '../../src/index.ts';
import {
  answerGrounded,
  assessAnswerability,
  calibrateSupport,
  collectAnswer,
  collectionStatistics,
  packSources,
  serviceLanguageModel,
  unitsOf,
} from '../../src/internal.ts';
import { createMessagesService } from '../../src/wire.ts';
import type { CitationFault } from '../../test/wire/service/messages/citation-faults.ts';
import { type ExtractiveAnswerer, extractiveAnswerer } from '../../test/wire/service/messages/extractive.ts';
import type { AnswerCitation } from '../../test/wire/service/messages/model.ts';
import type { Source } from '../../test/wire/service/messages/request.ts';
import { startService } from '../../test/wire/service/service.ts';
import { dataFolder } from '../support/data-folder.ts';
import { readFlags } from '../support/flags.ts';
import { writeResults } from '../support/report.ts';
import { isGold, loadAnswerSet, openSet } from './answer-sets.ts';

const { values: flags, positionals } = readFlags(import.meta.filename, {
  allowPositionals: true,
  options: {
    only: { type: 'string', default: 'clapnq-dev,hotpotqa-100,chunk-spans' },
    questions: { type: 'string', default: '150' },
    write: { type: 'boolean', default: false },
  },
});
const root = dataFolder(import.meta.filename, positionals[0], 'data');
const kinds: readonly CitationFault[] = [
  'invented',
  'altered',
  'stitched',
  'wrongSource',
  'outOfRange',
  'unknownSource',
  'reversed',
  'shifted',
  'overlapping',
  'doubled',
];

interface Planted {
  citations: number;
  false: number;
  falseShown: number;
  true: number;
  trueLost: number;
}

await using service = await startService({ only: ['messages'] });
const share = (list: readonly boolean[]): number => list.filter(Boolean).length / (list.length || 1);
const normal = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
const all: Record<string, unknown> = {};

for (const name of flags.only.split(',')) {
  const set = await loadAnswerSet(root, name);
  const open = await openSet(set);
  const { snapshot } = open;
  const step = Math.max(1, Math.floor(snapshot.rows / 200));
  const sample = await snapshot.fetch(Array.from({ length: Math.ceil(snapshot.rows / step) }, (_, i) => i * step));
  const calibration = await calibrateSupport(
    sample.map(({ text }) => text),
    async (question) => ({
      hits: await open.ask(question),
      statistics: await collectionStatistics(snapshot.lexical, question),
    }),
  );
  // a client for each collection: its connections would not outlive the training of the next
  await using messages = createMessagesService({ apiKey: 'test-key', baseUrl: service.url });
  const model = serviceLanguageModel(messages);
  const ask = async (question: string, hits: readonly Hit[]): Promise<Answer> => {
    const statistics = await collectionStatistics(snapshot.lexical, question);
    const answerability = assessAnswerability(question, hits, statistics, { calibration });
    return await collectAnswer(answerGrounded(question, hits, answerability, model));
  };
  const every = Math.max(1, Math.floor(set.questions.length / Number(flags.questions)));
  const questions = set.questions.filter(({ answerable }, i) => answerable && i % every === 0);
  const shown: boolean[] = [];
  const cited: boolean[] = [];
  const short: boolean[] = [];
  const refused: boolean[] = [];
  const refusedWithout: boolean[] = [];
  let precision = 0;
  let recall = 0;
  const planted: Planted = { citations: 0, false: 0, falseShown: 0, true: 0, trueLost: 0 };
  service.ledger.clear();
  for (const [i, question] of questions.entries()) {
    const hits = await open.ask(question.text);
    const answerer = extractiveAnswerer({ plantRandomly: { probability: 0.5, seed: i, kinds } });
    service.messages.model = answerer.model;
    const before = service.messages.received.length;
    const spoiled = await ask(question.text, hits);
    if (service.messages.received.length > before)
      countPlanted(answerer, spoiled, service.messages.received.at(-1)!.sources, planted);
    service.messages.model = extractiveAnswerer().model;
    const answer = await ask(question.text, hits);
    refused.push(answer.abstained);
    const sources = packSources(hits, { maxTokens: 12_000 });
    const isShown = (list: (typeof question.golds)[number]): boolean =>
      sources.some(({ uri, spans }) => spans.some((span) => isGold(uri, span, list)));
    shown.push(question.golds.some(isShown));
    const units = answer.citations.flatMap(({ uri, span, quote }) =>
      unitsOf(quote).map((unit) => ({ uri, span: { start: span.start + unit.start, end: span.start + unit.end } })),
    );
    cited.push(question.golds.some((golds) => units.some(({ uri, span }) => isGold(uri, span, golds))));
    let best = { p: 0, r: 0 };
    for (const golds of question.golds) {
      const p = share(units.map(({ uri, span }) => isGold(uri, span, golds)));
      const r = share(golds.map((gold) => units.some(({ uri, span }) => isGold(uri, span, [gold]))));
      if (p + r > best.p + best.r) best = { p, r };
    }
    precision += best.p;
    recall += best.r;
    if (question.answers.length > 0) {
      const quotes = normal(answer.citations.map(({ quote }) => quote).join('\n'));
      short.push(question.answers.some((each) => quotes.includes(normal(each))));
    }
    refusedWithout.push((await ask(question.text, await open.ask(question.text, question.relevant))).abstained);
  }
  const { usd, requests } = service.ledger.totals();
  const n = questions.length;
  const figures = {
    questions: n,
    goldShown: share(shown),
    goldCited: share(cited),
    precision: precision / n,
    recall: recall / n,
    ...(short.length > 0 ? { answerShown: share(short) } : {}),
    refused: share(refused),
    refusedGoldRemoved: share(refusedWithout),
    planted,
    usdPerRequest: usd / requests,
  };
  all[name] = figures;
  console.log(name, figures);
  await open.embedder.close?.();
}
if (flags.write) writeResults('grounded', `node bench/quality/grounded.ts ${process.argv.slice(2).join(' ')}`, all);

/** Against what the service was sent, not against what we packed. */
function countPlanted(answerer: ExtractiveAnswerer, answer: Answer, sources: readonly Source[], into: Planted): void {
  const flat = (text: string): string => text.replace(/\s+/g, ' ').trim();
  const shown = new Set(answer.citations.map(({ quote }) => flat(quote)));
  const isTrue = (citation: AnswerCitation): boolean => {
    if (citation.type !== 'search_result_location') return false;
    const source = sources.find((one) => one.kind === 'search' && one.source === citation.source);
    if (source?.kind !== 'search') return false;
    const { start_block_index: start, end_block_index: end, cited_text: text } = citation;
    return (
      start >= 0 &&
      end > start &&
      end <= source.blocks.length &&
      source.blocks.slice(start, end).join('').trim() === text.trim()
    );
  };
  const citations = answerer.planted.flatMap((each) => each.citations);
  const right = new Set(citations.filter(isTrue).map(({ cited_text: text }) => flat(text)));
  into.citations += citations.length;
  for (const citation of citations) {
    if (isTrue(citation)) {
      into.true += 1;
      if (!shown.has(flat(citation.cited_text))) into.trueLost += 1;
    } else into.false += 1;
  }
  into.falseShown += [...shown].filter((quote) => !right.has(quote)).length;
}
