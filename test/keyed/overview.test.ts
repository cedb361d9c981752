import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copyIndex, demo } from '../support/made-index.ts';
import { tempFolder } from '../support/temp.ts';
import type { CitationFault } from '../wire/service/messages/citation-faults.ts';
import { extractiveAnswerer } from '../wire/service/messages/extractive.ts';
import { textDraft } from '../wire/service/messages/model.ts';
import { keyed } from './support.ts';

const kinds: readonly CitationFault[] = [
  ...(['invented', 'altered', 'stitched', 'wrongSource', 'outOfRange', 'unknownSource', 'reversed'] as const),
  ...(['shifted', 'overlapping', 'doubled'] as const),
];
const question = 'How are the turbines, the cable and the boats of the station inspected and repaired?';

describe('an overview by the messages service', () => {
  it('says no sentence whose citation the service has spoiled, and those that it has not', async () => {
    const folder = tempFolder();
    await copyIndex(demo, join(folder, 'index'));
    const { open, service } = await keyed();
    await using index = await open(join(folder, 'index'), { base: demo });
    const texts = new Map<string, string>();
    for await (const { uri, text } of index.export()) texts.set(uri, (texts.get(uri) ?? '') + text);
    const seen = new Map<string, number>();
    for (let seed = 1; seed <= 4; seed++) {
      const { model, planted } = extractiveAnswerer({
        sentences: 24,
        plantRandomly: { probability: 0.5, seed, kinds },
      });
      service.messages.model = model;
      const { script, dropped, costUsd, grounding } = await index.overview({ question, minutes: 5 });
      expect(costUsd).toBe(grounding!.costUsd);
      expect(costUsd).toBeGreaterThan(0);
      for (const { uri, span, quote } of script.sources)
        expect(texts.get(uri)!.slice(span.start, span.end)).toBe(quote);
      const said = script.turns.flatMap(({ sentences }) => sentences.map(({ text }) => text)).join('\n');
      for (const { kind, verdict, claim } of planted) {
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
        // a claim may stand twice, once with a true citation
        const isTrueElsewhere = planted.some((other) => other.claim === claim && other.verdict !== 'false');
        // a heading is no sentence: it is said where the sentence behind it cites what holds its words
        const isSentence = /[.!?]$/.test(claim.trim());
        if (verdict === 'false' && isSentence && !isTrueElsewhere)
          expect(said, `${kind}: ${claim}`).not.toContain(claim.trim());
      }
      // a heading without a citation and without a full stop takes the sentence behind it along
      const whole = planted.filter(({ verdict, claim }, i) => {
        const isBegun = i === 0 || planted[i - 1]!.claim.trim().endsWith('.');
        return isBegun && verdict === 'true' && /^[A-Z][^.:\n|]+\.$/.test(claim.trim());
      });
      expect(whole.length).toBeGreaterThan(2);
      const missing = whole.filter(({ claim }) => !said.includes(claim.trim().replace(/\s+/g, ' ')));
      expect(missing.map(({ claim }) => claim)).toEqual([]);
      expect(dropped.length).toBeGreaterThan(0);
    }
    expect(seen.size).toBe(kinds.length + 1);
  });

  it('is asked once, with rules and sources apart, and never in a dry run', async () => {
    const folder = tempFolder();
    await copyIndex(demo, join(folder, 'index'));
    const { open, service } = await keyed();
    await using index = await open(join(folder, 'index'), { base: demo });
    const requests: string[] = [];
    service.messages.model = ({ question: asked }) => {
      requests.push(asked);
      return textDraft('A: The harbour was sold.');
    };
    const { estimate } = await index.overview({ dryRun: true });
    expect(estimate!.scriptUsd).toBeGreaterThan(0);
    expect(requests).toEqual([]);
    await expect(index.overview({ budget: estimate!.scriptUsd! / 2 })).rejects.toMatchObject({
      code: 'BUDGET_EXCEEDED',
    });
    expect(requests).toEqual([]);
    await expect(index.overview({ budget: estimate!.scriptUsd! })).rejects.toMatchObject({ code: 'RESPONSE_INVALID' });
    expect(requests.length).toBe(1);
  });
});
