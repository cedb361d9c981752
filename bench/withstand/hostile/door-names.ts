/** The names of everything that is called, and what kind of answer each waits for. */
import { audio, messages, search } from '../../../src/wire.ts';

export type DoorKind = 'answer' | 'events' | 'socket';

/** Ways through an index, of which each uses a client as one of its parts. */
const indexDoors = [
  'index ask grounded',
  'index ask grounded after a turn',
  'index ask agent',
  'index ask research',
  'index ask answer',
  'index search web',
  'index search web together',
  'index search rerank',
  'index search by a service',
  'index add by a service',
  'index ask fallback',
] as const;

const all: readonly string[] = [
  ...search.searchOperationNames.map((name) => `search ${name}`),
  'search research.wait',
  'search runResearch',
  ...messages.messagesOperations.map(({ name }) => `messages ${name}`),
  ...audio.audioOperations.map(({ name }) => name.replace('audio.', 'audio ')),
  'audio longSpeech',
  ...indexDoors,
  'page',
  'page read',
];

const eventDoors: ReadonlySet<string> = new Set([
  ...['answers.stream', 'research.stream', 'research.resume', 'runResearch'].map((name) => `search ${name}`),
  'messages messages.stream',
  'messages messages.chat_stream',
  ...indexDoors.filter((name) => name.startsWith('index ask')),
]);

const isSocket = (name: string): boolean => /^audio .*(\.live|\.liveMulti|\.realtime)$/.test(name);

export function doorNames(kind: DoorKind): readonly string[] {
  if (kind === 'socket') return all.filter(isSocket);
  return kind === 'events' ? all.filter((name) => eventDoors.has(name)) : all.filter((name) => !isSocket(name));
}
