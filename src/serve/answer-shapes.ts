import type { ErrorCode } from '../core/errors.ts';
import type { Passage } from '../core/passage.ts';
import type { ShardsReport } from '../core/report.ts';
import type { Place } from '../core/types.ts';
import type { AnswerJson, CitationJson, HitJson, RelatedJson } from '../search-index/json.ts';
import type { ObjectSchema, Schema } from './schema.ts';

// What our own API answers, for the OpenAPI document; the tests check answers with it.

const list = (items: Schema, description?: string): Schema => ({
  type: 'array',
  items,
  ...(description !== undefined && { description }),
});
const string: Schema = { type: 'string' };
const number: Schema = { type: 'number' };
const integer: Schema = { type: 'integer' };
const boolean: Schema = { type: 'boolean' };

const span: Schema = {
  type: 'object',
  properties: { start: integer, end: integer },
  required: ['start', 'end'],
  description: 'Range in the text of the document, in UTF-16 code units, end excluded.',
};
const pair: Schema = { type: 'array', items: integer, minItems: 2, maxItems: 2 };
const times: Schema = { type: 'array', items: number, minItems: 2, maxItems: 2 };
const place = {
  page: integer,
  lines: pair,
  timeMs: times,
  speaker: string,
  sheet: string,
  rows: pair,
  part: string,
  ocr: { type: 'object', properties: { region: list(number), confidence: number } },
} as const satisfies Record<string, Schema>;
const placeObject: Schema = { type: 'object', properties: place, description: 'Where in the source.' };
const metadata: Schema = { type: 'object' };
const origin: Schema = { type: 'string', enum: ['local', 'web'] };

/** `HitJson` with the name of its index, where the server has several. */
export type ServedHit = HitJson & { readonly index?: string };

const hit: ObjectSchema<ServedHit> = {
  type: 'object',
  properties: {
    ...{ rank: integer, score: number, uri: string, title: string, text: string, span, heading: string },
    ...{ ...place, place: placeObject, citation: string, reference: string, format: string, metadata, origin },
    ...{
      web: { type: 'object' },
      trace: list({ type: 'object' }),
      before: list(string),
      after: list(string),
      index: string,
    },
  },
  required: [
    'rank',
    'score',
    'uri',
    'title',
    'text',
    'span',
    'place',
    'citation',
    'reference',
    'format',
    'metadata',
    'origin',
    'trace',
  ],
};

const citation: ObjectSchema<CitationJson> = {
  type: 'object',
  properties: {
    ...{ n: integer, uri: string, title: string, quote: string, span, heading: string, ...place, place: placeObject },
    ...{
      citation: string,
      reference: string,
      media: string,
      verified: boolean,
      answerSpan: span,
      highlight: list(span),
      origin,
    },
  },
  required: [
    'n',
    'uri',
    'title',
    'quote',
    'span',
    'place',
    'citation',
    'reference',
    'verified',
    'answerSpan',
    'origin',
  ],
};

const { answerSpan: _, ...relatedProperties } = citation.properties;
const related: ObjectSchema<RelatedJson> = {
  type: 'object',
  properties: { ...relatedProperties, text: string },
  required: ['n', 'uri', 'title', 'quote', 'span', 'place', 'citation', 'reference', 'verified', 'origin', 'text'],
};

export const warning: Schema = {
  type: 'object',
  properties: { code: string, message: string },
  required: ['code', 'message'],
};

const shards: Schema = { type: 'object', description: 'How many shards were asked, and why some did not answer.' };

export const searchAnswer: Schema = {
  type: 'object',
  properties: {
    query: string,
    corrected: {
      type: 'string',
      description: 'The query with near words in place of those that the index does not hold.',
    },
    hits: list(hit),
    report: {
      type: 'object',
      properties: {
        mode: string,
        warnings: list(warning),
        shards,
        costUsd: number,
        elapsedMs: number,
        web: { type: 'object' },
      },
      required: ['mode', 'warnings', 'costUsd', 'elapsedMs'],
    },
  },
  required: ['query', 'hits', 'report'],
};

/** What a document is called where it must have a name: without a title, its address. */
export function nameOf({ title, uri }: { readonly title: string; readonly uri: string }): string {
  return title.trim() === '' ? uri : title;
}

/** The shards of an index that were asked; of those that are missing, why. */
export interface ServedShards {
  readonly asked: number;
  readonly missing: readonly ErrorCode[];
}

/**
 * Of one index or several, as the field of an answer; nothing where none consists of shards. Without their names: one
 * may be an address of this network.
 */
export function servedShards(reports: readonly (ShardsReport | undefined)[]): { readonly shards?: ServedShards } {
  const told = reports.filter((report) => report !== undefined);
  if (told.length === 0) return {};
  const asked = told.reduce((sum, report) => sum + report.asked, 0);
  return { shards: { asked, missing: told.flatMap(({ missing }) => missing.map(({ code }) => code)) } };
}

/** `AnswerJson` with the name of the index that answered, where the server has several. */
export interface ServedAnswer extends Omit<AnswerJson, 'shards'> {
  readonly index?: string;
  readonly shards?: ServedShards;
  /** Failures that did not stop the search. */
  readonly warnings?: readonly { readonly code: string; readonly message: string }[];
}

