import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CliResult, cliEntry, runCli } from '../support/cli.ts';
import { espeakStandIn } from '../support/espeak.ts';
import { copyIndex, demo } from '../support/made-index.ts';
import { tempFolder } from '../support/temp.ts';
import { audioService } from '../wire/service/audio/audio-service.ts';
import { serve } from '../wire/service/harness.ts';

interface Demo {
  readonly folder: string;
  readonly run: (...args: string[]) => Promise<CliResult>;
}

/** The demo's index, and an espeak-ng that hums. */
async function demoFolder(env: NodeJS.ProcessEnv = {}): Promise<Demo> {
  const folder = tempFolder();
  await copyIndex(demo, join(folder, 'index'));
  mkdirSync(join(folder, 'bin'));
  symlinkSync(espeakStandIn, join(folder, 'bin/espeak-ng'));
  const all = { ...process.env, PATH: `${folder}/bin:/usr/bin:/bin`, ...env };
  const run = (...args: string[]): Promise<CliResult> =>
    runCli(['overview', ...args, '--index', join(folder, 'index')], { cwd: folder, env: all });
  return { folder, run };
}
const hasFfmpeg = !spawnSync('ffmpeg', ['-version']).error;

describe('ibid overview', () => {
  it('prints a script, of all documents, of some, or of a question', async () => {
    const { run } = await demoFolder();
    const all = await run('--minutes', '1');
    expect(all).toMatchObject({ status: 0, stderr: expect.stringContaining('passages of the documents') });
    expect(all.stdout).toMatch(/^# What the documents say\n[\s\S]*\nA: .*\n[\s\S]*\nB: [\s\S]*\n## Sources\n\n\[1\] /);
    const some = JSON.parse((await run('handbook/', 'reports', '--json')).stdout);
    expect(some.script.sources.every(({ uri }: { uri: string }) => /^(handbook|reports)\//.test(uri))).toBe(true);
    expect(some).toMatchObject({ mode: 'extractive', files: [], costUsd: 0 });
    const asked = JSON.parse((await run('How long are recordings kept?', 'handbook', '--json')).stdout);
    expect(asked.script.title).toBe('How long are recordings kept?');
    expect(asked.script.sources.every(({ uri }: { uri: string }) => uri.startsWith('handbook/'))).toBe(true);
  });

  it('says nothing where one of its files cannot be written', async () => {
    const { folder, run } = await demoFolder();
    mkdirSync(join(folder, 'o.html'));
    const { status, stderr } = await run('--out', 'o.wav');
    expect(status).toBe(1);
    expect(stderr).toContain('error[FILE_UNREADABLE]: o.html cannot be written');
    expect(readdirSync(folder).filter((name) => /^o\./.test(name))).toEqual(['o.html']);
  });

  it('writes a script that is edited and proven again, and names the lines that are not', async () => {
    const { folder, run } = await demoFolder();
    const file = join(folder, 'script.md');
    expect(await run('How long are recordings kept?', '--script', 'script.md', '-q')).toMatchObject({
      ...{ status: 0, stdout: 'script.md\n', stderr: '' },
    });
    const text = readFileSync(file, 'utf8');
    const asked = ['How long are recordings kept?', '--script', '-'];
    expect((await run(...asked)).stdout).toBe(text);
    expect(JSON.parse((await run(...asked, '--json')).stdout)).toMatchObject({ text, files: [] });
    writeFileSync(file, text.replace(/^A: .*$/m, 'A: Tell me more.'));
    const again = await run('--from-script', 'script.md');
    expect(again.status).toBe(0);
    expect(again.stdout).toContain('\nA: Tell me more.\n');
    writeFileSync(file, text.replace(/^A: .*$/m, 'A: The moon is made of cheese.'));
    const refused = await run('--from-script', 'script.md', '--json');
    expect(refused.status).toBe(2);
    const { error } = JSON.parse(refused.stdout);
    const line = text.split('\n').findIndex((one) => one.startsWith('A: ')) + 1;
    expect(error.message).toContain(`line ${line}: "The moon is made of cheese.": no source is cited at its end`);
  });

  it('says what it would do, and writes nothing', async () => {
    const { folder, run } = await demoFolder();
    const { status, stdout } = await run('--dry-run', '--script', 'script.md', '--json');
    expect(status).toBe(0);
    const { topics, estimate, files } = JSON.parse(stdout);
    expect(topics.length).toBeGreaterThan(2);
    expect(estimate.characters).toBeGreaterThan(1000);
    expect(files).toEqual([]);
    expect(existsSync(join(folder, 'script.md'))).toBe(false);
  });

  it('ends with 3 where the documents know nothing, and with 2 for what it is not asked like', async () => {
    const { run } = await demoFolder();
    expect(await run('What is the Wi-Fi password of the visitor room?')).toMatchObject({
      ...{ status: 3, stdout: '' },
      stderr: expect.stringContaining('do not seem to say anything'),
    });
    for (const args of [
      ['--out', 'x.ogg'],
      ['--out', 'x.wav', '--script', 'x.md'],
      ['handbook', '--from-script', 'x.md'],
      ['--minutes', '0'],
      ['--voices', 'a,b,c'],
    ])
      expect((await run(...args)).status, args.join(' ')).toBe(2);
    expect((await run('--from-script', 'nowhere.md')).stderr).toContain('FILE_UNREADABLE');
  });
});

describe.skipIf(process.platform === 'win32')('ibid overview --out', () => {
  it('writes sound, captions and a page without a key, each of them whole', async () => {
    const { folder, run } = await demoFolder();
    const { status, stdout, stderr } = await run('handbook', '--minutes', '0.5', '--out', 'o.wav', '--json');
    expect(stderr).toContain('said by espeak-ng');
    expect(status).toBe(0);
    const { files, script, sound } = JSON.parse(stdout);
    expect(files).toEqual(['o.wav', 'o.vtt', 'o.html']);
    expect(sound).not.toHaveProperty('audio');
    expect(readdirSync(folder).sort()).toEqual(['bin', 'index', 'o.html', 'o.vtt', 'o.wav']);
    const wav = readFileSync(join(folder, 'o.wav'));
    expect(wav.length).toBe(44 + 2 * Math.round(sound.seconds * sound.sampleRate));
    const count = script.turns.reduce((sum: number, turn: { sentences: unknown[] }) => sum + turn.sentences.length, 0);
    const page = readFileSync(join(folder, 'o.html'), 'utf8');
    expect(page.match(/data-from=/g)?.length).toBe(count);
    expect(page).toContain(`src="data:audio/wav;base64,${wav.toString('base64').slice(0, 2000)}`);
    const captions = readFileSync(join(folder, 'o.vtt'), 'utf8');
    expect(captions.match(/^\[\d+\] handbook\/\S+#\d+-\d+$/gm)!.length).toBeGreaterThanOrEqual(script.sources.length);
  });

  it('speaks a script that was edited', async () => {
    const { folder, run } = await demoFolder();
    await run('handbook', '--minutes', '0.5', '--script', 's.md');
    const text = readFileSync(join(folder, 's.md'), 'utf8');
    writeFileSync(join(folder, 's.md'), text.replace(/^# .*/, '# Told by me'));
    const spoken = await run('--from-script', 's.md', '--out', hasFfmpeg ? 's.mp3' : 's.wav', '-q');
    expect(spoken).toMatchObject({ status: 0, stdout: expect.stringContaining('s.html') });
    expect(readFileSync(join(folder, 's.html'), 'utf8')).toContain('<h1>Told by me</h1>');
  });

  it('has the voices of the audio service converse, with a price and a budget', async () => {
    await using harness = await serve([audioService()]);
    const { folder, run } = await demoFolder({
      ...{ IBID_AUDIO_API_KEY: 'test-audio-key', IBID_AUDIO_BASE_URL: harness.url },
    });
    writeFileSync(join(folder, 'ibid.config.json'), JSON.stringify({ speech: { plan: 'pro' } }));
    const args = ['handbook', '--minutes', '2'];
    const { estimate } = JSON.parse((await run(...args, '--dry-run', '--json')).stdout);
    expect(estimate.soundUsd).toBeCloseTo((estimate.characters * 0.24) / 1000, 9);
    const asked = (): number => harness.requests.filter(({ path }) => path.startsWith('/v1/text-to-dialogue')).length;
    expect(asked()).toBe(0);
    const { status, stdout } = await run(...args, '--out', 'o.wav', '--json');
    expect(status).toBe(0);
    const { sound, script, costUsd } = JSON.parse(stdout);
    expect(asked()).toBeGreaterThan(1);
    expect(costUsd).toBeLessThanOrEqual(estimate.soundUsd + 1e-9);
    expect(costUsd / estimate.soundUsd).toBeGreaterThan(0.8);
    const sentences: { turn: number; fromMs: number; toMs: number }[] = sound.sentences;
    const texts: string[] = script.turns.flatMap((turn: { sentences: { text: string }[] }) =>
      turn.sentences.map(({ text }) => text),
    );
    expect(sentences.length).toBe(texts.length);
    sentences.forEach(({ fromMs, toMs }, i) => {
      expect(toMs).toBeGreaterThan(fromMs);
      expect(fromMs).toBeGreaterThanOrEqual((sentences[i - 1]?.toMs ?? 0) - 1);
    });
    const poor = await run(...args, '--out', 'p.wav', '--budget', String(costUsd / 2));
    expect(poor.stderr).toContain('BUDGET_EXCEEDED');
    expect(poor.status).toBe(1);
    expect(readdirSync(folder).filter((name) => name.startsWith('p.'))).toEqual([]);
  });

  it('leaves no file behind when it is interrupted', async () => {
    const { folder } = await demoFolder();
    const slow = join(folder, 'slow');
    mkdirSync(slow);
    writeFileSync(join(slow, 'espeak-ng'), '#!/bin/sh\necho >&2 begun\ntouch begun\nexec sleep 60\n');
    chmodSync(join(slow, 'espeak-ng'), 0o755);
    const child = spawn(process.execPath, [cliEntry, 'overview', '--out', 'o.wav', '--index', join(folder, 'index')], {
      cwd: folder,
      env: { ...process.env, PATH: `${slow}:/usr/bin:/bin` },
    });
    const closed = once(child, 'close');
    await expect.poll(() => existsSync(join(folder, 'begun')), { timeout: 30_000 }).toBe(true);
    child.kill('SIGINT');
    expect(await closed).toEqual([130, null]);
    expect(readdirSync(folder).sort()).toEqual(['begun', 'bin', 'index', 'slow']);
  });
});
