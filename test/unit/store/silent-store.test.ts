import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { connectDatabase } from '../../../src/store/index.ts';

it('an object store that takes connections and says nothing is given up after a minute', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    vi.useRealTimers();
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const storageOptions = {
    account_name: 'account',
    account_key: 'a2V5',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    allow_http: 'true',
  };
  const database = await connectDatabase('az://docs/index', { storageOptions });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const names = database.names().catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await names).toMatchObject({
    code: 'STORE_FAILED',
    message: 'the database cannot be opened: the object store has not answered for 60 s',
  });
});
