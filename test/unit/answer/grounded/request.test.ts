import { describe, expect, it } from 'vitest';
import { type HistoryTurn, packRequest, recentTurns, withMarks } from '../../../../src/answer/grounded/request.ts';
import { packSources } from '../../../../src/answer/grounded/sources.ts';
import type { Hit } from '../../../../src/core/types.ts';
import { chunkOf, hitOf } from '../hits.ts';

const limits = { contextTokens: 100_000, maxOutputTokens: 1000 };
const named = (name: string, text: string): Hit => hitOf(chunkOf(text, { uri: `${name}.md`, title: name }));
const pump = named('pump', 'The pump is cooled by water from the sea and runs at a pressure of 40 bar.');
const valve = named('valve', 'The valve opens above 45 bar and is tested every year by two people.');
const boat = named('boat', 'The boat burns 28 litres an hour and carries two people besides the skipper.');

describe('a request within a conversation', () => {
  const first: HistoryTurn = { role: 'user', text: 'How is the pump cooled?', hits: [pump, valve] };
  const said: HistoryTurn = { role: 'assistant', text: 'By water. [1] From the sea. [1][2]' };

  it('keeps the sources of earlier questions where they stood, shows none twice, and counts on', () => {
    const { request, sources } = packRequest('And the boat?', [valve, boat], limits, { history: [first, said] });
    expect(
      request.turns.map(({ text, sources: kept = [] }) => [text, kept.map(({ id, title }) => `${id} ${title}`)]),
    ).toEqual([
      ['How is the pump cooled?', ['s1 pump', 's2 valve']],
      ['By water. From the sea.', []], // marks of old answers would be copied
      ['And the boat?', []],
    ]);
    expect(request.sources.map(({ id, title }) => `${id} ${title}`)).toEqual(['s3 boat']);
    expect(sources.map(({ id }) => id)).toEqual(['s1', 's2', 's3']); // all of them can be cited
  });

  it('begins as the request before it began, letter for letter: what a cache needs', () => {
    const before = packRequest(first.text, first.hits!, limits, {}).request;
    const after = packRequest('And the boat?', [boat], limits, { history: [first, said] }).request;
    expect(after.instructions).toBe(before.instructions);
    expect(JSON.stringify(after.turns[0])).toBe(JSON.stringify({ ...before.turns[0], sources: before.sources }));
  });

  it('leaves old turns out, from one of the user on, until the rest fits the window', () => {
    const long = (n: number): HistoryTurn[] => [
      { role: 'user', text: `Question ${n}?`, hits: [named(`d${n}`, `Text ${n}. ${`word${n} `.repeat(400)}`)] },
      { role: 'assistant', text: `Answer ${n}.` },
    ];
    const history = [1, 2, 3, 4].flatMap(long);
    const turnsIn = (contextTokens: number): number =>
      packRequest('Why?', [boat], { ...limits, contextTokens }, { history }).request.turns.length;
    expect(turnsIn(100_000)).toBe(9);
    for (const tokens of [8000, 6000, 5000, 4000, 3000]) {
      const { request, sources } = packRequest('Why?', [boat], { ...limits, contextTokens: tokens }, { history });
      expect(request.turns[0]!.role).toBe('user');
      expect(request.turns.at(-1)!.text).toBe('Why?');
      expect(request.sources).toHaveLength(1); // what was found for this question is there in any case
      const used = sources.reduce((sum, source) => sum + source.tokens, 0) + 2000;
      expect(used).toBeLessThanOrEqual(tokens);
    }
    expect(turnsIn(3000)).toBeLessThan(9);
  });

  it('shows sources of earlier questions to a model that can only write marks', () => {
    const { request } = packRequest('And the boat?', [boat], limits, { history: [first, said] });
    const marked = withMarks(request);
    expect(marked.turns[0]!.text).toContain('[s1.1] The pump is cooled');
    expect(marked.turns[2]!.text).toContain('[s3.1] The boat burns');
    expect(marked.turns[2]!.text).toMatch(/Question: And the boat\?$/);
    expect(marked.turns.every(({ sources }) => sources === undefined)).toBe(true);
  });

  it('leaves numbers in brackets alone where the user wrote them', () => {
    expect(recentTurns([{ role: 'user', text: 'See [1].' }], 100)[0]!.text).toBe('See [1].');
  });
});

describe('what is packed', () => {
  it('leaves out what all but repeats another text, but not where a number or a no differs', () => {
    const long =
      'The raw data of every sensor are kept in the object store of the institute for 90 days after the season.';
    const copy = named('copy', `${long} `);
    const newer = named('newer', long.replace('90', '30'));
    const ids = (hits: readonly Hit[]) => packSources(hits, { maxTokens: 5000 }).map(({ uri }) => uri);
    expect(ids([named('policy', long), copy])).toEqual(['policy.md']);
    expect(ids([named('policy', long), newer])).toEqual(['policy.md', 'newer.md']);
    const list =
      'desks, chairs, lamps, screens, boards, shelves, plants, doors, walls, floors, roofs and stairs of the';
    const may = `What guests may touch and what guests may bring into the rooms: ${list} house, and of the garden.`;
    expect(ids([named('old', may), named('new', may.replace('may bring', 'may not bring'))])).toHaveLength(2);
    expect(ids([named('old', may), named('new', may.replace('may bring', 'may well bring'))])).toHaveLength(1);
  });

  it('leaves out headings that stand alone, whatever their form', () => {
    const markdown = chunkOf('# Safety\n\n## Valves\n', { uri: 'a.md' });
    const plain = { ...chunkOf('Safety\n\n', { uri: 'b.txt', headings: ['Safety'] }), format: 'text' };
    const code = { ...chunkOf('# opens the valve\n# above 45 bar\n', { uri: 'c.py' }), format: 'code' };
    const packed = packSources([hitOf(markdown), hitOf(plain), hitOf(code), hitOf(chunkOf(' \n---\n'))], {
      maxTokens: 5000,
    });
    expect(packed.map(({ uri }) => uri)).toEqual(['c.py']);
  });

  it('does not take a text for shown that did not fit', () => {
    const long = named('long', `${'word '.repeat(300)} once more with 7 words at its end.`);
    const sources = packSources([long, pump, long], { maxTokens: 100 });
    expect(sources.map(({ uri }) => uri)).toEqual(['pump.md']);
  });
});
