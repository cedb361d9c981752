import { IbidError } from '../../core/errors.ts';
import type { RecordingInfo } from './contract.ts';

/** The refusal of a recording without words. */
export function untranscribed({ durationMs, warnings }: RecordingInfo): IbidError {
  const minutes =
    durationMs >= 60_000 ? `${Math.round(durationMs / 60_000)} min` : `${Math.round(durationMs / 1000)} s`;
  const length = durationMs > 0 ? `a recording of ${minutes}` : 'a recording';
  const also = warnings.map(({ message }) => `; ${message}`).join('');
  return new IbidError('FILE_UNTRANSCRIBED', `${length} without a transcript${also}`, {
    hint: 'Put its transcript beside it (.srt, .vtt, .json, by the same name), or ingest with `transcribe: true`.',
  });
}
