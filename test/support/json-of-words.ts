import fc from 'fast-check';

/** JSON made of the words that parsers look for, at any depth: far likelier to reach them than any JSON. */
export const jsonOf = (words: fc.Arbitrary<string>): fc.Arbitrary<unknown> =>
  fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'medium' },
      words,
      fc.constantFrom<unknown>(null, true, 0, 1, -1, 1e308, ''),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(words, tie('value'), { maxKeys: 6 }),
    ),
  })).value;
