import { describe, expect, test } from 'vitest';
import { transcriptOfCaptions } from '../../../../src/read/recording/captions.ts';

describe('captions as a transcript', () => {
  test('voices of WebVTT, two in a cue; a cue is one word', () => {
    const { words } = transcriptOfCaptions(
      'WEBVTT\n\n1\n00:01.000 --> 00:04.500\n<v Ailsa Munro>Good <i>morning</i>.\nAll of you.\n\n' +
        '00:05.000 --> 01:00:07.250 align:start\n<v.loud Bo>Hi.</v> <v Ailsa Munro>Sit down.',
    );
    expect(words).toEqual([
      { text: 'Good morning. All of you.', startMs: 1000, endMs: 4500, speaker: 'Ailsa Munro' },
      { text: 'Hi.', startMs: 5000, endMs: 3_607_250, speaker: 'Bo' },
      { text: 'Sit down.', startMs: 5000, endMs: 3_607_250, speaker: 'Ailsa Munro' },
    ]);
  });

  test('times inside a cue are times of words', () => {
    const { words } = transcriptOfCaptions(
      'WEBVTT\n\n00:00:01.000 --> 00:00:03.000\nThe<00:00:01.400><c> rent</c><00:00:02.100><c> rises</c>',
    );
    expect(words).toEqual([
      { text: 'The', startMs: 1000, endMs: 1400 },
      { text: 'rent', startMs: 1400, endMs: 2100 },
      { text: 'rises', startMs: 2100, endMs: 3000 },
    ]);
  });

  test('names before a colon are speakers when they come twice; a remark with a colon stays text', () => {
    const cue = (n: number, text: string): string => `${n}\n00:00:0${n},000 --> 00:00:0${n},900\n${text}\n\n`;
    const { words } = transcriptOfCaptions(
      cue(1, 'MODERATOR: Welcome.') +
        cue(2, 'Note: the doors close.') +
        cue(3, '- MODERATOR: Questions?') +
        cue(4, 'None.'),
    );
    expect(words.map(({ speaker, text }) => [speaker, text])).toEqual([
      ['MODERATOR', 'Welcome.'],
      [undefined, 'Note: the doors close.'],
      ['MODERATOR', 'Questions?'],
      [undefined, 'None.'],
    ]);
  });

  test('cues without times are left out, and so are repeated ones', () => {
    const { words } = transcriptOfCaptions(
      'WEBVTT\n\n00:01.000 --> 00:02.000\nOnce\n\n00:02.000 --> 00:03.000\nOnce\n\nxx --> yy\nNever\n',
    );
    expect(words).toEqual([{ text: 'Once', startMs: 1000, endMs: 2000 }]);
  });

  test('the same words after a pause are said again', () => {
    const { words } = transcriptOfCaptions(
      'WEBVTT\n\n00:01.000 --> 00:02.000\nYes.\n\n00:02.010 --> 00:03.000\nYes.\n\n00:09.000 --> 00:10.000\nYes.\n',
    );
    expect(words).toEqual([
      { text: 'Yes.', startMs: 1000, endMs: 2000 },
      { text: 'Yes.', startMs: 9000, endMs: 10_000 },
    ]);
  });

  test('captions of SubRip without an empty line between them, and with one inside', () => {
    // As ffmpeg reads them.
    const { words } = transcriptOfCaptions(
      '1\n00:00:01,000 --> 00:00:02,000\nHello\n2\n00:00:03,000 --> 00:00:04,000\nSeven is\n7\n00:00:05,000 --> 00:00:06,000\nOne\n\nBehind\n\n4\n00:00:07,000 --> 00:00:08,000\nLast\n',
    );
    expect(words).toEqual([
      { text: 'Hello', startMs: 1000, endMs: 2000 },
      { text: 'Seven is', startMs: 3000, endMs: 4000 },
      { text: 'One', startMs: 5000, endMs: 6000 },
      { text: 'Behind', startMs: 5000, endMs: 6000 },
      { text: 'Last', startMs: 7000, endMs: 8000 },
    ]);
  });

  test('ends of lines that other formats write as signs part words', () => {
    const { words } = transcriptOfCaptions(
      '0:00:01.000,0:00:02.000\nOne[br]two\n\n0:00:03.000,0:00:04.000\nThree\\Nor four in C:\\notes\n',
    );
    expect(words.map(({ text }) => text)).toEqual(['One two', 'Three or four in C:\\notes']);
  });
});
