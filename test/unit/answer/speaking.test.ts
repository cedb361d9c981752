import { describe, expect, it } from 'vitest';
import type { Answer, AnswerEvent, Citation } from '../../../src/answer/contract.ts';
import { type SpokenEvent, speakAnswer } from '../../../src/answer/speaking.ts';
import type { Speaker } from '../../../src/speak/contract.ts';
import { fakeSpeaker } from '../../../src/testing.ts';

const texts = ['The lease ends in May [1].', ' It was signed in 2019 [2].'];
const text = texts.join('');

const citation = (n: number, start: number, end: number): Citation => ({
  ...{ n, reference: `lease.md#${n}0-${n}9`, uri: 'lease.md', title: 'Lease', quote: '', span: { start: 0, end: 1 } },
  ...{ place: {}, headings: [], verified: true, answerSpan: { start, end }, origin: 'local' as const },
});
const answer: Answer = {
  ...{ question: 'When?', answer: text, abstained: false, confidence: 'high', support: 0.9, hits: [] },
  citations: [citation(1, 0, 21), { ...citation(2, 27, 48), media: 'talk.mp3#t=1,2' }],
};

async function* written(between: () => Promise<unknown> = async () => {}): AsyncGenerator<AnswerEvent> {
  for (const piece of texts) {
    yield { type: 'text', text: piece };
    await between();
  }
  yield { type: 'done', answer };
}

const soundMs = (events: readonly (AnswerEvent | SpokenEvent)[]): number =>
  events.reduce((ms, event) => ms + (event.type === 'sound' ? event.audio.length / 2 / 8 : 0), 0);

describe('an answer that is spoken', () => {
  it('comes with its events, its sound, and captions that name the citations', async () => {
    const events = await Array.fromAsync(speakAnswer(written(), fakeSpeaker()));
    expect(events.flatMap((event) => (event.type === 'text' ? [event.text] : []))).toEqual(texts);
    const last = events.at(-1)!;
    if (last.type !== 'spoken') throw new Error('it does not end with what was spoken');
    // 22 and 23 characters without marks at 60 ms each, 250 ms after each
    const [first, second] = ['The lease ends in May.', 'It was signed in 2019.'].map((said) => said.length * 60);
    expect(soundMs(events)).toBeCloseTo(first! + second! + 500, 6);
    expect(last.captions).toEqual([
      { startMs: 0, endMs: first, text: texts[0], notes: ['[1] lease.md#10-19'] },
      { startMs: first! + 250, endMs: first! + 250 + second!, text: texts[1]!.trim(), notes: ['[2] talk.mp3#t=1,2'] },
    ]);
    expect(last.usage).toMatchObject({ turns: 2, characters: 44, costUsd: 0 });
  });

  it('is not asked for where its sound has no price for a budget', async () => {
    let isAsked = false;
    async function* asked(): AsyncGenerator<AnswerEvent> {
      isAsked = true;
      yield* written();
    }
    const { price: _, ...unpriced } = fakeSpeaker();
    await expect(Array.fromAsync(speakAnswer(asked(), unpriced, { budget: 1 }))).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    expect(isAsked).toBe(false);
  });

  it('is heard before it is whole', async () => {
    const heard = Promise.withResolvers<void>();
    let pieces = 0;
    // the second sentence has begun; the answer does not end before the first is heard
    const events = speakAnswer(
      written(async () => (++pieces === 2 ? await heard.promise : undefined)),
      fakeSpeaker(),
    );
    for await (const event of events) if (event.type === 'sound') heard.resolve();
    expect(pieces).toBe(2);
  });

  it('ends with the error of the answer', async () => {
    const broken = new Error('broken');
    async function* failing(): AsyncGenerator<AnswerEvent> {
      yield { type: 'text', text };
      throw broken;
    }
    await expect(Array.fromAsync(speakAnswer(failing(), fakeSpeaker()))).rejects.toBe(broken);
  });

  it('comes whole before the error of a speaker that fails midway', async () => {
    const broken = new Error('broken');
    const mute: Speaker = {
      ...fakeSpeaker(),
      // biome-ignore lint/correctness/useYield: it fails before
      speak: async function* () {
        throw broken;
      },
    };
    const came: (AnswerEvent | SpokenEvent)[] = [];
    const listen = async (): Promise<void> => {
      // the speaker fails while the answer is written
      const events = written(() => new Promise((resolve) => setTimeout(resolve, 5)));
      for await (const event of speakAnswer(events, mute)) came.push(event);
    };
    await expect(listen()).rejects.toMatchObject({ code: 'SERVICE_FAILED', cause: broken });
    expect(came.map(({ type }) => type)).toEqual(['text', 'text', 'done']);
  });

  it('ends at once when the caller leaves, though the answer is silent', async () => {
    const leaving = new AbortController();
    const reason = new Error('left');
    async function* silent(): AsyncGenerator<AnswerEvent> {
      yield { type: 'text', text };
      await new Promise((_, reject) => leaving.signal.addEventListener('abort', () => reject(reason)));
    }
    const events = speakAnswer(silent(), fakeSpeaker(), { signal: leaving.signal });
    await events.next();
    leaving.abort(reason);
    await expect(Array.fromAsync(events)).rejects.toBe(reason);
  });

  it('is not written on when nobody listens any more', async () => {
    let closed = false;
    async function* endless(): AsyncGenerator<AnswerEvent> {
      try {
        for (;;) {
          yield { type: 'text', text };
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      } finally {
        closed = true;
      }
    }
    for await (const event of speakAnswer(endless(), fakeSpeaker())) if (event.type === 'sound') break;
    await expect.poll(() => closed).toBe(true);
  });

  it('says nothing of an answer without a word', async () => {
    async function* empty(): AsyncGenerator<AnswerEvent> {
      yield { type: 'done', answer: { ...answer, answer: '', citations: [] } };
    }
    const events = await Array.fromAsync(speakAnswer(empty(), fakeSpeaker()));
    expect(events.at(-1)).toEqual({
      type: 'spoken',
      captions: [],
      usage: { speaker: 'fake-voice', turns: 0, characters: 0, seconds: 0, costUsd: 0 },
    });
  });
});
