import type { AnswerRequest } from './answer-types.ts';
import type { SearchModel } from './models.ts';
import type { SearchDialect } from './profile.ts';
import type { ResearchRequest, ResearchTool } from './research-types.ts';

/** A JSON body; undefined fields are left out when it is written. */
export type Body = Readonly<Record<string, unknown>>;

/** The body of an answer request, every field once, where the dialect wants it. */
export function answerBody(dialect: SearchDialect, request: AnswerRequest, model: SearchModel, stream: boolean): Body {
  const { search_context_size, search_type, web_search_options, ...rest } = request;
  const { search_context_size: nestedSize, search_type: nestedType, ...others } = web_search_options ?? {};
  const moved = defined({
    search_context_size: search_context_size ?? nestedSize,
    search_type: search_type ?? nestedType,
  });
  const options = dialect === 'public' ? { ...moved, ...others } : others;
  return defined({
    ...rest,
    ...(dialect === 'reference' ? moved : {}),
    web_search_options: Object.keys(defined(options)).length === 0 ? undefined : defined(options),
    model: model.wireName,
    stream: stream ? true : undefined,
  });
}

/** The body of a research request. */
export function researchBody(dialect: SearchDialect, request: ResearchRequest, stream: boolean): Body {
  const { max_tokens, max_output_tokens, tools, ...rest } = request;
  const limit = max_tokens ?? max_output_tokens;
  return defined({
    ...rest,
    ...(dialect === 'reference' ? { max_tokens: limit } : { max_output_tokens: limit }),
    tools: tools?.map((tool) => toolBody(dialect, tool)),
    stream: stream ? true : undefined,
  });
}

function toolBody(dialect: SearchDialect, tool: ResearchTool): Body {
  if (tool.type !== 'web_search') return defined(tool);
  const { config, filters, ...rest } = tool;
  const both = config ?? filters;
  const inner = both === undefined ? undefined : defined(both);
  return defined(dialect === 'reference' ? { ...rest, config: inner } : { ...rest, filters: inner });
}

export function defined(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
