import { describe, expect, it } from 'vitest';
import type {
  LanguageModel,
  ModelEvent,
  ModelRequest,
  ModelStop,
  ModelTurn,
} from '../../../src/answer/language-model.ts';
import { needsRewriting, rewriteQuery, type StandaloneQuery } from '../../../src/answer/query-rewriting.ts';
import { IbidError } from '../../../src/core/errors.ts';
import { Meter } from '../../../src/core/meter.ts';

const usage = { inputTokens: 90, outputTokens: 8, cacheReadTokens: 0, cacheWriteTokens: 0 };
const history = [
  { role: 'user', text: 'How heavy is the generator of Petrel?' },
  { role: 'assistant', text: 'It weighs 31 tonnes. [1]' },
] as const;

/** Says one thing, and counts how often it was asked. */
class Rewriter implements LanguageModel {
  readonly id = 'rewriter';
  readonly contextTokens = 10_000;
  readonly maxOutputTokens = 1000;
  readonly citesPassages = false;
  readonly asked: ModelRequest[] = [];
  readonly #says: string | Error;
  readonly #stop: ModelStop;

  constructor(says: string | Error, stop: ModelStop = 'end') {
    this.#says = says;
    this.#stop = stop;
  }

  estimateUsd(): number {
    return 0.002;
  }

