import { expect, it } from 'vitest';
import { soundOf } from '../../../support/sound.ts';
import { ownModels } from './support.ts';

const talk = soundOf('talk.wav', Buffer.from('every word takes half'), 2);

it('a transcriber of an own server asks for times, names the terms, and joins no words', async () => {
  const { server, models } = await ownModels();
  const call = { language: 'en', keyterms: ['Ailsa', 'Vold'] };
  const { transcript } = await models.transcriber({ model: 'ears' }).transcribe(talk, call);
  expect(transcript.words.map(({ text, startMs, endMs, joined }) => [text, startMs, endMs, joined])).toEqual([
    ['every', 0, 400, undefined],
    ['word', 500, 900, undefined],
    ['takes', 1000, 1400, undefined],
    ['half', 1500, 1900, undefined],
  ]);
  const fields = server.requests[0]!.parts.filter(({ filename }) => filename === undefined);
  expect(fields.map(({ name, text }) => [name, text])).toEqual([
    ['model', 'ears'],
    ['language', 'en'],
    ['prompt', 'Ailsa, Vold'],
    ['response_format', 'verbose_json'],
    ['timestamp_granularities[]', 'segment'],
    ['timestamp_granularities[]', 'word'],
  ]);
});

it('an hour of sound is free of a server without a key, and has no known price of one with a key', async () => {
  const [own, keyed] = [await ownModels(), await ownModels({ apiKey: 'k' })];
  expect(own.models.transcriber({ model: 'ears' }).price!(false)).toBe(0);
  expect(keyed.models.transcriber({ model: 'ears' }).price!(false)).toBeUndefined();
  expect(keyed.models.transcriber({ model: 'ears', usdPerHour: 0.2 }).price!(false)).toBe(0.2);
});

it('options that are none are refused', async () => {
  const { models } = await ownModels();
  expect(() => models.transcriber({ model: '' })).toThrow(/model/);
  expect(() => models.transcriber({ model: 'ears', requestSeconds: Number.NaN })).toThrow(/requestSeconds/);
});
