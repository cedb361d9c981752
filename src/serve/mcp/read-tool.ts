import { type CitationReference, formatCitation, parseCitation } from '../../answer/citation.ts';
import { IbidError } from '../../core/errors.ts';
import { oneLine } from '../../text/one-line.ts';
import { firstThatHas } from '../indexes.ts';
import { documentsRequest } from '../request-shapes.ts';
import { viewsOf } from '../routes/documents.ts';
import type { Schema } from '../schema.ts';
import { type Tool, tool } from './tool.ts';
import { named, string } from './tool-schemas.ts';
import { pointed } from './tool-texts.ts';

const { index } = documentsRequest.properties;

const ref: Schema = {
  type: 'string',
  minLength: 1,
  maxLength: 4000,
  description: 'A reference: `uri#start-end` as results have it, or a uri.',
};

/** Characters of one part of a document, and around a passage; some 1,500 tokens. */
const PART = 6000;
const AROUND = 1200;

interface ReadInput {
  readonly ref: string;
  readonly part?: number;
  readonly around?: number;
  readonly index?: string;
}

export const read: Tool = tool<ReadInput>({
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
