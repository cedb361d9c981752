import { assessAnswerability } from '../answer/answerability/answerability.ts';
import { bareQuestion } from '../answer/bare-question.ts';
import type { Answer, Answerability, AnswerEvent } from '../answer/contract.ts';
import { answerExtractive } from '../answer/extractive/extractive.ts';
import { answerGrounded } from '../answer/grounded/grounded.ts';
import type { EarlierTurn } from '../answer/grounded/request.ts';
import type { LanguageModel, ModelUsage } from '../answer/language-model.ts';
import { noUsage, sumOfUsage } from '../answer/model-usage.ts';
import { rewriteQuery, type StandaloneQuery } from '../answer/query-rewriting.ts';
import { variantChunks } from '../answer/sentences/checks/rivals.ts';
import { entryIn } from '../answer/sentences/manuals/entry-asked.ts';
import { asksSince } from '../answer/sentences/manuals/since-version.ts';
import type { WholeDocuments } from '../answer/sentences/question/candidate.ts';
import { openingChunks } from '../answer/sentences/rules/opening.ts';
import { phrasesFor } from '../answer/set-phrases.ts';
import { spelledAs } from '../answer/spelled.ts';
import { checkChoice, listOf, wordOf } from '../core/arguments.ts';
import { yieldToEventLoop } from '../core/event-loop.ts';
import type { Meter } from '../core/meter.ts';
import { answerInStage, inStage } from '../core/stages.ts';
import type { Hit } from '../core/types.ts';
import { withEarlierPassages } from '../passages/earlier.ts';
import type { LookOptions } from '../passages/look.ts';
import type { IndexView } from '../passages/view.ts';
import { collectionStatistics } from '../retrieve/collection-statistics.ts';
import { aboutAsked } from '../text/languages/about-documents.ts';
import { documentsAsked } from '../text/languages/documents-asked.ts';
import { membersAsked } from '../text/languages/members-asked.ts';
import type { AgentIndex } from './agent/tools.ts';
import type { BatchEvent, BatchQuestion, Retrieve } from './batch/contract.ts';
import { withChangeLogs } from './change-logs.ts';
import { answerOfContract } from './contract-parts.ts';
import { passagesOfOthers } from './documents-asked.ts';
import { withFallback } from './fallback.ts';
import { passagesOfReport } from './fault-reports.ts';
import { passagesOfIdentifiers } from './identifier-passages.ts';
import { passagesOfMember } from './member-passages.ts';
import { passagesOfNamed } from './named-files.ts';
import { passagesOfFolders } from './named-folders.ts';
import {
  type AgentAsk,
  type AnswerServiceAsk,
  type AskBatchOptions,
  type AskOptions,
  askModes,
  type ExtractiveAsk,
  type GroundedAsk,
  type ModeOptions,
  type ResearchAsk,
} from './options.ts';
import { passagesOfEntry } from './page-entries.ts';
import { type QuestionContext, QuestionSearch } from './question-search.ts';
import { withSilences } from './silence.ts';
import { answerOfPerson } from './two-steps.ts';
import { answerInParts } from './two-things.ts';
import { passagesOfWhole } from './whole-document.ts';
import { withWholeTables } from './whole-tables.ts';

// What talks to a service is imported when it is asked for: HTTP alone is a third of what starting a search would load.

/** The letter of an option, or a version's note of it, says little to a search among the words of its manual. */
const PASSAGES = { extractive: 10, ofEntry: 40, grounded: 20 };

/**
 * Answers a question, event by event; the last event is `done`. The texts joined are the answer's.
 * @throws IbidError INVALID_ARGUMENT, INVALID_FILTER, KEY_MISSING, BUDGET_EXCEEDED, and what a service throws before
 * the first word
 */
export async function* answerQuestion(
  context: QuestionContext,
  question: string,
  options: AskOptions,
): AsyncGenerator<AnswerEvent, void, undefined> {
  const answerIn = (given: ModeOptions, meter: Meter): AsyncIterable<AnswerEvent> =>
    withSilences(given, (call) => answerAs({ ...given, ...call }, { ...context, meter }));
  const answerAs = (mode: ModeOptions, own: QuestionContext): AsyncIterable<AnswerEvent> => {
    if (mode.mode === 'extractive') return extractive(own, question, mode);
    if (mode.mode === 'grounded') return grounded(own, question, mode);
    if (mode.mode === 'agent') return agent(own, question, mode);
    return mode.mode === 'research' ? research(own, question, mode) : answerService(own, question, mode);
  };
  yield* withFallback(modesOf(context, options), answerIn, { signal: options.signal, meter: context.meter });
}

