import { ElevenLabsClient } from '@elevenlabs/elevenlabs-js';
import { describe, expect, it } from 'vitest';
import { Meter } from '../../../src/core/meter.ts';
import { openServiceSpeaker } from '../../../src/services/audio/speaker.ts';
import { captionsOf, webVtt } from '../../../src/speak/captions.ts';
import type { SpokenTurn } from '../../../src/speak/contract.ts';
import { speakTurns } from '../../../src/speak/speech.ts';
import { type AudioService, createAudioService } from '../../../src/wire/audio/index.ts';
import { WireError } from '../../../src/wire/http/errors.ts';
import { open } from '../../wire/audio/fake.ts';
import { loopback } from '../../wire/audio/loopback.ts';
import { audioService } from '../../wire/service/audio/audio-service.ts';
import { type Harness, serve } from '../../wire/service/harness.ts';

const { harness, audio } = await loopback();

async function* coming(turns: readonly SpokenTurn[]): AsyncGenerator<SpokenTurn> {
  yield* turns;
}

const turns = [{ text: 'The ferry leaves at seven.' }, { text: 'Bring a coat.' }];

describe('the audio service as a speaker', () => {
  it('speaks sentences that come one by one through one socket, each word with its time', async () => {
    const speaker = await openServiceSpeaker(audio, { voices: ['v_narrator'] });
    const parts = await Array.fromAsync(speaker.speak(coming(turns), { format: 'pcm' }));
    const spans = parts.flatMap((part) => part.spans);
    expect(spans.map(({ turn, start, end }) => turns[turn]!.text.slice(start, end))).toEqual(
      turns.flatMap(({ text }) => text.split(' ')),
    );
    // the stand-in speaks 60 ms a character, and the blank after a sentence too
    const at = turns[0]!.text.length + 1;
    expect(spans.find(({ turn }) => turn === 1)!.startMs).toBeGreaterThan(at * 60 - 120);
    expect(spans.find(({ turn }) => turn === 1)!.startMs).toBeLessThan(at * 60 + 120);
  });

  it.each(['refused', 'cut'] as const)('finds a voice in an account of more than 500: the list is %s', async (how) => {
    const all = Array.from({ length: 730 }, (_, i) => ({ voice_id: `v${i}`, name: `Voice ${i}` }));
    const { service, sent } = open(({ operation, call }) => {
      if (operation.path === '/v1/voices')
        return how === 'cut'
          ? { body: { voices: all.slice(0, 500) } }
          : { error: new WireError('REQUEST_REJECTED', 'HTTP 400: too many voices') };
      const { page_size: size, next_page_token: token } = call.query as { page_size: number; next_page_token?: string };
      const from = Number(token ?? 0);
      const next = from + size < all.length ? String(from + size) : null;
      return { body: { voices: all.slice(from, from + size), has_more: next !== null, next_page_token: next } };
    });
    const { voices } = await service.voices.list();
    expect(voices.map(({ voice_id }) => voice_id)).toEqual(all.map(({ voice_id }) => voice_id));
    expect(sent).toHaveLength(1 + 8);
    expect((await openServiceSpeaker(service)).voices).toEqual(['v0', 'v1']);
  });

  it('says why the list was refused where there are no pages', async () => {
    const refusal = new WireError('REQUEST_REJECTED', 'HTTP 400: no list');
    const { service } = open(({ operation }) => ({
      error: operation.path === '/v1/voices' ? refusal : new WireError('REMOTE_NOT_FOUND', 'HTTP 404'),
    }));
    await expect(service.voices.list()).rejects.toBe(refusal);
  });

  it('speaks a conversation through the dialogue operation, in parts of whole turns', async () => {
    const speaker = await openServiceSpeaker(audio);
    expect(speaker.voices.length).toBe(2);
    const lines = Array.from({ length: 40 }, (_, i) => ({
      text: `This is line ${i} of the conversation.`,
      voice: speaker.voices[i % 2]!,
    }));
    const parts = await Array.fromAsync(speaker.speak(lines, {}));
    const sent = harness.requests.filter(({ path }) => path.startsWith('/v1/text-to-dialogue'));
    expect(sent.length).toBeGreaterThan(1);
    const inputs = sent.flatMap(({ body }) => (body as { inputs: { text: string; voice_id: string }[] }).inputs);
    expect(inputs).toEqual(lines.map(({ text, voice }) => ({ text, voice_id: voice })));
    const spans = parts.flatMap((part) => part.spans);
    const said = Map.groupBy(spans, ({ turn }) => turn);
    expect([...said.keys()]).toEqual([...lines.keys()]);
    for (const [turn, words] of said) {
      expect(words.map(({ start, end }) => lines[turn]!.text.slice(start, end)).join(' ')).toBe(lines[turn]!.text);
    }
  });

  it('costs what the plan of the key costs beyond its quota', async () => {
    // 0.24 USD a thousand credits; the fast model takes half a credit a character
    const price = async (options: object) => (await openServiceSpeaker(audio, { voices: ['v'], ...options })).price!();
    expect(await price({})).toBeUndefined();
    expect(await price({ plan: 'pro' })).toBeCloseTo(0.24, 12);
    expect(await price({ plan: 'pro', model: 'voice_flash_v2_5' })).toBeCloseTo(0.12, 12);
    expect(await price({ plan: 'pro', usdPer1000Characters: 0.1 })).toBe(0.1);
  });

  it('costs in a conversation what the model that can converse costs, as the service books it', async () => {
    const options = { voices: ['v_host', 'v_guest'], plan: 'pro', model: 'voice_flash_v2_5' } as const;
    const speaker = await openServiceSpeaker(audio, options);
    const lines = turns.map(({ text }, i) => ({ text, voice: options.voices[i] }));
    const spent = async (said: typeof lines): Promise<{ counted: number; booked: number }> => {
      harness.clear();
      const meter = new Meter(1);
      await Array.fromAsync(speakTurns(speaker, said, { meter }));
      return { counted: meter.spentUsd, booked: (harness.ledger.totals().units / 1000) * 0.24 }; // of the plan
    };
    const both = await spent(lines);
    expect(both.booked).toBeGreaterThan(0);
    expect(both.counted).toBeCloseTo(both.booked, 9);
    const alone = await spent(lines.map(({ text }) => ({ text, voice: 'v_host' })));
    expect(alone.counted).toBeCloseTo(both.counted / 2, 9); // half a credit a character
  });

  it('follows pronunciation dictionaries, in their latest version unless one is named', async () => {
    const rules = [{ type: 'alias' as const, string_to_replace: 'ferry', alias: 'very small boat' }];
    const made = await audio.dictionaries.addFromRules({ name: 'words', rules });
    // the stand-in refuses a locator without a version, and one that it does not know
    const said = async (version?: string): Promise<unknown[]> => {
      const speaker = await openServiceSpeaker(audio, {
        voices: ['v_narrator'],
        dictionaries: [{ id: made.id, version }],
      });
      return await Array.fromAsync(speaker.speak(coming(turns), {}));
    };
    expect((await said()).length).toBeGreaterThan(1);
    expect((await said(made.version_id!)).length).toBeGreaterThan(1);
    await expect(said('version_none')).rejects.toMatchObject({ service: 'audio' });
  });

  it('takes the version of a dictionary from either name that the service has for it', async () => {
    const get = async () => ({ id: 'd1', version_id: 'version_7' }); // as it names the one that was just made
    const own = { ...audio, dictionaries: { ...audio.dictionaries, get } } as unknown as AudioService; // enough of one
    const voices = ['v_host', 'v_guest'];
    const speaker = await openServiceSpeaker(own, { voices, dictionaries: [{ id: 'd1' }] });
    const lines = voices.map((voice) => ({ text: 'Yes.', voice }));
    await Array.fromAsync(speaker.speak(lines, {})).catch(() => {}); // the stand-in knows no such dictionary
    expect(harness.requests.at(-1)!.body).toMatchObject({
      pronunciation_dictionary_locators: [{ pronunciation_dictionary_id: 'd1', version_id: 'version_7' }],
    });
  });

  it('hands on whole samples, however the service cuts its sound', async () => {
    const bytes = Uint8Array.from({ length: 480 }, (_, i) => i % 251);
    const cuts = [bytes.subarray(0, 3), bytes.subarray(3, 4), bytes.subarray(4, 101), bytes.subarray(101)];
    const base64 = (chunk: Uint8Array): string => Buffer.from(chunk).toString('base64');
    const { service } = open(({ kind }) =>
      kind === 'socket'
        ? {
            socket: (socket) => {
              for (const cut of cuts) socket.say({ audio: base64(cut) });
              socket.say({ audio: null, isFinal: true });
            },
          }
        : { lines: cuts.map((cut) => JSON.stringify({ audio_base64: base64(cut), alignment: null })) },
    );
    for (const model of ['voice_multilingual_v2', 'voice_v3']) {
      const speaker = await openServiceSpeaker(service, { voices: ['v'], model });
      const parts = await Array.fromAsync(speakTurns(speaker, coming([{ text: 'Yes.' }]), { meter: new Meter() }));
      expect(Buffer.concat(parts.map(({ audio }) => audio))).toEqual(Buffer.from(bytes));
    }
  });

  it('says that sound ends within a sample, which would turn all that follows into noise', async () => {
    const { service } = open(() => ({
      lines: [JSON.stringify({ audio_base64: Buffer.alloc(301, 1).toString('base64'), alignment: null })],
      body: { audio_base64: Buffer.alloc(301, 1).toString('base64'), alignment: null, normalized_alignment: null },
    }));
    const speaker = await openServiceSpeaker(service, { voices: ['a', 'b'], model: 'voice_v3' });
    const said = (turns: readonly SpokenTurn[]) => Array.fromAsync(speakTurns(speaker, turns, { meter: new Meter() }));
    await expect(said([{ text: 'Yes.' }])).rejects.toMatchObject({ code: 'RESPONSE_INVALID' });
    const conversation = ['a', 'b'].map((voice) => ({ text: 'Yes.', voice }));
    await expect(said(conversation)).rejects.toMatchObject({ code: 'RESPONSE_INVALID' });
  });

  it('has captions that do not overlap where the times of a request go beyond its sound', async () => {
    const { service } = open(({ call }) => {
      const characters = [...(call.json as { text: string }).text];
      const alignment = {
        characters,
        character_start_times_seconds: characters.map((_, i) => i / 10),
        character_end_times_seconds: characters.map((_, i) => (i + 1) / 10),
      };
      return { lines: [JSON.stringify({ audio_base64: Buffer.alloc(48_000).toString('base64'), alignment })] }; // 1 s
    });
    const speaker = await openServiceSpeaker(service, { voices: ['v'], model: 'voice_v3' });
    const parts = await Array.fromAsync(speakTurns(speaker, coming(turns), { meter: new Meter() }));
    const byTurn = Map.groupBy(
      parts.flatMap(({ spans }) => spans),
      ({ turn }) => turn,
    );
    const captions = turns.flatMap(({ text }, i) => captionsOf(text, byTurn.get(i)!, []));
    const times = [...webVtt(captions).matchAll(/(\S+) --> (\S+)/g)].map(([, from, to]) => [from, to]);
    expect(times).toEqual([
      ['00:00:00.000', '00:00:01.000'],
      ['00:00:01.000', '00:00:02.300'],
    ]);
  });

  it('says nothing twice when the service ends a session before its text has ended', async () => {
    const { service, sent } = open((_, index) => {
      if (index > 2) throw new Error('the same sentence is paid again and again');
      return {
        socket: (socket) => {
          socket.onMessage = ({ text }) => {
            if (typeof text !== 'string' || text.trim() === '') return;
            socket.say({ audio: Buffer.alloc(480).toString('base64') });
            socket.say({ audio: null, isFinal: true });
          };
        },
      };
    });
    async function* slow(): AsyncGenerator<SpokenTurn> {
      yield turns[0]!;
      await new Promise((resolve) => setTimeout(resolve, 50));
      yield turns[1]!;
    }
    const speaker = await openServiceSpeaker(service, { voices: ['v'] });
    await expect(Array.fromAsync(speaker.speak(slow(), {}))).rejects.toMatchObject({ code: 'STREAM_BROKEN' });
    expect(sent.length).toBe(1);
  });

  it('passes the refusal of the service on', async () => {
    const speaker = await openServiceSpeaker(audio, { voices: ['v_nobody'] });
    await expect(Array.fromAsync(speaker.speak(coming(turns), {}))).rejects.toMatchObject({ service: 'audio' });
  });
});

