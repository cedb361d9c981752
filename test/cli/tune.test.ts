import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/eval/statistics.ts';
import { openIndex } from '../../src/index.ts';
import { fakeEmbedder } from '../../src/testing.ts';
import { type CliResult, runCli } from '../support/cli.ts';
import { makeTempFolder, tempFolder, writeFiles } from '../support/temp.ts';

const syllables = 'ba ke lo mi nu pa re so ti vu'.split(' ');
const vocabulary = syllables.flatMap((a) =>
  syllables.flatMap((b) => ['nd', 'rk', 'st'].map((end) => `${a}${b}${end}`)),
);

/** Documents of invented words: two sections of prose each, with headings of their own. */
function documents(count: number): Record<string, string> {
  const next = seededRandom(11);
  const word = (): string => vocabulary[Math.floor(next() * vocabulary.length)]!;
  const words = (many: number): string => Array.from({ length: many }, word).join(' ');
  const prose = (): string => Array.from({ length: 4 }, () => `The ${words(6)} and its ${words(5)}.`).join(' ');
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `docs/${i % 2 === 0 ? 'even' : 'odd'}/d${i}.md`,
      `# Doc ${i}\n\n## Care of ${words(2)}\n\n${prose()}\n\n## Use of ${words(2)}\n\n${prose()}\n`,
    ]),
  );
}

const json = <T>({ status, stdout, stderr }: CliResult, expected = 0): T => {
  expect(status, stderr).toBe(expected);
  return JSON.parse(stdout) as T;
};

interface Gated {
  passed: boolean;
  compared: number;
  added: number;
  gone: number;
  metrics: { name: string; before: number; now: number; difference: number; pValue: number; verdict: string }[];
  changes: { what: string }[];
}

