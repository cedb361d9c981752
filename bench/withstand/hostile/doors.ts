/** Everything that is called: each operation as its example does, the ways through an index, pages of the web. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AskOptions,
  createReader,
  type EmbedderChoice,
  openIndex,
  type SearchIndexSearchOptions,
} from '../../../src/index.ts';
import { fetchPublicPage, openPageFetcher } from '../../../src/internal.ts';
import {
  type AttemptEvent,
  type AudioService,
  createAudioService,
  createMessagesService,
  createSearchService,
  type MessagesService,
  type SearchService,
} from '../../../src/wire.ts';
import { type Given as AudioGiven, examples as audioExamples } from '../../../test/wire/audio/examples.ts';
import { examples as messagesExamples } from '../../../test/wire/messages/examples.ts';
import { examples as searchExamples } from '../../../test/wire/search/examples.ts';
import { wavFile } from '../../../test/wire/service/audio/formats.ts';

/** What a call has to be done within, in ms, each request of it; and what is known of each attempt of a request. */
export interface OpenOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly limitMs: number;
  readonly maxRetries: number | undefined;
  readonly onAttempt?: (event: AttemptEvent) => void;
}

export interface Clients extends AsyncDisposable {
  readonly search: SearchService;
  readonly messages: MessagesService;
  readonly audio: AudioService;
}

export function openClients({ baseUrl, apiKey, limitMs, maxRetries, onAttempt }: OpenOptions): Clients {
  const timeouts = { connectMs: limitMs, headersMs: limitMs * 0.8, idleMs: limitMs * 0.6, totalMs: limitMs };
  const common = { baseUrl, apiKey, timeouts, maxRetries, onAttempt };
  const search = createSearchService({ ...common, experimental: { sandbox: true } });
  const messages = createMessagesService({ ...common, adminKey: apiKey });
  const audio = createAudioService({ ...common, plan: 'pro' });
  return {
    ...{ search, messages, audio },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([search.close(), messages.close(), audio.close()]);
    },
  };
}

/** What the calls work on, made at the honest service when it is first needed. */
export interface Grounds extends AsyncDisposable {
  audio(): Promise<AudioGiven>;
  ids(): Promise<Readonly<Record<string, string>>>;
  /** The folder of an index with the local embedder, or with a service's. */
  index(by: 'local' | 'service'): Promise<string>;
}

const embedder: EmbedderChoice = { model: 'embed-v1-0.6b', dimensions: 128 };

const documents = ['pump', 'valve', 'filter', 'tower', 'lamp'].map((name, i) => ({
  uri: `note-${i}.md`,
  text: `# The ${name}\n\nThe ${name} is checked every ${i + 2} months. It stands in hall ${i + 1} beside the door.`,
}));

