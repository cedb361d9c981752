import { assessAnswerability } from '../answer/answerability/answerability.ts';
import { answerExtractive } from '../answer/extractive/extractive.ts';
import type { LanguageModel } from '../answer/language-model.ts';
import { numberOf, objectOf, textOf, textsOf, wordOf, wordsOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import { Meter } from '../core/meter.ts';
import type { CallOptions, Hit } from '../core/types.ts';
import { findPassages } from '../passages/find.ts';
import type { IndexView } from '../passages/view.ts';
import { type CollectionStatistics, collectionStatistics } from '../retrieve/collection-statistics.ts';
import type { Tuning } from '../retrieve/tuning.ts';
import type { Providers } from '../services/providers.ts';
import { checkSpeaker } from '../speak/own-speaker.ts';
import { checkEncoder } from '../speak/sound-writer.ts';
import { checkPrice } from '../speak/speech.ts';
import { everyFilter } from '../store/filter.ts';
import { sqlString } from '../store/sql.ts';
import { whereSql } from '../store/where.ts';
import { languageOf } from '../text/languages/detect.ts';
import type { Overview, OverviewEstimate, OverviewEvent, OverviewOptions, OverviewSound } from './contract.ts';
import { hitOf, type Topic, topicsOf } from './evidence.ts';
import { scriptOfAnswer, scriptOfTopics } from './extractive-script.ts';
import { mp3Of } from './mp3.ts';
import { provenScript } from './proven-script.ts';
import { factsOf, type OverviewScript } from './script.ts';
import { renderScript } from './script-text.ts';
import { charactersOf, spokenScript } from './spoken-script.ts';
import { scriptRequest, type WrittenScript, writtenScript } from './written-script.ts';

/** The parts that an overview needs. */
export interface OverviewContext {
  readonly view: IndexView;
  readonly tuning: Tuning;
  readonly providers: Providers;
}

const WORDS_PER_MINUTE = 150;
const CHARACTERS_PER_WORD = 6;
/** Of a passage, a sentence or two are said. */
const WORDS_PER_PASSAGE = 40;
const MINUTES = 3;
/** Of a question. */
const PASSAGES = 20;
const SENTENCES = 24;

/** The sources of the script. */
interface Evidence {
  readonly hits: readonly Hit[];
  readonly topics: readonly Topic[];
  /** Of a question. */
  readonly statistics?: CollectionStatistics;
  /** The documents say nothing of it. */
  readonly isNothing: boolean;
}

/**
 * A conversation of two voices about what the documents say; the last event is `done`.
 * @throws IbidError INVALID_ARGUMENT, INVALID_FILTER, KEY_MISSING, BUDGET_EXCEEDED, and what a service throws before the
 * first word; RESPONSE_INVALID when nothing that the model wrote can be proven
 */
export async function* overviewEvents(
  context: OverviewContext,
  options: OverviewOptions,
): AsyncGenerator<OverviewEvent, void, undefined> {
  const { question, dryRun = false } = options;
  if (question !== undefined) wordsOf(question, 'the question');
  if (options.script !== undefined) textOf(options.script, 'the script');
  if (options.mode !== undefined) wordOf(options.mode, 'mode', ['extractive', 'grounded']);
  if (options.paths !== undefined) textsOf(options.paths, 'paths');
  const meter = Meter.of(options.budget);
  const words = WORDS_PER_MINUTE * numberOf(options.minutes ?? MINUTES, 'minutes', 0.5, 60);
  const { sound, signal } = options;
  if (sound !== undefined) checkSound(sound);
  // before anything is paid for
  if (sound) checkPrice(priceOf(sound), sound.speaker, meter);
  if (sound?.format === 'mp3' && !dryRun) await checkEncoder('mp3', 'pcm', sound.encoder, { signal });
  const { scriptUsd, ...made } = yield* scriptOf(context, options, words, meter);
  const text = renderScript(made.script);
  if (made.script.turns.length > 0) yield { type: 'script', script: made.script, text };
  const overview = { ...made, text };
  if (dryRun) {
    const estimate = estimateOf({ ...made, scriptUsd }, words, sound);
    yield { type: 'done', overview: { ...overview, estimate, costUsd: meter.spentUsd } };
  } else if (sound && made.script.turns.length > 0) {
    const call = { voices: sound.voices, language: languageIn(made.script), meter, signal };
    const wav = yield* spokenScript(made.script, sound.speaker, call);
    const spoken = sound.format === 'mp3' ? await mp3Of(wav, sound.encoder, { signal }) : wav;
    yield { type: 'done', overview: { ...overview, sound: spoken, costUsd: meter.spentUsd } };
  } else yield { type: 'done', overview: { ...overview, costUsd: meter.spentUsd } };
}

type Made = Omit<Overview, 'text' | 'costUsd'> & { readonly scriptUsd?: number | undefined };

async function* scriptOf(
  context: OverviewContext,
  options: OverviewOptions,
  words: number,
  meter: Meter,
): AsyncGenerator<OverviewEvent, Made> {
  const { question, paths = [], signal, dryRun = false } = options;
  const title = question ?? (paths.length > 0 ? paths.join(', ') : 'What the documents say');
  if (options.script !== undefined) {
    const script = await provenScript(options.script, context.view.snapshot);
    return { mode: 'given', abstained: false, script, topics: [], dropped: [] };
  }
  const { mode = context.providers.canWrite ? 'grounded' : 'extractive' } = options;
  const model = mode === 'grounded' ? context.providers.writer(options.model) : undefined;
  const evidence = await evidenceOf(context, options, words, meter);
  const topics = evidence.topics.map(({ path, share }) => ({ path, share }));
  yield { type: 'evidence', topics, passages: evidence.hits.length };
  const script: OverviewScript = { title, turns: [], sources: [] };
  const found = { mode, abstained: false, topics, dropped: [], script };
  if (evidence.isNothing || evidence.hits.length === 0) return { ...found, abstained: true };
  if (!model) {
    const read = extractive(title, evidence, question, words);
    return { ...found, script: read, abstained: read.turns.length === 0 };
  }
  const scriptUsd = model.estimateUsd(scriptRequest(question, evidence.hits, model, words).request);
  if (dryRun) return { ...found, scriptUsd };
  // a script that the budget cannot speak is not bought
  const { soundUsd = 0 } = estimateOf({ ...found, scriptUsd }, words, options.sound);
  meter.reserve((scriptUsd ?? 0) + soundUsd).cancel();
  const dropped: string[] = [];
  const written = yield* writtenOf(title, evidence, question, model, words, meter, dropped, { signal });
  return { ...found, script: written.script, dropped, grounding: written.receipt };
}

/** A script that is not written yet is counted by its wanted length. */
function estimateOf({ script, scriptUsd }: Made, words: number, sound: OverviewSound | undefined): OverviewEstimate {
  const said = charactersOf(script, languageIn(script));
  const characters = said > 0 ? said : Math.round(words * CHARACTERS_PER_WORD);
  const price = sound && priceOf(sound);
  return {
    characters,
    ...(scriptUsd === undefined ? {} : { scriptUsd }),
    ...(price === undefined ? {} : { soundUsd: (price * characters) / 1000 }),
  };
}

function languageIn(script: OverviewScript): string | undefined {
  const said = factsOf(script).map(({ text }) => text);
  const language = languageOf(said.join(' '));
  return language === 'und' ? undefined : language;
}

function checkSound(sound: OverviewSound): void {
  const { speaker, voices, format = 'wav' } = objectOf(sound, 'sound');
  checkSpeaker(speaker);
  if (voices !== undefined && textsOf(voices, 'sound.voices').length === 0)
    throw new IbidError('INVALID_ARGUMENT', 'no voice was named', { hint: 'Name one, or leave `voices` out.' });
  wordOf(format, 'sound.format', ['wav', 'mp3']);
}

/** Of 1,000 characters of the two voices. */
const priceOf = ({ speaker, voices = speaker.voices }: OverviewSound): number | undefined =>
  speaker.price?.(voices.length > 1 && voices[0] !== voices[1]);

async function evidenceOf(
  { view, tuning }: OverviewContext,
  { question, paths, where, signal }: OverviewOptions,
  words: number,
  meter: Meter,
): Promise<Evidence> {
  const { snapshot, calibration } = view;
  const scope = scopeOf(whereSql(where), paths);
  if (question === undefined) {
    const most = Math.max(3, Math.min(12, Math.round(words / 75)));
    const passages = Math.max(5, Math.ceil(words / most / WORDS_PER_PASSAGE));
    const topics = await topicsOf(snapshot, { where: scope, topics: most, passages, signal });
    return { topics, hits: topics.flatMap(({ passages }) => passages.map(hitOf)), isNothing: topics.length === 0 };
  }
  const { hits } = await findPassages(view, question, { ...tuning, where: scope, limit: PASSAGES, meter, signal });
  const statistics = await collectionStatistics(snapshot.words ?? snapshot.lexical, question, { signal });
  const { confidence } = assessAnswerability(question, hits, statistics, { calibration });
  return { topics: [], hits, statistics, isNothing: confidence === 'none' };
}

/** Both conditions, as SQL. A path is a document, or a folder of documents. */
function scopeOf(where: string | undefined, paths: readonly string[] = []): string | undefined {
  const below = paths.map((path) => {
    const folder = path.replace(/\/+$/, '');
    // '0' follows '/': all that begins with the folder's name and a slash lies between
    return `uri = ${sqlString(folder)} OR (uri >= ${sqlString(`${folder}/`)} AND uri < ${sqlString(`${folder}0`)})`;
  });
  return everyFilter([where, below.length === 0 ? undefined : below.join(' OR ')]);
}

function extractive(
  title: string,
  { hits, topics, statistics }: Evidence,
  question: string | undefined,
  words: number,
): OverviewScript {
  if (question === undefined || statistics === undefined) return scriptOfTopics(title, topics, words);
  // the evidence holds an answer: what is doubtful of it is still what comes nearest, and is cited as that
  const answer = answerExtractive(question, hits, statistics, { sentences: SENTENCES, refuseBelow: 0 });
  return scriptOfAnswer(title, answer, words);
}

async function* writtenOf(
  title: string,
  { hits }: Evidence,
  question: string | undefined,
  model: LanguageModel,
  words: number,
  meter: Meter,
  dropped: string[],
  options: CallOptions,
): AsyncGenerator<OverviewEvent, WrittenScript> {
  const writing = writtenScript(title, scriptRequest(question, hits, model, words), model, { ...options, meter });
  let step = await writing.next();
  for (; !step.done; step = await writing.next()) {
    dropped.push(step.value.why);
    yield step.value;
  }
  const { script, receipt } = step.value;
  if (script.sources.length > 0) return step.value;
  throw new IbidError(
    'RESPONSE_INVALID',
    `${receipt.model} wrote no sentence that can be proven; it cost ${receipt.costUsd.toFixed(6)} USD`,
    { hint: "Ask for mode 'extractive', which needs no model, or for another model." },
  );
}
