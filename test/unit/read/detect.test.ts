import { describe, expect, test } from 'vitest';
import { IbidError } from '../../../src/core/errors.ts';
import { detectFormat } from '../../../src/read/detect.ts';
import { codeLanguages, formatOfName, formats } from '../../../src/read/names.ts';
import { codes, parse } from './helpers.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const format = (name: string, head: string): string | undefined => detectFormat(name, bytes(head)).format;

/** The header of a member of a tar archive, with a name that fills the first bytes. */
const tarHead = (name: string): string => `${name.padEnd(100, '\0')}${'0'.repeat(157)}ustar`;

describe('format by content and name together', () => {
  test.each([
    ['a.md', '# Title', 'markdown'],
    ['A.MD', 'text', 'markdown'],
    ['notes.tar.md', 'text', 'markdown'],
    ['README', 'plain words', 'text'],
    ['Dockerfile', 'FROM node', 'code'],
    ['no-extension', 'plain words', 'text'],
    ['unknown.xyz', 'plain words', 'text'],
    ['page', '<!DOCTYPE html><html>', 'html'],
    ['script', '#!/usr/bin/env python3\nprint(1)', 'code'],
    ['book.ics', 'BEGIN:VCARD\r\nFN:Ida\r\nEND:VCARD', 'vcf'],
    ['plan.vcf', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Tide\r\nEND:VEVENT', 'ics'],
    ['plan.ics', 'BEGIN:VEVENT\r\nSUMMARY:Tide\r\nEND:VEVENT', 'ics'],
    ['captions', 'WEBVTT\n\n00:01.000 --> 00:02.000\nhi', 'subtitles'],
    ['mail', 'From: a@b.c\nTo: d@e.f\nSubject: hi\n\nbody', 'eml'],
    [
      '1354585346.000261:2,S',
      'Return-Path: <a@b.c>\nX-Spam-Level:\nX-Original-To: d@e.f\nAuthentication-Results: e.f;\n\tdkim=pass\nSubject: hi\n\n=====\nbody',
      'eml',
    ],
    ['notes', 'Subject: ropes\nWe met at noon.\nDate: Monday\nTo: all', 'text'],
    ['headers', 'Date: Monday\nServer: a\nContent-Type: text/html\n\nbody', 'text'],
    ['mail.msg', 'Delivered-To: d@e.f\nX-Mark: 1\nReceived: by e.f\nFrom: a@b.c\n\nbody', 'eml'],
    ['mail.txt', 'Return-Path: <a@b.c>\nFrom: a@b.c\nTo: d@e.f\nMessage-ID: <1@b.c>\n\nbody', 'eml'],
    ['heads.txt', 'Return-Path: <a@b.c>\nFrom: a@b.c\nTo: d@e.f\nMessage-ID: <1@b.c>\n\n', 'text'],
    ['letter.txt', 'From: Ann\nTo: Bo\nSubject: ropes\nDate: Monday\n\nbody', 'text'],
    ['box.msg', 'From a@b.c Tue Oct 14 03:34:15 2014\nReturn-path: <>\n\nbody', 'mbox'],
    ['report.docx', '%PDF-1.7\n1 0 obj\n', 'pdf'],
    ['junk.pdf', 'HTTP/1.1 200 OK\r\n\r\n%PDF-1.4\n1 0 obj\n', 'pdf'],
    ['error.pdf', '<html><body>404</body></html>', 'html'],
    ['about-pdf.txt', 'A file starts with\n%PDF-1.7\nand a version.', 'text'],
    ['x.rtf', '{\\rtf1 hello}', 'rtf'],
    ['half.txt', '[{"a": 1, "b"', 'text'],
    ['a.docx', 'PK\x03\x04rest', 'docx'],
    ['a.txt', '\x89PNG\r\n\x1a\n', 'image'],
    ['a', '\x1f\x8b\x08\x00', 'archive'],
    ['station', 'SQLite format 3\0', 'sqlite'],
    ['scan', `BM${'\0'.repeat(12)}\x28\0\0\0`, 'image'],
    ['a.txt', 'BM is a mark of the bench.', 'text'],
    ['photo', 'RIFF\x1a\0\0\0WEBPVP8 ', 'image'],
    ['film', '\0\0\0\x08wide\0\0\x10\0mdat', 'recording'],
    [`${'long-name/'.repeat(9)}a.tar`, tarHead(`${'a-long-folder-of-letters/'.repeat(3)}a.txt`), 'archive'],
  ])('%s starting %j is %s', (name, head, expected) => {
    expect(format(name, head)).toBe(expected);
  });

  test.each([
    'The widespread use of acronyms across the whole range of science is a habit.',
    'The mdat box holds the samples, and the moov box says where each one begins.',
    'ID3 tags are at the beginning of a file, and hold title, artist and album.',
    'OggS is the capture pattern of a page, and the version follows it in a byte.',
    'fLaC, four letters, says that this is a lossless file. Blocks of metadata follow.',
    'RIFF files have chunks. Each has an identifier of four letters, and a length.',
    'RIFF and WAVE: the first twelve bytes of a recording, and what follows them.',
    'GIF89a is the version that knows transparency and delays between pictures.',
    'PAR1 stands at both ends of a file with columns, and a footer says where.',
    'BZh and a digit from 1 to 9 begin a file of that program. What follows is pi.',
    'SQLite for beginners: a database in one file, and no server to look after.',
  ])('words that begin as a signature does are words: %s', (text) => {
    for (const name of ['a.md', 'a.txt', 'README'])
      expect([name, format(name, text)]).toEqual([name, name === 'a.md' ? 'markdown' : 'text']);
  });

  test.each([
    ['a.md', 'BZh91AY'],
    ['a.md', '\x1f\x8b\x08\x00'],
    ['a.bin', '\x7fELF'],
    ['a.docx', 'just plain text'],
    ['photo.txt', '\x00\x00\x00\x18ftypheic'],
    ['photo.png', 'just plain text'],
  ])('%s starting %j is refused, with what it is', (name, head) => {
    expect(detectFormat(name, bytes(head))).toMatchObject({ format: undefined, reason: expect.any(String) });
  });

  test('random bytes are refused whatever their name', () => {
    let state = 12345;
    const noise = Uint8Array.from({ length: 4096 }, () => {
      state = (state * 1103515245 + 12345) & 0x7fffffff;
      return state >> 16;
    });
    for (const name of ['a.txt', 'a.md', 'a', 'a.csv', 'a.html'])
      expect(detectFormat(name, noise).format).toBeUndefined();
  });

  test('a mismatch is read as what it is and warned of', async () => {
    const document = await parse('error.pdf', '<html><body><p>Not found</p></body></html>');
    expect([document.format, document.text, codes(document)]).toEqual(['html', 'Not found', ['TYPE_MISMATCH']]);
  });

  test.each([
    ['zero', ''],
    ['mark', '\ufeff'],
    ['blank', ' \n\t\r\n '],
    ['nul', '\0\0\0'],
  ])('an empty file (%s) is FILE_EMPTY or refused', async (_, content) => {
    for (const extension of ['txt', 'md', 'html', 'csv', 'json', 'srt', 'eml', 'py', 'yaml', 'xml']) {
      await expect(parse(`a.${extension}`, content)).rejects.toBeInstanceOf(IbidError);
      await expect(parse(`a.${extension}`, content)).rejects.toMatchObject({
        code: expect.stringMatching(/^FILE_(?:EMPTY|UNSUPPORTED|DAMAGED)$/),
      });
    }
  });

  test('every extension is lower case and listed once', () => {
    const listed: readonly string[] = [...Object.values(formats).flat(), ...Object.keys(codeLanguages)];
    expect(listed.filter((extension, i) => listed.indexOf(extension) !== i)).toEqual([]);
    expect(listed.filter((extension) => formatOfName(`name.${extension.toUpperCase()}`) === undefined)).toEqual([]);
    expect(listed).toEqual(
      expect.arrayContaining([
        'md',
        'mdx',
        'pdf',
        'docx',
        'pptx',
        'xlsx',
        'odt',
        'epub',
        'csv',
        'tsv',
        'jsonl',
        'ipynb',
        'srt',
        'vtt',
        'eml',
        'mbox',
        'py',
        'ts',
      ]),
    );
  });
});
