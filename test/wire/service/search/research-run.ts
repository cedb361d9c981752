import { extract, fillSchema } from './chat-answer.ts';
import { countText, type SearchContext, usd } from './context.ts';
import type { InputItem, ResearchRequest } from './research-request.ts';
import { searchPages, toResults, type WebResult, words } from './web.ts';

export interface FunctionCallItem {
  readonly type: 'function_call';
  readonly id: string;
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
  readonly status: 'completed';
  readonly thought_signature?: string;
}

export interface MessageItem {
  readonly type: 'message';
  readonly id: string;
  readonly role: 'assistant';
  readonly status: 'completed' | 'incomplete';
  readonly content: readonly {
    readonly type: 'output_text';
    readonly text: string;
    readonly annotations: readonly Record<string, unknown>[];
  }[];
}

export type OutputItem =
  | FunctionCallItem
  | MessageItem
  | {
      readonly type: 'search_results';
      readonly queries: readonly string[];
      readonly results: readonly Record<string, unknown>[];
    }
  | { readonly type: 'fetch_url_results'; readonly contents: readonly Record<string, unknown>[] }
  | {
      readonly type: 'share_file';
      readonly call_id: string;
      readonly file_id: string;
      readonly filename: string;
      readonly size_bytes: number;
    }
  | {
      readonly type: 'sandbox_results';
      readonly call_id: string;
      readonly language: 'python';
      readonly code: string;
      readonly status: 'completed';
      readonly results: readonly Record<string, unknown>[];
    }
  | { readonly type: 'weather_forecast'; readonly days: number };

/** How a run ends, whatever the client sees of it on the way. */
export interface RunResult {
  readonly status: 'completed' | 'failed' | 'incomplete' | 'cancelled' | 'requires_action';
  readonly output: readonly OutputItem[];
  readonly error: Readonly<Record<string, unknown>> | null;
  readonly incompleteReason: string | undefined;
  readonly usage: Record<string, unknown> | null;
  readonly costUsd: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly files: readonly { readonly id: string; readonly filename: string; readonly content: string }[];
}

/** USD: tokens per million, tools per call. */
const price = { input: 1, output: 3, search: 0.005, fetch: 0.0005, sandbox: 0.03 } as const;

/** Works one request out. `items` is the whole conversation, earlier runs included. */
export function run(context: SearchContext, request: ResearchRequest, items: readonly InputItem[]): RunResult {
  const script = context.script.research ?? {};
  const question = lastQuestion(items);
  const inputTokens =
    items.reduce((sum, item) => sum + countText(textOf(item)), 0) + countText(String(request.body.instructions ?? ''));
  const failed = script.status === 'failed' || request.model === undefined;
  if (failed) {
    const error = script.error ?? {
      message: 'No model of the chain is available',
      code: 'model_unavailable',
      type: 'server_error',
    };
    return end('failed', [], { inputTokens, error });
  }
  const calls = callsOf(context, request, items, question);
  if (calls.length > 0) {
    const outputTokens = calls.reduce((sum, call) => sum + countText(call.arguments), 0);
    return end(script.status === 'requires_action' ? 'requires_action' : 'completed', calls, {
      inputTokens,
      outputTokens,
    });
  }
  const found = lookUp(context, request, question);
  const files = (script.files ?? []).map((file) => ({ id: context.nextId('file'), ...file }));
  const spoken = script.text ?? say(context, question, found.unique, items);
  const full = request.schema === undefined ? spoken : JSON.stringify(fillSchema(request.schema, spoken));
  const limit = request.maxOutputTokens ?? Number.POSITIVE_INFINITY;
  const cut = script.status === 'incomplete' || countText(full) > limit;
  // Reasoning has eaten a very small limit before the first word.
  const text = !cut ? full : limit <= 16 ? '' : full.slice(0, Math.floor(full.length / 2));
  const message: MessageItem = {
    type: 'message',
    id: context.nextId('msg'),
    role: 'assistant',
    status: cut ? 'incomplete' : 'completed',
    content: [
      { type: 'output_text', text, annotations: script.annotations === true ? annotate(text, found.unique) : [] },
    ],
  };
  const extras: OutputItem[] = [
    ...(script.unknownKinds === true ? [{ type: 'weather_forecast', days: 3 } as const] : []),
    ...files.map(({ id, filename, content }) => ({
      type: 'share_file' as const,
      call_id: 'call_share',
      file_id: id,
      filename,
      size_bytes: Buffer.byteLength(content),
    })),
  ];
  const computed = request.sandbox && script.sandbox ? [computation(context, script.sandbox)] : [];
  const output = [...found.items, ...computed, ...extras, ...(text === '' ? [] : [message])];
  const outputTokens = countText(text);
  const sessions = computed.length;
  const used = { inputTokens, outputTokens, searches: found.searches, fetches: found.fetches, sessions, files };
  if (script.status === 'cancelled') return end('cancelled', [], used);
  return end(cut ? 'incomplete' : 'completed', output, used);
}

