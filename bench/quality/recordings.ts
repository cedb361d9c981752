/**
 * What do words that a transcriber hears wrong cost a search, and how exact are the times of citations? Texts of the
 * demo collection are spoken by espeak-ng, word by word, in several voices and speeds, so that the time of every word
 * is known. A stand-in hears them: it knows the words of each sample, is wrong in 0, 5, 10 and 20 per cent of them
 * (replaced, lost, added), and measures each time up to 30 ms beside. Recordings are sent in parts of at most a minute,
 * cut at silence and joined.
 *
 *   node bench/quality/recordings.ts [--talks 10] [--seed 1] [--gigabytes 2] [--write]
 *
 * Questions are sentences of the texts without their function words. Counted: nDCG@10 of the passages that hold the
 * sentence; the share of questions whose answer, without a model, cites the sentence with a start within half a second;
 * spans of random words of the clean transcripts whose first and last time is within 60 ms. The last figure is the peak
 * memory of `ibid ingest` with a recording of two gigabytes (a sparse file), and with one of a second. Without espeak-ng
 * the bench is skipped, with the reason.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openIndex, type SearchIndex, type Sound, type SpokenWord, type Transcriber } from '../../src/index.ts';
import { mean, seededRandom } from '../../src/internal.ts';
import { wav } from '../../test/support/sound.ts';
import { readFlags } from '../support/flags.ts';
import { writeResults } from '../support/report.ts';

const { values: flags } = readFlags(import.meta.filename, {
  options: {
    talks: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    gigabytes: { type: 'string', default: '2' },
    write: { type: 'boolean', default: false },
  },
});
if (spawnSync('espeak-ng', ['--version']).error) {
  console.log('skipped: there is no espeak-ng (apt-get install espeak-ng)');
  process.exit(0);
}

const RATE = 22_050;
const WORD_GAP_MS = 40;
const SENTENCE_GAP_MS = 450;
const JITTER_MS = 30;
const PART_SECONDS = 60;
const ERRORS = [0, 0.05, 0.1, 0.2];
const random = seededRandom(Number(flags.seed));

interface Talk {
  readonly name: string;
  readonly pcm: Buffer;
  readonly words: readonly SpokenWord[];
  /** Indexes of the first and last word of each sentence. */
  readonly sentences: readonly (readonly [first: number, last: number])[];
}

const demo = join(import.meta.dirname, '../../datasets/demo');
const voices = ['en-gb+f3', 'en-us+m2', 'en-gb-scotland', 'en-us+f4', 'en-gb+m7'];

