import { definedOnly } from '../../core/records.ts';
import type { AnswerRequest } from './answer-types.ts';
import type { SearchModel } from './models.ts';
import type { SearchDialect } from './profile.ts';
import type { FunctionCall, InputItem, ResearchRequest, ResearchRun, ResearchTool } from './research-types.ts';

/** A JSON body; undefined fields are left out when it is written. */
export type Body = Readonly<Record<string, unknown>>;

/** The body of an answer request, every field once, where the dialect wants it. */
export function answerBody(dialect: SearchDialect, request: AnswerRequest, model: SearchModel, stream: boolean): Body {
  const { search_context_size, search_type, web_search_options, ...rest } = request;
  const { search_context_size: nestedSize, search_type: nestedType, ...others } = web_search_options ?? {};
  const moved = definedOnly({
    search_context_size: search_context_size ?? nestedSize,
    search_type: search_type ?? nestedType,
  });
  const options = dialect === 'public' ? { ...moved, ...others } : others;
  return definedOnly({
    ...rest,
    ...(dialect === 'reference' ? moved : {}),
    web_search_options: Object.keys(definedOnly(options)).length === 0 ? undefined : definedOnly(options),
    model: model.wireName,
    stream: stream ? true : undefined,
  });
}

/** The body of a research request. */
export function researchBody(dialect: SearchDialect, request: ResearchRequest, stream: boolean): Body {
  const { max_tokens, max_output_tokens, tools, ...rest } = request;
  const limit = max_tokens ?? max_output_tokens;
  return definedOnly({
    ...rest,
    ...(dialect === 'reference' ? { max_tokens: limit } : { max_output_tokens: limit }),
    tools: tools?.map((tool) => toolBody(dialect, tool)),
    stream: stream ? true : undefined,
  });
}

function toolBody(dialect: SearchDialect, tool: ResearchTool): Body {
  if (tool.type !== 'web_search') return definedOnly(tool);
  const { config, filters, ...rest } = tool;
  const both = config ?? filters;
  const inner = both === undefined ? undefined : definedOnly(both);
  return definedOnly(dialect === 'reference' ? { ...rest, config: inner } : { ...rest, filters: inner });
}

/**
 * What the request after a run with function calls must repeat: the text so far, and each call followed by its output.
 */
export function answeredCalls(
  run: Pick<ResearchRun, 'outputText'>,
  outputs: readonly { readonly call: FunctionCall; readonly output: string }[],
): readonly InputItem[] {
  const text: InputItem[] =
    run.outputText === '' ? [] : [{ type: 'message', role: 'assistant', content: run.outputText }];
  const pairs = outputs.flatMap(({ call, output }): InputItem[] => {
    const { call_id, name, arguments: args, thought_signature: signature } = call;
    const signed = typeof signature === 'string' ? { thought_signature: signature } : {};
    return [
      { type: 'function_call', call_id, name, arguments: args, ...signed },
      { type: 'function_call_output', call_id, name, output, ...signed },
    ];
  });
  return [...text, ...pairs];
}
