import { describe, expect, test } from 'vitest';
import { detectFormat } from '../../../../src/read/detect.ts';
import { isRecordingName } from '../../../../src/read/names.ts';
import { recordingType } from '../../../../src/read/recording/kinds.ts';
import { id3Text, mp3, pcm, wav } from '../../../support/sound.ts';

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const mp4 = (brand: string): Buffer => latin(`\0\0\0\x18ftyp${brand}\0\0\0\0`);
/** Two frames of AAC of 16 bytes each. */
const adts = Buffer.concat(
  Array.from({ length: 2 }, () => Buffer.from([0xff, 0xf1, 0x50, 0x80, 0x02, 0x1f, 0xfc, ...Array(9).fill(0)])),
);

describe('recordings by their first bytes', () => {
  test.each([
    ['WAV', wav(pcm(100)), 'audio/wav'],
    ['WAV over 4 GB', latin('RF64\xff\xff\xff\xffWAVEds64\x1c\0\0\0'), 'audio/wav'],
    ['Ogg', latin('OggS\0\x02'), 'audio/ogg'],
    ['FLAC', latin('fLaC\0\0\0\x22'), 'audio/flac'],
    ['Matroska and WebM', Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x9f]), 'video/webm'],
    ['MP4', mp4('isom'), 'audio/mp4'],
    ['M4A', mp4('M4A '), 'audio/mp4'],
    ['QuickTime', mp4('qt  '), 'audio/mp4'],
    ['MP3 without tags', mp3(3), 'audio/mpeg'],
    ['MP3 with tags', mp3(3, { TIT2: id3Text('x') }), 'audio/mpeg'],
    ['AAC', adts, 'audio/aac'],
  ])('%s', (_, bytes, type) => {
    expect(recordingType(bytes)).toBe(type);
    expect(detectFormat('noise', bytes).format).toBe('recording');
  });

  test.each([
    ['a picture of a phone', mp4('heic')],
    ['an AVIF picture', mp4('avif')],
    ['a WebP picture', latin('RIFF\0\0\0\0WEBPVP8 ')],
    ['a video in RIFF', latin('RIFF\0\0\0\0AVI LIST')],
    ['UTF-16 text', Buffer.from('\ufeffHello there', 'utf16le')],
    ['Latin 1 text that begins like a frame', latin('\xff\xfb\x90 is how a frame begins')],
    ['a JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16])],
    ['words', latin('ftyp and moov are atoms')],
  ])('not %s', (_, bytes) => {
    expect(recordingType(bytes)).toBeUndefined();
  });

  test('content decides against the name, and the name alone is no recording', () => {
    expect(detectFormat('talk.txt', mp3(3))).toEqual({ format: 'recording', mismatch: 'named .txt' });
    expect(detectFormat('talk.mp3', latin('these are only words'))).toMatchObject({ format: undefined });
    expect(isRecordingName('a/Talk.MP3')).toBe(true);
    expect(isRecordingName('a/talk.mp3.txt')).toBe(false);
    expect(isRecordingName('mp3')).toBe(false);
  });
});
