/** One request of research: begun in the background, heard as it works, and taken up again wherever it was left. */
import type { AnswerEvent, Grounding } from '../../answer/contract.ts';
import { IbidError, isRefusal } from '../../core/errors.ts';
import type { Reservation } from '../../core/meter.ts';
import type { CallOptions } from '../../core/types.ts';
import {
  PartialResultError,
  type ResearchEvent,
  type ResearchRequest,
  type ResearchRun,
  researchSources,
  type SearchService,
} from '../../wire/search/index.ts';
import { isFinished } from '../../wire/search/research-parse.ts';
import type { LinkedWriter } from '../linked-writer.ts';
import type { EndedStep, KeptRun } from '../runs/journal.ts';
import type { RunLog } from '../runs/run-log.ts';
import { notWaitedFor, untilOver, withGrace } from '../runs/work.ts';

/** Text before a function call is about the search; what is longer than this is the answer and is told as it comes. */
const PREAMBLE = 400;

export interface RoundStop {
  readonly stop: Grounding['stop'];
  readonly error?: Error;
}

interface RoundEnd extends RoundStop {
  readonly run: KeptRun | undefined;
  /** The service's price, else the highest. */
  readonly costUsd: number;
}

export interface Round extends CallOptions {
  /** From 1. */
  readonly number: number;
  readonly isLast: boolean;
  /** Names the request in the journal. */
  readonly key: string;
  /** Highest price of the request. */
  readonly usd: number;
  readonly reservation: Reservation;
  readonly log: RunLog;
  readonly wait: boolean;
  readonly pollMs?: number | undefined;
}

/** What the service says of a run; the price is unknown until it says what was used. */
export function costOf(run: Pick<ResearchRun, 'usage' | 'cost'> | undefined): number | undefined {
  return run?.usage ? run.cost.usd : undefined;
}

/**
 * One request, told as it works. What a run says before it calls a function is thinking, not answer.
 * @throws IbidError BUDGET_EXCEEDED before anything is sent, NOT_READY where nobody waits, RUN_FAILED and what the
 * service throws while nothing is written
 */
export async function* runRound(
  service: SearchService,
  request: ResearchRequest,
  writer: LinkedWriter,
  round: Round,
): AsyncGenerator<AnswerEvent, RoundEnd, undefined> {
  const { log, key, reservation } = round;
  const known = log.request(round.number);
  const teller = new RunTeller(writer, round.isLast);
  let ended = known?.ended;
  let id = known?.id;
  let costUsd = known?.usd ?? 0;
  try {
    if (!ended) {
      if (id === undefined) {
        round.signal?.throwIfAborted();
        costUsd = round.usd;
        id = await begin(service, request, round);
      }
      yield { type: 'started', run: id };
      if (!round.wait) throw notWaitedFor(id);
      const run = yield* follow(service, id, teller, round);
      ended = { type: 'ended', key, run: keptOf(run), failure: failureOf(run) };
      await log.ended(ended);
    }
    costUsd = costOf(ended.run) ?? costUsd;
    return { ...(yield* finish(ended, teller, writer)), costUsd };
  } catch (error) {
    round.signal?.throwIfAborted();
    if (isRefusal(error) && id === undefined) costUsd = 0;
    if (!(error instanceof IbidError) || error.code === 'NOT_READY') throw error;
    if (writer.text === '' && !teller.hasText) throw error;
    yield* teller.flush();
    return { run: ended?.run, stop: 'broken', error, costUsd };
  } finally {
    // what is left at the service has cost something, nobody says how much
    reservation.settle(costUsd);
    if (id !== undefined && !ended && !log.isKept) await endQuietly(service, id);
  }
}

/** Written down before it is sent, and again with its name: a crash in between is known to have cost something. */
async function begin(
  service: SearchService,
  request: ResearchRequest,
  { number, key, usd, log, signal, onSilence }: Round,
): Promise<string> {
  await log.sending(number, usd, key);
  const grace = withGrace(signal);
  try {
    const { id } = await service.research.create(request, { signal: grace.signal, onSilence, onFailure: 'return' });
    await log.started(key, id);
    return id;
  } catch (error) {
    if (isRefusal(error)) await log.refused(key);
    throw error;
  } finally {
    grace.end();
  }
}

