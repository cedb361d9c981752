import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { inspect, promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { IbidError } from '../../../src/index.ts';
import { queueState } from '../../../src/queue.ts';
import { ownRedis } from '../../support/queue.ts';
import { freePort, hasRedis, startRedis } from '../../support/redis.ts';
import { tempFolder } from '../../support/temp.ts';

async function failure(url: string): Promise<IbidError> {
  return await queueState(url).then(
    () => expect.fail('it was let in'),
    (error: IbidError) => error,
  );
}

const hasOpenSsl = (() => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

const why = hasRedis ? '' : ' (skipped: no redis-server)';

describe(`the address of a queue${why}`, { timeout: 30_000 }, () => {
  it.skipIf(!hasRedis)('is told without its password, also by what caused the error', async () => {
    const redis = await ownRedis('--requirepass', 'secret');
    const { host } = new URL(redis.url);
    for (const user of ['', 'me']) {
      const error = await failure(`redis://${user}:hunter2@${host}`);
      expect(error).toMatchObject({ code: 'CONNECTION_FAILED', message: expect.stringContaining('WRONGPASS') });
      expect(inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true })).not.toContain('hunter2');
    }
  });

  it.skipIf(!hasRedis)('names a database that is there', async () => {
    const redis = await ownRedis('--databases', '4');
    for (const database of ['', '/', '/0', '/3']) expect((await queueState(redis.url + database)).dead).toBe(0);
    for (const database of ['/4', '/99999999999999999999'])
      expect(await failure(redis.url + database)).toMatchObject({
        code: 'CONNECTION_FAILED',
        message: expect.stringMatching(/does not let us in: ERR .*(range|invalid)/),
      });
  });

  it.each([
    'redis://127.0.0.1:1/jobs',
    'redis://127.0.0.1:1/3/4',
    'redis://user:12/hunter@127.0.0.1:1',
    'redis://user:12#hunter@127.0.0.1:1',
  ])('%s is refused: it has more behind the host than a database', async (url) => {
    const error = await failure(url);
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('number of a database') });
    expect(inspect(error)).not.toContain('hunter');
  });

  it('does not hold the program when nothing there answers', async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => sockets.push(socket.on('error', () => {}))).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const { port } = server.address() as { port: number };
    const door = JSON.stringify(join(import.meta.dirname, '../../../src/queue.ts'));
    const program = `import { queueState } from ${door};
      await queueState('redis://127.0.0.1:${port}').catch(({ message }) => console.log(message));`;
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { timeout: 20_000 });
    expect((await run).stdout.trim()).toBe(`no Redis answers at 127.0.0.1:${port}`);
  });
});

describe.skipIf(!hasRedis || !hasOpenSsl)('a Redis with TLS', { timeout: 60_000 }, () => {
  it('says what is the matter with certificate and protocol, and is used with its authority', async () => {
    const folder = tempFolder();
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, '-days', '2', ...subject],
      { stdio: 'ignore' },
    );
    const port = await freePort();
    const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', cert];
    const options = ['--tls-port', String(port), ...files, '--tls-auth-clients', 'no'];
    const redis = await startRedis(folder, ...options);
    onTestFinished(() => redis.kill());
    const secured = `rediss://127.0.0.1:${port}`;
    expect(await failure(secured)).toMatchObject({
      message: expect.stringMatching(/certificate that is not trusted: self-signed certificate$/),
      hint: expect.stringContaining('NODE_EXTRA_CA_CERTS='),
    });
    expect(await failure(`redis://127.0.0.1:${port}`)).toMatchObject({ hint: expect.stringContaining('rediss://') });
    expect(await failure(redis.url.replace('redis:', 'rediss:'))).toMatchObject({
      hint: expect.stringMatching(/redis:\/\/\.$/),
    });
    const cli = join(import.meta.dirname, '../../../src/cli/main.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [cli, 'queue', '--queue', secured], {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: cert },
    });
    expect(stdout).toContain('0 workers');
  });
});
