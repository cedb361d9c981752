import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openIndex, type SearchIndex } from '../../../src/index.ts';
import type { Overview, OverviewEvent } from '../../../src/overview/contract.ts';
import { isPhrase } from '../../../src/overview/phrases.ts';
import { factsOf } from '../../../src/overview/script.ts';
import { fakeSpeaker } from '../../../src/testing/fakes.ts';
import { copyIndex, demo } from '../../support/made-index.ts';
import { makeTempFolder } from '../../support/temp.ts';
import { type Lie, liar } from './liar.ts';

const folder = makeTempFolder();
const texts = new Map<string, string>();
beforeAll(async () => {
  await copyIndex(demo, join(folder, 'index'));
  await using index = await open();
  for await (const { uri, text } of index.export()) texts.set(uri, (texts.get(uri) ?? '') + text);
}, 60_000);

const open = (models = {}): Promise<SearchIndex> => openIndex(join(folder, 'index'), { base: demo, models });

/** Every sentence is a phrase of ours, or cites sources whose quotes stand where they say, letter for letter. */
function expectProven({ script }: Overview): void {
  const byNumber = new Map(script.sources.map((source) => [source.n, source]));
  expect([...byNumber.keys()]).toEqual(script.sources.map((_, i) => i + 1));
  for (const { uri, span, quote } of script.sources) expect(texts.get(uri)!.slice(span.start, span.end)).toBe(quote);
  const cited = new Set<number>();
  for (const { sentences } of script.turns) {
    expect(sentences.length).toBeGreaterThan(0);
    for (const { text, citations } of sentences) {
      if (citations.length === 0) expect(isPhrase(text), text).toBe(true);
      for (const n of citations) {
        expect(byNumber.has(n)).toBe(true);
        cited.add(n);
      }
    }
  }
  expect(cited.size).toBe(script.sources.length);
}

