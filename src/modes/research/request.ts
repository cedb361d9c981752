import { defaultInstructions, recentTurns } from '../../answer/grounded/request.ts';
import { IbidError } from '../../core/errors.ts';
import { researchFilters } from '../../services/filters.ts';
import {
  type InputItem,
  presetSteps,
  type ResearchRequest,
  type ResearchTool,
  type SearchService,
} from '../../wire/search/index.ts';
import { type ResearchAnswerOptions, researchEfforts } from './contract.ts';
import type { ResearchFunctions } from './functions.ts';

const MAX_TOKENS = 4096;
const HISTORY_TOKENS = 20_000;
const MOST_MODELS = 5;
const MOST_METADATA = 16;

const instructions = [
  defaultInstructions,
  'You have the web, and the user’s own documents through search_index. Look into the documents first; use the web for what they cannot know.',
  'Passages of the documents come with marks such as [s1.2]. After every sentence that rests on them write the mark, exactly so.',
  'Sentences that rest on pages of the web carry your usual citation markers.',
].join('\n');

const sandboxInstructions = [
  'For arithmetic run Python in the sandbox instead of computing yourself.',
  'Write each number that a passage of the documents holds on a line of its own, with the mark of the passage in a comment: fees_2019 = 12.4  # [s1.2]',
  'A number without such a mark is not taken for one of the documents.',
].join('\n');

/** @throws IbidError INVALID_ARGUMENT */
export function resolveSteps({ preset = 'pro-search', maxSteps }: ResearchAnswerOptions): number {
  const steps = maxSteps ?? presetSteps[preset];
  if (steps === undefined || !Number.isSafeInteger(steps) || steps < 1 || steps > 100) {
    const known = Object.keys(presetSteps).join(', ');
    throw new IbidError('INVALID_ARGUMENT', `research needs a preset (${known}) or a number of steps from 1 to 100`);
  }
  return steps;
}

export function modelName({ preset = 'pro-search', model }: ResearchAnswerOptions): string {
  return (typeof model === 'string' ? model : model?.[0]) ?? preset;
}

/** The rules stand beside the preset's own prompt, not in its place. */
export function conversationOf(question: string, options: ResearchAnswerOptions): readonly InputItem[] {
  const { history = [], sandbox } = options;
  return [
    { type: 'message', role: 'developer', content: sandbox ? `${instructions}\n${sandboxInstructions}` : instructions },
    ...recentTurns(history, HISTORY_TOKENS).map(
      ({ role, text }): InputItem => ({ type: 'message', role, content: text }),
    ),
    { type: 'message', role: 'user', content: question },
  ];
}

/**
 * A request that works in the background: a run of minutes must not depend on one connection.
 * @param isLast without the functions: the model has to answer from what it has
 * @throws IbidError INVALID_ARGUMENT
 */
export function requestOf(
  input: readonly InputItem[],
  functions: ResearchFunctions,
  options: ResearchAnswerOptions,
  isLast: boolean,
): ResearchRequest {
  const { model, web = {}, sandbox, effort, maxSteps, maxTokens = MAX_TOKENS } = options;
  const { instructions: prompt, language, metadata } = options;
  if (effort !== undefined && !researchEfforts.includes(effort))
    throw new IbidError('INVALID_ARGUMENT', `research takes an effort of ${researchEfforts.join(', ')}, not ${effort}`);
  checkMetadata(options.metadata);
  const preset = options.preset ?? (model === undefined ? 'pro-search' : undefined);
  const pages: ResearchTool[] =
    web === false ? [] : [{ type: 'web_search', ...researchFilters(web) }, { type: 'fetch_url' }];
  const tools = [...pages, ...(sandbox ? [{ type: 'sandbox' } as const] : []), ...(isLast ? [] : functions.tools)];
  return {
    ...(preset === undefined ? {} : { preset }),
    ...modelsOf(model),
    ...(prompt === undefined ? {} : { instructions: prompt }),
    input,
    ...(tools.length > 0 ? { tools } : { tool_choice: 'none' }),
    max_tokens: maxTokens,
    ...(maxSteps === undefined ? {} : { max_steps: maxSteps }),
    ...(effort === undefined ? {} : { reasoning: { effort } }),
    ...(language === undefined ? {} : { language_preference: language }),
    ...(metadata === undefined ? {} : { metadata }),
    background: true,
  };
}

/** @throws IbidError INVALID_ARGUMENT */
function checkMetadata(metadata: ResearchAnswerOptions['metadata'] = {}): void {
  const entries = Object.entries(metadata);
  if (entries.length <= MOST_METADATA && entries.every(([, value]) => typeof value === 'string')) return;
  throw new IbidError('INVALID_ARGUMENT', `metadata of research are up to ${MOST_METADATA} texts by name`);
}

function modelsOf(model: ResearchAnswerOptions['model']): Pick<ResearchRequest, 'model' | 'models'> {
  if (model === undefined || typeof model === 'string') return model === undefined ? {} : { model };
  if (model.length === 0 || model.length > MOST_MODELS)
    throw new IbidError('INVALID_ARGUMENT', `research tries 1 to ${MOST_MODELS} models in order, not ${model.length}`);
  return { models: model };
}

/** What a request may cost: fees of its tools, and tokens at the highest price of the profile. */
export function worstUsd(service: SearchService, request: ResearchRequest, options: ResearchAnswerOptions): number {
  const { inputPerMillion, outputPerMillion, tokensPerStep } = service.profile.prices.research;
  const { usd: fees } = service.research.estimateCost(request);
  const written = (request.max_tokens ?? MAX_TOKENS) * outputPerMillion;
  const said = JSON.stringify([request.instructions ?? '', request.input]).length;
  const input = Math.ceil(said / 3) + resolveSteps(options) * tokensPerStep;
  return fees + (input * inputPerMillion + written) / 1e6;
}
