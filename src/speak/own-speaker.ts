import { contractBroken, type OwnPart, ownFailure, unusable } from '../core/own-part.ts';
import type { SoundFormat, SoundPart, SpeakCall, Speaker, SpokenTurn } from './contract.ts';

/** @throws IbidError INVALID_ARGUMENT for a speaker without id, limits or method */
export function checkSpeaker(own: Speaker): void {
  const invalid = (missing: string): Error => unusable('speaker', 'Speaker', 'speakerContract', missing);
  if (typeof own?.id !== 'string' || own.id === '') throw invalid('`id` must be a text');
  if (!(own.limits?.characters >= 1)) throw invalid('`limits.characters` must be a number from 1');
  if (typeof own.speak !== 'function') throw invalid('it has no method `speak`');
}

/**
 * What a speaker says, checked before it is heard: samples that are taken for bytes would be noise of half the length.
 * @param handed how many turns it has been given so far
 * @throws IbidError CONTRACT_BROKEN, SERVICE_FAILED in place of an error of another kind; the reason of the caller's
 * abort
 */
export async function* checkedSound(
  own: Speaker,
  turns: readonly SpokenTurn[] | AsyncIterable<SpokenTurn>,
  call: SpeakCall & { readonly format: SoundFormat },
  handed: () => number,
): AsyncGenerator<SoundPart, void, undefined> {
  const part: OwnPart = { what: 'speaker', id: own.id, check: 'speakerContract' };
  try {
    const parts: unknown = own.speak(turns, call);
    if (typeof parts !== 'object' || parts === null || !(Symbol.asyncIterator in parts))
      throw contractBroken(part, '`speak` must give an async iterable of parts');
    for await (const given of parts as AsyncIterable<SoundPart>) yield checked(part, given, call.format, handed());
  } catch (cause) {
    call.signal?.throwIfAborted();
    throw ownFailure(part, cause);
  }
}

function checked(part: OwnPart, given: SoundPart, format: SoundFormat, turns: number): SoundPart {
  const { audio, sampleRate, spans } = given ?? {};
  if (!(audio instanceof Uint8Array)) throw contractBroken(part, '`audio` must be bytes, as a Uint8Array');
  if (format === 'pcm' && audio.length % 2 !== 0)
    throw contractBroken(part, '`audio` must be cut between two samples of 16 bits');
  if (!(Number.isFinite(sampleRate) && sampleRate > 0))
    throw contractBroken(part, `\`sampleRate\` must be samples a second, not ${sampleRate}`);
  const isTurn = (turn: unknown): boolean => Number.isSafeInteger(turn) && Number(turn) >= 0 && Number(turn) < turns;
  if (!Array.isArray(spans) || !spans.every((span) => isTurn(span?.turn)))
    throw contractBroken(part, '`spans` must be a list, each of a turn that it was given');
  return given;
}
