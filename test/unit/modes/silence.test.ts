import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { printAnswer } from '../../../src/cli/asking.ts';
import { type AnswerEvent, type LanguageModel, openIndex, type Silence } from '../../../src/index.ts';
import { withSilences } from '../../../src/modes/silence.ts';
import { ownModel } from '../../examples/own-model.ts';

const silence = (silentMs: number): Silence => ({
  service: 'messages',
  operation: 'messages.stream',
  silentMs,
  limitMs: 90_000,
});
const text = (said: string): AnswerEvent => ({ type: 'text', text: said });

describe('the silences of an answer', () => {
  it('come as events, in their place, also while nothing else comes', async () => {
    const passed: number[] = [];
    const given = { onSilence: ({ silentMs }: Silence): void => void passed.push(silentMs) };
    let goOn = (): void => {};
    const waiting = new Promise<void>((done) => {
      goOn = done;
    });
    const events = withSilences(given, async function* ({ onSilence }) {
      yield text('a');
      onSilence?.(silence(10_000));
      onSilence?.(silence(20_000));
      await waiting;
      onSilence?.(silence(0));
      yield text('b');
    });
    const seen: unknown[] = [];
    for await (const event of events) {
      seen.push(event.type === 'silence' ? event.silence.silentMs : event.type === 'text' ? event.text : event);
      if (seen.length === 3) goOn();
    }
    expect(seen).toEqual(['a', 10_000, 20_000, 0, 'b']);
    expect(passed).toEqual([10_000, 20_000, 0]);
  });

  it('can be left: the answer is stopped instead of awaited', async () => {
    let stopped = false;
    const events = withSilences({}, async function* ({ signal, onSilence }) {
      onSilence?.(silence(10_000));
      try {
        await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
      } finally {
        stopped = true;
      }
      yield text('never');
    });
    for await (const event of events) {
      expect(event.type).toBe('silence');
      break;
    }
    expect(stopped).toBe(true);
  });

  it('end with the error of the answer, and pass the abort of the caller on as it is', async () => {
    const controller = new AbortController();
    const events = withSilences({ signal: controller.signal }, async function* ({ signal }) {
      yield text('a');
      controller.abort(new Error('enough'));
      signal?.throwIfAborted();
    });
    await expect(Array.fromAsync(events)).rejects.toThrow('enough');
  });

  it("reach who asks an index, from the caller's own model too", async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ibid-silence-'));
    const slow: LanguageModel = {
      ...ownModel,
      async *write(request, call) {
        call?.onSilence?.(silence(10_000));
        yield* ownModel.write(request, call);
      },
    };
    try {
      await using index = await openIndex(join(folder, 'index'), { create: true, models: { writer: slow } });
      await index.add([{ uri: 'a.md', text: '# Pump\n\nThe pump is checked every two months.' }]);
      const events = await Array.fromAsync(index.ask('When is the pump checked?'));
      expect(events.filter(({ type }) => type === 'silence')).toEqual([{ type: 'silence', silence: silence(10_000) }]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('the command line', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  async function* answering(): AsyncGenerator<AnswerEvent> {
    yield { type: 'silence', silence: silence(10_000) };
    yield { type: 'silence', silence: silence(20_000) };
    yield text('The pump.');
    yield { type: 'silence', silence: silence(10_000) };
    yield { type: 'silence', silence: silence(0) };
    // of the answer nothing but its end is looked at here
    yield { type: 'done', answer: { answer: 'The pump.' } as never };
  }

  async function shown(isTTY: boolean, printing: 'streamed' | 'not'): Promise<string> {
    vi.stubEnv('TERM', 'xterm');
    vi.stubEnv('NO_COLOR', '1');
    const before = process.stderr.isTTY;
    process.stderr.isTTY = isTTY;
    const written: string[] = [];
    const write = (text: string | Uint8Array): boolean => written.push(String(text)) > 0;
    vi.spyOn(process.stderr, 'write').mockImplementation(write);
    vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
    try {
      await printAnswer(answering(), printing);
    } finally {
      process.stderr.isTTY = before;
      vi.restoreAllMocks();
    }
    return written.join('');
  }

  it('says it in a line of its own on a terminal, and takes it away again', async () => {
    const line = (seconds: number): string =>
      `the messages service has sent nothing for ${seconds} s; it is given up after 90 s`;
    const clear = '\r\u001b[2K';
    expect(await shown(true, 'streamed')).toBe(`${line(10)}${clear}${line(20)}${clear}\n${line(10)}${clear}`);
  });

  it('says nothing of it in a pipe, nor where JSON is wanted', async () => {
    expect(await shown(false, 'streamed')).toBe('');
    expect(await shown(true, 'not')).toBe('');
  });
});
