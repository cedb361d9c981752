import { describe, expect, it } from 'vitest';
import { type AudioService, signWebhook } from '../../../src/wire/audio/index.ts';
import type { FormPart } from '../../../src/wire/http/contract.ts';
import { WireError } from '../../../src/wire/http/errors.ts';
import { type Answer, open, type Sent } from './fake.ts';

const parts = (sent: Sent): (readonly [string, string])[] =>
  (sent.call.form ?? []).map((part: FormPart) => [
    part.name,
    'value' in part ? part.value : `${part.filename} ${part.type}`,
  ]);
const file = new Uint8Array([1]);

describe('transcripts.create', () => {
  const body = { language_code: 'en', text: 'Hi', words: [{ text: 'Hi', start: 0, end: 1, type: 'word' }], future: 1 };

  it('sends each keyterm as a part, all formats as one, and nothing that is unset', async () => {
    const { service, sent } = open(() => ({ body }));
    await service.transcripts.create({
      file: { content: file, filename: 'talk.mp3' },
      language_code: undefined,
      diarize: false,
      keyterms: ['alpha beta', 'gamma'],
      additional_formats: [{ format: 'srt', include_speakers: true }],
      entity_detection: 'all',
      webhook_metadata: { doc: 'd9' },
      seed: 0,
    });
    expect(parts(sent[0]!)).toEqual([
      ['model_id', 'scribe_v2'],
      ['diarize', 'false'],
      ['seed', '0'],
      ['keyterms', 'alpha beta'],
      ['keyterms', 'gamma'],
      ['entity_detection', 'all'],
      ['additional_formats', '[{"format":"srt","include_speakers":true}]'],
      ['webhook_metadata', '{"doc":"d9"}'],
      ['file', 'talk.mp3 audio/mpeg'],
    ]);
  });

  it('tells the three shapes of an answer apart', async () => {
    const answers = [
      { body },
      {
        body: {
          transcripts: [
            { ...body, channel_index: 0 },
            { text: '', words: [], channel_index: 1 },
          ],
          transcription_id: 't',
        },
      },
      { status: 202, body: { message: 'taken on', request_id: 'r' } },
      { body: { text: '' } },
    ];
    const { service } = open((_, index) => answers[index]!);
    const get = () => service.transcripts.create({ source_url: 'https://example.org/a.mp3' });
    expect(await get()).toMatchObject({ kind: 'transcript', transcript: { future: 1 } });
    expect(await get()).toMatchObject({ kind: 'multichannel', transcripts: [{ channel_index: 0 }, { words: [] }] });
    expect(await get()).toMatchObject({ kind: 'accepted', request_id: 'r', info: { status: 202 } });
    expect(await get()).toMatchObject({ kind: 'transcript', transcript: { text: '', words: [] } });
  });

  it.each([
    ['no source', {}, 'file, source_url, cloud_storage_url'],
    ['two sources', { file, source_url: 'https://a.org' }, 'file, source_url, cloud_storage_url'],
    ['an empty file', { file: new Uint8Array() }, 'file'],
    ['33 speakers', { file, num_speakers: 33 }, 'num_speakers'],
    ['diarised channels', { file, use_multi_channel: true, diarize: true }, 'diarize'],
    ['counted channels', { file, use_multi_channel: true, num_speakers: 2 }, 'num_speakers'],
    ['a threshold without diarising', { file, diarization_threshold: 0.2 }, 'diarization_threshold'],
    ['roles without diarising', { file, detect_speaker_roles: true }, 'detect_speaker_roles'],
    ['a keyterm of six words', { file, keyterms: ['a b c d e f'] }, 'keyterms[0]'],
    ['a keyterm of 50 characters', { file, keyterms: ['x'.repeat(50)] }, 'keyterms[0]'],
    ['a keyterm with a bracket', { file, keyterms: ['a[b'] }, 'keyterms[0]'],
    ['1,001 keyterms', { file, keyterms: new Array<string>(1_001).fill('a') }, 'keyterms'],
    [
      'eleven formats',
      { file, additional_formats: new Array<{ format: 'srt' }>(11).fill({ format: 'srt' }) },
      'additional_formats',
    ],
    ['keyterms with the first model', { file, model_id: 'scribe_v1', keyterms: ['a'] }, 'keyterms'],
    ['deep metadata', { file, webhook_metadata: { a: { b: { c: 1 } } } }, 'webhook_metadata'],
    ['a speaking model', { file, model_id: 'voice_v3' }, 'model_id'],
  ])('refuses %s', async (_, request, field) => {
    const { service, sent } = open(() => ({ body }));
    const error: unknown = await service.transcripts.create(request).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect((error as Error).message).toContain(`${field}: `);
    expect(sent).toEqual([]);
  });

  it('does not take something else for a transcript', async () => {
    const { service } = open(() => ({ body: { text: 'Hi', words: [{ text: 1 }] } }));
    await expect(service.transcripts.create({ file })).rejects.toMatchObject({ code: 'RESPONSE_INVALID' });
  });
});

