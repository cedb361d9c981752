import { IbidError } from '../../core/errors.ts';
import { nameOf } from '../answer-shapes.ts';
import { MOST_TEXT } from '../request-shapes.ts';
import type { McpContext } from './server.ts';

type Context = Pick<McpContext, 'access' | 'indexes'>;

const PAGE = 100;
const PREFIX = 'ibid://';

export const resourceTemplates: {
  uriTemplate: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
}[] = [
  {
    uriTemplate: `${PREFIX}{index}/{+uri}`,
    name: 'document',
    title: 'A document',
    description: 'The text of an indexed document, by the name of its index and its uri.',
    mimeType: 'text/plain',
  },
];

/** A type, not an interface: the SDK's results have an index signature. */
type Resources = {
  readonly resources: { uri: string; name: string; title: string; mimeType: string }[];
  readonly nextCursor?: string;
};

/** The documents of all indexes, page by page. */
export async function listResources({ access, indexes }: Context, cursor = '0'): Promise<Resources> {
  const offset = Number(cursor);
  if (!Number.isSafeInteger(offset) || offset < 0)
    throw new IbidError('INVALID_ARGUMENT', 'the cursor is not one of ours');
  let before = 0;
  const resources: { uri: string; name: string; title: string; mimeType: string }[] = [];
  for (const [name, index] of indexes.chosen(undefined)) {
    const at = { offset: Math.max(0, offset - before), limit: PAGE - resources.length };
    const { total, documents } = await access.view(index).documentPage(at);
    before += total;
    for (const one of documents)
      resources.push({ uri: resourceUri(name, one.uri), name: one.uri, title: nameOf(one), mimeType: 'text/plain' });
  }
  const next = offset + resources.length;
  return { resources, ...(next < before && { nextCursor: String(next) }) };
}

/** The text of a document; of a very long one its beginning, as the tool `read` gives the rest. */
export async function readResource(
  { access, indexes }: Context,
  uri: string,
): Promise<{ readonly contents: { uri: string; mimeType: string; text: string }[] }> {
  const [, name, encoded] = /^ibid:\/\/([^/]+)\/(.+)$/s.exec(uri) ?? [];
  if (name === undefined || encoded === undefined)
    throw new IbidError('INVALID_ARGUMENT', 'this is no resource of ours');
  const document = await access.view(indexes.get(decoded(name))).document(decoded(encoded));
  if (!document) throw new IbidError('CITATION_NOT_FOUND', 'there is no such document');
  return { contents: [{ uri, mimeType: 'text/plain', text: document.text.slice(0, MOST_TEXT).toWellFormed() }] };
}

function resourceUri(index: string, uri: string): string {
  const path = uri.toWellFormed().split('/').map(encodeURIComponent).join('/');
  return `${PREFIX}${encodeURIComponent(index)}/${path}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new IbidError('INVALID_ARGUMENT', 'the address of the resource is not well formed');
  }
}
