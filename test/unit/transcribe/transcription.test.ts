import { getEventListeners } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { IbidError } from '../../../src/core/errors.ts';
import { Meter } from '../../../src/core/meter.ts';
import type { SpokenWord, Transcript, TranscriptCache } from '../../../src/transcribe/contract.ts';
import { keptTranscript } from '../../../src/transcribe/kept.ts';
import { Transcription, type TranscriptionOptions } from '../../../src/transcribe/transcription.ts';
import { pcm, wav } from '../../support/sound.ts';
import { tempFolder } from '../../support/temp.ts';
import { KnowingTranscriber, MemoryTranscripts } from '../../support/transcriber.ts';

const word = (text: string, startMs: number): SpokenWord => ({
  text,
  startMs,
  endMs: startMs + 300,
  speaker: 'speaker_0',
});
const rate = 1000;

/** Samples that say their own number, so that a listener knows the time of what it hears. A pause in each second. */
function numbered(seconds: number): Buffer {
  const samples = Buffer.alloc(2 * rate * seconds);
  for (let i = 0; i < rate * seconds; i++) samples.writeInt16LE(i % rate < 500 ? 1 + Math.floor(i / rate) : 0, 2 * i);
  return samples;
}

/** A word in each second of sound: `w12` in the thirteenth. */
function wordsIn(bytes: Buffer): SpokenWord[] {
  const words: SpokenWord[] = [];
  for (let at = 44, last = 0; at + 1 < bytes.length; at += 2) {
    const sample = bytes.readInt16LE(at);
    if (sample > 0 && sample !== last && (at === 44 || bytes.readInt16LE(at - 2) === 0)) {
      words.push(word(`w${sample - 1}`, ((at - 44) / 2 / rate) * 1000));
      last = sample;
    }
  }
  return words;
}

function setUp(seconds: number, limitSeconds: number, options: Partial<TranscriptionOptions> = {}) {
  const path = join(tempFolder(), 'talk.wav');
  writeFileSync(path, wav(numbered(seconds), { rate }));
  const transcriber = new KnowingTranscriber((_, bytes) => wordsIn(bytes), { bytes: 1e9, seconds: limitSeconds });
  const cache = new MemoryTranscripts();
  const recording = { uri: 'talk.wav', path, durationMs: seconds * 1000, channels: 1 };
  const open = (more: Partial<TranscriptionOptions> = {}): Transcription =>
    new Transcription({ transcriber, cache, meter: new Meter(), ...options, ...more });
  return { path, transcriber, cache, recording, open };
}

const said = (seconds: number): string[] => Array.from({ length: seconds }, (_, i) => `w${i}`);

