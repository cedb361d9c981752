import { describe, expect, it } from 'vitest';
import type { LiveText } from '../../../src/wire/audio/index.ts';
import { WireError } from '../../../src/wire/http/errors.ts';
import { type FakeSocket, open as openFake } from './fake.ts';

const open = (socket: (socket: FakeSocket) => void) => {
  let opened: FakeSocket | undefined;
  const answer = {
    socket: (made: FakeSocket) => {
      opened = made;
      socket(made);
    },
  };
  return { ...openFake(() => answer), socket: () => opened! };
};

/** Half a second of pcm_16000 for every text, all closed by the empty text. */
const speaking = (socket: FakeSocket): void => {
  socket.onMessage = ({ text }) => {
    const audio = Buffer.alloc(16_000).toString('base64');
    const times = { chars: ['a'], charStartTimesMs: [10], charDurationsMs: [20] };
    if (text === '') socket.say({ audio: null, isFinal: true });
    else if (text !== ' ') socket.say({ audio, alignment: times, normalizedAlignment: null, isFinal: null });
  };
};

describe('a text that is spoken as it is written', () => {
  it('is closed where no socket opens for it', async () => {
    let open = 0;
    async function* writing<T>(piece: T): AsyncGenerator<T> {
      open++;
      try {
        for (;;) yield piece;
      } finally {
        open--;
      }
    }
    const { service } = openFake(() => ({ error: new WireError('RATE_LIMITED', 'HTTP 429') }));
    const turn = { text: 'Yes. ', voice_id: 'v' };
    for (const said of [
      service.speech.live(writing('Yes. '), { voice_id: 'v' }),
      service.dialogue.live(writing(turn), { voices: ['v'] }),
      service.dialogue.live(writing({ ...turn, voice_id: 'other' }), { voices: ['v'] }),
    ])
      await expect(Array.fromAsync(said)).rejects.toThrow(/429|not among/);
    expect(open).toBe(0);
  });

  it('is closed where a later turn is refused', async () => {
    let closed = false;
    async function* turns() {
      try {
        yield { text: 'Yes. ', voice_id: 'v' };
        yield { text: 'No. ', voice_id: 'other' };
        yield { text: 'Well. ', voice_id: 'v' };
      } finally {
        closed = true;
      }
    }
    const { service } = open(() => {});
    await expect(Array.fromAsync(service.dialogue.live(turns(), { voices: ['v'] }))).rejects.toThrow('not among');
    expect(closed).toBe(true);
  });
});

