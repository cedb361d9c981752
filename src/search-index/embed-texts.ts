import { IbidError } from '../core/errors.ts';
import { Meter } from '../core/meter.ts';
import type { IndexView } from '../passages/view.ts';
import type { EmbedOptions } from './options.ts';

/**
 * Vectors of texts, as the index has them of queries.
 * @throws IbidError INVALID_ARGUMENT without vectors, or with others than those expected
 */
export async function embedTexts(
  { embedder, warning }: IndexView,
  texts: readonly string[],
  options: EmbedOptions,
): Promise<readonly Int8Array[]> {
  if (!Array.isArray(texts) || !texts.every((text) => typeof text === 'string'))
    throw new IbidError('INVALID_ARGUMENT', 'the texts must be a list of strings');
  if (!embedder) throw warning ?? new IbidError('INVALID_ARGUMENT', 'the index has no vectors yet');
  const { dimensions = embedder.dimensions } = options;
  if (dimensions !== embedder.dimensions)
    throw new IbidError('INVALID_ARGUMENT', `vectors of this index have ${embedder.dimensions} dimensions`, {
      hint: `Leave \`dimensions\` out, or give ${embedder.dimensions}.`,
    });
  const metered = embedder.withMeter?.(Meter.of(options.budget)) ?? embedder;
  await metered.embedQueries?.(texts, options);
  const vectors: Int8Array[] = [];
  for (const text of texts) vectors.push(await metered.embedQuery(text, options));
  return vectors;
}
