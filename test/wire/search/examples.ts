/**
 * One short example per operation: the body of its function without the `return`, or what stands between `// example:
 * <operation>` and `// end`. Type-checked here, run against the loopback service by `contract.test.ts`, printed in the
 * reference.
 */
import { researchFunction, runResearch } from '../../../src/modes/tools/research-loop.ts';
import type { SearchOperationName, SearchService } from '../../../src/wire/search/index.ts';

type Example = (service: SearchService) => Promise<unknown>;

export const examples: Readonly<Record<SearchOperationName | 'research.wait' | 'runResearch', Example>> = {
  'answers.create': async (service) => {
    const answer = await service.answers.create({
      model: 'answer-base',
      messages: [{ role: 'user', content: 'How tall is the Harbour Tower?' }],
      search_recency_filter: 'year',
    });
    const cited = answer.citations.map(({ marker, source }) => `${marker} ${source?.url}`);
    return { answer, cited };
  },
  'answers.stream': async (service) => {
    const stream = await service.answers.stream({
      model: 'answer-pro',
      messages: [{ role: 'user', content: 'How tall is the Harbour Tower?' }],
      search_type: 'pro',
      stream_mode: 'concise',
    });
    let text = '';
    for await (const event of stream) if (event.type === 'text') text += event.text;
    const { cost } = await stream.final();
    return { text, cost };
  },
  'answers.async.create': async (service) => {
    const queued = await service.answers.async.create({
      model: 'answer-deep-research',
      messages: [{ role: 'user', content: 'Compare the tower with the lighthouse.' }],
    });
    const answer = await service.answers.async.wait(queued.id, { pollMs: 1, timeoutMs: 3_600_000 });
    return answer;
  },
  'answers.async.get': async (service) => {
    const { id } = await service.answers.async.create({
      model: 'answer-deep-research',
      messages: [{ role: 'user', content: 'How tall is the Harbour Tower?' }],
    });
    // example: answers.async.get
    const { status, answer } = await service.answers.async.get(id);
    // end
    return { status, answer };
  },
  'answers.async.list': async (service) => {
    const { requests, nextToken } = await service.answers.async.list();
    return { requests, nextToken };
  },
  'research.create': async (service) => {
    const run = await service.research.create({
      preset: 'pro-search',
      input: 'How tall is the Harbour Tower?',
      tools: [{ type: 'web_search', config: { search_domain_filter: ['example.org'] } }, { type: 'fetch_url' }],
    });
    const { outputText, sources, cost } = run;
    return { outputText, sources, cost };
  },
  runResearch: async (service) => {
    const heights = { tower: 330 };
    const { outputText, rounds } = await runResearch(
      service,
      { models: ['provider-a/model-x', 'provider-b/model-z'], input: 'How tall is the tower, by our own table?' },
      {
        functions: {
          local_lookup: researchFunction<{ q: string }>({
            description: 'Looks a height up in our own table.',
            parameters: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
            handler: ({ q }) => ({ asked: q, metres: heights.tower }),
          }),
        },
        maxRounds: 4,
      },
    );
    return { outputText, rounds };
  },
  'research.stream': async (service) => {
    const stream = await service.research.stream({ preset: 'fast-search', input: 'How tall is the Harbour Tower?' });
    let text = '';
    for await (const event of stream) {
      if (event.type === 'text') text += event.text;
      if (event.type === 'done') text += ` (${event.run.sources.length} sources)`;
    }
    return text;
  },
  'research.get': async (service) => {
    const { id } = await service.research.create({ preset: 'fast-search', input: 'tower', background: true });
    // example: research.get
    const { status, outputText } = await service.research.get(id);
    // end
    return { status, outputText };
  },
  'research.wait': async (service) => {
    const queued = await service.research.create({ preset: 'deep-research', input: 'tower tall', background: true });
    const run = await service.research.wait(queued.id, { pollMs: 1, timeoutMs: 600_000 });
    return run;
  },
  'research.resume': async (service) => {
    const { id } = await service.research.create({ preset: 'fast-search', input: 'tower tall', background: true });
    // example: research.resume
    const stream = await service.research.resume(id, { startingAfter: 2 });
    const run = await stream.final();
    // end
    return run;
  },
  'research.cancel': async (service) => {
    const { id } = await service.research.create({ preset: 'deep-research', input: 'tower', background: true });
    // example: research.cancel
    await service.research.cancel(id);
    const run = await service.research.wait(id, { pollMs: 1, onFailure: 'return' });
    // end
    return run.status;
  },
  'research.files': async (service) => {
    const { id } = await service.research.create({ preset: 'fast-search', input: 'tower tall' });
    // example: research.files
    const files = await service.research.files(id);
    // end
    return files;
  },
  'research.fileContent': async (service) => {
    const { id } = await service.research.create({ preset: 'fast-search', input: 'tower tall' });
    const [file] = await service.research.files(id);
    const fileId = file?.id ?? '';
    // example: research.fileContent
    const chunks: Uint8Array[] = [];
    for await (const chunk of await service.research.fileContent(id, fileId)) chunks.push(chunk);
    const content = Buffer.concat(chunks);
    // end
    return content.toString('utf8');
  },
  search: async (service) => {
    const { results, queries } = await service.search({
      query: ['tower tall', 'honey winter'],
      max_results: 5,
      search_domain_filter: ['-example.net'],
    });
    const best = results.map(({ page, found }) => `${page.url} (${found.length} of ${queries.length} queries)`);
    return { best, results, queries };
  },
  'embeddings.create': async (service) => {
    const { vectors, cost } = await service.embeddings.create({
      model: 'embed-v1-0.6b',
      input: ['The tower is 330 m tall.', 'Bees keep honey for winter.'],
      dimensions: 256,
    });
    return { vectors, cost };
  },
  'embeddings.contextual': async (service) => {
    const { vectors } = await service.embeddings.contextual({
      model: 'embed-context-v1-4b',
      input: [['Chapter one.', 'It goes on.'], ['Another document.']],
      encoding_format: 'base64_binary',
    });
    const bits = vectors[0]?.[1]; // second chunk of the first document
    return { vectors, bits };
  },
  models: async (service) => {
    const models = await service.models();
    return models;
  },
  'sandbox.create': async (service) => {
    const session = await service.sandbox.create({ network_enabled: false });
    return session;
  },
  'sandbox.get': async (service) => {
    const { session_id } = await service.sandbox.create();
    // example: sandbox.get
    const { status } = await service.sandbox.get(session_id);
    // end
    return status;
  },
  'sandbox.delete': async (service) => {
    const { session_id } = await service.sandbox.create();
    // example: sandbox.delete
    await service.sandbox.delete(session_id);
    // end
    return session_id;
  },
  'sandbox.execute': async (service) => {
    const { session_id } = await service.sandbox.create();
    // example: sandbox.execute
    const { stdout, exit_code } = await service.sandbox.execute(session_id, {
      code: 'print("hello")',
      language: 'python',
    });
    // end
    return { stdout, exit_code };
  },
  'sandbox.pause': async (service) => {
    const { session_id } = await service.sandbox.create();
    // example: sandbox.pause
    await service.sandbox.pause(session_id);
    // end
    return (await service.sandbox.get(session_id)).status;
  },
  'sandbox.resume': async (service) => {
    const { session_id } = await service.sandbox.create();
    await service.sandbox.pause(session_id);
    // example: sandbox.resume
    await service.sandbox.resume(session_id);
    // end
    return (await service.sandbox.get(session_id)).status;
  },
  'sandbox.readFile': async (service) => {
    const { session_id } = await service.sandbox.create();
    await service.sandbox.writeFile(session_id, 'data.csv', 'a,b\n');
    // example: sandbox.readFile
    const { content } = await service.sandbox.readFile(session_id, 'data.csv');
    // end
    return Buffer.from(content).toString('utf8');
  },
  'sandbox.writeFile': async (service) => {
    const { session_id } = await service.sandbox.create();
    // example: sandbox.writeFile
    await service.sandbox.writeFile(session_id, 'data.csv', 'a,b\n1,2\n');
    // end
    return (await service.sandbox.listFiles(session_id)).map(({ path }) => path);
  },
  'sandbox.listFiles': async (service) => {
    const { session_id } = await service.sandbox.create();
    await service.sandbox.writeFile(session_id, 'data.csv', 'a,b\n');
    // example: sandbox.listFiles
    const entries = await service.sandbox.listFiles(session_id);
    // end
    return entries;
  },
  'sandbox.modifiedFiles': async (service) => {
    const { session_id } = await service.sandbox.create();
    await service.sandbox.writeFile(session_id, 'data.csv', 'a,b\n');
    // example: sandbox.modifiedFiles
    const paths = await service.sandbox.modifiedFiles(session_id);
    // end
    return paths;
  },
  'sandbox.processes': async (service) => {
    const { session_id } = await service.sandbox.create();
    await service.sandbox.execute(session_id, { code: 'sleep 60', language: 'bash', background: true });
    // example: sandbox.processes
    const processes = await service.sandbox.processes(session_id);
    // end
    return processes;
  },
  'sandbox.process': async (service) => {
    const { session_id } = await service.sandbox.create();
    const started = await service.sandbox.execute(session_id, { code: 'sleep 60', language: 'bash', background: true });
    const pid = started.process_id ?? '';
    // example: sandbox.process
    const { command, status } = await service.sandbox.process(session_id, pid);
    // end
    return { command, status };
  },
  'sandbox.kill': async (service) => {
    const { session_id } = await service.sandbox.create();
    const started = await service.sandbox.execute(session_id, { code: 'sleep 60', language: 'bash', background: true });
    const pid = started.process_id ?? '';
    // example: sandbox.kill
    await service.sandbox.kill(session_id, pid);
    // end
    return service.sandbox.processes(session_id);
  },
};