describe('speech.live', () => {
  it('sends words in order and gives times from the start of all sound', async () => {
    const { service, sent, socket } = open(speaking);
    const tokens = (async function* (): AsyncGenerator<LiveText> {
      yield* ['', 'Hel', 'lo th', 'ere. ', { flush: true }, 'Bye'];
    })();
    const request = { voice_id: 'v', output_format: 'pcm_16000', voice_settings: { speed: 1 }, seed: 0 };
    const chunks = await Array.fromAsync(service.speech.live(tokens, request));
    expect(socket().received).toEqual([
      { text: ' ', voice_settings: { speed: 1 } },
      { text: 'Hello ' },
      { text: 'there. ' },
      { text: ' ', flush: true },
      { text: 'Bye ' },
      { text: '' },
    ]);
    expect(sent[0]!.call.query).toMatchObject({
      model_id: 'voice_multilingual_v2',
      output_format: 'pcm_16000',
      seed: 0,
    });
    expect(chunks.map(({ alignment }) => alignment?.startTimesMs[0])).toEqual([10, 510, 1_010, undefined]);
    expect(chunks.map(({ isFinal }) => isFinal)).toEqual([false, false, false, true]);
    expect(socket().closed?.code).toBe(1000);
  });

  it('reads the older spelling of durations', async () => {
    const { service } = open((socket) => {
      socket.say({ audio: '', alignment: { chars: ['a'], charStartTimesMs: [0], charsDurationsMs: [7] } });
      socket.say({ isFinal: true });
    });
    const [first] = await Array.fromAsync(service.speech.live(['Hi'], { voice_id: 'v' }));
    expect(first!.alignment).toEqual({ chars: ['a'], startTimesMs: [0], durationsMs: [7] });
  });

  it('opens no socket before there is text', async () => {
    const { service, sent } = open(() => {});
    await expect(Array.fromAsync(service.speech.live(['', ' '], { voice_id: 'v' }))).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    const stop = new AbortController();
    const never = (async function* (): AsyncGenerator<string> {
      await new Promise(() => {});
    })();
    const waiting = Array.fromAsync(service.speech.live(never, { voice_id: 'v' }, { signal: stop.signal }));
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    expect(sent).toEqual([]);
  });

  it.each([
    [{ message: 'late', error: 'input_timeout_exceeded', code: 1008 }, 'TIMEOUT'],
    [{ message: 'no', error: 'quota_exceeded', code: 1008 }, 'BILLING'],
    [{ message: 'bad', error: 'invalid_input_message', code: 1008 }, 'REQUEST_REJECTED'],
  ])('throws what the socket says: %j', async (message, code) => {
    const { service } = open((socket) => {
      socket.say(message);
      socket.hangUp(1008);
    });
    await expect(Array.fromAsync(service.speech.live(['Hi'], { voice_id: 'v' }))).rejects.toMatchObject({ code });
  });

  it('tells a closed socket from an end', async () => {
    const { service } = open((socket) => {
      socket.say({ audio: 'AAAA' });
      socket.hangUp();
    });
    await expect(Array.fromAsync(service.speech.live(['Hi'], { voice_id: 'v' }))).rejects.toMatchObject({
      code: 'STREAM_BROKEN',
    });
  });

  it('throws the error of a text source as it is, and closes', async () => {
    const { service, socket } = open(speaking);
    const failing = (async function* (): AsyncGenerator<string> {
      yield 'Hi ';
      throw new RangeError('the model stopped');
    })();
    await expect(Array.fromAsync(service.speech.live(failing, { voice_id: 'v' }))).rejects.toThrow(RangeError);
    expect(socket().closed).toBeDefined();
  });

  it('closes the socket when the listener leaves', async () => {
    const { service, socket } = open(speaking);
    let returned = false;
    const endless = (async function* (): AsyncGenerator<string> {
      try {
        for (;;) yield 'word ';
      } finally {
        returned = true;
      }
    })();
    for await (const chunk of service.speech.live(endless, { voice_id: 'v' })) {
      expect(chunk.audio.length).toBeGreaterThan(0);
      break;
    }
    expect(socket().closed).toBeDefined();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(returned).toBe(true);
  });

  it('refuses what the socket does not serve', async () => {
    const { service, sent } = open(() => {});
    const refused = [
      { voice_id: 'v', model_id: 'voice_v3' },
      { voice_id: 'v', inactivity_timeout: 181 },
    ];
    for (const request of refused) {
      await expect(Array.fromAsync(service.speech.live(['Hi'], request))).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
      });
    }
    expect(sent).toEqual([]);
  });
});

