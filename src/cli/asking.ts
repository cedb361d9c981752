import {
  type AgentPreset,
  type Answer,
  type AnswerEvent,
  type AskMode,
  type AskOptions,
  type Citation,
  type HistoryTurn,
  IbidError,
  Meter,
  type ModeOptions,
  type Reservation,
  type SearchIndex,
  type WebLink,
  type WebOptions,
} from '../index.ts';
import type { CommonFlags } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { citationIn } from './json.ts';
import { hasKey, searchService } from './keys.ts';
import { counted, describePlace, dim, printable } from './text.ts';
import type { WebFlags } from './web.ts';

export interface AskFlags extends CommonFlags, Omit<WebFlags, 'web'> {
  readonly web?: boolean;
  readonly where?: string;
  readonly sentences?: number;
  readonly passages?: number;
  readonly rerank?: boolean;
  readonly mode?: AskMode;
  readonly extractive?: boolean;
  readonly agent?: boolean;
  readonly fallback?: readonly AskMode[];
  readonly preset?: AgentPreset;
  readonly model?: string;
  readonly effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max';
  /** The model marks its sources itself. */
  readonly marks?: boolean;
  /** Tokens. */
  readonly thinking?: number;
  readonly maxSteps?: number;
  readonly maxTokens?: number;
  readonly maxTotalTokens?: number;
  readonly budget?: number;
  readonly history?: string;
  readonly continue?: boolean;
  readonly stream: boolean;
  /** Every citation's quote, also where the answer says the same. */
  readonly quotes?: boolean;
  readonly batch?: string;
  readonly output?: string;
  readonly wait?: boolean;
  readonly domain?: readonly string[];
  /** Research without the web. */
  readonly ownDocumentsOnly?: boolean;
  readonly contextSize?: 'low' | 'medium' | 'high';
}

/** A call that may cost this much is told of before it is made, in USD. */
const TELL_FROM = 0.05;

/** Says on stderr what a dear call may cost before it is sent. */
class TellingMeter extends Meter {
  override reserve(usd: number): Reservation {
    const reservation = super.reserve(usd);
    if (usd >= TELL_FROM) console.error(`note: the next call costs at most ${usd.toFixed(2)} USD`);
    return reservation;
  }
}

/** The meter of the flags' budget. */
export function budgetOf({ budget }: AskFlags): Meter {
  return new TellingMeter(budget);
}

/** The mode asked for. @throws IbidError INVALID_ARGUMENT for two that contradict each other */
export function modeOf({ mode, extractive, agent }: AskFlags): AskMode | undefined {
  const asked = new Set(
    [mode ?? [], extractive ? ('extractive' as const) : [], agent ? ('agent' as const) : []].flat(),
  );
  if (asked.size > 1)
    throw new IbidError(
      'INVALID_ARGUMENT',
      `--mode, --extractive and --agent contradict each other: ${[...asked].join(', ')}`,
    );
  return [...asked][0];
}

/** What a question has beside its flags. */
export interface AskCall {
  readonly history?: readonly HistoryTurn[] | undefined;
  readonly web?: WebOptions | undefined;
  readonly signal: AbortSignal;
  /** @default a meter of the flags' budget */
  readonly budget?: Meter | undefined;
  /** The next question will have this one before it. */
  readonly continues?: boolean;
}

