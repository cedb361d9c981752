import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SpokenWord } from '../../../src/transcribe/contract.ts';
import { cutTargets, joinParts, type Part, partsAt } from '../../../src/transcribe/parts.ts';

/** What is heard of a part: the words that lie wholly in it, from its own start. @param offMs a steady error of time */
function hear(words: readonly SpokenWord[], { fromMs, toMs }: Part, offMs = 0): { words: SpokenWord[] } {
  const heard = words.filter(({ startMs, endMs }) => startMs >= fromMs && endMs <= toMs);
  const names = new Map<string, string>(); // a service numbers speakers anew in each request
  const speaker = (name: string): string => names.get(name) ?? names.set(name, `speaker_${names.size}`).get(name)!;
  return {
    words: heard.map((word) => ({
      ...word,
      startMs: Math.max(0, word.startMs - fromMs + offMs),
      endMs: Math.max(0, word.endMs - fromMs + offMs),
      ...(word.speaker === undefined ? {} : { speaker: speaker(word.speaker) }),
    })),
  };
}

/** Three people by turns, with pauses; the same few words again and again, so that only times tell them apart. */
function speech(totalMs: number, seed: number): SpokenWord[] {
  const words: SpokenWord[] = [];
  const speakers = ['speaker_0', 'speaker_1', 'speaker_2'];
  let random = seed;
  const next = (): number => {
    random = (Math.imul(random, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return random / 0x7fff_ffff;
  };
  for (let at = 100, turn = 0; at < totalMs - 1000; turn++) {
    for (let left = 3 + Math.floor(next() * 20); left > 0 && at < totalMs - 1000; left--) {
      const length = Math.round(150 + next() * 350);
      words.push({
        text: ['yes', 'no', 'the', 'rent'][Math.floor(next() * 4)]!,
        startMs: at,
        endMs: at + length,
        speaker: speakers[turn % 3]!,
      });
      at += length + Math.round(next() * 80);
    }
    at += 500 + Math.round(next() * 800);
  }
  return words;
}

const overlapMs = 60_000;

describe('parts of a long recording', () => {
  test('three hours cut at known places are joined to the whole: no word twice or lost, speakers as before', () => {
    const durationMs = 3 * 3600 * 1000;
    const words = speech(durationMs, 7);
    expect(words.length).toBeGreaterThan(20_000);
    const cuts = [2_000_000, 4_123_456, 6_500_000, 9_999_999];
    const parts = partsAt(cuts, durationMs, overlapMs);
    expect(joinParts(parts.map((part) => ({ part, transcript: hear(words, part) }))).words).toEqual(words);
  });

  test('a cut in the middle of a word keeps it once, also when both parts measure its time a little apart', () => {
    const words = speech(600_000, 3);
    for (const [i, off] of [0, 40, -40, 90, -90].entries()) {
      const word = words[100 + 37 * i]!;
      const cut = Math.round((word.startMs + word.endMs) / 2) + (i - 2);
      const parts = partsAt([cut], 600_000, overlapMs);
      const joined = joinParts([
        { part: parts[0]!, transcript: hear(words, parts[0]!) },
        { part: parts[1]!, transcript: hear(words, parts[1]!, off) },
      ]).words;
      expect(joined.map(({ text }) => text)).toEqual(words.map(({ text }) => text));
      for (const [w, { startMs }] of joined.entries())
        expect(Math.abs(startMs - words[w]!.startMs)).toBeLessThanOrEqual(90);
    }
  });

  test('any cuts give the whole again', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.uniqueArray(fc.integer({ min: 70_000, max: 530_000 }), { maxLength: 3 }),
        (seed, at) => {
          const cuts = at.sort((a, b) => a - b).filter((cut, i, all) => i === 0 || cut - all[i - 1]! > 70_000);
          const words = speech(600_000, seed);
          const parts = partsAt(cuts, 600_000, overlapMs);
          const joined = joinParts(parts.map((part) => ({ part, transcript: hear(words, part) })));
          expect(joined.words.map(({ startMs, text }) => [startMs, text])).toEqual(
            words.map(({ startMs, text }) => [startMs, text]),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  test('a speaker who was not heard before the cut gets a new name, not that of another', () => {
    const word = (text: string, startMs: number, speaker: string): SpokenWord => ({
      text,
      startMs,
      endMs: startMs + 500,
      speaker,
    });
    const parts = partsAt([10_000], 20_000, 5_000);
    const joined = joinParts([
      { part: parts[0]!, transcript: { words: [word('a', 0, 'speaker_0'), word('b', 7_000, 'speaker_1')] } },
      { part: parts[1]!, transcript: { words: [word('b', 2_000, 'speaker_0'), word('c', 8_000, 'speaker_1')] } },
    ]);
    expect(joined.words.map(({ text, speaker }) => [text, speaker])).toEqual([
      ['a', 'speaker_0'],
      ['b', 'speaker_1'],
      ['c', 'speaker_2'],
    ]);
  });

  const said = (text: string, startMs: number, speaker: string): SpokenWord => ({
    text,
    startMs,
    endMs: startMs + 500,
    speaker,
  });

  test('who speaks after a part in which nobody spoke is not taken for somebody who spoke before it', () => {
    const parts = partsAt([10_000, 20_000], 30_000, 5_000);
    const joined = joinParts([
      { part: parts[0]!, transcript: { words: [said('a', 0, 'speaker_0')] } },
      { part: parts[1]!, transcript: { words: [] } },
      { part: parts[2]!, transcript: { words: [said('b', 9_000, 'speaker_0')] } },
    ]);
    expect(joined.words.map(({ text, speaker }) => [text, speaker])).toEqual([
      ['a', 'speaker_0'],
      ['b', 'speaker_1'],
    ]);
  });

  test('where each channel is a speaker, a channel is the same speaker in every part', () => {
    // nothing is sent again before a cut; the second channel is silent around the first one
    const parts = partsAt([10_000, 20_000], 30_000, 0);
    const joined = joinParts([
      { part: parts[0]!, transcript: { words: [said('a', 1_000, 'speaker_1'), said('b', 5_000, 'speaker_0')] } },
      { part: parts[1]!, transcript: { words: [said('c', 500, 'speaker_0'), said('d', 6_000, 'speaker_1')] } },
      { part: parts[2]!, transcript: { words: [said('e', 500, 'speaker_1'), said('f', 7_000, 'speaker_0')] } },
    ]);
    expect(joined.words.map(({ text, speaker }) => text + speaker!.at(-1)).join(' ')).toBe('a1 b0 c0 d1 e1 f0');
  });

  test('two channels that speak all the time are each whole again, whatever the cuts', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.uniqueArray(fc.integer({ min: 10, max: 590 }), { maxLength: 4 }),
        (seed, at) => {
          const channels = [seed, seed + 1].map((own, i) =>
            speech(600_000, own).map((word) => ({ ...word, speaker: `speaker_${i}` })),
          );
          const cuts = at.sort((a, b) => a - b).map((second) => second * 1000);
          const heard = partsAt(cuts, 600_000, 0).map((part) => {
            const within = channels.flat().filter(({ startMs, endMs }) => startMs >= part.fromMs && endMs <= part.toMs);
            const move = (word: SpokenWord) => ({
              ...word,
              startMs: word.startMs - part.fromMs,
              endMs: word.endMs - part.fromMs,
            });
            return { part, transcript: { words: within.map(move) } };
          });
          const { words } = joinParts(heard);
          for (const [i, own] of channels.entries())
            expect(words.filter(({ speaker }) => speaker === `speaker_${i}`)).toEqual(own);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('two channels that speak at once across a cut are heard once', () => {
    // stretches of a channel stay together, so that times go back where the other channel begins
    const a = [9_000, 9_600, 10_200, 10_800].map((at, i) => said(`a${i}`, at, 'speaker_0'));
    const b = [9_100, 9_700, 10_300].map((at, i) => said(`b${i}`, at, 'speaker_1'));
    const parts = partsAt([10_000], 20_000, 0);
    const second = [...a.slice(2), ...b.slice(2)].map((word) => ({
      ...word,
      startMs: word.startMs - 10_000,
      endMs: word.endMs - 10_000,
    }));
    const joined = joinParts([
      { part: parts[0]!, transcript: { words: [...a, ...b] } },
      { part: parts[1]!, transcript: { words: second } },
    ]);
    expect(joined.words.map(({ text }) => text).sort()).toEqual(['a0', 'a1', 'a2', 'a3', 'b0', 'b1', 'b2']);
  });

  test('no part is longer than a request takes, with what it repeats and wherever the quiet moments lie', () => {
    for (const [mostMs, repeatedMs, slackMs] of [
      [9_000_000, overlapMs, 10_000],
      [3_600_000, 0, 10_000],
      [6_000, 1_500, 375],
    ] as const) {
      for (const durationMs of [mostMs + 1, 3 * mostMs, 5.5 * mostMs, 12 * 3_600_000]) {
        const targets = cutTargets(durationMs, mostMs, repeatedMs, slackMs);
        for (const first of [1, -1]) {
          const cuts = targets.map((target, i) => target + first * (i % 2 === 0 ? slackMs : -slackMs));
          for (const { fromMs, toMs } of partsAt(cuts, durationMs, repeatedMs))
            expect(toMs - fromMs).toBeLessThanOrEqual(mostMs);
        }
      }
    }
    expect(cutTargets(1000, 9_000_000, overlapMs, 10_000)).toEqual([]);
  });
});
