import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { madeIndex, started } from '../serve/support.ts';

const PROGRAM = join(import.meta.dirname, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const missing = existsSync(PROGRAM) ? '' : ' (skipped: the suite is not installed: npm run test:peers:install)';

/** What a server of documents does. */
const ours = ['server-initialize', 'ping', 'tools-list', 'resources-list', 'dns-rebinding-protection'];

/**
 * What the suite tries on a server that it brings itself: tools, prompts and resources of certain names. And what a
 * server may leave out, and ours does not declare: log levels, completion, subscriptions, prompts, sessions.
 */
const others =
  /^(tools-call-|prompts-|elicitation-|resources-(read|templates|subscribe|unsubscribe)|logging-|completion-|server-sse-|json-schema-)/;

async function suite(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...args]).catch(
    (error: { stdout: string }) => error, // it ends with 1 when a check failed
  );
  return stdout;
}

describe.skipIf(missing)(`the conformance suite of MCP${missing}`, () => {
  it('has no scenario for servers that is neither ours nor known as not ours', async () => {
    const [servers = ''] = (await suite('list')).split('Client scenarios');
    const names = [...servers.matchAll(/- (\S+) \[/g)].map(([, name]) => name!);
    expect(names).toEqual(expect.arrayContaining(ours));
    expect(names.filter((name) => !ours.includes(name) && !others.test(name))).toEqual([]);
  });

  it.each(ours)('%s', async (scenario) => {
    const { index } = await madeIndex();
    const { url } = await started({ indexes: index });
    const said = await suite('server', '--url', `${url}/mcp`, '--scenario', scenario);
    const [, passed, of, failed] = /Passed: (\d+)\/(\d+), (\d+) failed/.exec(said) ?? [];
    expect({ passed, failed, said }).toEqual({ passed: of, failed: '0', said });
    expect(Number(of)).toBeGreaterThan(0);
  });
});