/**
 * The mode asked for and those that answer instead, each once, each with its options. @throws IbidError
 * INVALID_ARGUMENT
 */
function modesOf({ providers }: QuestionContext, options: AskOptions): readonly ModeOptions[] {
  const { fallback = [], history, budget, signal, onSilence } = options;
  const where = 'where' in options ? options.where : undefined;
  const inherited = { where, history, budget, signal, onSilence };
  const named = fallback.map((entry) => (typeof entry === 'string' ? { mode: entry } : entry));
  const usual = providers.canWrite ? 'grounded' : 'extractive';
  const first: ModeOptions =
    // the mode decides which fields are read
    options.mode !== undefined ? options : ({ ...options, ...named[0], mode: named[0]?.mode ?? usual } as ModeOptions);
  const all = [first, ...named.map((entry) => ({ ...inherited, ...entry }) as ModeOptions)];
  const modes = all.filter(({ mode }, i) => all.findIndex((other) => other.mode === mode) === i);
  for (const { mode } of modes) wordOf(mode, 'mode', askModes);
  return modes;
}

async function* extractive(
  context: QuestionContext,
  question: string,
  options: ExtractiveAsk,
): AsyncGenerator<AnswerEvent> {
  const search = await QuestionSearch.open(context, options);
  const { query, before = [] } = await standaloneQuery(context, search.view, question, options);
  let corrected: string | undefined;
  const ask = async (asked: string): Promise<Answer> => {
    const given = await answerOnce(search, asked, options);
    corrected = given.question === asked ? undefined : given.question;
    return given;
  };
  const answer =
    (await answerInParts(query, ask, options.sentences)) ??
    (await answerOfPerson(bareQuestion(question), before, ask)) ??
    (await ask(query));
  const { hits } = answer;
  yield { type: 'hits', hits, query };
  for (const citation of answer.citations) yield { type: 'citation', citation };
  const text = answer.abstained ? refusalOf(question, search.view, hits) : answer.answer;
  yield { type: 'text', text };
  const { corrected: _, ...report } = search.report!;
  yield done(
    { ...answer, answer: text, question },
    { report: corrected === undefined ? report : { ...report, corrected } },
  );
}

/** The answer to a question that stands alone; its `question` has other words in place of misspelt ones. */
async function answerOnce(search: QuestionSearch, query: string, options: ExtractiveAsk): Promise<Answer> {
  const { sentences, signal, onSilence } = options;
  const { snapshot, calibration } = search.view;
  const isOfEntry = entryIn(query) !== undefined || asksSince(query) || membersAsked(query) !== undefined;
  const documents = documentsAsked(query);
  const isWide = isOfEntry || documents !== undefined;
  const { passages = isWide ? PASSAGES.ofEntry : PASSAGES.extractive } = options;
  const nearest = options.passages === undefined && !isWide;
  const found = await search.searchAll((documents ?? aboutAsked(query))?.subject ?? query, {
    ...{ limit: passages, nearest, opening: openingChunks, variants: variantChunks },
    ...{ signal, onSilence },
  });
  const asked = spelledAs(query, search.report?.corrected);
  const named = [
    ...found,
    ...(await passagesOfNamed(search, asked, found, { signal, onSilence })),
    ...(await passagesOfFolders(search, asked, found, { signal, onSilence })),
  ];
  const identifiers = await passagesOfIdentifiers(search, asked, named, { signal, onSilence });
  const entries = await passagesOfEntry(search, asked, named, { signal });
  const members = await passagesOfMember(search, asked, named, { signal });
  const reports = await passagesOfReport(search, asked, found);
  const opening = await passagesOfWhole(search, asked, found);
  const others = await passagesOfOthers(search, asked, found, { signal });
  const looked = [...named, ...identifiers, ...entries, ...members, ...reports, ...opening, ...others];
  const tables = await withWholeTables(search, asked, looked, { signal });
  const { hits, whole } = await withChangeLogs(search, asked, tables);
  const answerFrom = async (question: string, passages: readonly Hit[], tables?: WholeDocuments): Promise<Answer> => {
    const statistics = await collectionStatistics(snapshot.words ?? snapshot.lexical, question, { signal });
    await yieldToEventLoop();
    signal?.throwIfAborted();
    return answerExtractive(question, passages, statistics, { sentences, calibration }, tables);
  };
  return await inStage('answer', async () => {
    const answer = await answerFrom(asked, hits, whole);
    return { ...(await answerOfContract(search, asked, answer, hits, answerFrom, { signal })), question: asked };
  });
}

