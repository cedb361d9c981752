import { strict as assert } from 'node:assert';
import type { Sound, Transcriber } from '../transcribe/contract.ts';
import { type ContractCheck, checks, costsAtMost, endsWhenAborted, type Make } from './check.ts';

/**
 * What an index asks of a `Transcriber`, as checks for any test runner:
 * `for (const { name, run } of transcriberContract(() => mine, talk, silence)) it(name, run);`
 * @param talk somebody speaks in it
 * @param silence nobody does
 */
export function transcriberContract(make: Make<Transcriber>, talk: Sound, silence: Sound): ContractCheck[] {
  return checks(make, {
    'has an id and limits that are more than nothing': async ({ id, limits }) => {
      assert.equal(typeof id, 'string');
      assert.notEqual(id, '');
      for (const limit of [limits.bytes, limits.seconds, limits.multichannelSeconds ?? limits.seconds])
        assert.ok(limit > 0);
    },
    'hears words in order, each with a text, and times inside the sound': async (transcriber) => {
      const { words } = (await transcriber.transcribe(talk, {})).transcript;
      assert.ok(words.length > 0, 'no words were heard');
      let before = 0;
      for (const { text, startMs, endMs, speaker } of words) {
        assert.ok(speaker === undefined || typeof speaker === 'string', `the speaker of "${text}" is ${speaker}`);
        assert.ok(text.trim() !== '' && text === text.trim(), `"${text}" is no word`);
        assert.ok(Number.isFinite(startMs) && startMs >= before, `"${text}" begins before the word before it`);
        assert.ok(endMs >= startMs && endMs <= talk.seconds * 1000 + 1000, `"${text}" ends at ${endMs} ms`);
        before = startMs;
      }
    },
    'hears nothing in silence, and that is no error': async (transcriber) => {
      assert.deepEqual((await transcriber.transcribe(silence, {})).transcript.words, []);
    },
    'opens a sound anew when it is asked a second time, and hears the same': async (transcriber) => {
      const [first, second] = [await transcriber.transcribe(talk, {}), await transcriber.transcribe(talk, {})];
      assert.deepEqual(
        second.transcript.words.map(({ text }) => text),
        first.transcript.words.map(({ text }) => text),
      );
    },
    'takes settings and key terms': async (transcriber) => {
      const { transcript } = await transcriber.transcribe(talk, {
        language: 'en',
        speakers: 2,
        keyterms: ['Ailsa Munro'],
      });
      assert.ok(transcript.words.length > 0);
    },
    'costs no more than it says before': async (transcriber) => {
      const price = transcriber.price?.(false);
      const { costUsd } = await transcriber.transcribe(talk, {});
      if (costUsd !== undefined) costsAtMost(costUsd, price === undefined ? undefined : (price * talk.seconds) / 3600);
    },
    'ends when the caller leaves': async (transcriber) => {
      await endsWhenAborted((options) => transcriber.transcribe(talk, options));
    },
  });
}
