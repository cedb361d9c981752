import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bareSound, SoundJoiner, silence } from '../../../../src/services/audio/join-sound.ts';
import { splitText } from '../../../../src/services/audio/split-text.ts';
import { parseFormat } from '../../../../src/wire/audio/formats.ts';

describe('splitting long texts', () => {
  const pieces = fc.array(
    fc.constantFrom(
      'word ',
      'A sentence. ',
      'clause, ',
      '\n\n',
      '👩‍🚀',
      '[whispers] ',
      '日本語。',
      'e\u0301',
      'unbroken',
      ' ',
    ),
    { maxLength: 400 },
  );

  it('loses nothing but white space, and keeps every limit, pair and tag', () => {
    fc.assert(
      fc.property(pieces, fc.integer({ min: 130, max: 700 }), (words, most) => {
        const text = words.join('');
        const segments = splitText(text, most);
        let end = 0;
        for (const segment of segments) {
          expect(segment.text.length).toBeLessThanOrEqual(most);
          expect(segment.text).toBe(text.slice(segment.start, segment.end));
          expect(text.slice(end, segment.start).trim()).toBe('');
          expect(segment.text.isWellFormed()).toBe(true);
          expect((segment.text.match(/\[/g) ?? []).length).toBe((segment.text.match(/\]/g) ?? []).length);
          expect(/^\u0301/.test(segment.text)).toBe(false);
          end = segment.end;
        }
        expect(text.slice(end).trim()).toBe('');
      }),
      { numRuns: 300 },
    );
  });

  it('cuts between paragraphs rather than sentences, sentences rather than words', () => {
    const sentence = `${'word '.repeat(15).trim()}. `; // 75 + 1 characters
    const text = `${sentence.repeat(3)}\n\n${sentence.repeat(3)}`;
    expect(splitText(text, 300).map(({ text: piece }) => piece)).toEqual([
      sentence.repeat(3).trim(),
      sentence.repeat(3).trim(),
    ]);
    expect(splitText(sentence.repeat(4), 200)[0]!.text).toBe(sentence.repeat(2).trim());
  });

  it('does not cut at a paragraph that would leave most of a piece empty', () => {
    const sentence = `${'word '.repeat(15).trim()}. `; // 76 characters
    const [first] = splitText(`Title\n\n${sentence.repeat(6)}`, 300);
    expect(first!.text).toBe(`Title\n\n${sentence.repeat(3).trim()}`);
  });

  it('cuts an unbroken text at the limit', () => {
    expect(splitText('x'.repeat(1_000), 400).map(({ text }) => text.length)).toEqual([400, 400, 200]);
    expect(splitText(`${'x'.repeat(129)}😀${'y'.repeat(100)}`, 130).map(({ text }) => text.length)).toEqual([129, 102]);
  });

  it('gives no segments for white space', () => expect(splitText(' \n ', 200)).toEqual([]));
});

describe('joining sound', () => {
  it('has silence in the code of the format', () => {
    expect(silence(parseFormat('pcm_16000'), 250)).toEqual(new Uint8Array(8_000));
    expect(silence(parseFormat('ulaw_8000'), 1)).toEqual(new Uint8Array(8).fill(0xff));
    expect(silence(parseFormat('mp3_44100_128'), 1)).toBeUndefined();
  });

  it('loses the tags of an mp3 file, not its frames', () => {
    const tag = [0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 2, 7, 7];
    const end = [0x54, 0x41, 0x47, ...new Array<number>(125).fill(0)];
    const format = parseFormat('mp3_44100_128');
    expect([...bareSound(format, Uint8Array.from([...tag, 0xff, 0xfb, ...end]))]).toEqual([0xff, 0xfb]);
  });

  it('gives samples without a header the type of samples, whatever container they came in', () => {
    const joiner = new SoundJoiner(parseFormat('wav_8000'), new Uint8Array(4));
    expect([joiner.add(new Uint8Array(16_000)), joiner.add(new Uint8Array(2))]).toEqual([0, 1.00025]);
    expect(joiner.finish(false)).toMatchObject({ mediaType: 'audio/pcm', seconds: 16_006 / 16_000 });
    expect(joiner.finish()).toMatchObject({ mediaType: 'audio/wav', audio: { length: 44 + 16_006 } });
  });
});
