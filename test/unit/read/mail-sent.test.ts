import { describe, expect, test } from 'vitest';
import { momentOf } from '../../../src/read/mail/sent.ts';

const at = (field: string): string | undefined => momentOf(field)?.toISOString();

describe('the date of a mail', () => {
  test.each([
    ['Tue, 1 Oct 2024 12:34:56 +0200', '2024-10-01T10:34:56.000Z'],
    ['1 Oct 2024 12:34 -0530 (some place)', '2024-10-01T18:04:00.000Z'],
    ['Tue, 01 Oct 2024 12:34:56 GMT', '2024-10-01T12:34:56.000Z'],
    ['Tue, 1 Oct 2024 12:34:56 EST', '2024-10-01T17:34:56.000Z'],
    ['Tue Oct  1 12:34:56 CEST 2024', '2024-10-01T10:34:56.000Z'],
    ['Tue Oct  1 12:34:56 2024', '2024-10-01T12:34:56.000Z'],
    ['Oct 1, 2024 12:34 PM +0200', '2024-10-01T10:34:00.000Z'],
    ['2024-10-01T12:34:56.789+02:00', '2024-10-01T10:34:56.000Z'],
    ['2002/09/14 Sat 02:29:32 CDT', '2002-09-14T07:29:32.000Z'],
    ['01-Oct-24 12:34:56', '2024-10-01T12:34:56.000Z'],
  ])('%s', (field, moment) => expect(at(field)).toBe(moment));

  test('a year that counts from 1900 is a year of ours', () => {
    expect(at('Thu, 22 Aug 102 12:07:35 +0800')).toBe('2002-08-22T04:07:35.000Z');
    expect(at('Thu, 22 Aug 0102 12:07:35 +0800')).toBe('2002-08-22T04:07:35.000Z');
    expect(at('Sun, 22 Aug 99 12:07:35 +0000')).toBe('1999-08-22T12:07:35.000Z');
  });

  test('zones that programs write in a way of their own', () => {
    expect(at('Tue, 24 Sep 2002 10:39:13 +-0500')).toBe('2002-09-24T15:39:13.000Z');
    expect(at('Fri, 30 Aug 02 21:48:08 Eastern Daylight Time')).toBe('2002-08-31T01:48:08.000Z');
    expect(at('Mon, 22 Jul 2002 12:37:15 US Mountain Standard Time')).toBe('2002-07-22T19:37:15.000Z');
    expect(at('Fri, 20 Sep 2002 12:15:37 GMT+1')).toBe('2002-09-20T11:15:37.000Z');
    expect(at('Tue, 06 Aug 2002 06:50:21 PM -0400')).toBe('2002-08-06T22:50:21.000Z');
  });

  test('a zone that is missing or unknown is UTC on every machine', () => {
    expect(at('Tue, 1 Oct 2024 12:34:56')).toBe('2024-10-01T12:34:56.000Z');
    expect(at('Tue, 1 Oct 2024 12:34:56 Arabian Standard Time')).toBe('2024-10-01T12:34:56.000Z');
  });

  test('what is no date is none', () => {
    for (const field of [
      '',
      '-5',
      'soon',
      '31 Feb 2024 10:00:00 +0000',
      '1 Foo 2024 10:00:00 +0000',
      '1 Oct 2024 25:00 +0000',
    ])
      expect(at(field)).toBeUndefined();
  });
});
