import { describe, expect, it } from 'vitest';
import { collectAnswer } from '../../src/answer/grounded/grounded.ts';
import type { Hit } from '../../src/core/types.ts';
import { answerAsAgent } from '../../src/modes/agent/agent.ts';
import { agentPresets } from '../../src/modes/agent/presets.ts';
import { answerer, FakeIndex, model, run, search, started, stepsOf } from '../support/agent-runs.ts';
import { chunkOf, hitOf } from '../unit/answer/hits.ts';
import type { SseEvent } from '../wire/service/contract.ts';
import { extractiveAnswerer } from '../wire/service/messages/extractive.ts';
import { type StandIn, textDraft } from '../wire/service/messages/model.ts';
import { toolUser } from '../wire/service/messages/tool-user.ts';
import type { Service } from '../wire/service/service.ts';

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
