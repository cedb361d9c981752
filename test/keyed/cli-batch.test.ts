import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type AnswerLine, json, question, served as servedIn } from '../support/keyed-command.ts';
import { copyIndex, demo } from '../support/made-index.ts';
import { makeTempFolder } from '../support/temp.ts';
import { extractiveAnswerer } from '../wire/service/messages/extractive.ts';
import type { ServiceOptions } from '../wire/service/service.ts';

describe('ask --batch', () => {
  const folder = makeTempFolder();

  beforeAll(async () => {
    await copyIndex(demo, join(folder, '.ibid'));
  }, 60_000);
  const served = (...options: [ServiceOptions?, NodeJS.ProcessEnv?]) => servedIn(folder, ...options);

  const asked = [
    { id: 'waves', question },
    { id: 'foreign', question: 'Who won the football world cup in 1998?' },
    { question: 'What does the Kittiwake carry?' },
  ];
  const write = (name: string): { path: string; output: string } => {
    const path = join(folder, `${name}.jsonl`);
    writeFileSync(path, asked.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return { path, output: join(folder, `${name}.answers.jsonl`) };
  };
  const linesOf = (path: string) =>
    readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as AnswerLine & { id: string });

  it('writes answers with their ids, says the price before, and pays nothing twice', async () => {
    const { service, run } = await served();
    const { path, output } = write('first');
    const first = await run('ask', '--batch', path, '--json');
    expect(json<object>(first)).toMatchObject({ questions: 3, answered: 3, refused: 1, failed: 0, output });
    expect(first.stderr).toMatch(/2 questions to send, at most 0\.\d{4} USD at half price; 1 refused/);
    expect(
      linesOf(output)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(['foreign', 'line-3', 'waves']);
    const waves = linesOf(output).find(({ id }) => id === 'waves')!;
    expect(waves.citations.map(({ quote }) => quote).join()).toContain('1.2 metres');
    const again = await run('ask', '--batch', path, '--json', '--budget', '0');
    expect(json<object>(again)).toMatchObject({ questions: 3, earlier: 3, answered: 0, costUsd: 0 });
    expect(service.messages.batches.all).toHaveLength(1);
    expect(linesOf(output)).toHaveLength(3);
  });

  it('goes on after a crash, also when the answers are lost, and cuts off half a line', async () => {
    const { service, runWith, run } = await served({
      messages: { batches: { pollsUntilEnd: 100 }, model: extractiveAnswerer().model },
    });
    const { path, output } = write('crash');
    let killed = false;
    const first = await runWith(
      {
        onStderr: (text, kill) => {
          if (killed || !text.includes('batch msgbatch')) return;
          killed = true;
          kill('SIGKILL');
        },
      },
      'ask',
      '--batch',
      path,
    );
    expect(first.status).toBe(null);
    expect(existsSync(`${output}.journal`)).toBe(true);
    writeFileSync(output, '{"id":"waves","question":"cut in ha');
    const pending = await run('ask', '--batch', path, '--no-wait', '--json');
    expect(json<object>(pending)).toMatchObject({ pending: 2 });
    for (const batch of service.messages.batches.all) batch.polls = 100;
    expect(json<object>(await run('ask', '--batch', path, '--json'))).toMatchObject({ failed: 0, pending: 0 });
    expect(
      linesOf(output)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(['foreign', 'line-3', 'waves']);
    expect(service.messages.batches.all).toHaveLength(1);
  });

  it('ends with status 3 when some fail, and asks only those again', async () => {
    let spoil = true;
    const { service, run } = await served({
      messages: {
        batches: { outcome: (id) => (spoil && id.endsWith('-1') ? 'expired' : undefined) },
        model: extractiveAnswerer().model,
      },
    });
    const { path, output } = write('some');
    const first = await run('ask', '--batch', path);
    expect(first.status).toBe(3);
    expect(first.stdout).toContain('1 failed');
    expect(linesOf(output).filter(({ error }) => error)).toHaveLength(1);
    spoil = false;
    expect((await run('ask', '--batch', path)).status).toBe(0);
    expect(linesOf(output).filter(({ error }) => error)).toEqual([]);
    expect(linesOf(output)).toHaveLength(3);
    expect(service.messages.batches.all.map(({ requests }) => requests.length)).toEqual([1, 2]);
  });

  it('creates nothing over the budget, and writes into no file that is not its own', async () => {
    const { service, run } = await served();
    const { path, output } = write('poor');
    const poor = await run('ask', '--batch', path, '--budget', '0.0001');
    expect(poor.stderr).toMatch(/at most 0\.\d{4} USD[\s\S]*error\[BUDGET_EXCEEDED\]/);
    expect(service.messages.batches.all).toEqual([]);
    writeFileSync(output, 'dear diary\n');
    const refused = await run('ask', '--batch', path);
    expect(refused.status).toBe(2);
    expect(readFileSync(output, 'utf8')).toBe('dear diary\n');
  });

  it('refuses what would be silently left out', async () => {
    const { service, run } = await served();
    const { path } = write('mixed');
    const mixed = await run('ask', '--batch', path, '--rerank', '--max-total-tokens', '9');
    expect(service.requests).toEqual([]);
    expect({ status: mixed.status, stderr: mixed.stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining('--rerank, --max-total-tokens: no meaning with --batch'),
    });
  });
});
