import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type AudioServiceOptions, audioService } from './audio/audio-service.ts';
import { type Harness, serve } from './harness.ts';
import type { Fields } from './shape.ts';

let harness: Harness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

interface Talk {
  readonly received: Fields[];
  readonly code: number;
  readonly reason: string;
}

interface Speaker {
  /** Sends everything at once, then waits for the service to close. */
  talk(path: string, messages: readonly unknown[], headers?: Record<string, string>): Promise<Talk>;
  token(kind: string): Promise<string>;
  readonly service: ReturnType<typeof audioService>;
}

async function start(options: AudioServiceOptions = {}): Promise<Speaker> {
  const service = audioService(options);
  const running = await serve([service]);
  harness = running;
  const key = { 'x-audio-api-key': 'test-audio-key' };
  return {
    service,
    talk: (path, messages, headers = key) =>
      new Promise((done, failed) => {
        const socket = new WebSocket(`${running.url.replace('http', 'ws')}${path}`, { headers });
        const received: Fields[] = [];
        socket.on('open', () => {
          for (const message of messages) socket.send(typeof message === 'string' ? message : JSON.stringify(message));
        });
        socket.on('message', (data) => received.push(JSON.parse(String(data)) as Fields));
        socket.on('close', (code, reason) => done({ received, code, reason: String(reason) }));
        socket.on('error', failed);
      }),
    async token(kind) {
      const answer = await fetch(`${running.url}/v1/single-use-token/${kind}`, { method: 'POST', headers: key });
      return ((await answer.json()) as { token: string }).token;
    },
  };
}

const single = '/v1/text-to-speech/v_narrator/stream-input?output_format=pcm_8000';
const opener = { text: ' ' };
const bytesOf = (received: readonly Fields[]): number =>
  received.reduce((sum, { audio }) => sum + (typeof audio === 'string' ? Buffer.from(audio, 'base64').length : 0), 0);
/** 60 ms per character at 8 kHz, 2 bytes per sample. */
const bytesFor = (text: string): number => text.length * 480 * 2;
const chars = (received: readonly Fields[]): string[] =>
  received.flatMap(({ alignment }) => (alignment == null ? [] : [(alignment as { chars: string[] }).chars.join('')]));

