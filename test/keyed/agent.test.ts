import { describe, expect, it, onTestFinished } from 'vitest';
import type { Answer, AnswerEvent } from '../../src/answer/contract.ts';
import { collectAnswer } from '../../src/answer/grounded/grounded.ts';
import { Meter } from '../../src/core/meter.ts';
import type { Hit } from '../../src/core/types.ts';
import { answerAsAgent } from '../../src/modes/agent/agent.ts';
import type { AgentOptions } from '../../src/modes/agent/contract.ts';
import { agentPresets } from '../../src/modes/agent/presets.ts';
import type { AgentIndex } from '../../src/modes/agent/tools.ts';
import { createMessagesService, type MessagesService } from '../../src/wire/messages/index.ts';
import { chunkOf, hitOf } from '../unit/answer/hits.ts';
import type { SseEvent } from '../wire/service/contract.ts';
import type { Rule } from '../wire/service/faults.ts';
import { extractiveAnswerer } from '../wire/service/messages/extractive.ts';
import { type StandIn, textDraft } from '../wire/service/messages/model.ts';
import { type ToolUserOptions, toolUser } from '../wire/service/messages/tool-user.ts';
import { type Service, startService } from '../wire/service/service.ts';

const model = 'assistant-medium-4-6';
const manual = [
  'The pump is water cooled. ',
  'Its rated pressure is 40 bar. ',
  'The valve opens above 45 bar. ',
  'Nobody may open it under load.',
];
const chunks = manual.map((text, position) =>
  chunkOf(text, { uri: 'manual.md', title: 'Manual', position, at: manual.slice(0, position).join('').length }),
);

/** Finds chunks that hold the query as it is, and remembers what it was asked. */
class FakeIndex implements AgentIndex {
  readonly asked: string[] = [];
  async search(query: string, { limit }: { limit: number }): Promise<readonly Hit[]> {
    this.asked.push(query);
    return chunks
      .filter(({ text }) => text.includes(query))
      .map((chunk) => hitOf(chunk))
      .slice(0, limit);
  }
  async read(uri: string, from: number, to: number): Promise<readonly Hit[]> {
    return uri === 'manual.md' ? chunks.slice(from, to).map((chunk) => hitOf(chunk, 0)) : [];
  }
}

async function started(
  standIn: StandIn,
  rules: readonly Rule[] = [],
  eventMs: number = 0,
): Promise<{ service: Service; messages: MessagesService }> {
  const service = await startService({ only: ['messages'], messages: { model: standIn, eventMs } });
  service.script(...rules);
  const messages = createMessagesService({ apiKey: 'test-key', baseUrl: service.url });
  onTestFinished(async () => {
    await messages.close();
    await service.close();
  });
  return { service, messages };
}

interface Ran {
  readonly events: readonly AnswerEvent[];
  readonly answer: Answer;
}

async function run(
  messages: MessagesService,
  options: Partial<AgentOptions> = {},
  index: AgentIndex = new FakeIndex(),
): Promise<Ran> {
  const events: AnswerEvent[] = [];
  for await (const event of answerAsAgent('At which pressure does the valve open?', index, messages, {
    model,
    ...options,
  }))
    events.push(event);
  const last = events.at(-1)!;
  if (last.type !== 'done') throw new Error('no answer');
  const told = events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');
  expect(told).toBe(last.answer.answer);
  for (const { uri, span, quote } of last.answer.citations) {
    expect(uri).toBe('manual.md');
    expect(manual.join('').slice(span.start, span.end)).toBe(quote);
  }
  return { events, answer: last.answer };
}

const search = (query: string): { name: string; input: unknown } => ({ name: 'search_index', input: { query } });
const answerer = (options: Omit<ToolUserOptions, 'answer'>): StandIn =>
  toolUser({ ...options, answer: extractiveAnswerer({ sentences: 2 }).model });
const stepsOf = ({ events }: Ran): readonly (readonly [string, number])[] =>
  events.flatMap((event) => (event.type === 'step' ? [[event.tool, event.found] as const] : []));

