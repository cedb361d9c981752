import { describe, expect, it } from 'vitest';
import { Meter } from '../../../src/core/meter.ts';
import { AlignedTurns } from '../../../src/services/audio/aligned.ts';
import { captionsOf, webVtt } from '../../../src/speak/captions.ts';
import type { SoundPart, Speaker, SpokenTurn } from '../../../src/speak/contract.ts';
import { SentenceStream } from '../../../src/speak/sentence-stream.ts';
import { speakTurns } from '../../../src/speak/speech.ts';
import { fakeSpeaker } from '../../../src/testing.ts';

async function* coming<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

async function spoken(speaker: Speaker, turns: readonly SpokenTurn[], meter = new Meter()) {
  const parts: SoundPart[] = [];
  const run = speakTurns(speaker, coming(turns), { meter });
  for (;;) {
    const next = await run.next();
    if (next.done) return { parts, usage: next.value };
    parts.push(next.value);
  }
}

/** What a speaker was told to say. */
function listening(limit = 1000): Speaker & { readonly said: string[] } {
  const said: string[] = [];
  const fake = fakeSpeaker();
  return {
    ...fake,
    said,
    limits: { characters: limit, voices: 2 },
    price: () => 20,
    speak: (turns, call) =>
      fake.speak(
        (async function* () {
          for await (const turn of turns) {
            said.push(turn.text);
            yield turn;
          }
        })(),
        call,
      ),
  };
}

describe('turns that are spoken', () => {
  it('are paid by their characters, as they are said, and not when there is nothing to say', async () => {
    const speaker = listening();
    const meter = new Meter(1);
    const { usage } = await spoken(speaker, [{ text: 'It is [1].' }, { text: '---' }, { text: 'So.' }], meter);
    expect(speaker.said).toEqual(['It is.', 'So.']);
    // 9 characters at 20 USD a thousand
    expect(meter.spentUsd).toBeCloseTo(0.18, 9);
    // 60 ms a character and 250 ms after each turn
    expect(usage).toMatchObject({ turns: 2, characters: 9, seconds: 9 * 0.06 + 2 * 0.25 });
    expect(usage.costUsd).toBeCloseTo(0.18, 9);
  });

  it('stop before the budget is over', async () => {
    const speaker = listening();
    const meter = new Meter(0.1);
    await expect(spoken(speaker, [{ text: 'Four.' }, { text: 'Never.' }], meter)).rejects.toMatchObject({
      code: 'BUDGET_EXCEEDED',
    });
    expect(speaker.said).toEqual(['Four.']);
    expect(meter.spentUsd).toBeCloseTo(0.1, 9);
  });

  it('cost nothing where an array of them is more than the budget', async () => {
    const meter = new Meter(0.15);
    const turns = [{ text: 'Four.' }, { text: 'Never.' }];
    await expect(speakTurns(listening(), turns, { meter }).next()).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
    expect(meter.spentUsd).toBe(0);
  });

  it('are never marks alone, however a turn is cut', async () => {
    const speaker = listening(20);
    await spoken(speaker, [{ text: `One ${'.'.repeat(50)} two.` }]);
    expect(speaker.said.length).toBeGreaterThan(1);
    for (const said of speaker.said) expect(said).toMatch(/[a-z]/i);
  });

  it('need a price where there is a budget', async () => {
    const speaker: Speaker = { ...fakeSpeaker(), price: () => undefined };
    await expect(spoken(speaker, [{ text: 'So.' }], new Meter(1))).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect((await spoken(speaker, [{ text: 'So.' }])).usage.costUsd).toBeUndefined();
  });

  it('are cut at the limit of the speaker, and keep their times', async () => {
    const speaker = listening(20);
    const text = 'One two three four five six seven eight.';
    const { parts } = await spoken(speaker, [{ text }]);
    expect(speaker.said.length).toBeGreaterThan(1);
    expect(speaker.said.every((said) => said.length <= 20)).toBe(true);
    const spans = parts.flatMap((part) => part.spans);
    expect(spans.map(({ start, end }) => text.slice(start, end))).toEqual(speaker.said);
    expect(new Set(spans.map(({ turn }) => turn))).toEqual(new Set([0]));
  });

  it('have spans of what is written', async () => {
    const text = '**Heat** it to 80 °C [1].';
    const { parts } = await spoken(listening(), [{ text: '...' }, { text }]);
    const spans = parts.flatMap((part) => part.spans);
    expect(spans.map(({ turn, start, end }) => [turn, text.slice(start, end)])).toEqual([
      [1, 'Heat** it to 80 °C [1].'],
    ]);
  });
});

