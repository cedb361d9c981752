import { isRecord } from '../../core/records.ts';
import { factsOf, infoOf, type Shape, shaped, shapedList, type Where } from '../http/answer.ts';
import type { ReplyInfo } from '../http/contract.ts';
import { type Cost, type CostPart, costOf, noCost, perMillion } from '../http/cost.ts';
import { ask, type Sent } from '../http/endpoint.ts';
import { serviceCost, sourceOf } from './answer-parse.ts';
import { PartialResultError, reported } from './failures.ts';
import { type Citation, findCitations, normaliseUrl, type Source } from './markers.ts';
import { type Open, optionalNumber, optionalQuantity, optionalText, records } from './parse.ts';
import type { PriceTable } from './prices.ts';
import type { SearchProfile } from './profile.ts';
import { reservedFunctions } from './research-check.ts';
import type { FunctionCall, OutputItem, ResearchResponse, ResearchRun, ResearchUsage } from './research-types.ts';

/** The answer of an operation that answers with a run. */
export async function receiveRun(sent: Sent<SearchProfile>): Promise<ResearchRun> {
  const { reply, where } = await ask(sent);
  return readRun(parseResearch(where, reply.body), sent.wiring.profile.prices, infoOf(reply));
}

/** A run's body, checked as far as this client uses it. @throws WireError RESPONSE_INVALID */
export function parseResearch(where: Where, body: unknown): ResearchResponse {
  const shape: Shape = { id: 'string', status: 'string', output: 'array?' };
  const response = shaped<ResearchResponse>(where, body, shape);
  const output = shapedList<OutputItem>(where, response.output ?? [], { type: 'string' }, 'output');
  for (const [index, item] of output.entries()) {
    if (item.type === 'function_call') shaped(where, item, functionCall, `output[${index}]`);
  }
  return Array.isArray(response.output) ? response : { ...response, output };
}

const functionCall: Shape = { call_id: 'string', name: 'string', arguments: 'string' };

/** Reads a run out of its body. */
export function readRun(response: ResearchResponse, prices: PriceTable, info: ReplyInfo): ResearchRun {
  const text = outputText(response.output);
  const sources = researchSources(response.output);
  const usage = isRecord(response.usage) ? (response.usage as ResearchUsage) : undefined; // its fields are all optional
  return {
    id: response.id,
    status: response.status,
    outputText: text,
    sources,
    citations: researchCitations(response.output, text, sources),
    functionCalls: response.output.filter(
      (item): item is FunctionCall => item.type === 'function_call' && !reservedFunctions.has(String(item.name)),
    ),
    usage,
    cost: researchCost(usage, prices),
    model: optionalText(response.model),
    response,
    info,
  };
}

const textParts = (item: OutputItem): readonly Open[] =>
  item.type === 'message' ? records(item.content).filter((part) => part.type === 'output_text') : [];

/** All text parts of all messages, joined: the wire has no such field. */
export function outputText(output: readonly OutputItem[]): string {
  return output
    .flatMap(textParts)
    .map((part) => optionalText(part.text) ?? '')
    .join('');
}

/**
 * What a run found and fetched, numbered as its text cites it: by the results' own ids, or, when two pages share one
 * (several searches count from 1 again), by the order in which new addresses appear. Fetched pages follow.
 */
export function researchSources(output: readonly OutputItem[]): readonly Source[] {
  const entries = (type: string, list: string): readonly Page[] =>
    output.filter((item) => item.type === type).flatMap((item) => records(item[list]).flatMap(pageOf));
  const found = entries('search_results', 'results');
  const byNumber = new Map<number, Source>();
  const known = new Set<string>();
  const add = (number: number, { url, key, entry }: Page): void => {
    if (!byNumber.has(number)) byNumber.set(number, sourceOf(number, url, entry));
    known.add(key);
  };
  const own = !idsCollide(found);
  for (const page of found) {
    if (own) add(page.id ?? 0, page);
    else if (!known.has(page.key)) add(known.size + 1, page);
  }
  let next = Math.max(0, ...byNumber.keys()) + 1;
  for (const page of entries('fetch_url_results', 'contents')) if (!known.has(page.key)) add(next++, page);
  return [...byNumber.values()].sort((a, b) => a.number - b.number);
}

interface Page {
  readonly url: string;
  readonly key: string;
  readonly id: number | undefined;
  readonly entry: Open;
}

function pageOf(entry: Open): readonly Page[] {
  const url = optionalText(entry.url);
  return url === undefined || url === '' ? [] : [{ url, key: normaliseUrl(url), id: optionalNumber(entry.id), entry }];
}

/** Whether one id means two pages, or a page has none. */
function idsCollide(pages: readonly Page[]): boolean {
  const byId = new Map<number, string>();
  return pages.some(({ id, key }) => {
    if (id === undefined) return true;
    const before = byId.get(id);
    byId.set(id, key);
    return before !== undefined && before !== key;
  });
}