export function openGrounds(base: string): Grounds {
  const clients = openClients({ baseUrl: base, apiKey: 'honest', limitMs: 60_000, maxRetries: 2 });
  const folder = mkdtempSync(join(tmpdir(), 'ibid-hostile-'));
  const made = new Map<string, Promise<unknown>>();
  const once = <T>(name: string, make: () => Promise<T>): Promise<T> => {
    const promise = made.get(name) ?? make();
    made.set(name, promise);
    return promise as Promise<T>; // kept under the name it was made for
  };
  const makeIndex = async (by: 'local' | 'service'): Promise<string> => {
    const at = join(folder, by);
    const choice = by === 'local' ? 'local' : embedder;
    await using index = await openIndex(at, { create: true, services: clients, embedder: choice });
    await index.add(documents);
    return at;
  };
  return {
    audio: () => once('audio', () => audioGrounds(clients.audio)),
    ids: () => once('ids', () => messagesIds(clients.messages)),
    index: (by) => once(by, () => makeIndex(by)),
    [Symbol.asyncDispose]: async () => {
      await clients[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Makes what a door needs before its time begins. */
export async function prepare(door: string, grounds: Grounds): Promise<void> {
  if (door.startsWith('audio')) await grounds.audio();
  else if (door.startsWith('messages')) await grounds.ids();
  else if (/^index (?!add)/.test(door)) await grounds.index(door === remoteDoor ? 'service' : 'local');
}

const remoteDoor = 'index search by a service';

/** Ids by the middle part of an operation's name. */
async function messagesIds(service: MessagesService): Promise<Record<string, string>> {
  const params = { model: 'assistant-small-4-5', max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] } as const;
  const batch = await service.batches.create([
    { custom_id: 'a', params },
    { custom_id: 'b', params },
  ]);
  await service.batches.wait(batch.id, { pollMs: 1 });
  const file = await service.files.upload({ content: Buffer.from('a,b'), filename: 'made.csv', type: 'text/csv' });
  const invite = await service.admin.invites.create({ email: 'dan@example.com', role: 'user' });
  return {
    batches: batch.id,
    files: file.id,
    invites: invite.id,
    workspaces: 'wrkspc_01',
    members: 'wrkspc_01',
    api_keys: 'apikey_01',
  };
}

async function audioGrounds(audio: AudioService): Promise<AudioGiven> {
  const samples = Int16Array.from({ length: 16_000 }, (_, at) => (at % 200) * 100 + 1);
  const given: Record<string, unknown> = { recording: wavFile(samples, 16_000, 1) };
  const run = async (name: string): Promise<Record<string, unknown>> =>
    // the result of an example is whatever it shows; the fields read below are those of the service
    (await audioExamples[name]!(audio, given as unknown as AudioGiven)) as Record<string, unknown>;
  const first = (list: unknown): Record<string, unknown> => (list as Record<string, unknown>[])[0]!;
  await run('speech.create');
  given.voiceId = await run('voices.add');
  given.historyItemId = first(await run('account.history.list')).history_item_id;
  const dictionary = await run('dictionaries.addFromRules');
  given.dictionaryId = dictionary.id;
  given.versionId = dictionary.version_id;
  given.dubbingId = await run('dubbing.create');
  given.projectId = await run('dubbing.projects.create');
  given.languageId = await run('dubbing.projects.addLanguage');
  given.previewId = first(await run('voiceDesign.design')).generated_voice_id;
  given.agentId = await run('agents.create');
  given.conversationId = first(await run('agents.conversations.list')).conversation_id;
  const file = { content: given.recording as Uint8Array, filename: 'a.wav', type: 'audio/wav' };
  const transcript = await audio.transcripts.create({ file });
  given.transcriptionId = 'transcription_id' in transcript ? transcript.transcription_id : 'none';
  return given as unknown as AudioGiven; // all fields have been filled
}

/** Calls a door. @param url the base address of the attempt */
export async function callDoor(
  door: string,
  url: string,
  clients: Clients,
  grounds: Grounds,
  { signal, limitMs }: { readonly signal: AbortSignal; readonly limitMs: number },
): Promise<unknown> {
  const [kind = '', name = ''] = door.split(/ (.*)/);
  if (kind === 'search') return await searchExamples[name as keyof typeof searchExamples](clients.search);
  if (kind === 'messages') {
    const id = /delete$|archive$/.test(name) ? 'gone_01' : ((await grounds.ids())[name.split('.').at(-2) ?? ''] ?? '');
    return await messagesExamples[name]!({ service: clients.messages, id, userId: 'user_02' });
  }
  if (kind === 'audio') {
    const all = await grounds.audio();
    const given = /delete$/.test(name) ? { ...all, voiceId: 'gone', agentId: 'gone' } : all;
    return await audioExamples[name]!(clients.audio, given);
  }
  if (kind === 'page') return await readPage(name, url, { signal, limitMs });
  return await throughIndex(door, clients, grounds, signal);
}

async function readPage(
  name: string,
  url: string,
  { signal, limitMs }: { readonly signal: AbortSignal; readonly limitMs: number },
): Promise<unknown> {
  const address = `${url}/pages/one.html`;
  const ports = [Number(new URL(url).port)];
  const options = { ports, allows: (one: string) => one === '127.0.0.1', timeoutMs: limitMs, signal };
  if (name !== 'read') return await fetchPublicPage(address, options);
  const { signal: _, ...fetching } = options;
  const found = { url: address, canonical: address, title: '', extracts: [], found: [{ query: '', rank: 1 }] } as const;
  return await openPageFetcher(createReader(), fetching)(found, { signal });
}

const question = 'How often is the pump checked?';
const history = [
  { role: 'user', text: 'What stands in hall 1?' },
  { role: 'assistant', text: 'The pump [1].' },
] as const;
const asks: Readonly<Record<string, AskOptions>> = {
  'index ask grounded': { mode: 'grounded' },
  'index ask grounded after a turn': { mode: 'grounded', history },
  'index ask agent': { mode: 'agent' },
  'index ask research': { mode: 'research' },
  'index ask answer': { mode: 'answer' },
  'index ask fallback': { mode: 'answer', fallback: ['grounded', 'extractive'] },
};
const searches: Readonly<Record<string, SearchIndexSearchOptions>> = {
  'index search web': { web: true },
  'index search web together': { web: { queries: ['the pump', 'pump checks'] } },
  'index search rerank': { rerank: true },
  'index search by a service': {},
};

async function throughIndex(door: string, services: Clients, grounds: Grounds, signal: AbortSignal): Promise<unknown> {
  if (door === 'index add by a service') {
    const folder = mkdtempSync(join(tmpdir(), 'ibid-hostile-'));
    try {
      await using index = await openIndex(join(folder, 'index'), { create: true, services, embedder });
      return await index.add(documents, { signal });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const folder = await grounds.index(door === remoteDoor ? 'service' : 'local');
  await using index = await openIndex(folder, { services });
  const search = searches[door];
  if (search !== undefined) return (await index.search(question, { ...search, signal })).report;
  // the mode is one of those above
  const { skipped, report, grounding } = await index.ask(question, { ...asks[door], signal } as AskOptions);
  return { skipped, report, error: grounding?.error, dropped: grounding?.dropped };
}
