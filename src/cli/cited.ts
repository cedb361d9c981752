import { relative, resolve, sep } from 'node:path';
import { formatCitation, IbidError, type Passage, parseCitation, type SearchIndex } from '../index.ts';

/**
 * A cited passage. A citation names its document as the index does; where it has none of that name, the name is taken
 * as it stands, as a uri or as a path from the working folder: a shell completes `a#b.md`, which is no citation.
 * @throws IbidError CITATION_NOT_FOUND, INVALID_ARGUMENT
 */
export async function citedPassage(index: SearchIndex, citation: string, signal: AbortSignal): Promise<Passage> {
  try {
    return await index.show(citation, { signal });
  } catch (error) {
    const isUnknown = error instanceof IbidError && ['CITATION_NOT_FOUND', 'INVALID_ARGUMENT'].includes(error.code);
    for (const [name, place] of isUnknown && citation.trim() !== '' ? readings(citation) : [])
      for (const uri of [name, relative(index.base, resolve(name)).replaceAll(sep, '/')])
        if (uri !== '' && (await index.documentPage({ where: { uri }, limit: 0 })).total > 0)
          return await index.show(formatCitation({ uri }) + place, { signal });
    throw error;
  }
}

/** What may be the name in a citation, and the place that follows it. */
function readings(citation: string): [name: string, place: string][] {
  const hash = citation.lastIndexOf('#');
  const place = hash < 0 ? '' : citation.slice(hash);
  const name = citation.slice(0, citation.length - place.length);
  return [
    [citation, ''],
    [name, place],
    [decodedName(name), place],
  ];
}

/** As a citation has it, where it is one. */
function decodedName(name: string): string {
  return name.trim() === '' || name.includes('#') ? name : parseCitation(name).uri;
}
