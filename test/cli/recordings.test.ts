import { spawnSync } from 'node:child_process';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createReader } from '../../src/index.ts';
import { type CliResult, runCli } from '../support/cli.ts';
import { mp3, pcm, spokenJson, wav } from '../support/sound.ts';
import { makeTempFolder, writeFiles } from '../support/temp.ts';
import { audioService } from '../wire/service/audio/audio-service.ts';
import { serve } from '../wire/service/harness.ts';

const hasFfmpeg = !spawnSync('ffmpeg', ['-version']).error;

describe('recordings on the command line', () => {
  const folder = makeTempFolder();
  const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<CliResult> =>
    runCli(args, { cwd: folder, env: { ...process.env, ...env } });

  it('are read by what lies beside them, wait, are named, shown and played', async () => {
    const talk = spokenJson([
      ['speaker_0', 'Who paints the boathouse this year?'],
      ['speaker_1', 'The sea scouts paint the boathouse in August.'],
    ]);
    writeFiles(folder, { 'talk.wav': wav(pcm(6000)), 'talk.json': talk, 'b.mp3': mp3(100) });
    const first = await run(['ingest', '.', '--quiet']);
    expect(first.stderr).toContain('waits   b.mp3: a recording of 3 s without a transcript [FILE_UNTRANSCRIBED]');
    expect(first.stderr).toContain('1 recording waits for a transcript');
    expect(first.status).toBe(0);
    expect((await run(['status'])).stdout).toContain('waits   b.mp3');
    const named = await run(['speakers', 'talk.wav', '--name', '1=Ailsa', '--name', '2=Bo Berg']);
    expect(named.stdout).toContain('names are in 1 recording');
    expect(named.stdout).toContain('2  Bo Berg, 3 s from 0:00:02: “The sea scouts paint the boathouse in August.”');
    const folderJson = await run(['speakers', '.', '--json']);
    expect(JSON.parse(folderJson.stdout)).toMatchObject([
      {
        uri: 'talk.wav',
        speakers: [
          { number: 1, name: 'Ailsa' },
          { number: 2, name: 'Bo Berg' },
        ],
      },
    ]);
    const nobody = await run(['speakers', 'talk.wav', '--name', '9=X']);
    expect(nobody.status).toBe(2);
    expect(nobody.stderr).toContain('the recording has no speaker 9');
    expect(nobody.stderr).toContain('1 (Ailsa), 2 (Bo Berg)');
    // by a path too, as a shell completes it, and all of the index by its folder
    for (const path of ['./talk.wav', join(folder, 'talk.wav')])
      expect((await run(['speakers', path])).stdout).toMatch(/^1 {2}Ailsa, .*\n2 {2}Bo Berg, /);
    const all = await run(['speakers', '.', '--name', 'speaker_7=Cleo']);
    expect(all).toMatchObject({ status: 0, stdout: 'names are in 1 recording\n' });
    const shown = await run(['show', 'talk.wav#t=2.4,5.55']);
    expect(shown.stdout).toContain('2.40 The  2.80 sea  3.20 scouts');
    expect(shown.stdout).toContain('the file still says so');
    const out = join(folder, '.clip.wav');
    const played = await run(['play', 'talk.wav#t=2.4,5.55', '--out', out]);
    if (hasFfmpeg) {
      expect(played.status).toBe(0);
      await using reader = createReader();
      await expect(reader.read({ path: out, uri: 'clip.wav' })).rejects.toMatchObject({
        message: 'a recording of 3 s without a transcript',
      });
    } else expect(played.stderr).toContain('ffmpeg');
    const other = join(folder, '.link.wav');
    linkSync(join(folder, 'talk.wav'), other);
    const before = readFileSync(other);
    for (const name of ['talk.wav', other]) {
      const itself = await run(['play', 'talk.wav#t=2.4,5.55', '--out', name]);
      expect(itself.status).toBe(2);
      expect(itself.stderr).toContain('is the recording itself');
      expect(readFileSync(other).equals(before)).toBe(true);
    }
    rmSync(other);
    for (const [name, told] of [
      ['.clip', 'the extension of ".clip" is to say the format'],
      ['missing/clip.wav', 'missing/clip.wav cannot be written: ENOENT'],
    ] as const) {
      const { stdout, stderr } = await run(['play', 'talk.wav#t=2.4,5.55', '--out', name], { PATH: folder });
      expect(stdout).toBe(''); // before the passage is told, and ffmpeg is looked for
      expect(stderr).toContain(told);
    }
    const silent = await run(['play', 'talk.wav#t=2.4,5.55'], { PATH: folder });
    expect(silent.stderr).toContain('no player was found');
    const json = await run(['play', 'talk.wav#t=2.4,5.55', '--json'], { PATH: folder });
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: 'PROGRAM_MISSING' } });
    expect(existsSync(out)).toBe(hasFfmpeg);
  });

  it('are written down by the audio service: first the price, then once', async () => {
    await using harness = await serve([audioService()]);
    const env = { IBID_AUDIO_API_KEY: 'test-audio-key', IBID_AUDIO_BASE_URL: harness.url };
    const without = await run(['ingest', '.', '--transcribe', '--quiet']);
    expect(without.stderr).toContain('IBID_AUDIO_API_KEY');
    for (const alone of [['--speech', 'en'], ['--speakers', '2'], ['--no-keyterms']]) {
      const { status, stderr } = await run(['ingest', '.', ...alone, '--quiet']);
      expect([status, stderr]).toEqual([
        2,
        `error[INVALID_ARGUMENT]: ${alone[0]} has no meaning without --transcribe\n`,
      ]);
    }
    const flags = ['ingest', '.', '--transcribe', '--hour-price', '0.36', '--no-keyterms', '--quiet'];
    const dry = await run([...flags, '--dry-run'], env);
    expect(dry.stdout).toContain(
      '1 recording to transcribe, 1 request, 3 s of sound, 0.0003 USD, about 1 s at 20 times real time',
    );
    const config = join(folder, 'ibid.config.json');
    writeFileSync(config, JSON.stringify({ fees: { transcribedHour: 36 } }));
    const configured = await run([...flags.filter((flag) => !/hour-price|^0\./.test(flag)), '--dry-run'], env);
    expect(configured.stdout).toContain('3 s of sound, 0.0261 USD'); // 100 frames of 1,152 at 44.1 kHz
    rmSync(config);
    expect(harness.requests).toHaveLength(0);
    const paid = await run(flags, env);
    expect(paid.stdout).toContain('1 recording transcribed, 1 request, 3 s of sound, 0.0003 USD');
    expect((await run(flags, env)).stdout).toContain('2 unchanged');
    expect((await run([...flags, '--rebuild'], env)).stdout).toContain('1 paid for already');
    expect(harness.requests).toHaveLength(1);
    expect((await run(['status'])).stdout).toContain('transcribed in all runs: 3 s of sound, 1 request, 0.0003 USD');
    const { stdout } = await run(['search', 'welcome to the meeting', '--limit', '1']);
    expect(stdout).toContain('b.mp3');
  });
});
