import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Harness, serve } from './harness.ts';
import { extractiveAnswerer } from './messages/extractive.ts';
import { type MessagesService, messagesService } from './messages/messages-service.ts';
import type { AnswerCitation } from './messages/model.ts';
import { textTokens } from './messages/tokens.ts';
import { toolUser } from './messages/tool-user.ts';

const headers = { 'x-api-key': 'test-key', 'x-service-version': '2023-06-01', 'content-type': 'application/json' };
const model = 'assistant-large-4-6';
let now = Date.parse('2026-03-01T10:00:00Z');
let messages: MessagesService;
let harness: Harness;
beforeEach(async () => {
  messages = messagesService({ now: () => now });
  harness = await serve([messages]);
});
afterEach(() => harness.close());

interface Message {
  readonly content: readonly {
    readonly type: string;
    readonly text: string;
    readonly id: string;
    readonly citations?: readonly AnswerCitation[] | null;
  }[];
  readonly stop_reason: string;
  readonly usage: Readonly<Record<string, number>> & { readonly cache_creation: Readonly<Record<string, number>> };
}

async function send(body: Record<string, unknown>): Promise<Message> {
  const answer = await fetch(`${harness.url}/v1/messages`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ model, max_tokens: 1000, ...body }),
  });
  const json = await answer.json();
  expect(answer.status, JSON.stringify(json)).toBe(200);
  return json as Message;
}

const text = (value: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  type: 'text',
  text: value,
  ...more,
});
const ttl = (value: '5m' | '1h'): Record<string, unknown> => ({ cache_control: { type: 'ephemeral', ttl: value } });
const filler = (seed: string): string => `${seed} `.repeat(5000).trim();

