import { type CitationReference, formatCitation, parseCitation } from '../../answer/citation.ts';
import { describePlace } from '../../core/describe-place.ts';
import { IbidError } from '../../core/errors.ts';
import type { Place } from '../../core/types.ts';
import type { Where } from '../../store/where.ts';
import { oneLine } from '../../text/one-line.ts';
import { problem, type ServedShards, servedShards, warning } from '../answer-shapes.ts';
import { firstThatHas } from '../indexes.ts';
import { documentsRequest, searchRequest } from '../request-shapes.ts';
import type { Call } from '../route.ts';
import { askIndexes, servedAnswer } from '../routes/ask.ts';
import { viewsOf } from '../routes/documents.ts';
import { searchIndexes } from '../routes/search.ts';
import { ofEach } from '../routes/status.ts';
import type { AnyObjectSchema, ObjectSchema, Schema } from '../schema.ts';
import type { Scope } from '../tokens.ts';

/** The parts that a tool needs. */
export type ToolCall = Pick<Call, 'access' | 'indexes' | 'signal'>;

/** The result of a tool: short text for the model, and the same content as data for programs. */
export interface ToolResult {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
}

export interface Tool<T = unknown> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly scope: Scope;
  readonly input: AnyObjectSchema;
  readonly output: AnyObjectSchema;
  run(input: T, call: ToolCall): Promise<ToolResult>;
}

/** Keeps the type of a tool's input, which its schema proves. */
function tool<T>(definition: Tool<T>): Tool {
  return definition as Tool; // the input is checked before the tool runs
}

const { where, index } = documentsRequest.properties;
const ref: Schema = {
  type: 'string',
  minLength: 1,
  maxLength: 4000,
  description: 'A reference: `uri#start-end` as results have it, or a uri.',
};
const string: Schema = { type: 'string' };
const listOf = (properties: Readonly<Record<string, Schema>>, more: AnyObjectSchema['properties'] = {}): Schema => ({
  type: 'array',
  items: { type: 'object', properties: { ...properties, ...more }, required: Object.keys(properties) },
});
const named: Schema = { type: 'string', description: 'The index of `ref`, where there are several: `read` takes it.' };
const placesOf = (properties: Readonly<Record<string, Schema>>): Schema =>
  listOf({ ref: string, ...properties }, { index: named });

const warnings: Schema = { type: 'array', items: warning };

type Filter = Exclude<Where, string>;

interface SearchInput {
  readonly query: string;
  readonly limit?: number;
  readonly where?: Filter;
  readonly index?: string | readonly string[];
}

const searchInput: ObjectSchema<SearchInput> = {
  type: 'object',
  properties: {
    query: searchRequest.properties.query,
    limit: { type: 'integer', minimum: 1, maximum: 30, default: 5, description: 'Passages.' },
    where,
    index: searchRequest.properties.index,
  },
  required: ['query'],
  additionalProperties: false,
};

const search = tool<SearchInput>({
  name: 'search',
  title: 'Search the documents',
  description:
    'Finds passages of the indexed documents by words and meaning. Each has a reference for `read` and for citing.',
  scope: 'read',
  input: searchInput,
  output: {
    type: 'object',
    properties: {
      hits: placesOf({ title: string, place: string, score: { type: 'number' }, text: string }),
      warnings,
    },
    required: ['hits'],
  },
  run: async ({ limit = 5, ...input }, call) => {
    const found = await searchIndexes({ ...input, limit }, call);
    const hits = found.hits.map((hit) => ({
      ref: hit.reference,
      title: hit.title,
      place: placeOf(hit.place, hit.heading),
      score: Math.round(hit.score * 100) / 100,
      text: hit.text.trim(),
      ...(hit.index !== undefined && { index: hit.index }),
    }));
    const lines = hits.map((hit, i) => `[${i + 1}] ${described(hit)}\n${hit.text}`);
    const { warnings: failures, shards } = found.report;
    return {
      text: [lines.join('\n\n') || 'Nothing was found.', ...withoutShards(shards)].join('\n\n'),
      structured: { hits, ...(failures.length > 0 && { warnings: failures }) },
    };
  },
});

interface AskInput {
  readonly question: string;
  readonly where?: Filter;
  readonly index?: string | readonly string[];
}

