// Writes the two recordings of the demo collection, spoken by espeak-ng, with their captions.
//
//   node datasets/speak-demo.ts
//
// Needs espeak-ng and ffmpeg. Another version of espeak-ng speaks a little differently: the captions follow its times.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFlags } from '../bench/support/flags.ts';

readFlags(import.meta.filename, {});

type Line = readonly [speaker: string, text: string];

interface Recording {
  readonly name: string;
  /** How ffmpeg writes it, small. */
  readonly format: readonly string[];
  readonly captions: 'vtt' | 'srt';
  readonly voices: Readonly<Record<string, readonly string[]>>;
  readonly lines: readonly Line[];
}

const recordings: readonly Recording[] = [
  {
    name: 'recordings/2025-10-21-winter-store.mp3',
    format: ['-ac', '1', '-ar', '16000', '-b:a', '16k'],
    captions: 'vtt',
    voices: { 'Tamsin Reid': ['-v', 'en-gb+f3', '-s', '165'], 'Ola Brandt': ['-v', 'en-gb-scotland', '-s', '150'] },
    lines: [
      ['Tamsin Reid', 'Recording of the walk through the winter store, twenty-first of October.'],
      ['Ola Brandt', 'The shelves on the left hold the ropes. We counted fourteen mooring lines, and two are worn.'],
      ['Tamsin Reid', 'Who orders the new ones?'],
      ['Ola Brandt', 'I do. The rope maker in Lyngdal needs five weeks.'],
      ['Tamsin Reid', 'And the pallet of orange buoys by the door?'],
      ['Ola Brandt', 'They go to the school in November. The children paint them for the regatta.'],
    ],
  },
  {
    name: 'recordings/2025-11-03-foghorn.ogg',
    format: ['-ac', '1', '-ar', '16000', '-c:a', 'libvorbis', '-q:a', '0'],
    captions: 'srt',
    voices: { JORUN: ['-v', 'en-gb+f2', '-s', '155'], PELLE: ['-v', 'en-gb+m3', '-s', '160'] },
    lines: [
      ['JORUN', 'Voice note about the foghorn. It sounded twice last night although the air was clear.'],
      ['PELLE', 'The moisture probe had a spider in it. I cleaned the probe with alcohol.'],
      ['JORUN', 'Then it should stay silent until there is real fog.'],
      ['PELLE', 'Yes. I also put a fine steel mesh over the intake.'],
    ],
  },
];

const demo = join(import.meta.dirname, 'demo');
const RATE = 22_050;
const PAUSE_MS = 350;

for (const { name, format, captions, voices, lines } of recordings) {
  const folder = mkdtempSync(join(tmpdir(), 'ibid-speak-'));
  try {
    const pieces: Buffer[] = [];
    const cues: string[] = captions === 'vtt' ? ['WEBVTT\n'] : [];
    let at = 0;
    for (const [i, [speaker, text]] of lines.entries()) {
      const path = join(folder, `${i}.wav`);
      execFileSync('espeak-ng', [...voices[speaker]!, '-w', path, text]);
      const sound = readFileSync(path).subarray(44);
      const lastMs = (sound.length / 2 / RATE) * 1000;
      const times = `${clock(at, captions)} --> ${clock(at + lastMs, captions)}`;
      const said = captions === 'vtt' ? `<v ${speaker}>${text}` : `${speaker}: ${text}`;
      cues.push(`${i + 1}\n${times}\n${said}\n`);
      pieces.push(sound, Buffer.alloc(2 * Math.round((PAUSE_MS * RATE) / 1000)));
      at += lastMs + PAUSE_MS;
    }
    const raw = join(folder, 'all.raw');
    writeFileSync(raw, Buffer.concat(pieces));
    const out = join(demo, name);
    mkdirSync(join(out, '..'), { recursive: true });
    const input = ['-f', 's16le', '-ar', String(RATE), '-ac', '1', '-i', raw];
    execFileSync('ffmpeg', ['-y', '-loglevel', 'error', ...input, '-map_metadata', '-1', '-bitexact', ...format, out]);
    writeFileSync(out.replace(/\.\w+$/, `.${captions}`), `${cues.join('\n')}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function clock(ms: number, captions: 'vtt' | 'srt'): string {
  const text = new Date(Math.round(ms)).toISOString().slice(11, 23);
  return captions === 'vtt' ? text : text.replace('.', ',');
}
