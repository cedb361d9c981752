import { runTools, streamTools } from '../../../src/modes/tools/loop.ts';
import {
  cacheControl,
  citationsOf,
  defineTool,
  jsonOutput,
  type McpCall,
  type McpTool,
  toolsFromMcp,
  webSearchTool,
} from '../../../src/wire/messages/index.ts';
import type { Given } from './examples.ts';

/** What several operations do together, or one does with more of its fields; shown beside the table. */
export const recipes: Readonly<Record<string, (given: Pick<Given, 'service'>) => Promise<unknown>>> = {
  tools: async ({ service }) => {
    // example: tools
    const weather = defineTool<{ city: string }>({
      name: 'weather',
      description: 'The weather in a city now.',
      schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      run: ({ city }) => ({ city, celsius: 21 }),
    });
    const run = await runTools(
      service,
      {
        model: 'assistant-small-4-5',
        max_tokens: 300,
        messages: [{ role: 'user', content: 'How warm is it in Rome?' }],
      },
      { tools: [weather], maxSteps: 5, maxUsd: 0.1 },
    );
    const { text, cost } = run;
    // end
    return { text, cost, run };
  },

  'tools streamed': async ({ service }) => {
    // example: tools streamed
    const calls: string[] = [];
    const weather = defineTool({
      name: 'weather',
      description: 'The weather.',
      schema: { type: 'object' },
      run: () => 'sunny',
    });
    for await (const event of streamTools(
      service,
      { model: 'assistant-small-4-5', max_tokens: 300, messages: [{ role: 'user', content: 'How is the weather?' }] },
      { tools: [weather] },
    )) {
      if (event.type === 'tool') calls.push(`${event.toolUse.name} took ${event.elapsedMs} ms`);
    }
    // end
    return calls;
  },

  'tools of an MCP server': async ({ service }) => {
    const listed: { tools: McpTool[] } = {
      tools: [{ name: 'docs/search', description: 'Searches.', inputSchema: { type: 'object' } }],
    };
    const call: McpCall = async () => ({ content: [{ type: 'text', text: 'The pump is water cooled.' }] });
    // example: tools of an MCP server
    const tools = toolsFromMcp(listed, call); // what `tools/list` answered, and a function that sends `tools/call`
    const { text } = await runTools(
      service,
      {
        model: 'assistant-small-4-5',
        max_tokens: 300,
        messages: [{ role: 'user', content: 'How is the pump cooled?' }],
      },
      { tools },
    );
    // end
    return text;
  },

  'native tools': async ({ service }) => {
    // example: native tools
    const message = await service.create({
      model: 'assistant-medium-4-6',
      max_tokens: 300,
      tools: [webSearchTool({ maxUses: 2, allowedDomains: ['example.com'] })],
      messages: [{ role: 'user', content: 'What is new about pumps?' }],
    });
    // end
    return message;
  },

  citations: async ({ service }) => {
    // example: citations
    const message = await service.create({
      model: 'assistant-large-4-6',
      max_tokens: 300,
      citations: true, // for all sources of the request: mixed settings are refused
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'search_result',
              source: 'kb://manual/7',
              title: 'Pump manual',
              content: [{ type: 'text', text: 'Rated pressure is 40 bar.' }],
            },
            { type: 'text', text: 'What is the rated pressure?' },
          ],
        },
      ],
    });
    const sources = citationsOf(message).flatMap(({ citations }) =>
      citations.map((citation) => (citation.type === 'search_result_location' ? citation.source : citation.cited_text)),
    );
    // end
    return { message, sources };
  },

  caching: async ({ service }) => {
    const manual = 'The pump is water cooled. '.repeat(50);
    // example: caching
    const { usage } = await service.create({
      model: 'assistant-large-4-6',
      max_tokens: 300,
      system: [{ type: 'text', text: manual, cache_control: cacheControl('1h') }],
      messages: [{ role: 'user', content: 'How is the pump cooled?' }],
    });
    const cached = usage.cache_read_input_tokens;
    // end
    return { usage, cached };
  },

  'structured output': async ({ service }) => {
    // example: structured output
    const pump = jsonOutput<{ name: string; bar: number }>({
      type: 'object',
      properties: { name: { type: 'string' }, bar: { type: 'number' } },
      required: ['name', 'bar'],
      additionalProperties: false,
    });
    const message = await service.create({
      model: 'assistant-small-4-5',
      max_tokens: 300,
      output_config: { format: pump.format },
      messages: [{ role: 'user', content: 'The P-7 is rated at 40 bar.' }],
    });
    const { name, bar } = await pump.parse(message);
    // end
    return { name, bar };
  },

  thinking: async ({ service }) => {
    // example: thinking
    const message = await service.create({
      model: 'assistant-large-4-6',
      max_tokens: 4000,
      thinking: { type: 'enabled', budget_tokens: 1024 },
      messages: [{ role: 'user', content: 'Why do pumps cavitate?' }],
    });
    // end
    return message;
  },

  'batch with resumption': async ({ service }) => {
    let saved = '';
    const save = (id: string): void => {
      saved = id;
    };
    // example: batch with resumption
    const ids: string[] = [];
    const requests = [1, 2].map((n) => ({
      custom_id: `q-${n}`,
      params: {
        model: 'assistant-small-4-5',
        max_tokens: 300,
        messages: [{ role: 'user' as const, content: `Count to ${n}.` }],
      },
    }));
    // After a crash: service.batches.resume(savedId)
    for await (const { custom_id } of service.batches.run(requests, { onCreated: save, pollMs: 10 }))
      ids.push(custom_id);
    // end
    return { saved, ids: ids.sort() };
  },
};