describe('an agent', () => {
  it('cites what several calls of its tools have shown, each place by its own number', async () => {
    const { messages } = await started(answerer({ rounds: [[search('pressure')], [search('valve')]], say: 'I look.' }));
    const ran = await run(messages);
    expect(stepsOf(ran)).toEqual([
      ['search_index', 1],
      ['search_index', 1],
    ]);
    expect(ran.answer.citations.map(({ n, quote }) => [n, quote])).toEqual([
      [1, 'The valve opens above 45 bar.'],
      [2, 'Its rated pressure is 40 bar.'],
    ]);
    expect(ran.answer.hits.map(({ chunk }) => chunk.position)).toEqual([1, 2]);
    expect(ran.answer.grounding).toMatchObject({ stop: 'end', dropped: [] });
    // what it says before it searches is no part of the answer
    expect(ran.answer.answer).not.toContain('I look');
    expect(ran.events).toContainEqual({ type: 'thinking', text: 'I look.' });
  });

  it('gives sources of calls side by side, and of later steps, numbers of their own', async () => {
    const { service, messages } = await started(
      answerer({
        rounds: [
          [search('pump'), search('valve')],
          [search('pressure'), search('bar')],
        ],
      }),
    );
    const { answer } = await run(messages);
    const ids = service.messages.received
      .at(-1)!
      .sources.map((source) => (source.kind === 'search' ? source.source : '?'));
    // "bar" brings two chunks that were shown already
    expect(ids).toEqual(['s1', 's2', 's3']);
    expect(answer.citations).not.toEqual([]);
  });

  it('says that there is nothing new when a search finds only what was shown', async () => {
    const { service, messages } = await started(answerer({ rounds: [[search('valve')], [search('valve opens')]] }));
    await run(messages);
    expect(resultsOf(service).at(-1)).toBe('Nothing new; see s1.');
  });

  it('reads on around a source, and opens a document', async () => {
    const rounds = [
      [search('valve')],
      [{ name: 'read_neighbours', input: { source: 's1' } }],
      [{ name: 'open_document', input: { uri: 'manual.md' } }],
    ];
    const { messages } = await started(answerer({ rounds }));
    const ran = await run(messages);
    expect(stepsOf(ran)).toEqual([
      ['search_index', 1],
      ['read_neighbours', 3],
      ['open_document', 4],
    ]);
    expect(ran.answer.hits.map(({ chunk }) => chunk.position)).toEqual([2, 1, 3, 0]);
  });

  it('may search the web where it is let, and cites pages as pages', async () => {
    const text = 'Valves of this kind open at 44 bar.';
    const page: Hit = {
      ...hitOf(chunkOf(text, { uri: 'https://example.org/valves', title: 'Valves' })),
      origin: 'web',
    };
    const asked: string[] = [];
    class Both extends FakeIndex {
      searchWeb = async (query: string): Promise<readonly Hit[]> => {
        asked.push(query);
        return [page];
      };
    }
    const { messages } = await started(answerer({ rounds: [[{ name: 'search_web', input: { query: 'valve bar' } }]] }));
    const events = answerAsAgent('At which pressure do valves open?', new Both(), messages, { model });
    const { citations } = await collectAnswer(events);
    expect(asked).toEqual(['valve bar']);
    expect(citations).toMatchObject([{ uri: page.chunk.uri, origin: 'web', quote: text, verified: true }]);
  });

  it('tells the model what it did wrong, and goes on', async () => {
    const rounds = [
      [{ name: 'delete_everything', input: {} }],
      [{ name: 'search_index', input: {} }],
      [{ name: 'search_index', input: { query: 'valve', limit: 999 } }],
      [{ name: 'read_neighbours', input: { source: 's9' } }],
      [{ name: 'open_document', input: { uri: '/etc/passwd' } }],
      [{ name: 'open_document', input: { uri: 'manual.md', from: -1 } }],
      [{ name: 'search_web', input: { query: 'valve' } }],
      [search('valve')],
    ];
    const { service, messages } = await started(answerer({ rounds }));
    const ran = await run(messages, { preset: 'deep-research' });
    expect(resultsOf(service)).toEqual([
      expect.stringContaining('There is no tool "delete_everything"'),
      expect.stringContaining('query must be a string'),
      expect.stringContaining('limit must be a whole number from 1 to 20'),
      expect.stringContaining('no source "s9" was shown'),
      expect.stringContaining('there is no document "/etc/passwd"'),
      expect.stringContaining('from must be a whole number'),
      expect.stringContaining('There is no tool "search_web"'),
      'search_result',
    ]);
    expect(ran.answer).toMatchObject({ abstained: false, grounding: { stop: 'end' } });
    expect(ran.answer.citations).toHaveLength(1);
  });

  it('survives an index that throws', async () => {
    class Torn extends FakeIndex {
      override async search(query: string, options: { limit: number }): Promise<readonly Hit[]> {
        if (this.asked.length === 0) {
          this.asked.push(query);
          throw new Error('the disk is gone');
        }
        return super.search(query, options);
      }
    }
    const { service, messages } = await started(answerer({ rounds: [[search('valve')], [search('valve')]] }));
    const { answer } = await run(messages, {}, new Torn());
    expect(resultsOf(service)[0]).toContain('the disk is gone');
    expect(answer.citations).toHaveLength(1);
  });

  it.each(Object.entries(agentPresets))('%s uses its tools %i times, then has to answer', async (preset, rounds) => {
    const { service, messages } = await started(answerer({ rounds: [[search('valve')]], forever: true }));
    const index = new FakeIndex();
    const ran = await run(messages, { preset: preset as keyof typeof agentPresets }, index);
    expect(index.asked).toHaveLength(rounds);
    expect(ran.answer.grounding!.stop).toBe('steps');
    expect(ran.answer.citations.map(({ quote }) => quote)).toEqual(['The valve opens above 45 bar.']);
    expect(service.messages.received.at(-1)!.toolChoice?.type).toBe('none');
    expect(ran.answer.grounding!.costUsd).toBeCloseTo(service.ledger.totals().usd, 9);
  });

  it('is a refusal when nothing was found, whatever the model believes', async () => {
    const believer = toolUser({ rounds: [[search('zebra')]], answer: () => textDraft('I believe it is 45 bar.') });
    const { messages } = await started(believer);
    const { answer } = await run(messages);
    expect(answer).toMatchObject({ abstained: true, confidence: 'none', citations: [], hits: [], support: 0 });
    expect(answer.answer).toBe('I believe it is 45 bar.');
  });

  it('keeps the words of a reply that stops for a tool and calls none', async () => {
    let calls = 0;
    const call = { type: 'tool_use', name: 'search_index', input: { query: 'valve' } } as const;
    const muddled: StandIn = () => {
      calls += 1;
      if (calls === 1) return { content: [call] };
      return { content: [{ type: 'text', text: 'It opens above 45 bar.' }], stopReason: 'tool_use' };
    };
    const { messages } = await started(muddled);
    const { answer } = await run(messages);
    expect(answer).toMatchObject({ answer: 'It opens above 45 bar.', abstained: false, grounding: { stop: 'end' } });
  });

  it.each(['length', 'broken'] as const)('takes no remark for its answer when a call is cut: %s', async (stop) => {
    let calls = 0;
    const cut: StandIn = () => {
      const call = { type: 'tool_use', name: 'search_index', input: { query: 'valve' } } as const;
      calls += 1;
      if (calls === 1) return { content: [call] };
      const stopReason = stop === 'length' ? 'max_tokens' : 'tool_use';
      return { content: [{ type: 'text', text: 'I will look once more.' }, call], stopReason };
    };
    const { service, messages } = await started(cut);
    const withoutEnd = { kind: 'events', edit: (all: SseEvent[]) => all.slice(0, -2) } as const;
    if (stop === 'broken') service.script({ skip: 1, fault: withoutEnd });
    const { answer, events } = await run(messages);
    expect(answer).toMatchObject({ abstained: true, confidence: 'none', grounding: { stop } });
    expect(answer.answer).not.toContain('I will look');
    const thoughts = events.flatMap((event) => (event.type === 'thinking' ? [event.text] : [])).join('');
    expect(thoughts).toBe('I will look once more.');
  });

  it('sends thoughts back as they were, and tells them', async () => {
    // the stand-in refuses a loop whose thoughts do not come back
    const { messages } = await started(
      answerer({ rounds: [[search('valve')], [search('pump')]], think: 'Let me see.' }),
    );
    const ran = await run(messages, { thinking: { type: 'enabled', budget_tokens: 1024 }, maxTokens: 500 });
    const thoughts = ran.events.flatMap((event) => (event.type === 'thinking' ? [event.text] : [])).join('');
    expect(thoughts).toContain('Let me see.Let me see.');
    expect(ran.answer.grounding!.stop).toBe('end');
    expect(ran.answer.citations).not.toEqual([]);
  });

  it('streams its answer from the first citation on, not at its end', async () => {
    const answering = extractiveAnswerer({ sentences: 2 }).model;
    const { messages } = await started(toolUser({ rounds: [[search('bar')]], answer: answering }), [], 5);
    const times: number[] = [];
    for await (const event of answerAsAgent('Which pressure opens the valve?', new FakeIndex(), messages, { model }))
      if (event.type === 'text') times.push(performance.now());
    // the service sends an event every 5 ms: what waits for the end comes all at once
    expect(times.at(-1)! - times[0]!).toBeGreaterThan(20);
  });

  it('keeps what it told as the answer when the model goes on searching after it', async () => {
    let calls = 0;
    const chatty: StandIn = async (request) => {
      calls += 1;
      if (calls === 1) return { content: [{ type: 'tool_use', name: 'search_index', input: { query: 'valve' } }] };
      const said = await extractiveAnswerer({ sentences: 1 }).model(request);
      if (calls > 2) return { content: [...said.content] };
      return { content: [...said.content, { type: 'tool_use', name: 'search_index', input: { query: 'pump' } }] };
    };
    const { messages } = await started(chatty);
    const { answer } = await run(messages);
    expect(answer.answer).toBe('The valve opens above 45 bar. [1]\n\nThe valve opens above 45 bar. [1]');
    expect(answer.grounding!.unsupported).toEqual([]);
  });
});

