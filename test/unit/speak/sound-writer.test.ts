import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { SoundWriter } from '../../../src/speak/sound-writer.ts';
import { tempFolder } from '../../support/temp.ts';

function encoder(does: string): string {
  const path = join(tempFolder(), 'encoder');
  writeFileSync(path, `#!/bin/sh\n${does}\n`);
  chmodSync(path, 0o755);
  return path;
}

describe.skipIf(process.platform === 'win32')('sound that is encoded on its way', () => {
  it('ends with the error of a stream that takes no more of it', async () => {
    const out = new Writable({
      write(_piece, _encoding, done) {
        done(new Error('no space left'));
      },
    });
    const writer = new SoundWriter(out, 'mp3', 'pcm', { program: encoder('exec cat') });
    const sound = { audio: Buffer.alloc(2 ** 22), sampleRate: 24_000 };
    const work = writer.write(sound).then(() => writer.end());
    await expect(work).rejects.toThrow('no space left');
  }, 5_000);

  it('ends when who takes it has left, without a word', async () => {
    const out = new Writable({ write: () => setTimeout(() => out.destroy(), 20) });
    const plain = new SoundWriter(out, 'wav');
    const writer = new SoundWriter(out, 'mp3', 'pcm', { program: encoder('exec cat') });
    const sound = { audio: Buffer.alloc(2 ** 22), sampleRate: 24_000 };
    await expect(writer.write(sound)).rejects.toThrow('has left');
    await expect(plain.write(sound)).rejects.toThrow('has left');
  }, 5_000);

  it('ends with the end of its encoder, not with that of a pipe', async () => {
    const writer = new SoundWriter(new Writable(), 'mp3', 'pcm', { program: encoder('exit 3') });
    const sound = { audio: Buffer.alloc(2 ** 22), sampleRate: 24_000 };
    const work = (async () => {
      for (let i = 0; i < 5; i++) await writer.write(sound);
      await writer.end();
    })();
    await expect(work).rejects.toMatchObject({ code: 'PROGRAM_FAILED', message: 'ffmpeg ended with status 3' });
  }, 5_000);

  it('is in the stream to its last byte', async () => {
    const pieces: Buffer[] = [];
    const out = new Writable({
      write(piece: Buffer, _encoding, done) {
        pieces.push(piece);
        done();
      },
    });
    const audio = Buffer.from(Array.from({ length: 300_001 }, (_, i) => i % 251));
    const writer = new SoundWriter(out, 'mp3', 'pcm', { program: encoder('exec cat') });
    await writer.write({ audio, sampleRate: 24_000 });
    await writer.end();
    expect(Buffer.concat(pieces).equals(audio)).toBe(true);
  });
});
