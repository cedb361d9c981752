import type { Where } from '../store/where.ts';
import type { ObjectSchema, Schema } from './schema.ts';

// What requests of our own API must be: these schemas check them, and stand in the OpenAPI document.

const text = (description: string): Schema => ({
  type: 'string',
  minLength: 1,
  maxLength: 4000,
  description,
});
const count = (minimum: number, maximum: number, standard: number, description: string): Schema => ({
  ...{ type: 'integer', minimum, maximum, default: standard, description },
});
const flag = (description: string): Schema => ({ type: 'boolean', default: false, description });
const number: Schema = { type: 'number' };
const boolean: Schema = { type: 'boolean' };

const value: Schema = { anyOf: [{ type: 'string', maxLength: 4000 }, number, boolean] };
const condition: Schema = {
  anyOf: [
    value,
    { type: 'null' },
    { type: 'array', items: { anyOf: [value, { type: 'null' }] }, maxItems: 1000 },
    {
      type: 'object',
      properties: {
        not: { anyOf: [value, { type: 'null' }] },
        ...{ gt: value, gte: value, lt: value, lte: value, like: { type: 'string', maxLength: 4000 } },
      },
      additionalProperties: false,
    },
  ],
};
const where: Schema = {
  type: 'object',
  additionalProperties: condition,
  maxProperties: 50,
  description:
    'Only documents that match: columns (`uri`, `title`, `format`, `metadata.<key>`) with a value, a list of values, ' +
    'null, or `{ not, gt, gte, lt, lte, like }`.',
};
const oneIndex: Schema = {
  type: 'string',
  maxLength: 200,
  description: 'Name of the index, where the server has several.',
};
const indexes: Schema = {
  anyOf: [oneIndex, { type: 'array', items: oneIndex, maxItems: 50 }],
  description: 'One index or several, of those the server has. Default: all, merged into one ranking.',
};

export interface SearchRequest {
  readonly query: string;
  readonly limit?: number;
  readonly mode?: 'hybrid' | 'lexical' | 'dense';
  readonly where?: Exclude<Where, string>;
  readonly neighbours?: number;
  readonly explain?: boolean;
  readonly rerank?: boolean;
  readonly web?: boolean;
  readonly index?: string | readonly string[];
}

export const searchRequest: ObjectSchema<SearchRequest> = {
  type: 'object',
  properties: {
    query: text('Words, a question, an identifier or a "quoted phrase".'),
    limit: count(1, 100, 10, 'Hits.'),
    mode: { type: 'string', enum: ['hybrid', 'lexical', 'dense'], default: 'hybrid' },
    where,
    neighbours: count(0, 5, 0, 'Chunks before and after each hit.'),
    explain: flag('Fill `trace`.'),
    rerank: flag('A model scores the first hits. Costs money.'),
    web: flag('Search the web too. Costs money.'),
    index: indexes,
  },
  required: ['query'],
  additionalProperties: false,
};

export interface AskRequest {
  readonly question: string;
  readonly mode?: 'extractive' | 'grounded' | 'agent' | 'research' | 'answer';
  readonly where?: Exclude<Where, string>;
  readonly sentences?: number;
  readonly passages?: number;
  readonly history?: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[];
  readonly rerank?: boolean;
  readonly web?: boolean;
  readonly stream?: boolean;
  readonly index?: string | readonly string[];
}

export const askRequest: ObjectSchema<AskRequest> = {
  type: 'object',
  properties: {
    question: text('The question.'),
    mode: {
      type: 'string',
      enum: ['extractive', 'grounded', 'agent', 'research', 'answer'],
      default: 'extractive',
      description: 'Who answers. All but extractive cost money.',
    },
    where,
    sentences: count(1, 20, 3, 'Sentences cited at most, of an extractive answer; without it 12 rows of a table.'),
    passages: count(1, 50, 10, 'Passages looked at.'),
    history: {
      type: 'array',
      maxItems: 50,
      description: 'The conversation before, oldest first.',
      items: {
        type: 'object',
        properties: {
          role: { type: 'string', enum: ['user', 'assistant'] },
          text: { type: 'string', maxLength: 100_000 },
        },
        required: ['role', 'text'],
        additionalProperties: false,
      },
    },
    rerank: flag('A model scores what was found before it is read. Costs money.'),
    web: flag('Search the web too. Costs money.'),
    stream: flag('Answer as events while it is written. An `Accept: text/event-stream` says the same.'),
    index: indexes,
  },
  required: ['question'],
  additionalProperties: false,
};

