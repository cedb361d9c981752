/** Attacks on the shape of an answer: its head, its length, its end, where it leads, what it asks to wait. */
import type { AttackTable } from './attacks.ts';
import type { Honest, Wire } from './front.ts';

export const head = (status: number, headers: Readonly<Record<string, string>> = {}): string =>
  `HTTP/1.1 ${status} Any\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

/** The honest head with other headers; `undefined` takes one away. */
export function headOf({ status, headers }: Honest, other: Readonly<Record<string, string | undefined>> = {}): string {
  const all = { ...headers, ...other };
  const kept = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return head(status, Object.fromEntries(kept));
}

export const pick = <T>(wire: Wire, from: readonly T[]): T => from[Math.floor(wire.random() * from.length)]!;
const cut = (wire: Wire, bytes: Buffer): Buffer => bytes.subarray(0, Math.floor(bytes.length * wire.random()));
const chunk = (bytes: string | Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`${Buffer.byteLength(bytes as string).toString(16)}\r\n`),
    Buffer.from(bytes as string),
    Buffer.from('\r\n'),
  ]);

async function forever(wire: Wire, piece: () => string | Uint8Array, everyMs: number): Promise<never> {
  for (;;) {
    await wire.write(piece());
    if (everyMs > 0) await wire.pause(everyMs);
  }
}

async function drip(wire: Wire, bytes: string | Uint8Array): Promise<void> {
  for (const byte of Buffer.from(bytes as string)) {
    await wire.write(Buffer.of(byte));
    await wire.pause(15);
  }
}

const redirect =
  (to: (wire: Wire) => string): AttackTable[string]['run'] =>
  async (wire) =>
    wire.write(head(pick(wire, [301, 302, 303, 307, 308]), { location: to(wire), 'content-length': '0' }));

const refusal =
  (headers: (wire: Wire) => Readonly<Record<string, string>>, statuses: readonly number[] = [429, 503, 529]) =>
  async (wire: Wire): Promise<void> => {
    const body = '{"error":{"message":"later","type":"rate_limit_error"}}';
    await wire.write(
      head(pick(wire, statuses), {
        'content-type': 'application/json',
        'content-length': `${body.length}`,
        ...headers(wire),
      }),
    );
    await wire.write(body);
  };

const filler = 'x'.repeat(8_000);

export const framing: AttackTable = {
  'endless headers': {
    run: async (wire) => {
      await wire.write('HTTP/1.1 200 OK\r\n');
      await forever(wire, () => `x-${Math.floor(wire.random() * 1e9)}: ${filler}\r\n`, 5);
    },
  },
  'one endless header': {
    run: async (wire) => {
      await wire.write('HTTP/1.1 200 OK\r\nx-long: ');
      await forever(wire, () => filler, 5);
    },
  },
  'many small headers': {
    run: async (wire) => {
      await wire.write('HTTP/1.1 200 OK\r\n');
      await forever(wire, () => 'a:b\r\n'.repeat(200), 5);
    },
  },
  'slow headers': { run: (wire) => drip(wire, head(200, { 'x-slow': filler })) },
  'slow body': {
    run: async (wire) => {
      const honest = await wire.honest();
      await wire.write(headOf(honest, { 'content-length': `${honest.body.length}` }));
      await drip(wire, honest.body);
      await wire.pause(60_000);
    },
  },
  'slow endless body': {
    run: async (wire) => {
      await wire.write(head(200, { 'content-type': 'application/json' }));
      await forever(wire, () => ' ', 20);
    },
  },
  'slow error': {
    run: async (wire) => {
      await wire.write(head(pick(wire, [400, 401, 404, 500]), { 'content-type': 'text/plain' }));
      await forever(wire, () => 'w', 20);
    },
  },
  'no answer': { run: (wire) => wire.pause(60_000) },
  'no body': {
    run: async (wire) => {
      await wire.write(headOf(await wire.honest()));
      await wire.pause(60_000);
    },
  },
  'silence in the middle': {
    run: async (wire) => {
      const honest = await wire.honest();
      await wire.write(headOf(honest));
      await wire.write(cut(wire, honest.body));
      await wire.pause(60_000);
    },
  },
  'length too long': {
    run: async (wire) => {
      const honest = await wire.honest();
      await wire.write(headOf(honest, { 'content-length': `${honest.body.length + 7}` }));
      await wire.write(honest.body);
    },
  },
  'length too short': {
    run: async (wire) => {
      const honest = await wire.honest();
      await wire.write(headOf(honest, { 'content-length': `${Math.floor(honest.body.length / 2)}` }));
      await wire.write(honest.body);
    },
  },
  'impossible length': {
    run: async (wire) => {
      const length = pick(wire, ['-1', '1e9', '99999999999999999999', '9007199254740993', '12, 13', '0x10', '']);
      const honest = await wire.honest();
      await wire.write(headOf(honest, { 'content-length': length }));
      await wire.write(honest.body);
    },
  },
  'length and chunks': {
    run: async (wire) => {
      const honest = await wire.honest();
      await wire.write(headOf(honest, { 'content-length': '3', 'transfer-encoding': 'chunked' }));
      await wire.write(Buffer.concat([chunk(honest.body), Buffer.from('0\r\n\r\n')]));
    },
  },
  'broken chunks': {
    run: async (wire) => {
      const honest = await wire.honest();
      await wire.write(headOf(honest, { 'content-length': undefined, 'transfer-encoding': 'chunked' }));
      await wire.write(pick(wire, ['zz\r\nxx', '-5\r\n', 'fffffffffffffffff\r\nx', '5\r\nab', '5;x=y\n\nabcde\n']));
    },
  },
  'endless chunk extension': {
    run: async (wire) => {
      await wire.write(head(200, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }));
      await wire.write('1;');
      await forever(wire, () => filler, 5);
    },
  },
  trailers: {
    run: async (wire) => {
      const honest = await wire.honest();
      await wire.write(headOf(honest, { 'content-length': undefined, 'transfer-encoding': 'chunked', trailer: 'x-t' }));
      await wire.write(Buffer.concat([chunk(honest.body), Buffer.from(`0\r\nx-t: ${wire.key}\r\n\r\n`)]));
    },
  },
  'endless trailers': {
    run: async (wire) => {
      const honest = await wire.honest();
      await wire.write(headOf(honest, { 'content-length': undefined, 'transfer-encoding': 'chunked' }));
      await wire.write(Buffer.concat([chunk(honest.body), Buffer.from('0\r\n')]));
      await forever(wire, () => `x-t: ${filler}\r\n`, 5);
    },
  },
  'continue for ever': {
    run: (wire) => forever(wire, () => head(pick(wire, [100, 100, 103]), { link: '</x>; rel=preload' }), 5),
  },
  'two answers': {
    run: async (wire) => {
      const honest = await wire.honest();
      const answer = Buffer.concat([
        Buffer.from(headOf(honest, { 'content-length': `${honest.body.length}` })),
        honest.body,
      ]);
      await wire.write(Buffer.concat([answer, answer]));
      await wire.pause(500);
    },
  },
  'no HTTP': {
    run: async (wire) => wire.write(pick(wire, ['SSH-2.0-x\r\n', '\0\0\0\0', 'HTTP/9.9 abc\r\n\r\n', '220 mail\r\n'])),
  },
  'status of no meaning': {
    run: async (wire) => wire.write(head(pick(wire, [101, 199, 206, 226, 299, 304, 306, 418, 451, 599, 700, 999]))),
  },
  '204 with a body': {
    run: async (wire) => {
      const { body } = await wire.honest();
      await wire.write(head(pick(wire, [204, 205, 304]), { 'content-length': `${body.length}` }));
      await wire.write(body);
    },
  },
  'close at once': { run: async (wire) => void wire.socket.end() },
  'close in the head': {
    run: async (wire) => wire.write(cut(wire, Buffer.from(head(200, { 'content-length': '9' })))),
  },
  'close in the body': {
    run: async (wire) => {
      const honest = await wire.honest();
      await wire.write(headOf(honest, { 'content-length': `${honest.body.length}` }));
      await wire.write(cut(wire, honest.body));
    },
  },
  'reset at once': { run: async (wire) => void wire.socket.resetAndDestroy() },
  'reset in the body': {
    run: async (wire) => {
      const honest = await wire.honest();
      await wire.write(headOf(honest, { 'content-length': `${honest.body.length}` }));
      await wire.write(cut(wire, honest.body));
      await wire.pause(5);
      wire.socket.resetAndDestroy();
    },
  },
  'redirect to another host': {
    run: redirect((wire) =>
      pick(wire, [
        `${wire.trap}/steal`,
        wire.trap.replace('http:', 'https:'),
        `//${new URL(wire.trap).host}/`,
        `\\\\${new URL(wire.trap).host}\\`,
        wire.trap.replace('127.0.0.2', 'localhost'),
        wire.trap.replace('http://', `http://127.0.0.1@`),
        `${wire.trap}/?key=${wire.key}`,
      ]),
    ),
  },
  'redirect to a private address': {
    run: redirect((wire) =>
      pick(wire, [
        'http://169.254.169.254/latest/meta-data/',
        'http://10.0.0.1/',
        'http://[::1]:1/',
        'http://0x7f000002:80/',
        'http://[::ffff:127.0.0.2]/',
        'file:///etc/passwd',
        'ftp://127.0.0.2/',
        'data:application/json,{}',
        'javascript:0',
      ]),
    ),
  },
  'redirect in a circle': { run: redirect((wire) => wire.self) },
  'redirect to nothing': { run: redirect((wire) => pick(wire, ['', '//', 'http://[', 'http://', '\0', filler])) },
  'wait for ever': {
    run: refusal((wire) => ({
      'retry-after': pick(wire, [
        '1e9',
        '999999999999',
        '-5',
        'NaN',
        'Infinity',
        'Fri, 31 Dec 9999 23:59:59 GMT',
        '61',
      ]),
      'x-should-retry': 'true',
    })),
  },
  'wait for ever, in other words': {
    run: refusal((wire) => ({
      'retry-after-ms': pick(wire, ['999999999999999999999999', '-1', '0', '1e400', '59999']),
      'x-ratelimit-reset': pick(wire, ['99999999999', '0', '-1']),
      'x-ratelimit-remaining': '0',
      'x-ratelimit-limit': pick(wire, ['0', '1', '-1']),
    })),
  },
  'limits of nothing': {
    run: async (wire) => {
      const honest = await wire.honest();
      const limits = { 'x-ratelimit-limit': '0', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '9999999999' };
      const others = { 'maximum-concurrent-requests': '0', 'x-service-ratelimit-requests-limit': '0' };
      await wire.write(headOf(honest, { ...limits, ...others, 'content-length': `${honest.body.length}` }));
      await wire.write(honest.body);
    },
  },
  'the key in the head': {
    run: refusal(
      ({ key }) => ({
        'x-request-id': `req ${key}`,
        'request-id': encodeURIComponent(key),
        'content-type': `text/${key}`,
        'www-authenticate': `Bearer ${key}`,
        location: `http://127.0.0.1/${key}`,
      }),
      [200, 302, 400, 401, 429, 500],
    ),
  },
};