describe('what the speaker sends is what the official client of the service sends', () => {
  const key = 'test-audio-key';
  const judged = audioService({ dialect: 'public', keyHeader: 'xi-api-key' });
  const lines = [
    { text: 'Three reports agree.', voice: 'v_host' },
    { text: 'On what, exactly?', voice: 'v_guest' },
  ];

  /** Path, query and body of the last request. */
  const sent = ({ requests }: Harness) => {
    const { method, path, query, body } = requests.at(-1)!;
    return { method, path, query: [...query].sort(), body };
  };

  it('for a conversation, and for a sentence of a model without a socket', async () => {
    await using stands = await serve([judged]);
    const own = createAudioService({ apiKey: key, baseUrl: stands.url, profile: 'public' });
    const official = new ElevenLabsClient({ apiKey: key, baseUrl: stands.url, maxRetries: 0 });
    const options = { model: 'eleven_v3', voices: ['v_host', 'v_guest'], speed: 1.2 };
    const speaker = await openServiceSpeaker(own, options);

    await Array.fromAsync(speaker.speak(lines, { language: 'en' })).catch(() => {});
    const conversation = sent(stands);
    await official.textToDialogue
      .convertWithTimestamps({
        inputs: lines.map(({ text, voice }) => ({ text, voiceId: voice })),
        modelId: 'eleven_v3',
        outputFormat: 'pcm_24000',
        languageCode: 'en',
      })
      .catch(() => {});
    expect(conversation).toEqual(sent(stands));

    await Array.fromAsync(speaker.speak(coming([lines[0]!]), { language: 'en', format: 'mp3' })).catch(() => {});
    const sentence = sent(stands);
    await official.textToSpeech
      .streamWithTimestamps('v_host', {
        text: lines[0]!.text,
        modelId: 'eleven_v3',
        outputFormat: 'mp3_44100_128',
        languageCode: 'en',
        voiceSettings: { speed: 1.2 },
      })
      .catch(() => {});
    expect(sentence).toEqual(sent(stands));
    await own.close();
  });
});
