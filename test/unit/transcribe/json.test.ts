import { describe, expect, test } from 'vitest';
import { transcriptOfJson } from '../../../src/transcribe/json.ts';

const word = (text: string, start: number | null, end: number | null, more = {}): object => ({
  text,
  start,
  end,
  type: 'word',
  ...more,
});
const space = { text: ' ', type: 'spacing', start: 0, end: 0 };

describe('transcripts in JSON', () => {
  test('words with times, speakers and sounds; spaces are no words', () => {
    const transcript = transcriptOfJson({
      language_code: 'en',
      text: 'Hello there. (laughter)',
      words: [
        word('Hello', 0.12, 0.41, { speaker_id: 'speaker_0' }),
        space,
        word('there.', 0.44, 0.8, { speaker_id: 'speaker_0' }),
        space,
        { text: '(laughter)', start: 1.2, end: 2, type: 'audio_event', speaker_id: 'speaker_1' },
      ],
    });
    expect(transcript).toEqual({
      language: 'en',
      words: [
        { text: 'Hello', startMs: 120, endMs: 410, speaker: 'speaker_0' },
        { text: 'there.', startMs: 440, endMs: 800, speaker: 'speaker_0' },
        { text: '(laughter)', startMs: 1200, endMs: 2000, speaker: 'speaker_1', event: true },
      ],
    });
  });

  const said = (value: object): unknown =>
    transcriptOfJson(value)?.words.map(({ text, startMs, endMs, speaker }) => [text, startMs, endMs, speaker]);

  test('segments of whisper.cpp have their times in milliseconds', () => {
    const transcript = transcriptOfJson({
      systeminfo: 'AVX = 1',
      result: { language: 'en' },
      transcription: [
        { timestamps: { from: '00:00:00,000' }, offsets: { from: 0, to: 2100 }, text: ' The winch runs.' },
        { timestamps: { from: '00:00:02,100' }, offsets: { from: 2100, to: 4500 }, text: ' It pulls.' },
      ],
    });
    expect(transcript).toEqual({
      language: 'en',
      words: [
        { text: 'The winch runs.', startMs: 0, endMs: 2100 },
        { text: 'It pulls.', startMs: 2100, endMs: 4500 },
      ],
    });
  });

  test('words in segments have the speaker of the segment, and need no text over all', () => {
    const segments = [
      { start: 0, end: 1, text: ' Two up.', speaker: 'SPEAKER_00', words: [{ word: 'Two' }, word('up.', 0.5, 1)] },
      { start: 1, end: 2, text: ' Yes.', speaker: 'SPEAKER_01', words: [] },
    ];
    expect(said({ segments, word_segments: [], language: 'en' })).toEqual([
      ['Two', 0, 0, 'SPEAKER_00'],
      ['up.', 500, 1000, 'SPEAKER_00'],
      ['Yes.', 1000, 2000, 'SPEAKER_01'],
    ]);
  });

  test('transcripts of podcasts, of Amazon, and one with a length in seconds and times in milliseconds', () => {
    const podcast = { version: '1.0.0', segments: [{ speaker: 'Ann', startTime: 0.5, endTime: 2, body: 'Ahoy.' }] };
    expect(said(podcast)).toEqual([['Ahoy.', 500, 2000, 'Ann']]);
    const item = { type: 'pronunciation', start_time: '0.1', end_time: '0.3', speaker_label: 'spk_0' };
    const mark = { type: 'punctuation', alternatives: [{ content: '.' }], speaker_label: 'spk_0' };
    const items = [{ ...item, alternatives: [{ content: 'Ahoy' }] }, mark];
    expect(said({ results: { transcripts: [{ transcript: 'Ahoy.' }], items } })).toEqual([
      ['Ahoy', 100, 300, 'spk_0'],
      ['.', 300, 300, 'spk_0'],
    ]);
    const words = [{ text: 'Ahoy', start: 250, end: 650, speaker: 'A' }];
    expect(said({ audio_duration: 4, text: 'Ahoy', words })).toEqual([['Ahoy', 250, 650, 'A']]);
    expect(said({ text: 'Ahoy', words })).toEqual([['Ahoy', 250_000, 650_000, 'A']]);
  });

  test('missing times are filled from the word before, and times ascend', () => {
    const { words } = transcriptOfJson({
      text: 'a b c d',
      words: [word('a', 1, 2), word('b', null, null), word('c', 0.5, 0.6), word('d', 3, 2.5)],
    })!;
    expect(words.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [1000, 2000],
      [2000, 2000],
      [2000, 2000],
      [3000, 3000],
    ]);
  });

  test('marks that only the text has stand with their words', () => {
    const text = '“Hello,” said Ann (of twenty-one). Is it 5 p.m.? “Yes …”';
    const bare = ['Hello', 'said', 'Ann', 'of', 'twenty', 'one', 'Is', 'it', '5', 'p.m', 'Yes'];
    const { words } = transcriptOfJson({ text, words: bare.map((one, i) => word(one, i, i + 0.5)) })!;
    const again = words.map(({ text: one, joined }, i) => (i > 0 && !joined ? ` ${one}` : one)).join('');
    expect(again).toBe(text.replace(' …”', '')); // apart from what stands alone at the end
    expect(words).toHaveLength(bare.length);
  });

  test('words behind a passage of the text that has none of its own stand apart as before', () => {
    const read = (json: unknown): string =>
      transcriptOfJson(json)!
        .words.map(({ text, joined }) => (joined ? text : ` ${text}`))
        .join('')
        .trim();
    const all = Array.from({ length: 30 }, (_, i) => `word${i}`);
    const words = all.map((text, i) => ({ word: text, start: i, end: i + 0.5 }));
    const unheard = 'A sentence of more than sixty-four characters, for which the server has no times.';
    expect(read({ text: [...all.slice(0, 10), unheard, ...all.slice(10)].join(' '), words })).toBe(all.join(' '));
    const segments = [
      'A long  segment, which has two blanks and more than sixty-four characters.',
      'A second\none.',
      'Yes.',
    ];
    const text = segments.join(' ');
    expect(read({ text, segments: segments.map((one, i) => ({ text: one, start: i, end: i + 1 })) })).toBe(
      text.replace(/\s+/g, ' '),
    );
  });

  test('a language without spaces stays without', () => {
    const { words } = transcriptOfJson({
      text: '今日は。',
      words: [word('今日', 0, 1), word('は', 1, 2), word('。', 2, 2)],
    })!;
    expect(words.map(({ text, joined }) => `${joined ? '' : ' '}${text}`).join('')).toBe(' 今日は。');
  });

  test('channels are put together by stretches, not word by word', () => {
    const said = (channel: number, texts: string[], from: number): object => ({
      text: texts.join(' '),
      channel_index: channel,
      words: texts.flatMap((text, i) => [
        word(text, from + i, from + i + 0.9, { speaker_id: `speaker_${channel}` }),
        space,
      ]),
    });
    const { words } = transcriptOfJson({
      transcripts: [said(0, ['How', 'are', 'you?'], 0), said(1, ['Well,', 'thanks.'], 1.5)],
    })!;
    expect(words.map(({ speaker, text }) => `${speaker!.at(-1)} ${text}`)).toEqual([
      '0 How',
      '0 are',
      '0 you?',
      '1 Well,',
      '1 thanks.',
    ]);
  });

  test('servers of /v1/audio/transcriptions, and the delivery of a webhook', () => {
    const verbose = {
      text: ' Hi you.',
      language: 'english',
      words: [
        { word: 'Hi', start: 0, end: 0.5 },
        { word: 'you', start: 0.5, end: 1 },
      ],
    };
    expect(transcriptOfJson(verbose)!.words.map(({ text, joined }) => [text, joined])).toEqual([
      ['Hi', undefined],
      ['you.', undefined],
    ]);
    const segments = {
      text: 'One. Two.',
      segments: [
        { start: 0, end: 1, text: ' One.' },
        { start: 1, end: 2, text: ' Two.' },
      ],
    };
    expect(transcriptOfJson(segments)!.words).toEqual([
      { text: 'One.', startMs: 0, endMs: 1000 },
      { text: 'Two.', startMs: 1000, endMs: 2000 },
    ]);
    const delivery = {
      type: 'speech_to_text_transcription',
      data: { transcription: { text: 'x', words: [word('x', 0, 1)] } },
    };
    expect(transcriptOfJson(delivery)!.words).toHaveLength(1);
    expect(transcriptOfJson({ text: '', words: [] })).toEqual({ words: [] });
    for (const other of [null, [], 'x', {}, { words: 3 }, { transcripts: [{}] }])
      expect(transcriptOfJson(other)).toBeUndefined();
  });
});
