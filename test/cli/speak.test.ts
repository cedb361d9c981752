import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CliResult, cliEntry, runCli } from '../support/cli.ts';
import { espeakStandIn } from '../support/espeak.ts';
import { makeTempFolder, writeFiles } from '../support/temp.ts';
import { audioService } from '../wire/service/audio/audio-service.ts';
import { serve } from '../wire/service/harness.ts';

const programs = (['ffmpeg', 'espeak-ng'] as const).filter((name) => !spawnSync(name, ['-version']).error);

/** Captions as [start ms, end ms, lines]. */
function cues(path: string): [number, number, string[]][] {
  const ms = (stamp: string): number => {
    const [hours, minutes, seconds] = stamp.split(':').map(Number);
    return Math.round(((hours! * 60 + minutes!) * 60 + seconds!) * 1000);
  };
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n\n')
    .slice(2) // the header and the mark
    .map((cue) => {
      const [, times, ...lines] = cue.split('\n');
      const [start, end] = times!.split(' --> ');
      return [ms(start!), ms(end!), lines];
    });
}

/** Length of a WAV file by its own header, in ms. */
function waveMs(file: Buffer): number {
  expect(file.toString('latin1', 0, 4)).toBe('RIFF');
  expect(file.readUInt32LE(40)).toBe(file.length - 44);
  return (file.readUInt32LE(40) / file.readUInt32LE(28)) * 1000;
}