describe('times of characters', () => {
  const timed = (text: string, from = 0) =>
    [...text].map((character, i) => ({ character, startMs: from + 100 * i, endMs: from + 100 * (i + 1) }));

  it('become times of words, across cuts and turns', () => {
    const turns = new AlignedTurns();
    turns.push({ text: 'One two.' });
    turns.push({ text: 'Three' });
    const spans = [
      ...turns.hear(timed('One tw')),
      ...turns.hear(timed('o. Th', 600)),
      ...turns.hear(timed('ree', 1100)),
      ...turns.finish(1400),
    ];
    expect(spans).toEqual([
      { turn: 0, start: 0, end: 3, startMs: 0, endMs: 300 },
      { turn: 0, start: 4, end: 8, startMs: 400, endMs: 800 },
      { turn: 1, start: 0, end: 5, startMs: 900, endMs: 1400 },
    ]);
  });

  it('leave out what was not asked for, and go on', () => {
    const turns = new AlignedTurns();
    turns.push({ text: 'One two.' });
    const spans = [...turns.hear(timed('One # two.')), ...turns.finish(1000)];
    expect(spans.map(({ start, end }) => [start, end])).toEqual([
      [0, 3],
      [4, 8],
    ]);
  });

  it('are reckoned by characters for a turn without any', () => {
    const turns = new AlignedTurns();
    turns.push({ text: 'abcd' });
    turns.push({ text: 'efghij' });
    expect(turns.finish(1000)).toEqual([
      { turn: 0, start: 0, end: 4, startMs: 0, endMs: 400 },
      { turn: 1, start: 0, end: 6, startMs: 400, endMs: 1000 },
    ]);
  });

  it('stand between those around them for a turn without any', () => {
    const turns = new AlignedTurns();
    for (const text of ['One two.', 'abcd', 'efghij', 'Three', 'x']) turns.push({ text });
    const spans = [...turns.hear(timed('One two.')), ...turns.hear(timed('Three', 3000)), ...turns.finish(4000)];
    expect(spans.filter(({ turn }) => [1, 2, 4].includes(turn))).toEqual([
      // 0.8 s are over; four and six of the ten characters until 3 s
      { turn: 1, start: 0, end: 4, startMs: 800, endMs: 800 + 0.4 * 2200 },
      { turn: 2, start: 0, end: 6, startMs: 800 + 0.4 * 2200, endMs: 3000 },
      { turn: 4, start: 0, end: 1, startMs: 3500, endMs: 4000 },
    ]);
  });
});

describe('sentences of a text that is being written', () => {
  const text = 'The lease ends in May [1]. It was signed in 2019. [2] Dr. Vold signed it. [3]';

  it('come as soon as the next one begins, the same however the text is cut', () => {
    for (let size = 1; size <= text.length; size++) {
      const stream = new SentenceStream();
      const spans = [];
      for (let at = 0; at < text.length; at += size) spans.push(...stream.push(text.slice(at, at + size)));
      expect(spans.length).toBeGreaterThan(size < 20 ? 1 : -1);
      spans.push(...stream.end());
      expect(spans.map(({ start, end }) => text.slice(start, end))).toEqual([
        'The lease ends in May [1].',
        'It was signed in 2019.',
        'Dr. Vold signed it.',
      ]);
    }
  });
});

describe('captions', () => {
  it('are cut between words where a sentence is long, at the times of the words', () => {
    const text = `${'word '.repeat(30)}end`;
    const spans = text.split(' ').map((word, i) => ({
      ...{ turn: 0, start: 5 * i, end: 5 * i + word.length },
      ...{ startMs: 1000 * i, endMs: 1000 * i + 800 },
    }));
    const captions = captionsOf(text, spans, ['[1] a.md#0-5']);
    // 153 characters, two lines of 42 each
    expect(captions.length).toBe(2);
    expect(captions.map((caption) => caption.text).join(' ')).toBe(text);
    const words = captions[0]!.text.split(' ').length;
    expect(captions[0]).toMatchObject({ startMs: 0, endMs: 1000 * words });
    expect(captions[1]).toMatchObject({ startMs: 1000 * words, endMs: 30_800, notes: ['[1] a.md#0-5'] });
  });

  it('begin when their words do, where a line goes on with an indent', async () => {
    const text = `${'word '.repeat(9)}word,\n   ${'word '.repeat(19)}end.`;
    const charMs = 60;
    const speaker: Speaker = {
      ...fakeSpeaker(),
      async *speak(turns) {
        for await (const { text: said } of turns) {
          const spans = [...said.matchAll(/\S+/g)].map(({ 0: word, index }) => ({
            ...{ turn: 0, start: index, end: index + word.length },
            ...{ startMs: charMs * index, endMs: charMs * (index + word.length) },
          }));
          yield { audio: new Uint8Array(2), sampleRate: 8000, spans };
        }
      },
    };
    const { parts } = await spoken(speaker, [{ text }]);
    const captions = captionsOf(
      text,
      parts.flatMap(({ spans }) => spans),
      [],
    );
    expect(captions.length).toBeGreaterThan(1);
    const said = text.replace(/\s+/g, ' ');
    let at = 0;
    for (const { text: shown, startMs } of captions) {
      const words = shown.replace(/\s+/g, ' ').trim();
      expect(startMs).toBe(charMs * said.indexOf(words, at));
      at += words.length;
    }
  });

  it('keep a product, and leave out emphasis', () => {
    const text = '**Take** 2*3 of *them*, not 2**3.';
    const span = { turn: 0, start: 0, end: text.length, startMs: 0, endMs: 1000 };
    expect(captionsOf(text, [span], [])[0]!.text).toBe('Take 2*3 of them, not 2**3.');
  });

  it('are WebVTT', () => {
    const vtt = webVtt([
      { startMs: 0, endMs: 1500.4, text: 'A < B & C', notes: ['[1] a.md#0-5'] },
      { startMs: 3_661_002, endMs: 3_662_000, text: 'So\n\nit is.', notes: [] },
    ]);
    expect(vtt).toBe(
      'WEBVTT\n\nNOTE Made by ibid\n\n1\n00:00:00.000 --> 00:00:01.500\nA &lt; B &amp; C\n[1] a.md#0-5\n\n' +
        '2\n01:01:01.002 --> 01:01:02.000\nSo it is.\n',
    );
  });
});
