import { expect, it } from 'vitest';
import { type AudioService, audioOperations } from '../../../src/wire/audio/index.ts';
import type { WireCallOptions } from '../../../src/wire/http/contract.ts';
import { open } from './fake.ts';

const file = new Uint8Array([1]);
const speech = { voice_id: 'v', text: 'Hello.' };
const dialogue = { inputs: [speech] };
const request = { prompt: 'Calm piano' };

type Calls = (audio: AudioService, options: WireCallOptions) => readonly (() => unknown)[];

/** One call of every operation, with options behind all its other arguments. */
const calls: Calls = (
  { speech: s, dialogue: d, transcripts: t, voices: v, account: a, dictionaries: p, ...rest },
  options,
) => [
  () => s.create(speech, options),
  () => s.stream(speech, options),
  () => s.withTimestamps(speech, options),
  () => s.streamWithTimestamps(speech, options),
  () => s.live(['Hello. '], { voice_id: 'v' }, options).next(),
  () => s.liveMulti({ voice_id: 'v' }, options),
  () => d.create(dialogue, options),
  () => d.stream(dialogue, options),
  () => d.withTimestamps(dialogue, options),
  () => d.streamWithTimestamps(dialogue, options),
  () => d.live([speech], { voices: ['v'] }, options).next(),
  () => t.create({ file }, options),
  () => t.get('t', options),
  () => t.delete('t', options),
  () => t.realtime([file], {}, options).next(),
  () => v.list({ show_legacy: true }, options),
  () => v.search({ page_size: 5 }, options),
  () => v.get('v', options),
  () => v.add({ name: 'n', files: [file] }, options),
  () => v.edit('v', { name: 'n' }, options),
  () => v.delete('v', options),
  () => v.settings('v', options),
  () => v.editSettings('v', { stability: 0.5 }, options),
  () => v.defaultSettings(options),
  () => v.shared({ page: 1 }, options),
  () => v.addShared('o', 'v', { new_name: 'n' }, options),
  () => rest.models(options),
  () => a.subscription(options),
  () => a.user(options),
  () => a.usage({ start_unix: 1_700_000_000_000, end_unix: 1_700_000_000_001 }, options),
  () => a.history.list({ page_size: 5 }, options),
  () => a.history.get('h', options),
  () => a.history.audio('h', options),
  () => a.history.delete('h', options),
  () => a.history.download({ history_item_ids: ['h'] }, options),
  () => p.addFromRules({ name: 'n', rules: [] }, options),
  () => p.addFromFile({ name: 'n', file }, options),
  () => p.addRules('d', [], options),
  () => p.setRules('d', [], options),
  () => p.removeRules('d', ['RAG'], options),
  () => p.get('d', options),
  () => p.list({ page_size: 5 }, options),
  () => p.update('d', { name: 'n' }, options),
  () => p.download('d', '1', options),
  () => rest.soundEffects.create({ text: 'A page is turned' }, options),
  () => rest.music.create(request, options),
  () => rest.music.stream(request, options),
  () => rest.music.detailed(request, options),
  () => rest.music.streamDetailed(request, options).next(),
  () => rest.music.plan(request, options),
  () => rest.dubbing.create({ file, target_lang: 'de' }, options),
  () => rest.dubbing.get('d', options),
  () => rest.dubbing.audio('d', 'de', options),
  () => rest.dubbing.transcript('d', 'de', undefined, options),
  () => rest.dubbing.delete('d', options),
  () => rest.dubbing.projects.create({ file }, options),
  () => rest.dubbing.projects.get('p', options),
  () => rest.dubbing.projects.delete('p', options),
  () => rest.dubbing.projects.addLanguage('p', { target_language: 'de' }, options),
  () => rest.dubbing.projects.getLanguage('p', 'l', options),
  () => rest.voiceDesign.design({ voice_description: 'A warm reader' }, options),
  () => rest.voiceDesign.create({ voice_name: 'n', voice_description: 'd', generated_voice_id: 'g' }, options),
  () => rest.voiceChanger.create({ voice_id: 'v', audio: file }, options),
  () => rest.voiceChanger.stream({ voice_id: 'v', audio: file }, options),
  () => rest.isolation.create({ audio: file }, options),
  () => rest.isolation.stream({ audio: file }, options),
  () => rest.alignment.create({ file, text: 'Hello.' }, options),
  () =>
    rest.podcasts.create(
      {
        model_id: 'voice_multilingual_v2',
        mode: { type: 'bulletin', bulletin: { host_voice_id: 'v' } },
        source: { type: 'text', text: 'The report.' },
      },
      options,
    ),
  () => rest.agents.create({ conversation_config: {} }, options),
  () => rest.agents.list({ page_size: 5 }, options),
  () => rest.agents.get('a', options),
  () => rest.agents.update('a', { name: 'n' }, options),
  () => rest.agents.delete('a', options),
  () => rest.agents.signedUrl('a', options),
  () => rest.agents.knowledge.addFile({ file }, options),
  () => rest.agents.knowledge.addText({ text: 'Open.' }, options),
  () => rest.agents.knowledge.addUrl({ url: 'https://example.org' }, options),
  () => rest.agents.conversations.list({ agent_id: 'a' }, options),
  () => rest.agents.conversations.get('c', options),
  () => rest.tokens.create('tts_websocket', options),
];

it('an abort, time limits and retries reach every operation, whatever stands before them', async () => {
  const gone = new Error('only what was sent is looked at');
  const { service, sent } = open(() => ({ error: gone }));
  const options = { signal: new AbortController().signal, timeouts: { totalMs: 1_000 }, maxRetries: 0 };
  for (const call of calls(service, options)) await expect(call()).rejects.toThrow(gone);
  expect(sent.map(({ operation }) => operation.name).sort()).toEqual(audioOperations.map(({ name }) => name).sort());
  const lost = sent.filter(({ call }) => call.options?.signal !== options.signal || call.options.maxRetries !== 0);
  expect(lost.map(({ operation }) => operation.name)).toEqual([]);
});
