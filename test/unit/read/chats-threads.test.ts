import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createReader } from '../../../src/read/reader.ts';
import { chatDocument, nobody, parseChat, told } from '../../support/chats.ts';
import { tempFolder } from '../../support/temp.ts';
import { makeZip } from './formats-make.ts';

describe('threads', () => {
  const slack = [
    { type: 'message', user: 'U1', ts: '1731815000.0', text: 'Is the crane free?', thread_ts: '1731815000.0' },
    { type: 'message', user: 'U2', ts: '1731815010.0', text: 'Lunch at noon' },
    {
      type: 'message',
      user: 'U2',
      ts: '1731815020.0',
      text: 'In May, yes',
      thread_ts: '1731815000.0',
      user_profile: { real_name: 'Tom' },
    },
    { type: 'message', user: 'U3', ts: '1731815030.0', text: 'An answer to an older day', thread_ts: '1731000000.0' },
  ];

  it('stay together where their first message stands, in one block', () => {
    const { text, blocks, locators, metadata } = chatDocument(
      parseChat(JSON.stringify(slack), '2024-11-17.json', 'ops', nobody)!,
    );
    expect(blocks.map(({ start, end }) => text.slice(start, end))).toEqual([
      '2024-11-17',
      'U1: Is the crane free?\nTom: In May, yes',
      'Tom: Lunch at noon',
      'In reply to the message of 2024-11-07 17:20\nU3: An answer to an older day',
    ]);
    expect(locators.map(({ part }) => part)).toContain('2024-11-17 03:43 Tom');
    expect(metadata).toEqual({ messages: 4, from: 'U1, Tom, U3', firstDay: '2024-11-17', lastDay: '2024-11-17' });
  });

  it('a message that an export gives out of its time turns no thread round', () => {
    const slack = [
      { user: 'U1', ts: '1709716502.000100', thread_ts: '1709716502.000100', text: 'Who has the key?' },
      { user: 'U2', ts: '1709716520.0', thread_ts: '1709716502.000100', text: 'I have it' },
      { user: 'U3', ts: '1709716530.0', text: 'Lunch?' },
      { user: 'U3', ts: '1709716501.0', text: 'has joined' },
    ].map((message) => ({ type: 'message', ...message }));
    expect(told(parseChat(JSON.stringify(slack), 'a.json', 'a', nobody))?.map((line) => line.split('|')[3])).toEqual([
      'has joined',
      'Who has the key?',
      'I have it',
      'Lunch?',
    ]);
    const graph = (id: string, minute: string, content: string | undefined, replyToId?: string): object => ({
      id,
      replyToId,
      messageType: content === undefined ? 'systemEventMessage' : 'message',
      createdDateTime: `2024-03-06T09:${minute}:02Z`,
      from: { user: { displayName: 'Ann' } },
      body: { contentType: 'html', content: content ?? '<systemEventMessage/>' },
    });
    const teams = [
      graph('2', '16', 'I have it', '1'),
      graph('1', '15', 'Who has the key?'),
      graph('3', '17', undefined),
    ];
    const { text } = chatDocument(parseChat(JSON.stringify({ value: teams }), 'teams.json', 'a', nobody)!);
    expect(text).toBe('2024-03-06\n\nAnn: Who has the key?\nAnn: I have it');
  });

  it('Discord: answers follow what they answer', () => {
    const chat = parseChat(
      JSON.stringify({
        guild: { name: 'Station' },
        channel: { name: 'general' },
        messages: [
          {
            id: '1',
            timestamp: '2024-05-17T09:30:00.1+00:00',
            content: 'Who has the key?',
            author: { name: 'ada', nickname: 'Ada' },
          },
          { id: '2', timestamp: '2024-05-17T09:31:00+00:00', content: 'Good morning', author: { name: 'tom' } },
          {
            id: '3',
            type: 'Reply',
            timestamp: '2024-05-17T09:32:00+00:00',
            content: 'I do',
            author: { name: 'tom' },
            reference: { messageId: '1' },
          },
          { id: '4', timestamp: '2024-05-17T09:33:00+00:00', content: '', author: { name: 'tom' } },
        ],
      }),
      'general.json',
      'x',
      nobody,
    )!;
    expect([chat.title, chat.format]).toEqual(['Station, #general', 'discord']);
    expect(chatDocument(chat).text).toBe('2024-05-17\n\nAda: Who has the key?\ntom: I do\n\ntom: Good morning');
  });

  it('Teams: messages of Graph, with replies, and a personal account', () => {
    const message = (id: string, name: string, content: string, more: object = {}): object => ({
      id,
      createdDateTime: '2024-05-17T09:30:00Z',
      from: { user: { displayName: name } },
      body: { contentType: 'html', content },
      ...more,
    });
    const graph = parseChat(
      JSON.stringify({
        value: [
          message('1', 'Ada', '<p>Is it <b>done</b>?</p>'),
          message('3', 'Eve', 'Other'),
          message('2', 'Tom', 'Yes &amp; no', { replyToId: '1' }),
        ],
      }),
      'channel.json',
      'x',
      nobody,
    )!;
    expect(chatDocument(graph).text).toBe('2024-05-17\n\nAda: Is it done?\nTom: Yes & no\n\nEve: Other');
    const nested = parseChat(
      JSON.stringify([message('1', 'Ada', 'a', { replies: [message('2', 'Tom', 'b', { replyToId: '1' })] })]),
      'c.json',
      'x',
      nobody,
    )!;
    expect(nested.turns.map(({ text }) => text)).toEqual(['a', 'b']);
    const asked = { createdDateTime: '2024-05-17T09:30:00Z' };
    const answered = { createdDateTime: '2024-05-17T09:30:40Z' };
    const newestFirst = { value: [message('2', 'Tom', 'b', answered), message('1', 'Ada', 'a', asked)] };
    const turned = parseChat(JSON.stringify(newestFirst), 'c.json', 'x', nobody)!;
    expect(turned.turns.map(({ text }) => text)).toEqual(['a', 'b']);
    const said = (time: string, content: string): object => ({
      originalarrivaltime: `2024-05-17T09:30:${time}Z`,
      messagetype: 'Text',
      content,
    });
    const inOrder = { conversations: [{ MessageList: [said('01', 'First'), said('09', 'Second')] }] };
    const kept = parseChat(JSON.stringify(inOrder), 'messages.json', 'x', nobody)!;
    expect(kept.turns.map(({ text }) => text)).toEqual(['First', 'Second']);
    const account = parseChat(
      JSON.stringify({
        conversations: [
          {
            displayName: 'Boat',
            MessageList: [
              {
                originalarrivaltime: '2024-05-18T09:30:00Z',
                messagetype: 'RichText',
                content: 'Second',
                displayName: 'Tom',
              },
              { originalarrivaltime: '2024-05-17T09:30:00Z', messagetype: 'Text', content: 'First', from: '8:ada' },
              { originalarrivaltime: '2024-05-16T09:30:00Z', messagetype: 'ThreadActivity/AddMember', content: '<x/>' },
            ],
          },
        ],
      }),
      'messages.json',
      'x',
      nobody,
    )!;
    expect(told(account)).toEqual(['Boat, 2024-05-17|09:30|8:ada|First', 'Boat, 2024-05-18|09:30|Tom|Second']);
  });

  it('are read from plain folders and archives, with the names of users.json; other JSON stays JSON', async () => {
    const day = JSON.stringify(slack);
    const users = JSON.stringify([{ id: 'U1', real_name: 'Ailsa' }]);
    const folder = tempFolder({ 'export/users.json': users, 'export/ops/2024-11-17.json': day });
    await using reader = createReader();
    const uri = 'export/ops/2024-11-17.json';
    const path = join(folder, uri);
    const document = await reader.read({ path, uri });
    expect(document).toMatchObject({ format: 'slack', title: '#ops, 2024-11-17' });
    expect(document.text).toContain('Ailsa: Is the crane free?\nTom: In May, yes');
    expect((await reader.read({ bytes: Buffer.from(day), uri, from: path })).text).toBe(document.text);
    const zip = makeZip({ 'ops/2024-11-17.json': day, 'users.json': users });
    expect((await reader.read({ bytes: zip, uri: 'export.zip' })).text).toContain('Ailsa: Is the crane free?');
    const other = JSON.stringify({ messages: [{ id: 1, body: 'no chat' }] });
    expect((await reader.read({ bytes: Buffer.from(other), uri: 'a.json' })).format).toBe('json');
    for (const log of [
      '2024-05-17 10:14 - app: started',
      '2024-05-17 10:14:33 - app - INFO: started',
      '[2024-05-17 10:14:33] local.ERROR: it broke',
    ])
      expect((await reader.read({ bytes: Buffer.from(log), uri: 'a.txt' })).format).toBe('text');
    const talk = '05/03/2025, 10:14 - Tom: Is the crane free?';
    expect((await reader.read({ bytes: Buffer.from(talk), uri: 'a.txt' })).format).toBe('whatsapp');
  });
});
