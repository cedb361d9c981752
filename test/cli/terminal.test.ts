import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WriteStream } from 'node:tty';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { KEPT_DAYS as shownDays } from '../../src/cli/commands/status.ts';
import { recencies as shownRecencies } from '../../src/cli/options.ts';
import { counted, dim, size } from '../../src/cli/text.ts';
import { KEPT_DAYS } from '../../src/embed/service/prune-cache.ts';
import type { AnswerJson, HitJson } from '../../src/index.ts';
import { recencies } from '../../src/web/filters.ts';
import { type CliOptions, type CliResult, runCli } from '../support/cli.ts';
import { cliReadmePath } from '../support/cli-readme.ts';
import { makeTempFolder, tempFolder, writeFiles } from '../support/temp.ts';

const lighthouse =
  '---\nkeeper: Ada\n---\n# The lighthouse\n\nThe keeper counts passing ships at dawn.\n\n## Fuel\n\nThe lamp burns **rapeseed oil**. A full tank lasts nine nights.\n';
const question = 'What does the lamp of the lighthouse burn?';

describe('the command line at a terminal and in a pipe', () => {
  const folder = makeTempFolder();
  const run = (args: readonly string[], options: Partial<CliOptions> = {}): Promise<CliResult> =>
    runCli(args, { cwd: folder, ...options });

  let first: CliResult;
  beforeAll(async () => {
    writeFiles(folder, { 'docs/lighthouse.md': lighthouse });
    first = await run(['ingest', 'docs', '--quiet']);
  }, 60_000);

  it('counts one document as one, and a dry run says what would be', async () => {
    expect(first.stdout).toMatch(/^1 document, 1 chunk in the index; \d+ tokens read/m);
    const { stdout } = await run(['ingest', 'docs', '--quiet', '--dry-run']);
    expect(stdout).toContain('1 document, 1 chunk would be in the index');
    expect([counted(1, 'query', 'queries'), counted(0, 'query', 'queries')]).toEqual(['1 query', '0 queries']);
    expect([size(288_000), size(1), size(2 ** 20), size(5.25 * 2 ** 20)]).toEqual([
      '282 KiB',
      '1 KiB',
      '1.0 MiB',
      '5.3 MiB',
    ]);
    expect((await run(['status'])).stdout).toMatch(/^\d+ KiB on disk$/m);
  });

  it('prints each sentence of an extractive answer once, and a line for its source', async () => {
    const { stdout } = await run(['ask', question]);
    expect(stdout.match(/rapeseed oil/g)).toHaveLength(1);
    expect(stdout).toMatch(/^\[1\] docs\/lighthouse\.md#\d+-\d+, line 10 {2}The lighthouse( › Fuel)?$/m);
    const { citations, related = [] } = JSON.parse((await run(['ask', question, '--json'])).stdout) as AnswerJson;
    const beside = related.length === 0 ? 0 : 2 * related.length + 2;
    expect(stdout.trim().split('\n').length).toBeLessThanOrEqual(2 * citations.length + 2 + beside);
    const quoted = await run(['ask', question, '--quotes']);
    expect(quoted.stdout).toMatch(/^ {4}“The lamp burns \*\*rapeseed oil\*\*\./m);
  });

  it('writes lines to a terminal in one place', () => {
    const own = join(import.meta.dirname, '../../src/cli');
    const files = readdirSync(own, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const others = files.filter((name) => /console\.(?:log|error)\(/.test(readFileSync(join(own, name), 'utf8')));
    expect(others.sort()).toEqual(['main.ts', 'say.ts']); // main.ts: before anything is imported
  });

  it('shows names of files, errors and exports without a character that steers a terminal or hides', async () => {
    const own = tempFolder({
      'docs/bad \u001b[2J\nfailed  \u202e.pdf': '%PDF-1.4 cut',
      'docs/good \u{e0041}\u009b.md': 'The buoy is red\u{e0041}\u202e today.\n',
    });
    const bad = /[\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u{e0000}-\u{e0fff}]/u;
    const outputs: Record<string, CliResult> = {};
    for (const args of [
      ['ingest', 'docs'],
      ['status'],
      ['status', '--json'],
      ['search', 'buoy'],
      ['search', 'buoy', '--json'],
      ['ask', 'What colour is the buoy?', '--json'],
      ['export'],
      ['show', 'no \u001b]0;x\u0007\u202e such#1-2'],
    ])
      outputs[args.join(' ')] = await runCli(args, { cwd: own });
    for (const [name, { stdout, stderr }] of Object.entries(outputs)) {
      expect(stdout, name).not.toMatch(bad);
      expect(stderr, name).not.toMatch(bad);
    }
    expect(outputs['ingest docs']!.stderr.match(/^failed {2}/gm)).toHaveLength(1);
    expect(outputs.status!.stdout.match(/^failed {2}/gm)).toHaveLength(1);
    // escaped, and the same value
    const [{ text }] = (JSON.parse(outputs['search buoy --json']!.stdout) as { hits: [HitJson] }).hits;
    expect(text).toContain('red\u{e0041}\u202e today');
    expect((JSON.parse(outputs.export!.stdout) as HitJson).text).toBe(text);
  });

  it('names the same things by the same keys in search, ask and show', async () => {
    const { hits, citations } = JSON.parse((await run(['ask', question, '--json'])).stdout) as AnswerJson;
    const shown = JSON.parse((await run(['show', citations[0]!.citation, '--json'])).stdout) as HitJson;
    const hit = hits[0]!;
    for (const one of [hit, citations[0]!, shown]) {
      expect(one.reference).toBe(one.citation);
      expect(one.place).toEqual({ lines: one.lines });
    }
    for (const one of [hit, shown]) expect(one).toMatchObject({ format: 'markdown', metadata: { keeper: 'Ada' } });
    expect(shown.reference).toBe(citations[0]!.reference);
  });

  it('has every key of its JSON in src/cli/README.md', async () => {
    const text = readFileSync(cliReadmePath, 'utf8');
    const outputs = await Promise.all(
      [
        ['search', 'lamp', '--explain', '--neighbours', '1'],
        ['ask', question],
        ['show', 'docs/lighthouse.md#18-58'],
        ['status'],
        ['doctor'],
        ['ingest', 'docs', '--dry-run', '--quiet'],
        ['status', '--documents'],
        ['remove', 'nothing'],
        ['config'],
        ['token', 'create', 'ops', '--where', "format = 'pdf'", '--days', '1', '--daily-budget', '1'],
        ['token', 'list'],
        ['overview', '--dry-run'],
      ].map(async (args) => JSON.parse((await run([...args, '--json'])).stdout) as object),
    );
    // their keys are those of the documents, of a model, or of a configuration
    const open = new Set(['formats', 'metadata', 'usage', 'value']);
    const keysOf = (value: unknown): string[] =>
      Array.isArray(value)
        ? value.flatMap(keysOf)
        : typeof value === 'object' && value !== null
          ? Object.entries(value).flatMap(([key, inner]) => [key, ...(open.has(key) ? [] : keysOf(inner))])
          : [];
    const keys = [...new Set(outputs.flatMap(keysOf))];
    expect(keys.length).toBeGreaterThan(40);
    const described = text.slice(text.indexOf('## JSON'));
    expect(keys.filter((key) => !described.includes(`\`${key}\``))).toEqual([]);
  });

  it.each(['search', 'ask'])('%s reads its question from a pipe', async (command) => {
    const { status, stdout, stderr } = await run([command, '--json'], { input: { text: `${question}\n` } });
    expect(status, stderr).toBe(0);
    expect(stdout).toContain('rapeseed oil');
    expect(Object.values(JSON.parse(stdout) as object)).toContain(question);
  });

  it('does not wait for a standard input that stays silent, or is empty', async () => {
    const results = await Promise.all([run(['ask', '--json'], { input: 'open' }), run(['ask', '--json'])]);
    for (const { status, stdout } of results) {
      expect(status).toBe(2);
      expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'INVALID_ARGUMENT', hint: expect.any(String) } });
    }
  });

  it.each([
    [['search', 'x', '--index', 'nowhere'], 'INDEX_NOT_FOUND', 1],
    [['search', 'x', '--where', 'no_such_column = 1'], 'INVALID_FILTER', 2],
    [['search', 'x', '--limit', 'many'], 'INVALID_ARGUMENT', 2],
    [['search', 'x', '--rerank'], 'KEY_MISSING', 2],
    [['gate'], 'INVALID_ARGUMENT', 2],
    [['export', '--index', 'nowhere'], 'INDEX_NOT_FOUND', 1],
  ])('%j --json prints the error on stdout too, as one line of JSON', async (args, code, status) => {
    const env = { ...process.env, IBID_MESSAGES_API_KEY: '' };
    const plain = await run(args, { env });
    const json = await run([...args, '--json'], { env });
    expect(plain).toMatchObject({ status, stdout: '' });
    expect(json).toMatchObject({ status, stderr: plain.stderr });
    expect(json.stdout).toMatch(/^.+\n$/);
    const { error } = JSON.parse(json.stdout) as { error: { code: string; message: string; hint?: string } };
    expect(error.code).toBe(code);
    expect(plain.stderr).toContain(error.message);
    if (error.hint) expect(plain.stderr).toContain(`hint: ${error.hint}`);
  });

  it('says in words of the command line what the library says in its own', async () => {
    writeFileSync(join(folder, 'docs/second.md'), 'A second text.');
    writeFileSync(join(folder, 'docs/third.md'), 'A third text.');
    await run(['ingest', 'docs', '--quiet']);
    const { stderr } = await run(['remove', 'docs']);
    expect(stderr).toMatch(/^hint: .*`--force`/m);
    expect(stderr).not.toContain('force: true');
  });

  const ibid = `'${process.execPath}' '${join(import.meta.dirname, '../../src/cli/main.ts')}'`;

  it('does its work to the end when nobody reads on what it says beside', async () => {
    const own = tempFolder({ 'docs/lighthouse.md': lighthouse });
    const script = `${ibid} ingest docs 2>&1 | head -1`;
    expect(execFileSync('bash', ['-c', script], { cwd: own, encoding: 'utf8' })).toMatch(/^1 file to read/);
    const { documents } = JSON.parse((await run(['status', '--json'], { cwd: own })).stdout) as {
      readonly documents: number;
    };
    expect(documents).toBe(1);
  });

  it('says how a query is given that begins with a dash', async () => {
    const { status, stdout, stderr } = await run(['search', '-"lamp" ships', '--json']);
    expect(status).toBe(2);
    const { hint = '' } = (JSON.parse(stdout) as { error: { hint?: string } }).error;
    expect(hint).toMatch(/ibid search -- /);
    expect(stderr).toContain(`hint: ${hint}\n`);
    const said = await run(['search', '--json', '--', '-"lamp" ships']);
    expect(said.status).toBe(0);
    expect((JSON.parse(said.stdout) as { query: string }).query).toBe('-"lamp" ships');
  });

  it('takes an empty number for none', async () => {
    const { status, stderr } = await run(['search', 'lamp', '--neighbours', '']);
    expect(status).toBe(2);
    expect(stderr).toContain("option '--neighbours <n>' argument '' is invalid");
  });

  it('refuses a conversation that cannot be kept before anything is asked', async () => {
    const { status, stdout, stderr } = await run(['ask', question, '--history', 'missing/talk.jsonl']);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toBe(
      'error[FILE_UNREADABLE]: missing/talk.jsonl cannot be written: ENOENT\nhint: Make its folder first.\n',
    );
  });

  it('reads files of questions and conversations as Windows saves them, and none in another encoding', async () => {
    const turn = '\ufeff{"role": "user", "text": "Who keeps it?"}\r\n';
    const asked = '\ufeff{"id": "a", "question": "Who keeps it?"}\r\n';
    writeFiles(folder, { 'talk.jsonl': turn, 'asked.jsonl': asked });
    expect(await run(['ask', question, '--history', 'talk.jsonl'])).toMatchObject({ status: 0, stderr: '' });
    const { IBID_MESSAGES_API_KEY: _, ...env } = process.env;
    expect((await run(['ask', '--batch', 'asked.jsonl'], { env })).stderr).toMatch(/^error\[KEY_MISSING\]/);
    const question16 = Buffer.from('\ufeff{"question": "Who keeps it?"}', 'utf16le');
    for (const bytes of [question16, Buffer.from('{"question": "Wie heißt er?"}', 'latin1')]) {
      writeFiles(folder, { 'asked.jsonl': bytes });
      const { status, stderr } = await run(['ask', '--batch', 'asked.jsonl'], { env });
      expect(stderr).toMatch(/^error\[FILE_UNREADABLE\]: asked.jsonl is not in UTF-8\nhint: /);
      expect(status).toBe(1);
    }
  });

  it('ends in peace when nobody reads on', () => {
    const script = `${ibid} export | head -c 1 >/dev/null; echo "\${PIPESTATUS[0]}"`;
    expect(execFileSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' })).toBe('0\n');
  });
});

describe('a terminal', () => {
  it('gets grey text only where it is one and can show it', () => {
    // isTTY is all that is read
    const stream = Object.create(WriteStream.prototype, { isTTY: { value: true } }) as NodeJS.WriteStream;
    vi.stubEnv('NO_COLOR', '');
    vi.stubEnv('TERM', 'xterm');
    expect(dim('x', stream)).toBe('\u001b[2mx\u001b[22m');
    vi.stubEnv('TERM', 'dumb');
    expect(dim('x', stream)).toBe('x');
    vi.stubEnv('TERM', 'xterm');
    vi.stubEnv('NO_COLOR', '1');
    expect(dim('x', stream)).toBe('x');
    vi.unstubAllEnvs();
  });
});

describe('completion', () => {
  /** What bash offers for a command line whose last word is being written. */
  const offered = (script: string, ...words: string[]): string[] =>
    execFileSync(
      'bash',
      [
        '-c',
        `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _ibid; printf '%s\\n' "\${COMPREPLY[@]}"`,
        'bash',
        ...words,
      ],
      { encoding: 'utf8' },
    )
      .split('\n')
      .filter((word) => word !== '');

  it('offers commands, options and choices in bash, and a script to zsh and fish', async () => {
    const print = async (shell: string): Promise<string> =>
      (await runCli(['completion', shell], { cwd: tempFolder() })).stdout;
    const [bash, zsh, fish] = await Promise.all(['bash', 'zsh', 'fish'].map(print));
    expect(offered(bash!, 'ibid', 'se')).toEqual(['search', 'serve']);
    expect(offered(bash!, 'ibid', 'search', '--re')).toEqual(['--rerank', '--rerank-model']);
    expect(offered(bash!, 'ibid', 'search', '--mode', '')).toEqual(['hybrid', 'lexical', 'dense']);
    expect(offered(bash!, 'ibid', '--')).toEqual(['--version', '--help']);
    expect(offered(bash!, 'ibid', 'completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(zsh).toContain(`bashcompinit\n${bash!}`);
    expect(zsh).toMatch(/^\(\( \$\+functions\[compdef\] \)\) \|\| .*compinit -i/); // a zsh without a configuration
    expect(fish).toContain(
      "complete -c ibid -n '__fish_seen_subcommand_from search' -l mode -x -a 'hybrid lexical dense'",
    );
  });
});

it('lists what is written out, so that --help loads nothing, as the library has it', () => {
  expect(shownRecencies).toEqual(recencies);
  expect(shownDays).toBe(KEPT_DAYS);
});
