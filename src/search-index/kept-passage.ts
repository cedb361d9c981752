import { parseCitation } from '../answer/citation.ts';
import { IbidError } from '../core/errors.ts';
import type { Passage } from '../core/passage.ts';
import type { WebSnapshots } from '../web/snapshots.ts';

/**
 * A cited passage of a web page that was kept; undefined for a citation of a document.
 * @param pages undefined for a part of an index: no filter of documents says who may read a page
 * @throws IbidError CITATION_NOT_FOUND
 */
export async function keptPassage(citation: string, pages: WebSnapshots | undefined): Promise<Passage | undefined> {
  const { uri, span, snapshot: page } = parseCitation(citation);
  if (page === undefined) return undefined;
  if (!pages) throw new IbidError('CITATION_NOT_FOUND', 'a part of an index has no pages of the web');
  return await pages.passage(uri, page, span);
}
