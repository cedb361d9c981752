import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { IbidError } from '../../core/errors.ts';
import type { GivenDocument } from '../../ingest/given-documents.ts';
import type { SearchIndex } from '../../search-index/search-index.ts';
import type { Access } from '../access.ts';
import { addAnswer, removeAnswer } from '../answer-shapes.ts';
import { problemOf, Refusal } from '../problem.ts';
import { type AddRequest, addRequest, type RemoveRequest, removeRequest } from '../request-shapes.ts';
import { type Call, type Route, route } from '../route.ts';

/**
 * Who may change an index: a token, always, because a page of another program could otherwise; and none with a filter,
 * because a document that is written may lie outside of the filter.
 */
function mayWrite({ token }: Access): void {
  if (token === undefined)
    throw new Refusal(403, 'PERMISSION_DENIED', 'changing an index needs a token', {
      hint: 'Whoever runs the server makes one with the scope "ingest".',
    });
  if (token.where !== undefined)
    throw new Refusal(403, 'PERMISSION_DENIED', 'a token with a filter cannot change an index');
}

function writtenIndex({ access, indexes, input }: Call<{ readonly index?: string }>): SearchIndex {
  mayWrite(access);
  const chosen = indexes.chosen(input.index);
  if (chosen.length > 1)
    throw new Refusal(400, 'INVALID_ARGUMENT', 'name the index', { hint: 'Its names stand in /api/status.' });
  return chosen[0]![1];
}

/** A file may be called `note:1.md`: its document is as the folder has it. @throws Refusal 403 */
async function mustBeNoFiles(index: SearchIndex, uris: readonly string[]): Promise<void> {
  for (const uri of uris) {
    if (!existsSync(resolve(index.base, uri))) continue;
    const isFile = await index.sourceFile(uri).then(
      () => true,
      (error: unknown) => error instanceof IbidError && error.code === 'CONFLICT',
    );
    if (isFile) throw new Refusal(403, 'PERMISSION_DENIED', `"${uri}" is a file, which is changed in its folder alone`);
  }
}

const addRoute = route<AddRequest>({
  path: '/api/add',
  methods: ['POST'],
  summary: 'Adds documents that are not files, and replaces those of the same uri that differ.',
  scope: 'ingest',
  request: addRequest,
  answer: addAnswer,
  handle: async (call) => {
    const index = writtenIndex(call);
    const documents = call.input.documents as readonly GivenDocument[]; // checked by its schema
    await mustBeNoFiles(
      index,
      documents.map(({ uri }) => uri),
    );
    const { added, updated, unchanged, failed, skipped, refilled, ...now } = await index.add(documents, {
      signal: call.signal,
      budget: call.access.budget,
    });
    const told = [...failed, ...skipped].map(({ uri, code }) => ({ uri, code, message: messageOf(code) }));
    const { documents: held, chunks } = now;
    return {
      json: { added, updated, unchanged, failed: told, ...(refilled && { refilled }), documents: held, chunks },
    };
  },
});

const removeRoute = route<RemoveRequest>({
  path: '/api/remove',
  methods: ['POST'],
  summary: 'Removes documents that were added here.',
  scope: 'ingest',
  request: removeRequest,
  answer: removeAnswer,
  handle: async (call) => {
    const index = writtenIndex(call);
    await mustBeNoFiles(index, call.input.uris);
    return { json: await index.remove(call.input.uris, { signal: call.signal }) };
  },
});

export const writeRoutes: readonly Route[] = [addRoute, removeRoute];

function messageOf(code: string): string {
  return problemOf(Object.assign(new Error(), { name: 'IbidError', code, hint: undefined })).message;
}