/** The text of a refusal. */
function refusalOf(question: string, { snapshot }: IndexView, hits: readonly Hit[]): string {
  const phrases = phrasesFor(question, hits);
  return snapshot.liveRows === 0 && hits.length === 0 ? phrases.noDocuments : phrases.refusal;
}

const done = (answer: Answer, { report }: Pick<QuestionSearch, 'report'>): AnswerEvent => ({
  type: 'done',
  answer: report ? { ...answer, report } : answer,
});

/** What to search for in place of a follow-up question. With a model it may be asked to rewrite it. */
async function standaloneQuery(
  { meter, rewritten }: QuestionContext,
  { snapshot }: IndexView,
  question: string,
  { history = [], signal, onSilence }: Pick<GroundedAsk, 'history' | 'signal' | 'onSilence'>,
  model?: LanguageModel,
): Promise<StandaloneQuery> {
  if (history.length === 0) return { query: bareQuestion(question), by: 'question', costUsd: 0 };
  const statistics = (text: string) => collectionStatistics(snapshot.words ?? snapshot.lexical, text, { signal });
  const options = { model, meter, statistics, cache: rewritten, signal, onSilence };
  return await inStage('rewrite query', () => rewriteQuery(question, history, options));
}

async function* grounded(
  context: QuestionContext,
  question: string,
  options: GroundedAsk,
): AsyncGenerator<AnswerEvent> {
  const { passages = PASSAGES.grounded, history, continues, maxTokens, signal, onSilence } = options;
  const model = context.providers.writer(options.model);
  const search = await QuestionSearch.open(context, options);
  const { query, costUsd, usage } = await standaloneQuery(context, search.view, question, options, model);
  const hits = await search.searchAll(query, { limit: passages, signal, onSilence });
  const answerability = { query, ...(await assessHits(search.view, query, hits, signal)) };
  const wanted = model.looks ? lookOptions(options.look) : undefined;
  const passed = await withEarlierPassages(history ?? [], search.view.snapshot, context.web.snapshots);
  const earlier: readonly EarlierTurn[] = model.looks ? await search.lookAgain(passed, { ...wanted, signal }) : passed;
  const before = earlier.flatMap(({ shown }) => shown?.media ?? []);
  const look = wanted && (await search.look(hits, { ...wanted, signal, before, first: before.length + 1 }));
  const call = {
    look,
    refusal: refusalOf(question, search.view, hits),
    history: earlier,
    continues,
    maxTokens,
    meter: context.meter,
    signal,
    onSilence,
  };
  for await (const event of answerInStage(answerGrounded(question, hits, answerability, model, call))) {
    if (event.type !== 'done') yield event;
    else yield done(usage || costUsd > 0 ? withCosts(event.answer, costUsd, usage) : event.answer, search);
  }
}

function lookOptions(look: boolean | LookOptions | undefined): LookOptions | undefined {
  checkChoice(look, 'look');
  return look === true ? {} : look || undefined;
}

/** An answer with what was spent before it was asked for. */
function withCosts(answer: Answer, costUsd: number, spent: ModelUsage = noUsage): Answer {
  const { grounding } = answer;
  if (!grounding) return answer;
  const usage = sumOfUsage(grounding.usage, spent);
  return { ...answer, grounding: { ...grounding, usage, costUsd: grounding.costUsd + costUsd } };
}