function end(
  status: RunResult['status'],
  output: readonly OutputItem[],
  used: {
    inputTokens: number;
    outputTokens?: number;
    searches?: number;
    fetches?: number;
    sessions?: number;
    error?: Record<string, unknown>;
    files?: RunResult['files'];
  },
): RunResult {
  const { inputTokens, outputTokens = 0, searches = 0, fetches = 0, sessions = 0 } = used;
  const toolCost = searches * price.search + fetches * price.fetch + sessions * price.sandbox;
  const inputCost = usd(inputTokens, price.input);
  const outputCost = usd(outputTokens, price.output);
  const total = Number((inputCost + outputCost + toolCost).toFixed(12));
  // The recorded shape: keys that would be zero are left out, and billing names differ from tool types.
  const tools = {
    ...(searches > 0 ? { search_web: { invocation: searches, cost_usd: searches * price.search } } : {}),
    ...(fetches > 0 ? { fetch_url: { invocation: fetches, cost_usd: fetches * price.fetch } } : {}),
    ...(sessions > 0 ? { sandbox: { invocation: sessions, cost_usd: sessions * price.sandbox } } : {}),
  };
  return {
    status,
    output,
    error: used.error ?? null,
    incompleteReason: status === 'incomplete' ? 'max_output_tokens' : undefined,
    usage:
      status === 'cancelled' || status === 'failed'
        ? null
        : {
            input_tokens: inputTokens,
            ...(outputTokens > 0 ? { output_tokens: outputTokens } : {}),
            total_tokens: inputTokens + outputTokens,
            ...(toolCost > 0 ? { tool_calls_details: tools } : {}),
            cost: {
              currency: 'USD',
              input_cost: inputCost,
              output_cost: outputCost,
              ...(toolCost > 0 ? { tool_calls_cost: toolCost } : {}),
              total_cost: total,
            },
          },
    costUsd: total,
    inputTokens,
    outputTokens,
    files: used.files ?? [],
  };
}

function computation(
  context: SearchContext,
  { code, stdout, stderr = '', exitCode = 0 }: { code: string; stdout: string; stderr?: string; exitCode?: number },
): OutputItem {
  const results = [{ stdout, stderr, exit_code: exitCode, duration_ms: 12, status: 'completed' }];
  return {
    type: 'sandbox_results',
    call_id: context.nextId('call'),
    language: 'python',
    code,
    status: 'completed',
    results,
  };
}

function lastQuestion(items: readonly InputItem[]): string {
  const last = items.findLast((item) => item.type === 'message' && item.role === 'user');
  return last?.type === 'message' ? last.text : '';
}

function textOf(item: InputItem): string {
  if (item.type === 'message') return item.text;
  return item.type === 'function_call' ? item.name : item.output;
}

