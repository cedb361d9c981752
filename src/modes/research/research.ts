import type { AnswerEvent } from '../../answer/contract.ts';
import type { ModelUsage } from '../../answer/language-model.ts';
import { wordsOf } from '../../core/arguments.ts';
import { IbidError } from '../../core/errors.ts';
import { Meter, type Reservation } from '../../core/meter.ts';
import { countOf } from '../../wire/messages/index.ts';
import { answeredCalls, type ResearchUsage, type SearchService } from '../../wire/search/index.ts';
import { LinkedWriter } from '../linked-writer.ts';
import { type KeptOutput, type KeptRun, newRunKey } from '../runs/journal.ts';
import { RunLog } from '../runs/run-log.ts';
import { citedComputations, computationsOf, toldComputations } from './computations.ts';
import type { ResearchAnswerOptions, ResearchIndex } from './contract.ts';
import { ResearchFunctions } from './functions.ts';
import { conversationOf, modelName, requestOf, resolveSteps, worstUsd } from './request.ts';
import { type RoundStop, runRound } from './round.ts';

/**
 * An answer of the service's own research agent, which searches the web and, through functions, the index and whatever
 * the caller offers. What it says of the documents is proven as everywhere; pages of the web are links. Each request
 * works in the background: a broken connection, an abort or the end of this process do not end it, and the journal of
 * the options says where to go on. A run that breaks off keeps what was written.
 * @param kept further options of the question that its journal remembers
 * @throws IbidError INVALID_ARGUMENT, BUDGET_EXCEEDED, NOT_READY, and what the service throws before the first word
 */
export async function* answerByResearch(
  question: string,
  index: ResearchIndex,
  service: SearchService,
  options: ResearchAnswerOptions,
  kept: Readonly<Record<string, unknown>>,
): AsyncGenerator<AnswerEvent, void, undefined> {
  wordsOf(question, 'the question');
  const { signal, onSilence, meter = new Meter(), wait = true, pollMs, journal } = options;
  if (!wait && !journal) throw new IbidError('INVALID_ARGUMENT', '`wait: false` needs a `journal` to resume from');
  const rounds = resolveSteps(options) + 1;
  const writer = new LinkedWriter();
  const functions = new ResearchFunctions(index, writer, options.functions);
  let input = conversationOf(question, options);
  service.research.estimateCost(requestOf(input, functions, options, false)); // what is wrong is said before anything is written down
  const log = await RunLog.open(journal, {
    question,
    options: { ...keptOptions(options), ...kept },
    functions: Object.keys(options.functions ?? {}),
    budgetUsd: meter.budgetUsd,
  });
  try {
    const tracker = new UsageTracker();
    log.giveUpUnnamed();
    for (const { key, usd } of log.lost) meter.reserve(0, key).settle(usd);
    let ending: RoundStop = { stop: 'end' };
    for (let number = 1; number <= rounds; number++) {
      const isLast = number === rounds;
      const request = requestOf(input, functions, options, isLast);
      const known = log.request(number);
      const key = known?.key ?? newRunKey();
      const usd = known?.usd ?? worstUsd(service, request, options);
      let reservation: Reservation;
      try {
        reservation = meter.reserve(known ? 0 : usd, key);
      } catch (error) {
        if (number === 1) throw error;
        ending = { stop: 'budget' };
        break;
      }
      const round = { number, isLast, key, usd, reservation, log, wait, pollMs, signal, onSilence };
      const { run, stop, error, costUsd } = yield* runRound(service, request, writer, round);
      tracker.add(run, costUsd);
      if (stop !== 'end') {
        ending = { stop, ...(error ? { error } : {}) };
        break;
      }
      const calls = run?.functionCalls ?? [];
      if (!run || calls.length === 0) break;
      const outputs = (yield* answered(log, number, run, functions, signal)).map((one, i) => ({
        call: calls[i]!,
        output: one.output,
      }));
      input = [...input, ...answeredCalls(run, outputs)];
      if (isLast) ending = { stop: 'steps' };
    }
    const computations = computationsOf(tracker.sandbox, functions);
    yield* writer.write(toldComputations(computations));
    yield* writer.end();
    yield { type: 'hits', hits: functions.hits, query: question };
    const { model = modelName(options), usage } = tracker;
    const costUsd = log.lost.reduce((sum, { usd }) => sum + usd, tracker.costUsd);
    const computed = computations.length > 0 ? { computations: citedComputations(computations, writer.citations) } : {};
    const grounding = { model, ...ending, usage, costUsd, ...computed };
    const answer = writer.finish(question, functions.hits, grounding);
    if (ending.stop !== 'broken' && ending.stop !== 'budget') await log.done();
    if (writer.text === '') yield { type: 'text', text: answer.answer };
    yield { type: 'done', answer };
  } catch (error) {
    if (error instanceof IbidError && ['RUN_FAILED', 'REMOTE_NOT_FOUND'].includes(error.code)) await log.done();
    throw error;
  } finally {
    await log.close();
  }
}

/** What is plain data; a run is resumed with it. */
function keptOptions(options: ResearchAnswerOptions): Readonly<Record<string, unknown>> {
  const { preset, model, maxSteps, maxTokens, effort, instructions, language, metadata, web, sandbox } = options;
  const history = (options.history ?? []).map(({ role, text }) => ({ role, text }));
  const own = { preset, model, maxSteps, maxTokens, effort, instructions, language, metadata, web, sandbox };
  return { mode: 'research', ...own, history };
}

/** The answers to a run's calls: those of the journal, else new ones, which are written down. */
async function* answered(
  log: RunLog,
  number: number,
  run: KeptRun,
  functions: ResearchFunctions,
  signal: AbortSignal | undefined,
): AsyncGenerator<AnswerEvent, readonly KeptOutput[], undefined> {
  const { key, outputs: before } = log.request(number)!; // it has ended
  const outputs = before ?? (await functions.answer(run.functionCalls, number, { signal }));
  if (before) functions.recall(before);
  else await log.called(key, outputs);
  for (const [i, { name, arguments: args }] of run.functionCalls.entries())
    yield { type: 'step', tool: name, input: args, found: outputs[i]?.found ?? 0 };
  return outputs;
}

/** What all rounds used. */
class UsageTracker {
  model: string | undefined;
  costUsd = 0;
  readonly sandbox: KeptRun['sandbox'][number][] = [];
  #input = 0;
  #output = 0;
  #cached = 0;

  add(run: KeptRun | undefined, costUsd: number): void {
    this.costUsd += costUsd;
    this.model = run?.model ?? this.model;
    this.sandbox.push(...(run?.sandbox ?? []));
    const usage: ResearchUsage = run?.usage ?? {};
    // open fields of the wire
    const details = usage.input_tokens_details as { readonly cached_tokens?: unknown } | null | undefined;
    this.#input += countOf(usage.input_tokens);
    this.#output += countOf(usage.output_tokens);
    this.#cached += countOf(details?.cached_tokens);
  }

  get usage(): ModelUsage {
    return {
      inputTokens: this.#input,
      outputTokens: this.#output,
      cacheReadTokens: this.#cached,
      cacheWriteTokens: 0,
    };
  }
}
