import { relative, resolve, sep } from 'node:path';
import { formatCitation, IbidError, type Passage, parseCitation, type SearchIndex } from '../index.ts';

/**
 * A cited passage. A citation names its document as the index does; where it has none of that name, the name is taken
 * as a path from the working folder, as a shell completes it.
 * @throws IbidError CITATION_NOT_FOUND, INVALID_ARGUMENT
 */
export async function citedPassage(index: SearchIndex, citation: string, signal: AbortSignal): Promise<Passage> {
  try {
    return await index.show(citation, { signal });
  } catch (error) {
    if (!(error instanceof IbidError) || error.code !== 'CITATION_NOT_FOUND') throw error;
    const { uri } = parseCitation(citation);
    const path = relative(index.base, resolve(uri)).replaceAll(sep, '/');
    if (path === '' || path === uri || (await index.documentPage({ where: { uri: path }, limit: 0 })).total === 0)
      throw error;
    const hash = citation.lastIndexOf('#');
    return await index.show(formatCitation({ uri: path }) + (hash < 0 ? '' : citation.slice(hash)), { signal });
  }
}
