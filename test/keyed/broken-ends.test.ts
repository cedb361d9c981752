import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer, AnswerEvent } from '../../src/answer/contract.ts';
import type { BatchEvent } from '../../src/modes/batch/contract.ts';
import { memoryJournal } from '../../src/modes/batch/journal.ts';
import type { AskOptions } from '../../src/modes/options.ts';
import type { SearchIndex } from '../../src/search-index/search-index.ts';
import { runCli } from '../support/cli.ts';
import { copyIndex, demo } from '../support/made-index.ts';
import { makeTempFolder } from '../support/temp.ts';
import type { Fault } from '../wire/service/faults.ts';
import { extractiveAnswerer } from '../wire/service/messages/extractive.ts';
import type { StandIn } from '../wire/service/messages/model.ts';
import { toolUser } from '../wire/service/messages/tool-user.ts';
import { keyed, serviceEnvironment } from './support.ts';

const question = 'Above which wave height does the Kittiwake stay in harbour?';
const long = 'The tide turns at noon and the boats go out. '.repeat(40);
const folder = makeTempFolder();
const address = join(folder, '.ibid');

beforeAll(async () => {
  await copyIndex(demo, address);
}, 120_000);

const answerer = extractiveAnswerer({ sentences: 2 }).model;
/** Looks once, then answers. */
const agentModel = toolUser({
  rounds: [[{ name: 'search_index', input: { query: 'Kittiwake wave' } }]],
  answer: answerer,
});

interface Mode {
  readonly options: AskOptions;
  readonly args: readonly string[];
  readonly path: string;
  readonly model?: StandIn;
  /** Requests before the one that answers. */
  readonly skip: number;
  /** Events of its stream until there are words. */
  readonly events: number;
}

/** Research works in the background: its broken streams are in `runs.test.ts`. */
const modes: Readonly<Record<string, Mode>> = {
  grounded: { options: { mode: 'grounded' }, args: ['ask'], path: '/v1/messages', skip: 0, events: 12 },
  agent: {
    options: { mode: 'agent' },
    args: ['ask', '--agent'],
    path: '/v1/messages',
    model: agentModel,
    skip: 1,
    events: 12,
  },
  answer: { options: { mode: 'answer' }, args: ['answer'], path: '/chat/completions', skip: 0, events: 12 },
};

/** How a stream may end too soon, once some of the answer has come. */
const ends: Readonly<Record<string, (events: number) => Fault>> = {
  'is cut': (events) => ({ kind: 'cut', afterEvents: events }),
  'ends in silence, as if it were whole': (events) => ({ kind: 'events', edit: (all) => all.slice(0, events) }),
};

async function opened(mode: Mode) {
  const made = await keyed({
    messages: { model: mode.model ?? answerer },
    search: { script: { research: { text: `${long}[1]` }, answer: { text: `${long}[1]` } } },
  });
  return { ...made, index: await made.open(address, { base: demo }) };
}

const environmentOf = (url: string): NodeJS.ProcessEnv => ({
  ...serviceEnvironment(url),
  IBID_MESSAGES_API_KEY: 'test-key',
  IBID_MESSAGES_BASE_URL: url,
});

async function ask(index: SearchIndex, options: AskOptions): Promise<{ answer: Answer; told: string }> {
  const events: AnswerEvent[] = [];
  for await (const event of index.ask(question, options)) events.push(event);
  const last = events.at(-1)!;
  if (last.type !== 'done') throw new Error('the last event is not done');
  return { answer: last.answer, told: events.map((event) => (event.type === 'text' ? event.text : '')).join('') };
}

describe.each(Object.entries(modes))('a stream in mode %s', (_, mode) => {
  it.each(Object.entries(ends))('that %s leaves a typed answer: what came, and why it is not all', async (__, end) => {
    const { service, index } = await opened(mode);
    service.script({ match: { path: mode.path }, fault: end(mode.events), skip: mode.skip, times: 1 });
    const { answer, told } = await ask(index, mode.options);
    expect(answer.answer).toBe(told);
    expect(answer.answer.trim()).not.toBe('');
    expect(answer.grounding).toMatchObject({ stop: 'broken', error: { code: 'STREAM_BROKEN' } });
    for (const { verified } of answer.citations) expect(verified).toBe(true);
  });

  it('that is cut is printed as far as it came by the command, which ends with status 1 and says why', async () => {
    const { service } = await opened(mode);
    service.script({ match: { path: mode.path }, fault: ends['is cut']!(mode.events), skip: mode.skip, times: 1 });
    const env = environmentOf(service.url);
    const { status, stdout, stderr } = await runCli([...mode.args, question, '--json'], { cwd: folder, env });
    expect(status, stderr).toBe(1);
    const printed = JSON.parse(stdout) as { answer: string; stop: string; error: { code: string } };
    expect(printed).toMatchObject({ stop: 'broken', error: { code: 'STREAM_BROKEN' } });
    expect(printed.answer.trim()).not.toBe('');
    expect(stderr).toMatch(/^error\[STREAM_BROKEN\]/m);
  });
});

