import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { AnswerWriter } from '../../../src/answer/grounded/writer.ts';
import type { Hit } from '../../../src/core/types.ts';
import { ownTools } from '../../../src/modes/agent/own-tools.ts';
import { type AgentIndex, AgentTools } from '../../../src/modes/agent/tools.ts';
import { defineTool, type ToolAnswer, type ToolContext } from '../../../src/wire/messages/index.ts';
import { chunkOf, hitOf } from '../answer/hits.ts';

const scans = ['The first pump is red.', 'The second pump is blue.'].map((text, position) =>
  hitOf(chunkOf(text, { uri: `${position}.pdf`, title: `Scan ${position}`, position })),
);

function toolsOf(index: Partial<AgentIndex>): {
  call(name: string, input: unknown, context?: Partial<ToolContext>): Promise<ToolAnswer>;
  readonly tools: AgentTools;
} {
  const tools = new AgentTools({ search: async () => scans, read: async () => [], ...index }, new AnswerWriter());
  const named = new Map(tools.definitions.map((tool) => [tool.definition.name, tool]));
  const context = { signal: new AbortController().signal, toolUseId: 'toolu_1', step: 1 };
  return {
    tools,
    call: async (name, input, more) => await named.get(name)!.run(input, { ...context, ...more }),
  };
}

describe('the tools of an agent', () => {
  it('number the pages of looks side by side one after the other', async () => {
    const numbers: number[] = [];
    const look = async (hits: readonly Hit[], { first }: { readonly first: number }) => {
      numbers.push(first);
      await nextTurn(); // drawing a page takes a while
      const { uri, span } = hits[0]!.chunk;
      const at = { reference: `${uri}#${span.start}-${span.end}` };
      const medium = { title: uri, mediaType: 'image/png' as const, bytes: new Uint8Array(1), digest: uri, at };
      return { media: [{ id: `p${first}`, ...medium }], sources: [] };
    };
    const { call } = toolsOf({ look });
    await call('search_index', { query: 'pump' });
    const shown = await Promise.all([call('look_at', { source: 's1' }), call('look_at', { source: 's2' })]);
    expect(numbers).toEqual([1, 2]);
    const labels = shown.map(({ content }) => (content as readonly { readonly text?: string }[])[0]!.text);
    expect(labels).toEqual(['Picture p1:', 'Picture p2:']);
  });

  it('do not count as shown what was found when the model had been told that it took too long', async () => {
    const late = new AbortController();
    const { call, tools } = toolsOf({
      search: async () => {
        late.abort(); // an index that does not look at its signal
        return scans;
      },
    });
    await expect(call('search_index', { query: 'pump' }, { signal: late.signal })).rejects.toThrow();
    expect(tools.hits).toEqual([]);
    const again = await call('search_index', { query: 'pump' });
    expect(again.content).toHaveLength(2);
  });

  it('of the caller are not run by a consent that comes after the run has ended or the call has timed out', async () => {
    const sent: unknown[] = [];
    const mail = defineTool({
      name: 'send_mail',
      description: 'Sends a mail.',
      schema: { type: 'object' },
      run: (input) => {
        sent.push(input);
        return 'sent';
      },
    });
    const over = new AbortController();
    const confirm = async (): Promise<boolean> => {
      over.abort();
      return true;
    };
    const [tool] = await ownTools({ tools: [mail], confirm }, undefined);
    const context = { signal: over.signal, toolUseId: 'toolu_1', step: 1 };
    await expect(async () => await tool!.run({ to: 'all' }, context)).rejects.toThrow();
    expect(sent).toEqual([]);
  });

  it('of a server that never lists them do not outlive an abort', async () => {
    const abort = new AbortController();
    const server = {
      name: 'calendar',
      listTools: async () => await new Promise<never>(() => {}),
      callTool: async () => ({}),
    };
    const listed = ownTools({ mcpServers: [server] }, abort.signal);
    abort.abort(new Error('enough'));
    await expect(listed).rejects.toThrow('enough');
  });
});
