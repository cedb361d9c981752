import { basename } from 'node:path';
import { formatCitation, parseCitation } from '../../answer/citation.ts';
import { IbidError } from '../../core/errors.ts';
import { clipLocators } from '../../core/location.ts';
import { documentAnswer, documentsAnswer, servedShards, showAnswer } from '../answer-shapes.ts';
import { firstThatHas, type NamedView } from '../indexes.ts';
import { mediaTypeOf } from '../media-types.ts';
import { ofIndex } from '../problem.ts';
import {
  type DocumentRequest,
  type DocumentsRequest,
  documentRequest,
  documentsRequest,
  MOST_TEXT,
  type ReferenceRequest,
  referenceRequest,
} from '../request-shapes.ts';
import { type Call, type Route, route } from '../route.ts';

/** The indexes a call means, as far as they exist for its caller. */
export function viewsOf(
  { access, indexes }: Pick<Call, 'access' | 'indexes'>,
  name: string | undefined,
): readonly NamedView[] {
  const views = indexes.chosen(name);
  return views.map(([own, index]) => ({ view: access.view(index), named: indexes.areSeveral ? { index: own } : {} }));
}

export const documentsRoute: Route = route<DocumentsRequest>({
  path: '/api/documents',
  methods: ['GET', 'POST'],
  summary: 'Lists documents.',
  scope: 'read',
  request: documentsRequest,
  answer: documentsAnswer,
  handle: async (call) => {
    const { index: name, offset = 0, limit = 50, where } = call.input;
    let total = 0;
    const documents = [];
    const reports = [];
    for (const { view, named } of viewsOf(call, name)) {
      const at: { offset: number; limit: number } = {
        offset: Math.max(0, offset - total),
        limit: limit - documents.length,
      };
      const page = await ofIndex(named.index, () => view.documentPage({ where, ...at, signal: call.signal }));
      total += page.total;
      reports.push(page.shards);
      documents.push(...page.documents.map((one) => ({ ...one, ...named })));
    }
    return { json: { total, documents, ...servedShards(reports) } };
  },
});

export const documentRoute: Route = route<DocumentRequest>({
  path: '/api/document',
  methods: ['GET', 'POST'],
  summary: 'One document with its text, or a part of it.',
  scope: 'read',
  request: documentRequest,
  answer: documentAnswer,
  handle: async (call) => {
    const { uri, index: name, from = 0, to = from + MOST_TEXT } = call.input;
    if (to < from) throw new IbidError('INVALID_ARGUMENT', '`to` is less than `from`');
    return await firstThatHas(viewsOf(call, name), async (index, named) => {
      const document = await index.document(uri);
      if (!document) throw new IbidError('CITATION_NOT_FOUND', 'there is no document with this uri');
      const { text, locators, ...rest } = document;
      const start = Math.min(from, text.length);
      const end = Math.min(to, start + MOST_TEXT, text.length);
      const hasFile = await index.sourceFile(uri).then(
        () => true,
        () => false,
      );
      const places = clipLocators(locators, { start, end });
      const shown = { span: { start, end }, text: text.slice(start, end), places };
      return { json: { ...rest, hasFile, length: text.length, ...shown, ...named } };
    });
  },
});

export const showRoute: Route = route<ReferenceRequest>({
  path: '/api/show',
  methods: ['GET', 'POST'],
  summary: 'A cited passage in its context, compared with its file.',
  scope: 'read',
  request: referenceRequest,
  answer: showAnswer,
  handle: async (call) => {
    const { ref, index: name } = call.input;
    const passage = await firstThatHas(viewsOf(call, name), async (index, named) => ({
      ...(await index.show(ref, { signal: call.signal })),
      ...named,
    }));
    const { uri, span, web, place } = passage;
    const reference = formatCitation({ uri, span, snapshot: web?.snapshot });
    return { json: { ...passage, ...place, citation: reference, reference } };
  },
});

export const sourceRoute: Route = route<ReferenceRequest>({
  path: '/api/source',
  methods: ['GET'],
  summary: 'The bytes of the file of a document, whole or in ranges, while it is as it was indexed.',
  scope: 'read',
  request: referenceRequest,
  media: '*/*',
  handle: async (call) => {
    const { uri } = parseCitation(call.input.ref);
    const file = await firstThatHas(viewsOf(call, call.input.index), (index) => index.sourceFile(uri));
    const { path, sizeBytes, mtimeMs } = file;
    const name = encodeURIComponent(basename(path).toWellFormed()).replace(
      /['()*]/g,
      (c) => `%${c.charCodeAt(0).toString(16)}`,
    );
    const headers = { 'content-disposition': `inline; filename*=UTF-8''${name}` }; // else it would be saved as `source`
    return { file: { path, sizeBytes, mtimeMs, type: mediaTypeOf(uri) }, headers };
  },
});