describe('transcripts.verifyWebhook', () => {
  const body = JSON.stringify({
    type: 'speech_to_text_transcription',
    event_timestamp: 1_757_340_000,
    data: { request_id: 'r1', webhook_metadata: '{"doc":"d9"}', transcription: { text: '', words: [] } },
  });
  const sentAt = 1_757_340_000;
  const { service } = open(() => ({}));
  const verify = (change: Partial<Parameters<AudioService['transcripts']['verifyWebhook']>[0]> = {}) =>
    service.transcripts.verifyWebhook({
      body,
      secret: 's',
      headers: { 'X-Audio-Signature': signWebhook(body, 's', sentAt) },
      now: (sentAt + 1_799) * 1_000,
      ...change,
    });

  it('takes a genuine delivery', () => {
    expect(verify()).toMatchObject({
      request_id: 'r1',
      webhook_metadata: { doc: 'd9' },
      result: { kind: 'transcript' },
    });
    expect(verify({ body: Buffer.from(body) }).type).toBe('speech_to_text_transcription');
    const bare = JSON.stringify({ text: 'a', words: [] });
    expect(verify({ body: bare, headers: { 'x-audio-signature': signWebhook(bare, 's', sentAt) } }).result?.kind).toBe(
      'transcript',
    );
  });

  it('was signed by arithmetic one can repeat elsewhere', () => {
    // printf '1.{}' | openssl dgst -sha256 -hmac s
    expect(signWebhook('{}', 's', 1)).toBe('t=1,v0=b253639bcd705ed1cda3073f66104f16988bd40272584dea7d0d345ae93e61cc');
  });

  it.each([
    ['another body', { body: `${body} ` }],
    ['another secret', { secret: 'other' }],
    ['31 minutes of age', { now: (sentAt + 1_860) * 1_000 }],
    ['a time in the future', { now: (sentAt - 1_860) * 1_000 }],
    ['no header', { headers: {} }],
    ['half a header', { headers: { 'x-audio-signature': `t=${sentAt}` } }],
    ['a short signature', { headers: { 'x-audio-signature': `t=${sentAt},v0=ab` } }],
  ])('refuses %s', (_, change) => {
    expect(() => verify(change)).toThrow(expect.objectContaining({ code: 'PERMISSION_DENIED' }));
  });
});

describe('dialogue', () => {
  const inputs = [
    { text: '[excited] Yes.', voice_id: 'a' },
    { text: 'No.', voice_id: 'b' },
  ];

  it('refuses too much text and another model', async () => {
    const { service } = open(() => ({ chunks: [file] }));
    await expect(service.dialogue.create({ inputs: [{ text: 'x'.repeat(5_001), voice_id: 'a' }] })).rejects.toThrow(
      '5001',
    );
    await expect(service.dialogue.create({ inputs, model_id: 'voice_flash_v2_5' })).rejects.toThrow('model_id');
  });
});

