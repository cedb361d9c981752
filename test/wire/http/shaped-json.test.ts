import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { ShapedJson } from '../../../src/wire/http/shaped-json.ts';

type Outcome = { readonly value: unknown; readonly spelt: string } | { readonly error: string };

/** What comes of a text: the value, with the order of its keys, or the error's message. */
function outcome(parse: (text: string) => unknown, text: string): Outcome {
  try {
    const value = parse(text);
    return { value, spelt: JSON.stringify(value) };
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError);
    return { error: (error as SyntaxError).message };
  }
}

/** Every text in turn through one parser that remembers, beside `JSON.parse`, which does not. */
function expectTheSame(texts: readonly string[]): void {
  const json = new ShapedJson();
  for (const text of texts) {
    const mine = outcome((one) => json.parse(one), text);
    const right = outcome(JSON.parse, text);
    // Not by `expect`: keys named `constructor` confuse it.
    if (!isDeepStrictEqual(mine, right)) expect({ text, ...mine }).toStrictEqual({ text, ...right });
    expect(isDeepStrictEqual(mine, right)).toBe(true);
    // A caller may do with a value what it likes; later ones must not show it.
    if ('value' in mine) spoil(mine.value);
  }
}

function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    spoil(value[key as never]);
    (value as Record<string, unknown>)[key] = 'spoilt';
  }
}

const string = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    '',
    '"',
    '\\',
    '\\"',
    '","b":"',
    '"}',
    '\u2028',
    '\ud800',
    'doc-1',
    'a longer text with "quotes"\nand lines',
  ),
);
const number = fc.oneof(
  fc.nat(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1e15, 999_999_999_999_999, 9_007_199_254_740_992, 1e21, 1e-7),
);
const leaf = fc.oneof(
  { weight: 4, arbitrary: string },
  { weight: 3, arbitrary: number },
  fc.constantFrom(null, true, false),
);
const key = fc.constantFrom(
  'custom_id',
  'id',
  'text',
  'a',
  'b',
  '1',
  '0',
  '',
  '"',
  'häß',
  '__proto__',
  'constructor',
  'toJSON',
);

/** How an object looks, with its values left out. */
const form = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constant('leaf'),
    fc.array(tie('node'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('node')), { maxLength: 5 }).map((fields) => ({ fields })),
  ),
})).node;

/** A text of that form, its values taken in turn; keys may come twice. */
function written(node: unknown, take: () => unknown, gap: string): string {
  if (node === 'leaf') return JSON.stringify(take()) ?? 'null';
  if (Array.isArray(node)) return `[${node.map((one) => written(one, take, gap)).join(`,${gap}`)}]`;
  const { fields } = node as { readonly fields: readonly (readonly [string, unknown])[] }; // what `form` makes
  return `{${fields.map(([name, one]) => `${JSON.stringify(name)}:${gap}${written(one, take, gap)}`).join(`,${gap}`)}}`;
}

