import { untilAborted } from '../core/async.ts';
import { contractBroken, type OwnPart, ownFailure, priceOf, shown, unawaited, unusable } from '../core/own-part.ts';
import type { SoundFormat, SoundPart, SpeakCall, Speaker, SpokenTurn } from './contract.ts';

/** @throws IbidError INVALID_ARGUMENT for a speaker without id, limits, voices or method */
export function checkSpeaker(own: Speaker): void {
  const invalid = (missing: string): Error => unusable('speaker', 'Speaker', 'speakerContract', missing);
  if (typeof own?.id !== 'string' || own.id === '') throw invalid('`id` must be a text');
  if (!(own.limits?.characters >= 1)) throw invalid('`limits.characters` must be a number from 1');
  if (!Array.isArray(own.voices) || own.voices.length === 0) throw invalid('`voices` must name at least one voice');
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
  const part = partOf(own);
  let sampleRate: number | undefined;
  try {
    for await (const given of untilAborted(soundOf(part, own.speak(turns, call)), call.signal)) {
      const next = checked(part, given, call.format, handed());
      sampleRate ??= next.sampleRate;
      if (next.sampleRate !== sampleRate) throw contractBroken(part, '`sampleRate` must be the same for a whole call');
      yield next;
    }
  } catch (cause) {
    call.signal?.throwIfAborted();
    throw ownFailure(part, cause);
  }
}

/** USD of 1,000 characters; undefined where the speaker knows none. @throws IbidError CONTRACT_BROKEN, SERVICE_FAILED */
export function pricePer1000(own: Speaker, isConversation?: boolean): number | undefined {
  return own.price && priceOf(partOf(own), 'price', () => own.price!(isConversation));
}

const partOf = ({ id }: Pick<Speaker, 'id'>): OwnPart => ({ what: 'speaker', id, check: 'speakerContract' });

/** @throws IbidError CONTRACT_BROKEN */
function soundOf(part: OwnPart, parts: AsyncIterable<SoundPart>): AsyncIterable<SoundPart> {
  if (typeof parts === 'object' && parts !== null && Symbol.asyncIterator in parts) return parts;
  unawaited(parts);
  throw contractBroken(part, '`speak` must give an async iterable of parts', '; `async *speak` is one');
}

function checked(part: OwnPart, given: SoundPart, format: SoundFormat, turns: number): SoundPart {
  const { audio, sampleRate, spans } = given ?? {};
  if (!(audio instanceof Uint8Array)) throw contractBroken(part, '`audio` must be bytes, as a Uint8Array');
  if (format === 'pcm' && audio.length % 2 !== 0)
    throw contractBroken(part, '`audio` must be cut between two samples of 16 bits');
  if (!(Number.isFinite(sampleRate) && sampleRate > 0))
    throw contractBroken(part, `\`sampleRate\` must be samples a second, not ${shown(sampleRate)}`);
  const isTurn = (turn: unknown): boolean => Number.isSafeInteger(turn) && Number(turn) >= 0 && Number(turn) < turns;
  if (!Array.isArray(spans) || !spans.every((span) => isTurn(span?.turn)))
    throw contractBroken(part, '`spans` must be a list, each of a turn that it was given');
  const isRange = (from: unknown, to: unknown): boolean => Number(from) >= 0 && Number(to) >= Number(from);
  if (!spans.every(({ start, end, startMs, endMs }) => isRange(start, end) && isRange(startMs, endMs)))
    throw contractBroken(part, 'a span must have `start` and `end`, and times as `startMs` and `endMs`');
  return given;
}