const ask = tool<AskInput>({
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

/** Characters of one part of a document, and around a passage; some 1,500 tokens. */
const PART = 6000;
const AROUND = 1200;

interface ReadInput {
  readonly ref: string;
  readonly part?: number;
  readonly around?: number;
  readonly index?: string;
}

const read = tool<ReadInput>({
  name: 'read',
  title: 'Read a document',
  description:
    'Reads the text around a reference, or a whole document by parts: give its uri, then `part` 2, 3, … up to `parts`.',
  scope: 'read',
  input: {
    type: 'object',
    properties: {
      ref,
      part: {
        type: 'integer',
        minimum: 1,
        description: `Of a whole document: which part of ${PART} characters. Default: 1.`,
      },
      around: {
        type: 'integer',
        minimum: 0,
        maximum: 20_000,
        default: AROUND,
        description: 'Characters before and after a passage.',
      },
      index,
    },
    required: ['ref'],
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: {
      uri: string,
      title: string,
      ref: string,
      part: { type: 'integer' },
      parts: { type: 'integer' },
      text: string,
      index: named,
    },
    required: ['uri', 'title', 'ref', 'part', 'parts', 'text'],
  },
  run: async (input, call) => {
    const cited = citedBy(input.ref);
    return await firstThatHas(viewsOf(call, input.index), async (view, of) => {
      const named = await view.document(cited?.uri ?? input.ref);
      // a uri as it stands may look like a citation: `a#b.md`, `100%25.md`
      const document = named ?? (await view.document(input.ref));
      if (!document) throw notThere(input.ref);
      const { uri, title, text } = document;
      const { span: given, timeMs } = (named && cited) ?? { span: undefined, timeMs: undefined };
      const span = timeMs ? (await view.show(input.ref)).span : given; // a time of a recording
      const parts = Math.max(1, Math.ceil(text.length / PART));
      if (span && span.end > text.length)
        throw new IbidError('CITATION_NOT_FOUND', 'the document is shorter than the reference says: it has changed');
      const { around = AROUND } = input;
      const part = span ? Math.floor(span.start / PART) + 1 : (input.part ?? 1);
      if (part > parts) throw new IbidError('INVALID_ARGUMENT', `there is no part ${part}, the last one is ${parts}`);
      const from = span ? lineBefore(text, span.start - around) : lineBefore(text, (part - 1) * PART);
      const to = span ? lineAfter(text, span.end + around) : lineBefore(text, part * PART);
      const end = span || part < parts ? to : text.length;
      const shown = text.slice(from, end);
      const place = { ref: formatCitation({ uri, span: { start: from, end } }), ...of };
      return {
        text: `${pointed(place)} ${oneLine(title)}, part ${part} of ${parts}\n${shown}`,
        structured: { uri, title, ...place, part, parts, text: shown },
      };
    });
  },
});

interface ListInput {
  readonly where?: Filter;
  readonly offset?: number;
  readonly limit?: number;
  readonly index?: string;
}

const list = tool<ListInput>({
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

const status = tool<{ readonly index?: string }>({
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

export const tools: readonly Tool[] = [search, ask, read, list, status];

/** Names the shards that could not be read: else a model would say that no document holds the answer. */
function withoutShards({ asked, missing }: ServedShards = { asked: 0, missing: [] }): readonly string[] {
  if (missing.length === 0) return [];
  const codes = [...new Set(missing)].join(', ');
  return [
    `Incomplete: ${missing.length} of ${asked} shards could not be read (${codes}); their documents are missing.`,
  ];
}

function placeOf(place: Place, heading: string | undefined): string {
  return [heading, describePlace(place)].filter((part) => part !== undefined && part !== '').join(', ');
}

/** A reference as `read` takes it, with its index where there are several. */
function pointed({ ref, index: of }: { readonly ref: string; readonly index?: string }): string {
  return of === undefined ? ref : `${ref} (index ${of})`;
}

/** In one line: a line break in the name of a file must not begin a line that reads as ours. */
function described(one: Parameters<typeof pointed>[0] & { readonly title: string; readonly place: string }): string {
  const { title, place } = one;
  return `${pointed(one)} ${oneLine([title, place].filter((part) => part !== '').join(' › '))}`;
}

/** Undefined for what is no citation. */
function citedBy(text: string): CitationReference | undefined {
  try {
    return parseCitation(text);
  } catch {
    return undefined;
  }
}

function notThere(text: string): IbidError {
  return new IbidError('CITATION_NOT_FOUND', `there is no document "${citedBy(text)?.uri ?? text}"`, {
    hint: 'Write a reference as results have it, uri#start-end; the tool list names the documents.',
  });
}

/** The begin of the line that holds an offset, where a line is not longer than a part. */
function lineBefore(text: string, at: number): number {
  if (at <= 0) return 0;
  const begin = text.lastIndexOf('\n', at - 1) + 1;
  return at - begin < PART / 4 ? begin : wellFormed(text, at);
}

function lineAfter(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const end = text.indexOf('\n', at);
  return end !== -1 && end - at < PART / 4 ? end : wellFormed(text, at);
}

/** Not between the halves of one character. */
function wellFormed(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}
