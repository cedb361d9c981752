import { describe, expect, test } from 'vitest';
import { codes, parse } from './helpers.ts';

describe('captions', () => {
  test('text without numbers, times and tags; times as locators', async () => {
    const vtt =
      'WEBVTT\n\nNOTE not this\n\n1\n00:01.500 --> 00:04.000 align:start\n<v Roger Bingham>We <i>are</i> in\nNew York &amp; here\n\n01:00:00.000 --> 01:00:02.250\nLater\n';
    const document = await parse('a.vtt', vtt);
    expect(document.text).toBe('Roger Bingham: We are in\nNew York & here\nLater');
    expect(document.locators.map(({ timeMs, lines }) => [timeMs, lines])).toEqual([
      [
        [1500, 4000],
        [7, 8],
      ],
      [
        [3_600_000, 3_602_250],
        [11, 11],
      ],
    ]);
  });

  test('rolling captions say each line once, at the time when it is first said', async () => {
    const vtt =
      'WEBVTT\nKind: captions\n\n00:00:00.080 --> 00:00:02.000 align:start\n \ngood<00:00:00.400><c> morning</c>\n\n' +
      '00:00:02.000 --> 00:00:02.010 align:start\ngood morning\n \n\n' +
      '00:00:02.010 --> 00:00:04.000 align:start\ngood morning\nto<00:00:02.400><c> all</c>\n';
    const document = await parse('a.vtt', vtt);
    expect(document.text).toBe('good morning\nto all');
    expect(document.locators.map(({ timeMs, lines }) => [timeMs, lines])).toEqual([
      [
        [80, 2000],
        [5, 6],
      ],
      [
        [2010, 4000],
        [14, 14],
      ],
    ]);
    expect(document.warnings).toEqual([]);
  });

  test('a caption that repeats the words of the one before stays', async () => {
    const vtt = 'WEBVTT\n\n00:01.000 --> 00:02.000\nNo.\n\n00:02.000 --> 00:03.000\nNo.\nNot today.\n';
    expect((await parse('a.vtt', vtt)).text).toBe('No.\nNo.\nNot today.');
  });

  test('characters that captions write as numbers are read', async () => {
    const vtt =
      'WEBVTT\n\n00:01.000 --> 00:02.000\nIt doesn&#39;t &#x1F600; &apos;hold&apos; &amp;#39; &#0; &#x110000; &#xD800; &constructor;\n';
    expect((await parse('a.vtt', vtt)).text).toBe("It doesn't 😀 'hold' &#39; &#0; &#x110000; &#xD800; &constructor;");
  });

  test('styles of SubStation in SubRip are no words', async () => {
    const srt = '1\n00:00:01,000 --> 00:00:02,000\n{\\i1}It{\\i0} {\\pos(19,2)\\an8}leaks {twice}.\n';
    expect((await parse('a.srt', srt)).text).toBe('It leaks {twice}.');
  });

  test('SubRip with a comma, and times that lie', async () => {
    const document = await parse(
      'a.srt',
      '1\r\n00:00:01,000 --> 00:00:02,500\r\n- Hello\r\n\r\n2\r\n00:00:0x,000 --> 99:99\r\nkept\r\n',
    );
    expect(document.text).toBe('- Hello\nkept');
    expect(document.locators.map(({ timeMs }) => timeMs)).toEqual([[1000, 2500], undefined]);
    expect(codes(document)).toEqual(['CUE_WITHOUT_TIME']);
  });
});