/** What the flags mean for the library. A model's name and effort belong to the mode that was asked for. */
export function askOptions(
  flags: AskFlags,
  { history, web, signal, continues, budget = budgetOf(flags) }: AskCall,
): AskOptions {
  const mode = modeOf(flags);
  const { effort, thinking, domain, contextSize, where, rerank, passages, maxTokens } = flags;
  const { preset, maxSteps, maxTotalTokens } = flags;
  const first = mode ?? flags.fallback?.[0];
  if (flags.marks && first !== undefined && first !== 'grounded')
    throw new IbidError('INVALID_ARGUMENT', `--marks has a meaning for grounded answers, not for ${first}`);
  const isService = first === 'research' || first === 'answer';
  const named = (wanted: AskMode) => (first === wanted ? { model: flags.model, effort } : {});
  const sites = domain ? { search_domain_filter: domain } : undefined;
  const model = {
    ...(isService ? {} : { model: flags.model, effort }),
    ...(flags.marks ? { citations: false } : {}),
    ...(thinking === undefined
      ? {}
      : {
          thinking:
            thinking === 0 ? ({ type: 'disabled' } as const) : ({ type: 'enabled', budget_tokens: thinking } as const),
        }),
  };
  const optionsOf = (one: AskMode): ModeOptions => {
    const common = { history, signal };
    if (one === 'extractive') return { mode: one, ...common, where, rerank, web, passages, sentences: flags.sentences };
    if (one === 'grounded') return { mode: one, ...common, where, rerank, web, passages, model, maxTokens, continues };
    if (one === 'agent')
      return { mode: one, ...common, where, rerank, web, model, maxTokens, preset, maxSteps, maxTotalTokens };
    if (one === 'research') {
      const pages = flags.ownDocumentsOnly ? false : sites;
      return { mode: one, ...common, where, rerank, ...named(one), web: pages, maxTokens, preset, maxSteps };
    }
    const asked = named(one);
    const most = asked.effort === 'xhigh' || asked.effort === 'max' ? 'high' : asked.effort;
    return { mode: one, ...common, model: asked.model, effort: most, contextSize, web: sites, maxTokens };
  };
  const fallback = flags.fallback?.map(optionsOf);
  if (first !== undefined) return { ...optionsOf(first), fallback, budget };
  return {
    where,
    rerank,
    web,
    passages,
    history,
    signal,
    sentences: flags.sentences,
    model,
    maxTokens,
    continues,
    budget,
  };
}

/** How an answer comes to stdout: as it is written, when it is whole, or not as text at all. */
export type Printing = 'streamed' | 'whole' | 'not';

/** How an answer and its sources are printed. */
export interface PrintOptions {
  readonly printing: Printing;
  readonly quotes?: boolean | undefined;
}

/** Prints an answer, and on stderr what happens on the way to it; the events' last one is the answer. */
export async function printAnswer(events: AsyncIterable<AnswerEvent>, printing: Printing): Promise<Answer> {
  const out = new TerminalText();
  let answer: Answer | undefined;
  for await (const event of events) {
    if (event.type === 'text' && printing === 'streamed') out.write(event.text);
    else if (event.type === 'step')
      console.error(dim(`${event.tool} ${printable(event.input)} → ${event.found}`, process.stderr));
    else if (event.type === 'skipped') {
      const { mode, code, message } = event.skipped;
      console.error(`note: ${mode} could not answer: ${printable(message)} [${code}]`);
    } else if (event.type === 'done') answer = event.answer;
  }
  if (!answer) throw new IbidError('RESPONSE_INVALID', 'the answer ended without an end');
  if (printing === 'whole') out.write(answer.answer);
  out.end();
  return answer;
}

/** What stands below an answer: its citations, its links, and what to think of it. */
export function printSources(answer: Answer, quotes = false): void {
  const { citations, grounding } = answer;
  const links = grounding?.links ?? [];
  if (answer.band === 'closest')
    console.log(
      dim(
        links.length > 0 && citations.length === 0
          ? 'Written by a service from the web; nothing of it was checked.'
          : 'The closest passages; they may not answer the question.',
      ),
    );
  if (citations.length > 0) console.log();
  for (const citation of citations) {
    const where = describePlace(citation.place);
    const path = [citation.title, ...citation.headings].join(' › ');
    const doubt = citation.verified ? '' : '  (not verified)';
    const source = printable(`${citationIn(answer, citation)}${where ? `, ${where}` : ''}`);
    console.log(`[${citation.n}] ${source}  ${dim(printable(path))}${doubt}`);
    if (quotes || !isSaid(answer, citation)) console.log(`    “${printable(citation.quote.replace(/\s+/gu, ' '))}”`);
  }
  if (links.length > 0) console.log(`\nPages the service names, not checked:`);
  for (const link of links) printLink(link);
  if (grounding && !answer.abstained) {
    const { unsupported, dropped } = grounding;
    if (unsupported.length > 0)
      console.log(dim(`${counted(unsupported.length, 'sentence')} without a proven citation`));
    if (dropped.length > 0) console.log(dim(`${counted(dropped.length, 'citation')} left out: not proven`));
  }
  if (!grounding?.links) console.log(dim(`support ${answer.support.toFixed(2)}`));
}

