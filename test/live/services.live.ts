import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../src/cli/config/settings.ts';
import { openServices } from '../../src/cli/services.ts';
import { type Answer, fileJournal, Meter, type ModeOptions, openIndex, type SearchIndex } from '../../src/index.ts';
import {
  answerModel,
  budgetUsd,
  embedder,
  maxTokens,
  missing,
  model,
  type Part,
  passages,
  plan,
  spoken,
} from './plan.ts';

/** Documents nobody can know from elsewhere: whoever answers has read them. */
const documents: Readonly<Record<string, string>> = {
  'lamp.md':
    '# The lamp of Skerry Point\n\nThe lamp of Skerry Point burns rapeseed oil. A full tank lasts nine nights.\n\n## Watches\n\nThe keeper Odile Brandvik counts passing ships at dawn and writes the number into the green book.\n',
  'gate.md':
    '# The tide gate\n\nThe tide gate of Skerry Point closes when the water stands 2.4 metres above datum. It was last rebuilt in 1987 by the Marrow brothers.\n',
  'ferry.md':
    '# The ferry\n\nThe ferry Kestrel Anne sails to Skerry Point on Tuesdays and Fridays at 07:40. It carries twelve passengers and no vehicles.\n',
};
const question = 'How many nights does a full tank of the lamp of Skerry Point last?';

const meter = new Meter(budgetUsd);
const most = plan();
const named = (part: string, without: string | undefined): string =>
  without ? `${part} (skipped: ${without} is not set)` : part;

