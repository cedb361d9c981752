import {
  type Answer,
  type AnswerEvent,
  type AskOptions,
  type Citation,
  describePath,
  describePlace,
  type Grounding,
  IbidError,
  type RelatedPassage,
  type SearchIndex,
  type WebLink,
} from '../index.ts';
import type { Settings } from './config/settings.ts';
import { exitCodes } from './exit-codes.ts';
import { hasKey, searchService } from './keys.ts';
import { outStream, say, tell } from './say.ts';
import { SilenceLine } from './silence-line.ts';
import { bold, counted, dim, printable, printableLine, snippet } from './text.ts';
import { tellReport } from './web.ts';

/** How an answer comes to stdout: as it is written, when it is whole, or not as text at all. */
type Printing = 'streamed' | 'whole' | 'not';

/** How an answer and its sources are printed. */
export interface PrintOptions {
  readonly printing: Printing;
  readonly quotes?: boolean | undefined;
  readonly settings: Settings;
}

/** Prints an answer, and on stderr what happens on the way to it; the events' last one is the answer. */
export async function printAnswer(events: AsyncIterable<AnswerEvent>, printing: Printing): Promise<Answer> {
  const out = new TerminalText();
  const silence = new SilenceLine(printing !== 'not');
  let answer: Answer | undefined;
  const cited: Citation[] = [];
  try {
    for await (const event of events) {
      if (event.type === 'silence') silence.tell(event.silence, out.isInLine);
      else if (event.type === 'waiting') silence.wait(event, out.isInLine);
      else silence.clear();
      if (event.type === 'citation') cited.push(event.citation);
      if (event.type === 'text' && printing === 'streamed') writeMarked(out, event.text, cited);
      else if (event.type === 'step')
        tell(dim(`${printableLine(event.tool)} ${printableLine(event.input)} → ${event.found}`, process.stderr));
      else if (event.type === 'skipped') {
        const { mode, code, message, costUsd } = event.skipped;
        const cost = costUsd === undefined ? '' : `; it has cost ${costUsd.toFixed(6)} USD`;
        tell(`note: ${mode} could not answer: ${printable(message)} [${code}]${cost}`);
      } else if (event.type === 'done') answer = event.answer;
    }
  } finally {
    silence.clear();
  }
  if (!answer) throw new IbidError('RESPONSE_INVALID', 'the answer ended without an end');
  if (printing === 'whole') writeMarked(out, answer.answer, answer.citations);
  out.end();
  return answer;
}

