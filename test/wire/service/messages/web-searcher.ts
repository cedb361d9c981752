import { type DraftBlock, type StandIn, textDraft } from './model.ts';

/** A page of the stand-in web; each sentence can be quoted. */
export interface ToolPage {
  readonly url: string;
  readonly title: string;
  readonly sentences: readonly string[];
  readonly age?: string;
}

/** Searches with the service's own tool where it is offered, and quotes every page; else answers as `otherwise`. */
export function webSearcher(pages: readonly ToolPage[] | { readonly error: string }, otherwise: StandIn): StandIn {
  return (request) => {
    const tool = request.tools.find(({ native }) => native?.startsWith('web_search_'));
    if (!tool) return otherwise(request);
    if (request.format !== undefined) return textDraft('{}');
    const id = `srvtoolu_${request.question.length}`;
    const list = 'error' in pages ? [] : pages;
    const results = list.map(({ url, title, age }) => ({
      type: 'web_search_result',
      url,
      title,
      encrypted_content: Buffer.from(url).toString('base64'),
      page_age: age ?? null,
    }));
    const raw = (block: Record<string, unknown>): DraftBlock => ({ type: 'raw', block });
    return {
      webSearches: 1,
      content: [
        raw({ type: 'server_tool_use', id, name: 'web_search', input: { query: request.question } }),
        raw({
          type: 'web_search_tool_result',
          tool_use_id: id,
          content: 'error' in pages ? { type: 'web_search_tool_result_error', error_code: pages.error } : results,
        }),
        ...list.flatMap(({ url, title, sentences }) =>
          sentences.map(
            (sentence): DraftBlock => ({
              type: 'text',
              text: `${sentence}\n`,
              citations: [
                {
                  type: 'web_search_result_location',
                  cited_text: sentence.slice(0, 150),
                  url,
                  title,
                  encrypted_index: Buffer.from(url).toString('base64'),
                },
              ],
            }),
          ),
        ),
      ],
    };
  };
}