export interface DocumentsRequest {
  readonly where?: Exclude<Where, string>;
  readonly offset?: number;
  readonly limit?: number;
  readonly index?: string;
}

export const documentsRequest: ObjectSchema<DocumentsRequest> = {
  type: 'object',
  properties: {
    where,
    offset: count(0, 10_000_000, 0, 'Documents that are left out at the beginning.'),
    limit: count(0, 500, 50, 'Documents.'),
    index: oneIndex,
  },
  required: [],
  additionalProperties: false,
};

export interface DocumentRequest {
  readonly uri: string;
  readonly from?: number;
  readonly to?: number;
  readonly index?: string;
}

/** Characters of a document in one answer. */
export const MOST_TEXT = 200_000;

export const documentRequest: ObjectSchema<DocumentRequest> = {
  type: 'object',
  properties: {
    uri: text('As hits and `/api/documents` name it.'),
    from: count(0, Number.MAX_SAFE_INTEGER, 0, 'First character of the text.'),
    to: {
      type: 'integer',
      minimum: 0,
      description: `One past the last character. Default and most: ${MOST_TEXT} after \`from\`.`,
    },
    index: oneIndex,
  },
  required: ['uri'],
  additionalProperties: false,
};

export interface ReferenceRequest {
  readonly ref: string;
  readonly index?: string;
}

export const referenceRequest: ObjectSchema<ReferenceRequest> = {
  type: 'object',
  properties: { ref: text('A citation, `uri#start-end`, as answers and hits have it.'), index: oneIndex },
  required: ['ref'],
  additionalProperties: false,
};

export interface IndexRequest {
  readonly index?: string;
}

export const indexRequest: ObjectSchema<IndexRequest> = {
  type: 'object',
  properties: { index: oneIndex },
  required: [],
  additionalProperties: false,
};

/** Of a document that is no file: it has a scheme, and is not the path of one. */
const ownUri: Schema = {
  ...{ type: 'string', minLength: 1, maxLength: 4000 },
  description: 'With a scheme, such as `note:1` or `https://…`, and not the name of a file.',
  pattern: '^[A-Za-z][A-Za-z0-9+.\\-]*:.',
};

export interface AddRequest {
  readonly documents: readonly {
    readonly uri: string;
    readonly text: string;
    readonly title?: string;
    readonly format?: string;
    readonly metadata?: Readonly<Record<string, unknown>>;
  }[];
  readonly index?: string;
}

export const addRequest: ObjectSchema<AddRequest> = {
  type: 'object',
  properties: {
    documents: {
      type: 'array',
      minItems: 1,
      maxItems: 1000,
      items: {
        type: 'object',
        properties: {
          uri: ownUri,
          text: { type: 'string' },
          title: { type: 'string', maxLength: 500 },
          format: { type: 'string', enum: ['text', 'markdown', 'html', 'json', 'csv'], default: 'text' },
          metadata: { type: 'object', maxProperties: 100 },
        },
        required: ['uri', 'text'],
        additionalProperties: false,
      },
    },
    index: oneIndex,
  },
  required: ['documents'],
  additionalProperties: false,
};

export interface RemoveRequest {
  readonly uris: readonly string[];
  readonly index?: string;
}

export const removeRequest: ObjectSchema<RemoveRequest> = {
  type: 'object',
  properties: { uris: { type: 'array', items: ownUri, minItems: 1, maxItems: 1000 }, index: oneIndex },
  required: ['uris'],
  additionalProperties: false,
};
