import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fileJournal } from '../../../src/modes/batch/journal.ts';
import { tempFolder } from '../../support/temp.ts';

it('reads the requests that the version before wrote, so that batches under way are not paid for again', async () => {
  const path = join(tempFolder(), 'run.journal');
  const request = { type: 'request', customId: 'n-0', id: 'a', question: 'q', hits: [], digest: 'd' };
  const old = [
    { ...request, judged: { band: 'answered', support: 0.9 } },
    { ...request, judged: { band: 'closest', support: 0.3 } },
  ];
  const now = { ...request, answerability: { confidence: 'low', support: 0.2 } };
  writeFileSync(path, [...old, now].map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  expect(await fileJournal(path).read()).toMatchObject([
    { answerability: { confidence: 'high', support: 0.9 } },
    { answerability: { confidence: 'low', support: 0.3 } },
    now,
  ]);
});
