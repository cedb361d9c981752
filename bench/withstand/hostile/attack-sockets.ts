/** Attacks on WebSockets: on the upgrade, on frames, on what the messages say, on the end. */
import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { withValue } from './attack-bodies.ts';
import { head, pick } from './attack-framing.ts';
import type { AttackTable } from './attacks.ts';
import type { Wire } from './front.ts';

/** Agrees to speak WebSocket. */
const agree = (wire: Wire, other: Readonly<Record<string, string>> = {}): Promise<void> => {
  const key = `${wire.request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = createHash('sha1').update(key).digest('base64');
  return wire.write(
    head(101, { upgrade: 'websocket', connection: 'Upgrade', 'sec-websocket-accept': accept, ...other }),
  );
};

/** A frame as a server sends it. @param length of another size than the payload's, to lie */
function frame(opcode: number, payload: string | Uint8Array, { fin = true, bits = 0, length = -1 } = {}): Buffer {
  const bytes = Buffer.from(payload as string);
  const size = length < 0 ? bytes.length : length;
  const short = size < 126 ? size : size < 65_536 ? 126 : 127;
  const start = Buffer.of((fin ? 0x80 : 0) | bits | opcode, short);
  const rest = Buffer.alloc(short === 126 ? 2 : short === 127 ? 8 : 0);
  if (short === 126) rest.writeUInt16BE(size);
  if (short === 127) rest.writeBigUInt64BE(BigInt(size));
  return Buffer.concat([start, rest, bytes]);
}

const TEXT = 1;
const [BINARY, CLOSE, PING] = [2, 8, 9];

async function forever(wire: Wire, piece: () => Uint8Array, everyMs = 3): Promise<never> {
  for (;;) {
    await wire.write(piece());
    await wire.pause(everyMs);
  }
}

const once =
  (make: (wire: Wire) => Uint8Array): AttackTable[string]['run'] =>
  async (wire) => {
    await agree(wire);
    await wire.write(make(wire));
    await wire.pause(60_000);
  };

const closing = (code: number, reason: string): Buffer =>
  frame(CLOSE, Buffer.concat([Buffer.of(code >> 8, code & 255), Buffer.from(reason).subarray(0, 123)]));

const refused =
  (make: (wire: Wire) => string): AttackTable[string]['run'] =>
  async (wire) => {
    const body = make(wire);
    await wire.write(
      head(pick(wire, [200, 400, 401, 403, 429, 500]), {
        'content-type': pick(wire, ['application/json', 'text/html']),
        'content-length': `${Buffer.byteLength(body)}`,
        'x-request-id': wire.key,
      }) + body,
    );
  };

const messages = ['null', '[]', '{}', '{', '"x"', '{"audio":7}', '{"audio":"%%%"}', '{"alignment":{"chars":[1]}}'];

/** Honest frames up to a place, then something else. */
const after =
  (spoil: (wire: Wire) => Promise<void>): AttackTable[string]['run'] =>
  async (wire) => {
    const up = await wire.upstream();
    wire.socket.on('data', (bytes) => up.write(bytes));
    wire.socket.on('close', () => up.destroy());
    let left = Math.floor(400 + wire.random() * 20_000);
    for await (const bytes of up as AsyncIterable<Buffer>) {
      await wire.write(bytes.subarray(0, left));
      left -= bytes.length;
      if (left <= 0) break;
    }
    await spoil(wire);
  };

export const sockets: AttackTable = {
  'no agreement': { socket: true, run: (wire) => wire.pause(60_000) },
  'an endless refusal': {
    socket: true,
    run: async (wire) => {
      await wire.write(head(pick(wire, [200, 401, 500]), { 'content-type': 'text/plain' }));
      await forever(wire, () => Buffer.from('x'.repeat(1_000)));
    },
  },
  'a refusal that says the key': {
    socket: true,
    run: refused(({ key }) => `{"error":{"message":${JSON.stringify(key)},"type":${JSON.stringify(key)}}}`),
  },
  'endless headers of an upgrade': {
    socket: true,
    run: async (wire) => {
      await wire.write('HTTP/1.1 101 Switching\r\n');
      await forever(wire, () => Buffer.from(`x: ${'y'.repeat(4_000)}\r\n`));
    },
  },
  'a wrong agreement': {
    socket: true,
    run: (wire) =>
      agree(wire, {
        [pick(wire, ['sec-websocket-accept', 'upgrade', 'sec-websocket-protocol', 'sec-websocket-extensions'])]:
          'x-own',
      }),
  },
  'a socket elsewhere': {
    socket: true,
    run: async (wire) =>
      wire.write(head(pick(wire, [301, 302, 307, 308]), { location: `${wire.trap}/`, 'content-length': '0' })),
  },
  'silence after the agreement': { socket: true, run: once(() => Buffer.alloc(0)) },
  'endless messages': {
    socket: true,
    run: async (wire) => {
      await agree(wire);
      const message = frame(TEXT, pick(wire, messages));
      await forever(wire, () => Buffer.concat(new Array(200).fill(message)));
    },
  },
  'endless pings': {
    socket: true,
    run: async (wire) => {
      await agree(wire);
      await forever(wire, () => Buffer.concat(new Array(200).fill(frame(PING, 'x'.repeat(125)))));
    },
  },
  'a message of endless parts': {
    socket: true,
    run: async (wire) => {
      await agree(wire);
      await wire.write(frame(TEXT, '{"audio":"', { fin: false }));
      await forever(wire, () => frame(0, 'A'.repeat(pick(wire, [1, 8_000])), { fin: false }));
    },
  },
  'a message of a strange kind': {
    socket: true,
    run: once((wire) => frame(pick(wire, [3, 5, 7, 11, 15]), 'x', { bits: pick(wire, [0, 0x10, 0x40, 0x70]) })),
  },
  'a part of nothing': { socket: true, run: once((wire) => frame(0, 'x', { fin: wire.random() < 0.5 })) },
  'a length of a lie': {
    socket: true,
    run: once((wire) => frame(TEXT, 'x', { length: pick(wire, [100, 2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER]) })),
  },
  'half UTF-8 in a message': { socket: true, run: once(() => frame(TEXT, Buffer.of(0xf0, 0x9f, 0x98))) },
  'bytes for a message': { socket: true, run: once((wire) => frame(BINARY, pick(wire, messages))) },
  'a strange message': { socket: true, run: once((wire) => frame(TEXT, pick(wire, messages))) },
  'a message of many levels': { socket: true, run: once(() => frame(TEXT, '['.repeat(1_000_000))) },
  'a message packed without agreement': {
    socket: true,
    run: once(() => frame(TEXT, deflateRawSync('x'), { bits: 0x40 })),
  },
  'a strange end': {
    socket: true,
    run: once((wire) => closing(pick(wire, [0, 1000, 1004, 1005, 1006, 1015, 1011, 2999, 4999, 65_535]), wire.key)),
  },
  'an error that says the key in a message': {
    socket: true,
    run: once(({ key }) =>
      frame(TEXT, JSON.stringify({ error: key, message: key, code: 1008, message_type: 'error' })),
    ),
  },
  'an end in the middle': { socket: true, run: after(async (wire) => void wire.socket.end()) },
  'a reset in the middle': { socket: true, run: after(async (wire) => void wire.socket.resetAndDestroy()) },
  'silence in the middle of messages': { socket: true, run: after((wire) => wire.pause(60_000)) },
  'rubbish in the middle': {
    socket: true,
    run: after(async (wire) => {
      await wire.write(Buffer.from(withValue(wire, '{"a":1}', '"\u0000"')));
      await wire.pause(60_000);
    }),
  },
  'a huge message': {
    socket: true,
    heavy: true,
    run: async (wire) => {
      await agree(wire);
      await wire.write(frame(TEXT, '', { length: 2 ** 31 - 1 }));
      const piece = Buffer.alloc(2 ** 20, 'x');
      for (let sent = 0; sent < 512; sent++) await wire.write(piece);
    },
  },
  'a bomb for a message': {
    socket: true,
    heavy: true,
    run: async (wire) => {
      await agree(wire, { 'sec-websocket-extensions': 'permessage-deflate' });
      const packed = deflateRawSync(Buffer.alloc(160 * 2 ** 20, '['), { level: 1 });
      await wire.write(frame(TEXT, packed, { bits: 0x40 }));
      await wire.pause(60_000);
    },
  },
  'messages faster than they are read': {
    socket: true,
    heavy: true,
    run: async (wire) => {
      await agree(wire);
      const message = frame(TEXT, JSON.stringify({ audio: 'A'.repeat(500_000) }));
      for (let sent = 0; sent < 600; sent++) await wire.write(message);
      await wire.pause(60_000);
    },
  },
};
