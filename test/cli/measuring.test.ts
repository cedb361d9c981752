import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CliResult, cliEntry, runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp.ts';

const errorOf = ({ stdout }: CliResult): { code: string; message: string; hint?: string } =>
  (JSON.parse(stdout) as { error: { code: string; message: string; hint?: string } }).error;

describe('ibid eval', () => {
  it('has no flag for a copy of an index that it makes itself', async () => {
    const { status, stderr } = await runCli(['eval', '.', '--index-cache', 'copy'], { cwd: tempFolder() });
    expect(status).toBe(2);
    expect(stderr).toContain("unknown option '--index-cache'");
  });
});

describe('ibid eval and ibid tune', { timeout: 60_000 }, () => {
  it('leave no copy of the documents behind when a reader closes their output early', async () => {
    const files = {
      'corpus.jsonl': '{"_id": "one", "text": "An anchor holds best in clay."}\n',
      'queries.jsonl': '{"_id": "q1", "text": "anchor"}\n',
      'qrels/test.tsv': 'q1\tone\t1\n',
      'questions.jsonl': Array.from({ length: 20 }, (_, i) => `{"question": "anchor ${i}", "text": "clay"}\n`).join(''),
      'docs/anchor.md': 'An anchor holds best in clay.\n',
      'tmp/.keep': '',
    };
    for (const args of [
      ['eval', '.'],
      ['tune', 'docs', '--questions', 'questions.jsonl', '--dry-run'],
    ]) {
      const cwd = tempFolder(files);
      const env = { ...process.env, TMPDIR: join(cwd, 'tmp') };
      const running = spawn(process.execPath, [cliEntry, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
      await once(running.stderr, 'data');
      running.stderr.destroy();
      running.stdout.destroy();
      expect(await once(running, 'exit')).toEqual([0, null]);
      expect(readdirSync(env.TMPDIR).filter((name) => /^ibid-(?:eval|tune)-/.test(name))).toEqual([]);
    }
  });
});

describe('ibid gate', () => {
  it('ends with 2, not 1, where it cannot measure, and needs no key', async () => {
    const cwd = tempFolder({ 'home/.config/ibid/keys': 'IBID_SEARCH_API_KEY=abc\n' });
    chmodSync(join(cwd, 'home/.config/ibid/keys'), 0o644); // so it is not read
    const env = { ...process.env, HOME: join(cwd, 'home'), XDG_CONFIG_HOME: undefined };
    const gated = await runCli(['gate', '--json'], { cwd, env });
    expect(errorOf(gated).message).toContain('there is no baseline');
    expect(gated.status).toBe(2);
    expect((await runCli(['status'], { cwd, env })).status).toBe(1); // what other commands end with
  });
});

describe('ibid tune', { timeout: 120_000 }, () => {
  const sentences = (i: number): string =>
    `Basin ${i} empties through the northern valve before the storm. The keeper of basin ${i} writes the level of the water down at noon.`;
  const files = Object.fromEntries(
    Array.from({ length: 24 }, (_, i) => [`docs/${i}.md`, `# ${i}\n\n${sentences(i)}\n`]),
  );
  const questions = Array.from({ length: 24 }, (_, i) =>
    JSON.stringify({ question: `who writes the level of basin ${i}`, uri: `docs/${i}.md` }),
  ).join('\n');
  const tune = ['tune', 'docs', '--questions', 'questions.jsonl', '--minutes', '0.2'];

  it('writes its plot where there is no index yet', async () => {
    const cwd = tempFolder({ ...files, 'questions.jsonl': questions });
    const { status, stdout, stderr } = await runCli(tune, { cwd });
    expect(status, stderr).toBe(0);
    expect(stdout).toContain('held out');
    expect(existsSync(join(cwd, '.ibid/tune.svg'))).toBe(true);
  });

  it('and ibid gate say how many questions are about documents that are not there', async () => {
    const lost = Array.from({ length: 5 }, (_, i) => `{"question": "pump ${i}", "uri": "docs/none.md"}`).join('\n');
    const cwd = tempFolder({
      ...files,
      'questions.jsonl': `${questions}\n${lost}\n{"question": "noon", "text": "noon"}\n`,
    });
    expect((await runCli([...tune, '--dry-run'], { cwd })).stderr).toContain(
      'that are not there, and count as not found: 5',
    );
    expect((await runCli(['ingest', 'docs', '-q'], { cwd })).status).toBe(0);
    const saved = await runCli(['gate', '--save', '--questions', 'questions.jsonl'], { cwd });
    expect(saved).toMatchObject({ status: 0, stderr: expect.stringContaining('count as not found: 5\n') });
    expect((await runCli(['gate'], { cwd })).stderr).toBe('');
  });

  it('says before it begins that the plot cannot be written', async () => {
    const cwd = tempFolder({ ...files, 'questions.jsonl': questions, note: 'a file' });
    for (const plot of ['note/tune.svg', 'docs']) {
      const { status, stderr } = await runCli([...tune, '--plot', plot], { cwd });
      expect(status).toBe(1);
      expect(stderr).toMatch(/^error\[FILE_UNREADABLE\]: .* cannot be written/); // nothing was read before
    }
  });
});

describe('ibid config', () => {
  it('shows no password of an address', async () => {
    const env = { ...process.env, IBID_SEARCH_BASE_URL: 'https://ann:hidden@example.org/v1?a=b@c' };
    const { status, stdout } = await runCli(['config', '--json'], { cwd: tempFolder(), env });
    expect(status).toBe(0);
    const { values } = JSON.parse(stdout) as { values: { name: string; value: unknown }[] };
    const address = values.find(({ name }) => name === 'IBID_SEARCH_BASE_URL');
    expect(address?.value).toBe('https://…@example.org/v1?a=b@c');
  });
});

describe('options and completion', () => {
  it('refuses an option that is given twice, with an optional value and of a command below a command too', async () => {
    for (const args of [
      ['ask', '--resume', 'a', '--resume', 'b'],
      ['token', 'create', 'ann', '--days', '1', '--days', '2'],
    ]) {
      const { status, stderr } = await runCli(args, { cwd: tempFolder() });
      expect(status).toBe(2);
      expect(stderr).toContain('was given twice');
    }
  });

  it('names no flag that the command does not have', async () => {
    const cwd = tempFolder({ 'docs/pump.md': 'The pump is serviced in May.' });
    expect((await runCli(['ingest', 'docs', '-q'], { cwd })).status).toBe(0);
    const refused = await runCli(['reembed', '--to', 'local', '--dimensions', '128', '--json'], { cwd });
    expect(refused.status).toBe(2);
    expect(errorOf(refused).hint).not.toContain('--embedder');
  });

  it('completes commands below a command, and their options', async () => {
    const { stdout: script } = await runCli(['completion', 'bash'], { cwd: tempFolder() });
    const completed = (...words: string[]): string[] =>
      spawnSync(
        'bash',
        [
          '-c',
          `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _ibid; echo "\${COMPREPLY[*]}"`,
          '-',
          'ibid',
          ...words,
        ],
        {
          encoding: 'utf8',
        },
      )
        .stdout.trim()
        .split(' ');
    expect(completed('token', '')).toEqual(['create', 'list', 'revoke']);
    expect(completed('token', 'create', '--da')).toEqual(['--daily-budget', '--days']);
    expect(completed('token', 'create', '--scope', 'a')).toEqual(['ask', 'admin']);
    expect(completed('eval', '--mode', 'd')).toEqual(['dense']);
    expect(completed('eval', '--sp')).toEqual(['--split']);
    const { stdout: fish } = await runCli(['completion', 'fish'], { cwd: tempFolder() });
    expect(fish).toMatch(/subcommand_from token' -f -a create /);
    expect(fish).toMatch(/subcommand_from token; and __fish_seen_subcommand_from create' -l days /);
  });
});