describe('a model that does not come to an end', () => {
  const search = { name: 'search_index', input: { query: 'Kittiwake wave' } };
  const wayward: Readonly<Record<string, { readonly model: StandIn; readonly stop: string }>> = {
    'calls tools for ever': {
      model: toolUser({ rounds: [[search]], forever: true, answer: answerer }),
      stop: 'budget',
    },
    'calls tools there are none of, with input that is none': {
      model: toolUser({
        rounds: [[{ name: 'delete_index', input: {} }], [{ name: 'open_document', input: { uri: 7 } }], [search]],
        answer: answerer,
      }),
      stop: 'end',
    },
  };

  it.each(Object.entries(wayward))('and %s is stopped, and answers from what was found', async (_, { model, stop }) => {
    const { service, index } = await opened({ ...modes.agent!, model });
    const options = { mode: 'agent', preset: 'advanced-deep-research', maxTotalTokens: 30_000 } as const;
    const { answer, told } = await ask(index, options);
    expect(answer.answer).toBe(told);
    expect(answer).toMatchObject({ abstained: false, grounding: { stop } });
    expect(answer.citations.length).toBeGreaterThan(0);
    const { inputTokens, outputTokens } = service.ledger.totals();
    expect(inputTokens + outputTokens).toBeLessThan(30_000);

    service.clear();
    const env = environmentOf(service.url);
    const args = ['ask', '--agent', '--preset', 'advanced-deep-research', '--max-total-tokens', '30000', question];
    const { status, stdout, stderr } = await runCli([...args, '--json'], { cwd: folder, env });
    expect(status, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ stop, abstained: false });
    expect(stderr.includes('ran out; it answered from what it had found')).toBe(stop === 'budget');
  });
});

describe('a batch', () => {
  const questions = [
    { id: 'waves', question },
    { id: 'fuel', question: 'How many litres an hour does the Kittiwake burn?' },
    { id: 'keel', question: 'What does the Kittiwake carry?' },
  ];

  it('whose results are cut keeps those that came, and the next run has the rest for nothing', async () => {
    const { service, index } = await opened(modes.grounded!);
    const journal = memoryJournal();
    const cut = { match: { path: /\/results$/ }, fault: { kind: 'cut', afterBytes: 900 }, times: 9 } as const;
    service.script(cut);
    const first: BatchEvent[] = [];
    const failed = await (async () => {
      for await (const event of index.askBatch(questions, { journal, pollMs: 5 })) first.push(event);
    })().catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: expect.stringMatching(/^(?:STREAM_BROKEN|CONNECTION_FAILED)$/) });
    const spent = service.ledger.totals().usd;
    service.clear();
    const second = await Array.fromAsync(index.askBatch(questions, { journal, pollMs: 5 }));
    expect(second.at(-1)).toMatchObject({ type: 'done', summary: { answered: 3, failed: 0 } });
    expect(service.ledger.totals().usd).toBe(0);
    expect(spent).toBeGreaterThan(0);
  });

  it('through the command: the answers that came are in the file, and the same command fetches the rest', async () => {
    const { service } = await opened(modes.grounded!);
    const env = environmentOf(service.url);
    const path = join(folder, 'cut.jsonl');
    writeFileSync(path, questions.map((one) => `${JSON.stringify(one)}\n`).join(''));
    service.script({ match: { path: /\/results$/ }, fault: { kind: 'cut', afterBytes: 900 }, times: 9 });
    const first = await runCli(['ask', '--batch', path, '--json'], { cwd: folder, env });
    expect(first.status).toBe(1);
    expect(first.stderr).toMatch(/^error\[(?:STREAM_BROKEN|CONNECTION_FAILED)\]/m);
    service.clear();
    const second = await runCli(['ask', '--batch', path, '--json'], { cwd: folder, env });
    expect(second.status, second.stderr).toBe(0);
    const lines = readFileSync(join(folder, 'cut.answers.jsonl'), 'utf8').trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { id: string }).id).sort()).toEqual(['fuel', 'keel', 'waves']);
    expect(service.ledger.totals().usd).toBe(0);
  });

  it('answer that reached its longest length is one, and says so', async () => {
    const { index } = await opened(modes.grounded!);
    const events = await Array.fromAsync(index.askBatch(questions.slice(0, 1), { pollMs: 5, maxTokens: 3 }));
    const answered = events.flatMap((event) => (event.type === 'answer' ? [event.answer] : []));
    expect(answered).toHaveLength(1);
    expect(answered[0]!.grounding!.stop).toBe('length');
  });
});
