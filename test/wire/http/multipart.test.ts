import { createReadStream } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FormPart } from '../../../src/wire/http/contract.ts';
import { formBody } from '../../../src/wire/http/multipart.ts';
import { collect, errorOf, ok, open, operation, raw, reply, scripted } from './support.ts';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

/** Read back by the platform's own parser. */
async function parse(parts: readonly FormPart[]): Promise<[string, unknown][]> {
  const form = formBody(parts);
  const body = Buffer.concat(await collect(form.open()));
  if (form.sizeBytes !== undefined) expect(body.length).toBe(form.sizeBytes);
  const data = await new Response(body, { headers: { 'content-type': form.contentType } }).formData();
  return Promise.all(
    [...data].map(
      async ([name, value]): Promise<[string, unknown]> =>
        typeof value === 'string'
          ? [name, value]
          : [name, { name: value.name, type: value.type, bytes: [...new Uint8Array(await value.arrayBuffer())] }],
    ),
  );
}

describe('a multipart body', () => {
  it('is read back as it was given by a parser of others', async () => {
    const once = async function* (): AsyncGenerator<Uint8Array> {
      yield bytes(1, 2);
      yield bytes();
      yield bytes(13, 10, 45, 45);
    };
    const parts: FormPart[] = [
      { name: 'model_id', value: 'scribe_v2' },
      { name: 'term', value: 'häß 🙂' },
      { name: 'term', value: '' },
      { name: 'a', file: bytes(0, 255), filename: 'a "b".mp3', type: 'audio/mpeg' },
      { name: 'b', file: new Blob([bytes(7, 8)]), filename: 'ü.bin', type: 'application/octet-stream' },
      { name: 'c', file: once(), filename: 'c', type: 'text/plain; charset=utf-8' },
      { name: 'd', file: once, filename: 'd', type: 'audio/x-m4a' },
      { name: 'e', file: bytes(), filename: 'empty', type: 'audio/wav' },
    ];
    expect(await parse(parts)).toEqual([
      ['model_id', 'scribe_v2'],
      ['term', 'häß 🙂'],
      ['term', ''],
      ['a', { name: 'a "b".mp3', type: 'audio/mpeg', bytes: [0, 255] }],
      ['b', { name: 'ü.bin', type: 'application/octet-stream', bytes: [7, 8] }],
      ['c', { name: 'c', type: 'text/plain; charset=utf-8', bytes: [1, 2, 13, 10, 45, 45] }],
      ['d', { name: 'd', type: 'audio/x-m4a', bytes: [1, 2, 13, 10, 45, 45] }],
      ['e', { name: 'empty', type: 'audio/wav', bytes: [] }],
    ]);
  });

  it.each([
    [{ name: 'a', file: bytes(1), filename: '', type: 'audio/mpeg' }],
    [{ name: 'a', file: bytes(1), filename: 'a', type: '' }],
    [{ name: 'a', file: bytes(1), filename: 'a', type: 'audio/mpeg\r\nx: y' }],
    [{ name: 'a\0', value: '' }],
  ])('is refused: %j', (part) => {
    expect(() => formBody([part])).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });

  it('keeps line ends in names from becoming headers', async () => {
    const [body] = await collect(formBody([{ name: 'a"\r\nx: y', value: '1' }], 'b').open());
    expect(Buffer.from(body!).toString()).toBe('--b\r\ncontent-disposition: form-data; name="a%22%0D%0Ax: y"\r\n\r\n');
  });

  it('is sent with its length when that is known, in chunks when not', async () => {
    await using server = await scripted(ok);
    await using transport = open(server);
    const file = { name: 'f', filename: 'f', type: 'audio/wav' };
    await transport.json(operation('refused'), { form: [{ ...file, file: bytes(1, 2, 3) }] });
    await transport.json(operation('refused'), {
      form: [{ ...file, file: () => createReadStream(import.meta.filename) }],
    });
    expect(Number(server.seen[0]!.headers['content-length'])).toBe(server.seen[0]!.body.length);
    expect(server.seen[1]!.headers['transfer-encoding']).toBe('chunked');
    expect(server.seen[1]!.body).toContain('is sent with its length when that is known');
  });

  it('is made anew for another attempt where it can be, and sent once where not', async () => {
    const pieces = async function* (): AsyncGenerator<Uint8Array> {
      yield bytes(97, 98, 99);
    };
    const part = { name: 'f', filename: 'f', type: 'audio/wav' };
    await using server = await scripted(reply(500), ok, reply(500), ok);
    await using transport = open(server);
    expect((await transport.json(operation('refused'), { form: [{ ...part, file: pieces }] })).attempts).toBe(2);
    expect(server.seen.map(({ body }) => body.includes('abc'))).toEqual([true, true]);
    const error = await errorOf(transport.json(operation('always'), { form: [{ ...part, file: pieces() }] }));
    expect(error).toMatchObject({ code: 'SERVICE_FAILED', attempts: 1 });
    expect(server.seen).toHaveLength(3);
  });

  it('whose source breaks gives the error of the source, once', async () => {
    const own = new Error('the disk is gone');
    let opened = 0;
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      opened++;
      yield bytes(1);
      throw own;
    };
    await using server = await raw(() => {});
    await using transport = open(server);
    const form = [{ name: 'f', filename: 'f', type: 'audio/wav', file: broken }];
    expect(await errorOf(transport.json(operation('always'), { form }))).toBe(own);
    expect(opened).toBe(1);
  });
});
