import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { modes, presets } from '../../src/cli/ask-options.ts';
import { converse } from '../../src/cli/commands/chat.ts';
import { readSettings } from '../../src/cli/config/settings.ts';
import { newConversation } from '../../src/cli/conversation.ts';
import { agentPresets, askModes, openIndex } from '../../src/index.ts';
import { type AnswerLine, json, question, served as servedIn } from '../support/keyed-command.ts';
import { copyIndex, demo } from '../support/made-index.ts';
import { makeTempFolder } from '../support/temp.ts';
import { extractiveAnswerer } from '../wire/service/messages/extractive.ts';
import type { StandIn } from '../wire/service/messages/model.ts';
import { toolUser } from '../wire/service/messages/tool-user.ts';
import type { ServiceOptions } from '../wire/service/service.ts';

const webQuestion = 'How tall is the Harbour Tower?';

describe('the command with keys', () => {
  const folder = makeTempFolder();
  const address = join(folder, '.ibid');

  beforeAll(async () => {
    await copyIndex(demo, address);
  }, 60_000);
  const served = (...options: [ServiceOptions?, NodeJS.ProcessEnv?]) => servedIn(folder, ...options);

  it('offers the modes and presets of the library', () => {
    expect(modes).toEqual(askModes);
    expect(presets).toEqual(Object.keys(agentPresets));
  });

  it.each([
    ['extractive', ['ask', question, '--extractive']],
    ['grounded', ['ask', question]],
    ['agent', ['ask', question, '--agent', '--preset', 'fast-search']],
    ['research', ['research', question, '--preset', 'fast-search']],
    ['answer', ['answer', webQuestion]],
  ] as const)(
    'answers in mode %s; the JSON names who wrote it, its usage and its price as the books have it',
    async (mode, args) => {
      const { service, run } = await served();
      const answerer = extractiveAnswerer().model;
      const agent = toolUser({ rounds: [[{ name: 'search_index', input: { query: question } }]], answer: answerer });
      service.messages.model = mode === 'agent' ? agent : answerer;
      const answer = json(await run(...args, '--json'));
      expect(answer).toMatchObject({ mode, abstained: false });
      expect(answer.costUsd).toBeCloseTo(service.ledger.totals().usd, 9);
      if (mode === 'extractive')
        return void expect({ usage: answer.usage, sent: service.requests }).toEqual({ usage: {}, sent: [] });
      expect(answer.usage.inputTokens).toBe(service.ledger.totals().inputTokens);
      expect(answer.usage.outputTokens).toBe(service.ledger.totals().outputTokens);
      expect(Object.keys(answer.usage)).toEqual(['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens']);
      if (mode !== 'answer') {
        expect(answer.citations.map(({ quote }) => quote).join()).toContain('1.2 metres');
        expect(answer.citations.every(({ verified }) => verified)).toBe(true);
      }
      if (mode === 'answer' || mode === 'research') expect(answer.links.length).toBeGreaterThan(0);
    },
  );

  it('streams text to stdout as it is written, citations after it, the receipt on stderr', async () => {
    const { service, runWith } = await served({ messages: { eventMs: 40, model: extractiveAnswerer().model } });
    const pieces: { text: string; open: boolean }[] = [];
    const { status, stdout, stderr } = await runWith(
      { onStdout: (text) => pieces.push({ text, open: service.requests.at(-1)?.status === 200 }) },
      'ask',
      question,
    );
    expect(status, stderr).toBe(0);
    expect(pieces.length).toBeGreaterThan(2);
    expect(stdout).toMatch(/1\.2 metres[\s\S]*\[1\][\s\S]*\n\[1\] /);
    expect(stderr).toMatch(/^grounded by assistant-medium-4-6: \d+ tokens in.*, \d+ out, 0\.\d{6} USD$/m);
    expect(stdout).not.toContain('USD');
  });

  it('prints no control sequence of a model or of the web', async () => {
    const evil: StandIn = () => ({
      content: [{ type: 'text', text: 'Look \u001b]0;owned\u0007 here \u001b[31mred\u009b2J\u202e.' }],
    });
    const { service, run } = await served({ messages: { model: evil } });
    (service.search.script as { answer?: object }).answer = { text: 'The web says \u001b[2J\u0007 hello.[1]' };
    for (const args of [
      ['ask', question],
      ['answer', webQuestion],
    ]) {
      const { stdout, stderr } = await run(...args);
      expect(stdout + stderr).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
      expect(stdout).toMatch(/red|hello/);
    }
  });

  it('lists pages of the web as links that nobody has checked', async () => {
    const { run } = await served();
    const { stdout } = await run('answer', webQuestion);
    expect(stdout).toMatch(/Pages the service names, not checked:\n\[1\] .*\n {4}https:\/\/example/);
    expect(stdout).toContain('nothing of it was checked');
  });

  it('refuses before the first call when the worst case is over the budget', async () => {
    const { service, run } = await served();
    for (const args of [
      ['ask', question],
      ['ask', question, '--agent'],
      ['research', question],
      ['answer', webQuestion],
    ]) {
      const { status, stdout, stderr } = await run(...args, '--budget', '0.000001');
      expect(stderr).toMatch(/^error\[BUDGET_EXCEEDED\].*\nhint: /m);
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    }
    expect(service.requests).toEqual([]);
  });

  it('keeps a half answer, says that it is one, and ends with status 1', async () => {
    const { service, run } = await served();
    service.script({ match: { path: '/v1/messages' }, fault: { kind: 'cut', afterEvents: 8 }, times: 2 });
    const plain = await run('ask', question);
    expect(plain.status).toBe(1);
    expect(plain.stdout.length).toBeGreaterThan(10);
    expect(plain.stderr).toMatch(/^error\[STREAM_BROKEN\].*\nhint: what was written by then is above/m);
    const { status, stdout } = await run('ask', question, '--json');
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ stop: 'broken', error: { code: 'STREAM_BROKEN' } });
  });

  it('proves the marks of a model whose service gives no citations, and drops those that point nowhere', async () => {
    const marking: StandIn = ({ question: read }) => {
      const mark = /^\[(s\d+\.\d+)\] .*1\.2 metres/m.exec(read)?.[1];
      return { content: [{ type: 'text', text: `Above 1.2 metres [${mark}]. It is red [s99.1].` }] };
    };
    const { service, run } = await served({ messages: { model: marking } });
    const answer = json<AnswerLine & { dropped: string[] }>(await run('ask', question, '--marks', '--json'));
    expect(answer.citations).toHaveLength(1);
    expect(answer.citations[0]).toMatchObject({ n: 1, verified: true, quote: expect.stringContaining('1.2 metres') });
    expect(answer.answer).toBe('Above 1.2 metres. [1] It is red.');
    const sent = service.requests.filter(({ path }) => path === '/v1/messages').map(({ text }) => text);
    expect(sent).toHaveLength(1);
    expect(sent[0]).not.toMatch(/search_result|"citations"/);
  });

  it('asks no model what the documents do not support, and says that the web was not asked', async () => {
    const { service, run, runWith } = await served();
    const foreign = 'Who won the football world cup in 1998?';
    const { status, stdout, stderr } = await run('ask', foreign);
    expect({ status, said: stdout.includes('do not seem to answer') }).toEqual({ status: 0, said: true });
    expect(stderr).toContain('the web was not asked; --web asks it too');
    expect(service.requests).toEqual([]);
    const keyless = await runWith({ env: { ...process.env, IBID_SEARCH_API_KEY: '' } }, 'ask', foreign, '--extractive');
    expect(keyless.stderr).not.toContain('--web');
  });

  it('search --rerank lets a model score the hits, --verbose says how the search went; without, no model is asked', async () => {
    const { service, run } = await served();
    const plain = await run('search', question, '--verbose', '--json');
    expect(service.messages.received).toHaveLength(0);
    expect(plain.stderr).toMatch(/^hybrid search: \d+ hits, 0\.000000 USD\ntime: \d+ ms .*\nhits by list: .*body \d+/m);
    expect(json<{ hits: { trace: unknown[] }[] }>(plain).hits[0]?.trace).toEqual([]);
    await run('search', question, '--rerank');
    expect(service.messages.received).toHaveLength(1);
    for (const command of ['search', 'ask']) {
      await run(
        command,
        question,
        '--rerank-model',
        'assistant-medium-4-6',
        ...(command === 'ask' ? ['--extractive'] : []),
      );
      expect(service.messages.received.at(-1)!.body.model).toBe('assistant-medium-4-6');
    }
  });

  it('says what a service refuses, and falls over when told to', async () => {
    const { service, run } = await served();
    service.script({ match: { path: '/v1/messages' }, fault: { kind: 'status', status: 401 }, times: 2 });
    const refused = await run('ask', question);
    expect(refused.stderr).toMatch(/^error\[KEY_REJECTED\]/m);
    expect({ status: refused.status, stdout: refused.stdout }).toEqual({ status: 1, stdout: '' });
    const fallen = await run('ask', question, '--fallback', 'grounded,extractive', '--json');
    expect(json(fallen)).toMatchObject({ mode: 'extractive', skipped: [{ mode: 'grounded', code: 'KEY_REJECTED' }] });
    expect(fallen.stderr).toContain('grounded could not answer');
  });

  it('counts a mode that was paid and could not answer, in the receipt and for programs', async () => {
    const writes = extractiveAnswerer().model;
    const silent = toolUser({
      rounds: [[{ name: 'search_index', input: { query: 'Kittiwake' } }]],
      answer: () => ({ content: [] }),
    });
    const model: StandIn = (request) => (request.tools.length > 0 ? silent : writes)(request);
    const { service, run } = await served({ messages: { model } });
    const asked = ['ask', question, '--mode', 'agent', '--fallback', 'grounded'];
    const told = await run(...asked);
    const usd = service.ledger.totals().usd.toFixed(6);
    expect(told.stderr).toMatch(/^note: agent could not answer: .*; it has cost 0\.\d{6} USD$/m);
    expect(told.stderr).toMatch(new RegExp(`^grounded by .*, ${usd} USD$`, 'm'));
    service.ledger.clear();
    const { costUsd } = json<AnswerLine>(await run(...asked, '--json'));
    expect(costUsd).toBeCloseTo(service.ledger.totals().usd, 8);
  });

  it('goes on with a conversation, of a file or the last one', async () => {
    const { service, run } = await served();
    json(await run('ask', question, '--json'));
    await run('ask', 'And what does it carry?', '--continue');
    const sent = JSON.stringify(service.messages.received.at(-1));
    expect(sent).toContain('Above which wave height');
    // the first question has its passages beside it again
    expect(service.messages.received.at(-1)!.turns[0]!.blocks.map(({ type }) => type)).toContain('search_result');
    const file = join(folder, 'talk.jsonl');
    await run('ask', question, '--history', file);
    await run('ask', 'And what does it carry?', '--history', file);
    const turns = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { role: string });
    expect(turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    writeFileSync(file, '{"role":"king","text":"x"}\n');
    const wrong = await run('ask', question, '--history', file);
    expect(wrong.status).toBe(2);
    expect(wrong.stderr).toMatch(/talk\.jsonl: line 1 is no turn/);
  });

  it.each([
    [['ask', 'x', '--extractive', '--agent'], 'contradict'],
    [['ask', 'x', '--fallback', 'oracle'], 'no mode'],
    [['ask', 'x', '--mode', 'oracle'], 'Allowed choices'],
    [['ask'], 'nothing was asked'],
    [['ask', 'x', '--extractive', '--look'], '--look has no meaning for extractive'],
    [['research', 'x', '--thinking', 'adaptive'], 'thinking'],
    [['ask', 'x', '--thinking', 'much'], 'thinking'],
    [['ask', 'x', '--cache', '2h'], 'Allowed choices are 5m, 1h'],
    [['ask', 'x', '--inference-geo', 'mars'], 'Allowed choices are us, global'],
    [['ask', 'x', '--extractive', '--service-tier', 'auto'], '--service-tier has no meaning for extractive'],
    [['answer', 'x', '--inference-geo', 'us'], '--inference-geo has no meaning for answer'],
    [['ask', 'x', '--search-mode', 'sec'], '--search-mode has no meaning for grounded'],
    [['research', 'x', '--metadata', 'team'], 'must be name=text'],
    [['ask', '--batch', 'x.jsonl', '--search-mode', 'sec'], '--search-mode has no meaning for grounded'],
    [['ask', 'x', '--no-wait'], 'is for --batch, for research'],
    [['ask', 'x', '--output', 'y'], 'belongs to --batch'],
    [['ask', '--resume', 'x', '--model', 'y'], '--model: no meaning with --resume'],
    [['ask', 'x', '--history', 'a', '--continue'], 'conflict|cannot be used'],
    [['ask', '--batch', 'missing.jsonl'], 'does not exist'],
  ])('%j ends with a clear word', async (args, why) => {
    const { run } = await served();
    const { status, stderr } = await run(...args);
    expect(stderr).toMatch(new RegExp(why));
    expect([1, 2]).toContain(status);
  });

  it('hands on where a model works, what is searched, in which language, and what stands beside a run', async () => {
    const { run, service } = await served();
    const sent = async (...args: string[]): Promise<unknown> => {
      service.clear();
      json(await run(...args, '--json'));
      return service.requests.findLast(({ method, path }) => method === 'POST' && !path.endsWith('count_tokens'))!.body;
    };
    const place = ['--inference-geo', 'us', '--service-tier', 'standard_only'];
    expect(await sent('ask', question, ...place)).toMatchObject({ inference_geo: 'us', service_tier: 'standard_only' });
    expect(await sent('answer', webQuestion, '--search-mode', 'academic', '--language', 'de')).toMatchObject({
      search_mode: 'academic',
      language_preference: 'de',
    });
    const notes = ['--metadata', 'team=ops', 'case=a=b'];
    const asked = ['research', question, ...notes, '--instructions', 'Write for sailors.', '--language', 'de'];
    expect(await sent(...asked)).toMatchObject({
      instructions: 'Write for sailors.',
      language_preference: 'de',
      metadata: { team: 'ops', case: 'a=b' },
    });
  });

  it('names the key that research and answer need', async () => {
    const { run } = await served({}, { IBID_SEARCH_API_KEY: '' });
    for (const command of ['research', 'answer']) {
      const { status, stderr } = await run(command, question);
      expect(stderr).toMatch(/^error\[KEY_MISSING\].*\nhint: .*IBID_SEARCH_API_KEY/m);
      expect(status).toBe(2);
    }
  });

  it('a conversation knows what was said, survives an error, and ends with its input', async () => {
    const { service } = await served();
    const { createMessagesService } = await import('../../src/wire/messages/index.ts');
    await using messages = createMessagesService({ apiKey: 'test-key', baseUrl: service.url });
    await using index = await openIndex(address, { base: demo, services: { messages } });
    const input = new PassThrough();
    input.end(`${question}\n\nWho won the football world cup in 1998?\nexit\nnever asked\n`);
    const file = join(folder, 'chat.jsonl');
    const conversation = newConversation(file);
    service.script({ match: { path: '/v1/messages' }, fault: { kind: 'status', status: 400 }, skip: 1 });
    const out: string[] = [];
    const write = process.stdout.write;
    process.stdout.write = ((text: string) => out.push(text) > 0) as typeof write;
    const prompt = process.stderr.write;
    process.stderr.write = () => true;
    const log = console.log;
    const error = console.error;
    console.log = (text = '') => out.push(`${text}\n`);
    console.error = () => {};
    try {
      await converse(index, (call) => call, {
        conversation,
        printing: 'streamed',
        settings: readSettings({}),
        signal: AbortSignal.timeout(20_000),
        input,
      });
    } finally {
      process.stdout.write = write;
      process.stderr.write = prompt;
      console.log = log;
      console.error = error;
    }
    expect(out.join('')).toContain('1.2 metres');
    const turns = readFileSync(file, 'utf8').trim().split('\n');
    expect(turns.length).toBeGreaterThanOrEqual(2);
    expect(readFileSync(file, 'utf8')).not.toContain('never asked');
  });
});
