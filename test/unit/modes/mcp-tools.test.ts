import { describe, expect, it } from 'vitest';
import { runTools } from '../../../src/modes/tools/loop.ts';
import { toolsFromMcp } from '../../../src/wire/messages/index.ts';
import { FakeTransport } from '../../wire/messages/fake.ts';
import { clientOver as serve } from '../../wire/messages/support.ts';
import { answers, asks, request, says, text, use } from './tool-calls.ts';

describe('tools of an MCP server', () => {
  const list = {
    tools: [
      {
        name: 'files/read',
        description: 'Reads.',
        inputSchema: { $schema: 'x', type: 'object', properties: { path: { type: 'string' } } },
      },
      { name: 'files.read', inputSchema: { type: 'object' } },
      { name: `long-${'x'.repeat(80)}`, title: 'Long', inputSchema: undefined },
    ],
  };

  it('are renamed to fit, each differently and always the same', () => {
    const names = toolsFromMcp(list, async () => ({}), { prefix: 'docs_' }).map(({ definition }) => definition.name);
    expect(names[0]).toBe('docs_files_read');
    expect(names[1]).toMatch(/^docs_files_read_[0-9a-f]{8}$/);
    expect(names[2]).toMatch(/^docs_long-x+_[0-9a-f]{8}$/);
    expect(names[2]).toHaveLength(64);
    expect(toolsFromMcp(list, async () => ({}), { prefix: 'docs_' }).map(({ definition }) => definition.name)).toEqual(
      names,
    );
  });

  it('have their schema under the name of this wire', () => {
    expect(toolsFromMcp(list, async () => ({})).map(({ definition }) => definition)).toMatchObject([
      { description: 'Reads.', input_schema: { type: 'object', properties: { path: { type: 'string' } } } },
      { input_schema: { type: 'object' } },
      { description: 'Long', input_schema: { type: 'object', properties: {} } },
    ]);
  });

  it('are called by their own name, and their results converted', async () => {
    const asked: unknown[] = [];
    const content = [
      { type: 'text', text: 'words' },
      { type: 'text', text: ' ' },
      { type: 'image', data: 'AA', mimeType: 'image/png' },
      { type: 'image', data: 'AA', mimeType: 'image/tiff' },
      { type: 'audio', data: 'AA', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'file:///a', name: 'a' },
      { type: 'resource', resource: { uri: 'file:///b', text: 'body' } },
      { type: 'resource', resource: { uri: 'file:///c', blob: 'JVBERi0=', mimeType: 'application/pdf' } },
    ];
    const tools = toolsFromMcp(list, async (params) => {
      asked.push(params);
      return { content, isError: true };
    });
    const transport = new FakeTransport(asks(use('t1', 'files_read', { path: 'x' })), says('ok'));
    await runTools(serve(transport), request, { tools });
    expect(asked).toEqual([{ name: 'files/read', arguments: { path: 'x' } }]);
    expect(answers(transport, 1)).toEqual([
      {
        type: 'tool_result',
        tool_use_id: 't1',
        is_error: true,
        content: [
          text('words'),
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } },
          text('[image: image/tiff that cannot be shown]'),
          text('[audio: audio/wav that cannot be shown]'),
          text('[a: file:///a]'),
          text('body'),
          { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' } },
        ],
      },
    ]);
  });

  it('give structured content when there is no other', async () => {
    const [tool] = toolsFromMcp({ tools: [{ name: 'a', inputSchema: { type: 'object' } }] }, async () => ({
      structuredContent: { n: 0 },
    }));
    expect(await tool?.run({}, { signal: new AbortController().signal, toolUseId: 't', step: 1 })).toEqual({
      content: [text('{"n":0}')],
    });
  });
});
