import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withSurroundings } from '../../../src/ingest/surroundings.ts';
import { createReader } from '../../../src/read/reader.ts';
import { SurroundingsReader } from '../../../src/read/surroundings.ts';
import { tempFolder } from '../../support/temp.ts';
import { makeZip } from './formats-make.ts';
import { outline, parse } from './helpers.ts';

const MESSAGES = JSON.stringify([
  {
    ID: 1132000002,
    Timestamp: '2024-05-02 09:15:00',
    Contents: 'Bring <@22> and the charts',
    Attachments: '',
  },
  {
    ID: 1132000001,
    Timestamp: '2024-05-01 21:00:30',
    Contents: 'Look at this',
    Attachments: 'https://cdn.example/attachments/1/2/tide%20table.png?ex=1 https://cdn.example/b.pdf',
  },
  { ID: 1132000000, Timestamp: '2024-05-01 20:59:00', Contents: '', Attachments: '' },
]);
const CSV = `ID,Timestamp,Contents,Attachments
2,2021-05-02 09:15:00.123000+00:00,"Bring the charts,
and the ""old"" lamp",
1,2021-05-01 21:00:30.000000+00:00,Look at this,https://cdn.example/attachments/1/2/tide.png
`;
const CHANNEL = JSON.stringify({
  id: '770001',
  type: 'GUILD_TEXT',
  name: 'harbour',
  guild: { id: '5', name: 'Sailors' },
});
const USER = JSON.stringify({ id: '11', username: 'ines.b', global_name: 'Ines Berg', discriminator: 0 });

test('a channel of the data package of Discord: messages from the oldest on, with their files', async () => {
  const document = await parse('messages.json', MESSAGES);
  expect(document.format).toBe('discord');
  expect(outline(document)).toEqual([
    ['heading', '2024-05-01'],
    ['cue', 'Look at this\nAttachment: tide table.png\nAttachment: b.pdf'],
    ['heading', '2024-05-02'],
    ['cue', 'Bring <@22> and the charts'],
  ]);
  expect(document.locators[0]?.part).toBe('2024-05-01 21:00');
});

test('an old one in CSV, with line ends and quotes in a message', async () => {
  const document = await parse('messages.csv', CSV);
  expect(document.format).toBe('discord');
  expect(outline(document)).toEqual([
    ['heading', '2021-05-01'],
    ['cue', 'Look at this\nAttachment: tide.png'],
    ['heading', '2021-05-02'],
    ['cue', 'Bring the charts,\nand the "old" lamp'],
  ]);
});

test('other lists and tables with such names stay what they are', async () => {
  expect((await parse('messages.json', '[{"ID":1,"Timestamp":"noon","Contents":"Nothing to see"}]')).format).toBe(
    'json',
  );
  expect((await parse('messages.csv', 'ID,Timestamp,Amount\n1,2021-05-01 10:00:00,12\n')).format).toBe('csv');
});

test('files around a channel say what it is called and whose package it is', async () => {
  const root = tempFolder();
  for (const folder of ['messages/c770001', 'messages/c780001', 'account'])
    mkdirSync(join(root, folder), { recursive: true });
  const file = (path: string, content: string): string => {
    writeFileSync(join(root, path), content);
    return join(root, path);
  };
  const path = file('messages/c770001/messages.json', MESSAGES);
  const direct = file('messages/c780001/messages.csv', CSV);
  const channel = file('messages/c770001/channel.json', CHANNEL);
  file('messages/c780001/channel.json', '{"id":"780001","type":"DM","recipients":["11","22"]}');
  file('messages/index.json', '{"770001":"harbour in Sailors","780001":"Direct Message with olaf#0"}');
  file('account/user.json', USER);
  await using reader = createReader();
  const document = await reader.read({ path, uri: 'messages/c770001/messages.json' });
  expect(document.title).toBe('Sailors, #harbour');
  expect(document.text).toContain('Ines Berg: Look at this');
  const other = await reader.read({ path: direct, uri: 'messages/c780001/messages.csv' });
  expect(other.title).toBe('Direct Message with olaf#0');
  expect(other.text).toContain('Ines Berg: Look at this');

  // A new name of the channel is a change of the file.
  const before = await new SurroundingsReader().hashOf(path, 'own');
  const timeBefore = withSurroundings({ path, uri: 'x', size: 1, mtimeMs: 1 } as never) as { mtimeMs: number };
  file('messages/c770001/channel.json', CHANNEL.replace('harbour', 'pier'));
  utimesSync(channel, 2_000_000_000, 2_000_000_000);
  expect(await new SurroundingsReader().hashOf(path, 'own')).not.toBe(before);
  const timeAfter = withSurroundings({ path, uri: 'x', size: 1, mtimeMs: 1 } as never) as { mtimeMs: number };
  expect(timeAfter.mtimeMs).not.toBe(timeBefore.mtimeMs);
});

test('a package that is still packed', async () => {
  const zip = makeZip({
    'Messages/c770001/messages.json': MESSAGES,
    'Messages/c770001/channel.json': CHANNEL,
    'Messages/c780001/channel.json': '{"id":"780001","type":"DM","recipients":["11","22"]}',
    'Messages/c780001/messages.csv': CSV,
    'Messages/index.json': '{"780001":"Direct Message with olaf#0"}',
    'Account/user.json': USER,
  });
  const document = await parse('package.zip', zip);
  expect(document.text).toContain('Ines Berg: Look at this\nAttachment: tide table.png');
  expect(document.text).toContain('messages.json: Sailors, #harbour');
  expect(document.text).toContain('Direct Message with olaf#0');
});
