import { expect, test } from 'vitest';
import { codes, outline, parse } from './helpers.ts';

test('comments of reStructuredText are left out and told; notes, targets and examples stay', async () => {
  const source = `Guide
=====

.. To do: a picture.
   Ask Ida.

   Soon.

The quay is open [1]_.

..

   A quotation.

.. _quay:

.. note:: Bring a rope.

A comment is written so::

    .. A comment

..
   Old fees.

.. [1] From noon.
`;
  const document = await parse('a.rst', source);
  expect(outline(document)).toEqual([
    ['heading', 'Guide\n====='],
    ['paragraph', 'The quay is open [1]_.'],
    ['paragraph', '   A quotation.'],
    ['paragraph', '.. _quay:'],
    ['paragraph', '.. note:: Bring a rope.'],
    ['paragraph', 'A comment is written so::'],
    ['code', '    .. A comment'],
    ['paragraph', '.. [1] From noon.'],
  ]);
  expect(document.warnings).toEqual([
    { code: 'MARKUP_COMMENTS', message: 'left out comments (..) on 6 lines', leftOut: 6 },
  ]);
});

test('comments of AsciiDoc are left out and told; code with such lines stays', async () => {
  const source = `= Guide

// To do: a picture.
The quay is open.

////
Old fees.

Ask Ida.
////

----
// says more
run()
----

http://example.org//x is a link.
`;
  const document = await parse('a.adoc', source);
  expect(outline(document)).toEqual([
    ['heading', '= Guide'],
    ['paragraph', 'The quay is open.'],
    ['code', '----\n// says more\nrun()\n----'],
    ['paragraph', 'http://example.org//x is a link.'],
  ]);
  expect(codes(document)).toEqual(['MARKUP_COMMENTS']);
  expect((await parse('c.adoc', '// Nothing else.')).text).toBe('// Nothing else.');
  const bare = await parse('b.adoc', 'Text.\n\n////\nNo end.');
  expect([bare.text, codes(bare)]).toEqual(['Text.\n\n////\nNo end.', []]);
});
