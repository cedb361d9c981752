import { describe, expect, it } from 'vitest';
import { itemLists } from '../../../../../src/answer/sentences/structure/item-lists.ts';

const listsOf = (text: string) => itemLists(text).map(({ start, end }) => text.slice(start, end));

describe('lists of a text', () => {
  it('go to the end of the last item, with what hangs on an item', () => {
    const text = 'To moor:\n\n1. Throw the line.\n   It is heavy.\n2. Type this:\nquay --moor\n\nThen rest.\n';
    expect(listsOf(text)).toEqual(['1. Throw the line.\n   It is heavy.\n2. Type this:\nquay --moor']);
    expect(itemLists(text)[0]!.items).toHaveLength(2);
  });

  it('hold the lists within their items, and go on behind a blank line or a notice', () => {
    expect(listsOf('- Open it.\n  - Slowly.\n\n- Close it.')).toEqual(['- Open it.\n  - Slowly.\n\n- Close it.']);
    expect(listsOf('1. Open it.\n| Mind the cat.\n2. Close it.')).toEqual([
      '1. Open it.\n| Mind the cat.\n2. Close it.',
    ]);
  });

  it('are two where numbers begin again or marks differ', () => {
    expect(listsOf('1. Open it.\n2. Close it.\n1. Lift it.\n- Drop it.')).toEqual([
      '1. Open it.\n2. Close it.',
      '1. Lift it.',
      '- Drop it.',
    ]);
    expect(listsOf('No list here.')).toEqual([]);
  });
});