describe('the services of the environment', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ibid-live-'));
  let opened: Awaited<ReturnType<typeof openServices>> | undefined;
  let index: SearchIndex;
  let local: SearchIndex;

  beforeAll(async () => {
    mkdirSync(join(folder, 'docs'));
    for (const [name, text] of Object.entries(documents)) writeFileSync(join(folder, 'docs', name), text);
    opened = await openServices(readSettings());
    const { services } = opened;
    const options = { create: true, base: join(folder, 'docs'), services };
    local = await openIndex(join(folder, 'local'), options);
    for await (const _ of local.ingest([join(folder, 'docs')]));
    index = await openIndex(join(folder, 'paid'), { ...options, embedder });
  });

  afterAll(async () => {
    await index?.close();
    await local?.close();
    await opened?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
    process.stderr.write(`spent: ${meter.spentUsd.toFixed(6)} of ${budgetUsd} USD\n`);
  });

  /** What a part has spent must be something, and no more than was announced. */
  async function within<T>(part: Part, run: () => Promise<T>): Promise<T> {
    const before = meter.spentUsd;
    const result = await run();
    const spent = meter.spentUsd - before;
    expect(spent, `${part} in USD`).toBeLessThanOrEqual(most[part]);
    return result;
  }

  const ask = (part: Part, text: string, options: ModeOptions): Promise<Answer> => {
    const writes = options.mode === 'grounded' || options.mode === 'agent' ? { model: { model } } : {};
    // each mode has a length and a budget
    return within(part, () => local.ask(text, { maxTokens, budget: meter, ...writes, ...options } as ModeOptions));
  };

  function proven({ citations }: Answer): void {
    expect(citations.length).toBeGreaterThan(0);
    for (const { uri, quote, span, verified } of citations) {
      expect(verified).toBe(true);
      expect(documents[uri]!.slice(span.start, span.end)).toBe(quote);
    }
  }

  function paid({ grounding }: Answer): void {
    expect(grounding!.error).toBeUndefined();
    expect(grounding!.costUsd).toBeGreaterThan(0);
    expect(grounding!.usage.inputTokens).toBeGreaterThan(0);
    expect(grounding!.usage.outputTokens).toBeGreaterThan(0);
  }

  const search = missing('SEARCH');
  const messages = missing('MESSAGES');
  const audio = missing('AUDIO');
  /** A stand-in hears other words than were spoken. */
  const isLive = !/^http:/.test(process.env.IBID_AUDIO_BASE_URL ?? '');

  it.skipIf(search)(named('embeddings: documents and a question, at the price that was told', search), async () => {
    await within('embeddings', async () => {
      let told = 0;
      for await (const event of index.ingest([join(folder, 'docs')], { dryRun: true }))
        if (event.type === 'done') told = event.summary.costUsd;
      expect(told).toBeGreaterThan(0);
      const reservation = meter.reserve(most.embeddings);
      for await (const event of index.ingest([join(folder, 'docs')], { budget: most.embeddings }))
        if (event.type === 'done') {
          expect(event.summary.failed).toEqual([]);
          reservation.settle(event.summary.costUsd);
        }
      expect((await index.status()).embedder).toContain(embedder);
      const {
        hits: [best],
      } = await index.search('rapeseed', { mode: 'dense', limit: 1 });
      expect(best!.chunk.uri).toBe('lamp.md');
    });
  });

  it.skipIf(search)(named('web search: pages beside the documents in one list', search), async () => {
    await within('web search', async () => {
      const web = { deadlineMs: 30_000 };
      const { hits } = await local.search('lighthouse lamp tower', { limit: 10, web, budget: meter });
      expect(hits.some(({ origin }) => origin === 'local')).toBe(true);
      expect(hits.filter(({ origin }) => origin === 'web').every(({ chunk }) => /^https?:/.test(chunk.uri))).toBe(true);
    });
  });

  it.skipIf(messages)(named('grounded: citations that stand in the documents', messages), async () => {
    const answer = await ask('grounded', question, { mode: 'grounded' });
    proven(answer);
    paid(answer);
    expect(answer.answer).toMatch(/nine|9/);
  });

  it.skipIf(messages)(named('agent: it searches for itself', messages), async () => {
    const answer = await ask('agent', question, { mode: 'agent', preset: 'fast-search' });
    proven(answer);
    paid(answer);
  });

  it.skipIf(search)(named('answer: from the web, with links, and none of them a citation', search), async () => {
    const answer = await ask('answer', 'How tall is a typical harbour tower?', {
      mode: 'answer',
      model: answerModel,
    });
    expect(answer).toMatchObject({ citations: [], hits: [] });
    expect(answer.answer.length).toBeGreaterThan(10);
    paid(answer);
  });

  it.skipIf(search)(named('research: looks into the documents through a function', search), async () => {
    const answer = await ask('research', question, { mode: 'research', preset: 'fast-search' });
    expect(answer.answer.length).toBeGreaterThan(10);
    for (const { uri, quote, span } of answer.citations)
      expect(documents[uri]!.slice(span.start, span.end)).toBe(quote);
    expect(answer.grounding!.costUsd).toBeGreaterThan(0);
  });

  it.skipIf(messages)(
    named('batch: half the price, and what does not end in time is cancelled', messages),
    async ({ skip }) => {
      await within('batch', async () => {
        const journal = fileJournal(join(folder, 'batch.journal'));
        const asked = [
          { id: 'oil', question },
          { id: 'gate', question: 'At which height does the tide gate of Skerry Point close?' },
        ];
        const ids: string[] = [];
        const answers = new Map<string, Answer>();
        const options = {
          model: { model },
          maxTokens,
          passages,
          budget: meter,
          journal,
          signal: AbortSignal.timeout(180_000),
        };
        try {
          for await (const event of local.askBatch(asked, options)) {
            if (event.type === 'created') ids.push(event.batchId);
            else if (event.type === 'answer') answers.set(event.id, event.answer);
            else if (event.type === 'failed') throw new Error(event.message);
          }
        } catch (error) {
          if (!options.signal.aborted) throw error;
          for (const id of ids) await opened!.services.messages!.batches.cancel(id);
          skip('the batch had not ended after three minutes, and was cancelled');
        }
        expect([...answers.keys()].sort()).toEqual(['gate', 'oil']);
        for (const answer of answers.values()) {
          proven(answer);
          paid(answer);
        }
      });
    },
  );

  it.skipIf(audio)(named('speech and transcript: a sentence is spoken, and heard again', audio), async () => {
    const client = opened!.services.audio!;
    const { voices } = await client.voices.list();
    const reservation = meter.reserve(most.speech + most.transcript);
    const { audio: sound, mediaType } = await client.speech.create({ voice_id: voices[0]!.voice_id, text: spoken });
    expect(sound.length).toBeGreaterThan(1000);
    const heard = await client.transcripts.create({ file: { content: sound, filename: 'lamp.mp3', type: mediaType } });
    expect(heard.kind).toBe('transcript');
    const words = heard.kind === 'transcript' ? heard.transcript.text : '';
    expect(words.length).toBeGreaterThan(0);
    if (isLive) expect(words.toLowerCase()).toContain('rapeseed');
    reservation.settle(most.speech + most.transcript); // the service counts credits, and no dollars
  });

  it('has spent no more than its budget', () => {
    expect(meter.spentUsd).toBeLessThanOrEqual(budgetUsd);
  });
});
