// Sends wrong requests to a server of its own: fuzzed bodies, queries, headers, paths and raw bytes, to each of its
// faces. A finding is an answer of 500, an answer that holds a path of this machine or a stack, a server that no longer
// answers, or one whose places are not given back.
//
//   node bench/serve/fuzz.ts [--attempts 10000] [--seed 1] [--face api]
//
// Faces are api, dialects, mcp and raw; all of them without `--face`.
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openIndex } from '../../src/index.ts';
import { seededRandom } from '../../src/internal.ts';
import { type RunningServer, serve } from '../../src/serve.ts';
import { readFlags, wrongUse } from '../support/flags.ts';

export const faces = ['api', 'dialects', 'mcp', 'raw'] as const;
export type Face = (typeof faces)[number];

export interface FuzzReport {
  readonly face: Face;
  readonly attempts: number;
  /** Answers by status; 0: the connection was ended without one. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly findings: readonly string[];
}

interface Attempt {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

type Random = () => number;

const paths: Readonly<Record<Face, readonly string[]>> = {
  api: ['search', 'ask', 'documents', 'document', 'show', 'source', 'facets', 'status', 'none', ''].map(
    (name) => `/api/${name}`,
  ),
  dialects: [
    '/search',
    '/chat/completions',
    '/v1/chat/completions',
    '/v1/responses',
    '/v1/embeddings',
    '/v1/models',
    '/v1/models/x',
  ],
  mcp: ['/mcp'],
  raw: ['/api/search'],
};

/** Keys that mean something somewhere, so that many attempts come past the first check. */
const names = (
  'query question limit mode where neighbours explain sentences passages history stream index uri from to ref offset ' +
  'messages model input max_results search_domain_filter search_after_date_filter encoding_format dimensions ' +
  'jsonrpc id method params name arguments cursor __proto__ constructor'
).split(' ');
const strings = [
  ...[
    'pump',
    '',
    ' ',
    '\u0000',
    '\ud800',
    '../../etc/passwd',
    '%00',
    "' OR 1=1 --",
    '"',
    '{',
    '{}',
    '[]',
    'null',
    '1e309',
    '-1',
  ],
  ...[
    'note:1',
    'note:1#0-5',
    'note:1#9-2',
    'note:1#0-99999999',
    'note:1#0-5@deadbeef',
    '#',
    'lexical',
    'dense',
    'extractive',
  ],
  ...[
    'grounded',
    'user',
    'tools/call',
    'tools/list',
    'resources/read',
    'initialize',
    'search',
    'ask',
    'read',
    '2.0',
    'a'.repeat(5000),
  ],
  ...[
    'metadata.x',
    'format',
    'metadata.',
    'position',
    '*',
    'a*',
    '"open phrase',
    '-pump',
    '🏭'.repeat(300),
    '\u202e\u0007',
    '12/31/2020',
  ],
];

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

function value(random: Random, depth: number): unknown {
  const kind = random();
  if (kind < 0.35) return pick(random, strings);
  if (kind < 0.5) return pick(random, [0, 1, -1, 5, 1.5, 1e15, Number.MAX_SAFE_INTEGER, 1e308]);
  if (kind < 0.6) return pick(random, [true, false, null]);
  if (depth > 4) return {};
  if (kind < 0.75) return Array.from({ length: Math.floor(random() * 4) }, () => value(random, depth + 1));
  return object(random, depth + 1);
}

function object(random: Random, depth: number): object {
  const entries = Array.from({ length: Math.floor(random() * 5) }, () => [pick(random, names), value(random, depth)]);
  return Object.fromEntries(entries);
}

/** A request that is right, to be made wrong in one place. */
const right: Readonly<Record<string, object>> = {
  '/api/search': { query: 'pump', limit: 3, where: { format: 'text' } },
  '/api/ask': { question: 'When is the pump serviced?', sentences: 2, history: [{ role: 'user', text: 'Hello' }] },
  '/api/documents': { limit: 3 },
  '/api/document': { uri: 'note:1' },
  '/api/show': { ref: 'note:1#0-5' },
  '/search': { query: 'pump', max_results: 3, search_domain_filter: ['docs'] },
  '/chat/completions': { model: 'x', messages: [{ role: 'user', content: 'pump?' }], stream: true },
  '/v1/chat/completions': { model: 'x', messages: [{ role: 'user', content: 'pump?' }] },
  '/v1/responses': { model: 'x', input: 'pump?' },
  '/v1/embeddings': { model: 'x', input: ['pump'] },
  '/mcp': { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search', arguments: { query: 'pump' } } },
};

/** A message of the protocol of 2026, with the headers that it must have. */
const mcpOf2026 = {
  headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'search' },
  message: {
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: {
      ...{ name: 'search', arguments: { query: 'pump' } },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  },
};

/** Puts a random value somewhere into a copy. */
function spoiled(random: Random, of: unknown): unknown {
  if (typeof of !== 'object' || of === null || random() < 0.15) return value(random, 0);
  const copy: Record<string, unknown> = Array.isArray(of) ? ([...of] as unknown as Record<string, unknown>) : { ...of };
  const at = random() < 0.8 ? pick(random, Object.keys(copy)) : pick(random, names);
  if (at === undefined) return value(random, 0);
  if (random() < 0.1) delete copy[at];
  else
    Object.defineProperty(copy, at, {
      value: spoiled(random, copy[at]),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return copy;
}

function attemptOf(face: Face, random: Random): Attempt {
  const path = pick(random, paths[face]);
  const headers: Record<string, string> = {
    host: 'localhost',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const isOf2026 = face === 'mcp' && random() < 0.5;
  if (isOf2026) Object.assign(headers, mcpOf2026.headers);
  if (random() < 0.15)
    headers[
      pick(random, [
        'host',
        'origin',
        'content-type',
        'accept',
        'range',
        'authorization',
        'if-none-match',
        'mcp-protocol-version',
      ])
    ] = pick(random, [
      'x',
      '*/*',
      'null',
      'http://evil.example',
      'bytes=5-1',
      'bytes=-0',
      'Bearer x',
      'a'.repeat(9000),
      'application/json; charset=utf-16',
    ]);
  if (random() < 0.25) {
    const query = Array.from({ length: Math.floor(random() * 4) }, () => {
      const text = pick(random, strings).toWellFormed();
      return `${pick(random, names)}=${random() < 0.8 ? encodeURIComponent(text.slice(0, 500)) : '%zz%'}`;
    });
    return {
      method: pick(random, ['GET', 'HEAD', 'GET', 'DELETE', 'PUT', 'OPTIONS']),
      path: `${path}?${query.join('&')}`,
      headers,
    };
  }
  const base = isOf2026 ? mcpOf2026.message : (right[path] ?? {});
  const whole = JSON.stringify(random() < 0.1 ? base : spoiled(random, base)) ?? '';
  const body = random() < 0.05 ? whole.slice(0, Math.floor(random() * whole.length)) : whole;
  return { method: 'POST', path, headers, body };
}

interface Told {
  readonly status: number;
  readonly text: string;
}

/** An answer, or status 0 for a connection that ended without one. */
function send(server: RunningServer, { method, path, headers, body }: Attempt): Promise<Told> {
  return new Promise((resolve) => {
    const sent = request({ port: server.port, method, path, headers, timeout: 20_000 }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response
        .on('end', () => resolve({ status: response.statusCode ?? 0, text }))
        .on('error', () => resolve({ status: 0, text }));
    });
    sent.on('timeout', () => sent.destroy()).on('error', () => resolve({ status: 0, text: '' }));
    sent.end(body);
  });
}

/** Bytes that are no request, or half of one. */
function sendRaw(server: RunningServer, random: Random): Promise<Told> {
  const pieces = [
    'GET ',
    'POST ',
    '/api/search?query=x',
    ' HTTP/1.1\r\n',
    ' HTTP/9.9\r\n',
    'Host: localhost\r\n',
    'Content-Length: 5\r\n',
  ];
  const more = [
    'Content-Length: -1\r\n',
    'Transfer-Encoding: chunked\r\n',
    '\r\n',
    '\n',
    '\u0000\u0001',
    'fffffffff\r\n',
    '0\r\n\r\n',
    '{"query":"x"}',
    'a'.repeat(20_000),
  ];
  const text = Array.from({ length: 1 + Math.floor(random() * 8) }, () => pick(random, [...pieces, ...more])).join('');
  return new Promise((resolve) => {
    let answered = '';
    const socket = connect(server.port, '127.0.0.1', () => {
      socket.write(text);
      setTimeout(() => socket.destroy(), random() < 0.9 ? 5 : 50);
    });
    socket.on('data', (piece) => {
      answered += piece;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(answered)?.[1] ?? 0), text: answered }));
  });
}

/** Sends wrong requests to one face of a server that is made for it. */
export async function fuzz(
  face: Face,
  { attempts, seed }: { readonly attempts: number; readonly seed: number },
): Promise<FuzzReport> {
  const random = seededRandom(seed);
  const folder = mkdtempSync(join(tmpdir(), 'ibid-fuzz-'));
  const statuses: Record<number, number> = {};
  const findings: string[] = [];
  try {
    await using index = await openIndex(join(folder, 'index'), { create: true });
    await index.add([
      { uri: 'note:1', text: 'The pump is serviced in May.', metadata: { team: 'ops', year: 2024 } },
      { uri: 'note:2', text: 'The ferry leaves at seven.' },
    ]);
    await using server = await serve({ indexes: index, port: 0, limits: { receiveMs: 2000 } });
    const one = async (number: number): Promise<void> => {
      const attempt = attemptOf(face, random);
      const { status, text } = face === 'raw' ? await sendRaw(server, random) : await send(server, attempt);
      statuses[status] = (statuses[status] ?? 0) + 1;
      const shown = (): string =>
        `attempt ${number} of seed ${seed}: ${JSON.stringify(attempt).slice(0, 400)} → ${status} ${text.slice(0, 200)}`;
      if (status === 500) findings.push(shown());
      if (text.includes(folder) || /\bat .*\.[jt]s:\d+/.test(text)) findings.push(`leak: ${shown()}`);
    };
    for (let at = 0; at < attempts; at += 8)
      await Promise.all(Array.from({ length: Math.min(8, attempts - at) }, (_, i) => one(at + i)));
    const after = await send(server, { method: 'GET', path: '/api/search?query=pump', headers: { host: 'localhost' } });
    if (after.status !== 200) findings.push(`the server answers a right request with ${after.status} afterwards`);
    const { text } = await send(server, { method: 'GET', path: '/metrics', headers: { host: 'localhost' } });
    if (!/^ibid_requests_working 0$/m.test(text)) findings.push('places were not given back');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { face, attempts, statuses, findings };
}

if (import.meta.main) {
  const { values } = readFlags(import.meta.filename, {
    options: {
      attempts: { type: 'string', default: '10000' },
      seed: { type: 'string', default: '1' },
      face: { type: 'string' },
    },
  });
  if (values.face !== undefined && !(faces as readonly string[]).includes(values.face))
    wrongUse(import.meta.filename, `there is no face "${values.face}"`);
  let failed = false;
  for (const face of faces.filter((one) => values.face === undefined || one === values.face)) {
    const report = await fuzz(face, { attempts: Number(values.attempts), seed: Number(values.seed) });
    console.log(JSON.stringify({ ...report, findings: report.findings.length }));
    for (const finding of report.findings.slice(0, 10)) console.log(finding);
    failed ||= report.findings.length > 0;
  }
  process.exitCode = failed ? 1 : 0;
}