describe('an overview without a model', () => {
  it('tells the subjects of the documents in turns, each sentence with its source', async () => {
    await using index = await open();
    const events = [];
    for await (const event of index.overview({ minutes: 2 })) events.push(event);
    const last = events.at(-1)!;
    if (last.type !== 'done') throw new Error('it did not end');
    const { overview } = last;
    expectProven(overview);
    expect(overview).toMatchObject({ mode: 'extractive', costUsd: 0, dropped: [] });
    expect(overview.topics.length).toBeGreaterThanOrEqual(3);
    expect(overview.topics.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 6);
    expect(factsOf(overview.script).length).toBeGreaterThanOrEqual(10);
    expect(new Set(overview.script.sources.map(({ uri }) => uri)).size).toBeGreaterThanOrEqual(5);
    overview.script.turns.forEach(({ voice }, i, turns) => {
      if (i > 0) expect(voice).not.toBe(turns[i - 1]!.voice);
    });
    expect(events.map(({ type }) => type)).toEqual(['evidence', 'script', 'done']);
  });

  it('is as long as it is asked to be, about', async () => {
    await using index = await open();
    const words = async (minutes: number): Promise<number> => {
      const { script } = await index.overview({ minutes });
      return script.turns.flatMap(({ sentences }) => sentences.flatMap(({ text }) => text.split(' '))).length;
    };
    const [short, long] = [await words(1), await words(3)];
    expect(short).toBeGreaterThan(0.5 * 150);
    expect(short).toBeLessThan(1.7 * 150);
    expect(long).toBeGreaterThan(1.5 * short);
  });

  it('tells of a question, of a folder, of what a filter lets through', async () => {
    await using index = await open();
    const asked = await index.overview({ question: 'How long are recordings of the cameras kept?' });
    expectProven(asked);
    expect(asked.script.title).toBe('How long are recordings of the cameras kept?');
    expect(factsOf(asked.script).some(({ text }) => text.includes('90 days'))).toBe(true);
    const below = await index.overview({ paths: ['handbook/'] });
    expectProven(below);
    expect(below.script.sources.every(({ uri }) => uri.startsWith('handbook/'))).toBe(true);
    const filtered = await index.overview({ where: { format: 'docx' }, paths: ['reports', 'handbook'] });
    expectProven(filtered);
    expect(filtered.script.sources.every(({ uri }) => /^reports\/.*\.docx$/.test(uri))).toBe(true);
    expect((await index.overview({ paths: ['hand'] })).script.turns).toEqual([]);
    const outside = index.overview({ where: 'true) OR (true', paths: ['handbook/'] });
    await expect(outside).rejects.toMatchObject({ code: 'INVALID_FILTER' });
  });

  it('says nothing of what the documents do not know', async () => {
    await using index = await open();
    const { script, abstained } = await index.overview({ question: 'What is the Wi-Fi password of the visitor room?' });
    expect({ abstained, ...script }).toMatchObject({ abstained: true, turns: [], sources: [] });
  });

  it('is read again as it was written, and the same each time', async () => {
    await using index = await open();
    for (const options of [{ minutes: 10 }, { question: 'What happened to the export cable?' }]) {
      const made = await index.overview(options);
      const again = await index.overview({ script: made.text });
      expect(again.mode).toBe('given');
      expect(again.script.turns).toEqual(made.script.turns);
      expect(again.script.sources.map(({ n, reference, quote }) => ({ n, reference, quote }))).toEqual(
        made.script.sources.map(({ n, reference, quote }) => ({ n, reference, quote })),
      );
      expect(again.text).toBe(made.text);
      const saved = `\uFEFF${made.text.replaceAll('\n', '\r\n')}`; // by an editor of Windows
      expect((await index.overview({ script: saved })).text).toBe(made.text);
      expect((await index.overview(options)).text).toBe(made.text);
    }
  });

  it('refuses bad options', async () => {
    await using index = await open();
    for (const options of [{ question: ' ' }, { minutes: 0 }, { minutes: Number.NaN }, { script: 'nothing' }])
      await expect(index.overview(options)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('an overview that a model writes', () => {
  for (const citesPassages of [true, false]) {
    const how = citesPassages ? 'citations of its own' : 'marks';
    it(`says every true sentence of a liar with ${how}, and none of its lies`, async () => {
      const told = new Map<Lie, number>();
      let facts = 0;
      for (let seed = 1; seed <= 12; seed++) {
        const { model, truths, counts } = liar(seed, { citesPassages });
        await using index = await open({ writer: model });
        const overview = await index.overview(
          seed % 3 === 0 ? { question: 'How is the turbine kept?' } : { minutes: 8 },
        );
        expectProven(overview);
        expect(overview).toMatchObject({ mode: 'grounded', costUsd: 0.005, grounding: { model: 'liar' } });
        const said = factsOf(overview.script).map(({ text }) => text);
        expect(said.filter((text) => !truths.includes(text))).toEqual([]);
        expect(truths.filter((text) => !said.includes(text))).toEqual([]);
        for (const [kind, count] of counts) told.set(kind, (told.get(kind) ?? 0) + count);
        facts += said.length;
        const planted = [...counts].reduce((sum, [kind, count]) => sum + (kind === 'true' ? 0 : count), 0);
        expect(overview.dropped.length).toBeGreaterThanOrEqual(planted);
      }
      expect(facts).toBeGreaterThan(100);
      expect(told.size).toBe(citesPassages ? 9 : 8);
      for (const [kind, count] of told) expect(count, kind).toBeGreaterThan(3);
    });
  }

  it('is an error when nothing of it can be proven, with what it cost', async () => {
    const { model } = liar(1, { citesPassages: false, share: 1.1 });
    const bare = { ...model, write: () => lines('A: The harbour was sold.\nB: Tell me more.') };
    await using index = await open({ writer: bare });
    await expect(index.overview()).rejects.toMatchObject({
      code: 'RESPONSE_INVALID',
      message: 'liar wrote no sentence that can be proven; it cost 0.005000 USD',
    });
  });

  it('is not asked in a dry run or beyond a budget', async () => {
    const { model, counts } = liar(1, { citesPassages: false });
    await using index = await open({ writer: model });
    expect(await index.overview({ dryRun: true })).toMatchObject({
      estimate: { scriptUsd: 0.01 },
      costUsd: 0,
      script: { turns: [] },
    });
    await expect(index.overview({ budget: 0.009 })).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
    expect(counts.size).toBe(0);
    expect(await index.overview({ mode: 'extractive' })).toMatchObject({ mode: 'extractive', costUsd: 0 });
  });

  async function* lines(text: string): AsyncGenerator<never> {
    const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
    yield { type: 'text', block: 0, text } as never;
    yield { type: 'stop', stop: 'end', usage, costUsd: 0.005 } as never;
  }
});

describe('an overview that is spoken', () => {
  it('has the time of each of its sentences, and says what it cost', async () => {
    await using index = await open();
    const speaker = { ...fakeSpeaker(), price: () => 0.2 };
    const events: OverviewEvent['type'][] = [];
    let overview: Overview | undefined;
    for await (const event of index.overview({ minutes: 1, sound: { speaker } })) {
      events.push(event.type);
      if (event.type === 'done') overview = event.overview;
    }
    const { script, sound, costUsd } = overview!;
    expect(events.slice(0, 3)).toEqual(['evidence', 'script', 'spoken']);
    const all = script.turns.flatMap(({ sentences }, turn) => sentences.map((_, sentence) => ({ turn, sentence })));
    expect(sound!.sentences.map(({ turn, sentence }) => ({ turn, sentence }))).toEqual(all);
    for (const [i, { fromMs, toMs }] of sound!.sentences.entries()) {
      expect(toMs).toBeGreaterThan(fromMs);
      expect(fromMs).toBeGreaterThanOrEqual(sound!.sentences[i - 1]?.toMs ?? 0);
    }
    expect(sound!.sentences.at(-1)!.toMs).toBeLessThanOrEqual(1000 * sound!.seconds);
    expect(costUsd).toBeCloseTo((sound!.usage.characters * 0.2) / 1000, 9);
    const { estimate } = await index.overview({ minutes: 1, sound: { speaker }, dryRun: true });
    expect(estimate!.soundUsd).toBeCloseTo(costUsd, 9);
    expect(estimate!.characters).toBe(sound!.usage.characters);
    await expect(index.overview({ minutes: 1, sound: { speaker }, budget: costUsd / 2 })).rejects.toMatchObject({
      code: 'BUDGET_EXCEEDED',
    });
  });

  it('has the price of a conversation, of which it is one', async () => {
    await using index = await open();
    const speaker = { ...fakeSpeaker(), price: (isConversation?: boolean) => (isConversation ? 0.4 : 0.2) };
    const { estimate } = await index.overview({ minutes: 1, sound: { speaker }, dryRun: true });
    expect(estimate!.soundUsd).toBeCloseTo((estimate!.characters * 0.4) / 1000, 9);
    const alone = { speaker, voices: [speaker.voices[0]!] };
    const { estimate: single } = await index.overview({ minutes: 1, sound: alone, dryRun: true });
    expect(single!.soundUsd).toBeCloseTo((single!.characters * 0.2) / 1000, 9);
    const { sound, costUsd } = await index.overview({ minutes: 1, sound: { speaker } });
    expect(costUsd).toBeGreaterThan((sound!.usage.characters * 0.2) / 1000 + 1e-9);
  });

  it('is not written where there is no money or no price to say it', async () => {
    const { model, counts } = liar(1, { citesPassages: false });
    await using index = await open({ writer: model });
    const dear = { ...fakeSpeaker(), price: () => 100 };
    await expect(index.overview({ sound: { speaker: dear }, budget: 1 })).rejects.toMatchObject({
      code: 'BUDGET_EXCEEDED',
    });
    const { price: _, ...unpriced } = fakeSpeaker();
    await expect(index.overview({ sound: { speaker: unpriced }, budget: 1 })).rejects.toMatchObject({
      ...{ code: 'INVALID_ARGUMENT', hint: expect.stringContaining('the price of 1,000 characters') },
    });
    expect(counts.size).toBe(0);
  });

  it('says before anything is paid that mp3 needs a program', async () => {
    const { model, counts } = liar(1, { citesPassages: false });
    await using index = await open({ writer: model });
    const encoder = { environment: { PATH: '/nowhere' } };
    await expect(index.overview({ sound: { speaker: fakeSpeaker(), format: 'mp3', encoder } })).rejects.toMatchObject({
      code: 'PROGRAM_MISSING',
    });
    expect(counts.size).toBe(0);
  });
});

describe('a script that a person has edited', () => {
  const edited = async (edit: (text: string) => string): Promise<Overview> => {
    await using index = await open();
    const { text } = await index.overview({ question: 'How long are recordings of the cameras kept?' });
    return await index.overview({ script: edit(text) });
  };
  /** The line of a text that holds some words. */
  const lineOf = (text: string, words: string): number =>
    text.split('\n').findIndex((line) => line.includes(words)) + 1;

  it('may be cut, joined, reordered and reworded', async () => {
    const overview = await edited((text) => {
      const [head, sources] = text.split('## Sources');
      const fact = head!.split('\n').find((line) => line.includes('90 days'))!;
      const n = /\[(\d+)\]$/.exec(fact)![1];
      return `# My title\r\n\r\nB: Cameras' video: 90 days it is kept. [${n}]\r\nTell me more.\r\n**A:** Go on, please.\r\n## Sources${sources}`;
    });
    expectProven(overview);
    expect(overview.script).toMatchObject({
      title: 'My title',
      turns: [
        { voice: 'B', sentences: [{ text: "Cameras' video: 90 days it is kept.", citations: [1] }, { citations: [] }] },
        { voice: 'A', sentences: [{ text: 'Go on, please.' }] },
      ],
    });
  });

  it('is refused with the line of each sentence and source that is not proven', async () => {
    let changed = '';
    const refused = edited((text) => {
      changed = text
        .replace('90 days. [', '91 days. [')
        .replace(/^A: /m, 'A: The moon is made of cheese. ')
        .replace(/^(> .*)five years(.*)$/m, '$1six years$2')
        .replace(
          /$/,
          '\n[77] handbook/nowhere.md#0-10\n\n[78] handbook/welcome.md#0-999999\n[79] handbook/welcome.md\n',
        );
      return changed;
    });
    const error = await refused.catch((one: Error) => one);
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', hint: expect.stringContaining('[3]') });
    const { message } = error as Error;
    for (const [words, why] of [
      ['91 days', 'no passage that it cites holds "91"'],
      ['cheese', '"The moon is made of cheese.": no source is cited at its end'],
      ['[77]', 'the index has no document "handbook/nowhere.md"'],
      ['[78]', 'ends before 999999'],
      ['[79]', 'names no span of a document'],
    ] as const)
      expect(
        message
          .split('\n')
          .filter((line) => line.startsWith(`line ${lineOf(changed, words)}:`))
          .join(),
      ).toContain(why);
    const quote = lineOf(changed, 'six years');
    expect(message).toMatch(new RegExp(`^line ${quote - 1}: .*does not say`, 'm'));
  });
});