describe('the bounds of an agent', () => {
  it('stops at its tokens, and answers from what it has with what was kept back', async () => {
    const { service, messages } = await started(answerer({ rounds: [[search('valve')]], forever: true }));
    const ran = await run(messages, { preset: 'advanced-deep-research', maxTotalTokens: 20_000 });
    const { inputTokens, outputTokens } = ran.answer.grounding!.usage;
    expect(ran.answer.grounding!.stop).toBe('budget');
    expect(inputTokens + outputTokens).toBeLessThanOrEqual(20_000);
    expect(ran.answer.citations).toHaveLength(1);
    expect(service.requests.length).toBeLessThan(20);
  });

  it('never spends more than its money, and answers with what was kept back', async () => {
    for (const usd of [0.08, 0.1, 0.15, 0.3]) {
      const { service, messages } = await started(answerer({ rounds: [[search('valve')]], forever: true }));
      const meter = new Meter(usd);
      const ran = await run(messages, { preset: 'advanced-deep-research', meter });
      expect(ran.answer.grounding!.costUsd).toBeCloseTo(service.ledger.totals().usd, 9);
      expect(meter.spentUsd).toBeCloseTo(service.ledger.totals().usd, 8);
      expect(meter.spentUsd).toBeLessThanOrEqual(usd);
      expect(['budget', 'steps']).toContain(ran.answer.grounding!.stop);
      expect(ran.answer.citations).toHaveLength(1);
    }
  });

  it('leaves the budget to its tools: what pays for a search of the web is not set aside', async () => {
    const { messages } = await started(answerer({ rounds: [[{ name: 'search_web', input: { query: 'valve' } }]] }));
    const meter = new Meter(1);
    const paying: AgentIndex = {
      search: async () => [],
      read: async () => [],
      searchWeb: async () => {
        meter.reserve(0.005).settle(0.005);
        return [hitOf(chunks[2]!)];
      },
    };
    const ran = await run(messages, { meter }, paying);
    expect(stepsOf(ran)).toEqual([['search_web', 1]]);
    expect(ran.answer.grounding!.stop).toBe('end');
    expect(ran.answer.citations).toHaveLength(1);
    expect(meter.spentUsd).toBeCloseTo(ran.answer.grounding!.costUsd + 0.005, 8);
  });

  it('shares one budget with another: both answer, and together they never go over it', async () => {
    const { service, messages } = await started(answerer({ rounds: [[search('valve')]] }));
    const meter = new Meter(0.5);
    const both = await Promise.all([run(messages, { meter }), run(messages, { meter })]);
    expect(both.map(({ answer }) => answer.grounding!.stop)).toEqual(['end', 'end']);
    expect(meter.spentUsd).toBeCloseTo(service.ledger.totals().usd, 8);
    expect(meter.leftUsd).toBeCloseTo(0.5 - meter.spentUsd, 8);
  });

  it('asks nothing when the first step is beyond the budget, and gives the money back', async () => {
    const { service, messages } = await started(answerer({ rounds: [] }));
    const meter = new Meter(0.001);
    await expect(run(messages, { meter })).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
    expect(service.requests).toEqual([]);
    expect(meter.leftUsd).toBe(0.001);
  });

  it.each([{ maxSteps: 0 }, { maxSteps: 1.5 }, { preset: 'toString' as never }, { preset: 'slow' as never }])(
    'refuses %j',
    async (options) => {
      const { messages } = await started(answerer({ rounds: [] }));
      await expect(run(messages, options)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    },
  );
});

describe('an agent whose service fails', () => {
  const onCall = (n: number, fault: Rule['fault']): Rule => ({ match: { path: '/v1/messages' }, fault, skip: n - 1 });

  it('throws before anything was answered', async () => {
    const { messages } = await started(answerer({ rounds: [[search('valve')]] }), [
      onCall(1, { kind: 'status', status: 400 }),
    ]);
    await expect(run(messages)).rejects.toMatchObject({ status: 400 });
  });

  it('keeps what its tools found when a later step fails', async () => {
    const { service, messages } = await started(answerer({ rounds: [[search('valve')]] }), [
      onCall(2, { kind: 'status', status: 400 }),
    ]);
    const meter = new Meter();
    const { answer } = await run(messages, { meter });
    expect(answer.grounding).toMatchObject({ stop: 'broken', error: { status: 400 } });
    expect(answer.hits).toHaveLength(1);
    expect(answer).toMatchObject({ abstained: true, citations: [] });
    expect(answer.answer).toContain('broke off');
    expect(meter.spentUsd).toBeCloseTo(service.ledger.totals().usd, 9);
  });

  it('keeps the part of an answer that was written when its stream is cut', async () => {
    const { service, messages } = await started(answerer({ rounds: [[search('valve'), search('pressure')]] }), [
      onCall(2, { kind: 'cut', afterEvents: 12 }),
    ]);
    const meter = new Meter();
    const { answer } = await run(messages, { meter });
    expect(answer.grounding).toMatchObject({ stop: 'broken', error: { code: 'STREAM_BROKEN' } });
    expect(answer.answer).not.toBe('');
    expect(meter.spentUsd).toBeGreaterThanOrEqual(service.ledger.totals().usd);
  });

  it('counts what was spent when its reader leaves', async () => {
    const { service, messages } = await started(answerer({ rounds: [[search('valve')]] }));
    const meter = new Meter();
    for await (const event of answerAsAgent('Which pressure?', new FakeIndex(), messages, { model, meter }))
      if (event.type === 'step') break;
    expect(meter.spentUsd).toBeCloseTo(service.ledger.totals().usd, 9);
    expect(meter.spentUsd).toBeGreaterThan(0);
  });

  it("passes the caller's own abort through", async () => {
    const abort = new AbortController();
    const { messages } = await started(answerer({ rounds: [[search('valve')]] }));
    const work = async (): Promise<void> => {
      const options = { model, signal: abort.signal };
      for await (const event of answerAsAgent('Which pressure?', new FakeIndex(), messages, options))
        if (event.type === 'step') abort.abort(new Error('enough'));
    };
    await expect(work()).rejects.toThrow('enough');
  });
});

/** What the tools answered in the last transcript: texts, or the type of blocks. */
function resultsOf(service: Service): string[] {
  return service.messages.received
    .at(-1)!
    .turns.flatMap(({ blocks }) => blocks)
    .flatMap((block) => {
      if (block.type !== 'tool_result') return [];
      return [typeof block.content === 'string' ? block.content : (block.content?.[0]?.type ?? '')];
    });
}