describe('transcription', () => {
  test('a short recording is one request, and the second time none', async () => {
    const { recording, transcriber, cache, open } = setUp(20, 60);
    const first = open();
    const { signal } = new AbortController();
    const made = await first.transcribe(recording, { signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(made!.transcript.words.map(({ text }) => text)).toEqual(said(20));
    expect(await first.usage()).toEqual({
      recordings: 1,
      requests: 1,
      seconds: 20,
      cached: 0,
      costUsd: 20,
      unanswered: 0,
    });
    expect(cache.kept).toMatchObject([{ transcriber: 'knowing-1', seconds: 20, costUsd: 20 }]);
    const second = open();
    expect(await second.transcribe(recording, {})).toEqual(made);
    expect(await second.usage()).toMatchObject({ requests: 0, cached: 1, costUsd: 0 });
    expect(transcriber.asked).toHaveLength(1);
    expect(await keptTranscript(cache, recording.path, {})).toEqual(made);
  });

  test('a long recording is cut in pauses and joined to what one request would hear', async () => {
    const { recording, transcriber, cache, open } = setUp(400, 100);
    const { transcript } = (await open().transcribe(recording, {}))!;
    expect(transcriber.asked.length).toBeGreaterThan(4);
    for (const { seconds } of transcriber.asked) expect(seconds).toBeLessThanOrEqual(100);
    expect(transcript.words.map(({ text, startMs, endMs }) => [text, startMs, endMs])).toEqual(
      said(400).map((text, i) => [text, 1000 * i, 1000 * i + 300]),
    );
    expect((await keptTranscript(cache, recording.path, {}))!.transcript).toEqual(transcript);
  });

  test('a recording that is heavier than a request is cut, however short', async () => {
    const { recording, transcriber, open } = setUp(100, 1000);
    transcriber.limits.bytes = 80_000; // of 200,000
    const { transcript } = (await open().transcribe(recording, {}))!;
    expect(transcript.words.map(({ text }) => text)).toEqual(said(100));
    for (const sent of transcriber.answered.keys())
      expect(Buffer.from(sent, 'base64url').length).toBeLessThanOrEqual(80_000);
    for (const limits of [
      { bytes: 20_000, seconds: 1000 },
      { bytes: 1e9, seconds: 4.8 },
      { bytes: 1e9, seconds: 3 },
    ]) {
      const small = setUp(100, 1000);
      Object.assign(small.transcriber.limits, limits);
      await expect(small.open().transcribe(small.recording, {})).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
      expect(small.transcriber.asked).toEqual([]);
    }
  });

  test.skipIf(process.platform === 'win32')(
    'a recording that does not say its length is counted, or has no price',
    async () => {
      const { recording, transcriber, open } = setUp(20, 60);
      const unknown = { ...recording, durationMs: 0 };
      const program = join(tempFolder(), 'ffmpeg');
      const none = { ffmpeg: { program } };
      await expect(open({ ...none, meter: new Meter(1000) }).transcribe(unknown, {})).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
      });
      const dry = open({ ...none, dryRun: true });
      await dry.transcribe(unknown, {});
      expect((await dry.usage())!.costUsd).toBeUndefined();
      writeFileSync(program, '#!/bin/sh\necho out_time_us=0\necho out_time_us=20000000\n', { mode: 0o755 });
      const poor = open({ ...none, meter: new Meter(19) });
      await expect(poor.transcribe(unknown, {})).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
      expect(transcriber.asked).toEqual([]);
      const run = open({ ...none, meter: new Meter(21) });
      await run.transcribe(unknown, {});
      expect(await run.usage()).toMatchObject({ seconds: 20, costUsd: 20 });
    },
  );

  test('killed at any point 100 times, no answer that was stored is paid again', async () => {
    const { recording, transcriber, cache, open } = setUp(120, 40);
    const whole = await new Transcription({
      transcriber,
      cache: new MemoryTranscripts(),
      meter: new Meter(),
    }).transcribe(recording, {});
    const stored = new Set<string>();
    let [kills, paidTwice, completed] = [0, 0, 0];
    transcriber.onAnswer = (words) => {
      if (stored.has(JSON.stringify(words))) paidTwice++;
    };
    while (kills < 100) {
      // Each run ends at another step: at the first to fourth of its reads, writes, requests or ends of a write.
      const kind = (['read', 'write', 'written', 'request'] as const)[kills % 4]!;
      let left = 1 + (Math.floor(kills / 4) % 4);
      let isDead = false;
      const step = (at: typeof kind): void => {
        if (at === kind && --left === 0) isDead = true;
        if (isDead) throw new Error('killed');
      };
      const mortal: TranscriptCache = {
        get: async (key) => {
          step('read');
          return await cache.get(key);
        },
        put: async (key, value, receipt) => {
          step('write');
          await cache.put(key, value, receipt);
          if (receipt) stored.add(JSON.stringify((value as Transcript).words));
          step('written');
        },
        remove: (key) => cache.remove(key),
        receipts: () => cache.receipts(),
      };
      transcriber.fail = () => {
        try {
          step('request');
        } catch (error) {
          return error as Error;
        }
        return undefined;
      };
      const made = await open({ cache: mortal })
        .transcribe(recording, {})
        .catch((error: Error) => {
          expect(error.message).toBe('killed');
          kills++;
          return undefined;
        });
      expect(paidTwice).toBe(0);
      if (!made) continue;
      expect(made).toEqual(whole);
      completed++;
      cache.entries.clear(); // the rest of the kills hit it anew
      stored.clear();
      if (left > 0) kills++; // this run had fewer such steps than the kill waited for
    }
    expect(completed).toBeGreaterThan(3);
    expect(transcriber.asked.length).toBeGreaterThan(50);
  });

  test('the same sound under two names is sent once', async () => {
    const { recording, transcriber, open } = setUp(20, 60);
    const run = open();
    const [a, b] = await Promise.all([
      run.transcribe(recording, {}),
      run.transcribe({ ...recording, uri: 'copy.wav' }, {}),
    ]);
    expect(a).toEqual(b);
    expect(transcriber.asked).toHaveLength(1);
  });

  test('a budget stops before the request that would pass it, and the next run goes on from there', async () => {
    const { recording, transcriber, open } = setUp(400, 100);
    const meter = new Meter(150);
    await expect(open({ meter }).transcribe(recording, {})).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
    const sent = transcriber.asked.length;
    expect(sent).toBeGreaterThan(0);
    expect(meter.spentUsd).toBeLessThanOrEqual(150);
    await open().transcribe(recording, {});
    expect([...transcriber.answered.values()]).toEqual(Array(transcriber.answered.size).fill(1));
    expect(transcriber.asked.length).toBe(transcriber.answered.size);
    transcriber.usdPerHour = undefined;
    const unpriced = setUp(20, 60);
    unpriced.transcriber.usdPerHour = undefined;
    await expect(unpriced.open({ meter: new Meter(5) }).transcribe(unpriced.recording, {})).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    const free = unpriced.open();
    await free.transcribe(unpriced.recording, {});
    expect((await free.usage())!.costUsd).toBeUndefined();
  });

  test('a dry run sends nothing and says what would be sent: parts, seconds, price, time', async () => {
    const { recording, transcriber, open } = setUp(400, 100);
    const dry = open({ dryRun: true });
    expect(await dry.transcribe(recording, {})).toBeUndefined();
    const foretold = (await dry.usage())!;
    expect(transcriber.asked).toHaveLength(0);
    const run = open();
    await run.transcribe(recording, {});
    const { requests, seconds, costUsd } = (await run.usage())!;
    expect(foretold).toMatchObject({ requests, seconds, costUsd, expected: { basis: 'assumed' } });
    expect(foretold.expected!.ms).toBeCloseTo((seconds * 1000) / 20, -1);
    const again = open({ dryRun: true });
    expect((await again.transcribe(recording, {}))!.transcript.words).toHaveLength(400);
    expect(await again.usage()).toMatchObject({ requests: 0, cached: 1, costUsd: 0 });
  });

  test('a dry run counts the same sound under two names once, as it is sent once', async () => {
    const { recording, open } = setUp(20, 60);
    const long = setUp(400, 100);
    const copies = [recording, { ...recording, uri: 'copy.wav' }, long.recording, { ...long.recording, uri: 'b.wav' }];
    const run = async (dryRun: boolean) => {
      const transcription = open({ dryRun, transcriber: long.transcriber });
      for (const one of copies) await transcription.transcribe(one, {});
      return (await transcription.usage())!;
    };
    const { requests, seconds, costUsd, recordings, cached } = await run(true);
    expect(await run(false)).toMatchObject({ requests, seconds, costUsd, recordings, cached });
    expect(cached).toBe(2);
  });

  test("without a price of the service there is none in the sums; the service's own price counts", async () => {
    const { recording, transcriber, open } = setUp(20, 60);
    const own = transcriber.transcribe.bind(transcriber);
    transcriber.transcribe = async (...args) => ({ ...(await own(...args)), costUsd: 0.25 });
    const run = open();
    await run.transcribe(recording, {});
    expect((await run.usage())!.costUsd).toBe(0.25);
  });

  test('an id that was given before a kill is asked for again instead of sending the sound', async () => {
    const { recording, transcriber, open } = setUp(20, 60);
    const own = transcriber.transcribe.bind(transcriber);
    transcriber.transcribe = async (sound, call) => {
      if (call.ticket !== undefined) return { transcript: { words: [word(`by ${call.ticket}`, 0)] } };
      await own(sound, call);
      await call.onTicket?.('t_1');
      throw new IbidError('CONNECTION_FAILED', 'killed while it waited');
    };
    const first = open();
    await expect(first.transcribe(recording, {})).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
    expect(await first.usage()).toMatchObject({ unanswered: 1 });
    expect((await open().transcribe(recording, {}))!.transcript.words[0]!.text).toBe('by t_1');
    expect(transcriber.asked).toHaveLength(1);
  });

  test('a recording over the limits that nothing can cut is FILE_TOO_LARGE with both sizes', async () => {
    const { open, transcriber } = setUp(1, 100);
    const path = join(tempFolder(), 'long.mp3');
    writeFileSync(path, pcm(100));
    const call = open({ ffmpeg: { program: 'no-such-program' } }).transcribe(
      { uri: 'long.mp3', path, durationMs: 12 * 3_600_000, channels: 2 },
      {},
    );
    await expect(call).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
      message: expect.stringContaining('12.0 h'),
      hint: expect.stringContaining('ffmpeg'),
    });
    expect(transcriber.asked).toHaveLength(0);
  });

  test('each channel is billed where each is a speaker, and settings have transcripts of their own', async () => {
    const { recording, transcriber, open } = setUp(20, 60);
    const run = open({ settings: { multichannel: true } });
    await run.transcribe({ ...recording, channels: 2 }, {});
    expect((await run.usage())!.seconds).toBe(40);
    await open().transcribe(recording, {});
    expect(transcriber.asked.map(({ call }) => call.multichannel)).toEqual([true, undefined]);
  });
});
