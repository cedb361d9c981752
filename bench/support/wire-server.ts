// A loopback service that answers from memory, in a process of its own, so that a measured client pays for nothing
// but itself.
//
//   node bench/support/wire-server.ts        prints {"port": …} and serves until its stdin ends
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { readFlags } from './flags.ts';

readFlags(import.meta.filename, {});

const word = (i: number): string => ['the ', 'index ', 'häufig ', 'of ', 'documents ', 'is ', 'read '][i % 7]!;

/** One chunk of the transfer coding per piece, as a service sends what it generates. */
function chunked(pieces: Iterable<string>): Buffer {
  const parts: Buffer[] = [];
  for (const piece of pieces) {
    const bytes = Buffer.from(piece);
    parts.push(Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}

function* chatStream(count: number): Generator<string> {
  for (let i = 0; i < count; i++) {
    const chunk = {
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1770768240,
      model: 'answer-base',
      choices: [{ index: 0, delta: { content: word(i) }, finish_reason: i === count - 1 ? 'stop' : null }],
    };
    yield `data: ${JSON.stringify(chunk)}\n\n`;
  }
  yield 'data: [DONE]\n\n';
}

function* messageStream(count: number): Generator<string> {
  const event = (data: { type: string }): string => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'assistant-small-4-5', content: [] };
  const start = { ...message, stop_reason: null, stop_sequence: null, usage: { input_tokens: 9, output_tokens: 1 } };
  yield event({ type: 'message_start', message: start } as { type: string });
  yield event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } } as { type: string });
  for (let i = 0; i < count - 5; i++) {
    yield event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: word(i) } } as {
      type: string;
    });
  }
  yield event({ type: 'content_block_stop', index: 0 } as { type: string });
  const stop = { stop_reason: 'end_turn', stop_sequence: null };
  yield event({ type: 'message_delta', delta: stop, usage: { output_tokens: count } } as { type: string });
  yield event({ type: 'message_stop' });
}

/**
 * As services write them: answers of different lengths in paragraphs with quotes, counts that differ, now and then a
 * refused request.
 */
function* batchResults(count: number): Generator<string> {
  for (let i = 0; i < count; i++) {
    const custom_id = `doc-${i}`;
    if (i % 50 === 49) {
      const error = { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long' } };
      yield `${JSON.stringify({ custom_id, result: { type: 'errored', error } })}\n`;
      continue;
    }
    const words = 60 + (i % 41);
    const text = Array.from({ length: words }, (_, at) => (at % 25 === 24 ? '"quoted"\n\n' : word(i + at))).join('');
    const message = {
      id: `msg_${i}`,
      type: 'message',
      role: 'assistant',
      model: 'assistant-small-4-5',
      content: [{ type: 'text', text }],
      stop_reason: i % 20 === 0 ? 'max_tokens' : 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 90 + (i % 700), output_tokens: words + 5 },
    };
    yield `${JSON.stringify({ custom_id, result: { type: 'succeeded', message } })}\n`;
  }
}

/** A file comes in blocks, whatever its lines. */
function* inBlocks(pieces: Iterable<string>): Generator<string> {
  let block = '';
  for (const piece of pieces) {
    block += piece;
    if (block.length < 16_384) continue;
    yield block.slice(0, 16_384);
    block = block.slice(16_384);
  }
  if (block !== '') yield block;
}

const made = new Map<string, Buffer>();
const cached = (key: string, make: () => Buffer): Buffer => {
  const bytes = made.get(key) ?? make();
  made.set(key, bytes);
  return bytes;
};

const head = (type: string, more = ''): Buffer =>
  Buffer.from(`HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\n${more}\r\n`);

const smallMessage = JSON.stringify({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'assistant-small-4-5',
  content: [{ type: 'text', text: 'ok' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 9, output_tokens: 1 },
});
const smallChat = JSON.stringify({
  id: 'c1',
  object: 'chat.completion',
  created: 1770768240,
  model: 'answer-base',
  choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 },
});
const json = (body: string): Buffer =>
  Buffer.concat([head('application/json', `content-length: ${Buffer.byteLength(body)}\r\n`), Buffer.from(body)]);

/** The size wanted stands in the path of the base address: `/n/200000/…`. */
function answerTo(target: string, body: string, origin: string): Buffer {
  const [, n = '0', path = ''] = /^\/n\/(\d+)(\/[^?]*)/.exec(target) ?? [];
  const count = Number(n);
  const streamed = 'transfer-encoding: chunked\r\n';
  if (/\/chat\/completions$/.test(path)) {
    if (!body.includes('"stream":true')) return json(smallChat);
    return cached(`chat ${n}`, () => Buffer.concat([head('text/event-stream', streamed), chunked(chatStream(count))]));
  }
  if (/\/batches\/\w+\/results$/.test(path)) {
    return cached(`results ${n}`, () =>
      Buffer.concat([head('application/x-jsonl', streamed), chunked(inBlocks(batchResults(count)))]),
    );
  }
  if (/\/batches\/\w+$/.test(path)) {
    const counts = { processing: 0, succeeded: count, errored: 0, canceled: 0, expired: 0 };
    const url = `${origin}/n/${n}${path}/results`;
    const times = {
      created_at: '2026-01-01T00:00:00Z',
      expires_at: '2026-01-02T00:00:00Z',
      ended_at: '2026-01-01T01:00:00Z',
    };
    const rest = { cancel_initiated_at: null, archived_at: null };
    const batch = {
      id: 'b1',
      type: 'message_batch',
      processing_status: 'ended',
      request_counts: counts,
      results_url: url,
    };
    return json(JSON.stringify({ ...batch, ...times, ...rest }));
  }
  if (!body.includes('"stream":true')) return json(smallMessage);
  return cached(`messages ${n}`, () =>
    Buffer.concat([head('text/event-stream', streamed), chunked(messageStream(count))]),
  );
}

/** In slices, waiting for the client: what lies in this process's buffers is not the client's doing. */
async function send(socket: Socket, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length && !socket.destroyed; at += 65_536) {
    if (!socket.write(bytes.subarray(at, at + 65_536))) {
      await new Promise<void>((resolve) => {
        const go = (): void => {
          socket.off('drain', go);
          socket.off('close', go);
          resolve();
        };
        socket.once('drain', go);
        socket.once('close', go);
      });
    }
  }
}

const server = createServer({ noDelay: true }, (socket) => {
  let text = '';
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    for (;;) {
      const end = text.indexOf('\r\n\r\n');
      if (end === -1) return;
      const length = Number(/content-length: *(\d+)/i.exec(text.slice(0, end))?.[1] ?? 0);
      if (text.length < end + 4 + length) return;
      const target = text.slice(text.indexOf(' ') + 1, text.indexOf(' HTTP/'));
      const host = /host: *([^\r]+)/i.exec(text)?.[1] ?? '';
      const body = text.slice(end + 4, end + 4 + length);
      text = text.slice(end + 4 + length);
      void send(socket, answerTo(target, body, `http://${host}`));
    }
  });
});
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: (server.address() as AddressInfo).port })));
process.stdin.on('end', () => process.exit(0)).resume();
