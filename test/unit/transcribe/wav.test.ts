import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openCutter } from '../../../src/transcribe/cutter.ts';
import { levelsOf, quietest } from '../../../src/transcribe/silence.ts';
import { readWavHeader } from '../../../src/transcribe/wav.ts';
import { pcm, wav } from '../../support/sound.ts';
import { tempFolder } from '../../support/temp.ts';

async function bytesOf(sound: { open(): AsyncIterable<Uint8Array> }): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(sound.open()));
}

describe('WAV', () => {
  test('the header, and what is missing of a file that is cut short', async () => {
    const folder = tempFolder();
    const path = join(folder, 'a.wav');
    writeFileSync(path, wav(pcm(1000)));
    expect(await readWavHeader(path)).toMatchObject({
      encoding: 'int',
      channels: 1,
      sampleRate: 8000,
      bits: 16,
      dataBytes: 16_000,
      missingBytes: 0,
    });
    writeFileSync(path, wav(pcm(1000), { promised: 64_000 }));
    expect(await readWavHeader(path)).toMatchObject({ dataBytes: 16_000, missingBytes: 48_000 });
    // programs that did not know the length
    for (const promised of [0, 0x7fff_f000, 0x7fff_ffff, 0xffff_ffff - 44]) {
      writeFileSync(path, wav(pcm(1000), { promised }));
      expect(await readWavHeader(path)).toMatchObject({ dataBytes: 16_000, missingBytes: 0 });
    }
    writeFileSync(path, 'RIFF');
    expect(await readWavHeader(path)).toBeUndefined();
  });

  test('the quietest moment lies in the pause, for each kind of samples', async () => {
    const path = join(tempFolder(), 'a.wav');
    const samples = pcm(8000, {
      quietMs: [
        [1000, 1200],
        [5000, 5600],
      ],
    });
    const floats = Buffer.alloc(samples.length * 2);
    for (let i = 0; i < samples.length / 2; i++) floats.writeFloatLE(samples.readInt16LE(2 * i) / 32_768, 4 * i);
    const bytes8 = Buffer.from(
      Uint8Array.from({ length: samples.length / 2 }, (_, i) => (samples.readInt16LE(2 * i) >> 8) + 128),
    );
    for (const file of [wav(samples), wav(floats, { tag: 3, bits: 32 }), wav(bytes8, { bits: 8 })]) {
      writeFileSync(path, file);
      const cutter = (await openCutter({ path, durationMs: 8000, channels: 1 }, {}, {}))!;
      const at = await cutter.quietMoment(3000, 7000, {});
      expect(at).toBeGreaterThan(5100);
      expect(at).toBeLessThan(5500);
    }
  });

  test.skipIf(spawnSync('ffmpeg', ['-version']).error !== undefined)(
    'a part that ffmpeg cuts weighs no more than the cutter says',
    async () => {
      const path = join(tempFolder(), 'noise.mp3');
      spawnSync('ffmpeg', ['-loglevel', 'error', '-f', 'lavfi', '-i', 'anoisesrc=duration=10', '-b:a', '320k', path]);
      const cutter = (await openCutter({ path, durationMs: 10_000, channels: 1 }, {}, {}))!;
      await using part = await cutter.part(1000, 9000, {});
      expect(part.sizeBytes).toBeGreaterThan(20_000);
      expect(part.sizeBytes).toBeLessThan(8 * cutter.bytesPerSecond + 2 ** 14);
    },
  );

  test.each([{ bits: 64 }, { bits: 12 }, { bits: 0 }, { bits: 16, tag: 3 }, { bits: 16, channels: 0 }, { rate: 0 }])(
    'samples of an unusual kind are left to ffmpeg: %o',
    async (kind) => {
      const path = join(tempFolder(), 'odd.wav');
      writeFileSync(path, wav(pcm(8000), kind));
      expect(await readWavHeader(path)).toMatchObject({ encoding: 'other' });
      const none = { program: join(tempFolder(), 'none') };
      expect(await openCutter({ path, durationMs: 8000, channels: 1 }, none, {})).toBeUndefined();
    },
  );

  test('a pause is one of all channels', async () => {
    const path = join(tempFolder(), 'two.wav');
    const spoken = pcm(8000, { quietMs: [[6000, 6600]] });
    const both = Buffer.alloc(2 * spoken.length); // nobody speaks in the first
    for (let i = 0; i < spoken.length / 2; i++) both.writeInt16LE(spoken.readInt16LE(2 * i), 4 * i + 2);
    writeFileSync(path, wav(both, { channels: 2 }));
    const cutter = (await openCutter({ path, durationMs: 8000, channels: 2 }, {}, {}))!;
    const at = await cutter.quietMoment(3000, 7000, {});
    expect(at).toBeGreaterThan(6000);
    expect(at).toBeLessThan(6600);
  });

  test('in even noise a cut is near the middle', () => {
    const levels = levelsOf(pcm(4000, { rate: 16_000 }), 16_000);
    expect(levels).toHaveLength(400);
    expect(Math.abs(quietest(new Float64Array(400).fill(0.5)) - 200)).toBeLessThanOrEqual(15);
  });

  test('a part is a WAV file of its own with exactly these samples', async () => {
    const path = join(tempFolder(), 'talk.wav');
    const samples = pcm(4000);
    writeFileSync(path, wav(samples));
    const cutter = (await openCutter({ path, durationMs: 4000, channels: 1 }, {}, {}))!;
    await using part = await cutter.part(1500, 2750, {});
    const bytes = await bytesOf(part);
    expect(bytes.length).toBe(part.sizeBytes);
    expect(part.seconds).toBe(1.25);
    expect(part.name).toBe('talk-2.wav');
    expect(bytes.subarray(44).equals(samples.subarray(2 * 12_000, 2 * 22_000))).toBe(true);
    expect(bytes.subarray(0, 44).equals(wav(samples.subarray(24_000, 44_000)).subarray(0, 44))).toBe(true);
    expect(await bytesOf(part)).toEqual(bytes); // a repeated request reads it anew
  });
});
