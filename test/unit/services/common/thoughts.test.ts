import { describe, expect, it } from 'vitest';
import { ThoughtFilter } from '../../../../src/services/common/thoughts.ts';

/** Text and thoughts of a stream that is cut after every `size` characters. */
function told(stream: string, size: number, mayBeginInside = false): { text: string; thinking: string } {
  const filter = new ThoughtFilter(mayBeginInside);
  const out = { text: '', thinking: '' };
  const pieces = stream.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
  for (const piece of pieces) for (const { type, text } of filter.push(piece)) out[type] += text;
  for (const { type, text } of filter.end()) out[type] += text;
  return out;
}

type Row = [stream: string, text: string, thinking: string, mayBeginInside?: boolean];

const rows: Row[] = [
  ['The ferry leaves at seven.', 'The ferry leaves at seven.', ''],
  ['<think>Let me see.</think>At seven.', 'At seven.', 'Let me see.'],
  ['\n<think>\nLet me see.\n</think>\n\nAt seven.', 'At seven.', 'Let me see.'],
  ['<Thinking>a < b</Thinking> At seven.', 'At seven.', 'a < b'],
  ['<think></think>At seven.', 'At seven.', ''],
  ['<think>never done', '', 'never done'],
  ['< 3 apples', '< 3 apples', ''],
  ['<thin', '<thin', ''],
  ['At <think>seven</think>.', 'At <think>seven</think>.', ''],
  ['Let me see.</think>At seven.', 'At seven.', 'Let me see.', true],
  ['At seven, no thought.', 'At seven, no thought.', '', true],
  ['<think>Let me see.</think>At seven.', 'At seven.', 'Let me see.', true],
  ['', '', ''],
];

describe('what a model thinks aloud', () => {
  it.each(rows)('%j', (...row) => {
    const [stream, text, thinking, mayBeginInside] = row;
    for (const size of [1, 2, 3, 5, 8, 100]) {
      expect(told(stream, size, mayBeginInside), `pieces of ${size}`).toEqual({ text, thinking });
    }
  });
});
