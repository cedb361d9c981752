import { IbidError } from '../core/errors.ts';
import { checkFingerprint, type Fingerprint } from '../store/index.ts';
import { analysisVersion } from '../text/analysis/analysis.ts';
import type { ChunkOptions } from '../text/chunk/chunk.ts';
import { resolveChunkOptions } from '../text/chunk/options.ts';
import { textVersion } from '../text/version.ts';
import { checkEmbedder } from './given-vectors.ts';
import type { IndexParts } from './parts.ts';
import type { Finding } from './status.ts';

/** The parts of a fingerprint that decide how documents are cut. */
export type Shape = Readonly<Record<'chunker', string> & Record<'textVersion', number>>;

export function shapeOf(chunking: ChunkOptions | undefined): Shape {
  return { chunker: JSON.stringify(resolveChunkOptions(chunking)), textVersion };
}

/** The chunk options of a run. Tuned options wait for a rebuild, because an index has chunks of one kind only. */
export async function chunkingOf(
  { options, settings, session }: IndexParts,
  { rebuild, damaged }: { readonly rebuild?: boolean | undefined; readonly damaged?: boolean | undefined },
): Promise<ChunkOptions | undefined> {
  const { chunking: tuned } = settings;
  if (options.chunking !== undefined || tuned === undefined) return options.chunking;
  const store = rebuild && !damaged ? undefined : await session.existing();
  if (!store) return tuned;
  const { chunker } = await store.fingerprint();
  // written by `openIngestSession`, resolved
  return typeof chunker === 'string' ? (JSON.parse(chunker) as ChunkOptions) : tuned;
}

/**
 * Whether a run without `rebuild` may add to an index, as a writer checks it.
 * @param embedder of the run; absent: the index's own
 * @throws IbidError INDEX_MISMATCH
 */
export function checkAddable(made: Fingerprint, shape: Shape, embedder: string | undefined): void {
  checkFingerprint(made, { ...shape, analysisVersion });
  checkEmbedder(made.embedder, embedder);
}

/** Whether this version of ibid made the index, or one that cuts and analyses as this one does. */
export function checkVersions(made: Fingerprint): Finding {
  try {
    checkFingerprint(made, { analysisVersion, textVersion });
  } catch (error) {
    if (!(error instanceof IbidError)) throw error;
    const { message, hint } = error;
    return { check: 'version', ok: false, detail: message, ...(hint !== undefined && { hint }) };
  }
  return { check: 'version', ok: true, detail: 'documents are cut and analysed as by this version' };
}

/** Whether nothing of the index can be searched, because its words are terms of another version. */
export function isOfOtherAnalysis(made: Fingerprint): boolean {
  return made.analysisVersion !== analysisVersion;
}