describe('ibid gate', { timeout: 120_000 }, () => {
  const folder = makeTempFolder();
  const run = (...args: string[]): Promise<CliResult> => runCli(args, { cwd: folder });
  const settings = join(folder, '.ibid/settings.json');
  beforeAll(async () => {
    writeFiles(folder, documents(60));
    expect((await run('ingest', 'docs', '-q')).status).toBe(0);
  }, 120_000);

  it('needs a baseline, and says how to get one', async () => {
    const { status, stderr } = await run('gate');
    expect(status).toBe(2);
    expect(stderr).toContain('there is no baseline at');
    expect(stderr).toContain('ibid gate --save');
  });

  it('passes while nothing has changed', async () => {
    const saved = json<{ questions: number; metrics: Record<string, number> }>(await run('gate', '--save', '--json'));
    expect(saved.questions).toBeGreaterThan(50);
    expect(saved.metrics['recall@10']).toBeGreaterThan(0.7); // else there would be little to lose
    const gated = json<Gated>(await run('gate', '--json'));
    expect(gated).toMatchObject({ passed: true, compared: saved.questions, added: 0, gone: 0, changes: [] });
    for (const { difference, verdict } of gated.metrics) expect([difference, verdict]).toEqual([0, 'noise']);
  });

  it('fails when settings are made worse, and passes when they are taken back', async () => {
    const weights = { body: -0.6, window: -1.8, characters: -1, phrase: -0.6, headingShare: -1, heading: -1.5 };
    writeFileSync(settings, JSON.stringify({ format: 1, search: { weights } }));
    const { status, stdout } = await run('gate');
    expect(status).toBe(1);
    expect(stdout).toContain('failed: recall was lost beyond noise');
    expect(stdout).toMatch(/recall@10 .* lost/);
    rmSync(settings);
    expect((await run('gate')).status).toBe(0);
  });

  it('reports more questions than before, and compares those both have', async () => {
    const names = Object.keys(documents(60));
    const questions = (count: number): string =>
      names
        .slice(0, count)
        .map((uri) => JSON.stringify({ question: /## (.*)/.exec(documents(60)[uri]!)![1], uri }))
        .join('\n');
    writeFiles(folder, { 'q.jsonl': questions(20) });
    const own = ['--questions', 'q.jsonl', '--baseline', 'own.json'];
    expect((await run('gate', '--save', ...own)).status).toBe(0);
    writeFiles(folder, { 'q.jsonl': questions(25) });
    const { status, stdout } = await run('gate', ...own);
    expect(status).toBe(0);
    expect(stdout).toContain('5 more questions than before');
    expect(json<Gated>(await run('gate', ...own, '--json'))).toMatchObject({ compared: 20, added: 5, gone: 0 });
    writeFiles(folder, { 'q.jsonl': questions(6) });
    const few = await run('gate', ...own);
    expect(few.status).toBe(2);
    expect(few.stderr).toContain('6 questions are too few');
  });

  it('fails when half of the documents are gone', async () => {
    expect((await run('remove', 'docs/odd', '--force')).status).toBe(0);
    const gated = json<Gated>(await run('gate', '--json'), 1);
    expect(gated.passed).toBe(false);
    expect(gated.metrics.map(({ verdict }) => verdict)).toEqual(['lost', 'lost']);
    expect(gated.metrics[0]!.now).toBeLessThan(0.7 * gated.metrics[0]!.before);
    expect(gated.changes.map(({ what }) => what)).toContain('documents');
  });

  it('says 1 only when something is lost, not when it cannot measure', async () => {
    const file = await run('gate', '--questions', 'nowhere.jsonl');
    expect([file.status, file.stdout]).toEqual([2, '']);
    expect(file.stderr).toMatch(
      /error\[FILE_UNREADABLE\]: the question file .*nowhere\.jsonl[\s\S]*hint: Name a file of JSON lines/,
    );
    const index = await run('gate', '--index', 'nowhere', '--baseline', join('.ibid', 'gate.json'));
    expect([index.status, index.stdout]).toEqual([2, '']);
    expect(index.stderr).toContain('error[INDEX_NOT_FOUND]');
    // what is saved is compared with nothing: 1 is an error, as of every command
    const saved = await run('gate', '--save', '--index', 'nowhere');
    expect([saved.status, saved.stdout]).toEqual([1, '']);
    expect(saved.stderr).toContain('error[INDEX_NOT_FOUND]');
  });

  it('refuses a baseline that is none', async () => {
    writeFiles(folder, { 'bad.json': '{"format":1,"questions":[],"scores":[{"id":"a"}]}' });
    const { status, stderr } = await run('gate', '--baseline', 'bad.json');
    expect(status).toBe(2);
    expect(stderr).toContain('is not a baseline of `ibid gate`: a score is not a number');
  });
});

interface Tuned {
  documents: number;
  kinds: Record<string, number>;
  settings: { name: string; tune: Record<string, number>; heldOut: Record<string, number> }[];
  search: { best?: string; accepted: boolean; reason: string; tuning?: unknown };
  chunking: { accepted: boolean; maxTokens?: number };
  skipped: { what: string }[];
  written?: string;
  plot?: string;
}

describe('ibid tune', { timeout: 240_000 }, () => {
  it('tries settings within its time and writes only what won beyond noise', async () => {
    const folder = tempFolder(documents(60));
    const run = (...args: string[]): Promise<CliResult> => runCli(args, { cwd: folder });
    expect((await run('ingest', 'docs', '-q')).status).toBe(0);
    const tuned = json<Tuned>(await run('tune', 'docs', '--minutes', '1', '--json'));
    expect(tuned.documents).toBe(60);
    expect(tuned.kinds.heading).toBeGreaterThan(20);
    expect(tuned.kinds.keywords).toBeGreaterThan(20);
    expect(tuned.settings[0]!.name).toBe('defaults');
    expect(tuned.settings.length + tuned.skipped.length).toBeGreaterThan(12);
    const path = join(folder, '.ibid/settings.json');
    const written: unknown = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
    const chosen = {
      ...(tuned.search.accepted ? { search: tuned.search.tuning } : {}),
      ...(tuned.chunking.accepted ? { chunking: { maxTokens: tuned.chunking.maxTokens } } : {}),
    };
    expect(written).toEqual(Object.keys(chosen).length > 0 ? { format: 1, ...chosen } : undefined);
    expect(readFileSync(join(folder, '.ibid/tune.svg'), 'utf8')).toContain('held-out questions');
    expect((await run('search', 'care')).status).toBe(0);
    expect((await run('ingest', 'docs')).stdout).toContain('60 unchanged');
    expect((await run('doctor')).status).toBe(0);
  });

  it('leaves nothing behind when it is interrupted', async () => {
    const folder = tempFolder(documents(40));
    const workplace = tempFolder();
    let sent = false; // the second Ctrl-C would not wait for anything
    const { status } = await runCli(['tune', 'docs'], {
      cwd: folder,
      env: { ...process.env, TMPDIR: workplace },
      onStderr: (text, kill) => {
        if (sent || !text.includes('vectors ×')) return;
        sent = true;
        kill('SIGINT');
      },
    });
    expect(status).toBe(130);
    expect(existsSync(join(folder, '.ibid'))).toBe(false);
    expect(readdirSync(workplace).filter((name) => name.startsWith('ibid-tune'))).toEqual([]);
  });

  it('says what is missing where there is too little to ask, or too little time', async () => {
    const folder = tempFolder({ 'docs/a.md': '# A\n\nOne short note.', ...documents(0) });
    const little = await runCli(['tune', 'docs'], { cwd: folder });
    expect(little.status).toBe(2);
    expect(little.stderr).toContain('0 questions could be made from the folder, at least 20 are needed');
    const hasty = await runCli(['tune', 'docs', '--minutes', '0.0001'], { cwd: tempFolder(documents(60)) });
    expect(hasty.status).toBe(2);
    expect(hasty.stderr).toContain('the time is over before a first index was built');
  });
});

it.each([undefined, 2])('refuses an index of another embedder; shards: %s', async (shards) => {
  const cwd = tempFolder(documents(4));
  await using index = await openIndex(join(cwd, '.ibid'), {
    create: true,
    base: cwd,
    shards,
    embedder: fakeEmbedder(),
  });
  await index.ingest(join(cwd, 'docs'));
  const { status, stderr } = await runCli(['tune', 'docs', '--minutes', '1'], { cwd });
  expect(stderr).toContain('error[INVALID_ARGUMENT]: the index has vectors of "');
  expect(status).toBe(2);
});
