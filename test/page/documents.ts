import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const demo = join(import.meta.dirname, '../../datasets/demo');

/** One document of each kind that has a look of its own. */
export const documents: Readonly<Record<string, string | Uint8Array>> = {
  'guide/lighthouse.md':
    '---\ntitle: The lighthouse\nteam: ops\n---\n# The lighthouse\n\nThe keeper counts passing ships at dawn.\n\n' +
    '## Fuel\n\nThe lamp burns rapeseed oil. A full tank lasts nine nights.\n\n```sh\nlamp --trim\n\nlamp --light\n```\n',
  'guide/moorings.html':
    '<title>Moorings</title><h1>Moorings</h1><p>A mooring is paid by the day. <b>Never</b> write &lt;img src=x onerror=alert(1)&gt; ' +
    'on a buoy.</p><script>document.title = "attacked"</script>',
  'data/harvest.csv': 'month,mussels t,note\nMay,41.5,first boat\nJune,63.25,storm on the ninth\nJuly,70.0,\n',
  'mail/pump.eml':
    'From: Ines Okafor <ines@harbour.example>\r\nTo: Tom Reed <tom@harbour.example>\r\nSubject: Bilge pump\r\n' +
    'Date: Mon, 3 Mar 2025 08:00:00 +0000\r\nMessage-ID: <1@harbour.example>\r\n\r\nTom,\r\n\r\nThe bilge pump of the Kestrel failed on Sunday.\r\n',
  'talks/council.vtt':
    'WEBVTT\n\n00:00:02.000 --> 00:00:06.500\n<v Ines>The breakwater will be closed in October.\n\n' +
    '00:01:04.000 --> 00:01:09.000\n<v Tom>Divers inspect its foundation first.\n',
  'code/tide.py':
    '"""Tide tables."""\n\nSPRING_RANGE_M = 4.2\n\n\ndef neap_range(factor):\n    """Range at neap tide."""\n    return SPRING_RANGE_M * factor\n',
  'reports/annual-report-2024.pdf': readFileSync(join(demo, 'reports/annual-report-2024.pdf')),
  'reports/broken.pdf': '%PDF-1.7\nnot really',
};

/** A PDF of these objects, the first of which is its catalog. */
export function pdfOf(objects: readonly string[]): Uint8Array {
  let text = '%PDF-1.7\n';
  const offsets = objects.map((object, i) => {
    const at = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  return Buffer.from(`${text}${table}trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF`, 'latin1');
}

const said = 'The foghorn of Skerrow sounds every ninety seconds. The relay was changed in March.'.split(' ');
/** A recording of four seconds, a tone, and its transcript: a word each 0.25 s from 0.5 s on. */
export const recording: Readonly<Record<string, string | Uint8Array>> = {
  'talks/foghorn.wav': tone(4),
  'talks/foghorn.json': JSON.stringify({
    language_code: 'en',
    text: said.join(' '),
    words: said.map((text, i) => ({
      text,
      start: 0.5 + i * 0.25,
      end: 0.7 + i * 0.25,
      type: 'word',
      speaker_id: 's1',
    })),
  }),
};

/** PCM of 8 bits at 8,000 samples a second. */
function tone(seconds: number): Uint8Array {
  const samples = Buffer.from(Array.from({ length: 8000 * seconds }, (_, i) => 128 + Math.round(60 * Math.sin(i / 6))));
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  for (const [at, value] of [
    [16, 16],
    [24, 8000],
    [28, 8000],
    [40, samples.length],
  ] as const)
    head.writeUInt32LE(value, at);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    head.writeUInt16LE(value, at);
  head.write('data', 36);
  return Buffer.concat([head, samples]);
}