/** Hears the events of a run; where there are none to be had, looks until it is over. */
async function* follow(
  service: SearchService,
  id: string,
  teller: RunTeller,
  { signal, onSilence, pollMs }: Round,
): AsyncGenerator<AnswerEvent, ResearchRun, undefined> {
  const call = { signal, onSilence, onFailure: 'return', cancelOnAbort: false } as const;
  try {
    const stream = await service.research.resume(id, { ...call, onExpired: 'throw' });
    try {
      for await (const event of stream) {
        if (event.type === 'done') return event.run;
        yield* teller.tell(event);
      }
    } finally {
      await stream.cancel();
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof IbidError)) throw error;
    const partial = error instanceof PartialResultError ? (error.partial as ResearchRun | undefined) : undefined;
    if (partial && error.code === 'RUN_FAILED' && isFinished(partial.status)) return partial;
  }
  return yield* untilOver(
    {
      run: id,
      look: () => service.research.get(id, { signal }),
      statusOf: ({ status }) => status,
      isOver: isFinished,
    },
    { signal, pollMs },
  );
}

function* finish(
  { run, failure }: Pick<EndedStep, 'run' | 'failure'>,
  teller: RunTeller,
  writer: LinkedWriter,
): Generator<AnswerEvent, Omit<RoundEnd, 'costUsd'>, undefined> {
  const calls = failure === undefined && (run?.functionCalls.length ?? 0) > 0;
  yield* teller.end(run, calls);
  if (failure === undefined) return { run, stop: 'end' };
  const isCut = run?.status === 'incomplete';
  if (isCut && writer.text !== '') return { run, stop: 'length' };
  const hint = isCut ? 'Raise maxTokens: reasoning counts towards it.' : 'Ask again.';
  throw new IbidError('RUN_FAILED', failure, { hint });
}

export function keptOf(run: ResearchRun): KeptRun {
  const { id, status, outputText, sources, functionCalls, usage, cost, model } = run;
  const sandbox = run.response.output.filter(({ type }) => type === 'sandbox_results');
  return { id, status, outputText, sources, functionCalls, usage, cost, model, sandbox };
}

/** Undefined for a run that ended as it should, or waits for its functions. */
export function failureOf({ id, status, functionCalls, response }: ResearchRun): string | undefined {
  if (status === 'completed' || (status === 'requires_action' && functionCalls.length > 0)) return undefined;
  const why = response.error?.message ?? response.incomplete_details?.reason;
  return `run ${id} ended as ${status}${why === undefined ? '' : `: ${why}`}`;
}

/** Nobody will fetch it: it should not go on billing. That it cannot be ended must not hide why. */
async function endQuietly(service: SearchService, id: string): Promise<void> {
  await service.research.cancel(id, { timeouts: { totalMs: 1000 }, maxRetries: 0 }).catch(() => {});
}

/** Tells a run, from its events or from its end. */
class RunTeller {
  readonly #writer: LinkedWriter;
  readonly #items: { readonly type: string }[] = [];
  #held = '';
  #said = '';
  #isTold: boolean;
  #queries: readonly string[] = [];

  constructor(writer: LinkedWriter, isLast: boolean) {
    this.#writer = writer;
    this.#isTold = isLast;
  }

  get hasText(): boolean {
    return this.#held.trim() !== '';
  }

  *tell(event: ResearchEvent): Generator<AnswerEvent> {
    if (event.type === 'text') {
      this.#said += event.text;
      this.#held += event.text;
      if (!this.#isTold && this.#held.length <= PREAMBLE) return;
      yield* this.flush();
    } else if (event.type === 'item_done') {
      this.#items.push(event.item);
      this.#writer.setPages(researchSources(this.#items));
    } else if (event.type === 'search_queries') this.#queries = event.queries;
    else if (event.type === 'search_results')
      yield step('web_search', { queries: this.#queries }, event.results.length);
    else if (event.type === 'fetch_url_results')
      yield step('fetch_url', { urls: event.contents.map(({ url }) => url) }, event.contents.length);
    else if (event.type === 'reasoning_started' && event.thought) yield { type: 'thinking', text: event.thought };
  }

  *flush(): Generator<AnswerEvent> {
    this.#isTold = true;
    const text = this.#held;
    this.#held = '';
    if (text !== '') yield* this.#writer.write(text);
  }

  /** What the whole run holds beyond its events. @param calls whether it calls functions, and has not answered yet */
  *end(run: KeptRun | undefined, calls: boolean): Generator<AnswerEvent> {
    if (run) {
      this.#writer.setPages(run.sources);
      if (run.outputText.startsWith(this.#said)) this.#held += run.outputText.slice(this.#said.length);
    }
    if (!calls || this.#isTold) yield* this.flush();
    else if (this.#held.trim() !== '') yield { type: 'thinking', text: this.#held };
  }
}

function step(tool: string, input: object, found: number): AnswerEvent {
  return { type: 'step', tool, input: JSON.stringify(input), found };
}
