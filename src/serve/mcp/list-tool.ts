import { formatCitation } from '../../answer/citation.ts';
import { oneLine } from '../../text/one-line.ts';
import { servedShards } from '../answer-shapes.ts';
import { documentsRequest } from '../request-shapes.ts';
import { viewsOf } from '../routes/documents.ts';
import { type Tool, tool } from './tool.ts';
import { type Filter, placesOf, string } from './tool-schemas.ts';
import { pointed, withoutShards } from './tool-texts.ts';

interface ListInput {
  readonly where?: Filter;
  readonly offset?: number;
  readonly limit?: number;
  readonly index?: string;
}

export const list: Tool = tool<ListInput>({
  name: 'list',
  title: 'List documents',
  description: 'Lists the indexed documents. `where` narrows, e.g. {"format":"pdf"} or {"uri":{"like":"handbook/%"}}.',
  scope: 'read',
  input: documentsRequest,
  output: {
    type: 'object',
    properties: {
      total: { type: 'integer' },
      documents: placesOf({ uri: string, title: string, format: string }),
    },
    required: ['total', 'documents'],
  },
  run: async ({ where: filter, offset = 0, limit = 50, index: name }, call) => {
    let total = 0;
    const documents: { ref: string; uri: string; title: string; format: string }[] = [];
    const reports = [];
    for (const { view, named: of } of viewsOf(call, name)) {
      const at = { offset: Math.max(0, offset - total), limit: limit - documents.length };
      const page = await view.documentPage({ where: filter, ...at, signal: call.signal });
      total += page.total;
      reports.push(page.shards);
      for (const { uri, title, format } of page.documents)
        documents.push({ ref: formatCitation({ uri }), uri, title, format, ...of });
    }
    const lines = documents.map((one) => `${pointed(one)}  ${oneLine(one.title)} (${one.format})`);
    const { shards } = servedShards(reports);
    return {
      text: [`${total} documents`, ...withoutShards(shards), ...lines].join('\n'),
      structured: { total, documents },
    };
  },
});