/** The prose of a Markdown file as sentences. */
function sentencesOf(text: string): string[] {
  return text
    .replace(/^---[\s\S]*?\n---\n/, '')
    .split('\n')
    .filter((line) => !/^(?:#|\||>|```)/.test(line))
    .join('\n')
    .replace(/[*_`[\]]|\([^)]*\)/g, '')
    .split(/\n\s*\n|\n- |(?<=[.!?])\s+/)
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
    .filter((sentence) => sentence.split(' ').length >= 5);
}

const spoken = new Map<string, Buffer>();

/** Samples of one word, without the silence around it. */
function speak(word: string, voice: string, speed: number): Buffer {
  const key = `${voice} ${speed} ${word}`;
  const known = spoken.get(key);
  if (known) return known;
  const file = execFileSync('espeak-ng', ['-v', voice, '-s', String(speed), '--stdout', '--', word]);
  let [from, to] = [44, file.length - (file.length % 2)];
  while (to - from > 200 && Math.abs(file.readInt16LE(to - 2)) < 60) to -= 2;
  while (to - from > 200 && Math.abs(file.readInt16LE(from)) < 60) from += 2;
  const samples = file.subarray(from, to);
  spoken.set(key, samples);
  return samples;
}

function speakTalk(name: string, sentences: readonly string[], voice: string, speed: number): Talk {
  const pieces: Buffer[] = [];
  const words: SpokenWord[] = [];
  const spans: [number, number][] = [];
  let samples = 0;
  const pause = (ms: number): void => {
    const silence = Buffer.alloc(2 * Math.round((ms * RATE) / 1000));
    pieces.push(silence);
    samples += silence.length / 2;
  };
  for (const sentence of sentences) {
    const first = words.length;
    for (const text of sentence.split(' ')) {
      const sound = speak(text, voice, speed);
      const startMs = (samples / RATE) * 1000;
      pieces.push(sound);
      samples += sound.length / 2;
      words.push({
        text,
        startMs: Math.round(startMs),
        endMs: Math.round((samples / RATE) * 1000),
        speaker: 'speaker_0',
      });
      pause(WORD_GAP_MS);
    }
    spans.push([first, words.length - 1]);
    pause(SENTENCE_GAP_MS);
  }
  return { name, pcm: Buffer.concat(pieces), words, sentences: spans };
}

/** Finds the talk and the time of a part by its samples, and hears its words with this share of errors. */
function listener(talks: readonly Talk[], errorShare: number): Transcriber {
  const vocabulary = [...new Set(talks.flatMap(({ words }) => words.map(({ text }) => text)))];
  const any = (): string => vocabulary[Math.floor(random() * vocabulary.length)]!;
  const off = (): number => Math.round((2 * random() - 1) * JITTER_MS);
  const hear = (word: SpokenWord): SpokenWord[] => {
    const dice = random() / errorShare;
    if (dice < 0.2) return [];
    if (dice < 0.4) return [word, { ...word, text: any(), startMs: word.endMs, endMs: word.endMs + 20 }];
    return [dice < 1 ? { ...word, text: any() } : word];
  };
  return {
    id: `stand-in-${errorShare}`,
    limits: { bytes: 1e9, seconds: PART_SECONDS },
    price: () => 0,
    async transcribe(sound: Sound) {
      const samples = Buffer.concat(await Array.fromAsync(sound.open())).subarray(44);
      const mark = samples.findIndex((byte) => byte !== 0) & ~1;
      const needle = samples.subarray(mark, mark + 40_000);
      const found = talks.map((talk) => ({ talk, at: talk.pcm.indexOf(needle) })).find(({ at }) => at !== -1)!;
      const fromMs = ((found.at - mark) / 2 / RATE) * 1000;
      const heard = found.talk.words
        .filter(({ startMs, endMs }) => startMs >= fromMs && endMs <= fromMs + sound.seconds * 1000)
        .flatMap((word) => (errorShare === 0 ? [word] : hear(word)));
      let last = 0;
      const words = heard.map((word) => {
        const startMs = Math.max(last, Math.round(word.startMs - fromMs) + off());
        last = startMs;
        return { ...word, startMs, endMs: Math.max(startMs, Math.round(word.endMs - fromMs) + off()) };
      });
      return { transcript: { language: 'en', words } };
    },
  };
}

const FUNCTION_WORDS = new Set(
  'a an and are as at be but by for from has have he i if in is it its no not of on or she so that the their them there they this to was we were what when which who will with you'.split(
    ' ',
  ),
);

const questionOf = (talk: Talk, [first, last]: readonly [number, number]): string =>
  talk.words
    .slice(first, last + 1)
    .map(({ text }) => text.replace(/[^\p{L}\p{N}.-]|\.$/gu, ''))
    .filter((word) => word !== '' && !FUNCTION_WORDS.has(word.toLowerCase()))
    .slice(0, 8)
    .join(' ');

interface Asked {
  readonly ndcg: number;
  readonly inTime: number;
}

async function ask(index: SearchIndex, talk: Talk, sentence: readonly [number, number]): Promise<Asked> {
  const question = questionOf(talk, sentence);
  const [fromMs, toMs] = [talk.words[sentence[0]]!.startMs, talk.words[sentence[1]]!.endMs];
  const { hits } = await index.search(question, { limit: 10 });
  const rank = hits.findIndex(({ chunk }) => {
    const times = chunk.locators.map(({ timeMs }) => timeMs!);
    return chunk.uri === talk.name && times[0]![0] < (fromMs + toMs) / 2 && times.at(-1)![1] > (fromMs + toMs) / 2;
  });
  const { citations } = await index.ask(question, { mode: 'extractive' });
  const inTime = citations.some(({ uri, place }) => uri === talk.name && Math.abs(place.timeMs![0] - fromMs) <= 500);
  return { ndcg: rank === -1 ? 0 : 1 / Math.log2(rank + 2), inTime: inTime ? 1 : 0 };
}

/** Spans of one to twelve words of the index, with the error of their first and last time, in ms. */
async function timeErrors(index: SearchIndex, talks: readonly Talk[], spans: number): Promise<number[]> {
  const errors: number[] = [];
  for (const talk of talks) {
    const { text } = (await index.document(talk.name))!;
    const starts: number[] = []; // of each known word in the text
    let at = 0;
    for (const word of talk.words) {
      const found = text.indexOf(word.text, at);
      if (found === -1) throw new Error(`"${word.text}" is lost in ${talk.name}`);
      starts.push(found);
      at = found + word.text.length;
    }
    for (let i = 0; i < spans / talks.length; i++) {
      const first = Math.floor(random() * talk.words.length);
      const last = Math.min(talk.words.length - 1, first + Math.floor(random() * 12));
      const end = starts[last]! + talk.words[last]!.text.length;
      const { place } = await index.show(`${talk.name}#${starts[first]!}-${end}`);
      const [startMs, endMs] = place.timeMs!;
      errors.push(Math.max(Math.abs(startMs - talk.words[first]!.startMs), Math.abs(endMs - talk.words[last]!.endMs)));
    }
  }
  return errors;
}

/** Peak of the resident memory of `ibid ingest` and the processes it starts, in MiB. */
async function peakOfIngest(folder: string): Promise<number> {
  const command = join(import.meta.dirname, '../../src/cli/main.ts');
  const child = spawn(process.execPath, [command, 'ingest', '.', '--quiet'], { cwd: folder, stdio: 'ignore' });
  const rss = (pid: number): number => {
    try {
      const kib = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
      const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
        readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
      );
      return kib + children.reduce((sum, one) => sum + rss(one), 0);
    } catch {
      return 0; // it has ended
    }
  };
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, rss(child.pid!));
  }, 10);
  await new Promise((done) => child.once('close', done));
  clearInterval(timer);
  return Math.round(peak / 1024);
}

