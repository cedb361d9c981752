import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { extractiveAnswerer } from '../wire/service/messages/extractive.ts';
import { toolUser } from '../wire/service/messages/tool-user.ts';
import { startService } from '../wire/service/service.ts';

const root = join(import.meta.dirname, '../..');

/** `npm run test:live`, with nothing of this run's own in its environment. */
async function live(keys: NodeJS.ProcessEnv): Promise<{ readonly status: number | null; readonly output: string }> {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(?:IBID_(?!SHARED)|VITEST|NO_COLOR|FORCE_COLOR)/.test(name),
  );
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'vitest.live.config.ts'];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...Object.fromEntries(own), NO_COLOR: '1', ...keys },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const [status] = (await once(child, 'close')) as [number | null]; // the event's documented arguments
  return { status, output };
}

describe('npm run test:live', () => {
  it('without keys sends nothing, and says of each part which key it needs', async () => {
    const { status, output } = await live({});
    expect(status, output).toBe(0);
    expect(output).toContain('needs keys');
    expect(output.match(/skipped: IBID_SEARCH_API_KEY is not set/g)).toHaveLength(4);
    expect(output.match(/skipped: IBID_MESSAGES_API_KEY is not set/g)).toHaveLength(3);
    expect(output.match(/skipped: IBID_AUDIO_API_KEY is not set/g)).toHaveLength(1);
  }, 120_000);

  it('without an explicit yes says what it would cost, and sends nothing', async () => {
    const service = await startService();
    onTestFinished(() => service.close());
    const keys = { IBID_AUDIO_API_KEY: 'test-audio-key', IBID_AUDIO_BASE_URL: service.url };
    for (const answer of [{}, { IBID_LIVE: '1' }]) {
      const { status, output } = await live({ ...keys, ...answer });
      expect(status).toBe(1);
      expect(output).toMatch(/^ {2}speech +\d\.\d{6} USD\n {2}transcript +\d\.\d{6} USD$/m);
      expect(output).toContain('nothing was sent: set IBID_LIVE=yes');
    }
    expect(service.requests).toEqual([]);
  }, 120_000);

  it('with one key says what that one may cost, and of the rest that it is left out', async () => {
    const service = await startService({ only: ['messages'] });
    onTestFinished(() => service.close());
    service.script({ match: {}, fault: { kind: 'status', status: 401 }, times: 99 });
    const keys = { IBID_MESSAGES_API_KEY: 'test-key', IBID_MESSAGES_BASE_URL: service.url, IBID_LIVE: 'yes' };
    const { status, output } = await live(keys);
    expect(status).toBe(1); // the key is refused
    const told = [...output.matchAll(/^ {2}([a-z ]+?) +(\d\.\d{6}) USD$/gm)];
    expect(told.map(([, part]) => part)).toEqual(['grounded', 'agent', 'batch']);
    const sum = told.reduce((total, [, , usd]) => total + Number(usd), 0);
    expect(Number(/price lists: (\d\.\d{4}) USD/.exec(output)![1])).toBeCloseTo(sum, 3);
    expect(output).toMatch(/spent: 0\.000000 of 0\.5 USD/);
  }, 240_000);

  it('with keys says what it may cost before it sends, passes, and spends what the books say', async () => {
    const service = await startService();
    onTestFinished(() => service.close());
    const answer = extractiveAnswerer().model;
    service.messages.model = toolUser({
      rounds: [[{ name: 'search_index', input: { query: 'lamp full tank nights' } }]],
      answer,
    });
    const { status, output } = await live({
      IBID_SEARCH_API_KEY: 'test-search-key',
      IBID_SEARCH_BASE_URL: service.url,
      IBID_MESSAGES_API_KEY: 'test-key',
      IBID_MESSAGES_BASE_URL: service.url,
      IBID_AUDIO_API_KEY: 'test-audio-key',
      IBID_AUDIO_BASE_URL: service.url,
      IBID_LIVE: 'yes',
    });
    expect(status, output).toBe(0);
    expect(output).not.toMatch(/\d+ skipped/);
    const announced = Number(/At most, by the price lists: (\d\.\d{4}) USD/.exec(output)?.[1]);
    expect(announced).toBeGreaterThan(0);
    expect(announced).toBeLessThan(0.5);
    expect(output.indexOf('At most')).toBeLessThan(output.indexOf('✓'));
    const spent = Number(/spent: (\d\.\d{6}) of 0\.5 USD/.exec(output)?.[1]);
    const books = service.ledger.totals().usd;
    expect(spent).toBeGreaterThan(0);
    expect(spent).toBeLessThanOrEqual(announced);
    const audio = [...output.matchAll(/^ {2}(?:speech|transcript) +(\d\.\d{6}) USD$/gm)].map(([, usd]) => Number(usd));
    const billed = spent - audio.reduce((sum, usd) => sum + usd, 0); // audio is booked at its highest price
    expect(Math.abs(billed - books)).toBeLessThan(1e-5); // a query's embedding is told of nowhere: millionths of a dollar
  }, 240_000);
});