describe('the stand-in speech socket', () => {
  it('buffers by its schedule, flushes when asked, and ends with isFinal', async () => {
    const { talk } = await start();
    const sentence = 'a word '.repeat(8);
    const config = { generation_config: { chunk_length_schedule: [50, 100] } };
    const { received, code } = await talk(single, [
      { ...opener, ...config },
      { text: sentence },
      { text: sentence },
      { text: 'short ', flush: true },
      { text: 'rest ' },
      { text: '' },
    ]);
    // 56 characters pass the first threshold; the next 56 wait for 100 and are flushed with the short piece.
    expect(chars(received)).toEqual([sentence, `${sentence}short `, 'rest ']);
    expect(bytesOf(received)).toBe(bytesFor(`${sentence}${sentence}short rest `));
    expect(received.filter(({ isFinal }) => isFinal === true)).toEqual([received.at(-1)]);
    expect(received.at(-1)).toEqual({ audio: null, isFinal: true });
    expect(code).toBe(1000);
  });

  it('tells times with every chunk only when asked, each from 0, in either spelling', async () => {
    const { talk, service } = await start();
    const messages = [opener, { text: 'twelve words ', flush: true }, { text: '' }];
    const first = await talk(single, messages);
    expect(first.received.map(({ alignment }) => alignment != null)).toEqual([true, false, false]);
    const sync = await talk(`${single}&sync_alignment=true`, messages);
    const alignments = sync.received.flatMap(({ alignment }) => (alignment == null ? [] : [alignment as Fields]));
    expect(alignments.map(({ charStartTimesMs }) => (charStartTimesMs as number[])[0])).toEqual([0, 0]);
    expect(alignments[0]).toHaveProperty('charDurationsMs');
    service.script.speech = { olderDurations: true };
    const older = await talk(single, messages);
    expect(older.received[0]?.alignment).toHaveProperty('charsDurationsMs');
  });

  it('takes the key in the header, the first message, or as a token that works once', async () => {
    const { talk, token } = await start();
    const rest = [{ text: 'hello ' }, { text: '' }];
    for (const name of ['x_audio_api_key', 'x-audio-api-key']) {
      expect((await talk(single, [{ ...opener, [name]: 'test-audio-key' }, ...rest], {})).code).toBe(1000);
    }
    const path = `${single}&single_use_token=${await token('tts_websocket')}`;
    expect((await talk(path, [opener, ...rest], {})).code).toBe(1000);
    const again = await talk(path, [opener, ...rest], {});
    expect([again.code, again.received[0]?.error]).toEqual([1008, 'invalid_api_key']);
    expect((await talk(single, [opener, ...rest], {})).reason).toBe('invalid_api_key');
  });

  it.each<[string, string, unknown[], string]>([
    ['an opener that is no space', single, [{ text: 'hello ' }], 'invalid_input_message'],
    ['settings after the opener', single, [opener, { text: 'a ', voice_settings: {} }], 'invalid_input_message'],
    [
      'a threshold under 50',
      single,
      [{ ...opener, generation_config: { chunk_length_schedule: [49] } }],
      'invalid_input_message',
    ],
    [
      'a locator without version',
      single,
      [{ ...opener, pronunciation_dictionary_locators: [{ pronunciation_dictionary_id: 'd' }] }],
      'invalid_input_message',
    ],
    ['what is no JSON', single, ['{'], 'invalid_input_message'],
    ['an unknown query key', `${single}&speed=2`, [opener], 'invalid_input_message'],
    ['a long inactivity', `${single}&inactivity_timeout=181`, [opener], 'invalid_input_message'],
    ['v3', `${single}&model_id=voice_v3`, [opener], 'unsupported_model'],
    ['an unknown voice', '/v1/text-to-speech/nobody/stream-input', [opener], 'voice_not_found'],
    ['WAV', '/v1/text-to-speech/v_host/stream-input?output_format=wav_8000', [opener], 'invalid_output_format'],
  ])('refuses %s with a message and code 1008', async (_, path, messages, error) => {
    const { talk } = await start();
    const { received, code } = await talk(path, messages);
    expect([received[0]?.error, received[0]?.code, code]).toEqual([error, 1008, 1008]);
  });

  it('is quiet for too long, or out of credits', async () => {
    const { talk, service } = await start({ credits: 3, script: { speech: { idleMs: 30 } } });
    expect((await talk(single, [opener])).received[0]?.error).toBe('input_timeout_exceeded');
    service.script.speech = {};
    expect((await talk(single, [opener, { text: 'hello ', flush: true }])).received[0]?.error).toBe('quota_exceeded');
  });
});

describe('the stand-in socket with several contexts', () => {
  const path = '/v1/text-to-speech/v_narrator/multi-stream-input?output_format=pcm_8000';

  it('keeps contexts apart and closes one or all', async () => {
    const { talk, service } = await start();
    const messages = [
      { ...opener, context_id: 'a' },
      { ...opener, context_id: 'b' },
      { text: 'for a ', context_id: 'a' },
      { text: 'for b ', context_id: 'b' },
      { text: '', context_id: 'b' },
      { context_id: 'a', close_context: true },
      { close_socket: true },
    ];
    const { received, code } = await talk(path, messages);
    const of = (id: string) => received.filter(({ contextId }) => contextId === id);
    expect([chars(of('a')), chars(of('b'))]).toEqual([['for a '], ['for b ']]);
    expect(received.filter(({ isFinal }) => isFinal === true).map(({ contextId }) => contextId)).toEqual(['a', 'b']);
    expect(code).toBe(1000);
    service.script.speech = { snakeFinal: true };
    expect((await talk(path, messages)).received.filter(({ is_final }) => is_final === true)).toHaveLength(2);
  });

  it('refuses a message without context, and closing an unknown one', async () => {
    const { talk } = await start();
    expect((await talk(path, [opener])).code).toBe(1008);
    expect((await talk(path, [{ context_id: 'x', close_context: true }])).code).toBe(1008);
  });
});