describe('the simulated prompt cache', () => {
  /** [input, written for 5 minutes, written for an hour, read]. */
  const figures = ({ usage }: Message): number[] => [
    usage.input_tokens!,
    usage.cache_creation.ephemeral_5m_input_tokens!,
    usage.cache_creation.ephemeral_1h_input_tokens!,
    usage.cache_read_input_tokens!,
  ];
  const turn = (value: string): number => textTokens(value) + 4;

  it('writes at markers, reads the longest prefix, and lets it lapse', async () => {
    const [a, b] = [filler('alpha'), filler('beta')];
    const [A, B, Q] = [textTokens(a), textTokens(b), turn('Question?')];
    const request = {
      system: [text(a, ttl('1h')), text(b, ttl('5m'))],
      messages: [{ role: 'user', content: 'Question?' }],
    };
    expect(figures(await send(request))).toEqual([Q, B, A, 0]);
    expect(figures(await send(request))).toEqual([Q, 0, 0, A + B]);
    now += 299_000;
    expect(figures(await send(request))).toEqual([Q, 0, 0, A + B]);
    // Use renews the five minutes; without it they lapse, and the hour is still there.
    now += 299_000;
    expect(figures(await send(request))).toEqual([Q, 0, 0, A + B]);
    now += 301_000;
    expect(figures(await send(request))).toEqual([Q, B, 0, A]);
    now += 3_601_000;
    expect(figures(await send(request))).toEqual([Q, B, A, 0]);
    expect(messages.cacheUse).toEqual({ requests: 6, input: 6 * Q, written: 2 * A + 3 * B, read: 4 * A + 3 * B });
  });

  it('charges writes 1.25 and 2 times, reads a tenth, and half of all that in a batch', async () => {
    const a = filler('alpha');
    const A = textTokens(a);
    const usd = (input: number, message: Message): number => (input * 5 + message.usage.output_tokens! * 25) / 1e6;
    const Q = turn('Q');
    for (const [life, factor] of [
      ['5m', 1.25],
      ['1h', 2],
    ] as const) {
      const request = { system: [text(`${life} ${a}`, ttl(life))], messages: [{ role: 'user', content: 'Q' }] };
      const S = textTokens(`${life} ${a}`);
      expect(S).toBeGreaterThan(A);
      harness.ledger.clear();
      const first = await send(request);
      const second = await send({ ...request, inference_geo: 'us' });
      expect(harness.ledger.entries[0]?.usd).toBeCloseTo(usd(Q + factor * S, first), 12);
      expect(harness.ledger.entries[1]?.usd).toBeCloseTo(1.1 * usd(Q + 0.1 * S, second), 12);
    }
  });

  it('needs a long enough prefix, and loses it with the tools', async () => {
    const short = { system: [text('Be brief.', ttl('5m'))], messages: [{ role: 'user', content: 'Q' }] };
    expect(figures(await send(short)).slice(1)).toEqual([0, 0, 0]);
    const tool = (description: string): unknown => ({ name: 'f', description, parameters: { type: 'object' } });
    const request = {
      tools: [tool('one')],
      system: [text(filler('alpha'), ttl('5m'))],
      messages: [{ role: 'user', content: 'Q' }],
    };
    const written = figures(await send(request))[1]!;
    expect(figures(await send(request))[3]).toBe(written);
    expect(figures(await send({ ...request, tools: [tool('two')] }))[3]).toBe(0);
    // What only concerns the messages keeps the system prompt.
    expect(figures(await send({ ...request, tool_choice: 'any' }))[3]).toBe(written);
  });

  it('grows with a conversation by a marker on the last block', async () => {
    const turns: { role: string; content: unknown }[] = [];
    let before = 0;
    for (let n = 0; n < 4; n++) {
      turns.push({ role: 'user', content: [text(`${n}: ${filler(`turn${n}`)}`)] });
      const message = await send({ messages: turns, cache_control: { type: 'ephemeral' } });
      expect(figures(message)[3]).toBe(before);
      before += figures(message)[1]!;
      expect(figures(message)[0]).toBe(0);
      turns.push({ role: 'assistant', content: message.content });
    }
  });

  it('looks back 20 blocks from a marker and no further', async () => {
    const blocks = (count: number): unknown[] =>
      Array.from({ length: count }, (_, n) => text(`${n} ${filler('x').slice(0, 2000)}`));
    const at = (count: number): Record<string, unknown> => ({
      messages: [
        {
          role: 'user',
          content: [...blocks(count - 1), text(`${count - 1} ${filler('x').slice(0, 2000)}`, ttl('5m'))],
        },
      ],
    });
    await send(at(10));
    expect(figures(await send(at(29)))[3]).toBeGreaterThan(0);
    messages = messagesService({ now: () => now });
    await harness.close();
    harness = await serve([messages]);
    await send(at(10));
    expect(figures(await send(at(30)))[3]).toBe(0);
  });
});

const article =
  'The harbour 😀 tower was built in 1931. It is 40 metres tall. Its lamp was replaced in 1987 by an electric one. Gulls nest on it.';
const results = [
  {
    type: 'search_result',
    source: 'kb://a',
    title: 'A',
    content: [text('Whales are large.'), text('The lamp weighs 300 kilograms.')],
    citations: { enabled: true },
  },
  {
    type: 'search_result',
    source: 'kb://b',
    title: 'B',
    content: [text('The lamp was made in Leeds. It has two lenses.')],
    citations: { enabled: true },
  },
];
const textDocument = {
  type: 'document',
  source: { type: 'text', media_type: 'text/plain', data: article },
  title: 'Tower',
  citations: { enabled: true },
};
const chunked = {
  type: 'document',
  source: { type: 'content', content: [text('One lamp.'), text('Lamp oil was used until 1987.')] },
  citations: { enabled: true },
};

/** What a citation says it quotes, taken from the sources by its numbers alone. */
function quoted(citation: AnswerCitation): string | undefined {
  if (citation.type === 'search_result_location') {
    const source = results[citation.search_result_index];
    if (source?.source !== citation.source || citation.end_block_index > source.content.length) return undefined;
    return source.content
      .slice(citation.start_block_index, citation.end_block_index)
      .map((block) => block.text)
      .join('');
  }
  if (citation.type === 'char_location') {
    const points = [...article];
    if (citation.document_index !== 0 || citation.end_char_index > points.length) return undefined;
    return points.slice(citation.start_char_index, citation.end_char_index).join('').trim();
  }
  if (citation.type === 'content_block_location') {
    if (citation.document_index !== 1 || citation.end_block_index > 2) return undefined;
    return chunked.source.content
      .slice(citation.start_block_index, citation.end_block_index)
      .map((block) => block.text)
      .join('');
  }
  return undefined;
}