describe('speech.liveMulti', () => {
  it('counts the times of a context that is opened again from its new start', async () => {
    const { service } = open((made) => {
      made.onMessage = ({ text, context_id, close_context, close_socket }) => {
        const times = { chars: ['a'], charStartTimesMs: [0], charDurationsMs: [1] };
        if (close_socket === true) made.hangUp();
        else if (close_context === true) made.say({ audio: null, isFinal: true, contextId: context_id });
        else if (typeof text === 'string' && text.trim() !== '')
          made.say({ audio: Buffer.alloc(32_000).toString('base64'), alignment: times, contextId: context_id });
      };
    });
    await using session = await service.speech.liveMulti({ voice_id: 'v', output_format: 'pcm_16000' });
    for (const text of ['First ', 'Second ']) {
      await session.send('one', text);
      await session.finish('one');
    }
    await session.end();
    const heard = await Array.fromAsync(session);
    expect(heard.flatMap(({ alignment }) => alignment?.startTimesMs ?? [])).toEqual([0, 0]);
  });

  it('keeps contexts and their clocks apart', async () => {
    const { service, socket } = open((made) => {
      made.onMessage = ({ text, context_id, close_socket }) => {
        const times = { chars: ['a'], charStartTimesMs: [0], charDurationsMs: [1] };
        if (close_socket === true) made.hangUp();
        else if (typeof text === 'string' && text.trim() !== '') {
          made.say({ audio: Buffer.alloc(32_000).toString('base64'), alignment: times, contextId: context_id });
        }
      };
    });
    await using session = await service.speech.liveMulti({ voice_id: 'v', output_format: 'pcm_16000' });
    await session.send('one', 'First ');
    await session.send('two', 'Second ');
    await session.send('one', 'Third');
    await session.end();
    const heard = await Array.fromAsync(session);
    expect(heard.map(({ contextId, alignment }) => [contextId, alignment?.startTimesMs[0]])).toEqual([
      ['one', 0],
      ['two', 0],
      ['one', 1_000],
    ]);
    expect(socket().received).toEqual([
      { text: ' ', context_id: 'one' },
      { text: 'First ', context_id: 'one' },
      { text: ' ', context_id: 'two' },
      { text: 'Second ', context_id: 'two' },
      { text: 'Third ', flush: true, context_id: 'one' },
      { close_context: true, context_id: 'one' },
      { text: ' ', flush: true, context_id: 'two' },
      { close_context: true, context_id: 'two' },
      { close_socket: true },
    ]);
  });
});

describe('dialogue.live', () => {
  it('names the voices first, then sends turns', async () => {
    const { service, socket } = open((made) => {
      made.onMessage = ({ close_socket }) => {
        if (close_socket === true) {
          made.say({
            audio: 'AAAA',
            alignment: { chars: ['a'], char_start_times_ms: [0], char_durations_ms: [1] },
            is_final_audio_for_turn: true,
          });
          made.say({ is_final: true });
        }
      };
    });
    const turns = [
      { text: 'One?', voice_id: 'a' },
      { text: 'Two.', voice_id: 'b', new_turn: true, flush: true },
    ];
    const chunks = await Array.fromAsync(
      service.dialogue.live(turns, { voices: ['a', 'b'], voice_settings: { stability: 0.5 } }),
    );
    expect(socket().received).toEqual([
      { voices: ['a', 'b'], voice_settings: { stability: 0.5 } },
      { inputs: [{ text: 'One?', voice_id: 'a' }] },
      { inputs: [{ text: 'Two.', voice_id: 'b', new_turn: true }], flush: true },
      { close_socket: true },
    ]);
    expect(chunks[0]).toMatchObject({ isFinalForTurn: true, alignment: { durationsMs: [1] } });
  });

  it('refuses a voice that was not named', async () => {
    const { service } = open(() => {});
    const turns = [{ text: 'One?', voice_id: 'c' }];
    await expect(Array.fromAsync(service.dialogue.live(turns, { voices: ['a'] }))).rejects.toThrow('voice_id');
    const later = [{ text: 'One?', voice_id: 'a' }, ...turns];
    await expect(Array.fromAsync(service.dialogue.live(later, { voices: ['a'] }))).rejects.toThrow('voice_id');
  });
});

