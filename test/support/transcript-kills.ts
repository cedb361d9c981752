import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../../src/eval/statistics.ts';
import { connectDatabase } from '../../src/store/index.ts';
import { StoredTranscripts } from '../../src/store/transcript-cache.ts';
import { keptTranscript } from '../../src/transcribe/kept.ts';
import { audioService } from '../wire/service/audio/audio-service.ts';
import { type Harness, serve } from '../wire/service/harness.ts';
import { cliEntry } from './cli.ts';
import { pcm, wav } from './sound.ts';

export interface TranscriptKills {
  readonly kills: number;
  /** Requests for a transcript, all of which the service carried out and billed. */
  readonly requests: number;
  /** Requests for a recording whose transcript was stored before. */
  readonly paidTwice: number;
  /** Requests that were on their way when the process was killed, and were sent again. */
  readonly inFlight: number;
  /** Kills after which some of the run's transcripts were stored and others not. */
  readonly midway: number;
  readonly recordings: number;
  /** What was wrong in the end. */
  readonly wrong: readonly string[];
}

const DELAY_MS = 60;

/**
 * Kills `ibid ingest --transcribe` at random moments between its requests, and counts what is paid again.
 * @param count recordings of one index; when all are transcribed, another one is begun
 */
export async function killTranscriptions(kills: number, seed: number, count: number): Promise<TranscriptKills> {
  const random = seededRandom(seed);
  await using harness = await serve([audioService()]);
  // carried out and billed, then slow
  harness.script({ fault: { kind: 'delay', ms: DELAY_MS }, times: Number.POSITIVE_INFINITY });
  const sum = { kills: 0, requests: 0, paidTwice: 0, inFlight: 0, midway: 0, recordings: 0, wrong: [] as string[] };
  while (sum.kills < kills) {
    const root = mkdtempSync(join(tmpdir(), 'ibid-kills-'));
    try {
      await oneIndex(root, count, harness, kills, random, sum);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }
  return sum;
}

async function oneIndex(
  root: string,
  count: number,
  harness: Harness,
  kills: number,
  random: () => number,
  sum: { -readonly [K in keyof TranscriptKills]: TranscriptKills[K] } & { wrong: string[] },
): Promise<void> {
  const names = Array.from({ length: count }, (_, i) => `talk-${i}.wav`);
  for (const [i, name] of names.entries()) writeFileSync(join(root, name), wav(pcm(1000 + 10 * i)));
  sum.recordings += names.length;
  const first = harness.requests.length;
  const sent = (from: number): string[] =>
    harness.requests.slice(from).flatMap(({ parts }) => parts.flatMap(({ filename }) => filename ?? []));
  let stored = new Set<string>();
  while (sum.kills < kills && stored.size < names.length) {
    const before = harness.requests.length;
    const run = start(root, harness.url);
    const exit = once(run, 'exit');
    // after so many of the requests that are left: a time would be another moment on each machine
    const after = before + 1 + Math.floor(random() * (names.length - stored.size));
    while (harness.requests.length < after && run.exitCode === null) await sleep(2);
    await sleep(random() * DELAY_MS);
    if (run.exitCode === null) sum.kills++;
    run.kill('SIGKILL');
    await exit;
    while (harness.inFlight > 0) await sleep(2);
    sum.paidTwice += sent(before).filter((name) => stored.has(name)).length;
    const now = await storedOf(root, names);
    if (now.size > stored.size && sent(before).some((name) => !now.has(name))) sum.midway++;
    stored = now;
  }
  const before = harness.requests.length;
  const run = start(root, harness.url);
  const [status] = await once(run, 'exit');
  sum.paidTwice += sent(before).filter((name) => stored.has(name)).length;
  const all = sent(first);
  sum.requests += all.length;
  sum.inFlight += all.length - new Set(all).size;
  if (status !== 0) sum.wrong.push(`the run that was left alone ended with ${status}`);
  const missing = names.length - (await storedOf(root, names)).size;
  if (missing > 0) sum.wrong.push(`${missing} recordings have no transcript`);
  const receipts = await withTranscripts(root, async (kept) => (await kept.receipts()).length);
  if (receipts !== names.length) sum.wrong.push(`${receipts} receipts for ${names.length} transcripts`);
}

function start(root: string, url: string) {
  const env = { ...process.env, IBID_AUDIO_API_KEY: 'test-audio-key', IBID_AUDIO_BASE_URL: url };
  const args = [cliEntry, 'ingest', '.', '--transcribe', '--no-keyterms', '--quiet'];
  return spawn(process.execPath, args, { cwd: root, env, stdio: 'ignore' });
}

async function storedOf(root: string, names: readonly string[]): Promise<Set<string>> {
  const found = await withTranscripts(root, (kept) =>
    Promise.all(names.map((name) => keptTranscript(kept, join(root, name), {}))),
  );
  return new Set(names.filter((_, i) => found[i] !== undefined));
}

async function withTranscripts<T>(root: string, use: (kept: StoredTranscripts) => Promise<T>): Promise<T> {
  const database = await connectDatabase(join(root, '.ibid'), { create: true });
  try {
    return await use(new StoredTranscripts(database));
  } finally {
    database.close();
  }
}
