import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { audioOperations } from '../../../src/wire/audio/client.ts';
import { commonOperationNames } from '../../../src/wire/common/operations.ts';
import { messagesOperations } from '../../../src/wire/messages/operations.ts';
import { searchOperationNames } from '../../../src/wire/search/operations.ts';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '..', path), 'utf8');
const reports = 'its reports are other operations, under analytics';
const socket = 'the official client opens no such socket';

/** Operations that no official client here has, and why. */
const notShared: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    searchOperationNames
      .filter((name) => name.startsWith('sandbox.'))
      .map((name) => [name, 'the interface is unpublished']),
  ),
  'messages.admin.usage_report.messages': reports,
  'messages.admin.usage_report.tool': reports,
  'messages.admin.cost_report': reports,
  'common.rerank': 'the official client of the dialect has no lists of scores',
  'audio.speech.live': socket,
  'audio.speech.liveMulti': socket,
  'audio.dialogue.live': socket,
};

/** How the method of an operation is written where both clients are called: `voices.edit`, `countTokens`. */
function method(name: string): string {
  const spelled = name
    .replace(/^(messages|audio|common)\./, '')
    .replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const special: Readonly<Record<string, string>> = { chat: 'chat.create', chatStream: 'chat.stream' };
  return (special[spelled] ?? spelled).replace(/^admin\./, '');
}

const clients = [
  { service: 'search', names: searchOperationNames as readonly string[], beside: ['search/same-bytes.test.ts'] },
  {
    service: 'messages',
    names: messagesOperations.map(({ name }) => name),
    beside: ['messages/same-bytes.test.ts', 'messages/sdk.test.ts'],
  },
  {
    service: 'audio',
    names: audioOperations.map(({ name }) => name),
    beside: ['audio/same-bytes.test.ts'],
  },
  { service: 'common', names: commonOperationNames, beside: ['common/sdk.test.ts'] },
] as const;

describe.each(clients)('every operation of $service', ({ service, names, beside }) => {
  it('has an example, which its contract test runs', () => {
    const examples = read(`${service}/examples.ts`);
    const missing = names.filter((name) => {
      const own = name.replace(/^(audio|common)\./, '');
      const starts = [`// example: ${own}\n`, `  '${own}': async (`, `  ${own}: async (`];
      return !starts.some((start) => examples.includes(start));
    });
    expect(missing).toEqual([]);
    expect(read(`${service}/contract.test.ts`)).toContain("from './examples.ts'");
  });

  it('is compared with an official client, or none has it', () => {
    const tests = beside.map(read).join('\n');
    const compared = names.filter((name) =>
      new RegExp(`\\b(?:ours|service|admin|client)\\.(?:admin\\.)?${method(name).replaceAll('.', '\\.')}\\(`).test(
        tests,
      ),
    );
    const left = names.filter((name) => notShared[name] !== undefined);
    expect([...compared, ...left].sort()).toEqual([...names].sort());
  });
});
