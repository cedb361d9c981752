import { IbidError } from '../core/errors.ts';
import type { SoundPart, SpokenTurn } from './contract.ts';
import { msOf, type Samples } from './pcm.ts';

/** Silence after each turn, in ms. */
const PAUSE_MS = 250;

/** Sound of a speaker that says one turn at a time and knows no times: a turn's span is its sound. */
export async function* turnByTurn(
  turns: Iterable<SpokenTurn> | AsyncIterable<SpokenTurn>,
  say: (turn: SpokenTurn) => AsyncIterable<Samples>,
): AsyncGenerator<SoundPart, void, undefined> {
  let rate: number | undefined;
  let bytes = 0;
  let index = 0;
  for await (const turn of turns) {
    const from = bytes;
    for await (const { audio, sampleRate } of say(turn)) {
      rate ??= sampleRate;
      if (sampleRate !== rate) {
        throw new IbidError('RESPONSE_INVALID', `two voices differ: ${rate} and ${sampleRate} samples a second`, {
          hint: 'Choose voices of one kind.',
        });
      }
      bytes += audio.length;
      yield { audio, sampleRate, spans: [] };
    }
    if (rate === undefined || bytes === from) throw new IbidError('RESPONSE_INVALID', 'a sentence gave no sound');
    const span = { turn: index++, start: 0, end: turn.text.length };
    const times = { startMs: msOf(from, rate), endMs: msOf(bytes, rate) };
    const pause = Buffer.alloc(2 * Math.round((rate * PAUSE_MS) / 1000));
    bytes += pause.length;
    yield { audio: pause, sampleRate: rate, spans: [{ ...span, ...times }] };
  }
}
