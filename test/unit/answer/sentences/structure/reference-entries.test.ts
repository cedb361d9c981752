import { describe, expect, it } from 'vitest';
import {
  explainedIn,
  memberOver,
  referenceEntries,
} from '../../../../../src/answer/sentences/structure/reference-entries.ts';

/** A declaration as a kind of reference prints it, its names, and its arguments. */
const declarations: readonly (readonly [text: string, names: string[], args: string[]])[] = [
  [
    '◆ crane_lift()\n\nint crane_lift | ( | crane_t * | crane,\n|  | load_t | load\n| )',
    ['crane_lift', 'crane_lift'],
    ['crane', 'load'],
  ],
  ['Function: int crane_lift (crane_t crane, const load_t * load)', ['crane_lift'], ['crane', 'load']],
  [
    ' -- Scheme Procedure: crane-lift! crane [load]\n -- C Function: crn_lift (crane, load)',
    ['crane-lift!', 'crn_lift'],
    ['crane', 'load', 'crane', 'load'],
  ],
  ['- public static <T> boolean lift(Crane<T> crane, Load... loads)', ['lift'], ['crane', 'loads']],
  ['- public int lift(Crane crane,\n                  Load load)', ['lift'], ['crane', 'load']],
  ["pub fn lift<'a>(&'a mut self, load: Load) -> Option<Load>", ['lift'], ['self', 'load']],
  ['class quay.hoist.Crane(reach, *, steel=None)', ['quay.hoist.Crane'], ['reach', 'steel']],
  ['quay.hoist.lift(load: int, slow: bool = False) → Load', ['quay.hoist.lift'], ['load', 'slow']],
  ['property reach', ['reach'], []],
  ['lift ( load text, metres integer ) → boolean', ['lift'], ['text', 'integer']],
  ['lamp_oil (integer)', ['lamp_oil'], ['integer']],
];

describe('the declarations of references', () => {
  for (const [text, names, args] of declarations) {
    it(text.replaceAll('\n', ' '), () => {
      const [entry, ...others] = referenceEntries(`${text}\n\nRaises what hangs on it.\n`);
      expect(others).toEqual([]);
      expect(entry).toMatchObject({ names, args, start: 0, body: text.length });
    });
  }
  for (const text of [
    'Call lift(load) when the hook is down.',
    "lift('sand', 3) → true",
    'See also: lift()',
    'x = lift(load)',
    'return lift(load)',
    'The crane lifts (slowly) what hangs on it.',
  ])
    it(`none in: ${text}`, () => expect(referenceEntries(`It is old.\n${text}\n\nRaises it.`)).toEqual([]));
});

it('an entry goes on to the next one', () => {
  const text = 'int lower ()\n\nLets it down.\n\nint swing ()\n\nTurns it.\n';
  expect(referenceEntries(text).map(({ names, start, end }) => [...names, text.slice(start, end)])).toEqual([
    ['lower', 'int lower ()\n\nLets it down.\n\n'],
    ['swing', 'int swing ()\n\nTurns it.\n'],
  ]);
});

it('knows the parameter that a line explains', () => {
  const of = (line: string): string | undefined => explainedIn(line);
  expect(of('load: What hangs on it.')).toBe('load');
  expect(of('- load (Optional[int]) – what hangs on it.')).toBe('load');
  expect(of('load - what hangs on it, may be null')).toBe('load');
  expect(of('[in] | load | What hangs on it.')).toBe('load');
  expect(of('Parameters: load (int) – what hangs on it.')).toBe('load');
  expect(of('What hangs on it is the load.')).toBeUndefined();
});

it('names what is declared above the first that is said of it, and nothing else', () => {
  const text = 'Function: int lift (load_t load)\n\nload: What hangs on it.\n\nRaises it.\n\nIt is slow.\n';
  const over = (own: string): string | undefined =>
    memberOver(text, { start: text.indexOf(own), end: text.indexOf(own) + own.length });
  expect(over('Raises it.')).toBe('lift');
  expect(over('load: What hangs on it.')).toBe('lift');
  expect(over('It is slow.')).toBeUndefined();
});