const question = {
  role: 'user',
  content: [textDocument, chunked, ...results, text('Tell me about the lamp of the tower')],
};

describe('the extractive stand-in', () => {
  it('answers with sentences of its sources, each cited where it stands', async () => {
    const { model: standIn, planted } = extractiveAnswerer({ sentences: 10 });
    messages.model = standIn;
    const message = await send({ messages: [question] });
    const cited = message.content.flatMap((block) => block.citations ?? []);
    expect(new Set(cited.map((citation) => citation.type))).toEqual(
      new Set(['char_location', 'content_block_location', 'search_result_location']),
    );
    for (const citation of cited) expect(quoted(citation)).toBe(citation.cited_text);
    expect(planted.every((entry) => entry.verdict === 'true')).toBe(true);
    expect(message.content.map((block) => block.text).join('')).not.toContain('Whales');
    // Past the emoji, one code point is two UTF-16 units.
    const late = cited.find((citation) => citation.cited_text.includes('replaced'));
    expect(late).toMatchObject({ start_char_index: [...article.slice(0, article.indexOf('Its lamp'))].length });
  });

  it('cites what came in a tool result, numbered after what came before', async () => {
    messages.model = toolUser({
      rounds: [[{ name: 'find', input: { query: 'lamp' } }]],
      answer: extractiveAnswerer({ sentences: 1 }).model,
    });
    const tools = [{ name: 'find', parameters: { type: 'object' } }];
    const first = await send({
      tools,
      messages: [{ role: 'user', content: [results[0], text('What does the lenses count?')] }],
    });
    const reply = { type: 'tool_result', tool_use_id: first.content.at(-1)!.id, content: [results[1]] };
    const second = await send({
      tools,
      messages: [
        { role: 'user', content: [results[0], text('How many lenses?')] },
        { role: 'assistant', content: first.content },
        { role: 'user', content: [reply] },
      ],
    });
    expect(second.content[0]).toMatchObject({
      text: 'It has two lenses.',
      citations: [{ search_result_index: 1, source: 'kb://b', start_block_index: 0 }],
    });
  });

  it('cites pages of a PDF', async () => {
    messages.model = extractiveAnswerer({ sentences: 1 }).model;
    const data = Buffer.from(pdf(['Nothing on this page.', 'The lamp burns paraffin.'])).toString('base64');
    const source = { type: 'base64', media_type: 'application/pdf', data };
    const message = await send({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'document', source, title: 'P', citations: { enabled: true } },
            text('What does the lamp burn?'),
          ],
        },
      ],
    });
    expect(message.content[0]).toMatchObject({
      text: 'The lamp burns paraffin.',
      citations: [{ type: 'page_location', start_page_number: 2, end_page_number: 3, document_title: 'P' }],
    });
  });

  it('says so when nothing fits, and cites nothing when citations are off', async () => {
    messages.model = extractiveAnswerer().model;
    const nothing = await send({ messages: [{ role: 'user', content: [...results, text('Who won the cup?')] }] });
    expect(nothing.content.map((block) => block.text)).toEqual(['The sources do not answer this.']);
    const off = results.map((entry) => ({ ...entry, citations: { enabled: false } }));
    const plain = await send({ messages: [{ role: 'user', content: [...off, text('What does the lamp weigh?')] }] });
    expect(plain.content[0]!.text).toBe('The lamp weighs 300 kilograms.');
    expect(plain.content.every((block) => block.citations == null)).toBe(true);
  });

  it.each([
    ['invented', 'false'],
    ['altered', 'false'],
    ['stitched', 'false'],
    ['wrongSource', 'false'],
    ['outOfRange', 'false'],
    ['unknownSource', 'false'],
    ['reversed', 'false'],
    ['shifted', 'misplaced'],
    ['doubled', 'true'],
  ] as const)('plants a citation that is %s', async (kind, verdict) => {
    const { model: standIn, planted } = extractiveAnswerer({ sentences: 4, plant: [kind, kind, kind, kind] });
    messages.model = standIn;
    const message = await send({ messages: [question] });
    expect(planted.map((entry) => [entry.kind, entry.verdict])).toEqual(
      Array.from({ length: 4 }, () => [kind, verdict]),
    );
    const cited = message.content.flatMap((block) => block.citations ?? []);
    expect(cited).toEqual(planted.flatMap((entry) => entry.citations));
    for (const citation of cited) expect(quoted(citation) === citation.cited_text).toBe(verdict === 'true');
    // A misplaced text does stand in the sources, a false one does not, or not where it says.
    const everything = JSON.stringify(question);
    if (kind === 'shifted') for (const citation of cited) expect(everything).toContain(citation.cited_text);
    if (kind === 'invented' || kind === 'altered' || kind === 'stitched')
      for (const citation of cited) expect(everything).not.toContain(citation.cited_text);
  });

  it('plants overlapping citations that are all true', async () => {
    const { model: standIn, planted } = extractiveAnswerer({
      sentences: 10,
      plant: Array.from({ length: 10 }, () => 'overlapping' as const),
    });
    messages.model = standIn;
    const message = await send({ messages: [question] });
    const doubled = planted.filter((entry) => entry.kind === 'overlapping');
    expect(doubled.length).toBeGreaterThan(1);
    for (const citation of message.content.flatMap((block) => block.citations ?? []))
      expect(quoted(citation)).toBe(citation.cited_text);
  });

  it('plants at random, the same for the same seed', async () => {
    const kinds: string[][] = [];
    for (let round = 0; round < 2; round++) {
      const { model: standIn, planted } = extractiveAnswerer({
        sentences: 3,
        plantRandomly: { probability: 0.5, seed: 4, kinds: ['invented', 'shifted'] },
      });
      messages.model = standIn;
      for (let i = 0; i < 10; i++) await send({ messages: [question] });
      kinds.push(planted.map((entry) => entry.kind));
    }
    expect(kinds[0]).toEqual(kinds[1]);
    expect(new Set(kinds[0])).toEqual(new Set(['true', 'invented', 'shifted']));
  });
});

