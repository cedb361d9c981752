import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AnswerJson, HitJson, WebJson } from '../../src/index.ts';
import { runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp.ts';
import { keyed, serviceEnvironment } from './support.ts';

async function prepared() {
  const { service } = await keyed();
  const cwd = tempFolder({
    'docs/tower.md': '# Our tower\n\nThe harbour tower of the model village is 33 centimetres tall.',
  });
  const env = { ...serviceEnvironment(service.url), IBID_MESSAGES_API_KEY: '' };
  const ibid = (...args: string[]) => runCli(args, { cwd, env });
  expect((await ibid('ingest', 'docs', '--quiet')).status).toBe(0);
  return { service, ibid, cwd };
}

describe('the web on the command line', () => {
  it('costs what the configuration says, and a budget holds by it', async () => {
    const { ibid, cwd } = await prepared();
    const asked = ['ask', 'How tall is the harbour tower?', '--web', '--web-deadline', '60', '--json'];
    for (const [search, budget, status] of [
      [0.002, 1, 'ok'],
      [0.002, 0.001, 'failed'],
    ] as const) {
      writeFileSync(join(cwd, 'ibid.config.json'), JSON.stringify({ fees: { search }, budget }));
      const { web } = JSON.parse((await ibid(...asked)).stdout) as { web: WebJson };
      expect([web.status, web.costUsd]).toEqual([status, status === 'ok' ? search : 0]);
    }
  });

  it('search --web prints one list, and show finds each cited page again', async () => {
    const { service, ibid } = await prepared();
    const { status, stdout, stderr } = await ibid(
      'search',
      'harbour tower tall',
      '--web',
      '--json',
      '--web-deadline',
      '60',
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const { hits, web } = JSON.parse(stdout) as { hits: HitJson[]; web: WebJson };
    expect(web).toMatchObject({ status: 'ok', costUsd: 0.005 });
    expect(new Set(hits.map(({ origin }) => origin))).toEqual(new Set(['local', 'web']));
    const hit = hits.find(({ uri }) => uri === 'https://example.org/tower')!;
    expect(hit.web).toMatchObject({ published: '2026-01-05', query: 'harbour tower tall', rank: expect.any(Number) });
    service.clear();
    const shown = await ibid('show', hit.citation, '--json');
    expect(JSON.parse(shown.stdout)).toMatchObject({
      uri: hit.uri,
      quote: hit.text,
      web: { snapshot: hit.web!.snapshot },
    });
    expect((await ibid('show', hit.citation)).stdout).toContain('the page as it was read on');
    expect(service.requests).toEqual([]); // from what was kept
    const plain = await ibid(
      'search',
      'harbour tower tall',
      '--web',
      '--web-domain',
      'spam.example.net',
      '--web-deadline',
      '60',
    );
    expect(plain.stdout).toContain('web: https://spam.example.net/');
  });

  it('ask --web cites pages and documents; without --web the web is left alone', async () => {
    const { service, ibid } = await prepared();
    const { stdout } = await ibid(
      'ask',
      'How many metres tall is the Harbour Tower?',
      '--web',
      '--json',
      '--web-deadline',
      '60',
    );
    const answer = JSON.parse(stdout) as AnswerJson;
    expect(answer.web).toMatchObject({ status: 'ok' });
    expect(answer.costUsd).toBe(0.005);
    const cited = answer.citations.find(({ origin }) => origin === 'web')!;
    expect(cited).toMatchObject({ verified: true });
    const shown = await ibid('show', cited.citation, '--json');
    expect(JSON.parse(shown.stdout)).toMatchObject({ quote: cited.quote });
    service.clear();
    await ibid('ask', 'How tall is the tower?');
    expect(service.requests).toEqual([]);
    const alone = await ibid('search', 'tower', '--web-domain', 'example.org');
    expect(alone.status).toBe(2);
    expect(alone.stderr).toMatch(/^error\[INVALID_ARGUMENT\].*--web/m);
  });

  it('says on stderr what of the web is missing, and gives the rest', async () => {
    const { service, ibid } = await prepared();
    service.script({ match: { path: '/search' }, fault: { kind: 'status', status: 401 } });
    const { status, stdout, stderr } = await ibid('search', 'tower', '--web');
    expect(status).toBe(0);
    expect(stdout).toContain('docs/tower.md');
    expect(stderr).toMatch(/^without the web: /m);
  });
});
