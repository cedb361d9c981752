import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copyIndex, demo } from '../support/made-index.ts';
import { tempFolder } from '../support/temp.ts';
import { extractiveAnswerer } from '../wire/service/messages/extractive.ts';
import { ingestAll, keyed } from './support.ts';

const embedder = 'embed-context-v1-0.6b';

describe('an index with keys', () => {
  it('pays for every chunk once, says before what it costs and after what it cost', async () => {
    const { service, open } = await keyed();
    const index = await open(join(tempFolder(), 'index'), { embedder, base: demo });
    const foretold = await ingestAll(index, [demo], { dryRun: true });
    expect(service.requests).toEqual([]);
    const receipt = await ingestAll(index, [demo]);
    const paid = service.ledger.totals();
    expect(receipt.embedding!.requests).toBe(paid.requests);
    expect(receipt.embedding!.tokens).toBe(paid.inputTokens);
    expect(receipt.costUsd).toBeCloseTo(paid.usd, 9);
    expect(foretold.embedding!.requests).toBe(paid.requests);
    expect(foretold.embedding!.tokens).toBe(paid.inputTokens); // the stand-in counts as we do
    expect(foretold.costUsd).toBeCloseTo(paid.usd, 9);
    expect([...service.ledger.timesPaid().values()].every((times) => times === 1)).toBe(true);
    service.ledger.clear();
    const again = await ingestAll(index, [demo]);
    expect(again.unchanged).toBe(receipt.documents);
    expect(service.ledger.entries).toEqual([]);
    expect((await index.status()).embedder).toBe(`${embedder}@1024`);
  });

  it('answers through the model with citations that stand in the documents, letter for letter', async () => {
    const answerer = extractiveAnswerer();
    const { open } = await keyed({ messages: { model: answerer.model } });
    const address = join(tempFolder(), 'index');
    await copyIndex(demo, address);
    const index = await open(address, { base: demo });
    const answer = await index.ask('Above which wave height does the Kittiwake stay in harbour?', { mode: 'grounded' });
    expect(answer.citations.map(({ quote }) => quote).join()).toContain('above 1.2 metres');
    expect(answer.grounding!.dropped).toEqual([]);
    const texts = new Map<string, string>();
    for await (const { uri, text } of index.export()) texts.set(uri, (texts.get(uri) ?? '') + text);
    for (const { uri, quote, span } of answer.citations) {
      expect(texts.get(uri)!.slice(span.start, span.end)).toBe(quote);
    }
  });
});
