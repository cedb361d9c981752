import { parseCitation } from '../answer/citation.ts';
import { textOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import type { Passage } from '../core/passage.ts';
import type { CallOptions } from '../core/types.ts';
import { findPassage } from '../passages/show.ts';
import type { WebSnapshots } from '../web/snapshots.ts';
import type { OpenParts } from './parts.ts';
import { documentsOnly, type Views } from './scope.ts';
import { sourceFilesOf } from './source-file.ts';

/**
 * A cited passage of a document, or of a web page that was kept.
 * @param isPart no filter of documents says who may read a page
 * @throws IbidError CITATION_NOT_FOUND, INVALID_ARGUMENT
 */
export async function citedPassage(
  parts: OpenParts,
  { views, isPart }: { readonly views: Views; readonly isPart: boolean },
  citation: string,
  options: CallOptions,
): Promise<Passage> {
  const kept = await keptPassage(textOf(citation, 'the citation'), isPart ? undefined : parts.web.snapshots);
  if (kept) return kept;
  const files = sourceFilesOf(parts);
  return await views.withView(({ snapshot }) => findPassage(snapshot, citation, files, options), documentsOnly);
}

/** Undefined for a citation of a document. */
async function keptPassage(citation: string, pages: WebSnapshots | undefined): Promise<Passage | undefined> {
  const { uri, span, snapshot: page } = parseCitation(citation);
  if (page === undefined) return undefined;
  if (!pages) throw new IbidError('CITATION_NOT_FOUND', 'a part of an index has no pages of the web');
  return await pages.passage(uri, page, span);
}