export const answerAnswer: ObjectSchema<ServedAnswer> = {
  type: 'object',
  properties: {
    question: string,
    answer: {
      type: 'string',
      description: 'Sentences with marks `[n]`, or one sentence that says that the documents do not know.',
    },
    abstained: boolean,
    confidence: { type: 'string', enum: ['high', 'low', 'none'] },
    band: { type: 'string', enum: ['answered', 'closest', 'refused'] },
    support: { type: 'number', minimum: 0, maximum: 1 },
    citations: list(citation),
    contradiction: list({
      type: 'object',
      properties: { n: integer, date: string, dateFrom: string },
      required: ['n'],
    }),
    related: list(related),
    hits: list(hit),
    usage: { type: 'object' },
    costUsd: number,
    mode: string,
    skipped: list({ type: 'object' }),
    model: string,
    stop: string,
    error: { type: 'object' },
    query: string,
    unsupported: list(span),
    dropped: list(string),
    links: list({ type: 'object' }),
    shards,
    warnings: list(warning),
    web: { type: 'object' },
    savedUsd: number,
    computations: list({ type: 'object' }),
    images: list({ type: 'object' }),
    relatedQuestions: list(string),
    index: string,
  },
  required: [
    'question',
    'answer',
    'abstained',
    'confidence',
    'band',
    'support',
    'citations',
    'hits',
    'usage',
    'costUsd',
  ],
};

export const documentsAnswer: Schema = {
  type: 'object',
  properties: {
    total: { type: 'integer', description: 'Of all documents that match.' },
    documents: list({
      type: 'object',
      properties: { uri: string, title: string, format: string, metadata, chunks: integer, index: string },
      required: ['uri', 'title', 'format', 'metadata', 'chunks'],
    }),
    shards,
  },
  required: ['total', 'documents'],
};

export const documentAnswer: Schema = {
  type: 'object',
  properties: {
    ...{ uri: string, title: string, format: string, metadata, chunks: integer, hasFile: boolean },
    length: { type: 'integer', description: 'Characters of the whole text.' },
    span,
    text: { type: 'string', description: 'The text of `span`.' },
    index: string,
    places: list(
      { type: 'object', properties: { start: integer, end: integer, ...place }, required: ['start', 'end'] },
      'Where parts of the text stand in the source.',
    ),
  },
  required: ['uri', 'title', 'format', 'metadata', 'chunks', 'hasFile', 'length', 'span', 'text', 'places'],
};

/** `Passage` with its place beside the other keys, and the name of its index, where the server has several. */
type ServedPassage = Passage &
  Place & { readonly citation: string; readonly reference: string; readonly index?: string };

export const showAnswer: ObjectSchema<ServedPassage> = {
  type: 'object',
  properties: {
    ...{ uri: string, title: string, format: string, metadata, span, quote: string, before: string, after: string },
    ...{ ...place, place: placeObject, citation: string, reference: string, web: { type: 'object' } },
    ...{ media: string, words: list({ type: 'object' }, 'Of a recording: `text`, `timeMs`.'), index: string },
    source: { type: 'string', description: '`same`, or what the file is instead.' },
  },
  required: [
    'uri',
    'title',
    'format',
    'metadata',
    'span',
    'quote',
    'before',
    'after',
    'place',
    'citation',
    'reference',
    'source',
  ],
};

export const problem: Schema = {
  type: 'object',
  properties: { code: string, message: string, hint: string },
  required: ['code', 'message'],
};
const unreadIndex: Schema = {
  type: 'object',
  properties: { name: string, error: problem },
  required: ['name', 'error'],
  description: 'An index that cannot be read as a whole now, beside others that can.',
};

const indexStatus: Schema = {
  type: 'object',
  properties: {
    ...{ name: string, documents: integer, chunks: integer, formats: { type: 'object' }, dimensions: integer },
    ...{
      embedder: string,
      rebuild: string,
      bytesOnDisk: integer,
      failed: list({ type: 'object' }),
      skipped: list({ type: 'object' }),
    },
    warnings: list({ type: 'object' }),
    shards,
    ingest: { type: 'object', description: 'The run of a watched folder: `running`, `files`, `done`, `last`.' },
  },
  required: ['name', 'documents', 'chunks', 'formats', 'dimensions', 'failed', 'skipped', 'warnings'],
};

export const statusAnswer: Schema = {
  type: 'object',
  properties: {
    version: string,
    modes: list(string, 'Modes of `/api/ask` that the caller may use.'),
    watching: boolean,
    indexes: list({ anyOf: [indexStatus, unreadIndex] }),
  },
  required: ['version', 'modes', 'watching', 'indexes'],
};

export const facetsAnswer: Schema = {
  type: 'object',
  properties: {
    documents: { type: 'integer', description: 'Documents that were counted.' },
    complete: {
      type: 'boolean',
      description: 'False when there are more documents than were counted, or a shard is missing.',
    },
    formats: list({ type: 'object' }, '`value`, `documents`; most frequent first.'),
    folders: list({ type: 'object' }, '`value` (up to two levels, ends with `/`), `documents`.'),
    metadata: list(
      { type: 'object' },
      '`key`, `documents`, `values` (`value`, `documents`), of numbers and dates `least` and `most`.',
    ),
    shards,
  },
  required: ['documents', 'complete', 'formats', 'folders', 'metadata'],
};

export const addAnswer: Schema = {
  type: 'object',
  properties: {
    ...{ added: integer, updated: integer, unchanged: integer, documents: integer, chunks: integer },
    refilled: list(string, 'Shards that were gone and are made anew, empty; absent where there were none.'),
    failed: list({ type: 'object' }, 'Documents without text, and those over a limit: `uri`, `code`, `message`.'),
  },
  required: ['added', 'updated', 'unchanged', 'failed', 'documents', 'chunks'],
};

export const removeAnswer: Schema = {
  type: 'object',
  properties: { removed: list(string, 'Uris that were there.') },
  required: ['removed'],
};

export const errorAnswer: Schema = {
  type: 'object',
  properties: { error: problem },
  required: ['error'],
};
