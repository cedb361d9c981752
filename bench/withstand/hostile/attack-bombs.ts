/** Attacks on memory: little on the wire that becomes much, and much on the wire. */
import { brotliCompressSync, constants, createGzip, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { head, headOf, pick } from './attack-framing.ts';
import type { AttackTable } from './attacks.ts';
import type { Wire } from './front.ts';

const MIB = 2 ** 20;
/** Unpacked size of a bomb that is cut by nothing else. */
const BOMB_BYTES = 512 * MIB;

/** What a bomb is filled with: the beginning of an answer, and what is repeated. */
const fillings: Readonly<Record<string, readonly [begin: string, repeated: string]>> = {
  space: ['{', ' '],
  'a string': ['{"text":"', 'a'],
  lists: ['[', '[],'],
  objects: ['{"data":[', '{"a":1},'],
  'small numbers': ['{"data":[', '1,'],
  levels: ['', '['],
  'different keys': ['{', ''],
  lines: ['', '{}\n'],
  events: ['', 'data: {}\n\n'],
  'one event': ['data: ', 'x'],
};

/** A piece of the filling of about one MiB. */
function pieceOf(filling: string): Buffer {
  const [, repeated] = fillings[filling]!;
  if (repeated !== '') return Buffer.from(repeated.repeat(Math.floor(MIB / repeated.length)));
  const keys = Array.from({ length: 65_536 }, (_, i) => `"k${(i * 2_654_435_761) >>> 0}":1,`);
  return Buffer.from(keys.join(''));
}

type Packing = 'gzip' | 'br' | 'deflate' | 'zstd';

const packed = new Map<string, readonly [begin: Buffer, repeated: Buffer]>();

/**
 * A bomb as what it begins with and what is repeated: members of gzip and frames of zstd follow each other. Brotli and
 * deflate are made whole, and smaller.
 */
function bomb(packing: Packing, filling: string): readonly [begin: Buffer, repeated: Buffer] {
  const name = `${packing} ${filling}`;
  const known = packed.get(name);
  if (known) return known;
  const [begin] = fillings[filling]!;
  const piece = pieceOf(filling);
  const made: readonly [Buffer, Buffer] =
    packing === 'gzip'
      ? [gzipSync(begin), gzipSync(piece)]
      : packing === 'zstd'
        ? [zstdCompressSync(begin), zstdCompressSync(piece)]
        : [whole(packing, Buffer.concat([Buffer.from(begin), ...new Array<Buffer>(160).fill(piece)])), Buffer.alloc(0)];
  packed.set(name, made);
  return made;
}

const whole = (packing: 'br' | 'deflate', bytes: Buffer): Buffer =>
  packing === 'deflate'
    ? deflateSync(bytes, { level: 1 })
    : brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

/** Statuses of an answer, and of errors, whose bodies are read too. */
const statuses = [200, 200, 200, 400, 429, 500];

const send =
  (packing: Packing, names: readonly string[] = Object.keys(fillings)) =>
  async (wire: Wire): Promise<void> => {
    const [begin, repeated] = bomb(packing, pick(wire, names));
    const honest = await wire.honest();
    const { 'content-length': _, ...headers } = honest.headers;
    await wire.write(head(pick(wire, statuses), { ...headers, 'content-encoding': packing, connection: 'close' }));
    await wire.write(begin);
    if (repeated.length > 0) for (let sent = 0; sent < BOMB_BYTES; sent += MIB) await wire.write(repeated);
  };

const plain =
  (filling: string): AttackTable[string]['run'] =>
  async (wire) => {
    const piece = pieceOf(filling);
    const honest = await wire.honest();
    const { 'content-length': _, ...headers } = honest.headers;
    await wire.write(head(pick(wire, statuses), { ...headers, connection: 'close' }));
    await wire.write(fillings[filling]![0]);
    for (let sent = 0; sent < BOMB_BYTES; sent += MIB) await wire.write(piece);
  };

async function nested(wire: Wire): Promise<void> {
  const levels = pick(wire, [2, 3, 10]);
  let bytes: Buffer = gzipSync(Buffer.alloc(64 * MIB));
  for (let i = 1; i < levels; i++) bytes = gzipSync(bytes);
  await wire.write(headOf(await wire.honest(), { 'content-encoding': new Array(levels).fill('gzip').join(', ') }));
  await wire.write(bytes);
}

const heavy = true;

export const bombs: AttackTable = {
  'gzip bomb': { heavy, run: send('gzip') },
  'brotli bomb': { heavy, run: send('br', ['space', 'a string', 'lists', 'objects', 'events']) },
  'deflate bomb': { heavy, run: send('deflate', ['space', 'a string', 'lists', 'different keys', 'lines']) },
  'zstd bomb': { heavy, run: send('zstd') },
  'bomb in a bomb': { heavy, run: nested },
  'a thousand encodings': {
    heavy,
    run: async (wire) => {
      const encodings = new Array(1_000).fill(pick(wire, ['gzip', 'br', 'zstd'])).join(',');
      await wire.write(headOf(await wire.honest(), { 'content-encoding': encodings }));
      await wire.pause(60_000);
    },
  },
  'gzip that never ends': {
    heavy,
    run: async (wire) => {
      await wire.write(headOf(await wire.honest(), { 'content-encoding': 'gzip', 'content-length': undefined }));
      const gzip = createGzip({ level: 9 });
      gzip.write(Buffer.alloc(MIB));
      gzip.flush();
      for await (const piece of gzip) {
        await wire.write(piece as Buffer); // a stream of bytes yields buffers
        gzip.write(Buffer.alloc(MIB));
        gzip.flush();
        await wire.pause(2);
      }
    },
  },
  'endless string': { heavy, run: plain('a string') },
  'endless list': { heavy, run: plain('lists') },
  'endless objects': { heavy, run: plain('objects') },
  'endless different keys': { heavy, run: plain('different keys') },
  'endless lines': { heavy, run: plain('lines') },
  'one endless event': { heavy, run: plain('one event') },
  'many events': { heavy, run: plain('events') },
};