describe('the stand-in dialogue socket', () => {
  const path = '/v1/text-to-dialogue/stream-input?output_format=pcm_8000';
  const first = { voices: ['v_host', 'v_guest'], voice_settings: { stability: 0.5 } };

  it('joins lines of one voice into a turn and spells in snake case', async () => {
    const { talk } = await start();
    const { received, code } = await talk(path, [
      first,
      {
        inputs: [
          { text: 'One ', voice_id: 'v_host' },
          { text: 'two. ', voice_id: 'v_host' },
        ],
      },
      { inputs: [{ text: 'Three. ', voice_id: 'v_guest' }], flush: true },
      { close_socket: true },
    ]);
    expect(chars(received)).toEqual(['One two. ', 'Three. ']);
    expect(received.map(({ is_final_audio_for_turn, is_final }) => [is_final_audio_for_turn, is_final])).toEqual([
      [true, false],
      [false, false],
      [true, true],
    ]);
    expect(received[0]?.alignment).toHaveProperty('char_durations_ms');
    expect(code).toBe(1000);
  });

  it('refuses a voice that was not announced, an unknown one, and other models', async () => {
    const { talk } = await start();
    const stranger = { inputs: [{ text: 'Hello. ', voice_id: 'v_narrator' }] };
    expect((await talk(path, [first, stranger])).received[0]?.error).toBe('invalid_input_message');
    expect((await talk(path, [{ voices: ['nobody'] }])).received[0]?.error).toBe('voice_not_found');
    expect((await talk(`${path}&model_id=voice_flash_v2_5`, [first])).received[0]?.error).toBe('unsupported_model');
  });
});

describe('the stand-in realtime transcription', () => {
  const path = '/v1/speech-to-text/realtime?model_id=scribe_v2_realtime&audio_format=pcm_8000';
  const chunk = (seconds: number, level = 1) => ({
    message_type: 'input_audio_chunk',
    audio_base_64: Buffer.alloc(seconds * 16_000, level).toString('base64'),
  });
  const commit = { message_type: 'input_audio_chunk', audio_base_64: '', commit: true };
  const types = (received: readonly Fields[]) => received.map(({ message_type }) => message_type);
  /** Realtime sockets stay open; a message that is no audio ends them. */
  const stop = { message_type: 'stop' };

  it('says what it heard only when told to commit', async () => {
    const { talk } = await start();
    const { received } = await talk(`${path}&include_timestamps=true`, [chunk(2), chunk(2), commit, stop]);
    expect(types(received)).toEqual([
      'session_started',
      'partial_transcript',
      'partial_transcript',
      'committed_transcript',
      'committed_transcript_with_timestamps',
      'input_error',
    ]);
    const words = received[4]?.words as { text: string }[];
    expect(words.map(({ text }) => text).join('')).toBe(received[3]?.text);
    expect(received[0]).toMatchObject({ config: { commit_strategy: 'manual' } });
  });

  it('commits by itself at silence, and refuses what is too short', async () => {
    const { talk } = await start();
    const quiet = await talk(`${path}&commit_strategy=vad`, [chunk(2), chunk(1, 0), stop]);
    expect(types(quiet.received)).toEqual([
      'session_started',
      'partial_transcript',
      'committed_transcript',
      'input_error',
    ]);
    const short = await talk(path, [chunk(0.2), commit, stop]);
    expect(types(short.received)[2]).toBe('commit_throttled');
  });

  it('knows a stranger, a wrong query, and scripted errors', async () => {
    const { talk, token, service } = await start();
    expect(types((await talk(path, [], {})).received)).toEqual(['auth_error']);
    expect(types((await talk(`${path}&vad_threshold=2`, [])).received)).toEqual(['input_error']);
    const once = await talk(`${path}&token=${await token('realtime_scribe')}`, [stop], {});
    expect(types(once.received)).toEqual(['session_started', 'input_error']);
    service.script.transcription = { realtimeError: 'queue_overflow' };
    expect(types((await talk(path, [chunk(1)])).received).at(-1)).toBe('queue_overflow');
    service.script.transcription = { repeatCommit: true };
    const twice = await talk(path, [chunk(4), commit, chunk(1), commit, stop]);
    const commits = twice.received.filter(({ message_type }) => message_type === 'committed_transcript');
    expect(commits[1]?.text).toBe(commits[0]?.text);
  });
});
