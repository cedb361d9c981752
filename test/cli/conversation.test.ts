import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { conversationOf } from '../../src/cli/conversation.ts';
import { tempFolder } from '../support/temp.ts';

it('where the last conversation cannot be kept beside the index, `--continue` names the other way', () => {
  const address = tempFolder();
  const path = join(address, 'conversation.jsonl');
  mkdirSync(path); // nobody writes into that
  expect(() => conversationOf({ continue: true }, address)).toThrow(
    expect.objectContaining({ code: 'FILE_UNREADABLE', hint: 'Keep the conversation elsewhere: --history FILE.' }),
  );
});
