import { IbidError } from '../../core/errors.ts';
import { documentsRequest, searchRequest } from '../request-shapes.ts';
import { askIndexes, servedAnswer } from '../routes/ask.ts';
import { type Tool, tool } from './tool.ts';
import { type Filter, placesOf, string, warnings } from './tool-schemas.ts';
import { described, placeOf, pointed, withoutShards } from './tool-texts.ts';

const { where } = documentsRequest.properties;

interface AskInput {
  readonly question: string;
  readonly where?: Filter;
  readonly index?: string | readonly string[];
}

export const ask: Tool = tool<AskInput>({
  name: 'ask',
  title: 'Ask the documents',
  description:
    'Answers a question with sentences of the indexed documents, each with an exact citation, or says that they do not know. Prefer it to `search` for a plain question.',
  scope: 'ask',
  input: {
    type: 'object',
    properties: { question: searchRequest.properties.query, where, index: searchRequest.properties.index },
    required: ['question'],
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: {
      answer: string,
      confidence: { type: 'string', enum: ['high', 'low', 'none'] },
      support: { type: 'number' },
      citations: placesOf({ n: { type: 'integer' }, title: string, place: string, quote: string }),
      related: placesOf({ title: string, text: string }),
      warnings,
    },
    required: ['answer', 'confidence', 'support', 'citations', 'related'],
  },
  run: async (input, call) => {
    for await (const event of askIndexes({ ...input, mode: 'extractive' }, call)) {
      if (event.type !== 'done') continue;
      const served = servedAnswer(event.answer, event.index);
      const { answer, confidence, support, citations, related = [], warnings: failures } = served;
      const of = event.index === undefined ? {} : { index: event.index };
      const cited = citations.map(({ n, reference, title, place, heading, quote }) => ({
        ...{ n, ref: reference, title, place: placeOf(place, heading), quote, ...of },
      }));
      const near = related.map(({ reference, title, text }) => ({ ref: reference, title, text, ...of }));
      const lines = [
        answer,
        ...cited.map((one) => `[${one.n}] ${described(one)}`),
        ...(near.length > 0 ? ['Related:', ...near.map((one) => `- ${one.text} (${pointed(one)})`)] : []),
        ...withoutShards(served.shards),
      ];
      const structured = { answer, confidence, support, citations: cited, related: near };
      return { text: lines.join('\n'), structured: { ...structured, ...(failures && { warnings: failures }) } };
    }
    throw new IbidError('RESPONSE_INVALID', 'the answer has no end');
  },
});
