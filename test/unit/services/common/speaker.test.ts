import { expect, it } from 'vitest';
import { Meter } from '../../../../src/core/meter.ts';
import { speakTurns } from '../../../../src/speak/speech.ts';
import { ownModels } from './support.ts';

it('a speaker with a key and no price refuses a budget before it speaks; without a key it is free', async () => {
  const [own, keyed] = [await ownModels(), await ownModels({ apiKey: 'k' })];
  const speaker = keyed.models.speaker({ model: 'mouth' });
  expect(speaker.price!()).toBeUndefined();
  const speech = speakTurns(speaker, [{ text: 'Hello.' }], { meter: new Meter(1) });
  await expect(speech.next()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  expect(keyed.server.requests).toEqual([]);
  expect(own.models.speaker({ model: 'mouth' }).price!()).toBe(0);
  expect(keyed.models.speaker({ model: 'mouth', usdPer1000Characters: 0 }).price!()).toBe(0);
});

it('a price below 0 is refused', async () => {
  const { models } = await ownModels();
  expect(() => models.speaker({ model: 'mouth', usdPer1000Characters: -1 })).toThrow(/usdPer1000Characters/);
});