/** A declared function is called once per question; then its output is used. */
function callsOf(
  context: SearchContext,
  request: ResearchRequest,
  items: readonly InputItem[],
  question: string,
): FunctionCallItem[] {
  const script = context.script.research ?? {};
  const asked = items.findLastIndex((item) => item.type === 'message' && item.role === 'user');
  const called = items.slice(asked).flatMap((item) => (item.type === 'function_call' ? [item.name] : []));
  const choice = request.body.tool_choice as { name?: string } | string | undefined;
  const wanted =
    typeof choice === 'object' && choice.name !== undefined
      ? request.functions.filter(({ name }) => name === choice.name)
      : typeof choice === 'object'
        ? []
        : request.functions;
  const open = script.endlessCalls === true ? wanted : wanted.filter(({ name }) => !called.includes(name));
  const chosen = script.parallelCalls === true && request.body.parallel_tool_calls !== false ? open : open.slice(0, 1);
  const calls = chosen.map(({ name, parameters }) => ({
    name: script.unknownFunction === true ? 'launch_rocket' : name,
    arguments: script.brokenArguments === true ? '{"q": "unclosed' : JSON.stringify(fillSchema(parameters, question)),
  }));
  return calls.map((call) => {
    const callId = context.nextId('call');
    return {
      type: 'function_call',
      id: context.nextId('fc'),
      call_id: callId,
      ...call,
      status: 'completed',
      ...(signs(request.model) ? { thought_signature: signatureOf(callId) } : {}),
    };
  });
}

/** Models of this provider want their signature back with the call. */
export const signs = (model: string | undefined): boolean => model?.startsWith('provider-b/') === true;

export const signatureOf = (callId: string): string => Buffer.from(`signed ${callId}`).toString('base64');

interface Found {
  readonly items: readonly OutputItem[];
  /** Each address once, in the order first seen; markers count in this list. */
  readonly unique: readonly WebResult[];
  readonly searches: number;
  readonly fetches: number;
}

function lookUp(context: SearchContext, request: ResearchRequest, question: string): Found {
  const items: OutputItem[] = [];
  const unique = new Map<string, WebResult>();
  const { web } = request;
  const searches = web === undefined ? 0 : (request.preset?.searches ?? 1);
  for (let round = 0; web !== undefined && round < searches; round++) {
    // Later rounds leave the first words out, so that they find other pages; their ids start at 1 again.
    const query = words(question).slice(round).join(' ') || question;
    const pages = searchPages(context.pages, query, web.filters, context.now());
    const results = toResults(pages, query, { results: web.results, tokens: 10_000, tokensPerPage: 1_024 });
    for (const result of results) if (!unique.has(result.url)) unique.set(result.url, result);
    items.push({
      type: 'search_results',
      queries: [query],
      results: results.map((result, at) => ({ id: at + 1, ...result, source: 'web' })),
    });
  }
  const best = [...unique.values()][0];
  const page = request.fetches && best !== undefined ? context.pages.find(({ url }) => url === best.url) : undefined;
  if (page !== undefined) {
    items.push({ type: 'fetch_url_results', contents: [{ url: page.url, title: page.title, snippet: page.text }] });
  }
  return { items, unique: [...unique.values()], searches, fetches: page === undefined ? 0 : 1 };
}

function say(
  context: SearchContext,
  question: string,
  sources: readonly WebResult[],
  items: readonly InputItem[],
): string {
  const outputs = items.flatMap((item) => (item.type === 'function_call_output' ? [item.output] : []));
  const told = outputs.map((output) => `The lookup says: ${output.slice(0, 400)}`);
  const cited = sources.length > 0 || outputs.length === 0 ? [extract(question, sources.slice(0, 3))] : [];
  const text = [...told, ...cited].join('\n\n');
  switch (context.script.research?.markers ?? 'numbers') {
    case 'numbers':
      return text;
    case 'web':
      return text.replace(/\[(\d+)\]/g, (_, marker: string) => `[web:${Number(marker) - 1}]`);
    case 'links':
      return text.replace(/\[(\d+)\]/g, (_, marker: string) => {
        const source = sources[Number(marker) - 1];
        return source === undefined ? '' : ` ([${source.title.replace(/[[\]]/g, '')}](${source.url}))`;
      });
  }
}

function annotate(text: string, sources: readonly WebResult[]): Record<string, unknown>[] {
  return [...text.matchAll(/\[(\d+)\]/g)].flatMap((match) => {
    const source = sources[Number(match[1]) - 1];
    if (source === undefined) return [];
    const start = match.index;
    return [
      {
        type: 'url_citation',
        url: source.url,
        title: source.title,
        start_index: start,
        end_index: start + match[0].length,
      },
    ];
  });
}