describe('the other products', () => {
  it('scrub the key from the profile of the user, at any depth', async () => {
    const { service } = open(() => ({
      body: { user_id: 'u', x_audio_api_key: 'secret', inner: [{ x_audio_api_key: 'secret' }] },
    }));
    expect(JSON.stringify(await service.account.user())).not.toContain('secret');
  });

  it('take the models from an array', async () => {
    const { service } = open((_, index) => ({ body: index === 0 ? [{ model_id: 'a' }] : { models: [] } }));
    expect((await service.models())[0]!.model_id).toBe('a');
    await expect(service.models()).rejects.toMatchObject({ code: 'RESPONSE_INVALID' });
  });

  it('walk through all pages once', async () => {
    const pages = [
      { voices: [{ voice_id: '1' }], has_more: true, next_page_token: 'p' },
      { voices: [{ voice_id: '2' }], has_more: true, next_page_token: 'p' },
    ];
    const { service, sent } = open((_, index) => ({ body: pages[index] }));
    const heard: string[] = [];
    const all = (async () => {
      for await (const { voice_id } of service.voices.all()) heard.push(voice_id);
    })();
    await expect(all).rejects.toMatchObject({ code: 'RESPONSE_INVALID' }); // the cursor comes twice
    expect(heard).toEqual(['1', '2']);
    expect(sent.map(({ call }) => call.query?.next_page_token)).toEqual([undefined, 'p']);
    const history = (ids: string[], has_more: boolean) => ({
      body: { history: ids.map((history_item_id) => ({ history_item_id, settings: { speed: 1.1 } })), has_more },
    });
    const past = open((_, index) => (index === 0 ? history(['a', 'b'], true) : history(['c'], false)));
    expect((await Array.fromAsync(past.service.account.history.all())).map(({ settings }) => settings?.speed)).toEqual([
      1.1, 1.1, 1.1,
    ]);
    expect(past.sent.map(({ call }) => call.query?.start_after_history_item_id)).toEqual([undefined, 'b']);
  });

  it('poll a dubbing to its end, and know a failure', async () => {
    const states = ['dubbing', 'dubbing', 'dubbed'];
    const { service, sent } = open((_, index) => ({ body: { dubbing_id: 'd', status: states[index] } }));
    expect((await service.dubbing.wait('d', { pollMs: 1 })).status).toBe('dubbed');
    expect(sent.length).toBe(3);
    const failed = open(() => ({ body: { dubbing_id: 'd', status: 'failed', error: 'no speech' } }));
    await expect(failed.service.dubbing.wait('d')).rejects.toMatchObject({
      code: 'RUN_FAILED',
      message: expect.stringContaining('no speech'),
    });
    const slow = open(() => ({ body: { dubbing_id: 'd', status: 'dubbing' } }));
    await expect(slow.service.dubbing.wait('d', { pollMs: 5, waitMs: 12 })).rejects.toMatchObject({ code: 'TIMEOUT' });
    const stop = AbortSignal.abort(new Error('enough'));
    await expect(slow.service.dubbing.wait('d', { signal: stop })).rejects.toThrow('enough');
  });

  it('wait for dubbed sound only when asked to', async () => {
    const soon = (_: Sent, index: number): Answer =>
      index === 0
        ? { error: new WireError('NOT_READY', 'HTTP 425') }
        : { chunks: [file], headers: { 'content-type': 'video/mp4' } };
    await expect(open(soon).service.dubbing.audio('d', 'de')).rejects.toMatchObject({ code: 'NOT_READY' });
    const stream = await open(soon).service.dubbing.audio('d', 'de', { waitMs: 1_000, pollMs: 1 });
    expect(stream.mediaType).toBe('video/mp4');
    expect(await Array.fromAsync(stream)).toEqual([file]);
  });

  it('wait for the captions of a dubbing that are not made yet', async () => {
    let asked = 0;
    const { service } = open(() => {
      asked += 1;
      return asked < 3
        ? { error: new WireError('NOT_READY', 'soon') }
        : { chunks: [new TextEncoder().encode('1\n00:00:00,000 --> 00:00:01,000\nHallo.\n')] };
    });
    const captions = await service.dubbing.transcript('d', 'de', 'srt', { waitMs: 1_000, pollMs: 1 });
    expect([asked, captions.includes('Hallo.')]).toEqual([3, true]);
  });

  it('send a clone as repeated files and labels as JSON', async () => {
    const { service, sent } = open(() => ({ body: { voice_id: 'v', requires_verification: false } }));
    await service.voices.add({
      name: 'n',
      files: [file, { content: file, filename: 'b.wav' }, () => new Blob([file]).stream()],
      labels: { accent: 'x' },
    });
    expect(parts(sent[0]!)).toEqual([
      ['name', 'n'],
      ['labels', '{"accent":"x"}'],
      ['files', 'recording-1 application/octet-stream'],
      ['files', 'b.wav audio/wav'],
      ['files', 'recording-3 application/octet-stream'],
    ]);
  });

  it('take usage in milliseconds only', async () => {
    const { service } = open(() => ({ body: { time: [], usage: {} } }));
    await service.account.usage({ start_unix: 1_757_340_000_000, end_unix: 1_757_350_000_000 });
    await expect(service.account.usage({ start_unix: 1_757_340_000, end_unix: 1_757_350_000 })).rejects.toThrow(
      'milliseconds',
    );
  });

  it.each([
    ['a voice from no recording', (s: AudioService) => s.voices.add({ name: 'n', files: [] })],
    ['a dub of nothing', (s: AudioService) => s.dubbing.create({ target_lang: 'de' })],
    ['33 speakers in a dub', (s: AudioService) => s.dubbing.create({ file, target_lang: 'de', num_speakers: 33 })],
    [
      'a dub that ends before it starts',
      (s: AudioService) => s.dubbing.create({ file, target_lang: 'de', start_time: 9, end_time: 8 }),
    ],
    ['a dialogue without turns', (s: AudioService) => s.dialogue.create({ inputs: [] })],
    ['a turn without words', (s: AudioService) => s.dialogue.create({ inputs: [{ text: '', voice_id: 'v' }] })],
    ['four webhooks', (s: AudioService) => s.dubbing.projects.create({ file, webhook_ids: ['a', 'b', 'c', 'd'] })],
    ['times of no text', (s: AudioService) => s.alignment.create({ file, text: ' ' })],
    [
      'a setting above 1',
      (s: AudioService) => s.voiceChanger.create({ voice_id: 'v', audio: file, voice_settings: { style: 2 } }),
    ],
    ['a dub into nothing', (s: AudioService) => s.dubbing.create({ file, target_lang: '' })],
    ['an update of nothing', (s: AudioService) => s.agents.update('a', {})],
  ])('refuse %s', async (_, call) => {
    const { service, sent } = open(() => ({ body: {} }));
    await expect(call(service)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(sent).toEqual([]);
  });
});
