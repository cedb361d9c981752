import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { citationOf } from '../../src/answer/citation.ts';
import { checkCitation } from '../../src/answer/grounded/verify.ts';
import { Meter } from '../../src/core/meter.ts';
import { pdfOfPages } from '../../src/read/pdf/pages.ts';
import { createReader } from '../../src/read/reader.ts';
import type { SearchIndex } from '../../src/search-index/search-index.ts';
import { runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp.ts';
import { at, makePdf } from '../unit/read/formats-make.ts';
import type { CitationFault } from '../wire/service/messages/citation-faults.ts';
import { extractiveAnswerer } from '../wire/service/messages/extractive.ts';
import type { StandIn } from '../wire/service/messages/model.ts';
import { toolUser } from '../wire/service/messages/tool-user.ts';
import { ingestAll, type Keyed, keyed } from './support.ts';

const pages = [
  'The manual of the pump begins with safety.',
  'The relief valve opens above 45 bar.',
  'The bearing is greased every 90 days.',
];
const pdf = makePdf({ pages: pages.map((text) => at(72, 700, text)) });
const valveFirst = { 'pump.pdf': makePdf({ pages: [1, 0, 2].map((n) => at(72, 700, pages[n]!)) }) };
const question = 'At which pressure does the relief valve open?';

/** Cites pages alone, as a model does that looks. */
const looking = (options: Parameters<typeof extractiveAnswerer>[0] = {}): ReturnType<typeof extractiveAnswerer> => {
  const answerer = extractiveAnswerer({ sentences: 2, ...options });
  const model: StandIn = (request) =>
    answerer.model({ ...request, sources: request.sources.filter(({ kind }) => kind === 'pages') });
  return { ...answerer, model };
};

async function opened(model: StandIn, files: Record<string, Uint8Array> = { 'pump.pdf': pdf }) {
  const folder = tempFolder(files);
  const { service, open }: Keyed = await keyed({ messages: { model } });
  const index: SearchIndex = await open(join(folder, '.ibid'), { base: folder });
  await ingestAll(index, [folder]);
  return { folder, service, index };
}

const documentsOf = (body: unknown): { title: string; source: { data: string } }[] =>
  (body as { messages: { content: { type: string; title: string; source: { data: string } }[] }[] }).messages.flatMap(
    ({ content }) => content.filter(({ type }) => type === 'document'),
  );

describe('pages of a PDF', () => {
  it('are taken out as a PDF of their own, with their text', async () => {
    await using reader = createReader();
    const { extractText } = await import('unpdf');
    const cut = await reader.pagesOf!(pdf, [2, 3]);
    expect((await extractText(cut.slice(), { mergePages: false })).text).toEqual(pages.slice(1));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(await pdfOfPages(pdf, [2, 3])).toEqual(cut); // so that a service's cache knows it again
    await expect(reader.pagesOf!(pdf, [4])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(reader.pagesOf!(Buffer.from('no pdf'), [1])).rejects.toMatchObject({ code: 'FILE_DAMAGED' });
  });

  it('are shown to the model, one a document, and cited by their page, proven against the index', async () => {
    const { service, index } = await opened(looking().model);
    const answer = await index.ask(question, { mode: 'grounded', look: true });
    const { body } = service.messages.received[0]!;
    expect(documentsOf(body).map(({ title }) => title)).toEqual([
      'p1: pump, page 1',
      'p2: pump, page 2',
      'p3: pump, page 3',
    ]);
    const shown = service.messages.received[0]!.sources.flatMap((source) =>
      source.kind === 'pages' ? [source.pages] : [],
    );
    expect(shown).toEqual(pages.map((page) => [page]));
    const [first] = answer.citations;
    expect(first).toMatchObject({ uri: 'pump.pdf', quote: pages[1], place: { page: 2 }, verified: true });
    const { text } = (await index.document('pump.pdf'))!;
    expect(text.slice(first!.span.start, first!.span.end)).toBe(pages[1]);
    expect((await index.show(first!.reference)).source).toBe('same');
    // without the option nothing of a file is sent
    await index.ask(question, { mode: 'grounded' });
    expect(documentsOf(service.messages.received[1]!.body)).toEqual([]);
  });

  it('stay in a conversation: shown again where they stood, read from the cache, and cited', async () => {
    const { service, index } = await opened(looking({ sentences: 1 }).model, valveFirst);
    const grounded = { mode: 'grounded', continues: true } as const;
    const one = { pages: 1 };
    const first = await index.ask(question, { ...grounded, look: one });
    const looked = first.grounding!.looked!;
    expect(looked).toEqual([{ reference: expect.stringMatching(/^pump\.pdf#\d+-\d+$/), page: expect.any(Number) }]);
    const turn = { role: 'user', text: first.question, passages: first.hits.map(citationOf), looked } as const;
    const history = [turn, { role: 'assistant', text: first.answer }] as const;
    const second = await index.ask('How often is the bearing greased?', { ...grounded, history, look: one });
    const [before, now] = [service.messages.received[0]!, service.messages.received.at(-1)!];
    const [p1, p2, ...none] = documentsOf(now.body);
    expect([none, p1]).toEqual([[], documentsOf(before.body)[0]]);
    expect([p1!.title.slice(0, 3), p2!.title.slice(0, 3)]).toEqual(['p1:', 'p2:']);
    expect(p2!.title.slice(3)).not.toBe(p1!.title.slice(3)); // what is in front of the model is not shown twice
    const plain = (content: unknown): string => JSON.stringify(content).replace(/,"cache_control":\{[^}]*\}/g, '');
    // the service's cache knows it
    expect(plain(now.body.messages[0]!.content)).toBe(plain(before.body.messages[0]!.content));
    expect(second.grounding!.looked).toHaveLength(1);
    // asked without `look`, nothing new of a file is sent, and what was shown before is cited
    const third = await index.ask('At which pressure does the relief valve of the pump open?', {
      ...grounded,
      history,
    });
    expect(documentsOf(service.messages.received.at(-1)!.body)).toEqual([p1]);
    expect(third.citations).toMatchObject([{ quote: pages[1], place: { page: 1 }, verified: true }]);
    const { inputTokens, cacheReadTokens } = third.grounding!.usage;
    expect(cacheReadTokens).toBeGreaterThan(0.9 * inputTokens);
    expect(third.grounding!.looked).toBeUndefined();
  });

  it('stay in a conversation of the command line', async () => {
    const { folder, service, index } = await opened(looking({ sentences: 1 }).model, valveFirst);
    await index.close();
    const env = { ...process.env, IBID_MESSAGES_API_KEY: 'test-key', IBID_MESSAGES_BASE_URL: service.url };
    const asked = async (...args: string[]) => {
      const { status, stdout, stderr } = await runCli(['ask', ...args, '--json'], { cwd: folder, env });
      expect(status, stderr).toBe(0);
      return [documentsOf(service.messages.received.at(-1)!.body).length, JSON.parse(stdout)] as const;
    };
    expect((await asked(question, '--look'))[0]).toBe(3);
    const [shown, { citations }] = await asked(
      'At which pressure does the relief valve of the pump open?',
      '--continue',
    );
    expect([shown, citations[0]]).toMatchObject([3, { quote: pages[1], verified: true }]);
    const path = join(folder, '.ibid', 'conversation.jsonl');
    const [first, ...rest] = readFileSync(path, 'utf8').trimEnd().split('\n');
    for (const looked of ['p1', [{ page: 1 }], [{ reference: 'pump.pdf#0-9', page: 'one' }]]) {
      writeFileSync(path, [JSON.stringify({ ...JSON.parse(first!), looked }), ...rest].join('\n'));
      const { stderr } = await runCli(['ask', 'And then?', '--continue'], { cwd: folder, env });
      expect(stderr).toContain('line 1 is no turn of a conversation');
    }
  });

  it('are shown to an agent by a tool, and cited', async () => {
    const model = toolUser({
      rounds: [
        [{ name: 'search_index', input: { query: 'relief valve' } }],
        [{ name: 'look_at', input: { source: 's1' } }],
      ],
      answer: looking().model,
    });
    const { index } = await opened(model);
    const answer = await index.ask(question, { mode: 'agent', look: true });
    expect(answer.citations).toContainEqual(
      expect.objectContaining({ quote: pages[1], place: { page: 2 }, verified: true }),
    );
    expect(answer.grounding!.dropped).toEqual([]);
  });

  it('are never cited falsely: of planted citations none is kept', async () => {
    const kinds: CitationFault[] = [
      'invented',
      'altered',
      'stitched',
      'wrongSource',
      'outOfRange',
      'unknownSource',
      'reversed',
      'shifted',
    ];
    const { model, planted } = looking({ sentences: 9, plant: kinds });
    const said = [
      [
        'Red relief opens the pump at 10 bar.',
        'Blue relief shuts every winch near 21 bar.',
        'Old relief holds 32 bar.',
      ],
      [
        'Green relief needs no oil below 43 bar.',
        'Grey relief was built for 54 bar.',
        'New relief sings above 65 bar.',
      ],
      [
        'Brass relief is kept under 76 bar.',
        'Steel relief bends when 87 bar come.',
        'Small relief leaks from 98 bar on.',
      ],
    ];
    const lines = (texts: readonly string[]): string => texts.map((text, i) => at(72, 700 - 40 * i, text)).join(' ');
    const files = { 'relief.pdf': makePdf({ pages: said.map(lines) }) };
    const { index } = await opened(model, files);
    const answer = await index.ask('At how many bar does the relief open?', { mode: 'grounded', look: true });
    const wrong = planted.filter(({ verdict }) => verdict !== 'true');
    expect(wrong.map(({ kind }) => kind)).toEqual(kinds);
    expect(answer.grounding!.dropped).toHaveLength(kinds.length);
    // what is kept stands on the page it names, in words of the index
    expect(answer.citations).toHaveLength(1);
    for (const { quote, place } of answer.citations) expect(said[place.page! - 1]).toContain(quote);
  });

  it('are left out, with a reason, when the file is another one by now or is gone', async () => {
    const { folder, service, index } = await opened(extractiveAnswerer().model);
    writeFileSync(join(folder, 'pump.pdf'), makePdf({ pages: [at(72, 700, 'The relief valve opens above 99 bar.')] }));
    const answer = await index.ask(question, { mode: 'grounded', look: true });
    expect(documentsOf(service.messages.received[0]!.body)).toEqual([]);
    expect(answer.report!.warnings.map(({ code, message }) => `${code} ${message}`)).toContainEqual(
      expect.stringContaining('INDEX_MISMATCH pump.pdf is not shown to the model: the file has changed'),
    );
    expect(answer.citations.map(({ quote }) => quote)).toContain(pages[1]);
  });

  it('are as many as the budget pays for', async () => {
    const { service, index } = await opened(extractiveAnswerer().model);
    const all = await index.ask(question, { mode: 'grounded', look: true });
    expect(documentsOf(service.messages.received[0]!.body)).toHaveLength(3);
    // each page of the stand-in is 2,000 tokens, 3 USD per million; the longest answer is paid for too
    const meter = new Meter(all.grounding!.costUsd + (1024 * 15) / 1e6 - 2000 * 3e-6);
    await index.ask(question, { mode: 'grounded', look: true, budget: meter });
    const shown = documentsOf(service.messages.received.at(-1)!.body).length;
    expect(shown).toBeLessThan(3);
    expect(meter.spentUsd).toBeLessThanOrEqual(meter.budgetUsd!);
  });
});

describe('files that are kept at the service', () => {
  it('are uploaded once, named by their ids, asked for before, and forgotten when they are gone', async () => {
    const { service, index } = await opened(looking().model);
    const ask = async () => {
      service.clear();
      const answer = await index.ask(question, { mode: 'grounded', look: { keepFiles: true } });
      const message = service.requests.find(({ path }) => path === '/v1/messages')!;
      const uploads = service.requests.filter(({ path, method }) => path === '/v1/files' && method === 'POST');
      expect(answer.citations[0]).toMatchObject({ quote: pages[1], place: { page: 2 }, verified: true });
      return { uploads: uploads.length, bytes: JSON.stringify(message.body).length, headers: message.headers };
    };
    const first = await ask();
    expect(first.uploads).toBe(3);
    expect(first.headers['x-service-beta']).toBe('files-api-2025-04-14');
    expect(service.messages.files.all.map(({ filename }) => filename)).toEqual(['page.pdf', 'page.pdf', 'page.pdf']);
    const second = await ask();
    expect(second.uploads).toBe(0);
    service.messages.files.remove(service.messages.files.all[0]!.id);
    const third = await ask();
    expect(third.uploads).toBe(1);
    await index.ask(question, { mode: 'grounded', look: true });
    const whole = JSON.stringify(service.requests.at(-1)!.body).length;
    expect(second.bytes).toBeLessThan(whole - 3000);
    // what cannot be uploaded is sent as it is
    service.messages.files.all.splice(0);
    service.clear();
    service.script({ match: { path: '/v1/files' }, fault: { kind: 'status', status: 403 }, times: 9 });
    await index.ask(question, { mode: 'grounded', look: { keepFiles: true } });
    expect(JSON.stringify(service.requests.at(-1)!.body)).toContain('"base64"');
  });
});

describe('pictures', () => {
  /** A grey PNG with a text that its camera wrote. */
  function png(): Uint8Array {
    const chunk = (type: string, data: Buffer): Buffer => {
      const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
      const head = Buffer.alloc(4);
      head.writeUInt32BE(data.length);
      const sum = Buffer.alloc(4);
      sum.writeUInt32BE(crc(body));
      return Buffer.concat([head, body, sum]);
    };
    const size = Buffer.alloc(13);
    size.writeUInt32BE(8, 0);
    size.writeUInt32BE(8, 4);
    size.set([8, 0, 0, 0, 0], 8);
    const rows = deflateSync(Buffer.alloc(8 * 9, 0x99));
    return Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      chunk('IHDR', size),
      chunk('IDAT', rows),
      chunk('IEND', Buffer.alloc(0)),
    ]);
  }
  function crc(bytes: Buffer): number {
    let sum = 0xffffffff;
    for (const byte of bytes) {
      sum ^= byte;
      for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
    }
    return (sum ^ 0xffffffff) >>> 0;
  }

  it('are shown as they are, and what was read from them is cited with page and region', async () => {
    const { lookAt } = await import('../../src/passages/look.ts');
    const { sha256 } = await import('../../src/ingest/content-hash.ts');
    const { chunkOf, hitOf } = await import('../unit/answer/hits.ts');
    const bytes = png();
    const folder = tempFolder({ 'scan.png': bytes, 'other.bmp': Buffer.from('BM and more') });
    const hashes = { 'scan.png': sha256(bytes), 'other.bmp': sha256(Buffer.from('BM and more')) };
    const files = {
      base: folder,
      reader: createReader(),
      entry: async (uri: string) => ({ contentHash: hashes[uri as keyof typeof hashes] }) as never, // what is looked at
    };
    const hit = (uri: string) => hitOf({ ...chunkOf('RELIEF 45 BAR', { uri, title: 'Scan' }), format: 'image' });
    const { media, sources, warnings } = await lookAt(
      [hit('scan.png'), hit('scan.png'), hit('other.bmp')],
      {} as never,
      files,
      {},
    );
    expect(media).toMatchObject([{ id: 'p1', mediaType: 'image/png' }]);
    expect(Buffer.from(media[0]!.bytes).equals(Buffer.from(bytes))).toBe(true);
    expect(sources).toEqual([]);
    expect(warnings.map(({ code }) => code)).toEqual(['FILE_UNSUPPORTED']);
    await expect(lookAt([], {} as never, files, { pages: 0 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await files.reader.close();
  });
});

describe('the words of a page', () => {
  const text = 'The relief\n valve opens 😀 above\u00a045 bar. The relief valve closes.';
  const source = {
    id: 'p1',
    spans: [{ start: 10, end: 10 + text.length }],
    span: { start: 10, end: 10 + text.length },
    text,
  };
  const sources = new Map([['p1', source as never]]);
  const check = (quoted: string) => checkCitation({ source: 'p1', first: 0, end: 1, quoted, isPart: true }, sources);

  it.each([
    ['valve opens 😀 above 45 bar.', 'valve opens 😀 above\u00a045 bar.'],
    ['Therelief valve', 'The relief\n valve'],
    ['😀', '😀'],
    [text, text],
  ])('are found whatever the white space: %j', (quoted, quote) => {
    const at = text.indexOf(quote);
    expect(check(quoted)).toMatchObject({ quote, span: { start: 10 + at, end: 10 + at + quote.length } });
  });

  it.each(['', '  ', 'above 46 bar', 'valve opens above', 'bar. The relief valve opens', '\ude00 above'])(
    'are dropped when they do not stand there: %j',
    (quoted) => expect(check(quoted)).toHaveProperty('dropped'),
  );
});
