import { callOwn, checkedUsd, contractBroken, type OwnPart, priceOf, unusable } from '../core/own-part.ts';
import type { Transcriber, TranscriberReply } from './contract.ts';

/**
 * The caller's transcriber, whose words are checked before they are kept. The caller closes it.
 * @throws IbidError INVALID_ARGUMENT for one without id, limits or method; its calls: CONTRACT_BROKEN, SERVICE_FAILED
 */
export function ownTranscriber(own: Transcriber): Transcriber {
  const invalid = (missing: string): Error => unusable('transcriber', 'Transcriber', 'transcriberContract', missing);
  if (typeof own?.id !== 'string' || own.id === '') throw invalid('`id` must be a text');
  for (const name of ['bytes', 'seconds'] as const)
    if (!(own.limits?.[name] > 0)) throw invalid(`\`limits.${name}\` must be a number above 0`);
  if (typeof own.transcribe !== 'function') throw invalid('it has no method `transcribe`');
  const part: OwnPart = { what: 'transcriber', id: own.id, check: 'transcriberContract' };
  return {
    id: own.id,
    limits: own.limits,
    ...(own.price && { price: (hasKeyterms) => priceOf(part, 'price', () => own.price!(hasKeyterms)) }),
    transcribe: async (sound, call) => checked(part, await callOwn(part, () => own.transcribe(sound, call), call)),
  };
}

function checked(part: OwnPart, reply: TranscriberReply): TranscriberReply {
  const words: unknown = reply?.transcript?.words;
  if (!Array.isArray(words)) throw contractBroken(part, 'it gave no `transcript` with `words`');
  for (const word of words) {
    const { text, startMs, endMs, speaker } = word ?? {};
    if (typeof text !== 'string' || !(startMs >= 0) || !(endMs >= startMs && Number.isFinite(endMs)))
      throw contractBroken(part, 'a word must have a `text`, and times as `startMs` and `endMs`');
    if (speaker !== undefined && typeof speaker !== 'string')
      throw contractBroken(part, `the \`speaker\` of a word must be a text or left out, not ${speaker}`);
  }
  if (reply.costUsd !== undefined) checkedUsd(part, 'costUsd', reply.costUsd);
  return reply;
}
