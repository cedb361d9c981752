import { IbidError } from '../core/errors.ts';
import { definedOnly } from '../core/records.ts';
import { resolveFilters, type WebFilters } from '../web/filters.ts';
import type { AnswerRequest, SearchFilters, SearchRequest, WebSearchTool } from '../wire/search/index.ts';

/** Filters as the raw search takes them. @throws IbidError INVALID_ARGUMENT */
export function searchFilters(given: WebFilters): Partial<SearchRequest> {
  const { languages, country, ...rest } = resolveFilters(given);
  return { ...common(rest), ...(languages && { search_language_filter: languages }), ...(country && { country }) };
}

/** Filters as the answer service takes them. @throws IbidError INVALID_ARGUMENT */
export function answerFilters(given: WebFilters): Partial<AnswerRequest> {
  const { languages, country, ...rest } = resolveFilters(given);
  return {
    ...common(rest),
    ...(languages && { search_language_filter: languages }),
    ...(country && { web_search_options: { user_location: { country } } }),
  };
}

/** Filters as the web search of research takes them. @throws IbidError INVALID_ARGUMENT for languages */
export function researchFilters(given: WebFilters): Omit<WebSearchTool, 'type'> {
  const { languages, country, ...rest } = resolveFilters(given);
  if (languages)
    throw new IbidError(
      'INVALID_ARGUMENT',
      'research cannot filter pages by language: the service has no such filter',
      {
        hint: 'Leave the language out; a search of the web and the answer service can filter by it.',
      },
    );
  const config = common(rest);
  return {
    ...(Object.keys(config).length > 0 && { config }),
    ...(country && { user_location: { country } }),
  };
}

function common(filters: Omit<WebFilters, 'languages' | 'country'>): SearchFilters {
  const { domains, recency, publishedAfter, publishedBefore, updatedAfter, updatedBefore } = filters;
  const fields: SearchFilters = {
    search_domain_filter: domains,
    search_recency_filter: recency,
    search_after_date_filter: wireDate(publishedAfter),
    search_before_date_filter: wireDate(publishedBefore),
    last_updated_after_filter: wireDate(updatedAfter),
    last_updated_before_filter: wireDate(updatedBefore),
  };
  return definedOnly(fields);
}

/** `MM/DD/YYYY`, as the service writes days. */
function wireDate(day: string | undefined): string | undefined {
  const [year, month, date] = day?.split('-') ?? [];
  return day === undefined ? undefined : `${month}/${date}/${year}`;
}