/** Markers in the text, and the spans the service annotated itself. */
function researchCitations(
  output: readonly OutputItem[],
  text: string,
  sources: readonly Source[],
): readonly Citation[] {
  const byUrl = new Map(sources.map((source) => [normaliseUrl(source.url), source]));
  const annotated: Citation[] = [];
  let offset = 0;
  for (const part of output.flatMap(textParts)) {
    const length = optionalText(part.text)?.length ?? 0;
    for (const annotation of records(part.annotations)) {
      const start = optionalNumber(annotation.start_index);
      const end = optionalNumber(annotation.end_index);
      const url = optionalText(annotation.url);
      if (annotation.type !== 'url_citation' || url === undefined || start === undefined || end === undefined) continue;
      if (start < 0 || end < start || end > length) continue;
      const source = byUrl.get(normaliseUrl(url)) ?? sourceOf(0, url, annotation);
      annotated.push({ marker: '', start: offset + start, end: offset + end, source });
    }
    offset += length;
  }
  return [...findCitations(text, sources), ...annotated].sort((a, b) => a.start - b.start || a.end - b.end);
}

/** The service's own total; else the fees of its tool calls, and its tokens at the most that they may cost. */
function researchCost(usage: ResearchUsage | undefined, prices: PriceTable): Cost {
  const own = serviceCost(usage?.cost);
  if (own !== undefined) return own;
  if (usage === undefined) return noCost;
  const tokens = (name: string, count: unknown, usd: number): CostPart => {
    const quantity = optionalQuantity(count) ?? 0;
    return { name, quantity, usd: perMillion(quantity, usd) };
  };
  const { inputPerMillion, outputPerMillion } = prices.research;
  return costOf([
    ...toolFees(usage.tool_calls_details, prices),
    tokens('input', usage.input_tokens, inputPerMillion),
    tokens('output', usage.output_tokens, outputPerMillion),
  ]);
}

function toolFees(details: unknown, prices: PriceTable): readonly CostPart[] {
  if (!isRecord(details)) return [];
  const listed: Readonly<Record<string, string>> = { search_web: 'web_search' };
  return Object.entries(details).map(([name, detail]) => {
    const fields = isRecord(detail) ? detail : {};
    const quantity = optionalQuantity(fields.invocation) ?? 0;
    const price = name === 'sandbox' ? prices.sandbox : (prices.tools[listed[name] ?? name] ?? 0);
    const usd = optionalQuantity(fields.cost_usd) ?? quantity * price;
    return { name, quantity, usd };
  });
}

const failures: ReadonlySet<string> = new Set(['failed', 'incomplete', 'cancelled', 'requires_action']);

/** A status nobody knows yet whose name says that nothing more will come: waiting for it to change would never end. */
const namesAnEnd = /^(fail(ed|ure)|cancell?ed|expired|error(ed)?|aborted|rejected|timed_?out)$/i;

function endsBadly(status: string): boolean {
  return failures.has(status) || namesAnEnd.test(status);
}

export function isFinished(status: string): boolean {
  return status.toLowerCase() === 'completed' || endsBadly(status);
}

/** HTTP says 200 whatever became of the run; its status says the truth. */
export function isFailed(run: ResearchRun): boolean {
  return endsBadly(run.status);
}

/** The error of a run that ended badly, with the run. */
export function runFailed(where: Where, run: ResearchRun): PartialResultError<ResearchRun> {
  const { error, incomplete_details: incomplete } = run.response;
  const facts = factsOf(where);
  const type = isRecord(error) ? (optionalText(error.type) ?? optionalText(error.code)) : undefined;
  const why = isRecord(error) ? optionalText(error.message) : optionalText(incomplete?.reason);
  const message = `${where.operation.name}: run ${run.id} ended as ${run.status}${why === undefined ? '' : `: ${why}`}`;
  return new PartialResultError('RUN_FAILED', message, run, { ...facts, type, hint: hintFor(run, why) });
}

function hintFor(run: ResearchRun, why: string | undefined): string | undefined {
  if (run.status === 'requires_action') return 'The run waits for function calls: answer them with runResearch.';
  if (why === 'max_output_tokens') return 'Raise max_tokens: reasoning counts towards it.';
  return undefined;
}

/** The error of a stream's failure event that holds no run. */
export function streamFailed(where: Where, event: Open, partial: ResearchRun): PartialResultError<ResearchRun> {
  const body = isRecord(event.error) ? { error: event.error } : { message: event.message ?? event.error };
  const error = reported(where, body);
  const { type, param, requestId } = error;
  const facts = { ...factsOf(where), type, param, requestId: requestId ?? where.info?.requestId, cause: error };
  const code = error.code === 'REQUEST_REJECTED' || error.code === 'SERVICE_FAILED' ? 'RUN_FAILED' : error.code;
  return new PartialResultError(code, error.message, partial, facts);
}
