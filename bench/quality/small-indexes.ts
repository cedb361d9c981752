/**
 * Confidence in small indexes: of documents drawn from question sets, 6 to 300 at a time, how many questions that they
 * answer are answered plainly, right and wrong, and how many that they do not answer: of the same set (near), of other
 * sets (foreign).
 *
 *   node bench/quality/small-indexes.ts [--sizes 6,20,80,300] [--drawings 4]
 */
import { answerExtractive, calibrateSupport, collectionStatistics, seededRandom } from '../../src/internal.ts';
import { dataFolder } from '../support/data-folder.ts';
import { readFlags } from '../support/flags.ts';
import { type AnswerQuestion, type AnswerSet, goldSets, isGold, loadAnswerSet, openSet } from './answer-sets.ts';
import { judgingSets, loadTrainingSet, shippingSets } from './answer-training-sets.ts';

const { values: flags } = readFlags(import.meta.filename, {
  options: { sizes: { type: 'string', default: '6,20,80,300' }, drawings: { type: 'string', default: '4' } },
});
const trainingRoot = dataFolder(import.meta.filename, undefined, 'data-train');
const root = dataFolder(import.meta.filename, undefined, 'data');
/** Questions of each kind, for one index. */
const ASKED = 40;
/** Larger indexes are drawn once. */
const SMALL = 50;

const sets: AnswerSet[] = [];
for (const name of goldSets) sets.push(await loadAnswerSet(root, name));
for (const name of [...judgingSets, ...shippingSets])
  sets.push(loadTrainingSet(trainingRoot, name, { answerable: 400, unanswerable: 0 }));
const random = seededRandom(3);
const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

console.log('chunks      kind     questions  plain  right  wrong  refused');
for (const size of flags.sizes.split(',').map(Number)) {
  const counts = { own: emptyCounts(), near: emptyCounts(), foreign: emptyCounts() };
  for (const set of sets) {
    if (set.documents.length < 1.5 * size) continue;
    for (let i = 0; i < (size < SMALL ? Number(flags.drawings) : 1); i++) await measure(set, size, counts);
  }
  for (const [kind, { questions, plain, right, refused }] of Object.entries(counts)) {
    const shares = [plain, right, plain - right, refused].map((count) => (count / questions).toFixed(3).padStart(7));
    console.log(`${String(size).padEnd(11)} ${kind.padEnd(9)} ${String(questions).padStart(8)} ${shares.join('')}`);
  }
}
process.exit(0); // threads of embedders wait for more

type Counts = Record<'questions' | 'plain' | 'right' | 'refused', number>;

function emptyCounts(): Counts {
  return { questions: 0, plain: 0, right: 0, refused: 0 };
}

/** Documents that questions ask about, and as many others. */
function draw({ documents, questions }: AnswerSet, size: number): AnswerSet['documents'] {
  const byUri = new Map(documents.map((document) => [document.uri, document]));
  const drawn = new Set<AnswerSet['documents'][number]>();
  for (let tries = 0; tries < 50 * size && drawn.size < size; tries++) {
    for (const { uri } of oneOf(questions).golds.flat()) drawn.add(byUri.get(uri)!);
    if (random() < 0.5) drawn.add(oneOf(documents));
  }
  return documents.filter((document) => drawn.has(document));
}

async function measure(set: AnswerSet, size: number, counts: Record<'own' | 'near' | 'foreign', Counts>) {
  const documents = draw(set, size);
  const uris = new Set(documents.map(({ uri }) => uri));
  const asked = set.questions.filter(({ answerable, golds }) => answerable && golds.flat().length > 0);
  const isHeld = ({ golds }: AnswerQuestion): boolean => golds.flat().every(({ uri }) => uris.has(uri));
  const isAway = ({ golds }: AnswerQuestion): boolean => golds.flat().every(({ uri }) => !uris.has(uri));
  const open = await openSet({ ...set, documents });
  const statisticsOf = (question: string) => collectionStatistics(open.snapshot.lexical, question);
  const calibration = await calibrateSupport(
    documents.flatMap(({ chunks }) => chunks.map(({ text }) => text)),
    async (question) => ({ hits: await open.ask(question), statistics: await statisticsOf(question) }),
  );
  const count = async (into: Counts, { text, golds }: AnswerQuestion): Promise<void> => {
    const answer = answerExtractive(text, await open.ask(text), await statisticsOf(text), { calibration });
    const [first] = answer.citations;
    into.questions++;
    if (answer.abstained) into.refused++;
    if (answer.confidence !== 'high') return;
    into.plain++;
    if (first && golds.some((gold) => isGold(first.uri, first.span, gold))) into.right++;
  };
  for (const question of asked.filter(isHeld).slice(0, ASKED)) await count(counts.own, question);
  for (const question of asked.filter(isAway).slice(0, ASKED)) await count(counts.near, question);
  const others = sets.filter((other) => other !== set);
  for (let i = 0; i < ASKED; i++) await count(counts.foreign, oneOf(oneOf(others).questions));
}