/** The answer with the words that were asked for in bold. Only an extractive answer has such words; it comes whole. */
function writeMarked(out: TerminalText, text: string, citations: readonly Citation[]): void {
  let from = 0;
  for (const { answerSpan, highlight = [], quote, span } of citations) {
    const { start: first, end: last } = answerSpan;
    for (const { start, end } of highlight) {
      const said = text.slice(first, last);
      const exact = quote.slice(start - span.start, end - span.start).replace(/\s+/g, ' ');
      const words = said.includes(exact) ? exact : exact.replace(/[`*]/g, '');
      const at = first + placeOf(words, quote.slice(0, start - span.start), said);
      if (at < Math.max(first, from)) continue;
      out.write(text.slice(from, at));
      out.write(text.slice(at, at + words.length), bold);
      from = at + words.length;
    }
  }
  out.write(text.slice(from));
}

/**
 * Where the words of a quote stand in what is said of it: of several places the one behind as many letters as in the
 * quote, since marks are left out of what is said. Of a sentence in capitals it has small letters.
 * @returns -1 where nowhere
 */
function placeOf(words: string, before: string, said: string): number {
  const letters = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  const small = said.toLowerCase();
  const isSmall = !said.includes(words) && small.length === said.length;
  const [text, sought] = isSmall ? [small, words.toLowerCase()] : [said, words];
  const wanted = letters(before);
  let best = -1;
  let nearest = Number.POSITIVE_INFINITY;
  let passed = 0;
  for (let from = 0, at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + 1)) {
    passed += letters(text.slice(from, at));
    from = at;
    if (Math.abs(passed - wanted) >= nearest) break;
    nearest = Math.abs(passed - wanted);
    best = at;
  }
  return best;
}

/** What stands below an answer: its citations, its links, and what to think of it. */
export function printSources(answer: Answer, quotes = false): void {
  const { citations, grounding } = answer;
  const links = grounding?.links ?? [];
  if (answer.confidence === 'low' && answer.mode !== 'extractive')
    say(
      dim(
        links.length > 0 && citations.length === 0
          ? 'Written by a service from the web; nothing of it was checked.'
          : 'The documents may not answer the question.',
      ),
    );
  if (citations.length > 0) say();
  for (const citation of citations) {
    printSource(citation);
    if (quotes || !isSaid(answer, citation)) say(`    “${printable(citation.quote.replace(/\s+/gu, ' '))}”`);
  }
  printRelated(answer, quotes);
  if (links.length > 0) say(`\nPages the service names, not checked:`);
  for (const link of links) printLink(link);
  printExtras(grounding);
  if (grounding && !answer.abstained) {
    const { unsupported, dropped } = grounding;
    if (unsupported.length > 0) say(dim(`${counted(unsupported.length, 'sentence')} without a proven citation`));
    if (dropped.length > 0) say(dim(`${counted(dropped.length, 'citation')} left out: not proven`));
  }
  if (!grounding?.links) say(dim(`support ${answer.support.toFixed(2)}`));
}

function printSource(passage: Citation | RelatedPassage): void {
  const where = printableLine(describePlace(passage.place));
  const doubt = passage.verified ? '' : '  (not verified)';
  const source = printableLine(`${passage.reference}${where ? `, ${where}` : ''}`);
  say(`[${passage.n}] ${source}  ${dim(printableLine(describePath(passage)))}${doubt}`);
  if (passage.media !== undefined) say(`    ${printableLine(passage.media)}`);
}

/** Passages beside the answer: what else comes near, or all that does where the answer is not known. */
function printRelated({ abstained, related = [] }: Answer, quotes: boolean): void {
  if (related.length === 0) return;
  say(abstained ? '\nThe nearest passages, which do not seem to answer it:' : '\nRelated passages:');
  for (const passage of related) {
    printSource(passage);
    say(`    ${quotes ? `“${printable(passage.quote.replace(/\s+/gu, ' '))}”` : snippet(passage.text, relatedChars)}`);
  }
}

/** Of a related passage, unless quotes are asked for. */
const relatedChars = 200;

/** Whether the answer repeats the quote, marks of Markdown, of items and of notes aside. */
function isSaid({ answer }: Answer, { quote, answerSpan: { start, end } }: Citation): boolean {
  const marks = /^[ \t]*(?:```\w*|\d{1,3}[.)](?=[ \t]))|\[\d+\]/gm;
  const words = (text: string): string => text.replace(marks, '').replace(/[^\p{L}\p{N}]+/gu, '');
  return words(quote) === words(answer.slice(start, end));
}

function printLink({ n, url, title, date }: WebLink): void {
  say(`[${n}] ${printableLine(title)}${date ? `, ${printableLine(date)}` : ''}`);
  say(dim(`    ${printableLine(url)}`));
}

/** What a service gives beside the text: code that it ran, pictures, further questions. */
function printExtras({ computations = [], images = [], relatedQuestions = [] }: Partial<Grounding> = {}): void {
  for (const { language, code, output, errors, exitCode, inputs, unproven } of computations) {
    say(`\nComputed by the service (${printableLine(language)}):`);
    say(indented(code));
    say(exitCode === 0 ? 'Output:' : `Output, exit status ${exitCode}:`);
    say(indented(output + errors));
    const proven = inputs.map(({ value, n }) => `${value} [${n}]`).join(', ');
    say(
      dim(
        printableLine(
          `from your documents: ${proven || 'nothing'}${unproven.length > 0 ? `; from no passage: ${unproven.join(', ')}` : ''}`,
        ),
      ),
    );
  }
  if (images.length > 0) say('\nPictures the service names, not checked:');
  for (const { url, title, width, height } of images) {
    const pixels = width !== undefined && height !== undefined ? `, ${width} × ${height}` : '';
    say(`  ${printableLine(title ?? url)}${pixels}`);
    if (title !== undefined) say(dim(`    ${printableLine(url)}`));
  }
  if (relatedQuestions.length > 0) say('\nFurther questions:');
  for (const question of relatedQuestions) say(`  ${printableLine(question)}`);
}

function indented(text: string): string {
  return printable(text.trimEnd()).replace(/^/gm, '    ');
}

const endings: Readonly<Record<string, string>> = {
  length: 'the answer reached its longest length; raise --max-tokens',
  context: "the model's window is full",
  steps: 'the steps ran out; it answered from what it had found',
  budget: 'the budget ran out; it answered from what it had found',
};

/** The receipt and the end, on stderr. @returns the exit status */
export function reportEnd({ mode, grounding, report, skipped = [] }: Answer): number {
  if (!grounding) return exitCodes.done;
  const { model, usage, costUsd, savedUsd = 0, stop, error } = grounding;
  const saved = savedUsd > 0 ? `, ${savedUsd.toFixed(6)} USD saved` : '';
  const cached = usage.cacheReadTokens > 0 ? ` (${usage.cacheReadTokens} from the cache${saved})` : '';
  const before = skipped.reduce((sum, one) => sum + (one.costUsd ?? 0), 0);
  const usd = (before + costUsd + (report?.costUsd ?? 0)).toFixed(6);
  tell(
    `${mode ?? 'answered'} by ${printable(model)}: ${usage.inputTokens} tokens in${cached}, ${usage.outputTokens} out, ${usd} USD`,
  );
  if (endings[stop]) tell(`note: ${endings[stop]}`);
  if (stop !== 'broken') return exitCodes.done;
  const code = error instanceof IbidError ? error.code : 'STREAM_BROKEN';
  tell(`error[${code}]: ${printable(error?.message ?? 'the stream ended before its end')}`);
  tell('hint: what was written by then is above; ask again for the rest.');
  return exitCodes.unexpected;
}

/** Text for stdout in pieces, safe to show however it is cut. */
class TerminalText {
  #held = '';
  #last = '\n';

  write(text: string, style: (text: string) => string = (plain) => plain): void {
    const whole = this.#held + text;
    // half of a character waits for its other half
    const isCut = /[\ud800-\udbff]$/.test(whole);
    this.#held = isCut ? whole.slice(-1) : '';
    this.#put(isCut ? whole.slice(0, -1) : whole, style);
  }

  get isInLine(): boolean {
    return this.#last !== '\n';
  }

  end(): void {
    this.#put(this.#held);
    this.#held = '';
    if (this.#last !== '\n') this.#put('\n');
  }

  #put(text: string, style = (plain: string): string => plain): void {
    if (text === '') return;
    this.#last = text.at(-1)!;
    outStream().write(style(printable(text)));
  }
}

/** The documents do not support an answer, and there is a key to look further with. */
function mayBeOnTheWeb({ confidence, mode, grounding, report }: Answer, settings: Settings): boolean {
  const isOwn = mode === 'extractive' || mode === 'grounded';
  return (
    confidence === 'none' && isOwn && !report?.web && !grounding?.error && hasKey(searchService, settings.environment)
  );
}

/** Asks once, and prints. */
export async function askOnce(
  index: SearchIndex,
  question: string,
  options: AskOptions,
  print: PrintOptions,
): Promise<Answer> {
  const answer = await showAnswer(index.ask(question, options), print);
  await tellIfEmpty(index, answer);
  return answer;
}

/** Where nothing was found because nothing is there, says how documents come in. */
export async function tellIfEmpty(index: SearchIndex, { hits, mode }: Pick<Answer, 'hits' | 'mode'>): Promise<void> {
  if (hits.length > 0 || mode === 'answer' || (await index.documentPage({ limit: 1 })).total > 0) return;
  tell('hint: the index has no documents; `ibid ingest <folder>` reads a folder.');
}

/** Prints an answer as it comes, with its sources, and says on stderr what could not be done. */
export async function showAnswer(
  events: AsyncIterable<AnswerEvent>,
  { printing, quotes, settings }: PrintOptions,
): Promise<Answer> {
  const answer = await printAnswer(events, printing);
  if (printing !== 'not') printSources(answer, quotes);
  tellReport(answer.report);
  if (answer.mode === 'extractive' && answer.report?.corrected !== undefined)
    tell(`asked as: ${printableLine(answer.report.corrected)}`);
  if (mayBeOnTheWeb(answer, settings)) tell('note: the web was not asked; --web asks it too');
  return answer;
}