describe('transcripts.realtime', () => {
  const listening = (made: FakeSocket): void => {
    made.say({ message_type: 'session_started', session_id: 's', config: {} });
    made.onMessage = ({ commit }) => {
      made.say(
        commit === true
          ? { message_type: 'committed_transcript', text: 'done' }
          : { message_type: 'partial_transcript', text: 'd' },
      );
    };
  };

  it('sends whole samples, commits by measured sound, and ends with the last commit', async () => {
    const { service, sent, socket } = open(listening);
    const second = new Uint8Array(32_000);
    const audio = [second.subarray(0, 15_999), second.subarray(15_999), new Uint8Array(10)];
    const events = await Array.fromAsync(
      service.transcripts.realtime(audio, { commitSeconds: 1, previous_text: 'before', keyterms: ['a', 'b'] }),
    );
    const messages = socket().received.map(({ audio_base_64, commit, previous_text }) => [
      Buffer.from(String(audio_base_64), 'base64').length,
      commit,
      previous_text,
    ]);
    expect(messages).toEqual([
      [15_998, false, 'before'],
      [16_002, false, undefined],
      [0, true, undefined],
      [10, false, undefined],
      [9_590, false, undefined], // silence up to 0.3 s, below which the service refuses a commit
      [0, true, undefined],
    ]);
    expect(sent[0]!.call.query).toMatchObject({
      model_id: 'scribe_v2_realtime',
      audio_format: 'pcm_16000',
      keyterms: ['a', 'b'],
    });
    expect(sent[0]!.call.query).not.toHaveProperty('commitSeconds');
    expect(events.filter(({ type }) => type === 'committed_transcript').length).toBe(2);
    expect(events[0]).toEqual({ type: 'session_started', session_id: 's', config: {} });
  });

  it('cuts sound that comes in one piece, and commits inside it', async () => {
    const { service, socket } = open(listening);
    const sound = Uint8Array.from({ length: 60 * 32_000 }, (_, at) => at % 251); // a minute
    await Array.fromAsync(service.transcripts.realtime([sound]));
    const messages = socket().received.map(({ audio_base_64, commit }) => ({
      bytes: Buffer.from(String(audio_base_64), 'base64'),
      commit,
    }));
    expect(Buffer.concat(messages.map(({ bytes }) => bytes)).equals(sound)).toBe(true);
    expect(Math.max(...messages.map(({ bytes }) => bytes.length))).toBeLessThanOrEqual(32_000);
    const sizes = [0];
    for (const { bytes, commit } of messages) {
      if (commit) sizes.push(0);
      else sizes[sizes.length - 1]! += bytes.length;
    }
    expect(sizes.map((size) => size / 32_000)).toEqual([25, 25, 10, 0]); // seconds between commits
  });

  it('hears the last words where the service makes final by itself what came before them', async () => {
    const { service } = open((made) => {
      made.onMessage = ({ commit }) => {
        if (commit !== true) return;
        made.say({ message_type: 'committed_transcript', text: 'At a pause.' }); // not the answer to the commit
        setTimeout(() => made.say({ message_type: 'committed_transcript', text: 'At the end.' }), 5);
      };
    });
    const request = { commit_strategy: 'vad', finishMs: 100 } as const;
    const events = await Array.fromAsync(service.transcripts.realtime([new Uint8Array(32_000)], request));
    expect(events.map((event) => 'text' in event && event.text)).toEqual(['At a pause.', 'At the end.']);
  });

  it('ends by silence when nothing more is said, and hands unknown messages on', async () => {
    const { service } = open((made) => {
      made.say({ message_type: 'committed_transcript_entities', entities: [] });
    });
    const events = await Array.fromAsync(service.transcripts.realtime([new Uint8Array(4)], { finishMs: 30 }));
    expect(events).toEqual([
      {
        type: 'other',
        message_type: 'committed_transcript_entities',
        raw: { message_type: 'committed_transcript_entities', entities: [] },
      },
    ]);
  });

  it.each([
    ['quota_exceeded', 'BILLING'],
    ['auth_error', 'KEY_REJECTED'],
    ['rate_limited', 'RATE_LIMITED'],
    ['queue_overflow', 'OVERLOADED'],
    ['input_error', 'REQUEST_REJECTED'],
    ['commit_throttled', 'RATE_LIMITED'],
    ['chunk_size_exceeded', 'REQUEST_TOO_LARGE'],
    ['insufficient_audio_activity', 'REQUEST_REJECTED'],
  ])('throws %s as %s', async (message_type, code) => {
    const { service } = open((made) => made.say({ message_type, error: 'because' }));
    await expect(Array.fromAsync(service.transcripts.realtime([new Uint8Array(4)]))).rejects.toMatchObject({ code });
  });

  it('refuses sound that ends inside a sample, and settings that do nothing', async () => {
    const { service } = open(listening);
    await expect(Array.fromAsync(service.transcripts.realtime([new Uint8Array(3)]))).rejects.toThrow('16-bit');
    await expect(Array.fromAsync(service.transcripts.realtime([], { vad_threshold: 0.4 }))).rejects.toThrow(
      'vad_threshold',
    );
  });
});