/** Whether the answer repeats the quote, marks of Markdown aside. */
function isSaid({ answer }: Answer, { quote, answerSpan: { start, end } }: Citation): boolean {
  const words = (text: string): string => text.replace(/^```\w*/gm, '').replace(/[^\p{L}\p{N}]+/gu, '');
  return words(quote) === words(answer.slice(start, end));
}

function printLink({ n, url, title, date }: WebLink): void {
  console.log(`[${n}] ${printable(title)}${date ? `, ${printable(date)}` : ''}`);
  console.log(dim(`    ${printable(url)}`));
}

const endings: Readonly<Record<string, string>> = {
  length: 'the answer reached its longest length; raise --max-tokens',
  context: "the model's window is full",
  steps: 'the steps ran out; it answered from what it had found',
  budget: 'the budget ran out; it answered from what it had found',
};

/** The receipt and the end, on stderr. @returns the exit status */
export function reportEnd({ mode, grounding }: Answer, otherUsd = 0): number {
  if (!grounding) return exitCodes.done;
  const { model, usage, costUsd, stop, error } = grounding;
  const cached = usage.cacheReadTokens > 0 ? ` (${usage.cacheReadTokens} from the cache)` : '';
  const usd = (costUsd + otherUsd).toFixed(6);
  console.error(
    `${mode ?? 'answered'} by ${printable(model)}: ${usage.inputTokens} tokens in${cached}, ${usage.outputTokens} out, ${usd} USD`,
  );
  if (endings[stop]) console.error(`note: ${endings[stop]}`);
  if (stop !== 'broken') return exitCodes.done;
  const code = error instanceof IbidError ? error.code : 'STREAM_BROKEN';
  console.error(`error[${code}]: ${printable(error?.message ?? 'the stream ended before its end')}`);
  console.error('hint: what was written by then is above; ask again for the rest.');
  return exitCodes.unexpected;
}

/** Text for stdout in pieces, safe to show however it is cut. */
class TerminalText {
  #held = '';
  #last = '\n';

  write(text: string): void {
    const whole = this.#held + text;
    // half of a character waits for its other half
    const isCut = /[\ud800-\udbff]$/.test(whole);
    this.#held = isCut ? whole.slice(-1) : '';
    this.#put(isCut ? whole.slice(0, -1) : whole);
  }

  end(): void {
    this.#put(this.#held);
    this.#held = '';
    if (this.#last !== '\n') this.#put('\n');
  }

  #put(text: string): void {
    if (text === '') return;
    this.#last = text.at(-1)!;
    process.stdout.write(printable(text));
  }
}

/** The documents do not support an answer, and there is a key to look further with. */
function mayBeOnTheWeb({ band, mode, grounding }: Answer, { web }: AskOptions): boolean {
  const isOwn = mode === 'extractive' || mode === 'grounded';
  return band === 'refused' && isOwn && !web && !grounding?.error && hasKey(searchService);
}

/** Asks once, prints, and remembers. */
export async function askOnce(
  index: SearchIndex,
  question: string,
  options: AskOptions,
  { printing, quotes }: PrintOptions,
): Promise<Answer> {
  const answer = await printAnswer(index.ask(question, options), printing);
  if (printing !== 'not') printSources(answer, quotes);
  if (mayBeOnTheWeb(answer, options)) console.error('note: the web was not asked; --web asks it too');
  return answer;
}
