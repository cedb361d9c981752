import { strict as assert } from 'node:assert';
import type { SoundPart, Speaker, SpokenTurn } from '../speak/contract.ts';
import { type ContractCheck, checks, endsWhenAborted, type Make } from './check.ts';

/** How long a speaker may take for its first sound, in milliseconds, before it is said to wait for the next turn. */
const LONGEST_MS = 10_000;

const texts = ['The ferry leaves at seven.', 'In winter there is none on Sundays.', 'Bring a coat.'];

/**
 * What an index asks of a `Speaker`, as checks for any test runner:
 * `for (const { name, run } of speakerContract(() => mine)) it(name, run);`
 */
export function speakerContract(make: Make<Speaker>): ContractCheck[] {
  return checks(make, {
    'has an id, a voice, limits that are more than nothing, and samples': async (speaker) => {
      assert.ok(typeof speaker.id === 'string' && speaker.id !== '');
      assert.ok(speaker.voices.length > 0 && speaker.voices.every((voice) => voice !== ''));
      assert.ok(speaker.limits.characters >= 1 && speaker.limits.voices >= 1);
      assert.ok(speaker.formats.includes('pcm'));
      const price = speaker.price?.();
      assert.ok(price === undefined || (Number.isFinite(price) && price >= 0), `${price} is no price`);
    },
    'gives whole samples at one rate': async (speaker) => {
      const parts = await heard(speaker, turnsOf());
      for (const { audio, sampleRate } of parts) {
        assert.ok(audio instanceof Uint8Array, 'sound must be bytes, as a Uint8Array');
        assert.ok(Number.isFinite(sampleRate) && sampleRate > 0, `the sample rate is ${sampleRate}`);
        assert.equal(audio.length % 2, 0, 'half a sample');
        assert.equal(sampleRate, parts[0]!.sampleRate);
      }
      assert.ok(msOf(parts) > 100, 'there is nearly no sound');
    },
    'knows when each turn is heard: in order, inside the sound, at offsets of its text': async (speaker) => {
      for (const turns of [turnsOf(), coming(turnsOf())]) checkSpans(await heard(speaker, turns));
    },
    'speaks a turn before the next one comes': async (speaker) => {
      let asked = 0;
      const [first, second] = turnsOf();
      const said = Promise.withResolvers<void>();
      async function* waiting(): AsyncGenerator<SpokenTurn> {
        asked++;
        yield first!;
        const limit = setTimeout(() => said.reject(new Error('no sound came before the next one')), LONGEST_MS);
        await said.promise.finally(() => clearTimeout(limit));
        asked++;
        yield second!;
      }
      for await (const { audio } of speaker.speak(waiting(), {})) if (audio.length > 0) said.resolve();
      assert.equal(asked, 2);
    },
    'speaks with each of its voices, in turns': async (speaker) => {
      const turns = texts.map((text, i) => ({ text, voice: speaker.voices[i % speaker.voices.length] }));
      checkSpans(await heard(speaker, turns));
    },
    'speaks in every format it names': async (speaker) => {
      for (const format of speaker.formats) {
        const parts = await Array.fromAsync(speaker.speak(turnsOf(), { format }));
        assert.ok(
          parts.some(({ audio }) => audio.length > 0),
          `no sound as ${format}`,
        );
      }
    },
    'ends when the caller leaves': async (speaker) => {
      await endsWhenAborted((options) => Array.fromAsync(speaker.speak(turnsOf(), options)));
    },
  });
}

const turnsOf = (): SpokenTurn[] => texts.map((text) => ({ text }));

async function* coming(turns: readonly SpokenTurn[]): AsyncGenerator<SpokenTurn> {
  yield* turns;
}

async function heard(speaker: Speaker, turns: readonly SpokenTurn[] | AsyncIterable<SpokenTurn>): Promise<SoundPart[]> {
  return await Array.fromAsync(speaker.speak(turns, {}));
}

const msOf = (parts: readonly SoundPart[]): number =>
  parts.reduce((sum, { audio, sampleRate }) => sum + (audio.length / 2 / sampleRate) * 1000, 0);

function checkSpans(parts: readonly SoundPart[]): void {
  const spans = parts.flatMap((part) => part.spans);
  assert.deepEqual(
    [...new Set(spans.map(({ turn }) => turn))],
    [...texts.keys()],
    'a turn is not heard, or not in order',
  );
  let before = { turn: -1, end: 0, startMs: 0 };
  for (const { turn, start, end, startMs, endMs } of spans) {
    const { length } = texts[turn]!;
    assert.ok(start >= (turn === before.turn ? before.end : 0) && end > start && end <= length, `${start} to ${end}`);
    assert.ok(startMs >= before.startMs - 1 && endMs >= startMs, `${startMs} to ${endMs} ms`);
    assert.ok(endMs <= msOf(parts) + 50, `${endMs} ms is after the end`);
    before = { turn, end, startMs };
  }
}