  async *write(request: ModelRequest): AsyncGenerator<ModelEvent> {
    this.asked.push(request);
    if (this.#says instanceof Error) throw this.#says;
    for (const text of this.#says.match(/[\s\S]{1,7}/g) ?? []) yield { type: 'text', block: 0, text };
    yield { type: 'stop', stop: this.#stop, usage, costUsd: 0.0005 };
  }
}

describe('a question that leans on the conversation', () => {
  it.each([
    'How fast does it turn?',
    'And in winter?',
    'Why?',
    'Who made its blades?',
    'Was kostet der Lagersatz dafür?',
    'Quand faut-il les nettoyer ?',
    'それは翼の前縁にも勧められていますか。',
    'What about the other one?',
  ])('is told: %s', (question) => {
    expect(needsRewriting(question)).toBe(true);
  });

  it.each([
    'How much did Petrel produce in October 2024?',
    'What does alarm CBL-214 mean?',
    'How deep is the sea where the turbines stand?',
    'Wie hoch ist der Eisengehalt des Getriebeöls von Gannet?',
  ])('is not told where it stands alone: %s', (question) => {
    expect(needsRewriting(question)).toBe(false);
  });
});

describe('a stand-alone query', () => {
  it('is the question itself without a conversation, and where it needs none', async () => {
    const model = new Rewriter('no');
    const alone = 'How deep is the sea where the turbines stand?';
    expect(await rewriteQuery('Why?', [], { model })).toEqual({ query: 'Why?', by: 'question', costUsd: 0 });
    expect(await rewriteQuery(alone, history, { model })).toEqual({ query: alone, by: 'question', costUsd: 0 });
    expect(model.asked).toEqual([]);
  });

  it('takes over what the conversation is about, back to the question that began it', async () => {
    const deeper = [
      ...history,
      { role: 'user', text: 'Who made it?' },
      { role: 'assistant', text: 'Ostrava did. [1]' },
    ] as const;
    expect(await rewriteQuery('How loud is it under water?', history)).toEqual({
      query: 'How loud is it under water? Petrel',
      by: 'terms',
      costUsd: 0,
      before: [history[0].text, history[0].text],
    });
    expect((await rewriteQuery('How loud is it under water?', deeper)).query).toBe(
      'How loud is it under water? Petrel',
    );
  });

  it('takes over more words for a question that has none, the rarest first', async () => {
    const rarity = new Map([['heavi', 50]]);
    const statistics = async () => ({ rows: 100, documentFrequency: (term: string) => rarity.get(term) ?? 1 });
    const { query } = await rewriteQuery('Why so?', history, { statistics });
    expect(query).toMatch(/^Why so\? Petrel generator/);
    expect(query.split(' ').at(-1)).toBe('heavy');
  });

  it('takes over a name with all its words', async () => {
    const asked = (text: string) => [{ role: 'user', text }] as const;
    expect(
      (await rewriteQuery('How much does it cost?', asked('How long is the guarantee of the LH-300?'))).query,
    ).toBe('How much does it cost? LH-300');
    expect((await rewriteQuery('When did he move to Ghent?', asked('Where does Bruno Keller live?'))).query).toBe(
      'When did he move to Ghent? Bruno Keller',
    );
  });

  it('goes on from what a follow-up before it asked', async () => {
    const asked = ['What was the revenue in 2021?', 'And in 2022?'].map((text) => ({ role: 'user' as const, text }));
    expect((await rewriteQuery('And in 2023?', asked)).query).toBe('What was the revenue in 2023?');
  });

  it('takes over the whole question where words cannot be told apart', async () => {
    const asked = [{ role: 'user', text: '塗料の付着強度はどれくらいですか。' }] as const;
    expect((await rewriteQuery('それは翼に勧められていますか。', asked)).query).toBe(
      'それは翼に勧められていますか。 塗料の付着強度はどれくらいですか。',
    );
  });

  it('is written by a model where there is one, paid and asked for once', async () => {
    const model = new Rewriter('  "Who made the generator\nof Petrel?" ');
    const meter = new Meter(1);
    const cache = new Map<string, StandaloneQuery>();
    const made = await rewriteQuery('Who made it?', history, { model, meter, cache });
    expect(made).toEqual({ query: 'Who made the generator of Petrel?', by: 'model', costUsd: 0.0005, usage });
    expect(await rewriteQuery('Who made it?', history, { model, meter, cache })).toEqual({
      query: made.query,
      by: 'model',
      costUsd: 0, // and no tokens: none were used this time
    });
    expect(model.asked).toHaveLength(1);
    expect(meter.spentUsd).toBe(0.0005);
    expect(model.asked[0]!.turns).toEqual([
      {
        role: 'user',
        text: 'Question: How heavy is the generator of Petrel?\nAnswer: It weighs 31 tonnes.\n\nQuestion to write again: Who made it?',
      },
    ]);
    await rewriteQuery('Who made it?', [{ role: 'user', text: 'What is a J-tube?' }], { model, meter, cache });
    expect(model.asked).toHaveLength(2);
  });

  it.each([
    ['says nothing', new Rewriter('  ')],
    ['is cut', new Rewriter('Who made the', 'length')],
    ['refuses', new Rewriter('I cannot', 'refusal')],
    ['goes on and on', new Rewriter('x'.repeat(500))],
    ['is refused', new Rewriter(new IbidError('RATE_LIMITED', 'later')), 0],
    ['breaks off', new Rewriter(new IbidError('STREAM_BROKEN', 'cut')), 0.002], // the estimate: nobody knows what it cost
  ])('does without a model that %s', async (_how, model, costUsd = 0.0005) => {
    const cache = new Map<string, StandaloneQuery>();
    const made = await rewriteQuery('Who made it?', history, { model, cache });
    // "made" is its only word: more than the subject is taken over
    expect(made).toMatchObject({ query: 'Who made it? Petrel heavy generator', by: 'terms' });
    expect(made.costUsd).toBe(costUsd); // what was not to be used was paid for all the same
    expect(model.asked).toHaveLength(1);
    expect(cache.size).toBe(0);
  });

  it('shows a model no half of a character where a long turn is cut', async () => {
    const model = new Rewriter('How heavy is the generator of Petrel?');
    const said = { role: 'assistant', text: `${'x'.repeat(499)}🐦 and more` } as const;
    await rewriteQuery('And how heavy is it?', [history[0], said], { model });
    const [{ text }] = model.asked[0]!.turns as readonly [ModelTurn];
    expect(text).toContain('x'.repeat(499));
    expect(text.isWellFormed()).toBe(true);
  });

  it('does without a model that the budget does not pay for', async () => {
    const model = new Rewriter('Who made the generator of Petrel?');
    const meter = new Meter(0.001);
    expect((await rewriteQuery('Who made it?', history, { model, meter })).by).toBe('terms');
    expect(model.asked).toEqual([]);
    expect(meter.leftUsd).toBe(0.001);
  });

  it("passes the caller's abort through", async () => {
    const model = new Rewriter(new Error('gone'));
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(rewriteQuery('Who made it?', history, { model, signal })).rejects.toThrow('enough');
  });
});