describe.skipIf(process.platform === 'win32')('answers that are spoken, on the command line', () => {
  const folder = makeTempFolder();
  const bin = join(folder, '.bin');
  const PATH = `${bin}:/usr/bin:/bin`;
  const question = 'When does the ferry leave the harbour?';
  const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<CliResult> =>
    runCli(args, { cwd: folder, env: { ...process.env, PATH, ...env } });

  beforeAll(async () => {
    mkdirSync(bin);
    symlinkSync(espeakStandIn, join(bin, 'espeak-ng'));
    writeFiles(folder, { 'ferry.md': '# Ferry\n\nThe ferry leaves the harbour at 7 km/h every morning.\n' });
    await run(['ingest', '.', '--quiet']);
  }, 60_000);

  it('are a file of sound and captions that name the citation, without any key', async () => {
    const { stdout, stderr, status } = await run(['ask', question, '--speak', 'answer.wav', '--json']);
    expect(status).toBe(0);
    const { answer, citations, speech } = JSON.parse(stdout);
    const ms = waveMs(readFileSync(join(folder, 'answer.wav')));
    const spoken = cues(join(folder, 'answer.vtt'));
    expect(spoken.map(([, , lines]) => lines[0]).join(' ')).toBe(answer);
    for (const [, , lines] of spoken) expect(lines[1]).toBe(`[1] ${citations[0].reference}`);
    // what is said has no mark, and its unit in words; 60 ms a character, and 250 ms after the sentence
    const said = answer.replace(/ ?\[1\]/, '').replace('7 km/h', '7 kilometres per hour');
    expect(speech).toMatchObject({ speaker: 'espeak-ng', characters: said.length, costUsd: 0, file: 'answer.wav' });
    expect(ms).toBeCloseTo(said.length * 60 + 250, 3);
    expect(spoken.at(-1)![1]).toBe(said.length * 60);
    expect(stderr).toContain(`spoken by espeak-ng: ${said.length} characters`);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('leave one JSON value on stdout, also where speaking fails after the answer', async () => {
    const broken = join(folder, '.broken');
    mkdirSync(broken);
    writeFiles(broken, { 'espeak-ng': '#!/bin/sh\nsleep 0.5\nexit 1\n' });
    chmodSync(join(broken, 'espeak-ng'), 0o755);
    const env = { PATH: `${broken}:/usr/bin:/bin` };
    const { stdout, stderr, status } = await run(['ask', question, '--speak', 'silent.wav', '--json'], env);
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ question, citations: [{ n: 1 }] });
    expect(stderr).toMatch(/^error\[PROGRAM_FAILED\]: /m);
  });

  it('stream to stdout; then the text goes to stderr', async () => {
    const child = spawn(process.execPath, [cliEntry, 'ask', question, '--speak', '-'], {
      cwd: folder,
      env: { ...process.env, PATH },
    });
    const [sound, text] = await Promise.all([child.stdout.toArray(), child.stderr.toArray()]);
    const file = Buffer.concat(sound);
    expect(file.toString('latin1', 0, 4)).toBe('RIFF');
    expect(file.readUInt32LE(40)).toBe(0xffff_ffff); // a length that is not known yet
    expect(Buffer.concat(text).toString()).toContain('The ferry leaves the harbour');
    expect((await run(['ask', question, '--speak', '-', '--json'])).status).toBe(2);
  });

  it('are not spoken in a dry run, which tells the price', async () => {
    await using harness = await serve([audioService()]);
    const env = { IBID_AUDIO_API_KEY: 'test-audio-key', IBID_AUDIO_BASE_URL: harness.url };
    writeFiles(folder, { 'ibid.config.json': JSON.stringify({ speech: { plan: 'pro' } }) });
    const dry = await run(['ask', question, '--extractive', '--speak', 'dry.wav', '--dry-run', '--json'], env);
    const { speech } = JSON.parse(dry.stdout);
    // 0.24 USD a thousand credits, a credit a character
    expect(speech.costUsd).toBeCloseTo((speech.characters * 0.24) / 1000, 9);
    expect(dry.stderr).toContain(`speaking it: ${speech.characters} characters by voice_multilingual_v2`);
    expect(existsSync(join(folder, 'dry.wav'))).toBe(false);
    const poor = await run(['ask', question, '--extractive', '--speak', 'dry.wav', '--budget', '0.001'], env);
    expect(poor.stderr).toContain('BUDGET_EXCEEDED');
    expect(poor.status).not.toBe(0);
    expect(poor.stdout).toContain('The ferry leaves the harbour');
    expect(poor.stdout).toContain('[1] ferry.md#'); // what is not spoken is shown with its source all the same
    expect(readdirSync(folder).filter((name) => name.includes('dry'))).toEqual([]);
    expect(harness.requests.filter(({ path }) => path.startsWith('/v1/text-to-speech'))).toEqual([]);
  });

  it('are spoken by the audio service as mp3, without ffmpeg', async () => {
    await using harness = await serve([audioService()]);
    const env = { IBID_AUDIO_API_KEY: 'test-audio-key', IBID_AUDIO_BASE_URL: harness.url };
    writeFiles(folder, { 'ibid.config.json': JSON.stringify({ speech: { voices: ['v_narrator'], speed: 1.5 } }) });
    mkdirSync(join(folder, '.none'), { recursive: true });
    const args = ['ask', question, '--extractive', '--speak', 'a.mp3'];
    const { stderr, status } = await run(args, { ...env, PATH: join(folder, '.none') });
    expect(stderr).toContain('spoken by voice_multilingual_v2');
    expect(stderr).toContain('price not known');
    expect(status).toBe(0);
    expect(readFileSync(join(folder, 'a.mp3')).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xfb]));
    expect(cues(join(folder, 'a.vtt')).at(-1)![2][1]).toMatch(/^\[1\] ferry\.md#/);
    const noBudget = await run([...args, '--budget', '1'], env);
    expect(noBudget.stderr).toContain('a budget needs a price');
    writeFiles(folder, { 'ibid.config.json': '{}' });
  });

  it('say which program is missing, before anything is asked', async () => {
    const none = { PATH: join(folder, '.none') };
    mkdirSync(none.PATH, { recursive: true });
    const mp3 = await run(['ask', question, '--speak', 'b.mp3'], none);
    expect(mp3.stderr).toContain('error[PROGRAM_MISSING]: mp3 is encoded by ffmpeg');
    expect(mp3.stderr).toContain('name a .wav file');
    const wav = await run(['ask', question, '--speak', 'b.wav'], none);
    expect(wav.stderr).toContain('error[PROGRAM_MISSING]: speaking without a service needs espeak-ng');
    expect((await run(['ask', question, '--play'], none)).stderr).toContain('error[PROGRAM_MISSING]: no player');
    expect(readdirSync(folder).filter((name) => /b\.(mp3|wav|vtt)/.test(name))).toEqual([]);
  });

  it('are not spoken where their captions cannot be written', async () => {
    mkdirSync(join(folder, 'f.vtt'));
    const { status, stderr } = await run(['ask', question, '--speak', 'f.wav']);
    expect([status, stderr]).toEqual([
      1,
      'error[FILE_UNREADABLE]: f.vtt cannot be written: it is no regular file\nhint: Name another file.\n',
    ]);
    expect(readdirSync(folder).filter((name) => /f\.(wav|vtt\.)/.test(name))).toEqual([]);
  });

  it('leave nothing behind when they are interrupted', async () => {
    const slow = join(folder, '.slow');
    mkdirSync(slow);
    writeFiles(slow, { 'espeak-ng': '#!/bin/sh\nexec sleep 60\n' });
    chmodSync(join(slow, 'espeak-ng'), 0o755);
    const child = spawn(process.execPath, [cliEntry, 'ask', question, '--speak', 'c.wav'], {
      cwd: folder,
      env: { ...process.env, PATH: `${slow}:${PATH}` },
    });
    await once(child.stdout, 'data'); // the sentence is written, and is being spoken
    child.kill('SIGINT');
    const [status] = await once(child, 'close');
    expect(status).toBe(130);
    expect(readdirSync(folder).filter((name) => name.includes('c.wav') || name === 'c.vtt')).toEqual([]);
  });

  it.skipIf(programs.length < 2)(
    `are real with espeak-ng and ffmpeg${programs.length < 2 ? ': not installed' : ''}`,
    async () => {
      const { status } = await run(['ask', question, '--speak', 'real.mp3'], { PATH: process.env.PATH });
      expect(status).toBe(0);
      const probe = spawnSync('ffprobe', [
        '-v',
        'error',
        '-show_entries',
        'format=duration:stream=codec_name',
        '-of',
        'csv=p=0',
        join(folder, 'real.mp3'),
      ]);
      const [codec, seconds] = String(probe.stdout).trim().split('\n');
      expect(codec).toBe('mp3');
      expect(Number(seconds) * 1000).toBeGreaterThan(cues(join(folder, 'real.vtt')).at(-1)![1]);
    },
  );

  it.each([
    ['--voice', ['ask', question, '--voice', 'a']],
    ['--dry-run', ['ask', question, '--dry-run']],
    ['.aiff', ['ask', question, '--speak', 'a.aiff']],
    ['--batch', ['ask', '--batch', 'q.jsonl', '--play']],
  ])('refuse %s where it has no meaning', async (name, args) => {
    const { status, stderr } = await run(args);
    expect(status).toBe(2);
    expect(stderr).toContain(name === '.aiff' ? 'a.aiff' : name === '--batch' ? '--play' : name);
  });
});
