import { describe, expect, test } from 'vitest';
import { detectFormat } from '../../../src/read/detect.ts';
import { parse } from './helpers.ts';

const format = (name: string, head: string): string | undefined => detectFormat(name, Buffer.from(head)).format;

const rst = `.. _harbour:

=============
Harbour guide
=============

The :ref:\`quay <quay>\` is open.

.. note::

   Bring a rope.

Opening
=======

Shut on Mondays::

    quay --shut
`;

const adoc = `harbour(1)
==========

NAME
----
harbour - opens the quay

SYNOPSIS
--------
[verse]
'harbour' [--shut]

See linkgit:quay[1] for more.

----
harbour --shut
----
`;

describe('markup in files that are named as text', () => {
  test.each([
    ['index.rst.txt', 'plain words', 'rst'],
    ['INDEX.MD.TXT', 'plain words', 'markdown'],
    ['notes.org.txt', 'plain words', 'org'],
    ['guide.adoc.txt', 'plain words', 'asciidoc'],
    ['a.pdf.txt', 'plain words', 'text'],
    ['a.html.txt', 'plain words', 'text'],
    ['.md.txt', 'plain words', 'text'],
    ['guide.txt', rst, 'rst'],
    ['README', rst.replaceAll('\n', '\r\n'), 'rst'],
    ['harbour.txt', adoc, 'asciidoc'],
    ['harbour.txt', 'harbour(1)\n==========\n\nNAME\n----\nharbour - opens the quay\n', 'asciidoc'],
    ['harbour.txt', 'harbour(1) -- opens the quay\n============================\n\nNAME\n----\n', 'text'],
    ['letter.txt', 'Minutes\n=======\n\nWe met :) at ten. See ``quay``.\n\nNext\n----\n\nNone.', 'text'],
    ['about.txt', 'About rst\n=========\n\nA note is written so:\n\n    .. note:: Text\n', 'text'],
    ['wiki.txt', '== Harbour ==\n\nThe [[quay]] is open.\n\n== Times ==\n\n[1] From noon.', 'text'],
    ['app.ini', '[verse]\na=1\n[source]\nb=2', 'code'],
  ])('%s', (name, head, expected) => {
    expect(format(name, head)).toBe(expected);
  });

  test('code of AsciiDoc between lines of marks is a fence with its language, line for line', async () => {
    const page = await parse(
      'guide.adoc',
      '= Quay\n\n[source,yaml]\n.The settings\n----\nboats: 4\n----\n\n[,sh]\n----\nquay --shut\n----\n\nNames\n-----\nSkua.',
    );
    expect(
      page.blocks
        .filter(({ kind }) => kind === 'code')
        .map(({ start, end, language }) => [language, page.text.slice(start, end)]),
    ).toEqual([
      ['yaml', '```yaml\nboats: 4\n```'],
      ['sh', '```sh\nquay --shut\n```'],
    ]);
    expect(page.blocks.filter(({ kind }) => kind === 'heading').map(({ label }) => label)).toEqual(['Quay', 'Names']);
    expect(page.text.split('\n')[5]).toBe('boats: 4'); // places of lines stay
  });

  test('titles and code are told apart from prose', async () => {
    const guide = await parse('guide.txt', rst);
    expect(guide.title).toBe('Harbour guide');
    expect(
      guide.blocks.filter(({ kind }) => kind === 'code').map(({ start, end }) => guide.text.slice(start, end)),
    ).toEqual(['    quay --shut']);
    const page = await parse('harbour.txt', adoc);
    expect(page.title).toBe('harbour(1)');
    expect(page.blocks.filter(({ kind }) => kind === 'code')).toHaveLength(1);
  });
});
