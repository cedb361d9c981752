import { expect, test } from 'vitest';
import { headings, outline, parse } from './helpers.ts';

test('reStructuredText: a title between two lines is of the first level, whatever stands above it', async () => {
  const title = '=====\nGuide\n=====\n\nInstall\n=======\n\nRun it.\n\nLimits\n------\n\nTen.\n\nUse\n===\n';
  const levels = [
    [1, 'Guide'],
    [2, 'Install'],
    [3, 'Limits'],
    [2, 'Use'],
  ];
  for (const above of ['', '\n', '.. _guide:\n\n', '.. a comment\n\n\n'])
    expect(headings(await parse('a.rst', above + title))).toEqual(levels);
});

test('reStructuredText: what is deeper than a line that ends with `::` is code, with its blank lines', async () => {
  const source =
    'Run it so::\n\n    pump --on\n\n      --slow\n\nThen\nlook::\n\n  tail log\n.. note::\n\n   No code.\n';
  expect(outline(await parse('a.rst', source))).toEqual([
    ['paragraph', 'Run it so::'],
    ['code', '    pump --on\n\n      --slow'],
    ['paragraph', 'Then\nlook::'],
    ['code', '  tail log'],
    ['paragraph', '.. note::'],
    ['paragraph', '   No code.'],
  ]);
});

test('a title says what its roles and links say', async () => {
  const titles = [':mod:`heapq` --- Heaps', 'The ``-x`` of :py:func:`open`', 'See `the quay <http://x>`_ at 10:30:`a`'];
  const source = titles.map((title) => `${title}\n${'='.repeat(title.length)}\n\nText.\n`).join('\n');
  const document = await parse('a.rst', source);
  expect(document.title).toBe('heapq --- Heaps');
  expect(document.blocks.flatMap(({ kind, label }) => (kind === 'heading' ? [label] : []))).toEqual([
    'heapq --- Heaps',
    'The -x of open',
    'See the quay at 10:30:a',
  ]);
});

test('reStructuredText: notes on versions say what they mean, each in its line', async () => {
  const document = await parse(
    'a.rst',
    'Guide\n=====\n\n.. versionadded:: 3.8\n\nIt lifts.\n\n.. versionchanged:: 3.9 It lowers too.\n\n.. deprecated:: 4.1\n   The winch is ignored.\n',
  );
  expect(document.text.split('\n').slice(3)).toEqual([
    'New in version 3.8.',
    '',
    'It lifts.',
    '',
    'Changed in version 3.9: It lowers too.',
    '',
    'Deprecated since version 4.1:',
    '   The winch is ignored.',
  ]);
});
