/** Attacks on what an answer says: text that is no text, JSON that is no answer, the key said back. */

import { head, headOf, pick } from './attack-framing.ts';
import type { AttackTable } from './attacks.ts';
import type { Honest, Wire } from './front.ts';

type Spoil = (wire: Wire, honest: Honest) => Buffer | string;

/** The honest answer with another body. */
const body =
  (spoil: Spoil, headers: Readonly<Record<string, string>> = {}, status?: readonly number[]) =>
  async (wire: Wire): Promise<void> => {
    const honest = await wire.honest();
    const bytes = Buffer.from(spoil(wire, honest) as string);
    const told = status === undefined ? honest : { ...honest, status: pick(wire, status) };
    await wire.write(headOf(told, { ...headers, 'content-length': `${bytes.length}` }));
    await wire.write(bytes);
  };

/** JSON text with one value of it, anywhere, in place of which `text` stands. */
export function withValue(wire: Wire, text: string, value: string): string {
  const places = [...text.matchAll(/(?<=[[:,]\s*)("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)(?=\s*[,}\]])/g)];
  const place = places.length === 0 ? undefined : pick(wire, places);
  if (place === undefined) return value;
  return text.slice(0, place.index) + value + text.slice(place.index + place[0].length);
}

const value =
  (make: (wire: Wire) => string): Spoil =>
  (wire, honest) =>
    wire.random() < 0.2 ? make(wire) : withValue(wire, honest.body.toString('utf8'), make(wire));

const strange = [
  'null',
  'true',
  '0',
  '-1',
  '1e999',
  '1e-999',
  '9007199254740993',
  '""',
  '"\\ud800"',
  '"\\u0000"',
  '"\\u202e"',
  '[]',
  '{}',
  '[null]',
  '[[]]',
  '{"type":null}',
  '"http://["',
  '"1969-99-99T99:99:99Z"',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":1,"valueOf":2,"then":3}',
  '{"length":4294967295}',
];

const deep = (wire: Wire): string => {
  const levels = pick(wire, [1_000, 10_000, 100_000, 1_000_000]);
  return wire.random() < 0.5
    ? '['.repeat(levels) + ']'.repeat(levels)
    : `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
};
const key = (wire: Wire): string => {
  const { key } = wire;
  return pick(wire, [key, encodeURIComponent(key), `Bearer ${key}`, JSON.stringify(key).slice(1, -1)]);
};
/** As JSON may spell it: every character as an escape. */
const escapes = ({ key }: Wire): string =>
  [...key].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const errorBodies = (said: string): string[] => [
  `{"error":{"type":${JSON.stringify(said)},"message":${JSON.stringify(said)},"param":${JSON.stringify(said)}}}`,
  `{"detail":{"status":${JSON.stringify(said)},"message":${JSON.stringify(said)}}}`,
  `{"detail":[{"loc":["body",${JSON.stringify(said)}],"msg":${JSON.stringify(said)},"type":"x"}]}`,
  `<html><head><title>${said}</title></head></html>`,
  said,
];

/** The key where the excerpt of a body ends. */
const straddling = (wire: Wire, before: string, after: string): string => {
  const at = pick(wire, [1_000, 2_000, 262_144]) - Math.floor(wire.random() * wire.key.length);
  return before + ' '.repeat(Math.max(0, at - before.length)) + wire.key + after;
};

export const bodies: AttackTable = {
  'half a character': {
    run: body((wire, { body: bytes }) => {
      const half = pick(wire, [Buffer.of(0xe2, 0x82), Buffer.of(0xf0, 0x9f), Buffer.of(0xc0, 0xaf), Buffer.of(0xff)]);
      const at = Math.floor(wire.random() * bytes.length);
      return Buffer.concat([bytes.subarray(0, at), half, bytes.subarray(at)]);
    }),
  },
  'another encoding': {
    run: body((wire, { body: bytes }) => {
      const text = bytes.toString('utf8');
      return pick(wire, [
        Buffer.from(text, 'utf16le'),
        Buffer.from(`\ufeff${text}`),
        Buffer.concat([Buffer.of(0xff, 0xfe), bytes]),
        Buffer.from(text.replaceAll('"', '\0"')),
        Buffer.from(text, 'latin1'),
      ]);
    }),
  },
  'bytes flipped': {
    run: body((wire, { body: bytes }) => {
      const copy = Buffer.from(bytes);
      for (let i = 0; i < 5 && copy.length > 0; i++) copy[Math.floor(wire.random() * copy.length)]! ^= 1 << (i % 8);
      return copy;
    }),
  },
  'cut off': { run: body((wire, { body: bytes }) => bytes.subarray(0, Math.floor(bytes.length * wire.random()))) },
  'strange value': { run: body(value((wire) => pick(wire, strange))) },
  'two strange values': {
    run: body((wire, honest) =>
      withValue(wire, withValue(wire, honest.body.toString('utf8'), pick(wire, strange)), pick(wire, strange)),
    ),
  },
  'a field gone': {
    run: body((wire, honest) => {
      const text = honest.body.toString('utf8');
      const fields = [...text.matchAll(/"\w+"\s*:/g)];
      if (fields.length === 0) return text;
      const field = pick(wire, fields);
      return `${text.slice(0, field.index)}"gone":${text.slice(field.index + field[0].length)}`;
    }),
  },
  'keys twice': {
    run: body((_, { body: bytes }) => bytes.toString('utf8').replace(/\{/g, '{"id":1,"id":{"id":[]},"type":"x",')),
  },
  'keys of the language': {
    run: body((_, { body: bytes }) =>
      bytes.toString('utf8').replace(/\{(?!\s*\})/g, '{"__proto__":{"polluted":true},"constructor":1,"toString":2,'),
    ),
  },
  'many levels': { run: body(value(deep)) },
  'a million levels': { run: body(() => '['.repeat(1_000_000) + ']'.repeat(1_000_000)) },
  'levels without end': { run: body(() => '[{"a":'.repeat(300_000)) },
  'levels in an error': { run: body(deep, {}, [400, 401, 429, 500]) },
  'nothing at all': { run: body((wire) => pick(wire, ['', ' ', '\n\n', 'null', '0', '""', '[]', '{}', '\ufeff'])) },
  'another type': {
    run: async (wire) => {
      const honest = await wire.honest();
      const type = pick(wire, [
        'text/html',
        'image/png',
        'text/event-stream',
        'application/json',
        'multipart/x',
        '\t',
        'x',
      ]);
      await wire.write(headOf(honest, { 'content-type': type, 'content-length': `${honest.body.length}` }));
      await wire.write(honest.body);
    },
  },
  'a web page': {
    run: body(
      (wire) => `<!doctype html><title>Sign in</title><h1>${'<b>'.repeat(pick(wire, [1, 100_000]))}${wire.key}`,
      { 'content-type': 'text/html' },
      [200, 403, 502],
    ),
  },
  'a page that says the key where it is cut': {
    run: body((wire) => straddling(wire, '<html>', '</html>'), { 'content-type': 'text/html' }, [200, 200, 403, 502]),
  },
  'an error that says the key where it is cut': {
    run: body(
      (wire) => (wire.random() < 0.5 ? straddling(wire, '', '') : straddling(wire, '{"error":{"message":"', '"}}')),
      { 'content-type': 'application/json' },
      [200, 400, 401, 500],
    ),
  },
  'the key in an error': {
    run: body((wire) => pick(wire, errorBodies(key(wire))), {}, [200, 301, 400, 401, 403, 404, 422, 429, 500, 529]),
  },
  'the key in escapes': {
    run: body(
      (wire) => `{"error":{"type":"${escapes(wire)}","message":"no ${escapes(wire)}"}}`,
      { 'content-type': 'application/json' },
      [200, 400, 401, 429, 500],
    ),
  },
  'the key as a value': { run: body(value((wire) => JSON.stringify(key(wire)))) },
  'the key as every value': {
    run: body((wire, { body: bytes }) =>
      bytes.toString('utf8').replace(/(?<=:\s*)"(?:[^"\\]|\\.)*"/g, JSON.stringify(wire.key)),
    ),
  },
  'HTTP 200 with an error': {
    run: body((wire) => pick(wire, errorBodies(key(wire))), { 'content-type': 'application/json' }, [200]),
  },
  'an encoding nobody knows': {
    run: body((_, { body: bytes }) => bytes, { 'content-encoding': 'x-own' }),
  },
  'an encoding that is not there': {
    run: async (wire) => {
      const honest = await wire.honest();
      const encoding = pick(wire, ['gzip', 'br', 'deflate', 'zstd', 'gzip, br', 'identity, gzip', `x${wire.key}`]);
      await wire.write(headOf(honest, { 'content-encoding': encoding, 'content-length': `${honest.body.length}` }));
      await wire.write(honest.body);
    },
  },
  'an error without a body': { run: async (wire) => wire.write(head(pick(wire, [400, 401, 429, 500, 529]))) },
};
