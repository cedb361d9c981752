import { problem, servedShards } from '../answer-shapes.ts';
import { documentsRequest } from '../request-shapes.ts';
import { ofEach } from '../routes/status.ts';
import { type Tool, tool } from './tool.ts';
import { listOf, string } from './tool-schemas.ts';
import { withoutShards } from './tool-texts.ts';

const { index } = documentsRequest.properties;

export const status: Tool = tool<{ readonly index?: string }>({
  name: 'status',
  title: 'What is indexed',
  description: 'How many documents of which formats are indexed, and how many files could not be read.',
  scope: 'read',
  input: { type: 'object', properties: { index }, additionalProperties: false },
  output: {
    type: 'object',
    properties: {
      indexes: listOf(
        { name: string },
        {
          ...{ documents: { type: 'integer' }, chunks: { type: 'integer' }, formats: { type: 'object' } },
          ...{ failed: { type: 'integer' }, shards: { type: 'object' }, error: problem },
        },
      ),
    },
    required: ['indexes'],
  },
  run: async ({ index: name }, { access, indexes, signal }) => {
    const all = await ofEach(indexes.chosen(name), signal, async (own, one) => {
      const { documents, chunks, formats, failed, shards } = await access.view(one).status({ signal });
      return { name: own, documents, chunks, formats, failed: failed.length, ...servedShards([shards]) };
    });
    const lines = all.flatMap((one) =>
      'error' in one
        ? [`${one.name} cannot be read now: ${one.error.code}: ${one.error.message}`]
        : [
            `${one.name}: ${one.documents} documents, ${one.chunks} chunks; ${Object.entries(one.formats)
              .map(([format, count]) => `${format} ${count}`)
              .join(', ')}${one.failed > 0 ? `; ${one.failed} files could not be read` : ''}`,
            ...withoutShards(one.shards),
          ],
    );
    return { text: lines.join('\n'), structured: { indexes: all } };
  },
});
