/**
 * Time from an answer's first whole sentence to its first sound, while the answer is still being written, beside what
 * the speaker itself takes for that sentence.
 *
 *   npm run bench:speech [-- --rounds 30] [--write]
 *
 * The audio service and the server are stand-ins on this machine that answer at once; espeak-ng is the real one, and is
 * left out where it is not installed. Rounds of both kinds alternate.
 */
import { spawnSync } from 'node:child_process';
import { type AnswerEvent, espeakSpeaker, type Speaker, speakAnswer } from '../../src/index.ts';
import { modelServer } from '../../src/models.ts';
import { createAudioService, openServiceSpeaker } from '../../src/wire.ts';
import { audioService } from '../../test/wire/service/audio/audio-service.ts';
import { commonService } from '../../test/wire/service/common/common-service.ts';
import { serve } from '../../test/wire/service/harness.ts';
import { readFlags } from '../support/flags.ts';
import { writeResults } from '../support/report.ts';

const { values } = readFlags(import.meta.filename, {
  options: { rounds: { type: 'string', default: '30' }, write: { type: 'boolean', default: false } },
});
const rounds = Number(values.rounds);
const sentence = 'The lease of the boathouse ends on the last day of May, unless both sides extend it in writing.';

/** The second sentence begins and does not end before the first is heard. */
async function ofAnswer(speaker: Speaker): Promise<number> {
  const heard = Promise.withResolvers<void>();
  let saidAt = 0;
  async function* written(): AsyncGenerator<AnswerEvent> {
    yield { type: 'text', text: sentence };
    saidAt = performance.now();
    yield { type: 'text', text: ' It was' };
    await heard.promise;
  }
  let ms = Number.NaN;
  for await (const event of speakAnswer(written(), speaker)) {
    if (event.type !== 'sound' || !Number.isNaN(ms)) continue;
    ms = performance.now() - saidAt;
    heard.resolve();
  }
  return ms;
}

async function ofSpeaker(speaker: Speaker): Promise<number> {
  const start = performance.now();
  for await (const { audio } of speaker.speak([{ text: sentence }], {})) {
    if (audio.length > 0) return performance.now() - start;
  }
  return Number.NaN;
}

const spread = (ms: readonly number[]): { median: number; max: number } => {
  const sorted = ms.toSorted((a, b) => a - b);
  return { median: sorted[sorted.length >> 1]!, max: sorted.at(-1)! };
};

await using audioStand = await serve([audioService()]);
await using commonStand = await serve([commonService({ models: [{ id: 'voice' }] })]);
const audio = createAudioService({ apiKey: 'test-audio-key', baseUrl: audioStand.url });
await using server = modelServer({ baseUrl: commonStand.url });
try {
  const speakers: [string, Speaker][] = [
    ['the audio service (socket, stand-in)', await openServiceSpeaker(audio)],
    ['a server with /v1/audio/speech (stand-in)', server.speaker({ model: 'voice' })],
  ];
  if (spawnSync('espeak-ng', ['--version']).status === 0) speakers.push(['espeak-ng', espeakSpeaker()]);
  const results: Record<string, unknown> = {};
  for (const [name, speaker] of speakers) {
    const [ours, own]: [number[], number[]] = [[], []];
    for (let round = -2; round < rounds; round++) {
      const [one, other] = [await ofAnswer(speaker), await ofSpeaker(speaker)];
      if (round < 0) continue; // connections are opened, code is compiled
      ours.push(one);
      own.push(other);
    }
    const row = { answer: spread(ours), speaker: spread(own) };
    results[name] = row;
    console.log(
      `${name}: first sound after ${row.answer.median.toFixed(0)} ms (at most ${row.answer.max.toFixed(0)}); ` +
        `the speaker itself ${row.speaker.median.toFixed(0)} ms (at most ${row.speaker.max.toFixed(0)})`,
    );
  }
  if (values.write) writeResults('speech', `npm run bench:speech -- --rounds ${rounds} --write`, results);
} finally {
  await audio.close();
}
