import { definedOnly, isRecord } from '../../core/records.ts';
import { refuse } from '../http/check.ts';
import type { CheckedAnswer } from './answer-check.ts';
import type {
  Answer,
  AnswerEvent,
  AnswerOptions,
  AnswerRequest,
  AnswerStream,
  ChatMessage,
  ResearchFallback,
} from './answer-types.ts';
import { filterNames } from './check-filters.ts';
import type { InputItem, InputPart, Research, ResearchRequest, ResearchRun, ResearchTool } from './research-types.ts';

type Fallback = 'research' | ResearchFallback;

/** The preset nearest in depth to a model. */
const presets: Readonly<Record<string, string>> = {
  'answer-base': 'fast-search',
  'answer-pro': 'pro-search',
  'answer-reasoning-pro': 'pro-search',
  'answer-deep-research': 'deep-research',
};

/** Fields that research has no place for: they are named in the answer's notes. */
const leftOut = [
  ...(['stop', 'search_language_filter', 'search_mode', 'enable_search_classifier', 'return_images'] as const),
  ...(['image_domain_filter', 'image_format_filter', 'return_related_questions', 'stream_mode'] as const),
];
const nestedLeftOut = ['search_type', 'image_results_enhanced_relevance'] as const;

/**
 * The same question to the operation that replaced answers.
 * @throws IbidError INVALID_ARGUMENT for attachments it has no place for
 */
function researchRequest(
  { request, model, notes }: CheckedAnswer,
  fallback: Fallback,
): { readonly request: ResearchRequest; readonly notes: readonly string[] } {
  const chosen: ResearchFallback = fallback === 'research' ? {} : fallback;
  const named = chosen.model !== undefined || chosen.models !== undefined || chosen.preset !== undefined;
  const preset = named ? chosen.preset : (presets[model.name] ?? 'pro-search');
  const search = request.disable_search === true ? undefined : webSearch(request, preset === undefined);
  const format = request.response_format;
  const { search_type, web_search_options: nested } = request;
  const inner = { ...nested, search_type: search_type ?? nested?.search_type };
  const dropped = [
    ...leftOut.filter((field) => request[field] !== undefined),
    ...nestedLeftOut.filter((field) => inner[field] !== undefined),
  ];
  const by = preset ?? chosen.models?.join(', ') ?? chosen.model;
  const from = `the answer operation is retired: research answered (${by})`;
  return {
    request: {
      preset,
      model: chosen.model,
      models: chosen.models,
      input: request.messages.map(inputItem),
      tools: search === undefined ? undefined : [search, { type: 'fetch_url' }],
      // Without it a bare model may answer from memory, without sources.
      tool_choice: request.disable_search === true ? 'none' : preset === undefined ? { type: 'web_search' } : undefined,
      max_steps: preset === undefined ? 3 : undefined,
      max_tokens: request.max_tokens,
      temperature: request.temperature,
      top_p: request.top_p,
      language_preference: request.language_preference,
      reasoning: request.reasoning_effort === undefined ? undefined : { effort: request.reasoning_effort },
      response_format:
        format?.type === 'json_schema'
          ? { ...format, json_schema: { ...format.json_schema, name: format.json_schema.name ?? 'answer' } }
          : undefined,
    },
    notes: [...notes, from, ...dropped.map((field) => `${field} has no place in research and was left out`)],
  };
}

/** The search tool with the request's filters; `undefined` when the preset's own will do. */
function webSearch(request: AnswerRequest, needed: boolean): ResearchTool | undefined {
  const config = definedOnly(Object.fromEntries(filterNames.map((field) => [field, request[field]])));
  const nested = request.web_search_options;
  const tool = definedOnly({
    config: Object.keys(config).length === 0 ? undefined : config,
    search_context_size: request.search_context_size ?? nested?.search_context_size,
    user_location: nested?.user_location,
  });
  return needed || Object.keys(tool).length > 0 ? { type: 'web_search', ...tool } : undefined;
}

function inputItem({ role, content }: ChatMessage, index: number): InputItem {
  if (role === 'tool') return refuse(`messages[${index}].role`, 'research has no place for a tool message');
  if (typeof content === 'string') return { type: 'message', role, content };
  const parts = content.map((part): InputPart => {
    if (part.type === 'text') return { type: 'input_text', text: part.text };
    if (part.type !== 'image_url') return refuse(`messages[${index}]`, `research has no place for ${part.type}`);
    const { image_url: image } = part;
    return { type: 'input_image', image_url: isRecord(image) ? String(image.url) : String(image) };
  });
  return { type: 'message', role, content: parts };
}

/** A run in the shape of an answer. */
function answerOfRun(run: ResearchRun, notes: readonly string[]): Answer {
  return {
    text: run.outputText,
    reasoning: undefined,
    reasoningSteps: [],
    finishReason: run.status === 'completed' ? 'stop' : run.status,
    sources: run.sources,
    citations: run.citations,
    images: [],
    relatedQuestions: [],
    usage:
      run.usage === undefined
        ? undefined
        : definedOnly({
            prompt_tokens: run.usage.input_tokens,
            completion_tokens: run.usage.output_tokens,
            total_tokens: run.usage.total_tokens,
          }),
    cost: run.cost,
    model: run.model ?? '',
    via: 'research',
    notes,
    response: run.response,
    info: run.info,
  };
}

export async function researchInstead(
  research: Research,
  checked: CheckedAnswer,
  fallback: Fallback,
  options: AnswerOptions,
): Promise<Answer> {
  const { request, notes } = researchRequest(checked, fallback);
  const { extraBody: _, ...call } = options; // fields for another operation
  return answerOfRun(await research.create(request, call), notes);
}

export async function researchInsteadStream(
  research: Research,
  checked: CheckedAnswer,
  fallback: Fallback,
  options: AnswerOptions,
): Promise<AnswerStream> {
  const { request, notes } = researchRequest(checked, fallback);
  const { extraBody: _, ...call } = options;
  const stream = await research.stream(request, call);
  let answer: Answer | undefined;
  async function* events(): AsyncGenerator<AnswerEvent, void, undefined> {
    for await (const event of stream) {
      if (event.type === 'text') yield { type: 'text', text: event.text };
      else if (event.type === 'done') {
        answer = answerOfRun(event.run, notes);
        if (answer.sources.length > 0) yield { type: 'sources', sources: answer.sources };
        yield { type: 'done', answer };
      }
    }
  }
  return {
    info: stream.info,
    get partialText() {
      return stream.partialText;
    },
    [Symbol.asyncIterator]: events,
    async final() {
      if (answer === undefined) for await (const event of events()) if (event.type === 'done') return event.answer;
      return answer!; // set by the loop, which otherwise throws
    },
    cancel: () => stream.cancel(),
  };
}
