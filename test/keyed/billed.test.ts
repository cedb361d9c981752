import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../../src/answer/contract.ts';
import { Meter } from '../../src/core/meter.ts';
import type { AskOptions } from '../../src/modes/options.ts';
import { copyIndex, demo } from '../support/made-index.ts';
import { makeTempFolder } from '../support/temp.ts';
import type { SseEvent } from '../wire/service/contract.ts';
import type { Rule } from '../wire/service/faults.ts';
import { extractiveAnswerer } from '../wire/service/messages/extractive.ts';
import { toolUser } from '../wire/service/messages/tool-user.ts';
import type { SearchScript } from '../wire/service/search/script.ts';
import { keyed } from './support.ts';

const question = 'Above which wave height does the Kittiwake stay in harbour?';
const address = join(makeTempFolder(), '.ibid');

beforeAll(async () => {
  await copyIndex(demo, address);
}, 120_000);

const answerer = extractiveAnswerer({ sentences: 2 }).model;
/** Looks once, then answers. */
const lookingFirst = toolUser({
  rounds: [[{ name: 'search_index', input: { query: 'Kittiwake wave' } }]],
  answer: answerer,
});
const long = 'The tide turns at noon and the boats go out. '.repeat(40);
/** Carried out and booked; not a byte of it arrives. */
const lost = { kind: 'reset' } as const;
const messages = { path: '/v1/messages' };

/** A stream of research that does not say what the run has cost. */
const withoutPrice = (events: SseEvent[]): SseEvent[] =>
  events.map(({ event, data }) => {
    const { response, ...rest } = data as { response?: { usage?: Record<string, unknown> | null } };
    if (!response?.usage) return { event, data };
    const { cost: _, tool_calls_details: __, ...usage } = response.usage;
    return { event, data: { ...rest, response: { ...response, usage } } };
  });

interface Case {
  readonly options: AskOptions;
  readonly rule?: Rule;
  readonly script?: SearchScript;
  /** The answer comes all the same, and tells what the meter has counted. */
  readonly answers?: true;
  /** No key of the search service: a model searches. */
  readonly onlyMessages?: true;
}

const cases: Readonly<Record<string, Case>> = {
  'grounded, lost before a word': { options: { mode: 'grounded' }, rule: { match: messages, fault: lost } },
  'grounded, cut before a word': {
    options: { mode: 'grounded' },
    rule: { match: messages, fault: { kind: 'cut', afterEvents: 1 } },
  },
  'a follow-up question whose rewriting is lost': {
    options: {
      mode: 'grounded',
      history: [
        { role: 'user', text: 'What is the Kittiwake?' },
        { role: 'assistant', text: 'A workboat.' },
      ],
    },
    rule: { match: { ...messages, body: (body) => JSON.stringify(body).includes('write again') }, fault: lost },
    answers: true,
  },
  'agent, lost in the first step': { options: { mode: 'agent' }, rule: { match: messages, fault: lost } },
  'agent, lost in the second step': {
    options: { mode: 'agent' },
    rule: { match: messages, fault: lost, skip: 1 },
    answers: true,
  },
  'answer, lost before a word': {
    options: { mode: 'answer' },
    rule: { match: { path: '/chat/completions' }, fault: lost },
  },
  'answer, cut in the middle, where all costs so far are told as zero': {
    options: { mode: 'answer' },
    rule: { match: { path: '/chat/completions' }, fault: { kind: 'cut', afterEvents: 12 } },
    script: { answer: { text: `${long}[1]` } },
    answers: true,
  },
  'answer that tells no usage': {
    options: { mode: 'answer' },
    script: { answer: { usage: 'absent' } },
    answers: true,
  },
  'answer that tells no price': {
    options: { mode: 'answer' },
    script: { answer: { usage: 'without-cost' } },
    answers: true,
  },
  'research that tells no price': {
    options: { mode: 'research' },
    rule: {
      match: { path: /^\/v1\/responses\/resp_[^/]*$/ },
      fault: { kind: 'events', edit: withoutPrice },
      times: 9,
    },
    answers: true,
  },
  'a search of the web that is lost each time': {
    options: { mode: 'extractive', web: true },
    rule: { match: { path: '/search' }, fault: lost, times: 9 },
  },
  'one of two wordings, lost each time': {
    options: { mode: 'extractive', web: { queries: ['wave height', 'harbour rules'] } },
    rule: { match: { path: '/search', body: (body) => JSON.stringify(body).includes('rules') }, fault: lost, times: 9 },
  },
  'one of two wordings that a model searches for, lost': {
    options: { mode: 'extractive', web: { queries: ['wave height', 'harbour rules'] } },
    rule: { match: { ...messages, body: (body) => JSON.stringify(body).includes('rules') }, fault: lost },
    onlyMessages: true,
  },
  'a search of the web that is lost once, and repeated': {
    options: { mode: 'extractive', web: true },
    rule: { match: { path: '/search' }, fault: lost },
  },
};

async function asked({ options, rule, script = {}, onlyMessages }: Case) {
  const { service, services, open } = await keyed({
    messages: { model: options.mode === 'agent' ? lookingFirst : answerer },
    search: { script },
  });
  const used = onlyMessages ? { messages: services.messages } : services;
  const index = await open(address, { base: demo, services: used });
  if (rule) service.script(rule);
  const budget = new Meter(1);
  let answer: Answer | undefined;
  try {
    for await (const event of index.ask(question, { ...options, budget }))
      if (event.type === 'done') answer = event.answer;
  } catch (error) {
    expect(error).toHaveProperty('code');
  }
  return { billed: service.ledger.totals().usd, spent: budget.spentUsd, answer };
}

describe('the meter counts no less than the service has booked', () => {
  it.each(Object.entries(cases))('%s', async (_, one) => {
    const { billed, spent, answer } = await asked(one);
    expect(billed).toBeGreaterThan(0);
    expect(spent).toBeGreaterThanOrEqual(billed - 1e-9);
    expect(spent).toBeLessThan(0.1);
    if (one.answers) expect(answer?.grounding?.costUsd).toBeCloseTo(spent, 9);
  });
});

describe('what was refused, or never arrived, costs nothing', () => {
  const refused: Readonly<Record<string, Case>> = {
    'grounded, refused': {
      options: { mode: 'grounded' },
      rule: { match: messages, fault: { kind: 'status', status: 401 } },
    },
    'grounded, failed at the service': {
      options: { mode: 'grounded' },
      rule: { match: messages, fault: { kind: 'status', status: 500, headers: { 'x-should-retry': 'false' } } },
    },
    'agent, refused': {
      options: { mode: 'agent' },
      rule: { match: messages, fault: { kind: 'status', status: 401 } },
    },
    'a search of the web, refused': {
      options: { mode: 'extractive', web: true },
      rule: { match: { path: '/search' }, fault: { kind: 'status', status: 401 } },
    },
  };

  it.each(Object.entries(refused))('%s', async (_, one) => {
    expect(await asked(one)).toMatchObject({ billed: 0, spent: 0 });
  });
});