/**
 * Answers many questions through the batch operation, as `grounded` would.
 * @throws IbidError KEY_MISSING, INVALID_ARGUMENT, BUDGET_EXCEEDED before anything is sent, and what the service throws
 */
export async function* answerBatch(
  context: QuestionContext,
  questions: readonly BatchQuestion[],
  options: AskBatchOptions,
): AsyncGenerator<BatchEvent, void, undefined> {
  listOf(questions, 'questions');
  const { where, passages = PASSAGES.grounded, web, rerank, budget: _, ...batch } = options;
  const service = context.providers.messages('a batch of questions');
  const search = await QuestionSearch.open(context, { where, web, rerank });
  const retrieve: Retrieve = async (asked, { signal }) => {
    const question = bareQuestion(asked);
    const hits = await search.searchAll(question, { limit: passages, signal });
    return { hits, answerability: await assessHits(search.view, question, hits, signal) };
  };
  const { answerInBatch } = await import('./batch/answers.ts');
  for await (const event of answerInBatch(questions, retrieve, service, { ...batch, meter: context.meter })) {
    const { report } = search;
    yield event.type === 'done' && report ? { ...event, summary: { ...event.summary, report } } : event;
  }
}

/** How far the hits support an answer, by the index's own thresholds. */
async function assessHits(
  { snapshot, calibration }: IndexView,
  question: string,
  hits: readonly Hit[],
  signal: AbortSignal | undefined,
): Promise<Answerability> {
  const statistics = await collectionStatistics(snapshot.words ?? snapshot.lexical, question, { signal });
  return assessAnswerability(question, hits, statistics, { calibration });
}

async function* agent(context: QuestionContext, question: string, options: AgentAsk): AsyncGenerator<AnswerEvent> {
  const { history, maxTokens, maxTotalTokens, preset, maxSteps, signal, onSilence, model } = options;
  const { tools, mcpServers, confirm } = options;
  const chosen = context.providers.agent(model?.model);
  const search = await QuestionSearch.open(context, options);
  const { answerAsAgent } = await import('./agent/agent.ts');
  const earlier = await withEarlierPassages(history ?? [], search.view.snapshot, context.web.snapshots);
  const wanted = chosen.looks ? lookOptions(options.look) : undefined;
  const index: AgentIndex = {
    search: (query, call) => search.search(query, call),
    read: (uri, from, to, { beside }) => search.read(uri, from, to, beside),
    searchWeb: search.searchWeb,
    look: wanted && ((found, call) => search.look(found, { ...wanted, ...call })),
  };
  const events = answerAsAgent(question, index, chosen.tools, {
    model: chosen.model,
    thinking: model?.thinking,
    effort: model?.effort,
    cache: model?.cache,
    inferenceGeo: model?.inferenceGeo,
    serviceTier: model?.serviceTier,
    history: earlier,
    maxTokens,
    maxTotalTokens,
    preset,
    maxSteps,
    tools,
    mcpServers,
    confirm,
    meter: context.meter,
    signal,
    onSilence,
  });
  for await (const event of answerInStage(events)) yield event.type === 'done' ? done(event.answer, search) : event;
}

async function* research(
  context: QuestionContext,
  question: string,
  options: ResearchAsk,
): AsyncGenerator<AnswerEvent> {
  const { where, rerank, mode: _, fallback: __, budget: ___, ...rest } = options;
  const service = context.providers.search('research');
  const search = await QuestionSearch.open(context, { where, rerank });
  const { answerByResearch } = await import('./research/research.ts');
  const events = answerByResearch(question, search, service, { ...rest, meter: context.meter }, { where, rerank });
  for await (const event of answerInStage(events)) yield event.type === 'done' ? done(event.answer, search) : event;
}

/** From the web alone: no document is looked at. */
async function* answerService(
  { providers, meter }: Pick<QuestionContext, 'providers' | 'meter'>,
  question: string,
  options: AnswerServiceAsk,
): AsyncGenerator<AnswerEvent> {
  const { mode: _, fallback: __, budget: ___, ...rest } = options;
  const service = providers.search('an answer of the search service');
  const { answerByService } = await import('./answer-service.ts');
  yield* answerInStage(answerByService(question, service, { ...rest, meter }));
}
