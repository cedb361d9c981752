import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fetchPublicPage, type PageFetchOptions } from '../../../src/wire/http/page.ts';
import { isPublicAddress } from '../../../src/wire/http/public-address.ts';

describe('which addresses are of the public web', () => {
  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '192.0.2.7',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:8.8.8.8', // mapped: hides where it leads, even when that is public
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::a00:1',
    '2002:7f00:1::',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    '2001:db8::1',
    '2001::1',
    'example.org',
    '',
    '0x7f000001',
  ])('%s is not', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['8.8.8.8', '93.184.216.34', '100.63.255.255', '100.128.0.1', '172.15.0.1', '172.32.0.1', '2606:4700::1111'])(
    '%s is',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
});

async function server(listener: RequestListener): Promise<number> {
  const http = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => http.once('listening', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return (http.address() as AddressInfo).port;
}

/** The stand-in web: every name leads to loopback, which these tests alone call public; `resolved` counts look-ups. */
async function web(listener: RequestListener, more: PageFetchOptions = {}) {
  const port = await server(listener);
  const resolved: string[] = [];
  const options: PageFetchOptions = {
    ports: [port],
    allows: (address) => address === '127.0.0.1',
    resolve: async (name) => {
      resolved.push(name);
      return name.startsWith('private')
        ? ['10.0.0.1']
        : name.startsWith('mixed')
          ? ['127.0.0.1', '10.0.0.1']
          : ['127.0.0.1'];
    },
    ...more,
  };
  return { port, resolved, get: (url: string) => fetchPublicPage(url.replace('PORT', String(port)), options) };
}

describe('a page that somebody named', () => {
  it('comes as it is, from the address that was checked, looked up once, without key or cookie', async () => {
    let headers: NodeJS.Dict<string | string[]> = {};
    const { get, resolved, port } = await web((request, response) => {
      headers = request.headers;
      response.setHeader('content-type', 'text/html; charset=utf-8').end('<p>Hello</p>');
    });
    const { bytes, contentType, url } = await get('http://page.test:PORT/a?b=c');
    expect(Buffer.from(bytes).toString()).toBe('<p>Hello</p>');
    expect({ contentType, url }).toEqual({ contentType: 'text/html', url: `http://page.test:${port}/a?b=c` });
    expect(resolved).toEqual(['page.test']);
    expect(headers.host).toBe(`page.test:${port}`);
    expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
  });

  it.each([
    'file:///etc/passwd',
    'ftp://page.test/',
    'data:text/html,x',
    'javascript:alert(1)',
    'http://user:secret@page.test:PORT/',
    'http://page.test:22/',
    'no address',
  ])('%s is refused before anything is looked up', async (url) => {
    const { get, resolved } = await web((_, response) => void response.end());
    const refused = await get(url).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'UNSAFE_ADDRESS' });
    expect(String(refused)).not.toContain('secret'); // a password of an address is repeated nowhere
    expect(resolved).toEqual([]);
  });

  it.each([
    'http://private.test:PORT/',
    'http://mixed.test:PORT/', // one good address among bad ones is a trap
    'http://10.0.0.1:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://2130706434:PORT/', // 127.0.0.2, as browsers read it
    'http://0x7f.2:PORT/',
  ])('%s is refused, and nothing is connected to', async (url) => {
    let asked = 0;
    const { get } = await web((_, response) => {
      asked++;
      response.end();
    });
    await expect(get(url)).rejects.toMatchObject({ code: 'UNSAFE_ADDRESS' });
    expect(asked).toBe(0);
  });

  it('is followed where it moves, each step checked anew', async () => {
    const { get, port } = await web((request, response) => {
      const to = new URL(request.url!, 'http://x').searchParams.get('to');
      if (to) response.writeHead(302, { location: to }).end();
      else response.setHeader('content-type', 'text/plain').end(`at ${request.url}`);
    });
    const moved = await get('http://page.test:PORT/?to=/next');
    expect(moved.url).toBe(`http://page.test:${port}/next`);
    for (const to of [
      `http://private.test:${port}/`,
      `http://10.0.0.1:${port}/`,
      'file:///etc/passwd',
      'http://169.254.169.254/latest/',
    ]) {
      await expect(get(`http://page.test:PORT/?to=${encodeURIComponent(to)}`), to).rejects.toMatchObject({
        code: 'UNSAFE_ADDRESS',
      });
    }
    await expect(get(`http://page.test:PORT/?to=${encodeURIComponent('/?to=/x')}`)).resolves.toBeDefined();
  });

  it('may not move for ever, be endless, be slow, be of a wrong kind or be packed', async () => {
    const loop = await web((_, response) => void response.writeHead(301, { location: '/' }).end());
    await expect(loop.get('http://page.test:PORT/')).rejects.toMatchObject({ code: 'RESPONSE_INVALID' });
    const endless = await web(
      (_, response) => {
        const pour = (): void => {
          while (response.write('x'.repeat(1000)));
          response.once('drain', pour);
        };
        pour();
      },
      { maxBytes: 5000 },
    );
    await expect(endless.get('http://page.test:PORT/')).rejects.toMatchObject({ code: 'REQUEST_TOO_LARGE' });
    const slow = await web(() => {}, { timeoutMs: 60 });
    await expect(slow.get('http://page.test:PORT/')).rejects.toMatchObject({ code: 'TIMEOUT' });
    const kind = await web((_, response) => void response.setHeader('content-type', 'image/png').end('x'), {
      accept: ['text/html'],
    });
    await expect(kind.get('http://page.test:PORT/')).rejects.toMatchObject({ code: 'RESPONSE_INVALID' });
    const packed = await web((_, response) => void response.setHeader('content-encoding', 'gzip').end('x'));
    await expect(packed.get('http://page.test:PORT/')).rejects.toMatchObject({ code: 'RESPONSE_INVALID' });
    const gone = await web((_, response) => void response.writeHead(404).end());
    await expect(gone.get('http://page.test:PORT/')).rejects.toMatchObject({ code: 'RESPONSE_INVALID', status: 404 });
  });

  it('is left with the caller’s own reason when the caller leaves', async () => {
    const abort = new AbortController();
    const { get } = await web(() => abort.abort(new Error('enough')), { signal: abort.signal });
    await expect(get('http://page.test:PORT/')).rejects.toThrow('enough');
  });
});
