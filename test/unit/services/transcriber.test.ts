import { describe, expect, it } from 'vitest';
import { serviceTranscriber } from '../../../src/services/transcriber.ts';
import type { AudioService } from '../../../src/wire/audio/index.ts';
import { pcm, soundOf, wav } from '../../support/sound.ts';
import { loopback } from '../../wire/audio/loopback.ts';

const script = { transcription: { polls: 0 } };
const { harness, audio } = await loopback({ script });

const talk = soundOf('talk.wav', wav(pcm(8000)), 8);

/** Fields of the form of the last request, by name; without the sound. */
function form(): Record<string, string[]> {
  const fields = harness.requests.at(-1)!.parts.filter(({ filename }) => filename === undefined);
  const byName = Map.groupBy(fields, ({ name }) => name);
  return Object.fromEntries([...byName].map(([name, parts]) => [name, parts.map(({ text }) => text)]));
}

describe('the audio service as a transcriber', () => {
  it('asks for words, speakers and sounds, and leaves out key terms that would be refused', async () => {
    const keyterms = ['Ailsa Munro', 'PCH-317', 'x'.repeat(50), 'a<b', 'one two three four five six'];
    const { transcript } = await serviceTranscriber(audio).transcribe(talk, { speakers: 2, language: 'en', keyterms });
    expect(form()).toEqual({
      model_id: ['scribe_v2'],
      language_code: ['en'],
      timestamps_granularity: ['word'],
      tag_audio_events: ['true'],
      diarize: ['true'],
      num_speakers: ['2'],
      keyterms: ['Ailsa Munro', 'PCH-317'],
    });
    expect(transcript.language).toBe('en');
    expect(transcript.words[0]).toEqual({ text: 'Hello', startMs: 120, endMs: 460, speaker: 'speaker_0' });
    expect(new Set(transcript.words.map(({ speaker }) => speaker))).toEqual(new Set(['speaker_0', 'speaker_1']));
    expect(transcript.words.filter(({ event }) => event).map(({ text }) => text)).toEqual(['(laughter)']);
  });

  it('tells the first model no key terms, which it would refuse, and reckons with none', async () => {
    const first = serviceTranscriber(audio, { model: 'scribe_v1', usdPerHour: 0.5 });
    expect((await first.transcribe(talk, { keyterms: ['Ailsa Munro'] })).transcript.words.length).toBeGreaterThan(0);
    expect(form()).toMatchObject({ model_id: ['scribe_v1'] });
    expect(form().keyterms).toBeUndefined();
    expect(first.price!(true)).toBe(0.5);
  });

  it('takes each channel for a speaker where that is asked for', async () => {
    const stereo = soundOf('two.wav', wav(pcm(8000), { channels: 2 }), 4, 2);
    const { transcript } = await serviceTranscriber(audio).transcribe(stereo, { multichannel: true });
    expect(form()).toMatchObject({ use_multi_channel: ['true'] });
    expect(form().diarize).toBeUndefined();
    expect(new Set(transcript.words.map(({ speaker }) => speaker))).toEqual(new Set(['speaker_0', 'speaker_1']));
  });

  it('fetches a later answer by its id, also one that an earlier run had asked for', async () => {
    const transcriber = serviceTranscriber(audio, { asynchronous: true, pollMs: 1 });
    const tickets: string[] = [];
    const first = await transcriber.transcribe(talk, { onTicket: async (ticket) => void tickets.push(ticket) });
    expect(form().webhook).toBeUndefined(); // the last request fetched
    harness.clear();
    const again = await transcriber.transcribe(talk, { ticket: tickets[0]! });
    expect(again).toEqual(first);
    expect(harness.requests.map(({ method }) => method)).toEqual(['GET']);
  });

  it('fetches the channels of a later answer as it has them at once', async () => {
    const stereo = soundOf('two.wav', wav(pcm(8000), { channels: 2 }), 4, 2);
    const call = { multichannel: true };
    const atOnce = await serviceTranscriber(audio).transcribe(stereo, call);
    const later = await serviceTranscriber(audio, { asynchronous: true, pollMs: 1 }).transcribe(stereo, call);
    expect(harness.requests.at(-1)!.method).toBe('GET');
    expect(later).toEqual(atOnce);
  });

  it('costs a fifth more with key terms; a price that is none is refused', () => {
    const { price, limits } = serviceTranscriber(audio, { usdPerHour: 0.5 });
    expect(price!(false)).toBe(0.5);
    expect(price!(true)).toBeCloseTo(0.6, 12);
    expect(limits).toEqual({ bytes: 3e9, seconds: 9000, multichannelSeconds: 3600 });
    expect(serviceTranscriber(audio, { asynchronous: true }).limits.seconds).toBe(36_000);
    expect(serviceTranscriber(audio).price!(false)).toBeUndefined();
    expect(() => serviceTranscriber(audio, { usdPerHour: -1 })).toThrow(/usdPerHour/);
  });

  it('takes no text without words for silence', async () => {
    const saying = (text: string): AudioService => {
      const create = async () => ({ kind: 'transcript', transcript: { text, language_code: 'en', words: [] } });
      return { ...audio, transcripts: { ...audio.transcripts, create } } as unknown as AudioService; // enough of one
    };
    await expect(serviceTranscriber(saying('Hello.')).transcribe(talk, {})).rejects.toMatchObject({
      code: 'RESPONSE_INVALID',
    });
    expect((await serviceTranscriber(saying('')).transcribe(talk, {})).transcript.words).toEqual([]);
  });

  it('passes the refusal of the service on', async () => {
    harness.script({ fault: { kind: 'status', status: 402 } });
    await expect(serviceTranscriber(audio).transcribe(talk, {})).rejects.toMatchObject({ code: 'BILLING' });
  });
});