/** A WAV file of silence with a caption beside it. @param bytes of samples, which take no room on disk */
function silentRecording(folder: string, bytes: number): void {
  const file = openSync(join(folder, 'long.wav'), 'w');
  writeSync(file, wav(Buffer.alloc(0), { rate: 44_100, channels: 2, promised: bytes }));
  ftruncateSync(file, 44 + bytes);
  closeSync(file);
  writeFileSync(
    join(folder, 'long.vtt'),
    'WEBVTT\n\n00:01.000 --> 00:04.000\nThe slipway needs gravel before the winter.\n',
  );
}

const texts = readdirSync(demo, { recursive: true, encoding: 'utf8' })
  .filter((name) => /^(?:handbook|minutes)\/.*\.md$|^reports\/cable.*\.md$/.test(name))
  .sort()
  .slice(0, Number(flags.talks));
const talks = texts.map((name, i) => {
  const sentences = sentencesOf(readFileSync(join(demo, name), 'utf8'));
  return speakTalk(`talk-${i}.wav`, sentences, voices[i % voices.length]!, 130 + 20 * (i % 4));
});
const seconds = talks.reduce((sum, { pcm }) => sum + pcm.length / 2 / RATE, 0);
const words = talks.reduce((sum, talk) => sum + talk.words.length, 0);
const questions = talks.flatMap((talk) => talk.sentences.map((sentence) => ({ talk, sentence })));
console.log(`${talks.length} talks, ${words} words, ${Math.round(seconds)} s of speech, ${questions.length} questions`);

const folder = mkdtempSync(join(tmpdir(), 'ibid-recordings-'));
const rows: Record<string, number>[] = [];
let times: { readonly spans: number; readonly within60Ms: number; readonly worstMs: number } | undefined;
try {
  for (const talk of talks) writeFileSync(join(folder, talk.name), wav(talk.pcm, { rate: RATE }));
  for (const errorShare of ERRORS) {
    const transcriber = listener(talks, errorShare);
    const address = join(folder, `index-${errorShare}`, '.ibid');
    await using index = await openIndex(address, { create: true, base: folder, models: { transcriber } });
    const { transcription } = await index.ingest(talks.map(({ name }) => join(folder, name)));
    const asked: Asked[] = [];
    for (const { talk, sentence } of questions) asked.push(await ask(index, talk, sentence));
    const row = {
      wordErrors: errorShare,
      requests: transcription!.requests,
      'nDCG@10': mean(asked.map(({ ndcg }) => ndcg)),
      citedInTime: mean(asked.map(({ inTime }) => inTime)),
    };
    rows.push(row);
    console.log(
      `word errors ${(100 * errorShare).toFixed(0).padStart(2)} %: nDCG@10 ${row['nDCG@10'].toFixed(3)}, ` +
        `cited within half a second ${row.citedInTime.toFixed(3)}, ${row.requests} requests`,
    );
    if (errorShare > 0) continue;
    const errors = await timeErrors(index, talks, 2000);
    const within = errors.filter((error) => error <= 60).length / errors.length;
    times = { spans: errors.length, within60Ms: within, worstMs: Math.max(...errors) };
    console.log(
      `times of ${errors.length} spans: ${(100 * within).toFixed(2)} % within 60 ms, at most ${times.worstMs} ms`,
    );
  }
  const peaks: number[] = [];
  for (const bytes of [176_400, Number(flags.gigabytes) * 1e9]) {
    const place = mkdtempSync(join(folder, 'large-'));
    silentRecording(place, bytes - (bytes % 4));
    peaks.push(await peakOfIngest(place));
  }
  const memory = { gigabytes: Number(flags.gigabytes), peakMiB: peaks[1]!, withoutMiB: peaks[0]! };
  console.log(
    `peak memory with ${memory.gigabytes} GB: ${memory.peakMiB} MiB; with a second of sound: ${memory.withoutMiB} MiB`,
  );
  if (flags.write) {
    const command = `node bench/quality/recordings.ts --talks ${flags.talks} --seed ${flags.seed}`;
    writeResults('recordings', command, {
      talks: talks.length,
      words,
      seconds,
      questions: questions.length,
      rows,
      times,
      memory,
    });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