describe('the tool-using stand-in', () => {
  const tools = [
    { name: 'find', parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] } },
  ];

  it('calls unknown tools and gives bad input when told, and loops for ever until tools are forbidden', async () => {
    messages.model = toolUser({
      rounds: [[{ name: 'nowhere' }], [{ name: 'find', input: 'no object' }]],
      forever: true,
    });
    const turns: unknown[] = [{ role: 'user', content: 'Go' }];
    const names: string[] = [];
    for (let n = 0; n < 5; n++) {
      const message = await send({ tools, messages: turns });
      expect(message.stop_reason).toBe('tool_use');
      const call = message.content[0] as unknown as { id: string; name: string; input: unknown };
      names.push(`${call.name} ${JSON.stringify(call.input)}`);
      turns.push(
        { role: 'assistant', content: [{ ...call, input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, is_error: true, content: 'no' }] },
      );
    }
    expect(names).toEqual([
      'nowhere "text"',
      'find "no object"',
      'nowhere "text"',
      'find "no object"',
      'nowhere "text"',
    ]);
    const last = await send({ tools, tool_choice: 'none', messages: turns });
    expect(last.content[0]!.text).toBe('Done after 5 rounds of tools.');
  });
});

/** A PDF of one line per page, uncompressed, built by hand. */
function pdf(pages: readonly string[]): string {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages.map((_, i) => `${4 + 2 * i} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  for (const [i, line] of pages.entries()) {
    const content = `BT /F1 12 Tf 50 700 Td (${line}) Tj ET`;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${5 + 2 * i} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
    );
    objects.push(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
  }
  let out = '%PDF-1.4\n';
  const offsets = objects.map((object, i) => {
    const at = out.length;
    out += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const xref = out.length;
  out += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')}`;
  return `${out}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${xref}\n%%EOF\n`;
}