const texts = fc
  .tuple(
    fc.array(form, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', ' ', '\n\t'),
    fc.array(
      fc.record({
        which: fc.nat(),
        values: fc.array(leaf, { minLength: 1, maxLength: 6 }),
        // Where the text is damaged, and with what: most of it stays JSON of the form or nearly so.
        damage: fc.option(
          fc.tuple(
            fc.nat(),
            fc.nat({ max: 3 }),
            fc.constantFrom('', '"', '\\', ',', '}', '0', '\u0001', '-', '1', ' '),
          ),
          {
            freq: 3,
          },
        ),
      }),
      { minLength: 2, maxLength: 30 },
    ),
  )
  .map(([forms, gap, lines]) =>
    lines.map(({ which, values, damage }) => {
      let at = 0;
      const text = written(forms[which % forms.length], () => values[at++ % values.length], gap);
      if (damage === null) return text;
      const place = damage[0] % (text.length + 1);
      return text.slice(0, place) + damage[2] + text.slice(place + damage[1]);
    }),
  );

describe('a parser for texts that look alike', () => {
  it('gives what JSON.parse gives, whatever came before', () => {
    fc.assert(
      fc.property(texts, (all) => expectTheSame(all)),
      { numRuns: 2_000 },
    );
  });

  it('gives what JSON.parse gives of each single damage to a text it knows', () => {
    const line = (id: string, text: string, tokens: number): string =>
      JSON.stringify({ id, message: { content: [{ type: 'text', text }], usage: { tokens }, stop: null } });
    const known = [line('a', 'one', 1), line('b', 'two', 22)];
    const text = line('c"', 'a text of more than twelve \\ "characters"', 333);
    const damaged: string[] = [];
    for (let at = 0; at <= text.length; at++) {
      for (const sign of [
        '"',
        '\\',
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '0',
        '-',
        '.',
        'e',
        ' ',
        '\n',
        '\u0000',
        'ä',
        '\ud83d',
      ]) {
        damaged.push(text.slice(0, at) + sign + text.slice(at), text.slice(0, at) + sign + text.slice(at + 1));
      }
      damaged.push(text.slice(0, at) + text.slice(at + 1), text.slice(0, at));
    }
    // Each with the shape fresh, so that what is learned of one does not hide another's.
    for (const one of damaged) expectTheSame([...known, one, text]);
  });

  it.each([
    [
      'a string that holds what follows it',
      ['{"a":"x","b":1}', '{"a":"y","b":1}', '{"a":"\\",\\"b\\":1}","b":1}', '{"a":"","b":1}","b":1}'],
    ],
    [
      'numbers in other spellings',
      [
        '[{"n":1}]',
        '[{"n":2}]',
        '[{"n":01}]',
        '[{"n":-0}]',
        '[{"n":1.0}]',
        '[{"n":1e3}]',
        '[{"n":1234567890123456789}]',
        '[{"n":}]',
      ],
    ],
    ['a key that comes twice', ['{"a":1,"a":2}', '{"a":1,"a":3}', '{"a":4,"a":3}']],
    [
      'a key that names the prototype',
      ['{"__proto__":{"a":"x"}}', '{"__proto__":{"a":"y"}}', '{"\\u005f_proto__":1}', '{"\\u005f_proto__":2}'],
    ],
    ['keys that are numbers', ['{"b":"x","1":"y","0":"z"}', '{"b":"1","1":"2","0":"3"}', '{"b":"4","1":"5","0":"6"}']],
    ['single values', ['"a"', '"b"', '1', '2', 'null', '', ' ', '"']],
    [
      'something after the end',
      ['{"a":"x"}', '{"a":"y"}', '{"a":"z"}}', '{"a":"z"} ', '{"a":"z"}{"a":"z"}', '{"a":"z"},{"a":"z"}'],
    ],
    [
      'half a pair and a character that must be escaped',
      ['{"a":"x"}', '{"a":"y"}', '{"a":"\ud800"}', '{"a":"\t"}', '{"a":"a long text with a \n in it"}'],
    ],
  ])('%s', (_, all) => {
    expectTheSame(all);
  });

  it('parses only what varies, once it knows a shape', () => {
    const json = new ShapedJson();
    const line = (n: number): string =>
      n % 5 === 4
        ? JSON.stringify({ id: `id-${n}`, error: 'too long' })
        : JSON.stringify({ id: `id-${n}`, text: 'Text with "quotes". '.repeat(n), n });
    for (let n = 0; n < 10; n++) json.parse(line(n));
    const parse = vi.spyOn(JSON, 'parse');
    try {
      for (let n = 10; n < 20; n++) json.parse(line(n));
      expect(parse.mock.calls.filter(([text]) => text.startsWith('{'))).toEqual([]);
      expect(parse.mock.calls).toHaveLength(8); // the long texts
    } finally {
      parse.mockRestore();
    }
  });

  it('stops taking texts apart when none is like another', () => {
    const json = new ShapedJson();
    const made = vi.spyOn(RegExp.prototype, 'exec');
    try {
      for (let n = 0; n < 40; n++) json.parse(JSON.stringify({ [`key${n}`]: n }));
      const before = made.mock.calls.length;
      for (let n = 40; n < 80; n++) expect(json.parse(JSON.stringify({ [`key${n}`]: n }))).toEqual({ [`key${n}`]: n });
      expect(before).toBeGreaterThan(0);
      expect(made.mock.calls.length).toBe(before);
    } finally {
      made.mockRestore();
    }
  });
});
